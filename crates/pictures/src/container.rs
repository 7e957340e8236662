//! Reads facts about pictures from their files: format, dimensions, orientation, colour profile.

use std::panic::catch_unwind;

use img_parts::jpeg::Jpeg;
use img_parts::png::Png;
use img_parts::webp::WebP;
use img_parts::{Bytes, ImageEXIF, ImageICC};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::exif::Exif;
use super::{Fault, boxes, catch_panic, damaged, truncation};

/// Picture formats that can be resized.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// JPEG (ISO/IEC 10918).
    Jpeg,
    /// PNG (third edition), without animation.
    Png,
    /// WebP (RFC 9649), without animation.
    WebP,
}

/// Facts about a picture, known before it is decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Facts {
    pub kind: Kind,
    /// Displayed width in pixels, after the rotation that the file specifies.
    pub width: u32,
    /// Displayed height in pixels, after the rotation that the file specifies.
    pub height: u32,
    /// Hash of all bytes of the file.
    pub hash: u64,
    /// Whether the picture is a drawing, a screenshot or transparent. Such pictures are better
    /// stored without loss.
    pub is_graphic: bool,
    /// Whether any program displays the picture correctly: it is a JPEG or PNG with red, green and
    /// blue channels, without rotation or transparency.
    pub is_plain: bool,
}

pub(crate) enum Container {
    Jpeg(Jpeg),
    Png(Png),
    WebP(WebP),
}

/// Maximum number of bytes per pixel for which a lossless file counts as a drawing or screenshot. A
/// lossless photo needs more.
const MAX_GRAPHIC_BYTES_PER_PIXEL: f64 = 0.75;

impl Facts {
    /// Reads the facts from the bytes of a file. Returns `None` for files that are never resized:
    /// other formats, and animations.
    ///
    /// # Errors
    ///
    /// Returns an error if the file is damaged, needs more than [`MAX_MEMORY`](super::MAX_MEMORY)
    /// to decode, or has CMYK colours with a profile.
    pub fn of(bytes: &[u8]) -> Result<Option<Self>, Fault> {
        catch_panic(|| Self::from_whole_file(bytes))
    }

    fn from_whole_file(bytes: &[u8]) -> Result<Option<Self>, Fault> {
        let container = match Container::of(bytes) {
            Some(container) if container.is_animated() => return Ok(None),
            Some(container) => container,
            None if Kind::of(bytes).is_some() => return Err(damaged("its structure is damaged")),
            None if truncation::is_cut_off(bytes) => return Err(damaged("its end is missing")),
            None => return Ok(None),
        };
        let is_cut_off = match &container {
            Container::Jpeg(jpeg) => truncation::is_jpeg_cut_off(bytes, jpeg),
            Container::Png(png) => png.chunk_by_type(*b"IEND").is_none(),
            // In a WebP file, the header contains the length of the whole file, so a truncated file
            // has already been rejected.
            Container::WebP(_) => false,
        };
        if is_cut_off {
            return Err(damaged("its end is missing"));
        }
        let dimensions = container.dimensions();
        let (width, height) = dimensions.ok_or_else(|| damaged("its dimensions are missing"))?;
        let count = u64::from(width) * u64::from(height);
        if count == 0 {
            return Err(damaged("its width or height is 0"));
        }
        if container.memory().is_none() {
            return Err(Fault::TooLarge { width, height });
        }
        if container.is_profiled_cmyk() {
            return Err(Fault::Inks);
        }
        if let Container::Jpeg(jpeg) = &container
            && let Some(kind) = unsupported(jpeg)
        {
            return Err(Fault::Unsupported(kind));
        }
        let is_turned = container.orientation() > 4;
        let (shown_width, shown_height) = if is_turned { (height, width) } else { (width, height) };
        #[allow(clippy::cast_precision_loss)]
        let is_dense = bytes.len() as f64 / count as f64 >= MAX_GRAPHIC_BYTES_PER_PIXEL;
        Ok(Some(Self {
            kind: container.kind(),
            width: shown_width,
            height: shown_height,
            hash: xxh3_64(bytes),
            is_graphic: match &container {
                Container::Jpeg(_) => false,
                Container::Png(png) => !is_dense || has_transparency(png),
                Container::WebP(webp) => webp.has_chunk(*b"VP8L") || webp.has_chunk(*b"ALPH"),
            },
            is_plain: container.is_plain(),
        }))
    }
}

impl Kind {
    /// Returns the format, based on the first bytes of the file.
    fn of(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(&[0xff, 0xd8, 0xff]) {
            Some(Self::Jpeg)
        } else if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            Some(Self::Png)
        } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
            Some(Self::WebP)
        } else {
            None
        }
    }
}

/// Returns the displayed width and height of a JPEG, PNG, WebP, TIFF, HEIC or AVIF file in pixels.
/// Returns `None` for other files and for damaged files.
pub fn dimensions(bytes: &[u8]) -> Option<(u32, u32)> {
    let dimensions = catch_unwind(|| {
        if boxes::is_heif(bytes) {
            return boxes::dimensions(bytes);
        }
        if let Some(tiff) = Exif::of(bytes) {
            return tiff.dimensions();
        }
        let container = Container::of(bytes)?;
        let (width, height) = container.dimensions()?;
        let is_turned = container.orientation() > 4;
        Some(if is_turned { (height, width) } else { (width, height) })
    });
    dimensions.ok()?.filter(|(width, height)| *width > 0 && *height > 0)
}

