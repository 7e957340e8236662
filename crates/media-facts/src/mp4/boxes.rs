//! The boxes of an MP4 file.

use std::fs::File;
use std::io::{self, BufReader};

use crate::bounded::{BudgetReader, be_u32, be_u64, read_at};

/// Maximum number of boxes to read inside one box. A file with more boxes than that is not a normal
/// media file.
const MAX_BOXES: usize = 4096;

/// Range of a box's content in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub(super) kind: [u8; 4],
    start: u64,
    end: u64,
    /// Whether the box is longer than its parent.
    pub(super) is_cut_off: bool,
}

impl Span {
    /// Returns a box for the whole file, which has no header.
    pub(super) fn whole(bytes: u64) -> Self {
        Self { kind: *b"file", start: 0, end: bytes, is_cut_off: false }
    }

    /// Returns the box without the first bytes of its content.
    pub(super) fn without(self, bytes: u64) -> Self {
        Self { start: (self.start + bytes).min(self.end), ..self }
    }
}

pub(super) struct Reader<'f>(pub(super) BufReader<BudgetReader<&'f File>>);

impl Reader<'_> {
    /// Reads up to `most` bytes from the start of a box's content.
    pub(super) fn bytes(&mut self, span: Span, most: u64) -> io::Result<Vec<u8>> {
        self.at(span.start, most.min(span.end - span.start))
    }

    /// Reads up to `most` bytes from a position in the file.
    pub(super) fn at(&mut self, position: u64, most: u64) -> io::Result<Vec<u8>> {
        read_at(&mut self.0, position, most)
    }

    /// Returns the boxes inside a box.
    pub(super) fn children(&mut self, span: Span) -> io::Result<Vec<Span>> {
        let mut children = Vec::new();
        let mut position = span.start;
        while let Some(child) = self.next(position, span.end)? {
            position = child.end;
            children.push(child);
            if children.len() == MAX_BOXES {
                break;
            }
        }
        Ok(children)
    }

    /// Returns the first child box of a kind.
    pub(super) fn child(&mut self, span: Span, kind: &[u8; 4]) -> io::Result<Option<Span>> {
        let mut position = span.start;
        for _ in 0..MAX_BOXES {
            match self.next(position, span.end)? {
                Some(child) if child.kind == *kind => return Ok(Some(child)),
                Some(child) => position = child.end,
                None => return Ok(None),
            }
        }
        Ok(None)
    }

    /// Returns the first and the last child box of a kind. The number of such boxes is not limited,
    /// because a recording can have one per second.
    pub(super) fn first_and_last(
        &mut self,
        span: Span,
        kind: &[u8; 4],
    ) -> io::Result<Option<(Span, Span)>> {
        let (mut position, mut found) = (span.start, None);
        while let Some(child) = self.next(position, span.end)? {
            position = child.end;
            if child.kind == *kind {
                let (first, _) = found.unwrap_or((child, child));
                found = Some((first, child));
            }
        }
        Ok(found)
    }

    /// Returns whether the file ends before its media.
    pub(super) fn is_cut_off(&mut self, file: Span) -> io::Result<bool> {
        let mut position = file.start;
        while let Some(child) = self.next(position, file.end)? {
            position = child.end;
            if child.is_cut_off {
                // Tags of other formats at the end of the file can look like a box.
                return Ok(matches!(&child.kind, b"mdat" | b"moof" | b"moov"));
            }
        }
        Ok(false)
    }

    /// Returns the box at a position, or None if the parent ends there or the bytes are not a box.
    fn next(&mut self, position: u64, end: u64) -> io::Result<Option<Span>> {
        if position + 8 > end {
            return Ok(None);
        }
        let head = self.at(position, 16)?;
        let (Some(short), Some(kind)) = (be_u32(&head, 0), head.get(4..8)) else {
            return Ok(None);
        };
        let (head_length, length) = match (short, be_u64(&head, 8)) {
            // The size 0 means that the box extends to the end of the file.
            (0, _) => (8, end - position),
            (1, Some(long)) => (16, long),
            (1, None) => return Ok(None),
            (short, _) => (8, u64::from(short)),
        };
        if length < head_length {
            return Ok(None);
        }
        let mut span = Span {
            kind: [0; 4],
            start: position + head_length,
            end: position.saturating_add(length).min(end),
            is_cut_off: position.saturating_add(length) > end,
        };
        span.kind.copy_from_slice(kind);
        Ok((span.start <= span.end).then_some(span))
    }
}
