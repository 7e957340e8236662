//! APE tags (version 2), which mp3gain uses for the loudness of a recording.

use std::io::{Read, Seek};
use std::ops::Range;

use crate::bytes::{le_u32, read_at};
use crate::refusal::{Refusal, Result};
use crate::tagged::Tagged;
use crate::tags::Tags;

/// Maximum number of items in a tag.
const MAX_ITEMS: u32 = 1000;

/// Returns a tag with the items at `span` that no new value replaces.
pub(super) fn kept_items(
    source: &mut (impl Read + Seek),
    span: Range<u64>,
    tags: &Tags,
) -> Result<Tagged> {
    /// Size of an item's head: size, flags, key of up to 255 characters, zero.
    const MAX_HEAD_BYTES: u64 = 264;
    let mut items = Tagged::default();
    let mut count = 0_u32;
    let mut position = span.start;
    while position < span.end {
        let head = read_at(source, position, MAX_HEAD_BYTES.min(span.end - position))?;
        let item = item_key(&head).zip(le_u32(&head, 0));
        let Some((key, size)) = item.filter(|_| count < MAX_ITEMS) else {
            return Err(Refusal::Damaged("its APE tag is invalid").at(position));
        };
        let end = position + 8 + key.len() as u64 + 1 + u64::from(size);
        if end > span.end {
            return Err(Refusal::Damaged("its APE tag is invalid").at(position));
        }
        if !tags.replaces(key) {
            count += 1;
            items.push_source(position..end);
        }
        position = end;
    }
    let mut tag = Tagged::default();
    if count > 0 {
        let footer = |flags: u32| {
            let numbers = [2000, items.len() as u32 + 32, count, flags].map(u32::to_le_bytes);
            [b"APETAGEX", numbers.as_flattened(), &[0; 8]].concat()
        };
        tag.push_bytes(&footer(0xa000_0000));
        let end = footer(0x8000_0000);
        tag.append(items);
        tag.push_bytes(&end);
    }
    Ok(tag)
}

/// Returns the key of an item, which follows its size and flags, and ends with a zero.
fn item_key(head: &[u8]) -> Option<&str> {
    let key = head.get(8..)?;
    let zero = key.iter().position(|byte| *byte == 0)?;
    std::str::from_utf8(&key[..zero]).ok()
}
