//! Ids, slugs, and the segment of an item's public path.

use borsh::{BorshDeserialize, BorshSerialize};
use std::borrow::Cow;
use std::fmt;

use serde::Serialize;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use xxhash_rust::xxh3::xxh3_64;

/// The reason why a string is not a valid id or slug.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct IdentityError(pub String);

/// Id of an item or page: 1 to 64 of the characters `A–Z a–z 0–9 _ -`. The id stays the same when
/// title and slug change.
#[derive(
    BorshDeserialize, BorshSerialize, Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize,
)]
pub struct ItemId(String);

impl ItemId {
    pub fn parse(text: &str) -> Result<Self, IdentityError> {
        let valid = (1..=64).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
        if valid {
            Ok(Self(text.to_owned()))
        } else {
            Err(IdentityError(format!(
                "{text:?} is not a valid id: use 1 to 64 of the characters A–Z, a–z, 0–9, `-` and `_`"
            )))
        }
    }

    /// Derives an id of eleven characters from the path of a file that does not contain an id.
    pub fn derive(path: &str) -> Self {
        Self::from_number(xxh3_64(path.as_bytes()))
    }

    /// Encodes a number as an id of eleven characters.
    pub fn from_number(number: u64) -> Self {
        Self(encode_base32(number))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ItemId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Encodes a 64-bit number as eleven characters: digits and lower-case letters, except the
/// look-alikes `i l o u`. Upper-case letters are not used, since two ids must differ on a file
/// system that ignores case.
fn encode_base32(mut number: u64) -> String {
    const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
    let mut text = String::with_capacity(11);
    for _ in 0..11 {
        text.push(char::from(ALPHABET[(number & 31) as usize]));
        number >>= 5;
    }
    text
}

/// Folds a path segment for comparison, since some file systems and hosts ignore case and Unicode
/// normalization. Letters are case-folded (the Unicode standard, section 3.13), and the result is
/// in NFC.
pub fn folded(segment: &str) -> Cow<'_, str> {
    if segment.is_ascii() {
        return if segment.bytes().any(|b| b.is_ascii_uppercase()) {
            Cow::Owned(segment.to_ascii_lowercase())
        } else {
            Cow::Borrowed(segment)
        };
    }
    let mut folded = String::with_capacity(segment.len());
    for c in segment.nfc() {
        match c {
            // The capital of `ı` is `I`, which would fold to `i`. Only Turkish pairs `ı` with `I`,
            // so `ı` folds to itself.
            'ı' => folded.push(c),
            // Converts to upper case and then to lower case, so that both lower-case forms of sigma
            // are equal, and ß equals ss.
            c => folded.extend(c.to_uppercase().flat_map(char::to_lowercase)),
        }
    }
    Cow::Owned(folded.nfc().collect())
}

/// An item's URL segment: Unicode letters (with their marks), digits and hyphens, in NFC, with at
/// most 200 characters and 240 bytes. File systems allow slightly longer names, which leaves room
/// for an extension.
#[derive(
    BorshDeserialize, BorshSerialize, Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize,
)]
pub struct Slug(String);

impl Slug {
    /// Maximum length in characters.
    pub const MAX_CHARS: usize = 200;
    /// Maximum length in bytes.
    pub const MAX_BYTES: usize = 240;

    /// Parses a slug that an author wrote, and normalizes it to NFC.
    pub fn parse(text: &str) -> Result<Self, IdentityError> {
        let slug: String = text.nfc().collect();
        if slug.is_empty() {
            return Err(IdentityError("a slug cannot be empty".into()));
        }
        if slug.chars().count() > Self::MAX_CHARS || slug.len() > Self::MAX_BYTES {
            return Err(IdentityError(format!(
                "this slug is longer than {} characters or {} bytes",
                Self::MAX_CHARS,
                Self::MAX_BYTES
            )));
        }
        if let Some(bad) = slug.chars().find(|c| !(*c == '-' || is_word(*c))) {
            return Err(IdentityError(format!(
                "{bad:?} is not allowed in a slug: use letters, digits and hyphens"
            )));
        }
        Ok(Self(slug))
    }

    /// Returns the slug of a title: its words in lower case, joined by hyphens, at most 80
    /// characters, cut after a word. Returns None if the title contains no letter or digit.
    pub fn from_title(title: &str) -> Option<Self> {
        let (mut slug, is_cut) = Self::words(title);
        let end = slug.rfind('-').filter(|_| is_cut);
        slug.truncate(end.unwrap_or(slug.len()));
        (!slug.is_empty()).then_some(Self(slug))
    }

    /// Returns a slug like [`from_title`](Self::from_title), but cut anywhere, even within a word.
    /// Used for anchors, tags and former addresses of items.
    pub fn truncated_title(title: &str) -> Option<Self> {
        let (slug, _) = Self::words(title);
        (!slug.is_empty()).then_some(Self(slug))
    }

