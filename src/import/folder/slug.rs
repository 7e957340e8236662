//! Slugs, formed by the rules of each generator.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Returns the words of a string in lower case, joined by hyphens. Words consist of letters and
/// digits.
pub fn plain(text: &str) -> String {
    joined(&text.to_lowercase(), |c| c.is_alphanumeric())
}

/// Returns a slug like [`plain`], but in ASCII: letters lose their diacritics.
pub fn ascii(text: &str) -> String {
    let bare: String =
        text.nfkd().filter(|c| !is_combining_mark(*c)).flat_map(char::to_lowercase).collect();
    let bare = bare
        .replace('ß', "ss")
        .replace('æ', "ae")
        .replace('ø', "o")
        .replace('œ', "oe")
        .replace('ł', "l")
        .replace('đ', "d");
    joined(&bare, |c| c.is_ascii_alphanumeric())
}

/// Returns Hugo's slug for a title. Spaces become hyphens, most punctuation is removed, and dots
/// and underscores stay.
pub fn hugo(text: &str) -> String {
    let mut out = String::new();
    let mut is_apart = false;
    for c in text.to_lowercase().chars() {
        let stays = c.is_alphanumeric()
            || is_combining_mark(c)
            || matches!(c, '.' | '/' | '_' | '#' | '+' | '~' | '-' | '@');
        if stays {
            if is_apart && !out.is_empty() && c != '-' && !out.ends_with('-') {
                out.push('-');
            }
            is_apart = false;
            out.push(c);
        } else if c.is_whitespace() {
            is_apart = true;
        }
    }
    out.trim_end_matches('-').to_owned()
}

/// Returns Hugo's slug for a file path. Each space becomes a hyphen, even next to removed
/// punctuation.
pub fn hugo_path(text: &str) -> String {
    hugo(&text.replace(' ', "-"))
}

fn joined(text: &str, is_word: impl Fn(char) -> bool) -> String {
    let words: Vec<&str> = text.split(|c| !is_word(c)).filter(|word| !word.is_empty()).collect();
    words.join("-")
}
