//! The duration of MPEG audio (`.mp3`), ISO/IEC 11172-3 and 13818-3.
//!
//! A Xing, Info or VBRI header contains the number of frames. Without such a header, the duration
//! is computed from the size of the file if the bit rate is constant, and by counting frames
//! otherwise. ffprobe and tag libraries estimate it from the first frames instead: for a test file
//! of 3 s that starts quietly, the estimate was 4.5 s.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use super::MediaFacts;
use super::bounded::{be_u32, read_at};
use super::length::Length;

/// Number of bytes after the tags in which to search for the first frame.
const MAX_SEARCH_BYTES: u64 = 64 << 10;

/// Maximum number of bytes of audio in which to count frames: seven hours at 160 kbit/s.
pub(super) const MAX_WALK_BYTES: u64 = 512 << 20;

pub(super) fn read(facts: &mut MediaFacts, file: &File) {
    match facts.take("length", measure(file, facts.bytes).map_err(|error| error.to_string())) {
        Some(None) => facts.report_no_recording(),
        Some(Some(length)) => {
            facts.record_length(Ok(length), "it has too many frames to count, or damaged frames")
        }
        None => {}
    }
}

/// Returns the offset of the first frame that is followed by another frame.
pub fn first_frame(bytes: &[u8]) -> Option<usize> {
    find_frame(bytes, None).map(|(offset, _)| offset)
}

/// Returns whether the bytes start with consecutive frames.
pub(super) fn starts_with_frames(bytes: &[u8]) -> bool {
    find_frame(bytes, None).is_some_and(|(at, _)| at == 0)
}

/// The range of the file that contains frames, and its first frame.
struct Stream {
    start: u64,
    end: u64,
    first: Frame,
}

/// Returns the duration, if it can be measured. The outer None means that the file contains no
/// frames.
fn measure(file: &File, bytes: u64) -> io::Result<Option<Option<Length>>> {
    let mut reader = BufReader::new(file);
    let start = skip_tags(&mut reader)?;
    let end = trailers_start(&mut reader, bytes)?;
    let window = read_at(&mut reader, start, MAX_SEARCH_BYTES)?;
    let Some((offset, first)) = find_frame(&window, None) else {
        return Ok(None);
    };
    let stream = Stream { start: start + offset as u64, end, first };
    let rate = f64::from(stream.first.sample_rate);
    let mut is_cut_off = false;
    if let Some(header) = frame_count(&window[offset..], &stream.first) {
        let actual = stream.end.saturating_sub(stream.start);
        // Encoders disagree on whether the frame of the header itself counts, and some append bytes
        // that are not audio.
        let frame = header.bytes * u64::from(stream.first.samples) / header.samples.max(1);
        let missing = u64::from(stream.first.length) + 2 * frame;
        let more = header.bytes / 50 + 2 * u64::from(Frame::MAX_FRAME_BYTES);
        let is_borne_out = actual + missing >= header.bytes && actual <= header.bytes + more;
        if header.bytes != 0 && is_borne_out {
            return Ok(Some(Length::from_samples(header.samples, rate)));
        }
        // If the header contains no size in bytes, its number of samples is compared with the
        // frames.
        if header.bytes == 0 {
            let counted = walk(file, &stream)?;
            let most = 4 * u64::from(stream.first.samples);
            let is_right = |counted: u64| counted.abs_diff(header.samples) <= most;
            let samples = counted.filter(|counted| !is_right(*counted));
            let length = Length::from_samples(samples.unwrap_or(header.samples), rate);
            let is_cut_off = samples.is_some_and(|samples| samples < header.samples);
            let length = length.filter(|_| counted.is_some());
            return Ok(Some(length.map(|length| length.cut_off_if(is_cut_off))));
        }
        // The header does not match the file: the file was cut off, or joined from several files.
        is_cut_off = actual < header.bytes;
    }
    let length = match constant_rate(&mut reader, &stream)? {
        Some(kilobits) => Length::from_samples(stream.bytes() * 8, f64::from(kilobits) * 1000.0),
        None => walk(file, &stream)?.and_then(|samples| Length::from_samples(samples, rate)),
    };
    Ok(Some(length.map(|length| length.cut_off_if(is_cut_off))))
}

impl Stream {
    fn bytes(&self) -> u64 {
        self.end.saturating_sub(self.start)
    }
}

/// Returns the position after the ID3v2 tags at the start. A file that was joined from several
/// files can have several tags.
pub fn skip_tags(reader: &mut (impl Read + Seek)) -> io::Result<u64> {
    let mut position = 0;
    for _ in 0..16 {
        let header = read_at(reader, position, 10)?;
        let [b'I', b'D', b'3', _, _, flags, size @ ..] = &header[..] else {
            break;
        };
        let footer = if flags & 0x10 != 0 { 10 } else { 0 };
        position += 10 + u64::from(syncsafe(size)) + footer;
    }
    Ok(position)
}

