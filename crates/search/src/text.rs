//! Prepares text for the index: folded words, runs of dense scripts that are split into pairs, and
//! the literal form in which substrings are compared.

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::char::{canonical_combining_class, is_combining_mark};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::scripts::is_dense;

/// A piece of text that can be searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Run<'a> {
    /// A word of a script that is written with spaces.
    Word(&'a str),
    /// Consecutive characters of dense scripts.
    Dense(&'a str),
}

/// Returns the words and the runs of dense-script characters in `text`, each with the position of
/// its first byte.
pub(super) fn runs(text: &str) -> impl Iterator<Item = (usize, Run<'_>)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let begin = at + text[at..].find(|c| is_word(c) || is_dense(c))?;
        let rest = &text[begin..];
        if rest.starts_with(is_dense) {
            let length = rest.find(|c| !is_dense(c)).unwrap_or(rest.len());
            at = begin + length;
            return Some((begin, Run::Dense(&text[begin..at])));
        }
        let ascii = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let length = rest[ascii..].find(|c| !is_word(c) && !continues_word(c));
        at = length.map_or(text.len(), |length| begin + ascii + length);
        Some((begin, Run::Word(&text[begin..at])))
    })
}

/// Returns whether a character is part of a word in a script that is written with spaces.
pub(super) fn is_word(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric();
    }
    is_common_letter(character) || (character.is_alphanumeric() && !is_dense(character))
}

/// Returns whether a character is a common letter, which is recognised without a look-up in
/// Unicode's tables.
fn is_common_letter(character: char) -> bool {
    matches!(character, 'À'..='Ö' | 'Ø'..='ö' | 'ø'..='\u{24F}' | 'α'..='ω' | 'А'..='я')
}

/// Finds words joined by an apostrophe or a dot, which people often leave out: `O'Leary`, `don’t`,
/// `node.js`. In a chain of such words, returns the byte range of every sequence of two or more
/// words. From long chains, returns only pairs of neighbours and the whole chain.
pub(super) fn joined(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut chain: Vec<Range<usize>> = Vec::new();
    for (at, sign) in find_joints(text) {
        let end = at + sign.len();
        let before = text[..at].chars().next_back();
        let after = text[end..].chars().next().filter(|c| is_word(*c));
        let joins = before.zip(after).is_some_and(|(before, after)| {
            let numbers = [before, after].map(char::is_numeric);
            (is_word(before) || continues_word(before))
                && match sign {
                    "." | "．" => numbers == [false, false],
                    _ => numbers != [true, true],
                }
        });
        if chain.last().is_none_or(|last| last.end != at) || !joins {
            push_stretches(&mut chain, &mut found);
        }
        if !joins {
            continue;
        }
        if chain.is_empty() {
            chain.push(word_before(text, at)..at);
        }
        let rest = &text[end..];
        let length = rest.find(|c| !is_word(c) && !continues_word(c));
        chain.push(end..end + length.unwrap_or(rest.len()));
    }
    push_stretches(&mut chain, &mut found);
    found
}

/// Adds every sequence of two or more words of `chain`, and empties `chain`. For a long chain, adds
/// only pairs of neighbours and the whole chain.
fn push_stretches(chain: &mut Vec<Range<usize>>, found: &mut Vec<Range<usize>>) {
    const MAX_FULL_CHAIN: usize = 6;
    let count = chain.len();
    for (first, one) in chain.iter().enumerate() {
        for (last, other) in chain.iter().enumerate().skip(first + 1) {
            if count <= MAX_FULL_CHAIN || last == first + 1 || last - first == count - 1 {
                found.push(one.start..other.end);
            }
        }
    }
    chain.clear();
}

/// Returns the start of the word that ends at byte `end`.
fn word_before(text: &str, end: usize) -> usize {
    let letters = text[..end].char_indices().rev();
    let letters = letters.take_while(|(_, c)| is_word(*c) || continues_word(*c));
    let begin = letters.filter(|(_, c)| is_word(*c)).last();
    begin.map_or(end, |(at, _)| at)
}

