//! Chapters in an ID3v2.3 or 2.4 tag: `CHAP` and `CTOC` frames (ID3v2 Chapter Frame Addendum 1.0).

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Cursor, Read, Seek};

use super::MediaFacts;
use super::bounded::{be_u32, reader};
use super::id3::{self, Frame, Version, split_at_zero, text};
use crate::Chapter;

/// Maximum number of bytes to read from one frame. A chapter's frame can include a picture.
const MAX_FRAME_BYTES: u64 = 4 << 20;

/// Value of a time that is not set.
const UNSET_TIME: u32 = u32::MAX;

pub(super) fn read(facts: &mut MediaFacts, file: &File) {
    let chapters = reader(file)
        .and_then(|mut reader| chapters(&mut reader))
        .map_err(|error| error.to_string());
    facts.chapters = facts.take("chapters", chapters).unwrap_or_default();
}

fn chapters(reader: &mut (impl Read + Seek)) -> io::Result<Vec<Chapter>> {
    let Some((version, frames)) = id3::frames(reader, limit)? else {
        return Ok(Vec::new());
    };
    let listed: HashSet<&[u8]> = frames
        .iter()
        .filter(|frame| &frame.id == b"CTOC")
        .flat_map(|frame| contents_ids(&frame.body))
        .collect();
    Ok(frames
        .iter()
        .filter(|frame| &frame.id == b"CHAP")
        .filter_map(|frame| chapter(version, &frame.body, &listed))
        .collect())
}

/// Returns the limit for frames that are needed in a tag or inside a chapter. Ids that begin with
/// `W` are link frames.
fn limit(id: &[u8; 4]) -> Option<u64> {
    matches!(id, b"CHAP" | b"CTOC" | b"TIT2" | [b'W', ..]).then_some(MAX_FRAME_BYTES)
}

/// Parses a chapter: element id, start and end in milliseconds, two byte offsets, frames.
fn chapter(version: Version, body: &[u8], listed: &HashSet<&[u8]>) -> Option<Chapter> {
    let (id, rest) = split_at_zero(body)?;
    let milliseconds = |at| be_u32(rest, at).filter(|time| *time != UNSET_TIME);
    let seconds = |time: u32| f64::from(time) / 1000.0;
    let start = seconds(milliseconds(0)?);
    let frames = rest.get(16..).map_or_else(Vec::new, |bytes| {
        let end = bytes.len() as u64;
        // Reading from memory cannot fail.
        version.frames(&mut Cursor::new(bytes), 0, end, limit).unwrap_or_default()
    });
    let title = frames.iter().find(|frame| &frame.id == b"TIT2");
    Some(Chapter {
        start,
        end: milliseconds(4).map(seconds),
        title: title.and_then(|title| text(&title.body)),
        url: frames.iter().find_map(link),
        is_hidden: !listed.is_empty() && !listed.contains(id),
    })
}

/// Returns the ids of the chapters that a CTOC frame lists. In the frame, they follow the frame's
/// own id, its flags and the number of entries.
fn contents_ids(ctoc: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (count, mut rest) = match split_at_zero(ctoc) {
        Some((_, [_, count, rest @ ..])) => (*count, rest),
        _ => (0, &[][..]),
    };
    (0..count).map_while(move |_| {
        let (id, after) = split_at_zero(rest)?;
        rest = after;
        Some(id)
    })
}

/// Returns the URL in a link frame if it starts with `http://` or `https://`. In a `WXXX` frame, a
/// description comes first and ends with a zero byte, so the URL starts after the last zero byte.
fn link(frame: &Frame) -> Option<String> {
    if frame.id[0] != b'W' {
        return None;
    }
    let end = frame.body.iter().rposition(|byte| *byte != 0)? + 1;
    let body = &frame.body[..end];
    let start = body.iter().rposition(|byte| *byte == 0).map_or(0, |zero| zero + 1);
    let address = String::from_utf8_lossy(&body[start..]).trim().to_owned();
    let is_web = address.starts_with("https://") || address.starts_with("http://");
    is_web.then_some(address)
}
