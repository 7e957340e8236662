//! MP4 and QuickTime files (ISO/IEC 14496-12): duration, dimensions, chapters.
//!
//! The crate has its own MP4 parser because tag libraries require an audio track, reject a whole
//! file for one title that is not UTF-8, and stop at the four zero bytes that end a QuickTime
//! `udta` box.

mod boxes;
mod chapters;
mod fragments;
mod tags;

use std::fs::File;
use std::io;

use super::MediaFacts;
use super::bounded::{be_u32, be_u64, reader};
use super::length::CUT_OFF;
use boxes::{Reader, Span};
pub(super) use tags::tags;

/// Maximum number of bytes to read from an `elst` box.
const MAX_EDIT_LIST_BYTES: u64 = 64 << 10;

pub(super) fn read(facts: &mut MediaFacts, file: &File) {
    let is_video = facts.media_type.starts_with("video/");
    let movie = reader(file).and_then(|reader| {
        let mut reader = Reader(reader);
        Ok(Movie::find(&mut reader, facts.bytes)?.map(|movie| (reader, movie)))
    });
    let movie = movie.map_err(|error| error.to_string());
    let (mut reader, movie) = match facts.take("length", movie) {
        Some(Some(found)) => found,
        Some(None) => return facts.report_no_recording(),
        None => return,
    };
    match facts.take("length", length(&mut reader, &movie, facts.bytes)) {
        Some(Ok(seconds)) => facts.duration = Some(seconds),
        Some(Err(why)) => facts.add_problem("length", why),
        None => {}
    }
    if is_video {
        facts.dimensions = movie.tracks.iter().find_map(Track::dimensions);
        if facts.dimensions.is_none() {
            facts.add_problem("dimensions", "the file has no video track");
        }
    }
    let chapters = chapters::read(&mut reader, &movie).map_err(|error| error.to_string());
    facts.chapters = facts.take("chapters", chapters).unwrap_or_default();
}

/// Returns the duration in seconds, or the reason why the duration is unknown.
fn length(
    reader: &mut Reader,
    movie: &Movie,
    bytes: u64,
) -> Result<Result<f64, &'static str>, String> {
    let file = Span::whole(bytes);
    let read = |reader: &mut Reader| {
        if reader.is_cut_off(file)? {
            return Ok(Err(CUT_OFF));
        }
        // In a file with fragments, the movie header contains no duration, or only the duration of
        // the media before the fragments.
        let fragments = match movie.sample_lengths.is_empty() {
            true => None,
            false => fragments::duration(reader, file, movie)?,
        };
        Ok(fragments
            .or_else(|| movie.duration())
            .ok_or("the file does not state its length; it may be cut off"))
    };
    read(reader).map_err(|error: io::Error| error.to_string())
}

/// The content of a `moov` box that is needed for the facts.
struct Movie {
    /// Units per second in which `length` is measured.
    timescale: u32,
    length: Option<u64>,
    tracks: Vec<Track>,
    /// Track ids and their default sample durations (`mvex/trex`). They apply to fragments that do
    /// not specify a duration.
    sample_lengths: Vec<(u32, u32)>,
    /// The Nero chapter list, `udta/chpl`.
    chapter_list: Option<Span>,
}

/// A `trak` box.
#[derive(Default)]
struct Track {
    id: u32,
    /// Type of media: `vide`, `soun`, `text` and others.
    handler: [u8; 4],
    /// Ids of the chapter tracks that belong to this track.
    chapter_tracks: Vec<u32>,
    /// Units per second in which the track's times are measured.
    timescale: u32,
    /// Duration of the track's media, in units of `timescale`.
    length: Option<u64>,
    /// The ranges of the media that are played (`edts/elst`).
    edits: Vec<Edit>,
    /// Width and height as displayed, in pixels.
    size: (u32, u32),
    /// Boxes of the sample table, `mdia/minf/stbl`.
    samples: Vec<Span>,
}

/// A range of a track's media that is played.
struct Edit {
    /// Duration, in units of the movie's time scale. 0 means up to the end of the media.
    length: u64,
    /// Start in the media, in units of the track's time scale. A negative start means silence.
    start: i64,
}

impl Movie {
    fn find(reader: &mut Reader, bytes: u64) -> io::Result<Option<Self>> {
        let file = Span::whole(bytes);
        let Some(moov) = reader.child(file, b"moov")? else {
            return Ok(None);
        };
        let mut movie = Self {
            timescale: 0,
            length: None,
            tracks: Vec::new(),
            sample_lengths: Vec::new(),
            chapter_list: None,
        };
        for part in reader.children(moov)? {
            match &part.kind {
                b"mvhd" => (movie.timescale, movie.length) = times(&reader.bytes(part, 32)?),
                b"mvex" => movie.sample_lengths = fragments::sample_lengths(reader, part)?,
                b"trak" => movie.tracks.push(Track::read(reader, part)?),
                b"udta" => movie.chapter_list = reader.child(part, b"chpl")?,
                _ => {}
            }
        }
        Ok(Some(movie))
    }

