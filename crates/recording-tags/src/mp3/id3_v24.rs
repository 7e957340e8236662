//! Converts the frames of ID3v2.4 to version 2.3, which has no UTF-8.

use std::io::{Cursor, Read, Seek};
use std::ops::Range;

use media_facts::synchronise;

use super::id3_format::{Frame, Head, heads};
use super::id3_frames::header;
use super::id3_text::{body, decode, decode_all, split_string};
use crate::bytes::{read_at, read_whole};
use crate::refusal::Result;
use crate::tagged::Tagged;

/// Flags in the second byte: the frame is compressed, encrypted or grouped. No common program
/// writes such frames.
const PACKED: u8 = 0x4c;
const UNSYNCHRONISED: u8 = 0x02;
/// Four bytes with a length precede the body.
const HAS_LENGTH: u8 = 0x01;

/// Maximum size of the part of a frame before its data, such as the description of a picture.
const MAX_HEAD_BYTES: u64 = 64 << 10;

/// Returns a frame in version 2.3. Returns None if the frame cannot be converted.
pub(super) fn convert(
    source: &mut (impl Read + Seek),
    head: Head,
    is_unsynchronised: bool,
) -> Result<Option<Frame>> {
    let [_, flags] = head.flags;
    let skipped = if flags & HAS_LENGTH != 0 { 4 } else { 0 };
    let range = (head.body.start + skipped).min(head.body.end)..head.body.end;
    let id = match &head.id {
        _ if flags & PACKED != 0 => return Ok(None),
        b"TDRC" => *b"TYER",
        b"TDOR" => *b"TORY",
        b"TIPL" | b"TMCL" => *b"IPLS",
        id => *id,
    };
    let body = if is_unsynchronised || flags & UNSYNCHRONISED != 0 {
        let bytes = read_whole(source, range.start, range.end - range.start, "its old tags")?;
        let bytes = synchronise(&bytes);
        let length = bytes.len() as u64;
        let mut memory = Cursor::new(bytes);
        let body = convert_body(&mut memory, &id, 0..length)?;
        let mut bytes = Vec::new();
        body.copy(&mut memory, &mut bytes)?;
        let mut body = Tagged::default();
        body.push_bytes(&bytes);
        body
    } else {
        convert_body(source, &id, range)?
    };
    Ok(Some(Frame { id, flags: [0, 0], body }))
}

fn convert_body(
    source: &mut (impl Read + Seek),
    id: &[u8; 4],
    range: Range<u64>,
) -> Result<Tagged> {
    let mut converted = Tagged::default();
    let length = range.end - range.start;
    let encoding = read_at(source, range.start, 1.min(length))?.first().copied();
    let has_new_encoding = matches!(encoding, Some(2 | 3));
    match id {
        b"CHAP" | b"CTOC" => return convert_chapter(source, id, range),
        b"APIC" | b"WXXX" if has_new_encoding => {
            let head = read_at(source, range.start, MAX_HEAD_BYTES.min(length))?;
            let (new, old_length) = convert_description(id, &head);
            converted.push_bytes(&new);
            converted.push_source(range.start + old_length as u64..range.end);
        }
        b"TYER" | b"TORY" => {
            let bytes = read_at(source, range.start, MAX_HEAD_BYTES.min(length))?;
            let year = text(&bytes, 0).concat();
            converted.push_bytes(&body(&[], &[year.get(..4).unwrap_or(&year)]));
        }
        b"COMM" | b"USLT" if has_new_encoding => {
            let bytes = read_whole(source, range.start, length, "its old tags")?;
            let language = bytes.get(1..4).unwrap_or(b"und");
            converted.push_bytes(&body(language, &as_slices(&text(&bytes, 3))));
        }
        b"TXXX" | b"IPLS" if has_new_encoding => {
            let bytes = read_whole(source, range.start, length, "its old tags")?;
            converted.push_bytes(&body(&[], &as_slices(&text(&bytes, 0))));
        }
        [b'T', ..] if has_new_encoding => {
            let bytes = read_whole(source, range.start, length, "its old tags")?;
            // A slash separates several values in version 2.3.
            converted.push_bytes(&body(&[], &[&text(&bytes, 0).join("/")]));
        }
        _ => converted.push_source(range),
    }
    Ok(converted)
}

/// Decodes the strings of a frame. They follow the encoding and `skipped` more bytes.
fn text(bytes: &[u8], skipped: usize) -> Vec<String> {
    let encoding = bytes.first().copied().unwrap_or(0);
    decode_all(encoding, bytes.get(1 + skipped..).unwrap_or_default())
}

fn as_slices(strings: &[String]) -> Vec<&str> {
    strings.iter().map(String::as_str).collect()
}

/// Converts the encoding and the description at the start of a picture or a link. Returns the new
/// bytes, and the number of bytes that they replace.
fn convert_description(id: &[u8; 4], head: &[u8]) -> (Vec<u8>, usize) {
    let (encoding, rest) = head.split_first().unwrap_or((&0, &[]));
    // A picture has a media type and a kind before its description.
    let before = match id {
        b"APIC" => split_string(0, rest).0.len() + 1,
        _ => 0,
    };
    let (before, rest) = rest.split_at(before.min(rest.len()));
    let (description, rest) = split_string(*encoding, rest);
    let mut new = body(before, &[&decode(*encoding, description)]);
    let is_wide = new.first() == Some(&1);
    new.extend_from_slice(if is_wide { &[0, 0] } else { &[0] });
    (new, head.len() - rest.len())
}

/// Converts the frames inside a chapter or a table of contents.
fn convert_chapter(
    source: &mut (impl Read + Seek),
    id: &[u8; 4],
    range: Range<u64>,
) -> Result<Tagged> {
    let mut converted = Tagged::default();
    let inner = inner_start(source, id, range.clone())?;
    converted.push_source(range.start..inner);
    for head in heads(source, inner..range.end, 4)? {
        // A chapter contains no chapters. Without this limit, a crafted file could use up the stack.
        if !matches!(&head.id, b"CHAP" | b"CTOC")
            && let Some(frame) = convert(source, head, false)?
        {
            let size = u32::try_from(frame.body.len()).unwrap_or(u32::MAX);
            converted.push_bytes(&header(&frame.id, size, frame.flags));
            converted.append(frame.body);
        }
    }
    Ok(converted)
}

/// Returns the position of the frames inside a chapter or a table of contents.
fn inner_start(source: &mut (impl Read + Seek), id: &[u8; 4], body: Range<u64>) -> Result<u64> {
    let head = read_at(source, body.start, MAX_HEAD_BYTES.min(body.end - body.start))?;
    let after_zero = |at: usize| {
        let zero = head.get(at..)?.iter().position(|byte| *byte == 0)?;
        Some(at + zero + 1)
    };
    let start = after_zero(0).and_then(|at| match id {
        // Two times and two positions.
        b"CHAP" => Some(at + 16),
        // Flags, the number of chapters, and their ids.
        _ => (0..*head.get(at + 1)?).try_fold(at + 2, |at, _| after_zero(at)),
    });
    Ok(start.map_or(body.end, |start| (body.start + start as u64).min(body.end)))
}
