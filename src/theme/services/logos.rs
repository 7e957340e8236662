//! Logos of services, as tiles that pages show.

use crate::colour::Colour;

/// The logos from Simple Icons, and an envelope of our own. `logos.cjs` writes the file. Each line
/// has a slug, a colour and an SVG path in a box of 24 × 24.
const LOGOS: [&str; 2] = [
    include_str!("logos.txt"),
    "mail #4a5560 M2.5 5h19L12 12.4zM1.8 6.9v11.3c0 .5.4.8.8.8h18.8c.4 0 .8-.3.8-.8V6.9L12 14.9z",
];

/// The folder of the tiles below `/assets/`. A change of the tiles needs a new name, because
/// browsers cache assets forever.
pub const FOLDER: &str = "logos-16.37.0";

/// A colour on which a white logo has less contrast gets a black logo instead.
const MIN_CONTRAST_OF_WHITE: f64 = 2.0;

/// The contrast to which a tile with a white logo is darkened (WCAG 2.2, 1.4.11).
const MIN_CONTRAST: f64 = 3.0;

/// A logo in [`LOGOS`], by its slug.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Logo(pub(super) &'static str);

impl Logo {
    pub(super) fn all() -> impl Iterator<Item = Self> {
        lines().map(|line| Self(line.split(' ').next().unwrap_or_default()))
    }

    /// Returns the logo whose tile has this file name.
    pub fn at(file_name: &str) -> Option<Self> {
        let slug = file_name.strip_suffix(".svg")?;
        Self::all().find(|logo| logo.0 == slug)
    }

    /// Returns the public path of the tile.
    pub fn path(self) -> String {
        format!("/assets/{FOLDER}/{}.svg", self.0)
    }

    /// Returns the tile.
    pub fn svg(self) -> String {
        let (tile, ink) = self.colours().unwrap_or((Colour::BLACK, Colour::WHITE));
        let shape = self.entry().map_or("", |(_, shape)| shape);
        // The faint edge separates a dark tile from a dark page.
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 32 32\">\
             <rect width=\"32\" height=\"32\" rx=\"9\" fill=\"{tile}\"/>\
             <rect x=\".5\" y=\".5\" width=\"31\" height=\"31\" rx=\"8.5\" fill=\"none\" stroke=\"#fff\" stroke-opacity=\".2\"/>\
             <path transform=\"translate(6 6) scale(.8333)\" fill=\"{ink}\" d=\"{shape}\"/></svg>\n"
        )
    }

    /// Returns the colours of the tile and of the logo on it.
    pub(super) fn colours(self) -> Option<(Colour, Colour)> {
        let colour = self.entry()?.0;
        if colour.contrast(Colour::WHITE) < MIN_CONTRAST_OF_WHITE {
            return Some((colour, Colour::BLACK));
        }
        Some((colour.nearest_readable(&[Colour::WHITE], MIN_CONTRAST)?, Colour::WHITE))
    }

    /// Returns the colour for a tile with a white letter.
    pub(super) fn colour_for_letter(self) -> String {
        let colour = self.entry().map(|(colour, _)| colour);
        let readable = colour.and_then(|colour| colour.nearest_readable(&[Colour::WHITE], 4.5));
        readable.unwrap_or(Colour::BLACK).to_string()
    }

    /// Returns the logo's colour and path.
    fn entry(self) -> Option<(Colour, &'static str)> {
        let mut own = lines().filter_map(|line| line.strip_prefix(self.0)?.strip_prefix(' '));
        let (colour, shape) = own.next()?.split_once(' ')?;
        Some((Colour::parse(colour)?, shape))
    }
}

fn lines() -> impl Iterator<Item = &'static str> {
    LOGOS.into_iter().flat_map(str::lines).filter(|line| !line.starts_with('#'))
}
