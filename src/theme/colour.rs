//! Colours (sRGB), the contrast between two colours (WCAG 2.2), and the nearest colour with enough
//! contrast.

use std::fmt;

/// A colour without transparency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour([u8; 3]);

impl Colour {
    pub const WHITE: Self = Self([255; 3]);
    pub const BLACK: Self = Self([0; 3]);

    /// Parses `#00694a` or `#064`.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.trim().strip_prefix('#')?;
        let digits: Option<Vec<u8>> =
            digits.chars().map(|digit| u8::try_from(digit.to_digit(16)?).ok()).collect();
        match *digits? {
            [r, g, b] => Some(Self([r * 17, g * 17, b * 17])),
            [a, b, c, d, e, f] => Some(Self([a * 16 + b, c * 16 + d, e * 16 + f])),
            _ => None,
        }
    }

    /// Returns the red, green and blue channels.
    pub fn channels(self) -> [u8; 3] {
        self.0
    }

    /// Returns the relative luminance, from 0 to 1.
    fn luminance(self) -> f64 {
        let [r, g, b] = self.linear();
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /// Returns the contrast with another colour, from 1 to 21.
    pub fn contrast(self, other: Self) -> f64 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// Returns white or black, whichever is easier to read on this colour. One of them has a
    /// contrast of at least 4.58.
    pub fn text_colour(self) -> Self {
        if self.contrast(Self::WHITE) >= self.contrast(Self::BLACK) {
            Self::WHITE
        } else {
            Self::BLACK
        }
    }

    /// Returns the nearest colour of the same hue, darker or lighter, that has a contrast of at
    /// least `min_contrast` with all of `papers`. Returns `None` if there is no such colour.
    pub fn nearest_readable(self, papers: &[Self], min_contrast: f64) -> Option<Self> {
        let passes =
            |colour: Self| papers.iter().all(|paper| colour.contrast(*paper) >= min_contrast);
        if passes(self) {
            return Some(self);
        }
        let ends = [Self::BLACK, Self::WHITE].into_iter();
        let found = ends.filter(|end| passes(*end)).map(|end| {
            // Binary search for the smallest share of the end colour that has enough contrast.
            let (mut little, mut enough) = (0.0, 1.0);
            for _ in 0..16 {
                let share = f64::midpoint(little, enough);
                if passes(self.mix_with(end, share)) {
                    enough = share;
                } else {
                    little = share;
                }
            }
            (enough, self.mix_with(end, enough))
        });
        found.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, colour)| colour)
    }

    /// Mixes the colour with another one in Oklab, where equal steps look equal and the hue is
    /// kept.
    fn mix_with(self, end: Self, share: f64) -> Self {
        let (from, to) = (oklab(self.linear()), oklab(end.linear()));
        let mixed = [0, 1, 2].map(|at| from[at] + (to[at] - from[at]) * share);
        Self(from_oklab(mixed).map(encode_channel))
    }

    /// Returns the channels as linear light, from 0 to 1.
    fn linear(self) -> [f64; 3] {
        self.0.map(|channel| {
            let value = f64::from(channel) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        })
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [r, g, b] = self.0;
        write!(f, "#{r:02x}{g:02x}{b:02x}")
    }
}

/// Converts an amount of linear light to a channel value.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn encode_channel(light: f64) -> u8 {
    let light = light.clamp(0.0, 1.0);
    let value =
        if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    (value * 255.0).round() as u8
}

/// Converts linear light to Oklab (CSS Color 4, section 9.2).
fn oklab(light: [f64; 3]) -> [f64; 3] {
    let cones = product(
        &[
            [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
            [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
            [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
        ],
        light,
    );
    product(
        &[
            [0.210_454_255_3, 0.793_617_785_0, -0.004_072_046_8],
            [1.977_998_495_1, -2.428_592_205_0, 0.450_593_709_9],
            [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766_0],
        ],
        cones.map(f64::cbrt),
    )
}

fn from_oklab(lab: [f64; 3]) -> [f64; 3] {
    let cones = product(
        &[
            [1.0, 0.396_337_777_4, 0.215_803_757_3],
            [1.0, -0.105_561_345_8, -0.063_854_172_8],
            [1.0, -0.089_484_177_5, -1.291_485_548_0],
        ],
        lab,
    );
    product(
        &[
            [4.076_741_662_1, -3.307_711_591_3, 0.230_969_929_2],
            [-1.268_438_004_6, 2.609_757_401_1, -0.341_319_396_5],
            [-0.004_196_086_3, -0.703_418_614_7, 1.707_614_701_0],
        ],
        cones.map(|cone| cone * cone * cone),
    )
}

fn product(matrix: &[[f64; 3]; 3], [a, b, c]: [f64; 3]) -> [f64; 3] {
    matrix.map(|[x, y, z]| x * a + y * b + z * c)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn colour(text: &str) -> Colour {
        Colour::parse(text).unwrap()
    }

    #[test]
    fn contrast_follows_wcag() {
        let of = |a, b| (colour(a).contrast(colour(b)) * 100.0).round() / 100.0;
        assert!((of("#000", "#fff") - 21.0).abs() < 0.001);
        assert!((of("#767676", "#ffffff") - 4.54).abs() < 0.001);
        assert!((of("#ffd400", "#ffffff") - 1.43).abs() < 0.001);
    }

    #[test]
    fn invalid_colours_are_none() {
        for text in ["", "red", "#", "#12", "#12345", "#1234567", "#ggg", "00694a"] {
            assert_eq!(Colour::parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn the_nearest_readable_colour_has_enough_contrast(channels: [u8; 3], paper: u8) {
            let (colour, papers) = (Colour(channels), [Colour([paper; 3]), Colour([paper / 2 + paper / 3; 3])]);
            let min_contrast = 4.5;
            let passes = |colour: Colour| papers.iter().all(|paper| colour.contrast(*paper) >= min_contrast);
            match colour.nearest_readable(&papers, min_contrast) {
                Some(found) => {
                    prop_assert!(passes(found), "{found}");
                    prop_assert!(!passes(colour) || found == colour);
                }
                None => prop_assert!(!passes(Colour::WHITE) && !passes(Colour::BLACK)),
            }
            prop_assert!(colour.contrast(colour.text_colour()) >= 4.5);
            prop_assert_eq!(Colour::parse(&colour.to_string()), Some(colour));
        }
    }
}
