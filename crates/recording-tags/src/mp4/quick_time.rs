//! Tags in the format of QuickTime (QuickTime File Format, "Metadata"), which ffmpeg writes with
//! `use_metadata_tags`: a list of keys, and items that refer to them by number. They become named
//! items in the format of iTunes.

use std::io::{Read, Seek};

use super::boxes::{Span, children, item_name, wrap};
use crate::bytes::{be_u32, read_at};
use crate::refusal::{Refusal, Result};
use crate::tagged::Tagged;
use crate::tags::Tags;

/// The start of the names that Apple's programs write.
const APPLE: &str = "com.apple.quicktime.";

/// Returns the keys, if the children of a box `meta` are tags of QuickTime. Returns None if they are
/// tags of iTunes.
pub(super) fn keys(source: &mut (impl Read + Seek), meta: &[Span]) -> Result<Option<Vec<String>>> {
    let find = |kind: &[u8; 4]| meta.iter().find(|child| &child.kind == kind);
    let Some(handler) = find(b"hdlr") else { return Ok(None) };
    match &read_at(source, handler.content.start + 8, 4)?[..] {
        b"mdir" => return Ok(None),
        b"mdta" => {}
        _ => {
            let reason = Refusal::Unsupported("its tags are in an unknown format");
            return Err(reason.at(handler.range.start));
        }
    }
    let Some(keys) = find(b"keys") else { return Ok(Some(Vec::new())) };
    let bytes = keys.bytes(source)?;
    let mut rest = bytes.get(8..).unwrap_or_default();
    let mut names = Vec::new();
    // Each key has its size, a namespace of four bytes, and a name.
    while let Some(key) = be_u32(rest, 0).and_then(|size| rest.get(8..size as usize)) {
        names.push(String::from_utf8_lossy(key).into_owned());
        rest = &rest[8 + key.len()..];
    }
    Ok(Some(names))
}

/// Returns the items that no new value replaces, as named items.
pub(super) fn kept(
    source: &mut (impl Read + Seek),
    list: &Span,
    keys: &[String],
    tags: &Tags,
) -> Result<Tagged> {
    let mut kept = Tagged::default();
    for item in children(source, list.content.clone())? {
        let number = u32::from_be_bytes(item.kind) as usize;
        let Some(key) = number.checked_sub(1).and_then(|index| keys.get(index)) else { continue };
        let name = key.strip_prefix(APPLE).unwrap_or(key);
        if !tags.replaces(name) {
            let mut content = Tagged::default();
            content.push_bytes(&item_name(name));
            content.push_source(item.content);
            kept.append(wrap(b"----", content)?);
        }
    }
    Ok(kept)
}
