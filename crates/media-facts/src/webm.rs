//! WebM and Matroska files (RFC 9559): duration, dimensions, chapters.
//!
//! Common muxers write the needed elements before the first cluster of media. Elements after the
//! first cluster are ignored.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::ops::Range;

use super::MediaFacts;
use super::bounded::{read_at, reader};
use super::length::CUT_OFF;
use crate::Chapter;

/// Maximum number of elements to read.
const MAX_ELEMENTS: usize = 20_000;

/// Maximum depth of nested elements. The title of a chapter is at level four, and the titles of
/// nested chapters are deeper.
const MAX_DEPTH: usize = 12;

mod id {
    pub(super) const EBML: u32 = 0x1a45_dfa3;
    pub(super) const SEGMENT: u32 = 0x1853_8067;
    pub(super) const CLUSTER: u32 = 0x1f43_b675;
    pub(super) const INFO: u32 = 0x1549_a966;
    pub(super) const TIMESTAMP_SCALE: u32 = 0x2a_d7b1;
    pub(super) const DURATION: u32 = 0x4489;
    pub(super) const TRACKS: u32 = 0x1654_ae6b;
    pub(super) const TRACK_ENTRY: u32 = 0xae;
    pub(super) const VIDEO: u32 = 0xe0;
    pub(super) const PIXEL_WIDTH: u32 = 0xb0;
    pub(super) const PIXEL_HEIGHT: u32 = 0xba;
    pub(super) const CHAPTERS: u32 = 0x1043_a770;
    pub(super) const EDITION_ENTRY: u32 = 0x45b9;
    pub(super) const CHAPTER_ATOM: u32 = 0xb6;
    pub(super) const CHAPTER_TIME_START: u32 = 0x91;
    pub(super) const CHAPTER_TIME_END: u32 = 0x92;
    pub(super) const CHAPTER_FLAG_HIDDEN: u32 = 0x98;
    pub(super) const CHAPTER_DISPLAY: u32 = 0x80;
    pub(super) const CHAP_STRING: u32 = 0x85;
}

pub(super) fn read(facts: &mut MediaFacts, file: &File) {
    let bytes = facts.bytes;
    let found = reader(file).and_then(|mut reader| {
        let mut found = SegmentFacts {
            // RFC 9559, section 5.1.2.9: the default scale is one million nanoseconds, which is a
            // millisecond.
            scale: 1_000_000,
            ..SegmentFacts::default()
        };
        found.walk(&mut reader, 0..bytes, MAX_DEPTH)?;
        Ok(found)
    });
    let found = found.map_err(|error| error.to_string());
    let Some(found) = facts.take("length", found) else {
        return;
    };
    if !found.is_ebml {
        return facts.report_no_recording();
    }
    facts.duration = found
        .duration
        .map(|duration| duration * found.scale as f64 / 1e9)
        .filter(|seconds| seconds.is_finite() && *seconds > 0.0);
    if found.is_cut_off {
        facts.duration = None;
        facts.add_problem("length", CUT_OFF);
    } else if facts.duration.is_none() {
        facts.add_problem(
            "length",
            "the file does not state its length, as in a recording of a live stream",
        );
    }
    if facts.media_type.starts_with("video/") {
        facts.dimensions = match (found.width, found.height) {
            (width @ 1.., height @ 1..) => Some((width, height)),
            _ => None,
        };
        if facts.dimensions.is_none() {
            facts.add_problem("dimensions", "the file has no video track");
        }
    }
    facts.chapters = found.chapters;
}

/// The data found before the first cluster.
#[derive(Default)]
struct SegmentFacts {
    scale: u64,
    duration: Option<f64>,
    width: u32,
    height: u32,
    chapters: Vec<Chapter>,
    element_count: usize,
    is_done: bool,
    /// Whether the file starts with an EBML header.
    is_ebml: bool,
    /// Whether the file is shorter than its segment.
    is_cut_off: bool,
}