/// Returns whether a PNG file has an alpha channel or transparent colours.
pub(crate) fn has_transparency(png: &Png) -> bool {
    matches!(colour_type(png), Some(4 | 6)) || png.chunk_by_type(*b"tRNS").is_some()
}

/// Returns the colour type of a PNG file (third edition, section 11.2.1).
fn colour_type(png: &Png) -> Option<u8> {
    png.chunk_by_type(*b"IHDR")?.contents().get(9).copied()
}

/// Returns the marker and the contents of a JPEG file's frame header (ISO/IEC 10918-1, B.2.2).
pub(crate) fn frame(jpeg: &Jpeg) -> Option<(u8, &Bytes)> {
    let is_frame =
        |marker: u8| (0xc0..=0xcf).contains(&marker) && !matches!(marker, 0xc4 | 0xc8 | 0xcc);
    let mut segments = jpeg.segments().iter();
    let frame = segments.find(|segment| is_frame(segment.marker()))?;
    Some((frame.marker(), frame.contents()))
}

/// Returns a description of the JPEG variant if the decoder does not support it or decodes it
/// incorrectly.
fn unsupported(jpeg: &Jpeg) -> Option<&'static str> {
    let (marker, header) = frame(jpeg)?;
    match marker {
        0xc0..=0xc2 => {}
        0xc9..=0xcb => return Some("an arithmetic-coded JPEG"),
        _ => return Some("a lossless or hierarchical JPEG"),
    }
    if header.first() != Some(&8) {
        return Some("a JPEG with more than 8 bits per channel");
    }
    let factors = header.get(6..)?.chunks_exact(3).map(|component| component[1]);
    let factors: Vec<[u8; 2]> = factors.map(|both| [both >> 4, both & 15]).collect();
    let [first, others @ ..] = &factors[..] else {
        return None;
    };
    let is_usual = |factor: &u8| matches!(factor, 1 | 2 | 4);
    let is_coarser = |other: &[u8; 2]| other[0] <= first[0] && other[1] <= first[1];
    if !factors.iter().flatten().all(is_usual) || !others.iter().all(is_coarser) {
        return Some("a JPEG with unusual chroma subsampling");
    }
    let scan = jpeg.segment_by_marker(0xda)?.contents();
    let is_whole = scan.first().is_some_and(|count| usize::from(*count) == factors.len());
    (marker != 0xc2 && !is_whole).then_some("a JPEG with a separate scan for each colour")
}

/// Returns the number of colour components of a JPEG file.
fn components(jpeg: &Jpeg) -> Option<u8> {
    frame(jpeg)?.1.get(5).copied()
}

impl Container {
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let kind = Kind::of(bytes)?;
        let bytes = Bytes::copy_from_slice(bytes);
        match kind {
            Kind::Jpeg => Jpeg::from_bytes(bytes).ok().map(Self::Jpeg),
            Kind::Png => Png::from_bytes(bytes).ok().map(Self::Png),
            Kind::WebP => WebP::from_bytes(bytes).ok().map(Self::WebP),
        }
    }

    pub fn is_animated(&self) -> bool {
        match self {
            Self::Jpeg(_) => false,
            Self::Png(png) => png.chunk_by_type(*b"acTL").is_some(),
            Self::WebP(webp) => webp.has_chunk(*b"ANIM") || webp.has_chunk(*b"ANMF"),
        }
    }

    pub fn kind(&self) -> Kind {
        match self {
            Self::Jpeg(_) => Kind::Jpeg,
            Self::Png(_) => Kind::Png,
            Self::WebP(_) => Kind::WebP,
        }
    }

    /// Returns the stored dimensions in pixels, before any rotation.
    pub fn dimensions(&self) -> Option<(u32, u32)> {
        match self {
            Self::Jpeg(jpeg) => jpeg.dimensions().map(|(w, h)| (w.into(), h.into())),
            Self::Png(png) => png.dimensions(),
            Self::WebP(webp) => webp.dimensions(),
        }
    }

    /// Returns whether the picture has CMYK colours and a CMYK colour profile.
    fn is_profiled_cmyk(&self) -> bool {
        let has_inks = matches!(self, Self::Jpeg(jpeg) if components(jpeg) == Some(4));
        let profile = has_inks.then(|| self.profile()).flatten();
        profile.is_some_and(|profile| profile.get(16..20) == Some(b"CMYK"))
    }

    /// Returns whether any program displays the picture correctly, see [`Facts::is_plain`].
    fn is_plain(&self) -> bool {
        let has_colours = match self {
            Self::Jpeg(jpeg) => components(jpeg) == Some(3),
            Self::Png(png) => {
                !has_transparency(png) && colour_type(png).is_some_and(|kind| kind != 0)
            }
            Self::WebP(_) => false,
        };
        has_colours && self.orientation() == 1
    }

    pub fn exif(&self) -> Option<Bytes> {
        match self {
            Self::Jpeg(jpeg) => jpeg.exif(),
            Self::Png(png) => png.exif(),
            Self::WebP(webp) => webp.exif(),
        }
    }

    pub fn profile(&self) -> Option<Bytes> {
        match self {
            Self::Jpeg(jpeg) => jpeg.icc_profile(),
            Self::Png(png) => png.icc_profile(),
            Self::WebP(webp) => webp.icc_profile(),
        }
    }

    /// Returns the orientation, 1 to 8 (Exif 3.0, tag 0x0112).
    pub fn orientation(&self) -> u16 {
        let exif = self.exif();
        let found = exif.and_then(|exif| Exif::of(&exif)?.orientation());
        found.filter(|found| (1..=8).contains(found)).unwrap_or(1)
    }
}
