//! From files to pixels.

use std::io::Cursor;

use img_parts::Bytes;
use png::{ColorType, Transformations};
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

use super::container::{Container, Kind};
use super::{Fault, MAX_PIXELS, Picture, contained, damaged, opaque, profile};

/// Pixels as a file has them, before any turn: red, green, blue and alpha.
struct Stored {
    pixels: Vec<u8>,
    may_have_alpha: bool,
    /// Whether its colours were mixed of inks.
    is_of_inks: bool,
}

impl Picture {
    /// The pixels of a file, upright. Of 16 bits a channel 8 stay; greys and inks become red, green and blue.
    ///
    /// # Errors
    ///
    /// When the file is of no [`Kind`], is damaged, or has more than [`MAX_PIXELS`].
    pub fn decode(bytes: &[u8]) -> Result<Self, Fault> {
        contained(|| {
            let container =
                Container::of(bytes).ok_or_else(|| damaged("it is no JPEG, PNG or WebP"))?;
            let (width, height) = container
                .dimensions()
                .ok_or_else(|| damaged("its dimensions are missing"))?;
            if u64::from(width) * u64::from(height) > MAX_PIXELS {
                return Err(Fault::TooLarge { width, height });
            }
            let stored = match container.kind() {
                Kind::Jpeg => jpeg(bytes)?,
                Kind::Png => png(bytes)?,
                Kind::WebP => webp(bytes)?,
            };
            if stored.pixels.len() != width as usize * height as usize * 4 {
                return Err(damaged("its dimensions contradict one another"));
            }
            let profile = container.profile().filter(|_| !stored.is_of_inks);
            let turn = container.orientation();
            // An alpha channel may say nothing.
            let has_alpha =
                stored.may_have_alpha && stored.pixels.chunks_exact(4).any(|pixel| pixel[3] != 255);
            let picture = Self {
                width,
                height,
                pixels: stored.pixels,
                has_alpha,
                profile: profile
                    .map(Bytes::into)
                    .filter(|found: &Vec<u8>| profile::worth_keeping(found)),
            };
            Ok(picture.turned(turn))
        })
    }

    /// Upright, of one that is to be turned so (Exif 3.0, tag 0x0112).
    fn turned(self, orientation: u16) -> Self {
        if !(2..=8).contains(&orientation) {
            return self;
        }
        let (width, height) = (self.width as usize, self.height as usize);
        let is_turned = orientation > 4;
        let (new_width, new_height) = if is_turned {
            (height, width)
        } else {
            (width, height)
        };
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
        let (width, height) = if is_turned {
            (self.height, self.width)
        } else {
            (self.width, self.height)
        };
        Self {
            width,
            height,
            pixels,
            ..self
        }
    }
}

fn jpeg(bytes: &[u8]) -> Result<Stored, Fault> {
    let options = DecoderOptions::default()
        .set_max_width(usize::from(u16::MAX))
        .set_max_height(usize::from(u16::MAX))
        .jpeg_set_out_colorspace(ColorSpace::RGBA);
    let mut decoder = JpegDecoder::new_with_options(Cursor::new(bytes), options);
    decoder.decode_headers().map_err(damaged)?;
    let input = decoder.input_colorspace();
    let is_of_inks = matches!(input, Some(ColorSpace::CMYK | ColorSpace::YCCK));
    let pixels = if is_of_inks {
        // The library mixes inks for three channels alone.
        decoder.set_options(options.jpeg_set_out_colorspace(ColorSpace::RGB));
        opaque(&decoder.decode().map_err(damaged)?)
    } else {
        decoder.decode().map_err(damaged)?
    };
    Ok(Stored {
        pixels,
        may_have_alpha: false,
        is_of_inks,
    })
}

fn png(bytes: &[u8]) -> Result<Stored, Fault> {
    let limits = png::Limits { bytes: 64 << 20 };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    decoder.set_ignore_text_chunk(true);
    let mut reader = decoder.read_info().map_err(damaged)?;
    let size = reader
        .output_buffer_size()
        .filter(|size| *size as u64 <= MAX_PIXELS * 4)
        .ok_or_else(|| damaged("it is too large"))?;
    let mut pixels = vec![0; size];
    let info = reader.next_frame(&mut pixels).map_err(damaged)?;
    pixels.truncate(info.buffer_size());
    let (pixels, may_have_alpha) = match info.color_type {
        ColorType::Rgb => (opaque(&pixels), false),
        ColorType::Rgba => (pixels, true),
        ColorType::Grayscale => {
            let pixels = pixels.iter().flat_map(|grey| [*grey, *grey, *grey, 255]);
            (pixels.collect(), false)
        }
        ColorType::GrayscaleAlpha => {
            let pixels = pixels.chunks_exact(2);
            let with_alpha = pixels.flat_map(|pixel| [pixel[0], pixel[0], pixel[0], pixel[1]]);
            (with_alpha.collect(), true)
        }
        ColorType::Indexed => return Err(damaged("its colours are missing")),
    };
    Ok(Stored {
        pixels,
        may_have_alpha,
        is_of_inks: false,
    })
}

fn webp(bytes: &[u8]) -> Result<Stored, Fault> {
    let mut decoder = image_webp::WebPDecoder::new(Cursor::new(bytes)).map_err(damaged)?;
    let size = decoder
        .output_buffer_size()
        .ok_or_else(|| damaged("it is too large"))?;
    let mut pixels = vec![0; size];
    decoder.read_image(&mut pixels).map_err(damaged)?;
    let may_have_alpha = decoder.has_alpha();
    Ok(Stored {
        pixels: if may_have_alpha {
            pixels
        } else {
            opaque(&pixels)
        },
        may_have_alpha,
        is_of_inks: false,
    })
}
