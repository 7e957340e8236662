//! Pictures in the sizes that pages need.

use std::fmt::Debug;
use std::hash::Hash;

use ::pictures::{Format, VERSION, height_at};
use borsh::{BorshDeserialize, BorshSerialize};
use xxhash_rust::xxh3::Xxh3Default;

use super::declare::{field_types, settings};
use super::field_type::Given;
use super::named::words;
use super::record::Lent;
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
    /// Whether it is a JPEG or PNG of red, green and blue that is upright and hides nothing: what any program shows.
    pub is_plain: bool,
}

/// How wide a picture is for one that is as high, rounded: style sheets, which cannot divide, list these. Panoramas and
/// what is as long as a telephone have theirs, and no more than a sixteenth of any is cut off.
pub fn rounded_ratio(width: u32, height: u32) -> f64 {
    let ratio = f64::from(width) / f64::from(height.max(1));
    let parts = match ratio {
        ..0.4 => 40.0,
        ..3.0 => 20.0,
        _ => 4.0,
    };
    (ratio * parts).round().clamp(0.2 * parts, 6.0 * parts) / parts
}

/// Half the sum of ratios, rounded up to a step that style sheets have: small numbers have finer steps. At most 3,
/// since no row is wider.
pub fn half_sum(ratios: impl Iterator<Item = f64>) -> f64 {
    let half: f64 = ratios.sum::<f64>() / 2.0;
    // Avoids rounding errors in sums of hundredths.
    ((half - 1e-9) * 20.0).ceil().clamp(4.0, 60.0) / 20.0
}

settings! {
    /// `[images]`: the sizes in which pictures are published.
    ImageConfig {
        /// [smaller sizes](media-files.md#pictures-in-the-right-size) of pictures are made
        enabled: bool = "enabled", Flag => true;
        /// their widths in pixels, from 16 to 16383
        widths: Vec<u32> = "widths", Own("list of up to 8 numbers", &[Whole(16, 16_383)]), listed => vec![240, 480, 960, 1600];
        /// of WebP and JPEG: less is smaller and coarser
        quality: u8 = "quality", Between(1, 100) => 80;
        /// browsers take WebP if they can; `jpeg` is PNG where a picture is a drawing or can be seen through
        formats: Vec<ImageFormat> = "formats", Own("list of `webp` and `jpeg`", &[Written::Word(ImageFormat::NAMES)]), listed => vec![ImageFormat::WebP, ImageFormat::Jpeg];
    }
}

field_types! {
    Vec<ImageFormat>: |formats| Lent::Hidden(formats), Vec<ImageFormat>, Made(formats) => Some(*formats.downcast().ok()?), None;
}

words! {
    /// What sizes are written as.
    ImageFormat {
        /// WebP.
        WebP = "webp",
        /// JPEG, or PNG for graphics.
        Jpeg = "jpeg",
    }
}

impl From<Vec<ImageFormat>> for Given {
    fn from(formats: Vec<ImageFormat>) -> Self {
        Self::Made(Box::new(formats))
    }
}

/// One size of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Size {
    /// In pixels.
    pub width: u32,
    /// What it is written as.
    pub format: Format,
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

/// The folder of all sizes.
pub const SIZES: &str = "/media/sizes/";

/// The widths in which a picture is published, ascending, in pixels: those that are asked for and that it has, and its
/// own where it is no wider than the widest of them. None for one that is small as it is.
pub fn widths(still: &Still, images: &ImageConfig) -> Vec<u32> {
    let (Some(least), Some(most)) = (images.widths.first(), images.widths.last()) else {
        return Vec::new();
    };
    if still.width <= *least {
        return Vec::new();
    }
    let asked = images.widths.iter().copied();
    let mut widths: Vec<u32> = asked.filter(|width| *width < still.width).collect();
    if still.width <= *most {
        widths.push(still.width);
    }
    widths
}

/// What the sizes of a picture are written as, the format that browsers choose if they can first.
pub fn formats(still: &Still, images: &ImageConfig) -> impl Iterator<Item = Format> {
    let (quality, is_graphic) = (images.quality, still.is_graphic);
    let formats = images.formats.iter();
    formats.map(move |format| match format {
        ImageFormat::WebP => Format::WebP { quality, is_graphic },
        ImageFormat::Jpeg if is_graphic => Format::Png,
        ImageFormat::Jpeg => Format::Jpeg { quality },
    })
}

/// The media type of a format's files.
pub fn media_type(format: Format) -> &'static str {
    match format {
        Format::Jpeg { .. } => "image/jpeg",
        Format::Png => "image/png",
        Format::WebP { .. } => "image/webp",
    }
}

/// The ending of a format's files.
pub fn ending(format: Format) -> &'static str {
    match format {
        Format::Jpeg { .. } => "jpg",
        Format::Png => "png",
        Format::WebP { .. } => "webp",
    }
}

/// Another name for each picture and each way to write it: its address may be kept for ever.
pub fn name_of(still: &Still, size: Size) -> String {
    let mut made_of = Xxh3Default::new();
    let how = match size.format {
        Format::Jpeg { quality } => (0_u8, quality, false),
        Format::Png => (1, 0, false),
        Format::WebP { quality, is_graphic } => (2, quality, is_graphic),
    };
    (VERSION, still.hash, how).hash(&mut made_of);
    let (width, hash) = (size.width, made_of.digest() & 0xff_ffff_ffff);
    format!("{width}.{hash:010x}.{}", ending(size.format))
}

/// The public path of a size: `/media/sizes/walk/harbour-960.3fa92c81d0.webp`.
pub fn path_of(file: &MediaFile, still: &Still, size: Size) -> String {
    let below = file.path.strip_prefix("/media/").unwrap_or(&file.path);
    let name = below.rsplit('/').next().unwrap_or(below);
    let ending = name.rsplit_once('.').map_or(0, |(_, ending)| ending.len() + 1);
    let stem = &below[..below.len() - ending];
    format!("{SIZES}{stem}-{}", name_of(still, size))
}

/// The height of a picture that is so wide, in pixels.
pub fn height_of(still: &Still, width: u32) -> u32 {
    height_at(width, still.width, still.height)
}