impl SegmentFacts {
    fn walk(
        &mut self,
        reader: &mut (impl Read + Seek),
        span: Range<u64>,
        depth: usize,
    ) -> io::Result<()> {
        let mut position = span.start;
        while position < span.end && !self.is_done && depth > 0 && self.element_count < MAX_ELEMENTS
        {
            self.element_count += 1;
            let Some((id, content)) = element(&read_at(reader, position, 12)?, position) else {
                break;
            };
            self.is_ebml |= id == id::EBML && position == 0;
            self.is_cut_off |=
                id == id::SEGMENT && content.end != u64::MAX && content.end > span.end;
            let content = content.start..content.end.min(span.end);
            if content.start > content.end {
                break;
            }
            position = content.end;
            match id {
                id::SEGMENT
                | id::INFO
                | id::TRACKS
                | id::TRACK_ENTRY
                | id::VIDEO
                | id::CHAPTERS
                | id::EDITION_ENTRY
                | id::CHAPTER_DISPLAY => self.walk(reader, content, depth - 1)?,
                id::CHAPTER_ATOM => {
                    self.chapters.push(Chapter::default());
                    self.walk(reader, content, depth - 1)?;
                }
                id::CLUSTER => self.is_done = true,
                id::TIMESTAMP_SCALE
                | id::DURATION
                | id::PIXEL_WIDTH
                | id::PIXEL_HEIGHT
                | id::CHAPTER_TIME_START
                | id::CHAPTER_TIME_END
                | id::CHAPTER_FLAG_HIDDEN
                | id::CHAP_STRING => {
                    let most = (content.end - content.start).min(4096);
                    self.value(id, &read_at(reader, content.start, most)?);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn value(&mut self, id: u32, bytes: &[u8]) {
        let number = unsigned(bytes);
        let pixels = u32::try_from(number).unwrap_or(0);
        match (id, self.chapters.last_mut()) {
            (id::TIMESTAMP_SCALE, _) => self.scale = number,
            (id::DURATION, _) => self.duration = float(bytes),
            (id::PIXEL_WIDTH, _) => self.width = self.width.max(pixels),
            (id::PIXEL_HEIGHT, _) => self.height = self.height.max(pixels),
            (id::CHAPTER_TIME_START, Some(chapter)) => chapter.start = number as f64 / 1e9,
            (id::CHAPTER_TIME_END, Some(chapter)) => chapter.end = Some(number as f64 / 1e9),
            (id::CHAPTER_FLAG_HIDDEN, Some(chapter)) if number != 0 => chapter.is_hidden = true,
            (id::CHAP_STRING, Some(chapter)) => {
                let title = String::from_utf8_lossy(bytes);
                let title = title.trim_matches(['\0', ' ']);
                chapter.title = (!title.is_empty()).then(|| title.to_owned());
            }
            _ => {}
        }
    }
}

/// Parses the header of an element. Returns its id, including the length marker, and the range of
/// its content.
fn element(head: &[u8], position: u64) -> Option<(u32, Range<u64>)> {
    let id_length = head.first()?.leading_zeros() as usize + 1;
    let id = head.get(..id_length).filter(|_| id_length <= 4)?;
    let size = head.get(id_length..)?;
    let size_length = size.first()?.leading_zeros() as usize + 1;
    let bytes = size.get(..size_length).filter(|_| size_length <= 8)?;
    let values = (1_u64 << (7 * size_length)) - 1;
    let start = position + (id_length + size_length) as u64;
    // If all bits of the size are set, the size is unknown. The element then extends to the end of
    // its parent.
    let content_end = match unsigned(bytes) & values {
        unknown if unknown == values => u64::MAX,
        size => start.saturating_add(size),
    };
    Some((unsigned(id) as u32, start..content_end))
}

fn unsigned(bytes: &[u8]) -> u64 {
    bytes.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte))
}

fn float(bytes: &[u8]) -> Option<f64> {
    match bytes.len() {
        4 => Some(f64::from(f32::from_bits(unsigned(bytes) as u32))),
        8 => Some(f64::from_bits(unsigned(bytes))),
        _ => None,
    }
}
