//! Pictures in the sizes that pages need, without what their metadata tells.
//!
//! A picture is [looked at](Facts::of) once. Of one that can be made smaller, [`Picture::decode`] gives the pixels as
//! they are shown, upright; [`Picture::resized`] makes them fewer, and [`Picture::encode`] writes them.
//! [`without_metadata`] copies a file as it is, less what would tell where and with what it was taken.
//!
//! # What holds here
//!
//! - It knows nothing of sites, folders or addresses: bytes in, bytes out.
//! - The same bytes and settings give the same bytes.
//! - No file makes it panic. All decoders together use at most [`MAX_MEMORY`].
//! - Colours stay what they are: a colour profile that is no plain sRGB goes with each size.

mod boxes;
mod container;
mod decode;
mod encode;
mod exif;
mod memory;
mod metadata;
mod profile;
mod resize;
mod whole;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub use container::{Facts, Kind, dimensions};
pub use encode::Format;
pub use metadata::{Bare, without_metadata};
pub use resize::height_at;

/// Maximum number of bytes for all pictures being decoded: one JPEG of 64 million pixels, or four of 16 million. A
/// picture that needs more alone is not decoded.
pub const MAX_MEMORY: u64 = 256 << 20;

/// Another number for each change of what is written for the same bytes and settings.
pub const VERSION: u32 = 1;

/// The pixels of a picture.
pub struct Picture {
    /// As stored, before rotation.
    width: u32,
    height: u32,
    /// Red, green, blue and alpha, from the top left, line by line.
    pixels: Vec<u8>,
    /// Its orientation, 1 to 8 (Exif 3.0, tag 0x0112).
    turn: u16,
    /// Whether something shines through it somewhere.
    has_alpha: bool,
    /// Its ICC profile, where that is not plain sRGB.
    profile: Option<Vec<u8>>,
    /// The memory that it takes.
    #[expect(dead_code, reason = "it is given back when the picture is dropped")]
    share: Option<memory::Share>,
}

impl Picture {
    /// A picture of these pixels: red, green and blue, from the top left, line by line. None if they are not as
    /// many as its dimensions say.
    ///
    /// ```
    /// use pictures::{Facts, Format, Picture};
    ///
    /// let picture = Picture::of_pixels(400, 300, vec![128; 400 * 300 * 3]).unwrap();
    /// let file = picture.resized(200)?.encode(Format::Jpeg { quality: 80 })?;
    /// let facts = Facts::of(&file)?.unwrap();
    /// assert_eq!((facts.width, facts.height), (200, 150));
    /// # Ok::<(), pictures::Fault>(())
    /// ```
    pub fn of_pixels(width: u32, height: u32, pixels: Vec<u8>) -> Option<Self> {
        let count = width as usize * height as usize * 3;
        (pixels.len() == count && count > 0).then(|| Self {
            width,
            height,
            pixels: opaque(&pixels),
            turn: 1,
            has_alpha: false,
            profile: None,
            share: None,
        })
    }

    /// Displayed width in pixels.
    pub fn width(&self) -> u32 {
        self.shown(self.width, self.height)
    }

    /// Displayed height in pixels.
    pub fn height(&self) -> u32 {
        self.shown(self.height, self.width)
    }

    /// The displayed length of a stored side; `other` is the other side.
    fn shown(&self, side: u32, other: u32) -> u32 {
        if self.turn > 4 { other } else { side }
    }

    /// Whether something shines through it somewhere.
    pub fn has_alpha(&self) -> bool {
        self.has_alpha
    }
}

/// Pixels of red, green and blue with an alpha that lets nothing through. All pictures have four channels: each
/// layout more is compiled all over in resizing and encoding.
fn opaque(pixels: &[u8]) -> Vec<u8> {
    let mut with_alpha = vec![255; pixels.len() / 3 * 4];
    for (to, from) in with_alpha.chunks_exact_mut(4).zip(pixels.chunks_exact(3)) {
        to[..3].copy_from_slice(from);
    }
    with_alpha
}

/// Why a picture is left as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Decoding it would take more than [`MAX_MEMORY`].
    #[error("decoding its {width} × {height} pixels would take more than 256 MiB")]
    TooLarge {
        /// In pixels.
        width: u32,
        /// In pixels.
        height: u32,
    },
    /// It is mixed of four inks as a profile says that is not followed here.
    #[error("it is mixed of inks (CMYK), and they would show other colours")]
    Inks,
    /// Its kind is not supported, though other programs show it.
    #[error("it is {0}, which is not supported")]
    Unsupported(&'static str),
    /// It cannot be read, and what its decoder says.
    #[error("it cannot be read: {0}")]
    Damaged(String),
}

fn damaged(error: impl fmt::Display) -> Fault {
    Fault::Damaged(error.to_string())
}

/// Runs a library's code on a file of anyone's, and turns a panic in it into a fault.
fn contained<T>(work: impl FnOnce() -> Result<T, Fault>) -> Result<T, Fault> {
    let result = catch_unwind(AssertUnwindSafe(work));
    result.unwrap_or_else(|_| Err(damaged("its parts contradict one another")))
}
