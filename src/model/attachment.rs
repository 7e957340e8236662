//! Media: a file of the site or an address elsewhere, and what is known of it.

use borsh::{BorshDeserialize, BorshSerialize};
use serde::Serialize;

use super::{SitePath, StandsFor};

#[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    /// Sound.
    Audio,
    Video,
    /// Something to read or keep.
    Document,
    Image,
    /// A page elsewhere.
    ExternalUrl,
}

impl Category {
    /// The names an author can write, in the order of the documentation.
    pub const NAMES: [&str; 5] = ["audio", "video", "document", "image", "external_url"];

    pub fn parse(text: &str) -> Option<Self> {
        match text {
            "audio" => Some(Self::Audio),
            "video" => Some(Self::Video),
            "document" => Some(Self::Document),
            "image" => Some(Self::Image),
            "external_url" => Some(Self::ExternalUrl),
            _ => None,
        }
    }

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Audio => "audio",
            Self::Video => "video",
            Self::Document => "document",
            Self::Image => "image",
            Self::ExternalUrl => "external_url",
        }
    }

    pub(crate) fn of_media_type(media_type: &str) -> Self {
        match media_type.split('/').next() {
            Some("audio") => Self::Audio,
            Some("video") => Self::Video,
            Some("image") => Self::Image,
            _ => Self::Document,
        }
    }
}

/// A file of the site that is published.
#[derive(BorshDeserialize, BorshSerialize, Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MediaFile {
    pub source: SitePath,
    /// Its public path, not percent-encoded: `/media/…`.
    pub path: String,
    /// What is known of a picture that can be made smaller.
    pub still: Option<super::Still>,
    /// The hash of a picture's bytes, where a copy without what tells of a place is published in its stead.
    pub bare: Option<u64>,
    /// Whether texts only show it in place, so that its sizes are enough.
    pub is_only_shown: bool,
    /// Whether a key of front matter names it. A damaged picture is an error then, in a text it is a warning.
    pub is_value: bool,
    /// What it is the artwork of.
    pub stands_for: StandsFor,
}

impl MediaFile {
    /// The same, published under its own name.
    pub fn named(self) -> Self {
        Self {
            is_only_shown: false,
            ..self
        }
    }
}

/// An item's one main medium: JSON Feed's `attachments[0]`, RSS's enclosure.
#[derive(BorshDeserialize, BorshSerialize, Debug, Clone, PartialEq)]
pub struct Attachment {
    /// What its media type says it is, or its author.
    pub category: Category,
    pub url: String,
    pub mime_type: String,
    pub size_in_bytes: Option<u64>,
    pub duration_in_seconds: Option<f64>,
    /// Width and height in pixels.
    pub dimensions: Option<(u32, u32)>,
}

#[derive(BorshDeserialize, BorshSerialize, Debug, Clone, PartialEq, Hash)]
pub struct Image {
    pub url: String,
    /// What it shows, for those who do not see it.
    pub alt: Option<String>,
    /// Its media type, where known.
    pub mime_type: Option<String>,
    /// Width and height in pixels, where known.
    pub dimensions: Option<(u32, u32)>,
}
