//! Reasons for leaving a recording unchanged.

use std::io;

/// The reason why a recording cannot get tags. The recording can be published unchanged.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    #[error("it is not an MP3, M4A, FLAC, Ogg Vorbis or Opus file")]
    Format,
    #[error("it contains no audio")]
    NoAudio,
    #[error("it is cut off: {0}")]
    CutOff(&'static str),
    #[error("it is damaged: {0}")]
    Damaged(&'static str),
    #[error("tags cannot be written into this kind of file: {0}")]
    Unsupported(&'static str),
    #[error("only MP3 files can be cut")]
    Cut,
    /// Its own tables or tags exceed the memory limit.
    #[error("{0} are larger than {limit} MiB", limit = crate::MAX_BYTES >> 20)]
    TooLarge(&'static str),
    #[error("a new text contains the character U+0000")]
    Text,
    #[error("cannot read it: {0}")]
    Io(#[from] io::Error),
}

/// The result of a function that can refuse a recording.
pub type Result<T> = std::result::Result<T, Refusal>;
