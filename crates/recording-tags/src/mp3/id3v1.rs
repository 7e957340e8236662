//! ID3v1: 128 bytes with short texts at the end of an MP3 file. Its values remain, as frames of
//! ID3v2, if the file has no ID3v2 tag.

use std::io::{Read, Seek};
use std::ops::Range;

use super::id3::Frame;
use super::id3_text::{body, decode};
use crate::bytes::read_at;
use crate::refusal::Result;

/// Returns the values of a tag at a position.
pub(super) fn frames(source: &mut (impl Read + Seek), start: u64) -> Result<Vec<Frame>> {
    let tag = read_at(source, start, 128)?;
    let text = |id: &[u8; 4], range: Range<usize>| {
        let bytes = tag.get(range).unwrap_or_default();
        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        let text = decode(0, &bytes[..end]);
        let text = text.trim();
        (!text.is_empty()).then(|| Frame::of(*id, &body(&[], &[text])))
    };
    // A zero before the last byte of the comment means that the byte is the number of the track.
    let number = tag.get(125..127).filter(|end| end[0] == 0 && end[1] > 0);
    let number = number.map(|end| Frame::of(*b"TRCK", &body(&[], &[&end[1].to_string()])));
    let texts = [
        text(b"TIT2", 3..33),
        text(b"TPE1", 33..63),
        text(b"TALB", 63..93),
        text(b"TYER", 93..97),
        number,
    ];
    Ok(texts.into_iter().flatten().collect())
}
