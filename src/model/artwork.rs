//! Artwork: pictures that represent a channel or an episode, in the sizes that directories, apps
//! and browsers request.

use ::pictures::Format;
use borsh::{BorshDeserialize, BorshSerialize};

use super::pictures::{formats, widths};
use super::{ImageConfig, ImageInfo, MediaFile, Size};

/// The artwork roles of a picture. A picture without a role appears only on pages.
#[derive(
    BorshDeserialize,
    BorshSerialize,
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
)]
pub struct ArtworkRoles {
    /// Whether the picture is the channel's icon.
    pub channel: bool,
    /// Whether the picture is the channel's favicon.
    pub favicon: bool,
    /// Whether the picture is the cover of an episode.
    pub episode: bool,
}

impl ArtworkRoles {
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            channel: self.channel || other.channel,
            favicon: self.favicon || other.favicon,
            episode: self.episode || other.episode,
        }
    }
}

/// Minimum width and height of artwork in Apple's directory, in pixels. Other directories require
/// the same size or less.
pub const MIN_ARTWORK: u32 = 1400;
/// Maximum width and height of artwork in Apple's directory, in pixels.
pub const MAX_ARTWORK: u32 = 3000;

/// Maximum width and height of the `<image>` element in RSS 2.0, in pixels.
pub const RSS: u32 = 144;
/// Width and height that JSON Feed 1.1 recommends for an icon, in pixels.
pub const JSON_ICON: u32 = 512;
/// Width and height that JSON Feed 1.1 recommends for a favicon, in pixels.
pub const FAVICON: u32 = 64;
/// Width and height of the icon on a phone's home screen, in pixels.
pub const TOUCH_ICON: u32 = 180;
/// Widths and heights of the square pictures that apps can choose from (`podcast:image`), in
/// pixels. Apps can also choose the full-size picture.
pub const APP_SIZES: [u32; 3] = [MIN_ARTWORK, 600, 300];

/// Returns the size to generate for podcast directories, as an RGB JPEG. Returns None if the
/// original file meets their requirements, if sizes are disabled, or if the picture is not square,
/// since artwork is never cropped or enlarged.
pub fn directory_size(still: &ImageInfo, images: &ImageConfig) -> Option<Size> {
    let is_fit = still.is_plain && still.width <= MAX_ARTWORK;
    let made = images.enabled && is_square(still) && !is_fit;
    made.then_some(Size {
        width: still.width.min(MAX_ARTWORK),
        format: Format::Jpeg { quality: images.quality },
    })
}

/// Returns the size of a smaller square copy in a format that every program can show. Returns None
/// if the picture is not square, if it is not wider than `side`, or if sizes are disabled.
pub fn square(still: &ImageInfo, images: &ImageConfig, side: u32) -> Option<Size> {
    let made = images.enabled && is_square(still) && still.width > side;
    made.then_some(Size {
        width: side,
        format: match still.is_graphic {
            true => Format::Png,
            false => Format::Jpeg { quality: images.quality },
        },
    })
}

pub fn is_square(still: &ImageInfo) -> bool {
    still.width == still.height
}

/// Returns all sizes of a picture: the sizes for pages and the sizes for its artwork roles. The
/// list is empty if the picture cannot be resized or sizes are disabled.
pub fn sizes(file: &MediaFile, images: &ImageConfig) -> Vec<Size> {
    let Some(still) = file.still.as_ref().filter(|_| images.enabled) else {
        return Vec::new();
    };
    let widths = widths(still, images);
    let formats = formats(still, images);
    let sizes = formats.flat_map(|format| widths.iter().map(move |width| (*width, format)));
    let mut sizes: Vec<Size> = sizes.map(|(width, format)| Size { width, format }).collect();
    for size in artwork_sizes(file.artwork_roles, still, images) {
        if !sizes.contains(&size) {
            sizes.push(size);
        }
    }
    sizes
}

fn artwork_sizes(
    artwork_roles: ArtworkRoles,
    still: &ImageInfo,
    images: &ImageConfig,
) -> Vec<Size> {
    let mut sizes = Vec::new();
    if artwork_roles.channel || artwork_roles.episode {
        sizes.extend(directory_size(still, images));
    }
    if artwork_roles.channel {
        let sides = APP_SIZES.into_iter().chain([JSON_ICON, TOUCH_ICON, RSS]);
        sizes.extend(sides.filter_map(|side| square(still, images, side)));
    }
    if artwork_roles.favicon {
        sizes.extend(square(still, images, FAVICON));
    }
    sizes
}
