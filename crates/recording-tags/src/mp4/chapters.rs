//! Chapters of an MP4 file: a text track (QuickTime File Format, "Chapter lists"), and the list of
//! Nero (`moov/udta/chpl`).

use super::boxes::{MATRIX, numbers, same_file, small};
use crate::tags::Tags;

/// Maximum number of chapters in a list of Nero, and of bytes in a title.
const MAX_LISTED: usize = 255;

/// Maximum number of bytes in a title of the track.
const MAX_TITLE_BYTES: usize = 65_535;

/// Units of a chapter list in a millisecond.
const TICKS: u64 = 10_000;

/// Says that a text is in UTF-8.
const UTF_8: &[u8; 12] = b"\0\0\0\x0cencd\0\0\x01\0";

/// The duration of a movie, in units of its time scale.
#[derive(Clone, Copy)]
pub(super) struct Duration {
    pub(super) units: u64,
    /// Units per second.
    pub(super) scale: u32,
}

impl Duration {
    fn milliseconds(self) -> u64 {
        (u128::from(self.units) * 1000 / u128::from(self.scale.max(1))) as u64
    }
}

/// The chapters, as samples of a track.
pub(super) struct ChapterTrack {
    /// Duration of each sample in milliseconds.
    durations: Vec<u32>,
    sizes: Vec<u32>,
    /// The content of all samples.
    pub(super) content: Vec<u8>,
    language: [u8; 2],
    duration: Duration,
    /// Content of the list of Nero.
    pub(super) list: Vec<u8>,
}

impl ChapterTrack {
    /// Returns the track for all listed chapters. A chapter lasts until the next chapter starts.
    /// Returns None if the recording keeps its own chapters. The track is empty if it loses them.
    pub(super) fn of(tags: &Tags, duration: Duration) -> Option<Self> {
        if !tags.replaces_chapters() {
            return None;
        }
        let end = duration.milliseconds();
        let listed = tags.chapters.iter().filter(|chapter| !chapter.is_hidden);
        let listed = listed.filter(|chapter| chapter.start_ms < end);
        let mut entries: Vec<_> =
            listed.map(|chapter| (chapter.start_ms, &*chapter.title)).collect();
        entries.sort_by_key(|(start, _)| *start);
        if entries.first().is_some_and(|(start, _)| *start > 0) {
            // A track has no gap before its first sample. Players list a sample without text as an
            // empty line, so it has the title of the recording.
            entries.insert(0, (0, tags.title.as_deref().unwrap_or_default()));
        }
        let list = chapter_list(&entries);
        let ends = entries.iter().skip(1).map(|(start, _)| *start).chain([end]);
        let durations = entries.iter().zip(ends).map(|((start, _), end)| (end - start) as u32);
        let samples: Vec<_> = entries.iter().map(|(_, title)| sample(title)).collect();
        Some(Self {
            durations: durations.collect(),
            sizes: samples.iter().map(|sample| sample.len() as u32).collect(),
            content: samples.concat(),
            language: packed_language(tags.language_code().unwrap_or("und")),
            duration,
            list,
        })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// Returns the box `trak` of the track, whose samples are at a position in the file.
    pub(super) fn track(&self, id: u32, position: u64) -> Vec<u8> {
        let duration = u32::try_from(self.duration.units).unwrap_or(u32::MAX).to_be_bytes();
        // The track is not enabled, so that players do not show it as subtitles.
        const FLAGS: [u8; 4] = [0, 0, 0, 0x0e];
        let header = small(
            b"tkhd",
            &[&FLAGS, &[0; 8], &id.to_be_bytes(), &[0; 4], &duration, &[0; 16], &MATRIX, &[0; 8]],
        );
        let milliseconds = self.durations.iter().sum::<u32>().to_be_bytes();
        let scale = 1000_u32.to_be_bytes();
        let media_header =
            small(b"mdhd", &[&[0; 12], &scale, &milliseconds, &self.language, &[0; 2]]);
        let handler = small(b"hdlr", &[&[0; 8], b"text", &[0; 12], b"Chapters\0"]);
        let information =
            small(b"minf", &[&graphics(), &same_file(), &self.sample_table(position)]);
        let media = small(b"mdia", &[&media_header, &handler, &information]);
        small(b"trak", &[&header, &media])
    }

    fn sample_table(&self, position: u64) -> Vec<u8> {
        let count = self.sizes.len() as u32;
        let durations: Vec<u32> = self.durations.iter().flat_map(|own| [1, *own]).collect();
        small(
            b"stbl",
            &[
                &description(),
                &small(b"stts", &[&numbers(&[0, count]), &numbers(&durations)]),
                // One chunk contains all samples.
                &small(b"stsc", &[&numbers(&[0, 1, 1, count, 1])]),
                &small(b"stsz", &[&numbers(&[0, 0, count]), &numbers(&self.sizes)]),
                &small(b"co64", &[&numbers(&[0, 1]), &position.to_be_bytes()]),
            ],
        )
    }
}

/// A sample: its length, the text, and the text's encoding.
fn sample(title: &str) -> Vec<u8> {
    let title = shortened(title, MAX_TITLE_BYTES);
    [&(title.len() as u16).to_be_bytes(), title.as_bytes(), UTF_8].concat()
}

/// Returns the content of the box `chpl`.
fn chapter_list(entries: &[(u64, &str)]) -> Vec<u8> {
    let count = entries.len().min(MAX_LISTED);
    let mut list = vec![1, 0, 0, 0, 0, 0, 0, 0, count as u8];
    for (start, title) in &entries[..count] {
        let title = shortened(title, MAX_LISTED);
        list.extend((start * TICKS).to_be_bytes());
        list.push(title.len() as u8);
        list.extend(title.as_bytes());
    }
    list
}

fn shortened(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

/// Returns a code of three lower-case letters, with five bits each.
fn packed_language(code: &str) -> [u8; 2] {
    let packed = code.bytes().fold(0, |packed, byte| packed << 5 | u16::from(byte & 0x1f));
    packed.to_be_bytes()
}

/// Returns the media header of a text track in QuickTime.
fn graphics() -> Vec<u8> {
    const MODE: [u8; 12] = [0, 0x40, 0x80, 0, 0x80, 0, 0x80, 0, 0, 0, 0, 0];
    small(b"gmhd", &[&small(b"gmin", &[&[0; 4], &MODE]), &small(b"text", &[&MATRIX])])
}

/// Returns the description of the samples: text without style.
fn description() -> Vec<u8> {
    let entry = small(b"text", &[&[0, 0, 0, 0, 0, 0, 0, 1], &[0; 44]]);
    small(b"stsd", &[&[0, 0, 0, 0, 0, 0, 0, 1], &entry])
}
