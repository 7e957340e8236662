//! MP4 and QuickTime files (ISO/IEC 14496-12): length, dimensions, chapters.
//!
//! Read here rather than by a tag library: those want an audio track, refuse a whole file for one
//! title that is not UTF-8, and stop at the four zero bytes that end a QuickTime `udta` box.

mod boxes;
mod chapters;
mod fragments;

use std::fs::File;
use std::io;

use super::MediaFacts;
use super::bounded::{be_u32, be_u64, reader};
use boxes::{Reader, Span};

pub(super) fn read(facts: &mut MediaFacts, file: &File) {
    let is_video = facts.media_type.starts_with("video/");
    let movie = reader(file).and_then(|reader| {
        let mut reader = Reader(reader);
        Ok(Movie::find(&mut reader, facts.bytes)?.map(|movie| (reader, movie)))
    });
    let movie = movie.map_err(|error| error.to_string());
    let (mut reader, movie) = match facts.take("length", movie) {
        Some(Some(found)) => found,
        Some(None) => {
            return facts.problem("length", "there is no movie header in it; is it cut off?");
        }
        None => return,
    };
    facts.duration = match movie.duration() {
        Some(seconds) => Some(seconds),
        None => {
            let seconds = fragments::duration(&mut reader, Span::whole(facts.bytes), &movie)
                .map_err(|error| error.to_string());
            facts.take("length", seconds).flatten()
        }
    };
    if facts.duration.is_none() {
        facts.problem("length", "the file does not tell it; is it cut off?");
    }
    if is_video {
        facts.dimensions = movie.tracks.iter().find_map(Track::dimensions);
        if facts.dimensions.is_none() {
            facts.problem("dimensions", "there is no video track in it");
        }
    }
    let chapters = chapters::read(&mut reader, &movie).map_err(|error| error.to_string());
    facts.chapters = facts.take("chapters", chapters).unwrap_or_default();
}

/// The parts of a `moov` box that are asked for.
struct Movie {
    /// Units a second of `length`.
    timescale: u32,
    length: Option<u64>,
    tracks: Vec<Track>,
    /// How long a sample of a track is shown in fragments that do not say (`mvex/trex`).
    sample_lengths: Vec<(u32, u32)>,
    /// The Nero chapter list, `udta/chpl`.
    chapter_list: Option<Span>,
}

/// A `trak` box.
#[derive(Default)]
struct Track {
    id: u32,
    /// `vide`, `soun`, `text` …
    handler: [u8; 4],
    /// The tracks that hold this one's chapters.
    chapter_tracks: Vec<u32>,
    /// Units a second of the track's own times.
    timescale: u32,
    /// Width and height as shown, in pixels.
    size: (u32, u32),
    /// The sample table, `mdia/minf/stbl`.
    samples: Vec<Span>,
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

    fn duration(&self) -> Option<f64> {
        seconds(self.length?, self.timescale)
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
                        track.chapter_tracks = (0..ids.len())
                            .step_by(4)
                            .filter_map(|at| be_u32(&ids, at))
                            .collect();
                    }
                }
                b"mdia" => track.media(reader, part)?,
                _ => {}
            }
        }
        Ok(track)
    }

    fn header(&mut self, tkhd: &[u8]) {
        // Version 1 has 64-bit dates and length.
        let (id, matrix) = if tkhd.first() == Some(&1) {
            (20, 52)
        } else {
            (12, 40)
        };
        self.id = be_u32(tkhd, id).unwrap_or(0);
        // 16.16 fixed point.
        let pixels = |at| be_u32(tkhd, matrix + at).map_or(0, |fixed| fixed >> 16);
        self.size = (pixels(36), pixels(40));
        // A quarter turn has no horizontal part of x and some vertical.
        let is_turned =
            be_u32(tkhd, matrix) == Some(0) && be_u32(tkhd, matrix + 4).is_some_and(|b| b != 0);
        if is_turned {
            self.size = (self.size.1, self.size.0);
        }
    }

    fn media(&mut self, reader: &mut Reader, mdia: Span) -> io::Result<()> {
        for part in reader.children(mdia)? {
            match &part.kind {
                b"mdhd" => self.timescale = times(&reader.bytes(part, 32)?).0,
                b"hdlr" => {
                    let hdlr = reader.bytes(part, 12)?;
                    self.handler = hdlr
                        .get(8..)
                        .and_then(|at| at.first_chunk())
                        .copied()
                        .unwrap_or_default();
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

/// The time scale and length of an `mvhd` or `mdhd` box; no length when it is 0 or "unknown".
fn times(header: &[u8]) -> (u32, Option<u64>) {
    let (timescale, length, unknown) = if header.first() == Some(&1) {
        (be_u32(header, 20), be_u64(header, 24), u64::MAX)
    } else {
        let length = be_u32(header, 16).map(u64::from);
        (be_u32(header, 12), length, u64::from(u32::MAX))
    };
    (
        timescale.unwrap_or(0),
        length.filter(|length| *length != 0 && *length != unknown),
    )
}

fn seconds(units: u64, timescale: u32) -> Option<f64> {
    (timescale > 0).then(|| units as f64 / f64::from(timescale))
}
