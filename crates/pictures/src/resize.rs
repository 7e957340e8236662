//! Fewer pixels.

use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};

use super::{Fault, Picture, damaged};

impl Picture {
    /// The same picture with so many pixels from left to right, and as many from top to bottom as keep its
    /// proportions (Lanczos, with three lobes).
    ///
    /// # Errors
    ///
    /// When it has no area.
    pub fn resized(&self, width: u32) -> Result<Self, Fault> {
        let width = width.max(1);
        let height = height_at(width, self.width, self.height);
        self.resized_to(width, height)
    }

    pub(crate) fn resized_to(&self, width: u32, height: u32) -> Result<Self, Fault> {
        let kind = PixelType::U8x4;
        let from = ImageRef::new(self.width, self.height, &self.pixels, kind).map_err(damaged)?;
        let mut to = Image::new(width, height, kind);
        let lanczos = ResizeAlg::Convolution(FilterType::Lanczos3);
        let options = ResizeOptions::new()
            .resize_alg(lanczos)
            .use_alpha(self.has_alpha);
        Resizer::new()
            .resize(&from, &mut to, &options)
            .map_err(damaged)?;
        Ok(Self {
            width,
            height,
            pixels: to.into_vec(),
            has_alpha: self.has_alpha,
            profile: self.profile.clone(),
        })
    }
}

/// The height of a picture of these dimensions when it is so wide.
pub fn height_at(width: u32, full_width: u32, full_height: u32) -> u32 {
    let product = u64::from(width) * u64::from(full_height);
    let half = u64::from(full_width) / 2;
    let height = (product + half).checked_div(full_width.into()).unwrap_or(1);
    u32::try_from(height).unwrap_or(u32::MAX).max(1)
}
