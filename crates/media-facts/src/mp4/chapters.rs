//! Chapters of an MP4 file: the chapter track (QuickTime File Format, "Chapter lists") and the
//! Nero chapter list (`moov/udta/chpl`).

use std::io;

use super::boxes::Reader;
use super::{Movie, Track, seconds};
use crate::Chapter;
use crate::bounded::{be_u32, be_u64};

/// Maximum number of chapters, which limits the size of the tables to read. No real episode has so
/// many.
const MAX_CHAPTERS: usize = 10_000;

/// Reads the chapters of the chapter track or, if there is none, of the chapter list. The track is
/// preferred because the list is limited to 255 chapters with titles of 255 bytes.
pub(super) fn read(reader: &mut Reader, movie: &Movie) -> io::Result<Vec<Chapter>> {
    let ids = movie.tracks.iter().flat_map(|track| &track.chapter_tracks);
    for id in ids {
        let track = movie.tracks.iter().find(|track| track.id == *id);
        // A file can also have a chapter track that contains pictures.
        if let Some(track) = track.filter(|track| matches!(&track.handler, b"text" | b"sbtl")) {
            let chapters = from_track(reader, track)?;
            if !chapters.is_empty() {
                return Ok(chapters);
            }
        }
    }
    match movie.chapter_list {
        Some(list) => Ok(from_list(&reader.bytes(list, 255 * 264 + 9)?)),
        None => Ok(Vec::new()),
    }
}

/// Parses a `chpl` box. It consists of the version and flags, four more bytes in version 1, and a
/// count. For each chapter, the start in units of 100 ns, the length of the title, and the title
/// follow.
fn from_list(chpl: &[u8]) -> Vec<Chapter> {
    let mut at: usize = if chpl.first() == Some(&1) { 9 } else { 5 };
    let count = chpl.get(at - 1).copied().unwrap_or(0);
    let mut chapters = Vec::new();
    for _ in 0..count {
        let (Some(start), Some(length)) = (be_u64(chpl, at), chpl.get(at + 8)) else {
            break;
        };
        let title = at + 9..at + 9 + usize::from(*length);
        at = title.end;
        let Some(title) = chpl.get(title) else { break };
        chapters.push(Chapter {
            start: start as f64 / 10_000_000.0,
            title: text(title),
            ..Chapter::default()
        });
    }
    chapters
}

/// Reads the chapters of a track. Each sample is the title of a chapter, and has the duration of
/// that chapter.
fn from_track(reader: &mut Reader, track: &Track) -> io::Result<Vec<Chapter>> {
    let table = SampleTable::read(reader, track)?;
    let mut chapters = Vec::new();
    let mut time = 0_u64;
    for (offset, length) in table.offsets().into_iter().zip(&table.lengths) {
        let sample = reader.at(offset, 2 + u64::from(u16::MAX))?;
        let end = time.saturating_add(u64::from(*length));
        let title = sample
            .first_chunk()
            .and_then(|length| text(sample.get(2..2 + usize::from(u16::from_be_bytes(*length)))?));
        // Samples with an empty title fill the gaps before, between and after chapters.
        if let (Some(title), Some(start)) = (title, seconds(time, track.timescale)) {
            chapters.push(Chapter {
                start,
                title: Some(title),
                end: seconds(end, track.timescale),
                ..Chapter::default()
            });
        }
        time = end;
    }
    Ok(chapters)
}

/// Decodes UTF-16 if there is a byte order mark, and UTF-8 otherwise. Returns None for empty text.
fn text(bytes: &[u8]) -> Option<String> {
    let utf16 = |unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> =
            bytes[2..].as_chunks::<2>().0.iter().map(|pair| unit(*pair)).collect();
        String::from_utf16_lossy(&units)
    };
    let text = match bytes {
        [0xfe, 0xff, ..] => utf16(u16::from_be_bytes),
        [0xff, 0xfe, ..] => utf16(u16::from_le_bytes),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    };
    let text = text.trim_matches(['\0', ' ']);
    (!text.is_empty()).then(|| text.to_owned())
}

/// The positions and durations of a track's samples.
#[derive(Default)]
struct SampleTable {
    /// Duration of each sample, in the track's time scale (`stts`).
    lengths: Vec<u32>,
    /// Size of each sample in bytes (`stsz`).
    sizes: Vec<u32>,
    /// Start of each chunk of samples in the file (`stco`, `co64`).
    chunks: Vec<u64>,
    /// Runs of chunks with equally many samples: the first chunk, counted from 1, and the number of
    /// samples in each chunk (`stsc`).
    runs: Vec<(u32, u32)>,
}

impl SampleTable {
    fn read(reader: &mut Reader, track: &Track) -> io::Result<Self> {
        let mut table = Self::default();
        for part in &track.samples {
            if !matches!(&part.kind, b"stts" | b"stsz" | b"stsc" | b"stco" | b"co64") {
                continue;
            }
            let bytes = reader.bytes(*part, 12 + 12 * MAX_CHAPTERS as u64)?;
            let word = |at| be_u32(&bytes, at);
            match &part.kind {
                b"stts" => {
                    for (count, length) in entries(&bytes, 8, 8).map(|at| (word(at), word(at + 4)))
                    {
                        let room = MAX_CHAPTERS - table.lengths.len();
                        let count = (count.unwrap_or(0) as usize).min(room);
                        table.lengths.extend(std::iter::repeat_n(length.unwrap_or(0), count));
                    }
                }
                b"stsz" => {
                    let count = word(8).unwrap_or(0) as usize;
                    table.sizes = match word(4) {
                        Some(0) => entries(&bytes, 12, 4).filter_map(word).take(count).collect(),
                        Some(size) => vec![size; count.min(MAX_CHAPTERS)],
                        None => Vec::new(),
                    };
                }
                b"stsc" => {
                    table.runs = entries(&bytes, 8, 12)
                        .filter_map(|at| Some((word(at)?, word(at + 4)?)))
                        .collect();
                }
                b"stco" => {
                    table.chunks =
                        entries(&bytes, 8, 4).filter_map(|at| word(at).map(u64::from)).collect();
                }
                _ => {
                    table.chunks =
                        entries(&bytes, 8, 8).filter_map(|at| be_u64(&bytes, at)).collect();
                }
            }
        }
        Ok(table)
    }

    /// Returns the position of each sample in the file.
    fn offsets(&self) -> Vec<u64> {
        let mut offsets = Vec::new();
        let mut sizes = self.sizes.iter();
        for (number, chunk) in (1_u32..).zip(&self.chunks) {
            let run = self.runs.iter().rev().find(|(first, _)| *first <= number);
            let mut position = *chunk;
            for _ in 0..run.map_or(0, |(_, samples)| *samples) {
                let Some(size) = sizes.next() else {
                    return offsets;
                };
                offsets.push(position);
                position = position.saturating_add(u64::from(*size));
            }
        }
        offsets
    }
}

/// Returns the positions of a table's entries, which have `size` bytes each and begin at `start`.
fn entries(bytes: &[u8], start: usize, size: usize) -> impl Iterator<Item = usize> {
    (start..bytes.len().saturating_sub(size - 1)).step_by(size)
}
