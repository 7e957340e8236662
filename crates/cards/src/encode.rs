//! Encodes a card as a file that all social networks accept.

use pictures::{Format, Picture};

use super::MAX_BYTES;
use super::canvas::Canvas;

/// Encoding of a card's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// JPEG, for cards with artwork.
    Jpeg,
    /// PNG with a palette, for cards with text only: smaller than a JPEG, and sharp.
    Png,
}

impl Encoding {
    /// Returns the encoding for a card with or without artwork.
    pub fn of(has_artwork: bool) -> Self {
        if has_artwork { Self::Jpeg } else { Self::Png }
    }
}

/// Qualities of a JPEG. The first one that results in a file of at most [`MAX_BYTES`] is used.
const QUALITIES: [u8; 6] = [88, 78, 66, 50, 30, 10];

pub fn encode(canvas: Canvas, encoding: Encoding) -> Vec<u8> {
    match encoding {
        Encoding::Png => png(&canvas).unwrap_or_default(),
        Encoding::Jpeg => jpeg(canvas),
    }
}

fn jpeg(canvas: Canvas) -> Vec<u8> {
    let picture = Picture::from_pixels(canvas.width, canvas.height, canvas.pixels);
    let files = QUALITIES.iter().filter_map(|quality| {
        let format = Format::Jpeg { quality: *quality };
        picture.as_ref()?.encode(format).ok()
    });
    let mut last = Vec::new();
    for file in files {
        last = file;
        if last.len() <= MAX_BYTES {
            break;
        }
    }
    last
}

/// Writes a PNG with a palette. Returns `None` if the card has more than 256 colours, which only
/// artwork can cause.
fn png(canvas: &Canvas) -> Option<Vec<u8>> {
    let width = canvas.width as usize;
    let mut palette: Vec<[u8; 3]> = Vec::new();
    let mut pixels: Vec<u8> = Vec::with_capacity(canvas.pixels.len() / 3);
    let mut above = None;
    for row in canvas.pixels.chunks_exact(3 * width) {
        // Most rows are like the row above.
        if above.replace(row) == Some(row) {
            pixels.extend_from_within(pixels.len() - width..);
            continue;
        }
        for run in row.as_chunks::<3>().0.chunk_by(|before, pixel| before == pixel) {
            let known = palette.iter().position(|colour| *colour == run[0]);
            let index = known.unwrap_or_else(|| {
                palette.push(run[0]);
                palette.len() - 1
            });
            pixels.resize(pixels.len() + run.len(), u8::try_from(index).ok()?);
        }
    }
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, canvas.width, canvas.height);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(palette.into_flattened());
    encoder.set_filter(png::Filter::NoFilter);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(&pixels).ok()?;
    writer.finish().ok()?;
    Some(file)
}
