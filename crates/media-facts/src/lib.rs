//! What the head of a media file tells: its size, type, length, dimensions and chapters.
//!
//! ```
//! use std::path::Path;
//!
//! let facts = media_facts::read(Path::new("tests/fixtures/chapters.m4a"))?;
//! assert_eq!(facts.media_type, "audio/x-m4a");
//! assert_eq!(facts.duration, Some(2.0));
//! assert_eq!(facts.chapters[1].start, 0.7);
//! assert_eq!(facts.chapters[1].title.as_deref(), Some("Über die Brücke"));
//! # Ok::<(), media_facts::MediaError>(())
//! ```
//!
//! # What holds here
//!
//! - It knows nothing of sites: it takes the path of a file, and gives facts.
//! - Reading is lenient: a broken file costs the facts that cannot be read, and each missing fact is
//!   explained in [`MediaFacts::problems`].
//! - Reading is bounded: headers, indexes and the ends of a file are read, not the media in it. Where only a count of
//!   all frames or pages gives the length (`mpeg_audio`, `adts`, `ogg`), their number is bounded. A picture is read whole, once, for the hash that tells whether
//!   it is another one.
//! - Parsers of other authors may panic on a broken file. Such a panic is caught and counts as a
//!   problem of the file, where panics unwind (`panic = "abort"` ends the program).
//! - What a file says is handed on as it stands: an address in a chapter may be one that acts on who
//!   follows it.
//!
//! - A length or dimension is exact, or it is missing and explained. A length is never estimated from a bit rate
//!   that may change, nor taken from a header that the file contradicts.
//!
//! # Why so many kinds are read here
//!
//! Libraries reject headers of files that players accept, or estimate durations without saying so. `imagesize` reads
//! the dimensions of pictures of kinds that the crate `pictures` does not read.

mod adts;
mod audio;
mod bounded;
mod chunks;
mod flac;
mod id3_chapters;
mod image;
mod length;
mod mp4;
mod mpeg_audio;
mod ogg;
mod svg;
mod types;
mod vorbis_comments;
mod webm;

use std::fmt;
use std::fs::File;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

pub use types::{media_type, media_types};

/// What a media file tells about itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MediaFacts {
    /// The file's size in bytes; of a picture, without the metadata that is not published.
    pub bytes: u64,
    /// The media type its name stands for, see [`media_type`].
    pub media_type: String,
    /// The playing time in seconds, for audio and video.
    pub duration: Option<f64>,
    /// Width and height in pixels, as shown: after the rotation the file asks for.
    pub dimensions: Option<(u32, u32)>,
    /// What is known of a picture that can be made smaller.
    pub picture: Option<pictures::Facts>,
    /// What is known of a picture's copy without metadata.
    pub bare: Option<pictures::Bare>,
    /// The chapters embedded in the file, in the order they play. Ends are given only where a
    /// chapter does not last until the next one, or the last one until the end of the file.
    pub chapters: Vec<Chapter>,
    /// Why facts are missing or doubtful, one sentence each, for a warning.
    pub problems: Vec<String>,
    /// Why nothing in the file can be used, such as "damaged or not an image", to be said of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damage: Option<String>,
}

/// A chapter embedded in a media file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Chapter {
    /// Where it starts, in seconds from the start of the file.
    pub start: f64,
    /// Where it ends, in seconds; none means where the next one starts, or where the file ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<f64>,
    /// What a player lists it as.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// A link that it has, as the file holds it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Whether the file keeps it out of its table of contents.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_hidden: bool,
}

/// A media file that could not be opened.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}: {source}", path.display())]
pub struct MediaError {
    /// The file's path, as it was asked for.
    pub path: PathBuf,
    pub source: io::Error,
}

