//! The length of MPEG audio (`.mp3`), ISO/IEC 11172-3 and 13818-3.
//!
//! A Xing, Info or VBRI header contains the number of frames. Without such a header, a file of
//! constant bit rate is measured by its bytes, and a file of variable bit rate by walking through
//! its frames. An estimate from the first frames, as ffprobe and tag libraries make it, gave 4.5 s
//! for a test file that starts quietly and plays for 3 s.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use super::MediaFacts;
use super::bounded::{be_u32, read_at};
use super::length::Length;

/// Number of bytes after the tags in which to search for the first frame.
const MAX_SEARCH_BYTES: u64 = 64 << 10;

/// Maximum number of bytes of sound in which to count frames: seven hours at 160 kbit/s.
pub(super) const MAX_WALK_BYTES: u64 = 512 << 20;

pub(super) fn read(facts: &mut MediaFacts, file: &File) {
    match facts.take("length", measure(file, facts.bytes).map_err(|error| error.to_string())) {
        Some(None) => facts.report_no_recording(),
        Some(Some(length)) => {
            facts.record_length(Ok(length), "it has too many or too damaged frames to count")
        }
        None => {}
    }
}

/// Returns whether the bytes start with consecutive frames.
pub(super) fn starts_with_frames(bytes: &[u8]) -> bool {
    find_frame(bytes, None).is_some_and(|(at, _)| at == 0)
}

/// The part of the file that contains frames, and its first frame.
struct Stream {
    start: u64,
    end: u64,
    first: Frame,
}

/// Returns the duration, if it can be measured. The outer None means that the file has no frame.
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
        // Encoders disagree on whether the header's own frame counts, and some append bytes without
        // sound.
        let frame = header.bytes * u64::from(stream.first.samples) / header.samples.max(1);
        let missing = u64::from(stream.first.length) + 2 * frame;
        let more = header.bytes / 50 + 2 * u64::from(Frame::MAX_FRAME_BYTES);
        let is_borne_out = actual + missing >= header.bytes && actual <= header.bytes + more;
        if header.bytes != 0 && is_borne_out {
            return Ok(Some(Length::from_samples(header.samples, rate)));
        }
        // A header without a size in bytes is checked against the frames.
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
        // The file was cut or joined from several files, so its header describes another file.
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

/// Returns the position after the ID3v2 tags at the start. A file that was joined from others may
/// have several tags.
pub(super) fn skip_tags(reader: &mut (impl Read + Seek)) -> io::Result<u64> {
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

/// Parses a size of ID3v2: four bytes of seven bits.
pub(super) fn syncsafe(bytes: &[u8]) -> u32 {
    bytes.iter().take(4).fold(0, |size, byte| size << 7 | u32::from(byte & 0x7f))
}

/// Returns the position of the ID3v1 and APEv2 tags at the end, or the end of the file.
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
    /// Number of bytes from the header's frame to the end of the audio, or 0 if unknown.
    bytes: u64,
}

/// Reads the header in the first frame, if there is one.
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

/// Returns the number of samples that the encoder added, according to the tag that LAME introduced
/// after the Xing header.
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

/// Returns the bit rate in kilobits per second, if frames throughout the file have the same rate.
fn constant_rate(reader: &mut (impl Read + Seek), stream: &Stream) -> io::Result<Option<u32>> {
    const SAMPLED_POSITIONS: u64 = 16;
    const WINDOW_BYTES: u64 = 8 << 10;
    // A small file is walked as quickly as it is sampled.
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

/// Counts the samples of all frames. Returns None if the file is too large, or if too many places
/// in it only look like frames.
fn walk(file: &File, stream: &Stream) -> io::Result<Option<u64>> {
    /// Maximum number of places that look like a frame but are not one.
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
        // Frames are consecutive, so only junk is skipped here.
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

/// Returns the first frame in a window that is followed by another frame of its kind, or by the end
/// of the window.
fn find_frame(window: &[u8], like: Option<&Frame>) -> Option<(usize, Frame)> {
    (0..window.len()).find_map(|offset| {
        let frame = Frame::at(window, offset)?;
        if like.is_some_and(|like| !frame.has_same_kind(like)) {
            return None;
        }
        let next = offset + frame.length as usize;
        let is_followed = match window.get(next..next + 4) {
            Some(_) => Frame::at(window, next).is_some_and(|next| next.has_same_kind(&frame)),
            // Sync bits alone are found by chance. A single frame must at least be complete.
            None => next <= window.len() || window.len() as u64 == MAX_SEARCH_BYTES,
        };
        is_followed.then_some((offset, frame))
    })
}

/// The content of a frame's header, which has four bytes.
#[derive(Clone, Copy, Debug)]
struct Frame {
    /// Size of the frame in bytes, with its header.
    length: u32,
    /// Samples per channel.
    samples: u32,
    sample_rate: u32,
    kilobits: u32,
    /// Number of bytes between the header and the position of a Xing header.
    side_info: usize,
    /// The bits of version, layer and sample rate, which do not change within a stream.
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
        // 0 is MPEG 2.5, 2 is MPEG 2, 3 is MPEG 1.
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
        // Rate 0 is "free": headers do not show the length of such frames.
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

/// Returns the bit rates for the numbers 1 to 14, in kilobits per second.
fn kilobit_table(is_first: bool, layer: u32) -> &'static [u32; 14] {
    match (is_first, layer) {
        (true, 1) => &[32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
        (true, 2) => &[32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
        (true, _) => &[32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
        (false, 1) => &[32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
        (false, _) => &[8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    }
}
