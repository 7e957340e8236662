//! Frames of ID3v2 tags.
//!
//! The parser only reads the headers of unneeded frames, so it skips a cover of several megabytes
//! unless it is needed. The crate has its own ID3 parser because the id3 library (1.17) follows
//! nested chapters without a limit: a crafted file overflows the stack, which aborts the program.

use std::io::{self, Cursor, Read, Seek};

use super::bounded::{be_u32, read_at};
use super::id3_v22;
use super::mpeg_audio::syncsafe;
use super::tag_values::MAX_COVER_BYTES;

/// Maximum number of bytes to read from a tag of version 2.2, which is read completely.
const MAX_V22_BYTES: u64 = MAX_COVER_BYTES + (1 << 20);

/// Returns the number of bytes to read of a frame with this id, or None if the frame is not needed.
pub(super) type Limit = fn(&[u8; 4]) -> Option<u64>;

/// Returns the version and the needed frames of the tag at the start of a file. Returns None if the
/// file has no such tag.
pub(super) fn frames(
    reader: &mut (impl Read + Seek),
    limit: Limit,
) -> io::Result<Option<(Version, Vec<Frame>)>> {
    let header = read_at(reader, 0, 14)?;
    let [b'I', b'D', b'3', version @ 2..=4, _, flags, ..] = header[..] else {
        return Ok(None);
    };
    let version = Version { number: version };
    let end = 10 + u64::from(header.get(6..10).map_or(0, syncsafe));
    let start = match header.get(10..14) {
        Some(size) if flags & 0x40 != 0 => 10 + version.extended_header(size),
        _ => 10,
    };
    let frames = if version.number == 2 {
        let tag = read_at(reader, 10, (end - 10).min(MAX_V22_BYTES))?;
        let tag = if flags & 0x80 != 0 { synchronise(&tag) } else { tag };
        let frames = id3_v22::frames(&tag).into_iter().filter(|(id, _)| limit(id).is_some());
        frames.map(|(id, body)| Frame { id, body: body.into_owned() }).collect()
    } else if flags & 0x80 != 0 && version.number == 3 {
        // In version 3, unsynchronisation applies to the whole tag, and frame sizes refer to the
        // original bytes.
        let tag = synchronise(&read_at(reader, start, end.saturating_sub(start))?);
        let end = tag.len() as u64;
        version.frames(&mut Cursor::new(tag), 0, end, limit)?
    } else {
        version.frames(reader, start, end, limit)?
    };
    Ok(Some((version, frames)))
}

/// The id and the body of a frame.
pub(super) struct Frame {
    pub(super) id: [u8; 4],
    pub(super) body: Vec<u8>,
}

/// The version of the tag, 2 to 4. It determines the format of sizes and flags.
#[derive(Clone, Copy)]
pub(super) struct Version {
    number: u8,
}

impl Version {
    fn size(self, bytes: &[u8]) -> u32 {
        match self.number {
            3 => be_u32(bytes, 0).unwrap_or(0),
            _ => syncsafe(bytes),
        }
    }

    /// Returns the length of the extended header. In version 3, the size in the header does not
    /// include the size field itself.
    fn extended_header(self, size: &[u8]) -> u64 {
        let field = if self.number == 3 { 4 } else { 0 };
        field + u64::from(self.size(size))
    }

    /// Returns the needed frames between two positions.
    pub(super) fn frames(
        self,
        reader: &mut (impl Read + Seek),
        start: u64,
        end: u64,
        limit: Limit,
    ) -> io::Result<Vec<Frame>> {
        let mut frames = Vec::new();
        let mut position = start;
        while position + 10 <= end {
            let head = read_at(reader, position, 10)?;
            let (Some(id), Some(size)) = (head.first_chunk::<4>(), head.get(4..8)) else {
                break;
            };
            // The rest of the tag is padding.
            if id[0] == 0 {
                break;
            }
            let size = u64::from(self.size(size)).min(end - position - 10);
            if let Some(most) = limit(id) {
                let body = read_at(reader, position + 10, size.min(most))?;
                let flags = head.get(9).copied().unwrap_or(0);
                frames.extend(
                    self.decode_frame_body(flags, body).map(|body| Frame { id: *id, body }),
                );
            }
            position += 10 + size;
        }
        Ok(frames)
    }

    /// Returns the decoded body of a frame, without the additional fields that its flags announce.
    /// Returns None if the body is compressed or encrypted.
    fn decode_frame_body(self, flags: u8, body: Vec<u8>) -> Option<Vec<u8>> {
        let (packed, group) = match self.number {
            3 => (0xc0, 0x20),
            _ => (0x0c, 0x40),
        };
        let has_length = self.number == 4 && flags & 0x01 != 0;
        let skip = usize::from(flags & group != 0) + if has_length { 4 } else { 0 };
        let body = match skip {
            0 => body,
            _ => body.get(skip..)?.to_owned(),
        };
        let is_unsynchronised = self.number == 4 && flags & 0x02 != 0;
        (flags & packed == 0).then(|| if is_unsynchronised { synchronise(&body) } else { body })
    }
}

pub(super) fn split_at_zero(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let zero = bytes.iter().position(|byte| *byte == 0)?;
    Some((&bytes[..zero], &bytes[zero + 1..]))
}

/// Reverses unsynchronisation, which adds a zero byte after 0xff so that the bytes do not look like
/// an audio frame.
pub fn synchronise(bytes: &[u8]) -> Vec<u8> {
    let mut previous = 0;
    bytes
        .iter()
        .copied()
        .filter(|byte| {
            let is_added = *byte == 0 && previous == 0xff;
            previous = *byte;
            !is_added
        })
        .collect()
}

/// Decodes an ID3v2 text field: an encoding byte, then the text. If there are several strings,
/// returns the first.
pub(super) fn text(body: &[u8]) -> Option<String> {
    let (encoding, bytes) = body.split_first()?;
    let utf16 = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let pairs = bytes.as_chunks::<2>().0.iter();
        let units: Vec<u16> = pairs.map(|pair| unit(*pair)).collect();
        String::from_utf16_lossy(&units)
    };
    let text = match (encoding, bytes) {
        (0, _) => bytes.iter().copied().map(char::from).collect(),
        (1, [0xff, 0xfe, bytes @ ..]) => utf16(bytes, u16::from_le_bytes),
        (1, [0xfe, 0xff, bytes @ ..]) | (2, bytes) => utf16(bytes, u16::from_be_bytes),
        (1, _) => utf16(bytes, u16::from_le_bytes),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    };
    let text = text.split('\0').next().unwrap_or_default().trim();
    (!text.is_empty()).then(|| text.to_owned())
}
