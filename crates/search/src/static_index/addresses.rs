//! Shortens the paths in listings. A short path omits what other fields of the listing contain: the
//! words of the title, or the path of the page.

use serde_json::{Value, json};

/// Placeholder for the [words](title_words) of the title in a path.
const WORDS_PLACEHOLDER: &str = "*";

/// Returns the words of a title, joined by hyphens as in most slugs. The browser's script computes
/// the same words.
fn title_words(title: &str) -> String {
    let mut title_words = String::new();
    let mut is_after_letter = true;
    for c in title.to_lowercase().chars() {
        if c.is_alphanumeric() {
            push_encoded(c, &mut title_words);
        } else if is_after_letter {
            title_words.push('-');
        }
        is_after_letter = c.is_alphanumeric();
    }
    title_words
}

/// Appends a character, percent-encoded if it is not ASCII.
fn push_encoded(c: char, address: &mut String) {
    if c.is_ascii() {
        address.push(c);
        return;
    }
    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
        address.push_str(&format!("%{byte:02X}"));
    }
}

/// Returns a path in which a placeholder replaces the words of the title.
pub fn shorten_path(path: &str, title: &str) -> String {
    let title_words = title_words(title);
    let path = path.replace(WORDS_PLACEHOLDER, "%2A");
    if title_words.len() <= WORDS_PLACEHOLDER.len() {
        return path;
    }
    path.replacen(&title_words, WORDS_PLACEHOLDER, 1)
}

/// Reverses [`shorten_path`].
pub fn expand_path(path: &str, title: &str) -> String {
    path.replacen(WORDS_PLACEHOLDER, &title_words(title), 1)
}

/// Returns the path `text` as JSON, or 1 if it is the [JSON Feed path](json_feed_path) that belongs
/// to the page's path.
pub fn shorten_text_path(text: Option<&str>, path: &str) -> Value {
    match text {
        Some(text) if text == json_feed_path(path) => json!(1),
        text => json!(text),
    }
}

/// Reverses [`shorten_text_path`].
pub fn expand_text_path(text: &Value, path: &str) -> Option<String> {
    match text {
        Value::Number(_) => Some(json_feed_path(path)),
        text => text.as_str().map(str::to_owned),
    }
}

/// Returns the path of an item's JSON Feed, if the path of the item's page ends with the item's id.
fn json_feed_path(path: &str) -> String {
    let own = path.strip_suffix('/').unwrap_or(path);
    let start = own.rfind(['-', '/']).map_or(0, |at| at + 1);
    format!("i/{}item.json", &path[start..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortened_paths_are_expanded_back() {
        for (title, path, text, short, short_of_text) in [
            ("One, two", "i/one-two-b1/", "i/b1/item.json", "i/*-b1/", json!(1)),
            ("Two?", "i/two-b1/", "i/b1/item.json", "i/*b1/", json!(1)),
            (
                "ÉTÉ 東京",
                "i/%C3%A9t%C3%A9-%E6%9D%B1%E4%BA%AC-x/",
                "i/x/item.json",
                "i/*-x/",
                json!(1),
            ),
            ("Don't", "i/dont-b1/", "i/b1/item.json", "i/dont-b1/", json!(1)),
            ("Other", "i/slug/", "i/id/item.json", "i/slug/", json!("i/id/item.json")),
            ("Slug", "i/slug/", "i/slug/item.json", "i/*/", json!(1)),
            ("", "i/b1/", "i/b1/item.json", "i/b1/", json!(1)),
            ("?", "i/b-1/", "i/b-1/item.json", "i/b-1/", json!("i/b-1/item.json")),
            ("a", "a*", "x", "a%2A", json!("x")),
        ] {
            assert_eq!(shorten_path(path, title), short);
            assert_eq!(shorten_text_path(Some(text), path), short_of_text);
            assert_eq!(expand_text_path(&short_of_text, path).as_deref(), Some(text));
            assert_eq!(expand_path(short, title), path.replace('*', "%2A"));
        }
        assert_eq!(expand_text_path(&shorten_text_path(None, "i/b1/"), "i/b1/"), None);
    }
}
