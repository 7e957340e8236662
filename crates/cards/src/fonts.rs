//! The fonts of cards, and the choice of a font for each character.

use std::sync::OnceLock;

use harfrust::Font;
use harfrust::unicode::{combining_class, script};

/// The embedded fonts: Noto Sans Bold, reduced to the characters of each script. The order matters:
/// the first font with a character is used.
static EMBEDDED: [&[u8]; 4] = [
    include_bytes!("../fonts/latin.woff"),
    include_bytes!("../fonts/arabic.woff"),
    include_bytes!("../fonts/devanagari.woff"),
    include_bytes!("../fonts/hebrew.woff"),
];

/// The weight that variable fonts are drawn in.
const BOLD: f32 = 700.0;

/// Fonts in order of preference.
pub struct Fonts {
    all: Vec<Font>,
}

/// The error for a file that is not a TrueType, OpenType or WOFF font.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnusableFont;

/// The embedded fonts.
impl Default for Fonts {
    fn default() -> Self {
        Self { all: embedded().to_vec() }
    }
}

impl Fonts {
    /// Returns the given fonts, followed by the embedded ones.
    ///
    /// # Errors
    ///
    /// Returns an error if a file is not a usable font.
    pub fn new(files: &[impl AsRef<[u8]>]) -> Result<Self, UnusableFont> {
        let own = files.iter().map(|file| read(file.as_ref()));
        let own: Option<Vec<Font>> = own.collect();
        Ok(Self { all: [own.ok_or(UnusableFont)?.as_slice(), embedded()].concat() })
    }

    /// Returns the text to draw: without control characters, without symbols such as emoji that no
    /// font contains, and with at most [`MAX_MARKS`] marks on each letter. A very long text ends
    /// with an ellipsis.
    ///
    /// # Errors
    ///
    /// Returns the first letter or digit that no font contains.
    pub fn drawable(&self, text: &str) -> Result<String, char> {
        let mut drawable = String::new();
        let mut is_left_out = false;
        let (mut characters, mut marks) = (0, 0);
        for character in text.chars() {
            if combining_class(character.into()) == 0 {
                marks = 0;
            } else if marks == MAX_MARKS {
                continue;
            } else {
                marks += 1;
            }
            if characters == MAX_CHARACTERS {
                drawable.push('…');
                break;
            }
            characters += 1;
            if character.is_whitespace() {
                if !drawable.is_empty() && !drawable.ends_with(' ') {
                    drawable.push(' ');
                }
            } else if is_invisible(character) {
                // Joiners and variants of emoji are left out with them.
                drawable.extend(Some(character).filter(|_| !is_left_out));
                continue;
            } else if self.find(character).is_some() {
                drawable.push(character);
            } else if character.is_alphanumeric() {
                return Err(character);
            } else {
                is_left_out = true;
                continue;
            }
            is_left_out = false;
        }
        drawable.truncate(drawable.trim_end().len());
        let is_blank = drawable.chars().all(|one| is_invisible(one) || one == ' ');
        Ok(if is_blank { String::new() } else { drawable })
    }

    /// Returns the font for a character. A character that belongs to no script, such as a space or
    /// a comma, has the font of the `previous` character, if possible.
    pub(crate) fn choose(&self, character: char, previous: Option<usize>) -> usize {
        let keeps = previous.filter(|_| is_invisible(character) || is_neutral(character));
        let keeps = keeps.filter(|at| is_invisible(character) || has(&self.all[*at], character));
        keeps.or_else(|| self.find(character)).or(previous).unwrap_or(0)
    }

    pub(crate) fn font(&self, at: usize) -> &Font {
        &self.all[at]
    }

    fn find(&self, character: char) -> Option<usize> {
        self.all.iter().position(|font| has(font, character))
    }
}

/// Maximum number of characters of a text. A card rarely has room for so many.
const MAX_CHARACTERS: usize = 1000;

/// Maximum number of marks on a letter. A Hebrew letter can have four: a dot that distinguishes
/// letters, a dot that doubles it, a vowel and an accent.
const MAX_MARKS: usize = 4;

fn embedded() -> &'static [Font] {
    static FONTS: OnceLock<Vec<Font>> = OnceLock::new();
    FONTS.get_or_init(|| EMBEDDED.iter().filter_map(|file| read(file)).collect())
}

/// Reads a font. A variable font is set to bold.
fn read(file: &[u8]) -> Option<Font> {
    let font = Font::new(::fonts::unpacked(file)?, 0)?;
    let is_usable = font.units_per_em() > 0 && !font.outline_glyphs().is_empty();
    let bold = || font.instance_builder().variations([("wght", BOLD)]).build();
    is_usable.then(bold)
}

fn has(font: &Font, character: char) -> bool {
    font.charmap().map_unicode(character).is_some_and(|glyph| glyph.to_u32() != 0)
}

/// Returns whether a character belongs to no script, or to the script of the previous character.
pub(crate) fn is_neutral(character: char) -> bool {
    use harfrust::Script;
    let script = script(character.into());
    [Script::COMMON, Script::INHERITED, Script::UNKNOWN].contains(&script)
}

/// Returns whether a character only affects its neighbours: joiners, directions and variants.
pub(crate) fn is_invisible(character: char) -> bool {
    matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}
