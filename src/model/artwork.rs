//! Artwork: pictures that stand for a channel or an episode, in the sizes that directories, apps and browsers ask for.

use ::pictures::Format;
use borsh::{BorshDeserialize, BorshSerialize};

use super::pictures::{formats, widths};
use super::{ImageConfig, MediaFile, Size, Still};

/// What a picture stands for, beside what pages show of it.
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
pub struct StandsFor {
    /// Whether it is the channel's icon.
    pub channel: bool,
    /// Whether it is the channel's favicon.
    pub favicon: bool,
    /// Whether it is the cover of an episode.
    pub episode: bool,
}

impl StandsFor {
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            channel: self.channel || other.channel,
            favicon: self.favicon || other.favicon,
            episode: self.episode || other.episode,
        }
    }
}

/// Pixels of a side that Apple's directory takes, at least. Others ask for the same, or for less.
pub const LEAST: u32 = 1400;
/// And at most.
pub const MOST: u32 = 3000;

/// Pixels of a side of RSS's own image, at most (RSS 2.0).
pub const RSS: u32 = 144;
/// Pixels of a side that JSON Feed 1.1 recommends for an icon.
pub const JSON_ICON: u32 = 512;
/// Pixels of a side that JSON Feed 1.1 recommends for a favicon.
pub const FAVICON: u32 = 64;
/// Pixels of a side of the icon on the home screen of a phone.
pub const TOUCH: u32 = 180;
/// Pixels of a side of what apps choose from, beside the whole (`podcast:image`).
pub const OF_APPS: [u32; 3] = [LEAST, 600, 300];

/// Artwork as directories take it, where its file is not: a JPEG of red, green and blue. Nothing is ever cut off or
/// enlarged, so what is not square stays as it is.
pub fn for_directories(still: &Still, images: &ImageConfig) -> Option<Size> {
    let is_fit = still.is_plain && still.width <= MOST;
    let made = images.enabled && is_square(still) && !is_fit;
    made.then_some(Size {
        width: still.width.min(MOST),
        format: Format::Jpeg { quality: images.quality },
    })
}

/// A smaller square that every program shows.
pub fn square(still: &Still, images: &ImageConfig, side: u32) -> Option<Size> {
    let made = images.enabled && is_square(still) && still.width > side;
    made.then_some(Size {
        width: side,
        format: match still.is_graphic {
            true => Format::Png,
            false => Format::Jpeg { quality: images.quality },
        },
    })
}

/// Whether it is as wide as it is high.
pub fn is_square(still: &Still) -> bool {
    still.width == still.height
}

/// All sizes of a picture: those of pages, and those of what it stands for.
pub fn sizes(file: &MediaFile, images: &ImageConfig) -> Vec<Size> {
    let Some(still) = file.still.as_ref().filter(|_| images.enabled) else {
        return Vec::new();
    };
    let widths = widths(still, images);
    let formats = formats(still, images);
    let sizes = formats.flat_map(|format| widths.iter().map(move |width| (*width, format)));
    let mut sizes: Vec<Size> = sizes.map(|(width, format)| Size { width, format }).collect();
    for size in of_artwork(file.stands_for, still, images) {
        if !sizes.contains(&size) {
            sizes.push(size);
        }
    }
    sizes
}

fn of_artwork(stands_for: StandsFor, still: &Still, images: &ImageConfig) -> Vec<Size> {
    let mut sizes = Vec::new();
    if stands_for.channel || stands_for.episode {
        sizes.extend(for_directories(still, images));
    }
    if stands_for.channel {
        let sides = OF_APPS.into_iter().chain([JSON_ICON, TOUCH, RSS]);
        sizes.extend(sides.filter_map(|side| square(still, images, side)));
    }
    if stands_for.favicon {
        sizes.extend(square(still, images, FAVICON));
    }
    sizes
}
