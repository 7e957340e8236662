//! Encodes pixels as files.

use img_parts::webp::WebP;
use img_parts::{Bytes, ImageICC};
use jpeg_encoder::{
    ChromaSubsamplingMethod, Encoder, ImageBuffer, JpegColorType, SamplingFactor, rgb_to_ycbcr,
};
use webp::WebPConfig;

use super::{Fault, Picture, catch_panic, damaged};

/// Output format and quality. Quality ranges from 1 (small file, low quality) to 100 (large file,
/// high quality).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// JPEG without transparency: transparent pixels are blended with white.
    Jpeg {
        /// Quality on the scale of the Independent JPEG Group, 1 to 100.
        quality: u8,
    },
    /// The same as a baseline JPEG: players in cars cannot show a progressive JPEG.
    BaselineJpeg {
        /// Quality on the scale of the Independent JPEG Group, 1 to 100.
        quality: u8,
    },
    /// PNG, lossless.
    Png,
    /// Lossy WebP. For graphics, lossless WebP is used if it is smaller.
    WebP {
        /// Quality on libwebp's scale, 1 to 100.
        quality: u8,
        /// Whether to try lossless encoding too.
        is_graphic: bool,
    },
}

/// Length of a placeholder's longer side, in pixels.
const PLACEHOLDER_SIDE: u32 = 16;

impl Picture {
    /// Encodes the picture as a file.
    ///
    /// # Errors
    ///
    /// Returns an error if a side exceeds the limit of the format: 65,535 pixels for JPEG, 16,383
    /// pixels for WebP.
    pub fn encode(&self, format: Format) -> Result<Vec<u8>, Fault> {
        if self.stored_orientation != 1 {
            return self.resized(self.width())?.encode(format);
        }
        catch_panic(|| match format {
            Format::Jpeg { quality } => self.jpeg(quality, true),
            Format::BaselineJpeg { quality } => self.jpeg(quality, false),
            Format::Png => self.png(),
            Format::WebP { quality, is_graphic } => self.webp(quality, is_graphic),
        })
    }

    /// Returns a tiny WebP file of about a hundred bytes. Pages show it as a blurred placeholder
    /// until the picture has loaded.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`encode`](Self::encode).
    pub fn placeholder_image(&self) -> Result<Vec<u8>, Fault> {
        let longer = self.width.max(self.height).max(1);
        let side = |side: u32| (side * PLACEHOLDER_SIDE.min(longer) / longer).max(1);
        let mut small = self.resize_to(side(self.width()), side(self.height()))?;
        small.profile = None;
        catch_panic(|| small.webp(20, false))
    }

    fn jpeg(&self, quality: u8, is_progressive: bool) -> Result<Vec<u8>, Fault> {
        let side = |side| u16::try_from(side).map_err(|_| damaged("it is too large for a JPEG"));
        let (width, height) = (side(self.width)?, side(self.height)?);
        let mut file = Vec::new();
        let mut encoder = Encoder::new(&mut file, quality);
        encoder.set_sampling_factor(SamplingFactor::F_2_2);
        encoder.set_chroma_subsampling_method(ChromaSubsamplingMethod::Average);
        encoder.set_progressive(is_progressive);
        encoder.set_optimized_huffman_tables(true);
        if let Some(profile) = &self.profile {
            encoder.add_icc_profile(profile).map_err(damaged)?;
        }
        encoder.encode_image(Rows { pixels: &self.pixels, width, height }).map_err(damaged)?;
        Ok(file)
    }

    fn png(&self) -> Result<Vec<u8>, Fault> {
        let mut info = png::Info::with_size(self.width, self.height);
        info.bit_depth = png::BitDepth::Eight;
        info.color_type = if self.has_alpha { png::ColorType::Rgba } else { png::ColorType::Rgb };
        info.icc_profile = self.profile.clone().map(Into::into);
        let mut file = Vec::new();
        let encoder = png::Encoder::with_info(&mut file, info).map_err(damaged)?;
        let mut writer = encoder.write_header().map_err(damaged)?;
        let written = if self.has_alpha {
            writer.write_image_data(&self.pixels)
        } else {
            let pixels = self.pixels.chunks_exact(4);
            let with_opaque_alpha: Vec<u8> =
                pixels.flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
            writer.write_image_data(&with_opaque_alpha)
        };
        written.map_err(damaged)?;
        writer.finish().map_err(damaged)?;
        Ok(file)
    }

    fn webp(&self, quality: u8, is_graphic: bool) -> Result<Vec<u8>, Fault> {
        let mut config = WebPConfig::new().map_err(|()| damaged("WebP cannot be written"))?;
        config.quality = quality.into();
        config.method = METHOD;
        let lossy = self.webp_with(&config)?;
        if !is_graphic {
            return Ok(lossy);
        }
        config.lossless = 1;
        config.quality = 40.0;
        config.method = 2;
        let lossless = self.webp_with(&config)?;
        Ok(if lossless.len() < lossy.len() { lossless } else { lossy })
    }

    fn webp_with(&self, config: &WebPConfig) -> Result<Vec<u8>, Fault> {
        let encoder = webp::Encoder::from_rgba(&self.pixels, self.width, self.height);
        let file = encoder
            .encode_advanced(config)
            .map_err(|error| damaged(format!("WebP cannot be written: {error:?}")))?;
        let Some(profile) = &self.profile else {
            return Ok(file.to_vec());
        };
        let mut file = WebP::from_bytes(Bytes::copy_from_slice(&file)).map_err(damaged)?;
        file.set_icc_profile(Some(profile.clone().into()));
        Ok(file.encoder().bytes().to_vec())
    }
}

/// Provides the pixels to the JPEG encoder, converted to YCbCr and blended with white.
struct Rows<'p> {
    pixels: &'p [u8],
    width: u16,
    height: u16,
}

impl ImageBuffer for Rows<'_> {
    fn get_jpeg_color_type(&self) -> JpegColorType {
        JpegColorType::Ycbcr
    }

    fn width(&self) -> u16 {
        self.width
    }

    fn height(&self) -> u16 {
        self.height
    }

    fn fill_buffers(&self, y: u16, buffers: &mut [Vec<u8>; 4]) {
        let line = usize::from(self.width) * 4;
        let row = &self.pixels[usize::from(y) * line..][..line];
        for pixel in row.chunks_exact(4) {
            // Blends transparent pixels with white.
            let laid = |colour: u8| match pixel[3] {
                255 => colour,
                alpha => {
                    let (colour, alpha) = (u32::from(colour), u32::from(alpha));
                    // The value is at most 255.
                    u8::try_from((colour * alpha + 255 * (255 - alpha) + 127) / 255).unwrap_or(255)
                }
            };
            let (y, cb, cr) = rgb_to_ycbcr(laid(pixel[0]), laid(pixel[1]), laid(pixel[2]));
            buffers[0].push(y);
            buffers[1].push(cb);
            buffers[2].push(cr);
        }
    }
}

/// Effort of libwebp, from 0 to 6. The default, 4, takes 50 % longer and makes files 1 to 2 %
/// smaller.
const METHOD: i32 = 3;
