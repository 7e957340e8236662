//! Facts about media files, from their headers: size, type, length, dimensions and chapters.
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
//! # Invariants
//!
//! - The crate does not depend on sites: it takes the path of a file, and returns facts.
//! - Reading is lenient: a broken file loses only the facts that cannot be read, and
//!   [`MediaFacts::problems`] explains each missing fact.
//! - Reading is bounded: the crate reads headers, indexes and the ends of a file, not the media in
//!   it. If it must count all frames or pages to measure the length (`mpeg_audio`, `adts`, `ogg`),
//!   their number is limited. A picture is read completely, once, to compute the hash that shows
//!   whether the picture has changed.
//! - Third-party parsers may panic on a broken file. Such a panic is caught and recorded as a
//!   problem of the file, if panics unwind (`panic = "abort"` ends the program).
//! - Text in a file is returned unchanged and not validated: the link of a chapter may be
//!   malicious.
//! - A length or dimension is exact, or missing with an explanation. A length is never estimated
//!   from a bit rate that may change, and never taken from a header that the file contradicts.
//!
//! # Why the crate has its own parsers
//!
//! Libraries reject headers of files that players accept, or return estimated durations as if they
//! were exact. `imagesize` reads the dimensions of the picture formats that the `pictures` crate
//! does not support.

mod adts;
mod audio;
mod bounded;
mod chunks;
mod flac;
mod id3;
mod id3_chapters;
pub mod id3_v22;
mod image;
mod length;
mod mp4;
pub mod mpeg_audio;
mod ogg;
pub mod playlist;
mod svg;
mod tag_values;
mod tags;
mod types;
mod vorbis_comments;
mod webm;

use std::fmt;
use std::fs::File;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

pub use id3::synchronise;
pub use image::shot;
pub use tag_values::{Cover, Tags};
pub use tags::tags;
pub use types::{media_type, media_types};

/// Facts about a media file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MediaFacts {
    /// Size of the file in bytes. For a picture, the size without the metadata that feedwright does
    /// not publish.
    pub bytes: u64,
    /// Media type that belongs to the file extension, see [`media_type`].
    pub media_type: String,
    /// Duration in seconds, for audio and video.
    pub duration: Option<f64>,
    /// Width and height in pixels as displayed, after the rotation that the file specifies.
    pub dimensions: Option<(u32, u32)>,
    /// Data about a picture from which smaller versions can be made.
    pub picture: Option<pictures::Facts>,
    /// Data about a picture's copy without metadata.
    pub bare: Option<pictures::Bare>,
    /// Camera settings of a photo. [`read`] does not fill this field, see [`shot`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shot: Option<Box<pictures::Shot>>,
    /// Waveform of a recording. [`read`] does not fill this field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waveform: Option<String>,
    /// Codecs (RFC 6381), if the extension or a [`playlist`] states them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub codecs: Option<String>,
    /// Whether a playlist contains only audio. [`read`] does not fill this field.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_audio: bool,
    /// Hash of the file (W3C Subresource Integrity). [`read`] does not fill this field.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub integrity: Option<String>,
    /// Chapters embedded in the file, in playing order. The end of a chapter is only set if it is
    /// earlier than the start of the next chapter or, for the last chapter, the end of the file.
    pub chapters: Vec<Chapter>,
    /// Reasons why facts are missing or uncertain, one sentence each. They are shown as warnings.
    pub problems: Vec<String>,
    /// Reason why the file cannot be used at all, such as "damaged or not an image". Messages show
    /// it after the file's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub damage: Option<String>,
}

/// A chapter embedded in a media file.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Chapter {
    /// Start of the chapter, in seconds from the start of the file.
    pub start: f64,
    /// End of the chapter, in seconds from the start of the file. None if the chapter ends where
    /// the next chapter starts, or at the end of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<f64>,
    /// Title to show in players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Link of the chapter, exactly as in the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// Whether the chapter is hidden: the file omits it from its table of contents.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_hidden: bool,
}

