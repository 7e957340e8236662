//! Writes tags into recordings: title, show, people, cover, chapters and more.
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
    if tags.texts().any(|text| text.contains('\0')) {
        return Err(Refusal::Text);
    }
    if tags.size() > MAX_BYTES {
        return Err(Refusal::TooLarge("its new texts and pictures"));
    }
    // Some programs put an ID3 tag before other formats.
    let start = media_facts::mpeg_audio::skip_tags(source)?;
    let head = bytes::read_at(source, start, 12)?;
    match (head.get(..4), head.get(4..8)) {
        (Some(b"fLaC"), _) => flac::tagged(source, start, tags),
        (Some(b"OggS"), _) if start == 0 => ogg::tagged(source, tags),

        (_, Some(b"ftyp")) if start == 0 => mp4::tagged(source, tags),
        _ => mp3::tagged(source, extension, tags),
    }
}
