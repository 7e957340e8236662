//! The places of the tags and of the audio in an MP3 file.

use std::io::{Read, Seek};
use std::ops::Range;

use crate::bytes::{le_u32, read_at, size};
use crate::refusal::{Refusal, Result};

/// Maximum number of tags at each end of a file.
const MAX_TAGS: usize = 16;

/// The places of the tags and of the audio.
pub(super) struct Layout {
    /// All ID3v2 tags, also those at the end of the file, each without its footer.
    pub(super) id3: Vec<Range<u64>>,
    pub(super) audio: Range<u64>,
    /// Position of the ID3v1 tag.
    pub(super) id3v1: Option<u64>,
    /// The items of the APE tag.
    pub(super) ape: Option<Range<u64>>,
}

impl Layout {
    pub(super) fn of(source: &mut (impl Read + Seek)) -> Result<Self> {
        let end = size(source)?;
        let mut layout = Self { id3: Vec::new(), audio: 0..end, id3v1: None, ape: None };
        for _ in 0..MAX_TAGS {
            if !layout.take_first(source)? {
                break;
            }
        }
        for _ in 0..MAX_TAGS {
            if !layout.take_last(source)? {
                break;
            }
        }
        Ok(layout)
    }

    /// Removes a tag from the start of the audio. Returns whether there was one.
    fn take_first(&mut self, source: &mut (impl Read + Seek)) -> Result<bool> {
        let start = self.audio.start;
        let header = read_at(source, start, 10)?;
        let [b'I', b'D', b'3', _, _, flags, size @ ..] = &header[..] else {
            return Ok(false);
        };
        let tag = start..start + 10 + u64::from(parse_syncsafe(size));
        let footer = if flags & 0x10 != 0 { 10 } else { 0 };
        if tag.end + footer > self.audio.end {
            return Err(Refusal::CutOff("its ID3 tag").at(start));
        }
        self.audio.start = tag.end + footer;
        self.id3.push(tag);
        Ok(true)
    }

    /// Removes a tag from the end of the audio. Returns whether there was one.
    fn take_last(&mut self, source: &mut (impl Read + Seek)) -> Result<bool> {
        let (start, end) = (self.audio.start, self.audio.end);
        let tail_start = end.saturating_sub(128).max(start);
        let tail = read_at(source, tail_start, end - tail_start)?;
        let at = |back: usize| tail.len().checked_sub(back).and_then(|at| tail.get(at..));
        let size = if tail.len() == 128 && tail.starts_with(b"TAG") {
            self.id3v1.get_or_insert(tail_start);
            128
        } else if let Some(footer) = at(32).filter(|footer| footer.starts_with(b"APETAGEX")) {
            // The size includes the footer, and excludes the header.
            let size = u64::from(le_u32(footer, 12).unwrap_or(0));
            let header = if footer[23] & 0x80 != 0 { 32 } else { 0 };
            if size < 32 || size + header > end - start {
                return Err(Refusal::Damaged("the size of its APE tag is wrong").at(end - 32));
            }
            self.ape.get_or_insert(end - size..end - 32);
            size + header
        } else if let Some(footer) = at(10).filter(|footer| footer.starts_with(b"3DI\x04")) {
            let size = u64::from(parse_syncsafe(&footer[6..]));
            if size + 20 > end - start {
                return Err(Refusal::Damaged("the size of its ID3 tag is wrong").at(end - 10));
            }
            self.id3.push(end - size - 20..end - 10);
            size + 20
        } else if let Some(footer) = at(15).filter(|footer| footer.ends_with(b"LYRICS200")) {
            let digits = std::str::from_utf8(&footer[..6]).unwrap_or_default();
            match digits.parse::<u64>() {
                Ok(size) if size + 15 <= end - start => size + 15,
                _ => 0,
            }
        } else {
            0
        };
        self.audio.end -= size;
        Ok(size > 0)
    }
}

/// Parses an ID3v2 size: four bytes with seven bits each.
pub(super) fn parse_syncsafe(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).fold(0, |size, byte| size << 7 | u32::from(byte & 0x7f))
}

/// Returns a size as four bytes of seven bits each.
pub(super) fn syncsafe(size: u32) -> [u8; 4] {
    [21, 14, 7, 0].map(|shift| (size >> shift & 0x7f) as u8)
}
