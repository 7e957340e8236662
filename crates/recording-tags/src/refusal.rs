//! Reasons for leaving a recording unchanged.

use std::io;

/// The reason why a recording cannot get tags. The recording can be published unchanged.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The file starts with these bytes.
    #[error("it starts with {0}, and is not an MP3, M4A, FLAC, Ogg Vorbis or Opus file")]
    Format(String),
    #[error("it is a WAV file, which starts with `RIFF`")]
    Riff,
    #[error("it contains no audio")]
    NoAudio,
    #[error("it is cut off: {0}")]
    CutOff(&'static str),
    #[error("it is damaged: {0}")]
    Damaged(&'static str),
    #[error("tags cannot be written into this kind of file: {0}")]
    Unsupported(&'static str),
    #[error("it cannot be cut: {0}")]
    Cut(&'static str),
    /// Its own tables or tags exceed the memory limit.
    #[error("{0} are larger than {limit} MiB", limit = crate::MAX_BYTES >> 20)]
    TooLarge(&'static str),
    #[error("a new text contains the character U+0000")]
    Text,
    #[error("cannot read it: {0}")]
    Io(#[from] io::Error),
    /// A reason, and the position of its cause in the author's file.
    #[error("{0} (at byte {1})")]
    At(Box<Self>, u64),
}

impl Refusal {
    /// Returns the refusal of a file of another format.
    pub(crate) fn format(file: &[u8]) -> Self {
        let start = &file[..file.len().min(4)];
        let is_readable = start.iter().all(|byte| (b' '..=b'~').contains(byte) && *byte != b'`');
        Self::Format(match std::str::from_utf8(start).ok().filter(|_| is_readable) {
            Some("") => "no bytes".to_owned(),
            Some(text) => format!("`{text}`"),
            None => {
                let bytes = start.iter().map(|byte| format!(" {byte:02x}"));
                format!("the bytes{}", bytes.collect::<String>())
            }
        })
    }

    /// Adds the position of the cause, unless it is already known.
    #[must_use]
    pub(crate) fn at(self, position: u64) -> Self {
        match self {
            Self::At(..) | Self::Io(_) => self,
            reason => Self::At(Box::new(reason), position),
        }
    }

    /// Returns the refusal to cut a recording that cannot get tags either.
    pub(crate) fn of_cut(self) -> Self {
        match self {
            Self::Unsupported(reason) => Self::Cut(reason),
            Self::At(reason, position) => reason.of_cut().at(position),
            reason => reason,
        }
    }

    /// Returns what the author can do, as an imperative.
    pub fn remedy(&self) -> &'static str {
        match self {
            Self::At(reason, _) => reason.remedy(),
            Self::Unsupported(_) | Self::TooLarge(_) => {
                "copy its audio into a new file, with `ffmpeg -i OLD -map 0:a -map_metadata -1 -c copy NEW`"
            }
            Self::Riff => "export it again as MP3, without a WAV header",
            Self::Text => "remove the character",
            Self::Io(_) => "check its permissions",
            _ => "export it again as MP3 or M4A",
        }
    }
}

/// The result of a function that can refuse a recording.
pub type Result<T> = std::result::Result<T, Refusal>;
