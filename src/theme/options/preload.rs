//! Fonts that pages preload.

use serde_json::Value as Json;

/// A font, or a part of a font.
#[derive(Debug, Clone)]
pub struct Preload {
    /// Name of the part; empty for a whole font.
    pub part: String,
    /// `path` and `type` of the font file, as templates use them.
    pub file: Json,
}

impl Preload {
    /// Returns the fonts that a site in this language needs.
    pub fn of<'p>(all: &'p [Self], language: &str) -> impl Iterator<Item = &'p Json> {
        let needed = fonts::needed(language);
        let early = all.iter().filter(move |preload| {
            preload.part.is_empty() || needed.contains(&preload.part.as_str())
        });
        early.map(|preload| &preload.file)
    }
}
