//! Clips of MP3 files. A clip consists of whole frames, and its first frame says how many samples
//! players should skip at both ends, so that it starts and ends exactly.
//!
//! The data of a frame can start in frames before it (the bit reservoir), so a clip also contains
//! these frames.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::Range;

use media_facts::mpeg_audio::{self, Frame};

use super::{MAX_SEARCH_BYTES, layout::Layout};
use crate::bytes::{be_u32, read_at};
use crate::refusal::{Refusal, Result};
use crate::tagged::Tagged;

/// Number of samples by which every decoder delays its output.
const DECODER_DELAY: u64 = 529;

/// Maximum number of samples that players skip: twelve bits, and the decoder's delay.
const MAX_SKIPPED: u64 = 0xfff + DECODER_DELAY;

/// Number of earlier samples that a decoder needs for a sample.
const DECODER_HISTORY: u64 = 1152;

/// Maximum number of frames whose data a frame can refer to, at the lowest bit rate.
const MAX_EARLIER_FRAMES: usize = 24;

/// Size of the data about the recording in its first frame: the Xing header with two numbers, and
/// the extension of LAME.
const INFO_BYTES: usize = 16 + 36;

/// Position of the numbers of skipped samples in the extension.
const SKIPPED_AT: usize = 16 + 21;

/// Returns the frames from one time to another, in milliseconds.
pub(super) fn frames(source: &mut (impl Read + Seek), span: &Range<u64>) -> Result<Tagged> {
    let layout = Layout::of(source)?;
    let window = read_at(source, layout.audio.start, MAX_SEARCH_BYTES)?;
    let offset = mpeg_audio::first_frame(&window).ok_or(Refusal::NoAudio)?;
    let first = window.get(offset..).and_then(|bytes| Frame::parse(*bytes.first_chunk()?));
    let first = first.filter(|frame| frame.length > 0).ok_or(Refusal::NoAudio)?;
    let start = layout.audio.start + offset as u64;
    let info = encoder_delay(&window[offset..], &first);
    let start = start + info.map_or(0, |_| u64::from(first.length));
    // In samples of the decoder's output.
    let skipped = info.filter(|delay| *delay > 0).map_or(0, |delay| delay + DECODER_DELAY);
    let sample = |milliseconds: u64| {
        skipped.saturating_add(milliseconds.saturating_mul(u64::from(first.sample_rate)) / 1000)
    };
    let samples = sample(span.start)..sample(span.end);
    let walk = Walk { first, end: layout.audio.end };
    walk.clip(source, start, &samples)
}

/// Returns the number of samples that the encoder added at the start, if the first frame contains
/// data about the recording instead of audio.
fn encoder_delay(frame: &[u8], first: &Frame) -> Option<u64> {
    let info = frame.get(4 + first.side_info..)?;
    if frame.get(36..)?.starts_with(b"VBRI") {
        return Some(0);
    }
    if !info.starts_with(b"Xing") && !info.starts_with(b"Info") {
        return None;
    }
    let flags = be_u32(info, 4)?;
    let sizes = [(1, 4), (2, 4), (4, 100), (8, 4)];
    let lame =
        8 + sizes.iter().filter(|(flag, _)| flags & flag != 0).map(|(_, size)| size).sum::<usize>();
    let is_known = [&b"LAME"[..], b"Lavf", b"Lavc"]
        .iter()
        .any(|name| info.get(lame..).is_some_and(|tag| tag.starts_with(name)));
    let delay = info.get(lame + 21..lame + 23).filter(|_| is_known);
    Some(delay.map_or(0, |bytes| u64::from(bytes[0]) << 4 | u64::from(bytes[1]) >> 4))
}

/// The frames of a recording.
struct Walk {
    first: Frame,
    end: u64,
}

/// The place of a frame.
#[derive(Clone, Copy)]
struct Place {
    start: u64,
    /// Number of the frame's first sample.
    sample: u64,
    /// Number of bytes of sound in the frame.
    capacity: u64,
    /// Number of bytes before the frame at which its sound starts.
    earlier: u64,
}