    /// Returns the duration of the longest audio or video track after its edits. If the duration of
    /// a track is unknown, returns the duration in the movie header.
    fn duration(&self) -> Option<f64> {
        let media = self.tracks.iter().filter(|track| matches!(&track.handler, b"soun" | b"vide"));
        let lengths = media.map(|track| track.duration(self.timescale));
        let longest = lengths
            .collect::<Option<Vec<_>>>()
            .and_then(|lengths| lengths.into_iter().reduce(f64::max));
        let told = || seconds(self.length?, self.timescale);
        longest.filter(|seconds| *seconds > 0.0).or_else(told)
    }

    /// Returns whether the file has media outside of fragments.
    fn has_samples(&self) -> bool {
        self.tracks.iter().any(|track| track.length.is_some())
    }
}

impl Track {
    fn read(reader: &mut Reader, trak: Span) -> io::Result<Self> {
        let mut track = Self::default();
        for part in reader.children(trak)? {
            match &part.kind {
                b"tkhd" => track.header(&reader.bytes(part, 96)?),
                b"tref" => {
                    if let Some(chap) = reader.child(part, b"chap")? {
                        let ids = reader.bytes(chap, 64)?;
                        track.chapter_tracks =
                            (0..ids.len()).step_by(4).filter_map(|at| be_u32(&ids, at)).collect();
                    }
                }
                b"mdia" => track.media(reader, part)?,
                b"edts" => {
                    if let Some(elst) = reader.child(part, b"elst")? {
                        track.edits = edits(&reader.bytes(elst, MAX_EDIT_LIST_BYTES)?);
                    }
                }
                _ => {}
            }
        }
        Ok(track)
    }

    /// Returns the playing time of the track, in seconds. `timescale` is the time scale of the
    /// movie.
    fn duration(&self, timescale: u32) -> Option<f64> {
        let media = seconds(self.length?, self.timescale)?;
        if self.edits.is_empty() {
            return Some(media);
        }
        let length = |edit: &Edit| match edit.length {
            0 => Some(media - edit.start.max(0) as f64 / f64::from(self.timescale)),
            length => seconds(length, timescale),
        };
        self.edits.iter().map(length).sum()
    }

    /// Returns how many seconds of media are skipped before the first edit starts. This is the
    /// delay of the encoder.
    fn initial_skip(&self) -> Option<f64> {
        let first = self.edits.iter().find(|edit| edit.start >= 0);
        seconds(first.map_or(0, |edit| edit.start.unsigned_abs()), self.timescale)
    }

    fn header(&mut self, tkhd: &[u8]) {
        // In version 1, dates and the duration have 64 bits.
        let (id, matrix) = if tkhd.first() == Some(&1) { (20, 52) } else { (12, 40) };
        self.id = be_u32(tkhd, id).unwrap_or(0);
        // Width and height are 16.16 fixed-point numbers.
        let pixels = |at| be_u32(tkhd, matrix + at).map_or(0, |fixed| fixed >> 16);
        self.size = (pixels(36), pixels(40));
        // The matrix of a quarter turn maps x only to the vertical axis.
        let is_turned =
            be_u32(tkhd, matrix) == Some(0) && be_u32(tkhd, matrix + 4).is_some_and(|b| b != 0);
        if is_turned {
            self.size = (self.size.1, self.size.0);
        }
    }

    fn media(&mut self, reader: &mut Reader, mdia: Span) -> io::Result<()> {
        for part in reader.children(mdia)? {
            match &part.kind {
                b"mdhd" => (self.timescale, self.length) = times(&reader.bytes(part, 32)?),
                b"hdlr" => {
                    let hdlr = reader.bytes(part, 12)?;
                    self.handler =
                        hdlr.get(8..).and_then(|at| at.first_chunk()).copied().unwrap_or_default();
                }
                b"minf" => {
                    if let Some(stbl) = reader.child(part, b"stbl")? {
                        self.samples = reader.children(stbl)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn dimensions(&self) -> Option<(u32, u32)> {
        let (width, height) = self.size;
        (&self.handler == b"vide" && width > 0 && height > 0).then_some(self.size)
    }
}

/// Parses the entries of an `elst` box.
fn edits(elst: &[u8]) -> Vec<Edit> {
    let is_long = elst.first() == Some(&1);
    let count = be_u32(elst, 4).unwrap_or(0) as usize;
    let entry = |at: usize| {
        Some(if is_long {
            let (length, start) = (be_u64(elst, 8 + 20 * at)?, be_u64(elst, 16 + 20 * at)?);
            Edit { length, start: start.cast_signed() }
        } else {
            let (length, start) = (be_u32(elst, 8 + 12 * at)?, be_u32(elst, 12 + 12 * at)?);
            Edit { length: length.into(), start: start.cast_signed().into() }
        })
    };
    (0..count).map_while(entry).collect()
}

/// Returns the time scale and the duration in an `mvhd` or `mdhd` box. The duration is None if it
/// is 0 or marked as unknown.
fn times(header: &[u8]) -> (u32, Option<u64>) {
    let (timescale, length, unknown) = if header.first() == Some(&1) {
        (be_u32(header, 20), be_u64(header, 24), u64::MAX)
    } else {
        let length = be_u32(header, 16).map(u64::from);
        (be_u32(header, 12), length, u64::from(u32::MAX))
    };
    (timescale.unwrap_or(0), length.filter(|length| *length != 0 && *length != unknown))
}

fn seconds(units: u64, timescale: u32) -> Option<f64> {
    (timescale > 0).then(|| units as f64 / f64::from(timescale))
}
