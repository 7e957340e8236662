//! Decodes files to pixels.

use std::io::Cursor;

use img_parts::Bytes;
use png::{ColorType, Transformations};
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

use super::container::{Container, Kind};
use super::{Fault, Picture, catch_panic, damaged, memory, profile};

/// Properties of the decoded file that cannot be determined from the pixels.
struct DecodedProperties {
    may_have_alpha: bool,
    /// Whether the colours are stored as CMYK or YCCK.
    is_cmyk: bool,
}

impl Picture {
    /// Decodes the pixels of a file. Reduces 16-bit channels to 8 bits, and converts greyscale and
    /// CMYK to red, green and blue.
    ///
    /// Waits until enough memory is free, because all threads together can use at most
    /// [`MAX_MEMORY`](super::MAX_MEMORY).
    ///
    /// # Errors
    ///
    /// Returns an error if the file is not one of [`Kind`], is damaged, or would need more than
    /// [`MAX_MEMORY`](super::MAX_MEMORY).
    pub fn decode(bytes: &[u8]) -> Result<Self, Fault> {
        catch_panic(|| {
            let container =
                Container::of(bytes).ok_or_else(|| damaged("it is not a JPEG, PNG or WebP"))?;
            let (width, height) =
                container.dimensions().ok_or_else(|| damaged("its dimensions are missing"))?;
            let share = container.memory().map(memory::take);
            let share = share.ok_or(Fault::TooLarge { width, height })?;
            // The buffer has the exact size for pixels with four channels. Decoders write to it
            // directly.
            let mut pixels = vec![0; width as usize * height as usize * 4];
            let stored = match container.kind() {
                Kind::Jpeg => jpeg(bytes, &mut pixels)?,
                Kind::Png => png(bytes, &mut pixels)?,
                Kind::WebP => webp(bytes, &mut pixels)?,
            };
            let profile = container.profile().filter(|_| !stored.is_cmyk);
            // Even with an alpha channel, all pixels can be opaque.
            let has_alpha =
                stored.may_have_alpha && pixels.chunks_exact(4).any(|pixel| pixel[3] != 255);
            Ok(Self {
                width,
                height,
                pixels,
                stored_orientation: container.orientation(),
                has_alpha,
                profile: profile
                    .map(Bytes::into)
                    .filter(|found: &Vec<u8>| profile::is_worth_keeping(found)),
                share: Some(share),
            })
        })
    }

    /// Returns the picture with its pixels stored upright, according to the orientation (Exif 3.0,
    /// tag 0x0112).
    pub(crate) fn rotate_upright(self) -> Self {
        let orientation = self.stored_orientation;
        if orientation == 1 {
            return self;
        }
        let (width, height) = (self.width as usize, self.height as usize);
        let is_turned = orientation > 4;
        let (new_width, new_height) = if is_turned { (height, width) } else { (width, height) };
        let mut pixels = Vec::with_capacity(self.pixels.len());
        for y in 0..new_height {
            for x in 0..new_width {
                let (from_x, from_y) = match orientation {
                    2 => (width - 1 - x, y),
                    3 => (width - 1 - x, height - 1 - y),
                    4 => (x, height - 1 - y),
                    5 => (y, x),
                    6 => (y, height - 1 - x),
                    7 => (width - 1 - y, height - 1 - x),
                    _ => (width - 1 - y, x),
                };
                let at = (from_y * width + from_x) * 4;
                pixels.extend_from_slice(&self.pixels[at..at + 4]);
            }
        }
        let (width, height) =
            if is_turned { (self.height, self.width) } else { (self.width, self.height) };
        Self { width, height, pixels, stored_orientation: 1, ..self }
    }
}

fn jpeg(bytes: &[u8], pixels: &mut [u8]) -> Result<DecodedProperties, Fault> {
    let options = DecoderOptions::default()
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX))
        .jpeg_set_out_colorspace(ColorSpace::RGBA);
    let mut decoder = JpegDecoder::new_with_options(Cursor::new(bytes), options);
    decoder.decode_headers().map_err(damaged)?;
    let input = decoder.input_colorspace();
    let is_cmyk = matches!(input, Some(ColorSpace::CMYK | ColorSpace::YCCK));
    // For CMYK and RGB JPEGs, the library can only return three channels.
    let is_of_three = is_cmyk || matches!(input, Some(ColorSpace::RGB));
    let channels = if is_of_three { 3 } else { 4 };
    if is_of_three {
        decoder.set_options(options.jpeg_set_out_colorspace(ColorSpace::RGB));
    }
    fill(pixels, channels, |into| {
        if decoder.output_buffer_size() != Some(into.len()) {
            return Err(contradictory_dimensions());
        }
        decoder.decode_into(into).map_err(damaged)
    })?;
    Ok(DecodedProperties { may_have_alpha: false, is_cmyk })
}

fn png(bytes: &[u8], pixels: &mut [u8]) -> Result<DecodedProperties, Fault> {
    let limits = png::Limits { bytes: 64 << 20 };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    decoder.set_ignore_text_chunk(true);
    let mut reader = decoder.read_info().map_err(damaged)?;
    let channels = match reader.output_color_type() {
        (ColorType::Grayscale, _) => 1,
        (ColorType::GrayscaleAlpha, _) => 2,
        (ColorType::Rgb, _) => 3,
        (ColorType::Rgba, _) => 4,
        (ColorType::Indexed, _) => return Err(damaged("its colour palette is missing")),
    };
    fill(pixels, channels, |into| {
        if reader.output_buffer_size() != Some(into.len()) {
            return Err(contradictory_dimensions());
        }
        reader.next_frame(into).map_err(damaged)
    })?;
    Ok(DecodedProperties { may_have_alpha: matches!(channels, 2 | 4), is_cmyk: false })
}

fn webp(bytes: &[u8], pixels: &mut [u8]) -> Result<DecodedProperties, Fault> {
    let mut decoder = image_webp::WebPDecoder::new(Cursor::new(bytes)).map_err(damaged)?;
    let may_have_alpha = decoder.has_alpha();
    fill(pixels, if may_have_alpha { 4 } else { 3 }, |into| {
        if decoder.output_buffer_size() != Some(into.len()) {
            return Err(contradictory_dimensions());
        }
        decoder.read_image(into).map_err(damaged)
    })?;
    Ok(DecodedProperties { may_have_alpha, is_cmyk: false })
}

fn contradictory_dimensions() -> Fault {
    damaged("its dimensions are inconsistent")
}

/// Fills four-channel pixels from a decoder that may return fewer channels. The decoder writes to
/// the end of the buffer. Then each pixel is expanded, beginning at the start of the buffer.
fn fill<T>(
    pixels: &mut [u8],
    channels: usize,
    decode: impl FnOnce(&mut [u8]) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let count = pixels.len() / 4;
    let start = count * (4 - channels);
    let decoded = decode(&mut pixels[start..])?;
    // Pixels are written at or before the position from which they are read, so no pixel is
    // overwritten too early.
    for at in (0..count).filter(|_| channels < 4) {
        let from = start + at * channels;
        let pixel = match pixels[from..from + channels] {
            [grey] => [grey, grey, grey, 255],
            [grey, alpha] => [grey, grey, grey, alpha],
            [red, green, blue] => [red, green, blue, 255],
            _ => continue,
        };
        pixels[at * 4..at * 4 + 4].copy_from_slice(&pixel);
    }
    Ok(decoded)
}
