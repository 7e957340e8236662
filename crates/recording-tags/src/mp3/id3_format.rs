//! Frames of ID3v2, and their headers in a file.

use std::io::{Read, Seek};
use std::ops::Range;

use super::layout::parse_syncsafe;
use crate::bytes::{be_u32, read_at};
use crate::refusal::{Refusal, Result};
use crate::tagged::Tagged;

/// Maximum number of frames in a tag.
const MAX_FRAMES: usize = 20_000;

/// A frame of version 2.3.
pub(super) struct Frame {
    pub(super) id: [u8; 4],
    pub(super) flags: [u8; 2],
    pub(super) body: Tagged,
}

impl Frame {
    pub(super) fn of(id: [u8; 4], bytes: &[u8]) -> Self {
        let mut body = Tagged::default();
        body.push_bytes(bytes);
        Self { id, flags: [0, 0], body }
    }
}

/// The header of a frame in the file, and the range of its body.
pub(super) struct Head {
    pub(super) id: [u8; 4],
    pub(super) flags: [u8; 2],
    pub(super) body: Range<u64>,
}

/// Returns the headers of all frames in a range. Ends at padding, and at a damaged frame.
pub(super) fn heads(
    source: &mut (impl Read + Seek),
    span: Range<u64>,
    version: u8,
) -> Result<Vec<Head>> {
    let mut heads = Vec::new();
    let mut position = span.start;
    while position + 10 <= span.end && matches!(version, 3 | 4) {
        let head = read_at(source, position, 10)?;
        let Some(id) = head.first_chunk::<4>().filter(|id| is_id(id)).copied() else {
            break;
        };
        let start = position + 10;
        let end = start + size(source, &head, start..span.end, version)?;
        if end > span.end {
            break;
        }
        if heads.len() == MAX_FRAMES {
            return Err(Refusal::Damaged("it has too many tags").at(position));
        }
        heads.push(Head { id, flags: [head[8], head[9]], body: start..end });
        position = end;
    }
    Ok(heads)
}

/// Returns the size of a frame. Some programs wrote sizes of version 2.4 as in version 2.3.
fn size(
    source: &mut (impl Read + Seek),
    head: &[u8],
    rest: Range<u64>,
    version: u8,
) -> Result<u64> {
    let plain = u64::from(be_u32(head, 4).unwrap_or(0));
    let syncsafe = u64::from(parse_syncsafe(&head[4..8]));
    if version == 3 || plain == syncsafe {
        return Ok(plain);
    }
    let mut fits = |size: u64| {
        let end = rest.start + size;
        if end >= rest.end {
            return Ok(end == rest.end);
        }
        let next = read_at(source, end, 4.min(rest.end - end))?;
        let is_padding = next.iter().all(|byte| *byte == 0);
        Ok::<_, Refusal>(is_padding || next.first_chunk().is_some_and(is_id))
    };
    Ok(if !fits(syncsafe)? && fits(plain)? { plain } else { syncsafe })
}

fn is_id(id: &[u8; 4]) -> bool {
    id.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}