/// Parses an ID3v2 size: four bytes with seven bits each.
pub(super) fn syncsafe(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).fold(0, |size, byte| size << 7 | u32::from(byte & 0x7f))
}

/// Returns the position where the ID3v1 and APEv2 tags at the end of the file start. Without such
/// tags, this is the end of the file.
pub(super) fn trailers_start(reader: &mut (impl Read + Seek), bytes: u64) -> io::Result<u64> {
    let mut end = bytes;
    if end >= 128 && read_at(reader, end - 128, 3)? == b"TAG" {
        end -= 128;
    }
    if end >= 32 {
        let footer = read_at(reader, end - 32, 32)?;
        if footer.starts_with(b"APETAGEX")
            && let Some(size) = footer.get(12..16).and_then(<[u8]>::first_chunk)
        {
            let header = if footer[23] & 0x80 != 0 { 32 } else { 0 };
            end = end.saturating_sub(u64::from(u32::from_le_bytes(*size)) + header);
        }
    }
    Ok(end)
}

/// The content of a Xing, Info or VBRI header.
struct FrameCount {
    /// Number of samples to play, without the encoder's delay and padding.
    samples: u64,
    /// Number of bytes from the start of the header's frame to the end of the audio, or 0 if
    /// unknown.
    bytes: u64,
}

/// Parses the Xing, Info or VBRI header in the first frame.
fn frame_count(frame: &[u8], first: &Frame) -> Option<FrameCount> {
    let xing = frame.get(4 + first.side_info..)?;
    if xing.starts_with(b"Xing") || xing.starts_with(b"Info") {
        let flags = be_u32(xing, 4)?;
        if flags & 1 == 0 {
            return None;
        }
        let samples = u64::from(be_u32(xing, 8)?) * u64::from(first.samples);
        let bytes = match flags & 2 {
            0 => 0,
            _ => be_u32(xing, 12)?,
        };
        let table = if flags & 4 != 0 { 100 } else { 0 };
        let quality = if flags & 8 != 0 { 4 } else { 0 };
        let lame = 12 + if flags & 2 != 0 { 4 } else { 0 } + table + quality;
        let skipped = xing.get(lame..).map_or(0, encoder_skip);
        return (samples > skipped)
            .then(|| FrameCount { samples: samples - skipped, bytes: u64::from(bytes) });
    }
    let vbri = frame.get(36..)?;
    if vbri.starts_with(b"VBRI") {
        return Some(FrameCount {
            samples: u64::from(be_u32(vbri, 14)?) * u64::from(first.samples),
            bytes: u64::from(be_u32(vbri, 10)?),
        });
    }
    None
}

/// Returns the number of samples that the encoder added as delay and padding. The numbers are in a
/// tag that LAME introduced, after the Xing header.
fn encoder_skip(tag: &[u8]) -> u64 {
    let is_known = [&b"LAME"[..], b"Lavf", b"Lavc"].iter().any(|name| tag.starts_with(name));
    match tag.get(21..24) {
        Some(&[a, b, c]) if is_known => {
            let delay = u64::from(a) << 4 | u64::from(b) >> 4;
            let padding = u64::from(b & 0x0f) << 8 | u64::from(c);
            delay + padding
        }
        _ => 0,
    }
}

/// Returns the bit rate in kilobits per second if it is constant: samples from the whole file have
/// the same rate.
fn constant_rate(reader: &mut (impl Read + Seek), stream: &Stream) -> io::Result<Option<u32>> {
    const SAMPLED_POSITIONS: u64 = 16;
    const WINDOW_BYTES: u64 = 8 << 10;
    // For a small file, counting all frames is as fast as sampling.
    if stream.bytes() < SAMPLED_POSITIONS * WINDOW_BYTES {
        return Ok(None);
    }
    for place in 0..SAMPLED_POSITIONS {
        let window = read_at(
            reader,
            stream.start + stream.bytes() / SAMPLED_POSITIONS * place,
            WINDOW_BYTES,
        )?;
        let Some((mut offset, _)) = find_frame(&window, Some(&stream.first)) else {
            return Ok(None);
        };
        while let Some(frame) = Frame::at(&window, offset) {
            if frame.kilobits != stream.first.kilobits {
                return Ok(None);
            }
            offset += frame.length as usize;
        }
    }
    Ok(Some(stream.first.kilobits))
}

