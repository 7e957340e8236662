//! Tags in the format of iTunes: the boxes in `moov/udta/meta/ilst`.

use std::io::{Read, Seek};

use super::boxes::{Span, children, item_name, small, wrap};
use super::quick_time;
use crate::bytes::read_at;
use crate::refusal::Result;
use crate::tagged::Tagged;
use crate::tags::{Picture, Tags};

/// Types of values.
const BINARY: u32 = 0;
const TEXT: u32 = 1;
const JPEG: u32 = 13;
const PNG: u32 = 14;

/// Maximum number of bytes to read from the name of an item.
const MAX_NAME_BYTES: u64 = 256;

/// Returns the box `meta` with new items, then the existing items that they do not replace.
pub(super) fn meta(
    source: &mut (impl Read + Seek),
    existing: Option<&Span>,
    tags: &Tags,
) -> Result<Tagged> {
    let mut items = Tagged::default();
    items.push_bytes(&new_items(tags));
    let mut meta = Tagged::default();
    let handler = small(b"hdlr", &[&[0; 8], b"mdirappl", &[0; 9]]);
    let handler = [&[0; 4], &handler[..]].concat();
    let Some(existing) = existing else {
        meta.push_bytes(&handler);
        meta.append(wrap(b"ilst", items)?);
        return wrap(b"meta", meta);
    };
    let head = read_at(source, existing.content.start, existing.length().min(24))?;
    // In MP4, a `meta` box starts with a version of four bytes; in QuickTime, with a child.
    let start = if head.get(4..8) == Some(b"hdlr") { 0 } else { 4 };
    let start = existing.content.start + start;
    let own = children(source, start..existing.content.end)?;
    let keys = quick_time::keys(source, &own)?;
    if keys.is_some() {
        meta.push_bytes(&handler);
    } else {
        meta.push_source(existing.content.start..start);
    }
    for child in own {
        match (&child.kind, &keys) {
            (b"ilst", Some(keys)) => items.append(quick_time::kept(source, &child, keys, tags)?),
            (b"ilst", None) => {
                for item in children(source, child.content)? {
                    if !is_replaced(source, &item, tags)? {
                        items.append(item.kept());
                    }
                }
            }
            (b"hdlr" | b"keys", Some(_)) => {}
            // Padding for later changes.
            (b"free", _) => {}
            _ => meta.append(child.kept()),
        }
    }
    meta.append(wrap(b"ilst", items)?);
    wrap(b"meta", meta)
}

fn is_replaced(source: &mut (impl Read + Seek), item: &Span, tags: &Tags) -> Result<bool> {
    Ok(match &item.kind {
        b"\xa9nam" => tags.title.is_some(),
        b"\xa9alb" => tags.show.is_some(),
        b"\xa9ART" => !tags.people.is_empty(),
        b"trkn" => tags.number.is_some(),
        b"disk" => tags.season.is_some(),
        b"\xa9day" => tags.date.is_some(),
        b"desc" | b"ldes" | b"\xa9cmt" => tags.description.is_some(),
        b"\xa9url" => tags.address.is_some(),
        b"\xa9pub" => tags.publisher.is_some(),
        b"cprt" => tags.copyright.is_some(),
        b"\xa9gen" | b"gnre" => tags.genre.is_some(),
        b"\xa9lyr" => tags.lyrics.is_some(),
        b"covr" => tags.cover.is_some(),
        b"----" => {
            // An item with a name: the boxes `mean`, `name` and `data`.
            let name = read_at(source, item.content.start, MAX_NAME_BYTES.min(item.length()))?;
            let is_language = name.windows(12).any(|part| part.eq_ignore_ascii_case(LANGUAGE_NAME));
            tags.language.is_some() && is_language
        }
        _ => false,
    })
}

/// The end of the box with the name of an item for the language.
const LANGUAGE_NAME: &[u8; 12] = b"\0\0\0\0LANGUAGE";

fn new_items(tags: &Tags) -> Vec<u8> {
    let artists = tags.artists();
    let texts = [
        (b"\xa9nam", &tags.title),
        (b"\xa9alb", &tags.show),
        (b"\xa9ART", &artists),
        (b"\xa9day", &tags.date),
        (b"desc", &tags.description),
        (b"ldes", &tags.description),
        (b"\xa9url", &tags.address),
        (b"\xa9pub", &tags.publisher),
        (b"cprt", &tags.copyright),
        (b"\xa9gen", &tags.genre),
        (b"\xa9lyr", &tags.lyrics),
    ];
    let mut items = Vec::new();
    for (kind, text) in texts {
        items.extend(text.iter().flat_map(|text| item(kind, TEXT, text.as_bytes())));
    }
    // Two bytes without meaning, the number, and the number of all, which is unknown.
    let number =
        |number: u32| [&[0, 0][..], &(number.min(65535) as u16).to_be_bytes(), &[0; 4]].concat();
    items.extend(tags.number.iter().flat_map(|own| item(b"trkn", BINARY, &number(*own))));
    items.extend(tags.season.iter().flat_map(|own| item(b"disk", BINARY, &number(*own)[..6])));
    if let Some(language) = &tags.language {
        let data = data(TEXT, language.as_bytes());
        items.extend(small(b"----", &[&item_name("LANGUAGE"), &data]));
    }
    if let Some(Picture { bytes, media_type }) = &tags.cover {
        items.extend(item(b"covr", if media_type == "image/png" { PNG } else { JPEG }, bytes));
    }
    items
}

fn item(kind: &[u8; 4], value_type: u32, value: &[u8]) -> Vec<u8> {
    small(kind, &[&data(value_type, value)])
}

fn data(value_type: u32, value: &[u8]) -> Vec<u8> {
    small(b"data", &[&value_type.to_be_bytes(), &[0; 4], value])
}