/// Error for a media file that could not be opened.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}: {source}", path.display())]
pub struct MediaError {
    /// Path of the file, as the caller passed it.
    pub path: PathBuf,
    pub source: io::Error,
}

/// Reads the facts about a media file. The file extension determines how the file is read.
///
/// # Errors
///
/// Fails only when the file cannot be opened, or is not a file. Facts that cannot be read are
/// omitted, and explained in [`MediaFacts::problems`] or [`MediaFacts::damage`].
pub fn read(path: &Path) -> Result<MediaFacts, MediaError> {
    let fail = |source| MediaError { path: path.to_owned(), source };
    let file = File::open(path).map_err(fail)?;
    let metadata = file.metadata().map_err(fail)?;
    if !metadata.is_file() {
        return Err(fail(io::Error::other("it is not a file")));
    }
    // The media type of an Ogg file does not state its codec. Only Opus has its own extension.
    let is_opus = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("opus"));
    let mut facts = MediaFacts {
        bytes: metadata.len(),
        media_type: media_type(path),
        codecs: is_opus.then(|| "opus".to_owned()),
        ..MediaFacts::default()
    };
    if facts.bytes == 0 {
        facts.damage = Some("empty".to_owned());
        return Ok(facts);
    }
    fill(&mut facts, &file);
    facts.chapters = normalize_chapters(std::mem::take(&mut facts.chapters), facts.duration);
    Ok(facts)
}

/// Reads the facts that apply to this media type.
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
        (_, "video") => facts.add_problem("length", "this video format is not supported"),
        _ => {}
    }
}

impl MediaFacts {
    /// Records why a fact is missing or uncertain.
    fn add_problem(&mut self, fact: &str, why: impl fmt::Display) {
        self.problems.push(format!("{fact}: {why}"));
    }

    /// Records that the file contains no readable audio or video.
    fn report_no_recording(&mut self) {
        self.damage = Some("damaged or not a recording".to_owned());
    }

    /// Returns the fact if it could be read. Otherwise, records the reason.
    fn take<T>(&mut self, fact: &str, result: Result<T, String>) -> Option<T> {
        result.map_err(|why| self.add_problem(fact, why)).ok()
    }
}

/// Runs a library's parser, and converts a panic into an error.
///
/// Media files come from untrusted sources. A broken file can cause an invalid index or a division
/// by zero in a third-party parser, which must not end the program.
fn catch_panic<T>(parse: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(parse)).unwrap_or_else(|_| Err("the file is damaged".to_owned()))
}

/// Sorts chapters into playing order, and removes invalid chapters and redundant ends.
fn normalize_chapters(mut chapters: Vec<Chapter>, duration: Option<f64>) -> Vec<Chapter> {
    // Half a millisecond. Chapter times in files are often rounded to milliseconds.
    const MAX_ROUNDING: f64 = 0.0005;
    chapters.retain(|chapter| chapter.start.is_finite() && chapter.start >= 0.0);
    chapters.sort_by(|a, b| a.start.total_cmp(&b.start));
    let mut next = duration;
    for chapter in chapters.iter_mut().rev() {
        let until = next.replace(chapter.start);
        chapter.end = chapter.end.filter(|end| {
            *end > chapter.start && until.is_none_or(|until| *end < until - MAX_ROUNDING)
        });
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
    fn chapter_ends_are_kept_only_before_a_gap() {
        let chapters = vec![chapter(10.0, 18.0), chapter(0.0, 10.0), chapter(20.0, 31.0)];
        let ends: Vec<_> = normalize_chapters(chapters, Some(31.0))
            .into_iter()
            .map(|chapter| (chapter.start, chapter.end))
            .collect();
        assert_eq!(ends, [(0.0, None), (10.0, Some(18.0)), (20.0, None)]);
    }

    #[test]
    fn a_panic_in_a_parser_is_an_error() {
        let result: Result<u32, _> = catch_panic(|| panic!("an index out of bounds"));
        assert_eq!(result, Err("the file is damaged".to_owned()));
    }
}
