//! The sizes in which pictures are published, with their formats and file names.

use std::fmt::Debug;
use std::hash::Hash;

use ::pictures::{Format, VERSION, height_at};
use borsh::{BorshDeserialize, BorshSerialize};
use xxhash_rust::xxh3::Xxh3Default;

use super::declare::{field_types, settings};
use super::field_type::ReadValue;
use super::named::words;
use super::record::FieldValue;
use super::{Diagnostic, MediaFile, SocialCard};

/// The properties of a picture that can be resized.
#[derive(
    BorshDeserialize, BorshSerialize, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash,
)]
pub struct ImageInfo {
    /// Width of the upright picture in pixels.
    pub width: u32,
    /// Height of the upright picture in pixels.
    pub height: u32,
    /// Hash of the file's bytes.
    pub hash: u64,
    /// Whether the picture is a drawing or has transparency, and should be compressed losslessly.
    pub is_graphic: bool,
    /// Whether every program can show the file: an upright JPEG or PNG in opaque RGB.
    pub is_plain: bool,
}

/// Returns the rounded ratio of a picture's width to its height. Style sheets cannot compute
/// ratios, so they have a rule for each rounded ratio. The ratios cover panoramas and pictures as
/// tall as a phone screen. Cropping a picture to its rounded ratio removes at most a sixteenth of
/// it.
pub fn rounded_ratio(width: u32, height: u32) -> f64 {
    let ratio = f64::from(width) / f64::from(height.max(1));
    let parts = match ratio {
        ..0.4 => 40.0,
        ..3.0 => 20.0,
        _ => 4.0,
    };
    (ratio * parts).round().clamp(0.2 * parts, 6.0 * parts) / parts
}

/// Returns half the sum of the aspect ratios of a gallery's pictures, rounded up to a value for
/// which style sheets have a rule. The maximum is 3, since no row of a gallery is wider.
pub fn half_ratio_sum(ratios: impl Iterator<Item = f64>) -> f64 {
    let half: f64 = ratios.sum::<f64>() / 2.0;
    // Avoids rounding errors in sums of hundredths.
    ((half - 1e-9) * 20.0).ceil().clamp(4.0, 60.0) / 20.0
}

settings! {
    /// `[images]`: sizes in which pictures are published.
    ImageConfig {
        /// makes [smaller sizes](media-files.md#pictures-in-the-right-size) of pictures
        enabled: bool = "enabled", Flag => true;
        /// widths in pixels, from 16 to 16383
        widths: Vec<u32> = "widths", Own("list of up to 8 numbers", &[Whole(16, 16_383)]), listed => vec![240, 480, 960, 1600];
        /// quality of WebP and JPEG; lower numbers produce smaller files with coarser pictures
        quality: u8 = "quality", Between(1, 100) => 80;
        /// formats of the smaller sizes; with `jpeg`, drawings and pictures with transparency
        /// become PNG
        formats: Vec<ImageFormat> = "formats", Own("list of `webp` and `jpeg`", &[Written::Word(ImageFormat::NAMES)]), listed => vec![ImageFormat::WebP, ImageFormat::Jpeg];
        /// [facts about photos](media-files.md#camera-and-exposure) to show, in this order
        show: Vec<PhotoFact> = "show", Own("list of `camera`, `lens`, `exposure`, `date` and `location`", &[Written::Word(PhotoFact::NAMES)]), listed => Vec::<PhotoFact>::new();
    }
}

field_types! {
    Vec<ImageFormat>: |formats| FieldValue::Hidden(formats), Vec<ImageFormat>, Made(formats) => Some(*formats.downcast().ok()?), None;
    Vec<PhotoFact>: |facts| FieldValue::Hidden(facts), Vec<PhotoFact>, Made(facts) => Some(*facts.downcast().ok()?), None;
}

words! {
    /// Format in which sizes of pictures are written.
    ImageFormat {
        /// WebP.
        WebP = "webp",
        /// JPEG, or PNG for graphics.
        Jpeg = "jpeg",
    }

    /// Fact about a photo, from its Exif data.
    PhotoFact {
        /// Brand and model of the camera.
        Camera = "camera",
        /// Name of the lens.
        Lens = "lens",
        /// Exposure time, aperture, sensitivity and focal length.
        Exposure = "exposure",
        /// Day on which the photo was taken.
        Date = "date",
        /// Coordinates, with a link to a map.
        Location = "location",
    }
}

impl From<Vec<ImageFormat>> for ReadValue {
    fn from(formats: Vec<ImageFormat>) -> Self {
        Self::Made(Box::new(formats))
    }
}