/// Returns the characters that may join words, each with its position. Every text is scanned for
/// these characters, so a fast scan for their first bytes comes first.
fn find_joints(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut from = 0;
    let is_first = |byte: &u8| matches!(byte, b'\'' | b'.' | 0xc2 | 0xe2 | 0xef);
    std::iter::from_fn(move || {
        loop {
            let at = from + text.as_bytes()[from..].iter().position(is_first)?;
            let sign = text[at..].chars().next()?;
            from = at + sign.len_utf8();
            if is_joint(sign) {
                return Some((at, &text[at..from]));
            }
        }
    })
}

/// Returns whether a character may join words: apostrophes, dots, and the middle dot of Catalan.
fn is_joint(character: char) -> bool {
    matches!(character, '\'' | '.' | '‘' | '’' | '＇' | '．' | '\u{B4}' | '\u{B7}')
}

/// Returns whether a character that is not a letter continues a word. Combining marks, joiners,
/// variation selectors and soft hyphens belong to the word that contains them.
fn continues_word(character: char) -> bool {
    !character.is_ascii()
        && (is_invisible(character) || (is_combining_mark(character) && !is_dense(character)))
}

fn is_invisible(character: char) -> bool {
    matches!(character, '\u{AD}' | '\u{200C}' | '\u{200D}' | '\u{2060}' | '\u{FE00}'..='\u{FE0F}')
}

/// Appends a word without case, diacritics and compatibility forms: `Café`, `CAFE` and a decomposed
/// `café` become the same word. Keeps vowel signs that count as letters, as in Devanagari.
pub(super) fn fold_word(word: &str, out: &mut String) {
    if word.is_ascii() {
        let letters = word.chars().filter(char::is_ascii_alphanumeric);
        out.extend(letters.map(|c| c.to_ascii_lowercase()));
        return;
    }
    for character in word.nfkd().flat_map(char::to_lowercase) {
        match character {
            'ß' => out.push_str("ss"),
            'æ' => out.push_str("ae"),
            'œ' => out.push_str("oe"),
            'ς' => out.push('σ'),
            'ø' => out.push('o'),
            'ł' => out.push('l'),
            'đ' | 'ð' => out.push('d'),
            'ħ' => out.push('h'),
            'ı' => out.push('i'),
            // The apostrophe that Unicode classifies as a letter.
            '\u{2BC}' => {}
            c if is_diacritic(c) || is_invisible(c) => {}
            c if is_word(c) || continues_word(c) => out.push(c),
            _ => {}
        }
    }
}

/// Returns the exact spelling of a word in lower case, if it differs from the folded form.
pub(super) fn spelling(word: &str, folded: &str) -> Option<String> {
    let lower: String = literal(word)
        .chars()
        .filter(|c| !is_invisible(*c) && (is_word(*c) || continues_word(*c)))
        .collect();
    (!lower.nfd().eq(folded.chars())).then_some(lower)
}

/// Returns whether a character is a mark that people often omit when they type: an accent, a Hebrew
/// point or an Arabic vowel.
fn is_diacritic(character: char) -> bool {
    matches!(character,
        '\u{300}'..='\u{36F}'
        | '\u{483}'..='\u{487}'
        | '\u{591}'..='\u{5C7}'
        | '\u{610}'..='\u{61A}'
        | '\u{64B}'..='\u{65F}'
        | '\u{670}'
        | '\u{6D6}'..='\u{6ED}'
        | '\u{1AB0}'..='\u{1AFF}'
        | '\u{1DC0}'..='\u{1DFF}'
        | '\u{20D0}'..='\u{20FF}'
        | '\u{FE20}'..='\u{FE2F}')
        && is_combining_mark(character)
}

