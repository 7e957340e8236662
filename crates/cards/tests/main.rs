//! What cards look like, and that every text can be drawn.

#![allow(clippy::unwrap_used)]

mod limits;
mod text;

use std::io::Cursor;

use cards::{Artwork, Card, Colours, Encoding, Fonts, HEIGHT, WIDTH, draw};
use pictures::Picture;

const COLOURS: Colours = Colours {
    background: [251, 252, 251],
    title: [22, 32, 27],
    name: [83, 97, 90],
    accent: [0, 105, 74],
};

fn card<'a>(title: &'a str, name: &'a str) -> Card<'a> {
    Card {
        title,
        name,
        language: "en",
        is_rtl: false,
        artwork: None,
        passage: None,
        colours: COLOURS,
    }
}

fn png(card: &Card<'_>) -> Drawing {
    Drawing::of(&draw(card, &Fonts::default(), Encoding::Png))
}

/// A decoded card.
struct Drawing {
    /// Red, green and blue of each pixel.
    pixels: Vec<[u8; 3]>,
}

impl Drawing {
    fn of(file: &[u8]) -> Self {
        let mut decoder = png::Decoder::new(Cursor::new(file));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().unwrap();
        let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut bytes).unwrap();
        assert_eq!((info.width, info.height), (WIDTH, HEIGHT));
        let pixels = bytes.chunks_exact(3).map(|pixel| [pixel[0], pixel[1], pixel[2]]);
        Self { pixels: pixels.collect() }
    }

    fn at(&self, x: u32, y: u32) -> [u8; 3] {
        self.pixels[(y * WIDTH + x) as usize]
    }

    /// Returns the positions of all pixels with a colour.
    fn with(&self, colour: [u8; 3]) -> Vec<(u32, u32)> {
        let all = (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y)));
        all.filter(|(x, y)| self.at(*x, *y) == colour).collect()
    }

    /// Returns the left, right, top and bottom edges of a colour.
    fn edges(&self, colour: [u8; 3]) -> Option<(u32, u32, u32, u32)> {
        self.edges_where(|own| own == colour)
    }

    /// Returns the edges of everything that is not background or stripe, in any shade.
    fn ink(&self) -> Option<(u32, u32, u32, u32)> {
        self.edges_where(|own| own != COLOURS.background && own != COLOURS.accent)
    }

    fn edges_where(&self, is_counted: impl Fn([u8; 3]) -> bool) -> Option<(u32, u32, u32, u32)> {
        let all = (0..HEIGHT).flat_map(|y| (0..WIDTH).map(move |x| (x, y)));
        all.filter(|(x, y)| is_counted(self.at(*x, *y))).fold(None, |edges, (x, y)| {
            let (left, right, top, bottom) = edges.unwrap_or((x, x, y, y));
            Some((left.min(x), right.max(x), top.min(y), bottom.max(y)))
        })
    }
}

/// Returns a picture with one colour.
fn picture(width: u32, height: u32, colour: [u8; 3]) -> Artwork {
    let pixels = colour.repeat((width * height) as usize);
    Artwork::of(&Picture::from_pixels(width, height, pixels).unwrap()).unwrap()
}

/// Returns a picture that compresses badly.
fn noise(side: u32) -> Artwork {
    let mut state = 1_u32;
    let pixels = (0..side * side * 3).map(|_| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    });
    Artwork::of(&Picture::from_pixels(side, side, pixels.collect()).unwrap()).unwrap()
}