/// Reads what a media file tells about itself. The file's name decides how it is read.
///
/// # Errors
///
/// Only when the file cannot be opened, or is not a file. What cannot be read in it is left out
/// and explained in [`MediaFacts::problems`] or [`MediaFacts::damage`].
pub fn read(path: &Path) -> Result<MediaFacts, MediaError> {
    let fail = |source| MediaError { path: path.to_owned(), source };
    let file = File::open(path).map_err(fail)?;
    let metadata = file.metadata().map_err(fail)?;
    if !metadata.is_file() {
        return Err(fail(io::Error::other("it is not a file")));
    }
    let mut facts =
        MediaFacts { bytes: metadata.len(), media_type: media_type(path), ..MediaFacts::default() };
    if facts.bytes == 0 {
        facts.damage = Some("empty".to_owned());
        return Ok(facts);
    }
    fill(&mut facts, &file);
    facts.chapters = tidy(std::mem::take(&mut facts.chapters), facts.duration);
    Ok(facts)
}

/// Reads what the file's media type promises.
fn fill(facts: &mut MediaFacts, file: &File) {
    let (kind, _) = facts.media_type.split_once('/').unwrap_or_default();
    match (facts.media_type.as_str(), kind) {
        ("audio/mpeg", _) => {
            audio::read(facts, file);
            id3_chapters::read(facts, file);
        }
        (
            "audio/mp4" | "audio/x-m4a" | "video/mp4" | "video/x-m4v" | "video/quicktime"
            | "video/3gpp",
            _,
        ) => mp4::read(facts, file),
        ("audio/webm" | "video/webm" | "video/x-matroska" | "audio/x-matroska", _) => {
            webm::read(facts, file);
        }
        ("image/svg+xml", _) => svg::read(facts, file),
        (_, "image") => image::read(facts, file),
        (_, "audio") => audio::read(facts, file),
        (_, "video") => facts.problem("length", "this kind of video cannot be read"),
        _ => {}
    }
}

impl MediaFacts {
    /// Notes why a fact is missing or doubtful.
    fn problem(&mut self, fact: &str, why: impl fmt::Display) {
        self.problems.push(format!("{fact}: {why}"));
    }

    /// Records that no recording can be read in the file.
    fn is_no_recording(&mut self) {
        self.damage = Some("damaged or not a recording".to_owned());
    }

    /// Keeps what was read, or notes why it could not be.
    fn take<T>(&mut self, fact: &str, result: Result<T, String>) -> Option<T> {
        result.map_err(|why| self.problem(fact, why)).ok()
    }
}

/// Runs a library's parser and turns its panic into an error.
///
/// Media files come from anywhere, and a parser outside this crate may have an index or a division
/// that a broken one upsets; the program must not end for it.
fn contained<T>(parse: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(parse)).unwrap_or_else(|_| Err("the file is damaged".to_owned()))
}

/// Chapters in the order they play, without the times that say nothing.
fn tidy(mut chapters: Vec<Chapter>, duration: Option<f64>) -> Vec<Chapter> {
    // Half of the millisecond that chapter times are stored in.
    const SAME: f64 = 0.0005;
    chapters.retain(|chapter| chapter.start.is_finite() && chapter.start >= 0.0);
    chapters.sort_by(|a, b| a.start.total_cmp(&b.start));
    let mut next = duration;
    for chapter in chapters.iter_mut().rev() {
        let until = next.replace(chapter.start);
        chapter.end = chapter
            .end
            .filter(|end| *end > chapter.start && until.is_none_or(|until| *end < until - SAME));
    }
    chapters
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chapter(start: f64, end: f64) -> Chapter {
        Chapter { start, end: Some(end), ..Chapter::default() }
    }

    #[test]
    fn ends_are_kept_only_before_a_gap() {
        let chapters = vec![chapter(10.0, 18.0), chapter(0.0, 10.0), chapter(20.0, 31.0)];
        let ends: Vec<_> = tidy(chapters, Some(31.0))
            .into_iter()
            .map(|chapter| (chapter.start, chapter.end))
            .collect();
        assert_eq!(ends, [(0.0, None), (10.0, Some(18.0)), (20.0, None)]);
    }

    #[test]
    fn a_panic_in_a_parser_is_an_error() {
        let result: Result<u32, _> = contained(|| panic!("an index out of bounds"));
        assert_eq!(result, Err("the file is damaged".to_owned()));
    }
}
