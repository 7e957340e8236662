//! Writes tags into recordings: title, show, people, cover, chapters and more. Also cuts clips.
//!
//! ```no_run
//! use std::fs::File;
//!
//! use recording_tags::{Tags, tagged};
//!
//! let tags = Tags { title: Some("Walk".to_owned()), ..Tags::default() };
//! let mut recording = File::open("walk.mp3")?;
//! let published = tagged(&mut recording, "mp3", &tags)?;
//! published.copy(&mut recording, &mut File::create("public/walk.mp3")?)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`tagged`] reads only the headers and tags of a recording. The result, [`Tagged`], lists the new
//! bytes and the ranges of the author's file between them. A build copies these parts with
//! [`Tagged::copy`], and a server reads any range with [`Tagged::reader`].
//!
//! # Invariants
//!
//! - The audio is the same, bit for bit. A file's own tags remain, unless [`Tags`] has a value for
//!   them.
//! - The same recording and tags always result in the same bytes. Tagging a result again changes
//!   nothing.
//! - The memory does not depend on the length of a recording, apart from its tables of positions,
//!   and is at most 32 MiB.
//! - A recording that is damaged, or too unusual to change safely, is a [`Refusal`].

mod bytes;
mod flac;
mod mp3;
mod mp4;
mod ogg;
mod refusal;
mod tagged;
mod tags;
mod vorbis_comments;

use std::io::{Read, Seek};
use std::ops::Range;

pub use refusal::{Refusal, Result};
pub use tagged::{Patch, Piece, Reader, Tagged};
pub use tags::{Chapter, Person, Picture, Tags};

/// Maximum size in bytes of all values of [`Tags`], and of each tag or table that is read from a
/// file.
pub const MAX_BYTES: u64 = 4 << 20;

/// Returns the extensions of files that [`tagged`] supports, in lower case.
pub const EXTENSIONS: [&str; 8] = ["mp3", "m4a", "m4b", "mp4", "flac", "ogg", "oga", "opus"];

/// Returns the published form of a recording: the author's file with these tags. The content
/// determines the format. The extension only helps with MP3 files that start with other bytes.
///
/// # Errors
///
/// Fails if the recording cannot be read, or cannot get tags. It can be published unchanged then.
pub fn tagged(source: &mut (impl Read + Seek), extension: &str, tags: &Tags) -> Result<Tagged> {
    check(tags)?;
    // Some programs put an ID3 tag before other formats.
    let start = media_facts::mpeg_audio::skip_tags(source)?;
    let head = bytes::read_at(source, start, 12)?;
    match head.get(..4) {
        Some(b"fLaC") => flac::tagged(source, start, tags),
        Some(b"OggS") if start == 0 => ogg::tagged(source, tags),
        _ if mp4::is_mp4(&head) => match start {
            0 => mp4::tagged(source, tags),
            _ => Err(Refusal::Unsupported("an ID3 tag comes before its MP4 boxes").at(0)),
        },
        _ => mp3::tagged(source, extension, tags),
    }
}

/// Returns the extension of a clip of a recording with this extension, in lower case. Returns `None`
/// for formats that [`cut`] does not support.
pub fn clip_extension(extension: &str) -> Option<&'static str> {
    match extension {
        "mp3" => Some("mp3"),
        "m4a" | "m4b" | "mp4" => Some("m4a"),
        _ => None,
    }
}

/// Returns a part of a recording with these tags, and none of the author's file. The part is cut
/// without decoding it, and contains only audio. `milliseconds` counts from the start of the
/// recording.
///
/// # Errors
///
/// Fails if the recording cannot be read, if its content or extension does not belong to an MP3 or
/// M4A file, or if it ends before the part starts.
pub fn cut(
    source: &mut (impl Read + Seek),
    extension: &str,
    milliseconds: Range<u64>,
    tags: &Tags,
) -> Result<Tagged> {
    check(tags)?;
    if milliseconds.is_empty() {
        return Err(Refusal::Cut("the clip has no duration"));
    }
    let start = media_facts::mpeg_audio::skip_tags(source)?;
    let head = bytes::read_at(source, start, 12)?;
    let clip = match (head.get(..4), clip_extension(extension)) {
        (_, Some("m4a")) if start == 0 && mp4::is_mp4(&head) => {
            mp4::cut(source, &milliseconds, tags)
        }
        (Some(b"fLaC" | b"OggS" | b"RIFF"), _) => Err(CUT),
        _ if mp4::is_mp4(&head) => Err(CUT),
        (_, Some("mp3")) => mp3::cut(source, &milliseconds, tags),
        _ => Err(CUT),
    };
    clip.map_err(Refusal::of_cut)
}

const CUT: Refusal = Refusal::Cut("it is not an MP3 or M4A file");

/// Checks that tags can be written into every format.
fn check(tags: &Tags) -> Result<()> {
    if tags.texts().any(|text| text.contains('\0')) {
        return Err(Refusal::Text);
    }
    if tags.size() > MAX_BYTES {
        return Err(Refusal::TooLarge("its new texts and pictures"));
    }
    Ok(())
}