impl From<Vec<PhotoFact>> for ReadValue {
    fn from(facts: Vec<PhotoFact>) -> Self {
        Self::Made(Box::new(facts))
    }
}

/// One size of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Size {
    /// Width in pixels.
    pub width: u32,
    /// Format of the file.
    pub format: Format,
}

/// Resizes pictures, or returns the results of an earlier run. The results depend only on the bytes
/// of the picture.
pub trait Pictures: Debug + Send + Sync {
    /// Returns the bytes of a size. If the picture is damaged, returns the bytes of the published
    /// picture instead.
    fn size(&self, file: &MediaFile, size: Size) -> Result<Vec<u8>, Diagnostic>;

    /// Returns a tiny WebP placeholder to show until the picture has loaded. Returns None if no
    /// placeholder is known.
    fn placeholder_image(&self, file: &MediaFile) -> Option<Vec<u8>>;

    /// Draws a social card.
    fn card(&self, card: &SocialCard<'_>) -> Vec<u8>;

    /// Returns the bytes of the published picture, without location and camera metadata.
    fn published(&self, file: &MediaFile) -> Result<Vec<u8>, Diagnostic>;
}

/// Public folder that contains the sizes of all pictures.
pub const SIZES: &str = "/media/sizes/";

/// Returns the widths in which a picture is published, ascending, in pixels. These are the
/// configured widths below the picture's width, and the picture's width if it does not exceed the
/// largest configured width. The list is empty if the picture is no wider than the smallest
/// configured width.
pub fn widths(still: &ImageInfo, images: &ImageConfig) -> Vec<u32> {
    let (Some(min), Some(most)) = (images.widths.first(), images.widths.last()) else {
        return Vec::new();
    };
    if still.width <= *min {
        return Vec::new();
    }
    let asked = images.widths.iter().copied();
    let mut widths: Vec<u32> = asked.filter(|width| *width < still.width).collect();
    if still.width <= *most {
        widths.push(still.width);
    }
    widths
}

/// Returns the formats of a picture's sizes, starting with the format that browsers should prefer.
pub fn formats(still: &ImageInfo, images: &ImageConfig) -> impl Iterator<Item = Format> {
    let (quality, is_graphic) = (images.quality, still.is_graphic);
    let formats = images.formats.iter();
    formats.map(move |format| match format {
        ImageFormat::WebP => Format::WebP { quality, is_graphic },
        ImageFormat::Jpeg if is_graphic => Format::Png,
        ImageFormat::Jpeg => Format::Jpeg { quality },
    })
}

/// Returns the media type of a format.
pub fn media_type(format: Format) -> &'static str {
    match format {
        Format::Jpeg { .. } | Format::BaselineJpeg { .. } => "image/jpeg",
        Format::Png => "image/png",
        Format::WebP { .. } => "image/webp",
    }
}

/// Returns the file extension of a format.
pub fn ending(format: Format) -> &'static str {
    match format {
        Format::Jpeg { .. } | Format::BaselineJpeg { .. } => "jpg",
        Format::Png => "png",
        Format::WebP { .. } => "webp",
    }
}

/// Returns the file name of a size. The name differs for each picture and encoding, since browsers
/// may cache an address forever.
pub fn name_of(still: &ImageInfo, size: Size) -> String {
    let mut made_of = Xxh3Default::new();
    let how = match size.format {
        Format::Jpeg { quality } => (0_u8, quality, false),
        Format::Png => (1, 0, false),
        Format::WebP { quality, is_graphic } => (2, quality, is_graphic),
        Format::BaselineJpeg { quality } => (3, quality, false),
    };
    (VERSION, still.hash, how).hash(&mut made_of);
    let (width, hash) = (size.width, made_of.digest() & 0xff_ffff_ffff);
    format!("{width}.{hash:010x}.{}", ending(size.format))
}

/// Returns the public path of a size, such as `/media/sizes/walk/harbour-960.3fa92c81d0.webp`.
pub fn path_of(file: &MediaFile, still: &ImageInfo, size: Size) -> String {
    let below = file.path.strip_prefix("/media/").unwrap_or(&file.path);
    let name = below.rsplit('/').next().unwrap_or(below);
    let ending = name.rsplit_once('.').map_or(0, |(_, ending)| ending.len() + 1);
    let stem = &below[..below.len() - ending];
    format!("{SIZES}{stem}-{}", name_of(still, size))
}

/// Returns the height of a picture at a given width, in pixels.
pub fn height_of(still: &ImageInfo, width: u32) -> u32 {
    height_at(width, still.width, still.height)
}
