//! Resizes pictures.

use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{FilterType, PixelType, ResizeAlg, ResizeOptions, Resizer};

use super::{Fault, Picture, damaged};

impl Picture {
    /// Repeatedly halves the width and height in place, while the result is at least `width` pixels
    /// wide. Each new pixel is the mean of four pixels.
    pub fn halve_to(&mut self, width: u32) {
        while self.width() / 2 >= width.max(1) && self.width.min(self.height) >= 2 {
            self.halve();
        }
    }

    fn halve(&mut self) {
        let line = self.width as usize * 4;
        let (width, height) = (self.width as usize / 2, self.height as usize / 2);
        let mut to = 0;
        for y in 0..height {
            for x in 0..width {
                let from = 2 * y * line + 8 * x;
                let four = [from, from + 4, from + line, from + line + 4];
                let four =
                    four.map(|at| [0, 1, 2, 3].map(|channel| u32::from(self.pixels[at + channel])));
                self.pixels[to..to + 4].copy_from_slice(&mean(four));
                to += 4;
            }
        }
        self.pixels.truncate(to);
        (self.width, self.height) = (self.width / 2, self.height / 2);
    }

    /// Returns the picture resized to this width in pixels. Keeps the proportions, and uses a
    /// Lanczos filter with three lobes.
    ///
    /// # Errors
    ///
    /// Returns an error if the picture has no area.
    pub fn resized(&self, width: u32) -> Result<Self, Fault> {
        let width = width.max(1);
        let height = height_at(width, self.width(), self.height());
        self.resize_to(width, height)
    }

    /// Returns the middle of the picture as a square with this side in pixels: the red, green, blue
    /// and alpha of each pixel, row by row. Colour profiles are ignored.
    ///
    /// # Errors
    ///
    /// Returns an error if the picture has no area.
    pub fn square(&self, side: u32) -> Result<Vec<u8>, Fault> {
        let shorter = self.width.min(self.height);
        let (left, top) = ((self.width - shorter) / 2, (self.height - shorter) / 2);
        let rows = self.pixels.chunks_exact((self.width as usize * 4).max(1));
        let rows = rows.skip(top as usize).take(shorter as usize);
        let columns = left as usize * 4..(left + shorter) as usize * 4;
        let middle = Self {
            width: shorter,
            height: shorter,
            pixels: rows.flat_map(|row| &row[columns.clone()]).copied().collect(),
            stored_orientation: self.stored_orientation,
            has_alpha: self.has_alpha,
            profile: None,
            share: None,
        };
        Ok(middle.resized(side)?.pixels)
    }

    /// Resizes the picture to this displayed size, then rotates it upright. Rotation comes last
    /// because the resized picture has fewer pixels.
    pub(crate) fn resize_to(&self, width: u32, height: u32) -> Result<Self, Fault> {
        let (width, height) =
            (self.displayed_side(width, height), self.displayed_side(height, width));
        let kind = PixelType::U8x4;
        let from = ImageRef::new(self.width, self.height, &self.pixels, kind).map_err(damaged)?;
        let mut to = Image::new(width, height, kind);
        let lanczos = ResizeAlg::Convolution(FilterType::Lanczos3);
        let options = ResizeOptions::new().resize_alg(lanczos).use_alpha(self.has_alpha);
        Resizer::new().resize(&from, &mut to, &options).map_err(damaged)?;
        let resized = Self {
            width,
            height,
            pixels: to.into_vec(),
            stored_orientation: self.stored_orientation,
            has_alpha: self.has_alpha,
            profile: self.profile.clone(),
            share: None,
        };
        Ok(resized.rotate_upright())
    }
}

/// Returns the mean of four pixels. The colours are weighted by alpha.
fn mean(four: [[u32; 4]; 4]) -> [u8; 4] {
    let alpha: u32 = four.iter().map(|pixel| pixel[3]).sum();
    let colour = |channel: usize| {
        let sum: u32 = four.iter().map(|pixel| pixel[channel] * pixel[3]).sum();
        (sum + alpha / 2).checked_div(alpha).unwrap_or(0)
    };
    // All values are at most 255.
    [colour(0), colour(1), colour(2), (alpha + 2) / 4]
        .map(|value| u8::try_from(value).unwrap_or(255))
}

/// Returns the height of a picture resized to `width`. `full_width` and `full_height` are its
/// original dimensions.
pub fn height_at(width: u32, full_width: u32, full_height: u32) -> u32 {
    let product = u64::from(width) * u64::from(full_height);
    let half = u64::from(full_width) / 2;
    let height = (product + half).checked_div(full_width.into()).unwrap_or(1);
    u32::try_from(height).unwrap_or(u32::MAX).max(1)
}