impl Walk {
    /// Returns the frames with these samples.
    fn clip(
        &self,
        source: &mut (impl Read + Seek),
        start: u64,
        samples: &Range<u64>,
    ) -> Result<Tagged> {
        let length = u64::from(self.first.samples);
        let mut reader = BufReader::with_capacity(64 << 10, source);
        reader.seek(SeekFrom::Start(start))?;
        let mut recent: VecDeque<Place> = VecDeque::new();
        let (mut position, mut sample) = (start, 0);
        let mut begin: Option<Place> = None;
        // A clip can start at most 50 ms before the samples that players skip.
        let inaccuracy = u64::from(self.first.sample_rate) / 20;
        let earliest = samples.start.saturating_sub(MAX_SKIPPED + inaccuracy);
        while position + 4 <= self.end && (begin.is_none() || sample < samples.end) {
            let Some((frame, mut place)) = self.frame(&mut reader, position)? else {
                // The bytes are damaged. Players continue at the next frame.
                if reader.fill_buf()?.is_empty() {
                    break;
                }
                reader.consume(1);
                position += 1;
                continue;
            };
            place.sample = sample;
            recent.push_back(place);
            if begin.is_none() && sample + length + DECODER_HISTORY > samples.start {
                begin = with_reservoir(&recent, earliest);
            }
            if recent.len() > MAX_EARLIER_FRAMES {
                recent.pop_front();
            }
            reader.seek_relative(i64::from(frame.length))?;
            position += u64::from(frame.length);
            sample += length;
        }
        let begin = begin.filter(|_| sample > samples.start);
        let begin = begin.ok_or(Refusal::Cut("it ends before the clip"))?;
        let count = (sample - begin.sample) / length;
        let skipped = samples.start - begin.sample;
        let surplus = sample.saturating_sub(samples.end);
        let frames = begin.start..position.min(self.end);
        let mut clip = Tagged::default();
        let head = read_at(&mut reader, begin.start, 4)?;
        clip.push_bytes(&info_frame(&head, count, frames.end - frames.start, skipped, surplus)?);
        clip.push_source(frames);
        Ok(clip)
    }

    /// Returns the whole frame at the reader's position.
    fn frame<R: Read + Seek>(
        &self,
        reader: &mut BufReader<R>,
        start: u64,
    ) -> Result<Option<(Frame, Place)>> {
        /// Size of a header with a checksum, and of the start of the side information.
        const HEAD_BYTES: usize = 8;
        let mut head = [0; HEAD_BYTES];
        let mut length = 0;
        while length < HEAD_BYTES {
            match reader.read(&mut head[length..])? {
                0 => break,
                count => length += count,
            }
        }
        reader.seek_relative(-(length as i64))?;
        let frame = Frame::parse([head[0], head[1], head[2], head[3]]);
        let frame = frame.filter(|frame| {
            frame.has_same_kind(&self.first) && start + u64::from(frame.length) <= self.end
        });
        let Some(frame) = frame else { return Ok(None) };
        let has_checksum = head[1] & 1 == 0;
        let side_info = if has_checksum { &head[6..8] } else { &head[4..6] };
        // MPEG 1 has nine bits for it, and MPEG 2 has eight.
        let bits = if frame.samples == 1152 { 9 } else { 8 };
        let earlier = u64::from(u16::from_be_bytes([side_info[0], side_info[1]]) >> (16 - bits));
        let header = 4 + frame.side_info as u64 + if has_checksum { 2 } else { 0 };
        let capacity = u64::from(frame.length).saturating_sub(header);
        Ok(Some((frame, Place { start, sample: 0, capacity, earlier })))
    }
}

/// Returns the frame in which the sound of the last frame starts, or the first frame after
/// `earliest`.
fn with_reservoir(recent: &VecDeque<Place>, earliest: u64) -> Option<Place> {
    let mut missing = recent.back()?.earlier;
    let mut found = recent.back()?;
    for place in recent.iter().rev().skip(1) {
        if missing == 0 || place.sample < earliest {
            break;
        }
        found = place;
        missing = missing.saturating_sub(place.capacity);
    }
    Some(*found)
}

/// Returns a frame without sound that describes the clip: a Xing header with an extension of LAME.
fn info_frame(head: &[u8], count: u64, bytes: u64, skipped: u64, surplus: u64) -> Result<Vec<u8>> {
    const INVALID: Refusal = Refusal::Damaged("its frames are invalid");
    let head = *head.first_chunk::<4>().ok_or(INVALID)?;
    // Any bit rate whose frames are large enough, without padding and checksum.
    let (header, frame) = (1..15)
        .filter_map(|rate: u8| {
            let header = [head[0], head[1] | 1, rate << 4 | head[2] & 0x0c, head[3]];
            Some((header, Frame::parse(header)?))
        })
        .find(|(_, frame)| frame.length as usize >= 4 + frame.side_info + INFO_BYTES)
        .ok_or(INVALID)?;
    let mut info = [0; INFO_BYTES];
    info[..8].copy_from_slice(b"Xing\0\0\0\x03");
    info[8..12].copy_from_slice(&(count as u32).to_be_bytes());
    info[12..16].copy_from_slice(&((bytes as u32).saturating_add(frame.length)).to_be_bytes());
    info[16..20].copy_from_slice(b"Lavf");
    let delay = skipped.saturating_sub(DECODER_DELAY).min(0xfff) as u32;
    let padding = (surplus + DECODER_DELAY).min(0xfff) as u32;
    let [_, skips @ ..] = (delay << 12 | padding).to_be_bytes();
    info[SKIPPED_AT..SKIPPED_AT + 3].copy_from_slice(&skips);
    let mut bytes = vec![0; frame.length as usize];
    bytes[..4].copy_from_slice(&header);
    let at = 4 + frame.side_info;
    bytes[at..at + INFO_BYTES].copy_from_slice(&info);
    Ok(bytes)
}
