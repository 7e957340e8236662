//! Emphasis next to Chinese, Japanese and Korean text, according to the CJK-friendly amendments to
//! CommonMark (<https://github.com/tats-u/markdown-cjk-friendly>, `specification.md`). CommonMark
//! requires a space between punctuation and the outside of `**`, but these scripts write no spaces
//! there.
//!
//! The parser implements only CommonMark's rule, which depends on whether the neighbours of a
//! delimiter are punctuation. Therefore, a neighbour of the wrong class is replaced by a character
//! of the same length and the right class before parsing, see
//! [`substitutions`](super::substitutions). Only `*` and `~` need this: the amendments change
//! nothing for `_`.

use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;

use unicode_normalization::char::is_combining_mark;

/// The class that the parser should see for a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CharacterClass {
    Letter,
    Punctuation,
}

/// Returns the offsets of the characters to replace, in ascending order, each with the class of its
/// substitute. These characters are next to emphasis delimiters.
pub fn neighbours(body: &str) -> Vec<(usize, CharacterClass)> {
    let bytes = body.as_bytes();
    let mut found: Vec<(usize, CharacterClass)> = Vec::new();
    let mut at = 0;
    while let Some(next) = memchr::memchr2(b'*', b'~', &bytes[at..]) {
        let mut start = at + next;
        let delimiter = bytes[start];
        let run = bytes[start..].iter().take_while(|byte| **byte == delimiter);
        let end = start + run.count();
        at = end;
        let is_beside_ascii = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii);
        let before = start.checked_sub(1).and_then(|before| bytes.get(before));
        if is_beside_ascii(before) && is_beside_ascii(bytes.get(end)) {
            continue;
        }
        let backslashes = bytes[..start].iter().rev();
        if backslashes.take_while(|byte| **byte == b'\\').count() % 2 == 1 {
            start += 1;
        }
        if start < end {
            add_neighbours(body, start, end, &mut found);
        }
    }
    found
}

/// Adds the characters to replace before and after a run of delimiters.
fn add_neighbours(body: &str, start: usize, end: usize, found: &mut Vec<(usize, CharacterClass)>) {
    let (before, after) = (Neighbour::before(&body[..start]), Neighbour::after(&body[end..]));
    let length = |side: Neighbour| side.character.map_or(0, char::len_utf8);
    let mut add = |at: usize, like| match found.last_mut() {
        // The same character may be next to two runs.
        Some(last) if last.0 == at => last.1 = like,
        _ => found.push((at, like)),
    };
    use Kind::{CjkLetter, CjkPunctuation, Letter, Punctuation};
    let is_letter = |kind| matches!(kind, CjkLetter | Letter);
    match (before.kind, after.kind) {
        (CjkLetter, Punctuation) => add(start - length(before), CharacterClass::Punctuation),
        (Punctuation, CjkLetter) => add(end, CharacterClass::Punctuation),
        (CjkPunctuation, kind) if is_letter(kind) => {
            add(start - length(before), CharacterClass::Letter)
        }
        (kind, CjkPunctuation) if is_letter(kind) => add(end, CharacterClass::Letter),
        _ => {}
    }
}

/// The character next to a run of delimiters, and its kind.
#[derive(Debug, Clone, Copy)]
struct Neighbour {
    kind: Kind,
    character: Option<char>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Space,
    Letter,
    Punctuation,
    CjkLetter,
    CjkPunctuation,
}

impl Neighbour {
    fn after(text: &str) -> Self {
        let character = text.chars().next();
        Self { kind: character.map_or(Kind::Space, Kind::of), character }
    }

    fn before(text: &str) -> Self {
        let mut last = text.chars().rev();
        let (character, base) = (last.next(), last.next());
        let kind = match (character, base) {
            // A variation selector belongs to the character before it, but the parser treats it as
            // a letter.
            (Some('\u{FE01}'), Some('‘' | '’' | '“' | '”')) => Kind::CjkLetter,
            (Some('\u{FE00}'..='\u{FE0E}'), Some(base)) if is_cjk(base) => Kind::CjkLetter,
            (Some('\u{E0100}'..='\u{E01EF}'), _) => Kind::CjkLetter,
            (Some(character), _) => Kind::of(character),
            (None, _) => Kind::Space,
        };
        Self { kind, character }
    }
}

impl Kind {
    fn of(character: char) -> Self {
        let is_format = matches!(
            character,
            '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}'
                | '\u{E000}'..='\u{F8FF}' | '\u{AD}' | '\u{E0000}'..='\u{10FFFF}'
        );
        let is_letter = character.is_alphanumeric()
            || is_combining_mark(character)
            || character.is_control()
            || is_format;
        match (is_cjk(character), is_letter) {
            _ if character.is_whitespace() => Self::Space,
            (true, true) => Self::CjkLetter,
            (true, false) => Self::CjkPunctuation,
            (false, true) => Self::Letter,
            (false, false) => Self::Punctuation,
        }
    }
}

