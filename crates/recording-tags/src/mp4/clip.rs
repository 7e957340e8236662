//! Clips of MP4 files. A clip contains whole samples of the audio track, without decoding them. An
//! edit list hides the sound before and after the clip, which decoders need.

use std::io::{Read, Seek};
use std::ops::Range;

use super::audio::Audio;
use super::boxes::{MATRIX, numbers, same_file, small, wrap};
use super::movie::{Movie, user_data};
use crate::refusal::{Refusal, Result};
use crate::tagged::Tagged;
use crate::tags::Tags;

/// Number of samples in a chunk of the clip: about half a second.
const CHUNK_SAMPLES: u32 = 24;

/// The brands of files with only audio.
const FILE_TYPE: [&[u8]; 5] = [b"M4A ", &[0; 4], b"M4A ", b"mp42", b"isom"];

/// Returns the part of a file from one time to another, in milliseconds.
pub(super) fn clip(
    source: &mut (impl Read + Seek),
    movie: &Movie,
    milliseconds: &Range<u64>,
    tags: &Tags,
) -> Result<Tagged> {
    let audio = Audio::read(source, movie.audio(), movie.duration()?.scale)?;
    let heard = audio.heard_in(milliseconds)?;
    let (samples, description) = audio.samples(source, &heard)?;
    let start = audio.table.start_of(samples.start).ok_or(Refusal::NoAudio)?;
    let clip = Clip {
        scale: audio.scale,
        language: audio.language,
        duration: time(heard.end - heard.start)?,
        hidden: time(heard.start - start)?,
        sizes: audio.table.sizes(source, &samples)?,
        durations: durations_until(audio.table.durations(&samples), heard.end - start),
        description,
    };
    let media = audio.table.bytes(source, &samples)?;
    let user_data = user_data(source, None, tags, None)?;
    let mut whole = Tagged::default();
    whole.push_bytes(&small(b"ftyp", &FILE_TYPE));
    // The size of the tables does not depend on the position of the media.
    let position = whole.len() + clip.movie(&user_data, 0)?.len() + 8;
    whole.append(clip.movie(&user_data, position)?);
    whole.append(wrap(b"mdat", media)?);
    Ok(whole)
}

/// Shortens the last sample, so that all samples together have this duration.
fn durations_until(mut durations: Vec<[u32; 2]>, end: u64) -> Vec<[u32; 2]> {
    let surplus = total(&durations).saturating_sub(end);
    if let Some([count, each]) = durations.pop() {
        durations.push([count - 1, each]);
        durations.push([1, each.saturating_sub(surplus as u32)]);
        durations.retain(|[count, _]| *count > 0);
    }
    durations
}

fn total(durations: &[[u32; 2]]) -> u64 {
    durations.iter().map(|[count, each]| u64::from(*count) * u64::from(*each)).sum()
}

/// Returns a time that a field of four bytes with a sign can contain.
fn time(units: u64) -> Result<u32> {
    let is_short = |units: &u32| i32::try_from(*units).is_ok();
    u32::try_from(units).ok().filter(is_short).ok_or(Refusal::Cut("the clip is too long"))
}

/// The tables of a clip. Times are in units of the track.
struct Clip {
    /// Units per second.
    scale: u32,
    language: [u8; 2],
    duration: u32,
    /// Time of the earlier samples, which are not heard.
    hidden: u32,
    sizes: Vec<u32>,
    /// How many samples have which duration.
    durations: Vec<[u32; 2]>,
    description: Vec<u8>,
}

impl Clip {
    /// Returns the box `moov`. `position` is the position of the media.
    fn movie(&self, user_data: &Tagged, position: u64) -> Result<Tagged> {
        const FULL_VOLUME: [u8; 2] = [1, 0];
        const SPEED: [u8; 4] = [0, 1, 0, 0];
        let [scale, duration, hidden] =
            [self.scale, self.duration, self.hidden].map(u32::to_be_bytes);
        let header = small(
            b"mvhd",
            &[
                &[0; 12],
                &scale,
                &duration,
                &SPEED,
                &FULL_VOLUME,
                &[0; 10],
                &MATRIX,
                &[0; 24],
                &[0, 0, 0, 2],
            ],
        );
        // The track is enabled, and part of the movie.
        let track_header = small(
            b"tkhd",
            &[
                &[0, 0, 0, 3],
                &[0; 8],
                &[0, 0, 0, 1],
                &[0; 4],
                &duration,
                &[0; 12],
                &FULL_VOLUME,
                &[0; 2],
                &MATRIX,
                &[0; 8],
            ],
        );
        let edits = small(b"elst", &[&[0; 4], &[0, 0, 0, 1], &duration, &hidden, &SPEED]);
        let media_header = small(
            b"mdhd",
            &[
                &[0; 12],
                &scale,
                &time(total(&self.durations))?.to_be_bytes(),
                &self.language,
                &[0; 2],
            ],
        );
        let handler = small(b"hdlr", &[&[0; 8], b"soun", &[0; 12], b"Sound\0"]);
        let information = small(
            b"minf",
            &[&small(b"smhd", &[&[0; 8]]), &same_file(), &self.sample_table(position)],
        );
        let media = small(b"mdia", &[&media_header, &handler, &information]);
        let track = small(b"trak", &[&track_header, &small(b"edts", &[&edits]), &media]);
        let mut movie = Tagged::default();
        movie.push_bytes(&header);
        movie.push_bytes(&track);
        movie.append(user_data.clone());
        wrap(b"moov", movie)
    }

    fn sample_table(&self, mut position: u64) -> Vec<u8> {
        let mut positions = Vec::new();
        for sizes in self.sizes.chunks(CHUNK_SAMPLES as usize) {
            positions.extend(position.to_be_bytes());
            position += sizes.iter().map(|size| u64::from(*size)).sum::<u64>();
        }
        // All chunks have the same number of samples, except the last one.
        let count = self.sizes.len() as u32;
        let (whole, rest) = (count / CHUNK_SAMPLES, count % CHUNK_SAMPLES);
        let groups = [(1, CHUNK_SAMPLES, whole > 0), (whole + 1, rest, rest > 0)];
        let groups = groups.iter().filter(|(_, _, is_used)| *is_used);
        let groups: Vec<_> = groups.map(|(first, samples, _)| [*first, *samples, 1]).collect();
        let durations = self.durations.as_flattened();
        let table = |count: usize, content: &[u8]| {
            [&[0; 4], &(count as u32).to_be_bytes()[..], content].concat()
        };
        small(
            b"stbl",
            &[
                &small(b"stsd", &[&table(1, &self.description)]),
                &small(b"stts", &[&table(self.durations.len(), &numbers(durations))]),
                &small(b"stsc", &[&table(groups.len(), &numbers(groups.as_flattened()))]),
                &small(b"stsz", &[&[0; 8], &numbers(&[count]), &numbers(&self.sizes)]),
                &small(b"co64", &[&table(positions.len() / 8, &positions)]),
            ],
        )
    }
}
