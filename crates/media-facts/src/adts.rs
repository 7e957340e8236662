//! The duration of raw AAC (`.aac`), determined by counting the frames with ADTS headers (ISO/IEC
//! 13818-7, section 6.2).
//!
//! A raw AAC file does not contain its duration. Its frames differ in size, so an average bit rate
//! would only allow an estimate.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use super::bounded::read_at;
use super::length::Length;
use super::mpeg_audio::{MAX_WALK_BYTES, skip_tags, trailers_start};

/// Size of a header in bytes, without the optional checksum that follows it.
const HEADER: usize = 7;

/// Number of bytes after the tags in which to search for the first frame.
const MAX_SEARCH_BYTES: u64 = 64 << 10;

/// Sample rates in Hz, by their index in a header.
const RATES: [u32; 13] = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000,
    7350,
];

/// Returns whether the bytes start with two consecutive frames.
pub(super) fn starts_with_frames(bytes: &[u8]) -> bool {
    first_frame(bytes).is_some_and(|(at, _)| at == 0)
}

/// Counts the samples of all frames.
pub(super) fn measure(file: &File, bytes: u64) -> io::Result<Option<Length>> {
    let mut reader = BufReader::with_capacity(64 << 10, file);
    let start = skip_tags(&mut reader)?;
    let end = trailers_start(&mut reader, bytes)?;
    let Some((at, first)) = first_frame(&read_at(&mut reader, start, MAX_SEARCH_BYTES)?) else {
        return Ok(None);
    };
    let mut left = end.saturating_sub(start + at as u64);
    if left > MAX_WALK_BYTES {
        return Ok(None);
    }
    reader.seek(SeekFrom::Start(start + at as u64))?;
    let (mut samples, mut is_cut_off) = (0, false);
    while left >= HEADER as u64 {
        let mut header = [0; HEADER];
        reader.read_exact(&mut header)?;
        let skipped = match Frame::parse(&header).filter(|frame| frame.rate == first.rate) {
            Some(frame) if frame.length > left => {
                is_cut_off = true;
                break;
            }
            Some(frame) => {
                samples += frame.samples;
                frame.length
            }
            // The bytes are damaged. Players continue at the next frame.
            None => 1,
        };
        left -= skipped;
        reader.seek_relative(skipped.cast_signed() - HEADER as i64)?;
        if reader.fill_buf()?.is_empty() {
            break;
        }
    }
    Ok(Length::from_samples(samples, f64::from(first.rate))
        .map(|length| length.cut_off_if(is_cut_off)))
}

/// Returns the first frame that is directly followed by another frame or by the end of the data,
/// and the position of the frame.
fn first_frame(bytes: &[u8]) -> Option<(usize, Frame)> {
    (0..bytes.len()).find_map(|at| {
        let frame = Frame::parse(bytes.get(at..)?)?;
        let next = bytes.get(at + frame.length as usize..)?;
        let is_followed =
            next.is_empty() || Frame::parse(next).is_some_and(|next| next.rate == frame.rate);
        is_followed.then_some((at, frame))
    })
}

struct Frame {
    /// Size of the frame in bytes, including its header.
    length: u64,
    /// Samples per channel.
    samples: u64,
    rate: u32,
}

impl Frame {
    fn parse(header: &[u8]) -> Option<Self> {
        let [sync, version, profile, sizes @ ..] = header.first_chunk::<HEADER>()?;
        // The header starts with twelve set bits. The layer is always 0, and the version can be 0
        // or 1.
        if *sync != 0xff || version & 0xf6 != 0xf0 {
            return None;
        }
        let length =
            u64::from(sizes[0] & 3) << 11 | u64::from(sizes[1]) << 3 | u64::from(sizes[2] >> 5);
        Some(Self {
            length: Some(length).filter(|length| *length > HEADER as u64)?,
            samples: 1024 * (u64::from(sizes[3] & 3) + 1),
            rate: *RATES.get(usize::from(profile >> 2 & 0x0f))?,
        })
    }
}
