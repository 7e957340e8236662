//! Media files of the site and external media, with their known properties.

use ::pictures::Shot;
use borsh::{BorshDeserialize, BorshSerialize};

use super::declare::{keys, records};
use super::named::words;
use super::shape::{Kind, Written};
use super::{ArtworkRoles, SitePath};

words! {
    /// Kind of an attachment.
    #[derive(BorshDeserialize, BorshSerialize)]
    Category {
        /// Audio.
        Audio = "audio",
        /// Video.
        Video = "video",
        /// A document to read or download.
        Document = "document",
        /// An image.
        Image = "image",
        /// An external web page.
        ExternalUrl = "external_url",
    }
}

impl Category {
    pub fn of_media_type(media_type: &str) -> Self {
        match media_type.split('/').next() {
            _ if is_playlist(media_type) => Self::Video,
            Some("audio") => Self::Audio,
            Some("video") => Self::Video,
            Some("image") => Self::Image,
            _ => Self::Document,
        }
    }
}

/// Returns whether a media type is one of the types of HLS playlists (RFC 8216), such as
/// `application/vnd.apple.mpegurl` or `application/x-mpegURL`.
pub fn is_playlist(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or_default();
    essence.trim_end().to_ascii_lowercase().ends_with("mpegurl")
}

/// A published file of the site.
#[derive(BorshDeserialize, BorshSerialize, Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MediaFile {
    pub source: SitePath,
    /// Public path, not percent-encoded: `/media/…`.
    pub path: String,
    /// Properties of the picture, if the file is a picture that feedwright can resize.
    pub still: Option<super::ImageInfo>,
    /// Hash of the original picture file, if the site publishes a copy without location and camera
    /// metadata.
    pub bare: Option<u64>,
    /// Whether the picture is used only in bodies, so that publishing its smaller sizes is
    /// sufficient.
    pub is_only_shown: bool,
    /// Whether front matter refers to the file. A damaged picture is then an error, not only a
    /// warning.
    pub is_value: bool,
    /// Artwork roles of the picture.
    pub artwork_roles: ArtworkRoles,
}

impl MediaFile {
    /// Marks the file to be published under its own name, even if it has smaller sizes.
    pub fn named(self) -> Self {
        Self { is_only_shown: false, ..self }
    }
}

/// Main medium of an item: `attachments[0]` in JSON Feed, the enclosure in RSS.
#[derive(BorshDeserialize, BorshSerialize, Debug, Clone, PartialEq)]
pub struct Attachment {
    /// Kind of attachment, set by the author or derived from the media type.
    pub category: Category,
    pub url: String,
    pub mime_type: String,
    pub size_in_bytes: Option<u64>,
    pub duration_in_seconds: Option<f64>,
    /// Width and height in pixels.
    pub dimensions: Option<(u32, u32)>,
    /// Camera settings of a photo, if the site shows any.
    pub shot: Option<Box<Shot>>,
    /// Waveform of a recording: a digit of base 36 for each part, from `0` (silence) to `z`.
    pub waveform: Option<String>,
}

records! {
    /// A picture with its address and alternative text.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq)]
    Image {
        /// URL of the picture.
        Required url: String = "url", Address, alone;
        /// Width of the picture in pixels.
        Optional width: Option<u32> = "width", Between(1, u32::MAX as i64), made;
        /// Height of the picture in pixels.
        Optional height: Option<u32> = "height", Between(1, u32::MAX as i64), made;
        /// Media type of the picture.
        Optional mime_type: Option<String> = "mime_type", Text(255), made;
        /// Alternative text: a description for people who cannot see the picture.
        Optional alt: Option<String> = "alt", Text(2000);
    }
}

/// The [`Kind`] of a key whose value is a picture.
pub const PICTURE: Kind =
    Kind::Own("file or address, or `{url, alt}`", &[Written::Plain, Written::Keys(Image::SHAPE)]);

keys! {
    /// `social_image` as a table. Width, height and media type sent by API clients are ignored if
    /// feedwright can read them from the file.
    SOCIAL_IMAGE {
        /// file or address of the picture
        Required "url", Address;
        /// alternative text: a description for people who cannot see the picture
        Optional "alt", Text(2000);
        /// width in pixels, for an external picture
        Optional "width", Between(1, u32::MAX as i64), example("1200");
        /// height in pixels, for an external picture
        Optional "height", Between(1, u32::MAX as i64), example("630");
        /// media type, for an external picture whose address does not show the type
        Optional "mime_type", Text(255), example("\"image/png\"");
    }

    /// `attachment` as a table.
    ATTACHMENT {
        /// file or address of the attachment
        Optional "url" like "file" like "path", Address;
        /// kind of attachment; derived from the file when left out
        Optional "category", Word(Category::NAMES);
        /// media type; derived from the file when left out
        Optional "mime_type", Text(255), example("\"video/mp4\"");
        /// size in bytes, for an external file
        Optional "size_in_bytes" like "size_in_byte", Count;
        /// duration in seconds, for an external file
        Optional "duration_in_seconds", Number;
    }
}

impl Image {
    /// Returns the width and height in pixels, if both are known.
    pub fn dimensions(&self) -> Option<(u32, u32)> {
        self.width.zip(self.height)
    }
}
