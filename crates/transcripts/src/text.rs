//! Cleans up spoken text: separates the speaker's name, and reduces whitespace to single spaces.

use std::borrow::Cow;

use memchr::memchr2_iter;

use crate::fault::Faults;

/// Decodes UTF-8. `at` is the offset of the bytes in the file.
pub(crate) fn utf8<'a>(bytes: &'a [u8], at: usize, faults: &mut Faults<'_>) -> Cow<'a, str> {
    // Tries strict decoding first, because lossy decoding is slower.
    std::str::from_utf8(bytes).map_or_else(
        |error| {
            faults.report_encoding(at + error.valid_up_to());
            String::from_utf8_lossy(bytes)
        },
        Cow::Borrowed,
    )
}

/// Normalizes whitespace: trims the text, and replaces each run of whitespace with one space.
pub(crate) fn fold_whitespace(text: Cow<'_, str>) -> Cow<'_, str> {
    if let Cow::Borrowed(text) = text {
        let text = text.trim_matches(is_space);
        if has_single_spaces(text) {
            return Cow::Borrowed(text);
        }
    }
    let mut out = String::with_capacity(text.len());
    push_folded(&mut out, &text);
    out.truncate(out.trim_end().len());
    Cow::Owned(out)
}

/// Appends `text` to a string with normalized whitespace. Trailing whitespace becomes a space.
pub(crate) fn push_folded(out: &mut String, text: &str) {
    let mut from = 0;
    let line_ends = memchr2_iter(b'\n', b'\r', text.as_bytes());
    for line_end in line_ends.chain([text.len()]) {
        push_line(out, &text[from..line_end]);
        if line_end < text.len() {
            push_space(out);
        }
        from = line_end + 1;
    }
}

fn push_line(out: &mut String, line: &str) {
    if has_single_spaces(line) {
        let is_apart = out.is_empty() || out.ends_with(' ');
        let rest = line.strip_prefix(' ').filter(|_| is_apart);
        out.push_str(rest.unwrap_or(line));
        return;
    }
    for c in line.chars() {
        if is_space(c) {
            push_space(out);
        } else {
            out.push(c);
        }
    }
}

/// Appends a space, unless the string is empty or already ends with a space.
pub(crate) fn push_space(out: &mut String) {
    if !out.is_empty() && !out.ends_with(' ') {
        out.push(' ');
    }
}

/// Returns whether a character is whitespace or a byte order mark. Concatenated files contain byte
/// order marks.
pub(crate) fn is_space(c: char) -> bool {
    c.is_whitespace() || c == '\u{FEFF}'
}

/// Returns whether all whitespace in `text` consists of single spaces. Can also return false for
/// some strings with only single spaces.
fn has_single_spaces(text: &str) -> bool {
    let bytes = text.as_bytes();
    let is_other = |one, next| (one < b' ') | ((one == b' ') & (next == b' '));
    let has_other = if text.is_ascii() {
        has_pair(bytes, is_other)
    } else {
        has_pair(bytes, |one, next| is_other(one, next) | may_end_space(one, next))
    };
    !has_other && bytes.last().is_none_or(|last| *last >= b' ')
}

/// Tests all pairs of bytes without branches, so that the compiler can vectorize the loop.
fn has_pair(bytes: &[u8], is_wanted: impl Fn(u8, u8) -> bool) -> bool {
    let pairs = bytes.iter().zip(bytes.get(1..).unwrap_or_default());
    pairs.fold(false, |any, (one, next)| any | is_wanted(*one, *next))
}

/// Returns whether these two bytes can be the end of a whitespace character beyond ASCII: U+0085,
/// U+00A0, U+1680, U+2000 to U+200A, U+2028, U+2029, U+202F, U+205F, U+3000, or U+FEFF.
fn may_end_space(one: u8, next: u8) -> bool {
    let is_in_2000 = (0x80..=0x8A).contains(&next) | (next & 0xFE == 0xA8) | (next == 0xAF);
    (one == 0x80) & is_in_2000
        | (one == 0x81) & (next == 0x9F)
        | (one == 0x9A) & (next == 0x80)
        | (one == 0xBB) & (next == 0xBF)
        | (one == 0xC2) & ((next == 0x85) | (next == 0xA0))
}

/// Applies `part`, which selects a part of a string, without copying borrowed text.
pub(crate) fn part<'a>(text: &Cow<'a, str>, part: impl Fn(&str) -> &str) -> Cow<'a, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(part(text)),
        Cow::Owned(text) => Cow::Owned(part(text).to_owned()),
    }
}

