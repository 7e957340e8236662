//! Pictures in the sizes that pages need.

use std::fmt::Debug;

use borsh::{BorshDeserialize, BorshSerialize};

use super::{Diagnostic, MediaFile};

/// A picture that sizes can be made of.
#[derive(
    BorshDeserialize, BorshSerialize, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash,
)]
pub struct Still {
    /// In pixels, upright.
    pub width: u32,
    /// In pixels, upright.
    pub height: u32,
    /// Of its bytes.
    pub hash: u64,
    /// Whether it is a drawing, or can be seen through: better kept without loss.
    pub is_graphic: bool,
    /// Whether it is published without some of its bytes: without what tells of a place.
    pub has_metadata: bool,
}

/// `[images]`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ImageConfig {
    /// Whether sizes are made.
    pub enabled: bool,
    /// In pixels, ascending.
    pub widths: Vec<u32>,
    /// From 1, small and coarse, to 100.
    pub quality: u8,
    /// WebP, and what every browser knows.
    pub formats: Vec<ImageFormat>,
}

impl Default for ImageConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            widths: vec![240, 480, 960, 1600],
            quality: 80,
            formats: vec![ImageFormat::WebP, ImageFormat::Jpeg],
        }
    }
}

/// What sizes are written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ImageFormat {
    /// WebP.
    WebP,
    /// JPEG, or PNG for graphics.
    Jpeg,
}

impl ImageFormat {
    /// As authors write them.
    pub const NAMES: [&str; 2] = ["webp", "jpeg"];

    /// The format with such a name.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "webp" => Some(Self::WebP),
            "jpeg" => Some(Self::Jpeg),
            _ => None,
        }
    }
}

/// One size of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Size {
    /// In pixels.
    pub width: u32,
    /// What it is written as.
    pub format: pictures::Format,
}

/// Makes the sizes of pictures, or has them from an earlier run. What it answers depends on the picture's bytes
/// alone.
pub trait Pictures: Debug + Send + Sync {
    /// The bytes of a size. Those of the picture itself, where it is damaged.
    fn size(&self, file: &MediaFile, size: Size) -> Result<Vec<u8>, Diagnostic>;

    /// A tiny picture to be shown until the other is there: a WebP file. None where it is not known.
    fn stand_in(&self, file: &MediaFile) -> Option<Vec<u8>>;

    /// A picture as it is published, without what its metadata tells.
    fn published(&self, file: &MediaFile) -> Result<Vec<u8>, Diagnostic>;
}
