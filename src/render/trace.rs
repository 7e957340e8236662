//! Traces which template wrote which part of a document.

use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use mustache::Piece;

/// Returns whether the text under a key of a page's data is HTML.
pub(super) fn is_html(key: &str) -> bool {
    matches!(key, "article_html" | "content_html" | "description" | "description_html")
}

/// A part of a document that a template wrote.
#[derive(Debug, Clone)]
pub struct TracedPiece {
    /// The byte range of the part in the document.
    pub range: Range<usize>,
    /// The template's file in its package. None for the template of a site file.
    pub file: Option<Arc<str>>,
    /// The byte offset in the template's file: of the first byte for text, of the tag for a value.
    pub at: usize,
    pub origin: Origin,
}

/// The origin of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// Literal text of the template.
    Text,
    Value,
    /// An HTML value of an item, page, event or the channel.
    Content,
}

/// The parts of one document, collected in order.
#[derive(Debug, Default)]
pub struct Trace(Mutex<Vec<TracedPiece>>);

impl Trace {
    /// Adds the output of the templates of one slot. `file_of` returns the file of a partial, or of
    /// the slot's template for None.
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