/// Removes the speaker's name from the start of the text, as in `Sarah: In today's episode`, and
/// returns the name.
pub(crate) fn take_speaker<'a>(text: &mut Cow<'a, str>) -> Option<Cow<'a, str>> {
    let name = speaker_before(text)?.len();
    let skipped = text.len() - strip_chevrons(text).len();
    let speaker = part(text, |text| strip_chevrons(text)[..name].trim_end());
    *text = part(text, |text| after_colon(&text[skipped + name..]));
    Some(speaker)
}

/// A name before a colon must be shorter than this number of characters.
const MAX_NAME_LENGTH: usize = 48;

/// Returns the text before the first colon, if it looks like a name and more text follows the
/// colon.
pub(crate) fn speaker_before(text: &str) -> Option<&str> {
    let text = strip_chevrons(text);
    let head = &text.as_bytes()[..text.len().min(4 * MAX_NAME_LENGTH)];
    // 0xEF is the first byte of a full-width colon.
    let colon = memchr2_iter(b':', 0xEF, head).find(|at| text[*at..].starts_with([':', '：']))?;
    let (name, rest) = text.split_at(colon);
    let is_apart = match rest.strip_prefix(':') {
        Some(rest) => rest.starts_with(char::is_whitespace),
        None => true,
    };
    let is_short = name.chars().count() < MAX_NAME_LENGTH;
    (is_short && is_apart && !after_colon(rest).is_empty() && is_name(name)).then_some(name)
}

/// Removes leading `>>`, which marks a change of speaker in captions.
fn strip_chevrons(text: &str) -> &str {
    let mut rest = text;
    while let Some(after) = rest.strip_prefix(">>") {
        rest = after;
    }
    rest.trim_start()
}

/// Returns the text after a colon. There can be whitespace before the colon.
pub(crate) fn after_colon(text: &str) -> &str {
    text.trim_start().trim_start_matches([':', '：']).trim_start()
}

/// Returns whether the text can be a person's name: one to four words that do not look like a
/// sentence. The first and the last word must not start with a lower-case letter.
pub(crate) fn is_name(text: &str) -> bool {
    let text = text.trim();
    let is_large =
        |word: &str| word.chars().next().is_some_and(|c| c.is_alphanumeric() && !c.is_lowercase());
    let is_part = |word: &str| {
        let (letters, dot) = match word.strip_suffix('.') {
            Some(letters) => (letters, true),
            None => (word, false),
        };
        let is_letter =
            |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '\'' | '’' | '&' | '·');
        (!dot || letters.chars().count() <= 3)
            && letters.split('.').all(|part| !part.is_empty())
            && letters.chars().all(|c| c == '.' || is_letter(c) || is_mark(c))
    };
    let mut words = text.split_whitespace();
    let count = words.clone().take(5).count();
    (1..=4).contains(&count)
        && text.len() <= 160
        && text.starts_with(char::is_alphabetic)
        && words.clone().next().is_some_and(is_large)
        && words.clone().last().is_some_and(is_large)
        && words.all(is_part)
}

/// Returns whether a character is a vowel or tone mark. Names in many scripts contain such marks.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}' | '\u{900}'..='\u{E4F}' | '\u{F00}'..='\u{109F}' | '\u{1780}'..='\u{17DD}')
}
