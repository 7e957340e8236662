//! Social cards: the pictures that feedwright draws for pages without a picture.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use xxhash_rust::xxh3::Xxh3Default;

use super::MediaFile;
use super::declare::settings;

/// Version of the drawings. Must change whenever `crates/cards` draws the same card differently.
const VERSION: u32 = 2;

/// Width of a card in pixels.
pub const CARD_WIDTH: u32 = 1200;
/// Height of a card in pixels.
pub const CARD_HEIGHT: u32 = 630;

settings! {
    /// `[social]`: pages on social networks.
    #[derive(Copy)]
    SocialConfig {
        /// draws [social cards](media-files.md#social-cards) for items and pages without a
        /// picture
        cards: bool = "cards", Flag => true;
    }
}

/// The look of a site's cards: colours of the theme, and fonts of the site.
#[derive(Debug, Clone, PartialEq)]
pub struct CardStyle {
    pub colours: CardColours,
    /// Font files of the site, in order of preference.
    pub fonts: Vec<Arc<[u8]>>,
    /// Hash of the font files.
    pub fonts_hash: u64,
}

/// Colours of cards, as red, green and blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CardColours {
    pub background: [u8; 3],
    /// Colour of titles.
    pub text: [u8; 3],
    /// Colour of the site's name.
    pub muted: [u8; 3],
    pub accent: [u8; 3],
}

impl Default for CardColours {
    fn default() -> Self {
        Self { background: [255; 3], text: [26; 3], muted: [89; 3], accent: [26; 3] }
    }
}

/// The content of a card.
#[derive(Debug, Clone)]
pub struct SocialCard<'a> {
    pub title: String,
    /// Name of the site, or its host on the card of the home page.
    pub name: &'a str,
    pub language: &'a str,
    pub is_rtl: bool,
    /// The channel's icon, if feedwright can resize it.
    pub artwork: Option<&'a MediaFile>,
    pub style: &'a CardStyle,
    /// The waveform of a clip, whose title is a quotation. The string is empty if the waveform is
    /// unknown.
    pub passage: Option<String>,
}

impl SocialCard<'_> {
    /// Returns a hash of everything that the card shows.
    pub fn key(&self) -> u64 {
        let mut state = Xxh3Default::new();
        (VERSION, &self.title, self.name, self.language, self.is_rtl).hash(&mut state);
        if let Some(waveform) = &self.passage {
            waveform.hash(&mut state);
        }
        self.tools_key().hash(&mut state);
        state.digest()
    }

    /// Returns a hash of the artwork, colours and fonts, which all cards of a site share.
    pub fn tools_key(&self) -> u64 {
        let mut state = Xxh3Default::new();
        let artwork = self.artwork.and_then(|file| file.still.as_ref()).map(|still| still.hash);
        (artwork, self.style.colours, self.style.fonts_hash).hash(&mut state);
        state.digest()
    }

    /// Returns the file extension. A card with artwork is a JPEG, and a card with only text a PNG,
    /// which is smaller and sharper.
    pub fn extension(&self) -> &'static str {
        if self.artwork.is_some() { "jpg" } else { "png" }
    }
}

impl Hash for SocialCard<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}