    /// Returns the slug of a tag. The slug spells out `+` and `#`, so that `C`, `C++` and `C#`
    /// differ.
    pub fn from_tag(tag: &str) -> Option<Self> {
        if tag.contains(['+', '#']) {
            Self::truncated_title(&tag.replace('+', " plus ").replace('#', " sharp "))
        } else {
            Self::truncated_title(tag)
        }
    }

    /// Returns the words of a title, joined by hyphens, and whether the last word is cut.
    fn words(title: &str) -> (String, bool) {
        if title.is_ascii() {
            return Self::ascii_words(title);
        }
        let mut slug = String::with_capacity(title.len());
        let (mut pending, mut is_cut) = (false, false);
        let lower = title.to_lowercase();
        for (count, c) in lower
            .nfc()
            .filter(|c| !matches!(c, '\'' | '’' | '\u{ad}' | '\u{200b}'..='\u{200f}'))
            .enumerate()
        {
            if !is_word(c) {
                pending = true;
                continue;
            }
            if count >= 80 || slug.len() + usize::from(pending) + c.len_utf8() > 180 {
                is_cut = !pending;
                break;
            }
            if pending && !slug.is_empty() {
                slug.push('-');
            }
            pending = false;
            slug.push(c);
        }
        (slug.nfc().collect(), is_cut)
    }

    /// Implements [`words`](Self::words) for ASCII titles, the common case, without Unicode tables.
    fn ascii_words(title: &str) -> (String, bool) {
        let mut slug = String::with_capacity(title.len());
        let mut pending = false;
        for (count, byte) in title.bytes().filter(|byte| *byte != b'\'').enumerate() {
            if !byte.is_ascii_alphanumeric() {
                pending = true;
                continue;
            }
            if count >= 80 {
                return (slug, !pending);
            }
            if pending && !slug.is_empty() {
                slug.push('-');
            }
            pending = false;
            slug.push(char::from(byte.to_ascii_lowercase()));
        }
        (slug, false)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || is_combining_mark(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_of_any_script_become_slugs() {
        for (title, slug) in [
            ("Hello, World!", "hello-world"),
            ("  Café à Zürich — l'été ", "café-à-zürich-lété"),
            ("日本語のタイトル", "日本語のタイトル"),
            ("مرحبا بالعالم", "مرحبا-بالعالم"),
            ("हिन्दी में", "हिन्दी-में"),
            ("Cafe\u{301}", "café"),
            ("C++ & Rust: 100%", "c-rust-100"),
            ("It's  A \"test\"", "its-a-test"),
        ] {
            assert_eq!(Slug::from_title(title).unwrap().as_str(), slug);
        }
        assert_eq!(Slug::from_title("?!…"), None);
    }

    #[test]
    fn a_long_title_is_cut_after_a_word() {
        let title = "How the harbour master kept the boats apart in the storm of the third of november again";
        let slug = Slug::from_title(title).unwrap();
        assert_eq!(
            slug.as_str(),
            "how-the-harbour-master-kept-the-boats-apart-in-the-storm-of-the-third-of"
        );
        let accented = title.replace("harbour", "häfen");
        let slug = Slug::from_title(&accented).unwrap();
        assert!(slug.as_str().ends_with("-of-the-third-of-november"), "{slug}");
        // A title without spaces is cut within the word.
        for word in ["a".repeat(100), "あ".repeat(100)] {
            let slug = Slug::from_title(&word).unwrap();
            assert!(word.starts_with(slug.as_str()));
            assert!(slug.as_str().len() >= 80);
        }
    }

    #[test]
    fn tags_with_different_symbols_have_different_slugs() {
        for (tag, slug) in [
            ("C", "c"),
            ("C++", "c-plus-plus"),
            ("C#", "c-sharp"),
            ("F#", "f-sharp"),
            ("Rust", "rust"),
        ] {
            assert_eq!(Slug::from_tag(tag).unwrap().as_str(), slug);
        }
        assert_eq!(Slug::from_tag("🎉"), None);
    }

    #[test]
    fn segments_are_folded_by_case_and_unicode_form() {
        for (one, other) in [
            ("Walk-1", "walk-1"),
            ("Café", "cafe\u{301}"),
            ("ÜBER", "u\u{308}ber"),
            ("Straße", "STRASSE"),
            ("Ὀδυσσεύς", "ὈΔΥΣΣΕΎΣ"),
            ("ДОМ", "дом"),
            ("\u{212a}elvin", "kelvin"),
        ] {
            assert_eq!(folded(one), folded(other), "{one} {other}");
            assert_eq!(folded(&folded(one)), folded(one));
        }
        for (one, other) in [("cafe", "café"), ("kız", "kiz"), ("a-b", "ab")] {
            assert_ne!(folded(one), folded(other), "{one} {other}");
        }
    }

    #[test]
    fn derived_ids_are_stable() {
        assert_eq!(ItemId::derive("content/items/a.md"), ItemId::derive("content/items/a.md"));
        assert_eq!(ItemId::derive("content/items/a.md").as_str().len(), 11);
        assert_ne!(ItemId::derive("content/items/a.md"), ItemId::derive("content/items/b.md"));
    }
}