/// Ranges of wide, full-width and half-width characters (Unicode Standard Annex 11) that are not
/// shown as emoji, and of Hangul.
const CJK: [(char, char); 46] = [
    ('\u{1100}', '\u{11FF}'),
    ('\u{20A9}', '\u{20A9}'),
    ('\u{2329}', '\u{232A}'),
    ('\u{2630}', '\u{2637}'),
    ('\u{268A}', '\u{268F}'),
    ('\u{2E80}', '\u{2E99}'),
    ('\u{2E9B}', '\u{2EF3}'),
    ('\u{2F00}', '\u{2FD5}'),
    ('\u{2FF0}', '\u{303E}'),
    ('\u{3041}', '\u{3096}'),
    ('\u{3099}', '\u{30FF}'),
    ('\u{3105}', '\u{312F}'),
    ('\u{3131}', '\u{318E}'),
    ('\u{3190}', '\u{31E5}'),
    ('\u{31EF}', '\u{321E}'),
    ('\u{3220}', '\u{3247}'),
    ('\u{3250}', '\u{A48C}'),
    ('\u{A490}', '\u{A4C6}'),
    ('\u{A960}', '\u{A97C}'),
    ('\u{AC00}', '\u{D7A3}'),
    ('\u{D7B0}', '\u{D7C6}'),
    ('\u{D7CB}', '\u{D7FB}'),
    ('\u{F900}', '\u{FAFF}'),
    ('\u{FE10}', '\u{FE19}'),
    ('\u{FE30}', '\u{FE52}'),
    ('\u{FE54}', '\u{FE66}'),
    ('\u{FE68}', '\u{FE6B}'),
    ('\u{FF01}', '\u{FFBE}'),
    ('\u{FFC2}', '\u{FFDC}'),
    ('\u{FFE0}', '\u{FFE6}'),
    ('\u{FFE8}', '\u{FFEE}'),
    ('\u{16FE0}', '\u{16FE4}'),
    ('\u{16FF0}', '\u{16FF6}'),
    ('\u{17000}', '\u{18CD5}'),
    ('\u{18CFF}', '\u{18D1E}'),
    ('\u{18D80}', '\u{18DF2}'),
    ('\u{1AFF0}', '\u{1AFFE}'),
    ('\u{1B000}', '\u{1B2FB}'),
    ('\u{1D300}', '\u{1D376}'),
    ('\u{1F200}', '\u{1F200}'),
    ('\u{1F202}', '\u{1F219}'),
    ('\u{1F21B}', '\u{1F22E}'),
    ('\u{1F230}', '\u{1F231}'),
    ('\u{1F237}', '\u{1F248}'),
    ('\u{1F260}', '\u{1F265}'),
    ('\u{20000}', '\u{3FFFD}'),
];

fn is_cjk(character: char) -> bool {
    let at = CJK.partition_point(|(_, last)| *last < character);
    CJK.get(at).is_some_and(|(first, _)| *first <= character)
}

/// Ranges of rarely used characters, from which substitutes are taken, with the class that the
/// parser sees and the length in bytes: private use, box drawing, Braille patterns and Sutton
/// SignWriting.
const POOLS: [((CharacterClass, usize), RangeInclusive<char>); 4] = [
    ((CharacterClass::Letter, 3), '\u{E000}'..='\u{F8FF}'),
    ((CharacterClass::Punctuation, 3), '\u{2500}'..='\u{257F}'),
    ((CharacterClass::Punctuation, 3), '\u{2800}'..='\u{28FF}'),
    ((CharacterClass::Punctuation, 4), '\u{1D800}'..='\u{1D9FF}'),
];

/// Substitute characters that the parser reads instead of the author's characters.
#[derive(Debug)]
pub struct Substitutes {
    pools: [((CharacterClass, usize), RangeInclusive<char>); 4],
    /// The characters of [`POOLS`] that the body already contains. They are not used as
    /// substitutes.
    held: HashSet<char>,
    known: HashMap<(char, CharacterClass), char>,
}

impl Substitutes {
    /// Returns the substitutes for a body: characters of [`POOLS`] that the body does not contain.
    pub fn for_text(text: &str) -> Self {
        let is_in_pool = |c: &char| !c.is_ascii() && POOLS.iter().any(|(_, pool)| pool.contains(c));
        Self {
            pools: POOLS,
            held: text.chars().filter(is_in_pool).collect(),
            known: HashMap::new(),
        }
    }

    /// Returns the substitute for a character, or `None` if none is left.
    pub fn of(&mut self, character: char, like: CharacterClass) -> Option<char> {
        if let Some(known) = self.known.get(&(character, like)) {
            return Some(*known);
        }
        let class = (like, character.len_utf8());
        let pools = self.pools.iter_mut().filter(|(of, _)| *of == class);
        let mut characters = pools.flat_map(|(_, pool)| pool);
        let free = characters.find(|c| !self.held.contains(c))?;
        self.known.insert((character, like), free);
        Some(free)
    }

    /// Returns each used substitute with the character that it replaces.
    pub fn pairs(self) -> impl Iterator<Item = (char, char)> {
        self.known.into_iter().map(|((own, _), other)| (other, own))
    }
}
