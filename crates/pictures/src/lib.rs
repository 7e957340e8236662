//! Resizing of pictures for web pages, and removal of private metadata.
//!
//! [`Facts::of`] reads the facts about a picture without decoding it. If the picture can be
//! resized, [`Picture::decode`] decodes its pixels, [`Picture::resized`] resizes it and rotates it
//! upright, and [`Picture::encode`] encodes it as a file. [`without_metadata`] copies a file
//! without the metadata that reveals where and with which camera the picture was taken. [`Shot::of`]
//! reads that metadata.
//!
//! # Invariants
//!
//! - The crate does not depend on sites, folders or addresses: bytes in, bytes out.
//! - The same input and settings always produce the same output.
//! - No input causes a panic. All decoders together use at most [`MAX_MEMORY`].
//! - Colours do not change: a colour profile other than plain sRGB is also added to the resized
//!   pictures.

mod boxes;
mod container;
mod decode;
mod encode;
mod exif;
mod memory;
mod metadata;
mod profile;
mod resize;
mod shot;
mod truncation;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub use container::{Facts, Kind, dimensions};
pub use encode::Format;
pub use metadata::{Bare, without_metadata};
pub use resize::height_at;
pub use shot::Shot;

/// Maximum memory, in bytes, for all pictures that are being decoded. This is enough for one JPEG
/// of 64 million pixels, or four of 16 million. A picture that needs more is not decoded.
pub const MAX_MEMORY: u64 = 256 << 20;

/// Version of the output. Must change whenever the bytes written for the same input and settings
/// change.
pub const VERSION: u32 = 1;

/// A decoded picture.
pub struct Picture {
    /// Stored width in pixels, before rotation.
    width: u32,
    height: u32,
    /// Red, green, blue and alpha of each pixel, row by row, starting at the top left.
    pixels: Vec<u8>,
    /// Orientation, 1 to 8 (Exif 3.0, tag 0x0112).
    stored_orientation: u16,
    /// Whether any pixel is transparent.
    has_alpha: bool,
    /// ICC profile, unless it is plain sRGB.
    profile: Option<Vec<u8>>,
    /// The memory that was reserved to decode the picture.
    #[expect(dead_code, reason = "dropping it releases the memory")]
    share: Option<memory::Share>,
}

impl Picture {
    /// Creates a picture from the red, green and blue of each pixel, row by row, starting at the
    /// top left. Returns `None` if the number of pixels does not match the dimensions.
    ///
    /// ```
    /// use pictures::{Facts, Format, Picture};
    ///
    /// let picture = Picture::from_pixels(400, 300, vec![128; 400 * 300 * 3]).unwrap();
    /// let file = picture.resized(200)?.encode(Format::Jpeg { quality: 80 })?;
    /// let facts = Facts::of(&file)?.unwrap();
    /// assert_eq!((facts.width, facts.height), (200, 150));
    /// # Ok::<(), pictures::Fault>(())
    /// ```
    pub fn from_pixels(width: u32, height: u32, pixels: Vec<u8>) -> Option<Self> {
        let count = width as usize * height as usize * 3;
        (pixels.len() == count && count > 0).then(|| Self {
            width,
            height,
            pixels: with_opaque_alpha(&pixels),
            stored_orientation: 1,
            has_alpha: false,
            profile: None,
            share: None,
        })
    }

    /// Returns the displayed width in pixels.
    pub fn width(&self) -> u32 {
        self.displayed_side(self.width, self.height)
    }

    /// Returns the displayed height in pixels.
    pub fn height(&self) -> u32 {
        self.displayed_side(self.height, self.width)
    }

    /// Returns the displayed length of a stored side. `other` is the length of the other stored
    /// side.
    fn displayed_side(&self, side: u32, other: u32) -> u32 {
        if self.stored_orientation > 4 { other } else { side }
    }

    /// Returns whether any pixel is transparent.
    pub fn has_alpha(&self) -> bool {
        self.has_alpha
    }
}

/// Adds an opaque alpha channel to red, green and blue pixels. All pictures have four channels,
/// because the code for resizing and encoding would otherwise be compiled once for each layout.
fn with_opaque_alpha(pixels: &[u8]) -> Vec<u8> {
    let mut with_alpha = vec![255; pixels.len() / 3 * 4];
    for (to, from) in with_alpha.chunks_exact_mut(4).zip(pixels.chunks_exact(3)) {
        to[..3].copy_from_slice(from);
    }
    with_alpha
}

/// The reason why a picture cannot be resized.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Decoding would need more than [`MAX_MEMORY`].
    #[error("decoding its {width} × {height} pixels would need more than 256 MiB of memory")]
    TooLarge {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// The picture has CMYK colours with a colour profile. This crate cannot apply such profiles.
    #[error("it has CMYK colours with a colour profile, which is not supported")]
    Inks,
    /// The file is valid, but uses a variant of its format that this crate does not support.
    #[error("it is {0}, which is not supported")]
    Unsupported(&'static str),
    /// The file is damaged. Contains the error message of the decoder.
    #[error("it cannot be read: {0}")]
    Damaged(String),
}

fn damaged(error: impl fmt::Display) -> Fault {
    Fault::Damaged(error.to_string())
}

/// Calls library code on an untrusted file, and converts a panic into a fault.
fn catch_panic<T>(work: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    let result = catch_unwind(AssertUnwindSafe(work));
    result.unwrap_or_else(|_| Err(damaged("its data is inconsistent")))
}
