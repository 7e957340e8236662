//! FLAC files (RFC 9639): the duration in the header, checked against the last frame, and the
//! chapters.
//!
//! The crate has its own FLAC parser because tag libraries reject a file with one invalid picture,
//! and trust the duration in the header even if half of the file is missing.

use std::fs::File;
use std::io::{self, Read, Seek};

use super::MediaFacts;
use super::bounded::{read_at, reader};
use super::length::Length;
use super::mpeg_audio::{skip_tags, trailers_start};
use super::vorbis_comments;

/// Maximum number of metadata blocks to read.
const MAX_BLOCKS: usize = 1024;

/// Maximum number of bytes to read from a block of comments.
const MAX_COMMENT_BYTES: u64 = 16 << 20;

/// Number of bytes at the end of the file in which to search for the last frame. Common encoders
/// write frames of less than 32 KiB.
const TAIL_BYTES: u64 = 1 << 20;

/// Maximum number of positions that are tried because they look like the header of the last frame.
const MAX_FRAME_CANDIDATES: usize = 8;

pub(super) fn read(facts: &mut MediaFacts, file: &File) {
    let bytes = facts.bytes;
    let mut blocks = Blocks::default();
    let length = reader(file).and_then(|mut reader| {
        blocks = metadata(&mut reader)?;
        match &blocks.info {
            Some(info) => length(&mut reader, bytes, info),
            None => Ok(None),
        }
    });
    facts.record_length(
        length,
        "the file does not state its length, or its end is cut off or damaged",
    );
    facts.chapters = vorbis_comments::chapters(&blocks.comments);
}

/// The fields of a STREAMINFO block that are needed to compute the duration.
pub(super) struct StreamInfo {
    pub(super) rate: u32,
    /// Number of samples in a full block. It is only meaningful if all blocks have the same size.
    pub(super) block: u64,
    /// Samples per channel, or 0 if the encoder did not know the number.
    samples: u64,
}

impl StreamInfo {
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        let numbers = u64::from_be_bytes(*bytes.get(10..)?.first_chunk()?);
        let rate = u32::try_from(numbers >> 44).ok()?;
        (rate > 0).then_some(Self {
            rate,
            block: u16::from_be_bytes(*bytes.first_chunk()?).into(),
            samples: numbers & ((1 << 36) - 1),
        })
    }
}

/// The metadata blocks of a file that are needed.
#[derive(Default)]
pub(super) struct Blocks {
    info: Option<StreamInfo>,
    pub(super) comments: Vec<u8>,
    /// Position and size of the first picture block.
    pub(super) picture: Option<(u64, u64)>,
}

/// Reads the metadata blocks.
pub(super) fn metadata(reader: &mut (impl Read + Seek)) -> io::Result<Blocks> {
    let mut position = skip_tags(reader)? + 4;
    let mut blocks = Blocks::default();
    for _ in 0..MAX_BLOCKS {
        let Some([kind, size @ ..]) = read_at(reader, position, 4)?.first_chunk::<4>().copied()
        else {
            break;
        };
        let size = u64::from(u32::from_be_bytes([0, size[0], size[1], size[2]]));
        position += 4;
        let mut next = position + size;
        match kind & 0x7f {
            0 if blocks.info.is_none() => {
                blocks.info = StreamInfo::of(&read_at(reader, position, size.min(34))?);
            }
            4 => blocks.comments = read_at(reader, position, size.min(MAX_COMMENT_BYTES))?,
            6 => {
                // The size field of a block is too small for a cover of more than 16 MiB. The size
                // is then taken from the picture itself.
                if !is_block(reader, next)? {
                    next = next.max(position + picture_length(reader, position)?);
                }
                blocks.picture.get_or_insert((position, next - position));
            }
            _ => {}
        }
        position = next;
        let is_last = kind & 0x80 != 0;
        if is_last || kind & 0x7f == 0x7f {
            break;
        }
    }
    Ok(blocks)
}

/// Returns whether the bytes at a position look like the header of a metadata block or of a frame.
fn is_block(reader: &mut (impl Read + Seek), position: u64) -> io::Result<bool> {
    let head = read_at(reader, position, 2)?;
    Ok(matches!(head[..], [0xff, 0xf8 | 0xf9]) || head.first().is_some_and(|kind| kind & 0x7f <= 6))
}

/// Returns the length of a picture block, computed from its fields, or 0 if they cannot be read.
fn picture_length(reader: &mut (impl Read + Seek), start: u64) -> io::Result<u64> {
    let mut at = start + 4;
    // The media type and the description come first, then five numbers. The last number is the size
    // of the picture data.
    for skipped in [0, 16] {
        let Some(length) = read_at(reader, at, 4)?.first_chunk().copied() else {
            return Ok(0);
        };
        at += 4 + u64::from(u32::from_be_bytes(length)) + skipped;
    }
    let Some(length) = read_at(reader, at, 4)?.first_chunk().copied() else {
        return Ok(0);
    };
    Ok(at + 4 + u64::from(u32::from_be_bytes(length)) - start)
}

