//! Text as it is read aloud: without tags, references and names, one space between words.

use std::borrow::Cow;

use crate::fault::Faults;

/// The text of these bytes, which are at this place of the file.
pub(crate) fn utf8<'a>(bytes: &'a [u8], at: usize, faults: &mut Faults<'_>) -> Cow<'a, str> {
    let text = String::from_utf8_lossy(bytes);
    if matches!(text, Cow::Owned(_)) {
        faults.encoding(at);
    }
    text
}

/// A text with one space between words, whatever white space stands there.
pub(crate) fn folded(text: Cow<'_, str>) -> Cow<'_, str> {
    if is_folded(&text) {
        return text;
    }
    if let Cow::Borrowed(text) = text
        && is_folded(text.trim_matches(is_space))
    {
        return Cow::Borrowed(text.trim_matches(is_space));
    }
    let mut out = String::with_capacity(text.len());
    for word in text.split(is_space).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    Cow::Owned(out)
}

/// White space, and the byte order marks of files that were put together.
pub(crate) fn is_space(c: char) -> bool {
    c.is_whitespace() || c == '\u{FEFF}'
}

fn is_folded(text: &str) -> bool {
    if text.is_ascii() {
        let bytes = text.as_bytes();
        let is_other = |byte: &u8| *byte < b' ' && char::from(*byte).is_whitespace();
        let is_double = |pair: &[u8]| pair == b"  ";
        let is_ended = bytes.first() == Some(&b' ') || bytes.last() == Some(&b' ');
        return !is_ended && !bytes.iter().any(is_other) && !bytes.windows(2).any(is_double);
    }
    let mut is_after_space = true;
    let is_good = |c: char| {
        let is_space = is_space(c);
        let is_good = !is_space || (c == ' ' && !is_after_space);
        is_after_space = is_space;
        is_good
    };
    text.chars().all(is_good) && !text.ends_with(' ')
}

/// A part of a text that `part` finds in it, borrowed where the text is.
pub(crate) fn part<'a>(text: &Cow<'a, str>, part: impl Fn(&str) -> &str) -> Cow<'a, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(part(text)),
        Cow::Owned(text) => Cow::Owned(part(text).to_owned()),
    }
}

/// Takes the name of who speaks off the beginning of a folded text: `Sarah: In today's episode`.
pub(crate) fn take_speaker<'a>(text: &mut Cow<'a, str>) -> Option<Cow<'a, str>> {
    let name = speaker_before(text)?.len();
    let skipped = text.len() - without_chevrons(text).len();
    let speaker = part(text, |text| without_chevrons(text)[..name].trim_end());
    *text = part(text, |text| after_colon(&text[skipped + name..]));
    Some(speaker)
}

/// The name before the colon that a text begins with, if it is one and says something after it.
pub(crate) fn speaker_before(text: &str) -> Option<&str> {
    let text = without_chevrons(text);
    let (colon, sign) = text
        .char_indices()
        .take(48)
        .find(|(_, c)| matches!(c, ':' | '：'))?;
    let (name, rest) = text.split_at(colon);
    let rest = &rest[sign.len_utf8()..];
    let is_apart = sign != ':' || rest.starts_with(char::is_whitespace);
    (is_apart && !rest.trim().is_empty() && is_name(name)).then_some(name)
}

/// Captions mark a change of speakers by `>>`.
fn without_chevrons(text: &str) -> &str {
    text.trim_start_matches(">>").trim_start()
}

/// What follows a colon that white space may stand before.
pub(crate) fn after_colon(text: &str) -> &str {
    text.trim_start()
        .trim_start_matches([':', '：'])
        .trim_start()
}

/// Whether a text may be somebody's name: one to four words, the first and the last of which do not begin with a small letter,
/// and no sentence.
pub(crate) fn is_name(text: &str) -> bool {
    let text = text.trim();
    let is_large = |word: &str| {
        word.chars()
            .next()
            .is_some_and(|c| c.is_alphanumeric() && !c.is_lowercase())
    };
    let is_part = |word: &str| {
        let (letters, dot) = match word.strip_suffix('.') {
            Some(letters) => (letters, true),
            None => (word, false),
        };
        let is_letter =
            |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '\'' | '’' | '&' | '·');
        (!dot || letters.chars().count() <= 3)
            && letters.split('.').all(|part| !part.is_empty())
            && letters
                .chars()
                .all(|c| c == '.' || is_letter(c) || is_mark(c))
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

/// Signs of vowels and tones, which names in many scripts are written with.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36F}' | '\u{900}'..='\u{E4F}' | '\u{F00}'..='\u{109F}' | '\u{1780}'..='\u{17DD}')
}
