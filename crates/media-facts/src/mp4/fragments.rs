//! The duration of a fragmented MP4 file, as written by recording software. The movie header does
//! not contain the duration, so it is computed from the end of the last fragment (ISO/IEC 14496-12,
//! section 8.8).

use std::io;

use super::boxes::{Reader, Span};
use super::{Movie, seconds};
use crate::bounded::{be_u32, be_u64};

/// Maximum number of bytes to read from a `trun` box. Each sample takes at most 16 bytes.
const MAX_RUN_BYTES: u64 = 1 << 20;

/// Returns the track id and the default sample duration in each `trex` box.
pub(super) fn sample_lengths(reader: &mut Reader, mvex: Span) -> io::Result<Vec<(u32, u32)>> {
    let mut lengths = Vec::new();
    for part in reader.children(mvex)? {
        if &part.kind == b"trex" {
            let trex = reader.bytes(part, 16)?;
            lengths.extend(be_u32(&trex, 4).zip(be_u32(&trex, 12)));
        }
    }
    Ok(lengths)
}

/// Returns the total duration of the fragments, in seconds.
pub(super) fn duration(reader: &mut Reader, file: Span, movie: &Movie) -> io::Result<Option<f64>> {
    let Some((first, last)) = reader.first_and_last(file, b"moof")? else {
        return Ok(None);
    };
    // In a recording of a live stream, the first fragment does not start at time 0.
    let start = match movie.has_samples() {
        true => None,
        false => times(reader, first, movie)?.map(|(start, _)| start),
    };
    let end = times(reader, last, movie)?.map(|(_, end)| end);
    let seconds = end.map(|end| end - start.unwrap_or(0.0).max(0.0));
    Ok(seconds.filter(|seconds| *seconds > 0.0))
}

/// Returns the start and end of a fragment in seconds: the earliest start and the latest end of its
/// tracks.
fn times(reader: &mut Reader, fragment: Span, movie: &Movie) -> io::Result<Option<(f64, f64)>> {
    let mut times: Option<(f64, f64)> = None;
    for part in reader.children(fragment)? {
        if &part.kind == b"traf"
            && let Some((start, end)) = track_times(reader, part, movie)?
        {
            let (first, last) = times.unwrap_or((start, end));
            times = Some((first.min(start), last.max(end)));
        }
    }
    Ok(times)
}

/// Returns the start and end of one track in a fragment, in seconds.
fn track_times(reader: &mut Reader, traf: Span, movie: &Movie) -> io::Result<Option<(f64, f64)>> {
    let (mut track, mut each, mut start, mut length) = (0, 0, None, 0_u64);
    for part in reader.children(traf)? {
        match &part.kind {
            b"tfhd" => {
                let tfhd = reader.bytes(part, 24)?;
                track = be_u32(&tfhd, 4).unwrap_or(0);
                each = sample_length(&tfhd).unwrap_or_else(|| {
                    let known = movie.sample_lengths.iter().find(|(id, _)| *id == track);
                    known.map_or(0, |(_, length)| *length)
                });
            }
            b"tfdt" => {
                let tfdt = reader.bytes(part, 12)?;
                start = match tfdt.first() {
                    Some(1) => be_u64(&tfdt, 4),
                    _ => be_u32(&tfdt, 4).map(u64::from),
                };
            }
            b"trun" => {
                let run = run_length(&reader.bytes(part, MAX_RUN_BYTES)?, each);
                length = length.saturating_add(run);
            }
            _ => {}
        }
    }
    let track = movie.tracks.iter().find(|known| known.id == track);
    let times = start.zip(track).and_then(|(start, track)| {
        let at = |units| Some(seconds(units, track.timescale)? - track.initial_skip()?);
        at(start).zip(at(start.saturating_add(length)))
    });
    Ok(times)
}

/// Returns the default sample duration in a `tfhd` box. Its position depends on the optional fields
/// before it.
fn sample_length(tfhd: &[u8]) -> Option<u32> {
    let flags = be_u32(tfhd, 0)?;
    let offset = if flags & 0x1 != 0 { 8 } else { 0 };
    let description = if flags & 0x2 != 0 { 4 } else { 0 };
    (flags & 0x8 != 0).then(|| be_u32(tfhd, 8 + offset + description))?
}

/// Returns the total duration of the samples in a `trun` box. `each` is the default duration of a
/// sample.
fn run_length(trun: &[u8], each: u32) -> u64 {
    let flags = be_u32(trun, 0).unwrap_or(0);
    let count = be_u32(trun, 4).unwrap_or(0);
    if flags & 0x100 == 0 {
        return u64::from(count) * u64::from(each);
    }
    let optional = |flag: u32| if flags & flag != 0 { 4 } else { 0 };
    let first = 8 + optional(0x1) + optional(0x4);
    let entry = 4 + optional(0x200) + optional(0x400) + optional(0x800);
    (0..count as usize)
        .map_while(|sample| be_u32(trun, first + sample * entry))
        .map(u64::from)
        .sum()
}
