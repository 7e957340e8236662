//! Slugs, as generators write them in addresses.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Returns words of letters and digits in lower case, joined by hyphens.
pub fn plain(text: &str) -> String {
    joined(&text.to_lowercase(), |c| c.is_alphanumeric())
}

/// Like [`plain`], in ASCII: letters lose their diacritics.
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

/// Returns the slug that Hugo makes of a title: spaces become hyphens, punctuation is removed, dots
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

/// Returns the slug that Hugo makes of a file's path: each space becomes a hyphen, even next to
/// removed punctuation.
pub fn hugo_path(text: &str) -> String {
    hugo(&text.replace(' ', "-"))
}

fn joined(text: &str, is_word: impl Fn(char) -> bool) -> String {
    let words: Vec<&str> = text.split(|c| !is_word(c)).filter(|word| !word.is_empty()).collect();
    words.join("-")
}
