//! What pages tell browsers to load early.

use serde_json::Value as Json;

/// A font, or a part of one.
#[derive(Debug, Clone)]
pub struct Preload {
    /// Which part, or nothing if it is a whole font.
    pub part: String,
    /// Its `path` and `type`, as templates read them.
    pub file: Json,
}

impl Preload {
    /// Those that a site in this language needs.
    pub fn of<'p>(all: &'p [Self], language: &str) -> impl Iterator<Item = &'p Json> {
        let needed = fonts::needed(language);
        let early = all.iter().filter(move |preload| {
            preload.part.is_empty() || needed.contains(&preload.part.as_str())
        });
        early.map(|preload| &preload.file)
    }
}
