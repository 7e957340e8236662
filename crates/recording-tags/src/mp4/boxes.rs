//! The boxes of an MP4 file (ISO/IEC 14496-12, section 4.2).

use std::io::{Read, Seek};
use std::ops::Range;

use crate::bytes::{be_u32, be_u64, read_at, read_whole};
use crate::refusal::{Refusal, Result};
use crate::tagged::Tagged;

/// Maximum number of boxes inside one box.
const MAX_BOXES: usize = 100_000;

/// A box in the file.
#[derive(Clone, Debug)]
pub(super) struct Span {
    pub(super) kind: [u8; 4],
    /// The whole box.
    pub(super) range: Range<u64>,
    /// The box without its header.
    pub(super) content: Range<u64>,
}

impl Span {
    pub(super) fn kept(&self) -> Tagged {
        let mut kept = Tagged::default();
        kept.push_source(self.range.clone());
        kept
    }

    /// Reads the content of a box that must fit in memory.
    pub(super) fn bytes(&self, source: &mut (impl Read + Seek)) -> Result<Vec<u8>> {
        read_whole(source, self.content.start, self.length(), "its tables")
    }

    pub(super) fn length(&self) -> u64 {
        self.content.end - self.content.start
    }
}

/// Returns the boxes in a range. Zeros at the end are ignored, as QuickTime ends a list with four.
pub(super) fn children(source: &mut (impl Read + Seek), range: Range<u64>) -> Result<Vec<Span>> {
    list(source, range, false)
}

/// Returns the boxes of a file.
pub(super) fn top(source: &mut (impl Read + Seek), end: u64) -> Result<Vec<Span>> {
    list(source, 0..end, true)
}

fn list(source: &mut (impl Read + Seek), range: Range<u64>, is_top: bool) -> Result<Vec<Span>> {
    let mut spans = Vec::new();
    let mut position = range.start;
    while position < range.end {
        let head = read_at(source, position, 16.min(range.end - position))?;
        let short = be_u32(&head, 0);
        if !is_top && head.len() < 16 && head.iter().all(|byte| *byte == 0) {
            break;
        }
        let kind = head.get(4..).and_then(<[u8]>::first_chunk);
        let (Some(kind), true) = (kind, spans.len() < MAX_BOXES) else {
            return Err(Refusal::Damaged("its boxes are invalid").at(position));
        };
        let (head_length, length) = match (short, be_u64(&head, 8)) {
            // The last box of a file can extend to its end.
            (Some(0), _) if is_top => (8, range.end - position),
            (Some(1), Some(long)) => (16, long),
            (short, _) => (8, u64::from(short.unwrap_or(0))),
        };
        let end = position.checked_add(length).filter(|_| length >= head_length);
        let end = end.ok_or_else(|| Refusal::Damaged("its boxes are invalid").at(position))?;
        if end > range.end {
            let reason = match is_top {
                true => Refusal::CutOff("its last box"),
                false => Refusal::Damaged("its boxes are invalid"),
            };
            return Err(reason.at(position));
        }
        let content = position + head_length..end;
        spans.push(Span { kind: *kind, range: position..end, content });
        position = end;
    }
    Ok(spans)
}

/// Returns the first box at a path inside a box.
pub(super) fn descend(
    source: &mut (impl Read + Seek),
    span: &Span,
    path: &[&[u8; 4]],
) -> Result<Option<Span>> {
    let mut inner = span.clone();
    for kind in path {
        let mut boxes = children(source, inner.content)?.into_iter();
        match boxes.find(|child| &child.kind == *kind) {
            Some(found) => inner = found,
            None => return Ok(None),
        }
    }
    Ok(Some(inner))
}

/// Returns a box with this content.
pub(super) fn wrap(kind: &[u8; 4], content: Tagged) -> Result<Tagged> {
    let size = u32::try_from(content.len() + 8).ok().ok_or(Refusal::TooLarge("its tables"))?;
    let mut whole = Tagged::default();
    whole.push_bytes(&size.to_be_bytes());
    whole.push_bytes(kind);
    whole.append(content);
    Ok(whole)
}

/// Returns a box with this content, which is small.
pub(super) fn small(kind: &[u8; 4], content: &[&[u8]]) -> Vec<u8> {
    let content = content.concat();
    [&(content.len() as u32 + 8).to_be_bytes(), &kind[..], &content].concat()
}

/// Returns the boxes with the name of a named item of iTunes: `mean` and `name`.
pub(super) fn item_name(name: &str) -> Vec<u8> {
    let mean = small(b"mean", &[&[0; 4], b"com.apple.iTunes"]);
    [mean, small(b"name", &[&[0; 4], name.as_bytes()])].concat()
}

/// Returns numbers of four bytes each.
pub(super) fn numbers(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
}

/// Returns the box `dinf` of a track whose samples are in the same file.
pub(super) fn same_file() -> Vec<u8> {
    let reference = small(b"dref", &[&[0, 0, 0, 0, 0, 0, 0, 1], &small(b"url ", &[&[0, 0, 0, 1]])]);
    small(b"dinf", &[&reference])
}

/// The identity matrix.
pub(super) const MATRIX: [u8; 36] = {
    let mut matrix = [0; 36];
    (matrix[1], matrix[17], matrix[32]) = (1, 1, 0x40);
    matrix
};
