//! Media: a file of the site or an address elsewhere, and what is known of it.

use borsh::{BorshDeserialize, BorshSerialize};

use super::declare::{keys, records};
use super::named::words;
use super::shape::{Kind, Written};
use super::{SitePath, StandsFor};

words! {
    /// What an attachment is.
    #[derive(BorshDeserialize, BorshSerialize)]
    Category {
        /// Sound.
        Audio = "audio",
        /// Moving pictures.
        Video = "video",
        /// Something to read or keep.
        Document = "document",
        /// A picture.
        Image = "image",
        /// A page elsewhere.
        ExternalUrl = "external_url",
    }
}

impl Category {
    pub fn of_media_type(media_type: &str) -> Self {
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
        Self { is_only_shown: false, ..self }
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

records! {
    /// A picture.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq)]
    Image {
        /// Its URL.
        Required url: String = "url", Address, alone;
        /// Its width in pixels.
        Optional width: Option<u32> = "width", Between(1, u32::MAX as i64), made;
        /// Its height in pixels.
        Optional height: Option<u32> = "height", Between(1, u32::MAX as i64), made;
        /// Its media type.
        Optional mime_type: Option<String> = "mime_type", Text(255), made;
        /// What it shows, for those who do not see it.
        Optional alt: Option<String> = "alt", Text(2000);
    }
}

/// A picture in a file.
pub const PICTURE: Kind =
    Kind::Own("file or address, or `{url, alt}`", &[Written::Plain, Written::Keys(Image::SHAPE)]);

keys! {
    /// `social_image` as a table. What clients of the API send counts where there is no file that tells.
    SOCIAL_IMAGE {
        /// its file or address
        Required "url", Address;
        /// what it shows, for those who do not see it
        Optional "alt", Text(2000);
        /// its width in pixels, of an address elsewhere
        Optional "width", Between(1, u32::MAX as i64), example("1200");
        /// its height in pixels, of an address elsewhere
        Optional "height", Between(1, u32::MAX as i64), example("630");
        /// its media type, of an address elsewhere that does not tell
        Optional "mime_type", Text(255), example("\"image/png\"");
    }

    /// `attachment` as a table.
    ATTACHMENT {
        /// its file or address
        Optional "url" like "file" like "path", Address;
        /// what it is; follows from the file
        Optional "category", Word(Category::NAMES);
        /// its media type; follows from the file
        Optional "mime_type", Text(255), example("\"video/mp4\"");
        /// its size in bytes, of an address elsewhere
        Optional "size_in_bytes" like "size_in_byte", Count;
        /// how long it plays in seconds, of an address elsewhere
        Optional "duration_in_seconds", Number;
    }
}

impl Image {
    /// Its width and height in pixels.
    pub fn dimensions(&self) -> Option<(u32, u32)> {
        self.width.zip(self.height)
    }
}