/// Returns the duration in the header if the last frame confirms it. Otherwise, returns the time at
/// which the last frame ends.
fn length(
    reader: &mut (impl Read + Seek),
    bytes: u64,
    info: &StreamInfo,
) -> io::Result<Option<Length>> {
    let end = trailers_start(reader, bytes)?;
    let tail = read_at(reader, end.saturating_sub(TAIL_BYTES), TAIL_BYTES.min(end))?;
    let starts = tail.windows(2).enumerate().rev();
    let starts = starts.filter(|(_, two)| matches!(two, [0xff, 0xf8 | 0xf9]));
    let mut frames: Vec<_> = starts
        .filter_map(|(at, _)| Some((at, Frame::parse(&tail[at..], info.block)?)))
        .take(MAX_FRAME_CANDIDATES)
        .collect();
    // Bytes inside a frame can look like the header of another frame. Frames with a valid checksum
    // are preferred.
    let whole = frames.iter().position(|(at, _)| crc_16(&tail[*at..]) == 0);
    let is_whole = whole.is_some();
    if frames.is_empty() {
        return Ok(None);
    }
    let (_, frame) = frames.swap_remove(whole.unwrap_or(0));
    let rate = f64::from(info.rate);
    let (samples, is_cut_off) = match info.samples {
        0 if !is_whole => return Ok(None),
        0 => (frame.end(), false),
        // There are more samples than the header says, because several files were joined.
        told if frame.end() >= told => (if is_whole { frame.end() } else { told }, false),
        _ if is_whole => (frame.end(), true),
        _ => (frame.first, true),
    };
    Ok(Length::from_samples(samples, rate).map(|length| length.cut_off_if(is_cut_off)))
}

/// The header of a frame.
pub(super) struct Frame {
    /// Number of the frame's first sample.
    pub(super) first: u64,
    samples: u64,
}

impl Frame {
    /// Parses the header of a frame. Returns None if its checksum is invalid. `block` is the number
    /// of samples per frame, if all frames have the same size.
    pub(super) fn parse(bytes: &[u8], block: u64) -> Option<Self> {
        let [0xff, sync, sizes, layout] = *bytes.first_chunk()? else {
            return None;
        };
        if sync & 0xfe != 0xf8 || layout & 1 != 0 {
            return None;
        }
        let (number, length) = coded_number(bytes.get(4..)?)?;
        let mut at = 4 + length;
        let samples = match sizes >> 4 {
            0 => return None,
            1 => 192,
            code @ 2..=5 => 576 << (code - 2),
            6 => u64::from(*bytes.get(at)?) + 1,
            7 => u64::from(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?)) + 1,
            code => 256 << (code - 8),
        };
        at += usize::from(sizes >> 4 == 6) + 2 * usize::from(sizes >> 4 == 7);
        at += match sizes & 0x0f {
            12 => 1,
            13 | 14 => 2,
            15 => return None,
            _ => 0,
        };
        if crc_8(bytes.get(..at)?) != *bytes.get(at)? {
            return None;
        }
        // If frames differ in size, the header contains the number of the first sample instead of
        // the number of the frame.
        let is_variable = sync & 1 == 1;
        let first = if is_variable { number } else { number.checked_mul(block)? };
        Some(Self { first, samples })
    }

    fn end(&self) -> u64 {
        self.first.saturating_add(self.samples)
    }
}

/// Parses a number of up to 36 bits that is encoded like UTF-8. Returns the number and its size in
/// bytes.
fn coded_number(bytes: &[u8]) -> Option<(u64, usize)> {
    let first = *bytes.first()?;
    let length = match first.leading_ones() {
        0 => return Some((first.into(), 1)),
        ones @ 2..=7 => ones as usize,
        _ => return None,
    };
    let head = u64::from(first) & (0x7f >> length);
    let rest = bytes.get(1..length)?;
    let number = rest.iter().try_fold(head, |number, byte| {
        (byte & 0xc0 == 0x80).then_some(number << 6 | u64::from(byte & 0x3f))
    });
    Some((number?, length))
}

/// Computes the checksum of a frame header (RFC 9639, section 9.1.8).
fn crc_8(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |crc, byte| {
        (0..8).fold(crc ^ byte, |crc: u8, _| crc << 1 ^ if crc & 0x80 != 0 { 0x07 } else { 0 })
    })
}

/// Computes the checksum of a frame (RFC 9639, section 9.3). The result is 0 for data that ends
/// with the frame's own valid checksum.
fn crc_16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |crc, byte| {
        (0..8).fold(crc ^ u16::from(*byte) << 8, |crc: u16, _| {
            crc << 1 ^ if crc & 0x8000 != 0 { 0x8005 } else { 0 }
        })
    })
}
