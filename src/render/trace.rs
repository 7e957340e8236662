//! Which template wrote which part of a document.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use mustache::Piece;

/// Whether the text under a key of a page's data is HTML.
pub(super) fn is_html(key: &str) -> bool {
    matches!(key, "article_html" | "content_html" | "description" | "description_html")
}

/// A part of a document that a template wrote.
#[derive(Debug, Clone)]
pub struct TracedPiece {
    /// Its bytes in the document.
    pub range: Range<usize>,
    /// The template's file in its package; None for the template of a Site File.
    pub file: Option<Arc<str>>,
    /// Its byte offset in that file: the first byte of text, the tag of a value.
    pub at: usize,
    pub origin: Origin,
}

/// The kind of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Text of the template.
    Text,
    Value,
    /// A value that is HTML, of an item, a Page, an event or the channel.
    Content,
}

/// Collects the parts of one document, in order.
#[derive(Debug, Default)]
pub struct Trace(Mutex<Vec<TracedPiece>>);

impl Trace {
    /// Adds the output of the templates of one slot. `file_of` returns the file of a partial, or of the slot.
    pub(super) fn add<'f>(
        &self,
        pieces: Vec<Piece<'_>>,
        file_of: impl Fn(Option<&str>) -> Option<&'f str>,
    ) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.reserve(pieces.len());
        let mut last: (Option<&str>, Option<Arc<str>>) = (None, file_of(None).map(Arc::from));
        for piece in pieces {
            if piece.partial != last.0 {
                last = (piece.partial, file_of(piece.partial).map(Arc::from));
            }
            all.push(TracedPiece {
                range: piece.range,
                file: last.1.clone(),
                at: piece.at,
                origin: match piece.value {
                    None => Origin::Text,
                    Some(key) if is_html(key) => Origin::Content,
                    Some(_) => Origin::Value,
                },
            });
        }
    }

    pub(super) fn into_pieces(self) -> Vec<TracedPiece> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
