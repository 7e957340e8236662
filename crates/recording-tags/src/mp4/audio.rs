//! The audio track of an MP4 file: its samples, and when they are heard.

use std::io::{Read, Seek};
use std::ops::Range;

use super::boxes::{Span, children, descend};
use super::samples::SampleTable;
use crate::bytes::{be_u32, be_u64, read_at, read_whole};
use crate::refusal::{Refusal, Result};

const INVALID: Refusal = Refusal::Damaged("the headers of its audio are invalid");

/// Number of earlier samples that a decoder of AAC needs, because their sound overlaps.
const EARLIER: u64 = 1;

/// Number of earlier samples if each lasts more than 30 ms, as in HE-AAC, whose decoders also wait
/// for a header. Encoders repeat the header at least every half second.
const EARLIER_OF_LONG: u64 = 16;

pub(super) struct Audio {
    pub(super) table: SampleTable,
    /// Units per second.
    pub(super) scale: u32,
    pub(super) language: [u8; 2],
    /// The part of the track that players play.
    heard: Range<u64>,
    /// Time before the track starts.
    silence: u64,
}

impl Audio {
    /// Reads a track. `movie_scale` is the time scale of the movie.
    pub(super) fn read(
        source: &mut (impl Read + Seek),
        track: &Span,
        movie_scale: u32,
    ) -> Result<Self> {
        let media = descend(source, track, &[b"mdia"])?.ok_or(INVALID)?;
        let header = descend(source, &media, &[b"mdhd"])?.ok_or(INVALID)?;
        let header = read_at(source, header.content.start, header.length().min(36))?;
        // Version 1 has three numbers of eight bytes.
        let (scale_at, language_at) = if header.first() == Some(&1) { (20, 32) } else { (12, 20) };
        let scale = be_u32(&header, scale_at).filter(|scale| *scale > 0).ok_or(INVALID)?;
        let language =
            *header.get(language_at..).and_then(|end| end.first_chunk()).ok_or(INVALID)?;
        let table = SampleTable::read(source, &media)?;
        let mut audio = Self { heard: 0..table.end(), table, scale, language, silence: 0 };
        if let Some(edits) = descend(source, track, &[b"edts", b"elst"])? {
            audio.edit(&edits.bytes(source)?, movie_scale)?;
        }
        Ok(audio)
    }

    /// Applies an edit list. A list that plays several parts of the track is refused.
    fn edit(&mut self, list: &[u8], movie_scale: u32) -> Result<()> {
        let width = if list.first() == Some(&1) { 8 } else { 4 };
        let number =
            |at| if width == 8 { be_u64(list, at) } else { be_u32(list, at).map(u64::from) };
        let mut parts = 0;
        for index in 0..be_u32(list, 4).ok_or(INVALID)? as usize {
            let at = 8 + index * (2 * width + 4);
            let (duration, start) = number(at).zip(number(at + width)).ok_or(INVALID)?;
            let rate = be_u32(list, at + 2 * width).ok_or(INVALID)?;
            let duration = in_scale(duration, self.scale, movie_scale);
            // -1 is time before the track starts.
            if start == u64::MAX >> (64 - 8 * width) && parts == 0 {
                self.silence = self.silence.saturating_add(duration);
                continue;
            }
            parts += 1;
            if parts > 1 || rate != 1 << 16 {
                return Err(Refusal::Cut("its edit list has several parts"));
            }
            // Without a duration, the part lasts until the end.
            let end = if duration == 0 { u64::MAX } else { start.saturating_add(duration) };
            self.heard = start..end.min(self.heard.end);
        }
        Ok(())
    }

    /// Returns the time in the track that is heard from one time to another, in milliseconds.
    pub(super) fn heard_in(&self, milliseconds: &Range<u64>) -> Result<Range<u64>> {
        let time = |milliseconds| {
            let units = in_scale(milliseconds, self.scale, 1000).saturating_sub(self.silence);
            self.heard.start.saturating_add(units)
        };
        let heard = time(milliseconds.start)..time(milliseconds.end).min(self.heard.end);
        if heard.is_empty() { Err(Refusal::Cut("it ends before the clip")) } else { Ok(heard) }
    }

    /// Returns the samples of a part, and how to decode them. Includes the earlier samples that
    /// decoders need.
    pub(super) fn samples(
        &self,
        source: &mut (impl Read + Seek),
        heard: &Range<u64>,
    ) -> Result<(Range<u64>, Vec<u8>)> {
        let first = self.table.sample_at(heard.start).ok_or(INVALID)?;
        let last = self.table.sample_at(heard.end - 1).ok_or(INVALID)?;
        let durations = self.table.durations(&(first..first + 1));
        let milliseconds =
            |[_, duration]: [u32; 2]| in_scale(u64::from(duration), 1000, self.scale);
        let is_long = durations.into_iter().map(milliseconds).any(|length| length > 30);
        let description = self.description(source, self.table.description_of(first)?)?;
        let earlier = match description.get(4..8) {
            Some(b"alac") => 0,
            _ if is_long => EARLIER_OF_LONG,
            _ => EARLIER,
        };
        Ok((first.saturating_sub(earlier)..last + 1, description))
    }

    /// Returns the entry with this number in the box `stsd`.
    fn description(&self, source: &mut (impl Read + Seek), number: u32) -> Result<Vec<u8>> {
        let all = &self.table.descriptions.content;
        let entries = children(source, all.start + 8..all.end)?;
        let entry = (number as usize).checked_sub(1).and_then(|index| entries.get(index));
        let Span { kind, range, .. } = entry.ok_or(INVALID)?;
        let bytes = read_whole(source, range.start, range.end - range.start, "its tables")?;
        match kind {
            b"alac" => Ok(bytes),
            b"mp4a" if is_aac(&bytes).unwrap_or(false) => Ok(bytes),
            b"enca" | b"drms" => Err(Refusal::Cut("it is encrypted")),
            _ => Err(Refusal::Cut("its audio is neither AAC nor ALAC")),
        }
    }
}

fn in_scale(time: u64, to: u32, from: u32) -> u64 {
    let time = u128::from(time) * u128::from(to) / u128::from(from.max(1));
    u64::try_from(time).unwrap_or(u64::MAX)
}

/// Returns whether the samples are AAC of low complexity or HE-AAC (ISO/IEC 14496-1, section 7.2.6,
/// and 14496-3, section 1.6). Other kinds of AAC depend on many earlier samples.
fn is_aac(entry: &[u8]) -> Option<bool> {
    let at = entry.windows(4).position(|part| part == b"esds")?;
    let stream = descriptor(entry.get(at + 8..)?, 3)?;
    let flags = stream.get(2)?;
    let address = if flags & 0x40 != 0 { 1 + usize::from(*stream.get(3)?) } else { 0 };
    let others = [0x80, 0x20].iter().filter(|flag| flags & **flag != 0).count() * 2;
    let decoder = descriptor(stream.get(3 + address + others..)?, 4)?;
    Some(match decoder.first()? {
        0x40 => matches!(descriptor(decoder.get(13..)?, 5)?.first()? >> 3, 2 | 5 | 29),
        kind => *kind == 0x67,
    })
}

/// Returns the content of the descriptor with this tag. Its length has seven bits in each byte.
fn descriptor(bytes: &[u8], tag: u8) -> Option<&[u8]> {
    let (_, rest) = bytes.split_first().filter(|(first, _)| **first == tag)?;
    let length = rest.iter().take(4).position(|byte| byte & 0x80 == 0)?;
    rest.get(length + 1..)
}
