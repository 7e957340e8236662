//! Draws social cards: the pictures that social networks and messengers show next to a link.
//!
//! A [`Card`] has a title, a name, colours and an optional square picture. [`draw`] returns the
//! file. [`Fonts`] chooses a font for each letter: first the given fonts, then the embedded ones,
//! which contain Latin, Greek, Cyrillic, Arabic, Hebrew and Devanagari letters.
//!
//! # Invariants
//!
//! - The crate is independent of sites and files: its input and output are bytes. The same input
//!   always produces the same bytes.
//! - A file has [`WIDTH`] × [`HEIGHT`] pixels and at most [`MAX_BYTES`] bytes.
//! - No text overlaps other text or leaves the card. A letter without a glyph is never drawn as a
//!   box.
//! - No input makes the crate panic or run for a long time.

mod canvas;
mod encode;
mod fonts;
mod layout;
mod paragraph;
mod waveform;

pub use self::encode::Encoding;
pub use self::fonts::{Fonts, UnusableFont};

use self::canvas::{Canvas, Rectangle};
use self::layout::{Area, Block};
use self::paragraph::Paragraph;
use ::pictures::{Fault, Picture};

/// Width of a card in pixels, as Open Graph clients recommend.
pub const WIDTH: u32 = 1200;

/// Height of a card in pixels.
pub const HEIGHT: u32 = 630;

/// Maximum size of a file in bytes. Some messengers ignore larger pictures.
pub const MAX_BYTES: usize = 100_000;

/// The content of a card.
pub struct Card<'a> {
    /// Title of the page. If the fonts lack one of its letters, the card shows only the name.
    pub title: &'a str,
    /// Name of the site.
    pub name: &'a str,
    /// Language of the title (BCP 47). Some languages have their own letter forms.
    pub language: &'a str,
    /// Whether the card is laid out from right to left.
    pub is_rtl: bool,
    /// Picture of the site.
    pub artwork: Option<&'a Artwork>,
    /// The waveform of a passage, of which the title is a quotation: a digit of base 36 for each
    /// part. An empty string draws no waveform.
    pub passage: Option<&'a str>,
    pub colours: Colours,
}

/// A picture in the size in which it is drawn.
pub struct Artwork {
    /// Red, green, blue and alpha of each pixel.
    pixels: Vec<u8>,
}

impl Artwork {
    /// Crops a picture to a square, and resizes it.
    ///
    /// # Errors
    ///
    /// Returns an error if the picture has no area.
    pub fn of(picture: &Picture) -> Result<Self, Fault> {
        Ok(Self { pixels: picture.square(ARTWORK_SIDE.into())? })
    }
}

/// Colours of a card, as red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Colours {
    pub background: [u8; 3],
    pub title: [u8; 3],
    pub name: [u8; 3],
    pub accent: [u8; 3],
}

/// Distance between the content and the edges.
const MARGIN: i32 = 80;
/// Height of the stripe at the bottom.
const STRIPE: i32 = 20;
const ARTWORK_SIDE: u16 = 380;
/// Distance between the text and the artwork.
const GAP: i32 = 48;
/// Minimum distance between the title and the name.
const NAME_GAP: i32 = 36;
const NAME_SIZE: f32 = 38.0;
/// Width of the bar before a quotation, in pixels.
const QUOTATION_BAR: i32 = 10;
/// Font sizes of a title, in pixels. The first one in which the title fits is used. A network that
/// shows a card with a width of 500 pixels shows the smallest one with 15 pixels.
const TITLE_SIZES: [f32; 11] = [116.0, 104.0, 92.0, 82.0, 74.0, 66.0, 59.0, 52.0, 46.0, 41.0, 36.0];
/// Font sizes of a name without a title.
const LARGE_NAME_SIZES: [f32; 4] = [112.0, 96.0, 80.0, 64.0];

/// Draws a card, and returns it as a file in this encoding.
pub fn draw(card: &Card<'_>, fonts: &Fonts, encoding: Encoding) -> Vec<u8> {
    let colours = card.colours;
    let mut canvas = Canvas::new(WIDTH, HEIGHT, colours.background);
    let (width, height) = canvas.size();
    canvas.fill(Rectangle { x: 0, y: height - STRIPE, width, height: STRIPE }, colours.accent);
    let mut area = Area {
        left: MARGIN,
        right: width - MARGIN,
        top: MARGIN,
        bottom: height - STRIPE - MARGIN,
        is_rtl: card.is_rtl,
    };
    if let Some(artwork) = card.artwork {
        let side = i32::from(ARTWORK_SIDE);
        let x = if card.is_rtl { area.left } else { area.right - side };
        canvas.draw_square(&artwork.pixels, (x, (height - STRIPE - side) / 2), ARTWORK_SIDE);
        match card.is_rtl {
            true => area.left += side + GAP,
            false => area.right -= side + GAP,
        }
    }
    draw_text(card, fonts, area, &mut canvas);
    encode::encode(canvas, encoding)
}

/// Draws the title at the top and the name at the bottom. Without a title, the name is centred.
fn draw_text(card: &Card<'_>, fonts: &Fonts, mut area: Area, canvas: &mut Canvas) {
    let paragraph = |text: &str| {
        let text = fonts.drawable(text).ok().filter(|text| !text.is_empty())?;
        Some(Paragraph::new(text, fonts, card.language, card.is_rtl))
    };
    let (title, name) = (paragraph(card.title), paragraph(card.name));
    let colours = card.colours;
    match (title, name) {
        (Some(title), name) => {
            if let Some(name) = name {
                let name = Block::fit(name, &[NAME_SIZE], Some(1), area);
                name.draw(area.bottom - name.height(), colours.name, canvas);
                area.bottom -= name.height() + NAME_GAP;
            }
            if let Some(waveform) = card.passage {
                draw_passage(waveform, &mut area, colours.accent, canvas);
            }
            let title = Block::fit(title, &TITLE_SIZES, None, area);
            title.draw(area.top, colours.title, canvas);
            if card.passage.is_some() {
                let x = match area.is_rtl {
                    true => area.right + GAP - QUOTATION_BAR,
                    false => area.left - GAP,
                };
                let bar =
                    Rectangle { x, y: area.top, width: QUOTATION_BAR, height: title.height() };
                canvas.fill(bar, colours.accent);
            }
        }
        (None, Some(name)) => {
            let name = Block::fit(name, &LARGE_NAME_SIZES, Some(3), area);
            let free = area.bottom - area.top - name.height();
            name.draw(area.top + free / 2, colours.title, canvas);
        }
        (None, None) => {}
    }
}

/// Draws a waveform at the end of the area, and leaves the rest of the area to a quotation with a
/// bar before it.
fn draw_passage(waveform: &str, area: &mut Area, colour: [u8; 3], canvas: &mut Canvas) {
    if !waveform.is_empty() {
        waveform::draw(waveform, *area, colour, canvas);
        area.bottom -= waveform::HEIGHT + NAME_GAP;
    }
    match area.is_rtl {
        true => area.right -= GAP,
        false => area.left += GAP,
    }
}