/// Returns `text` in normalization form C, with half-width characters in full width. Removes
/// joiners and variation selectors after emoji and dense scripts, because they only change the
/// appearance.
pub(super) fn compose(text: &str) -> Cow<'_, str> {
    let is_changed = |c: char| is_half_width(c) || is_invisible(c);
    if text.is_ascii()
        || is_nfc_quick(text.chars()) == IsNormalized::Yes && !text.contains(is_changed)
    {
        return Cow::Borrowed(text);
    }
    let mut wide = String::with_capacity(text.len());
    for character in text.chars() {
        if is_half_width(character) {
            wide.extend(std::iter::once(character).nfkd());
        } else if !is_invisible(character) || !wide.ends_with(is_dense) {
            wide.push(character);
        }
    }
    Cow::Owned(wide.nfc().collect())
}

/// Returns whether a character is half-width katakana, Hangul or punctuation.
fn is_half_width(character: char) -> bool {
    matches!(character, '\u{FF61}'..='\u{FFDC}')
}

/// Returns the form in which substrings are compared: normalization form C in lower case,
/// independent of any locale. Final sigma becomes the usual sigma, so that a substring does not
/// depend on the text after it.
pub(super) fn literal(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_lower(&compose(text), &mut out);
    out
}

pub(super) fn push_lower(text: &str, out: &mut String) {
    if text.is_ascii() {
        out.extend(text.chars().map(|c| c.to_ascii_lowercase()));
    } else {
        out.extend(text.chars().flat_map(lower));
    }
}

/// Returns a character in lower case. Final sigma becomes the usual sigma.
pub(super) fn lower(character: char) -> impl DoubleEndedIterator<Item = char> {
    let lower = character.to_lowercase();
    lower.map(|c| if c == 'ς' { 'σ' } else { c })
}

/// Returns whether a character never combines with the previous one under normalization form C.
pub(super) fn starts_cluster(character: char) -> bool {
    character < '\u{300}' && character != '\u{AD}'
        || (!is_invisible(character)
            && !matches!(character, '\u{FF9E}'..='\u{FFDC}')
            && canonical_combining_class(character) == 0
            && is_nfc_quick(std::iter::once(character)) != IsNormalized::Maybe)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(word: &str) -> String {
        let mut out = String::new();
        fold_word(word, &mut out);
        out
    }

    #[test]
    fn common_letters_are_word_characters() {
        for character in ('\0'..=char::MAX).filter(|&c| is_common_letter(c)) {
            assert!(character.is_alphanumeric() && !is_dense(character));
        }
    }

    #[test]
    fn folds_case_and_diacritics() {
        for (word, expected) in [
            ("Café", "cafe"),
            ("cafe\u{301}", "cafe"),
            ("STRASSE", "strasse"),
            ("Straße", "strasse"),
            ("İstanbul", "istanbul"),
            ("ΟΔΟΣ", "οδοσ"),
            ("οδός", "οδοσ"),
            ("Łódź", "lodz"),
            ("Ｒｕｓｔ", "rust"),
            ("ﬁne", "fine"),
            ("Донау\u{AD}дампф", "донаудампф"),
            ("हिन्दी", "हिन्दी"),
            ("שָׁלוֹם", "שלום"),
        ] {
            assert_eq!(folded(word), expected, "{word}");
        }
    }

    #[test]
    fn words_are_joined_by_apostrophes_and_dots() {
        for (text, expected) in [
            ("O'Leary said don’t.", vec!["oleary", "dont"]),
            ("node.js, U.S.A.", vec!["nodejs", "us", "usa", "sa"]),
            ("rock'n'roll", vec!["rockn", "rocknroll", "nroll"]),
            ("3.14 v1.2 5'10 the 90's 'quoted' end. Next", vec!["90s"]),
            ("dogs' l’e\u{301}te\u{301} 言.語", vec!["lete"]),
        ] {
            let found = joined(text);
            let found: Vec<_> = found.into_iter().map(|range| folded(&text[range])).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