/// Counts the samples of all frames. Returns None if the file is too large, or if too many
/// positions look like a frame but are not.
fn walk(file: &File, stream: &Stream) -> io::Result<Option<u64>> {
    /// Maximum number of positions that look like a frame but are not.
    const MAX_FALSE_FRAMES: u32 = 1 << 20;
    if stream.bytes() > MAX_WALK_BYTES {
        return Ok(None);
    }
    let mut reader = BufReader::with_capacity(64 << 10, file);
    reader.seek(SeekFrom::Start(stream.start))?;
    let end = stream.bytes();
    let (mut position, mut samples, mut misses) = (0_u64, 0_u64, 0);
    while misses < MAX_FALSE_FRAMES {
        let buffer = reader.fill_buf()?;
        // Frames are consecutive, so this only skips invalid bytes.
        let junk = buffer.iter().position(|byte| *byte == 0xff).unwrap_or(buffer.len());
        let is_over = buffer.is_empty();
        reader.consume(junk);
        position += junk as u64;
        if is_over || position + 4 > end {
            break;
        }
        if junk > 0 {
            continue;
        }
        let mut header = [0; 4];
        reader.read_exact(&mut header)?;
        let length = match Frame::parse(header).filter(|frame| frame.has_same_kind(&stream.first)) {
            Some(frame) if position + u64::from(frame.length) > end => break,
            Some(frame) => {
                samples += u64::from(frame.samples);
                frame.length
            }
            None => {
                misses += 1;
                1
            }
        };
        reader.seek_relative(i64::from(length) - 4)?;
        position += u64::from(length);
    }
    Ok((misses < MAX_FALSE_FRAMES).then_some(samples))
}

/// Returns the first frame in the window that is followed by another frame with the same
/// properties. At the end of the window, a complete frame is enough.
fn find_frame(window: &[u8], like: Option<&Frame>) -> Option<(usize, Frame)> {
    (0..window.len()).find_map(|offset| {
        let frame = Frame::at(window, offset)?;
        if like.is_some_and(|like| !frame.has_same_kind(like)) {
            return None;
        }
        let next = offset + frame.length as usize;
        let is_followed = match window.get(next..next + 4) {
            Some(_) => Frame::at(window, next).is_some_and(|next| next.has_same_kind(&frame)),
            // Random bytes can look like the start of a frame. Without a following frame, the frame
            // must at least be complete.
            None => next <= window.len() || window.len() as u64 == MAX_SEARCH_BYTES,
        };
        is_followed.then_some((offset, frame))
    })
}

/// The content of the four-byte header of a frame.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// Size of the frame in bytes, including its header.
    length: u32,
    /// Samples per channel.
    samples: u32,
    sample_rate: u32,
    kilobits: u32,
    /// Number of bytes between the frame header and a Xing header.
    side_info: usize,
    /// The bits of the version, layer and sample rate, which stay the same within a stream.
    kind: u32,
}

impl Frame {
    /// Maximum size of a frame in bytes: MPEG 2.5 layer II at 160 kbit/s and 8 kHz, with padding.
    const MAX_FRAME_BYTES: u32 = 2881;

    fn at(bytes: &[u8], offset: usize) -> Option<Self> {
        Self::parse(*bytes.get(offset..)?.first_chunk()?)
    }

    fn has_same_kind(&self, other: &Self) -> bool {
        self.kind == other.kind
    }

    fn parse(header: [u8; 4]) -> Option<Self> {
        let bits = u32::from_be_bytes(header);
        let field = |from: u32, width: u32| (bits >> from & ((1 << width) - 1)) as usize;
        if field(21, 11) != 0x7ff {
            return None;
        }
        // 0 means MPEG 2.5, 2 means MPEG 2, and 3 means MPEG 1.
        let version = field(19, 2);
        let layer = match field(17, 2) {
            3 => 1,
            2 => 2,
            1 => 3,
            _ => return None,
        };
        let is_first = version == 3;
        let sample_rate = [44_100, 48_000, 32_000].get(field(10, 2))?
            / match version {
                3 => 1,
                2 => 2,
                0 => 4,
                _ => return None,
            };
        // Rate 0 means "free format": the length of such frames is not in their headers.
        let kilobits = match field(12, 4) {
            0 => return None,
            rate => *kilobit_table(is_first, layer).get(rate - 1)?,
        };
        let padding = field(9, 1) as u32;
        let samples = match (layer, is_first) {
            (1, _) => 384,
            (3, false) => 576,
            _ => 1152,
        };
        let length = match layer {
            1 => (12_000 * kilobits / sample_rate + padding) * 4,
            _ => samples / 8 * 1000 * kilobits / sample_rate + padding,
        };
        let is_mono = field(6, 2) == 3;
        let side_info = match (is_first, is_mono) {
            (true, false) => 32,
            (true, true) | (false, false) => 17,
            (false, true) => 9,
        };
        Some(Self { length, samples, sample_rate, kilobits, side_info, kind: bits & 0xfffe_0c00 })
    }
}

/// Returns the table of bit rates in kilobits per second, for the indexes 1 to 14.
fn kilobit_table(is_first: bool, layer: u32) -> &'static [u32; 14] {
    match (is_first, layer) {
        (true, 1) => &[32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        (true, 2) => &[32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        (true, _) => &[32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
        (false, 1) => &[32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        (false, _) => &[8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    }
}
