//! Draws social cards. Each card is drawn once and stored in `.feedwright/cards/`, under the hash of
//! its content.
//!
//! A build draws cards while it writes its files, on all cores. A preview draws a card when it is
//! requested. Files that are older than a month and not used are removed.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use ::cards::{Artwork, Card, Colours, Encoding, Fonts, draw};
use pictures::Picture;

use super::Site;
use super::old_files::remove_unused;
use local::store::Cache;
use model::{CARD_HEIGHT, CARD_WIDTH, Diagnostic, Rule, SocialCard};

// Pages and feeds state these dimensions.
const _: () = assert!(::cards::WIDTH == CARD_WIDTH && ::cards::HEIGHT == CARD_HEIGHT);

const CACHE: Cache = Cache::new("cards", 1, 1 << 20);

/// The cards of a site, and the folder in which they are stored.
#[derive(Debug)]
pub struct CardFolder {
    root: PathBuf,
    /// The fonts and the artwork of the last card, with their hash.
    tools: Mutex<Option<(u64, Arc<Tools>)>>,
}

/// The fonts and the artwork that all cards of a site share.
struct Tools {
    fonts: Fonts,
    artwork: Option<Artwork>,
}

impl std::fmt::Debug for Tools {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Tools").finish_non_exhaustive()
    }
}

impl CardFolder {
    /// Returns the cards of the site at `root`.
    pub fn of(root: &Path) -> Self {
        Self { root: root.to_owned(), tools: Mutex::default() }
    }

    /// Returns the file of a card. Draws the card if it is not stored.
    pub fn file(&self, card: &SocialCard<'_>) -> Vec<u8> {
        let (path, key) = (CACHE.path(&self.root).join(name(card)), card.key());
        if let Some(bytes) = CACHE.load(&path, key) {
            return bytes;
        }
        let bytes = self.draw(card);
        // If the folder cannot be written, the next run draws the card again.
        let _ = CACHE.save(&path, key, &bytes);
        bytes
    }

    fn draw(&self, card: &SocialCard<'_>) -> Vec<u8> {
        let tools = self.tools(card);
        let colours = card.style.colours;
        let content = Card {
            title: &card.title,
            name: card.name,
            language: card.language,
            is_rtl: card.is_rtl,
            artwork: tools.artwork.as_ref(),
            passage: card.passage.as_deref(),
            colours: Colours {
                background: colours.background,
                title: colours.text,
                name: colours.muted,
                accent: colours.accent,
            },
        };
        // The address of the card has the extension for a card with artwork, even if the artwork is
        // damaged.
        draw(&content, &tools.fonts, Encoding::of(card.artwork.is_some()))
    }

    fn tools(&self, card: &SocialCard<'_>) -> Arc<Tools> {
        let key = card.tools_key();
        let mut last = self.tools.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((own, tools)) if *own == key => Arc::clone(tools),
            _ => {
                let tools = Arc::new(Tools::of(card, &self.root));
                *last = Some((key, Arc::clone(&tools)));
                tools
            }
        }
    }
}

impl Tools {
    fn of(card: &SocialCard<'_>, root: &Path) -> Self {
        let file = card.artwork.and_then(|file| fs::read(file.source.on_disk(root)).ok());
        let artwork = file.and_then(|bytes| Picture::decode(&bytes).ok());
        let artwork = artwork.and_then(|picture| Artwork::of(&picture).ok());
        Self { fonts: fonts(card), artwork }
    }
}

/// Returns the site's fonts and the embedded ones, or only the embedded ones if a font of the site
/// cannot be used.
fn fonts(card: &SocialCard<'_>) -> Fonts {
    Fonts::new(&card.style.fonts).unwrap_or_default()
}

fn name(card: &SocialCard<'_>) -> String {
    format!("{:016x}", card.key())
}

impl Site {
    /// Removes stored cards that are older than a month and not used.
    pub fn remove_old_cards(&self) {
        let renderer = self.renderer();
        remove_unused(&CACHE.path(&self.snapshot.root), || {
            renderer.cards().map(|(_, card)| name(&card)).collect()
        });
    }
}

/// Warns about the first item or page whose title has a letter that no font contains. Its card
/// shows only the name of the site.
pub(super) fn card_faults(_: &Path, site: &Site) -> Vec<Diagnostic> {
    let renderer = site.renderer();
    let mut cards = renderer.cards().peekable();
    let Some(fonts) = cards.peek().map(|(_, card)| fonts(card)) else {
        return Vec::new();
    };
    let mut found =
        cards.filter_map(|(source, card)| Some((source?, fonts.drawable(&card.title).err()?)));
    let Some((source, letter)) = found.next() else {
        return Vec::new();
    };
    let others = match found.count() {
        0 => String::new(),
        count => format!(" (and {count} more)"),
    };
    let message = format!(
        "the social card of this file{others} has no title, because no font for cards has the letter {letter}"
    );
    let help = "set `heading_font` in [theme_options] to a font file with this letter, or set `cards = false` in [social]";
    vec![Diagnostic::warning(Rule::SocialImage, message).file(source.as_str()).help(help)]
}
