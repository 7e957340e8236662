//! The look of social cards: colours of the theme, and fonts of the site.

use std::sync::Arc;

use serde_json::Value as Json;
use xxhash_rust::xxh3::Xxh3;

use super::colours::colour;
use crate::colour::Colour;
use model::{CardColours, CardStyle};
use source::fields::Fields;

/// The options whose fonts draw cards, in order of preference.
const FONT_OPTIONS: [&str; 2] = ["heading_font", "font"];

/// A font file of the site that can draw cards.
#[derive(Debug)]
pub struct CardFont {
    /// Name of the option.
    pub option: String,
    pub is_bold: bool,
    pub bytes: Arc<[u8]>,
}

/// Reads `card` of a manifest.
pub fn read_card_colours(fields: &Fields<'_, '_>) -> CardColours {
    let usual = CardColours::default();
    let read = |key: &'static str, usual| {
        let colour = fields.node(key).and_then(|node| colour(fields, key, node));
        colour.map_or(usual, Colour::channels)
    };
    CardColours {
        background: read("background", usual.background),
        text: read("text", usual.text),
        muted: read("muted", usual.muted),
        accent: read("accent", usual.accent),
    }
}

/// Returns the style of cards. The site's `accent` replaces the theme's. Of each font option, the
/// bold face is used, or else the regular one.
pub fn style(theme: Option<CardColours>, values: &Json, fonts: &[CardFont]) -> CardStyle {
    let mut colours = theme.unwrap_or_default();
    let accent = values["accent"]["light"].as_str().and_then(Colour::parse);
    colours.accent = accent.map_or(colours.accent, Colour::channels);
    let of_options = FONT_OPTIONS.iter().filter_map(|option| {
        let faces = fonts.iter().filter(|font| font.option == *option);
        faces.max_by_key(|font| font.is_bold).map(|font| Arc::clone(&font.bytes))
    });
    let fonts: Vec<Arc<[u8]>> = of_options.collect();
    let mut hasher = Xxh3::new();
    for font in &fonts {
        hasher.update(&font.len().to_le_bytes());
        hasher.update(font);
    }
    CardStyle { colours, fonts, fonts_hash: hasher.digest() }
}
