//! The values that the tags of a recording have in common.

/// Maximum size of a cover in bytes.
pub(crate) const MAX_COVER_BYTES: u64 = 16 << 20;

/// Values from the tags of a recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags {
    pub title: Option<String>,
    /// The season, or the number of the disc.
    pub season: Option<u32>,
    /// The episode, or the number of the track.
    pub episode: Option<u32>,
    /// The date of the release, or else of the recording, as written: a year, a day or a time (ISO
    /// 8601).
    pub date: Option<String>,
    /// The description, or else the comment.
    pub description: Option<String>,
    pub cover: Option<Cover>,
}

/// A picture inside a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cover {
    /// The usual extension of such a file: `jpg`, `png` or `webp`.
    pub extension: &'static str,
    pub bytes: Vec<u8>,
}

impl Cover {
    /// Returns a picture if its bytes start like one.
    pub(crate) fn of(bytes: Vec<u8>) -> Option<Self> {
        let extension = match &bytes[..] {
            [0xff, 0xd8, 0xff, ..] => "jpg",
            [0x89, b'P', b'N', b'G', ..] => "png",
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "webp",
            _ => return None,
        };
        let is_whole = (bytes.len() as u64) < MAX_COVER_BYTES;
        is_whole.then_some(Self { extension, bytes })
    }
}
