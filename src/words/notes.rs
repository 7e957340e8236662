//! Notes for translators: the comments of `languages/en.toml`.

use std::sync::LazyLock;

use super::{ENGLISH, built_in_text};
use model::Word;

/// A key of the program's words, with its note for translators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Note {
    pub key: &'static str,
    /// The value in English, as written in the file.
    pub english: &'static str,
    /// The section of the site that shows the word: `The player`.
    pub group: &'static str,
    /// Type of the word: `button`, `heading`, `aria-label` …
    pub kind: &'static str,
    /// Where the word is shown.
    pub place: &'static str,
}

/// The notes of all keys, in the order of the file. A note applies to all keys below it, up to the
/// next note.
pub static NOTES: LazyLock<Vec<Note>> = LazyLock::new(|| {
    let (mut group, mut kind, mut place) = ("", "", "");
    let mut notes = Vec::new();
    for line in built_in_text(ENGLISH).unwrap_or_default().lines() {
        if let Some(title) = line.strip_prefix("## ") {
            (group, kind, place) = (title, "", "");
        } else if let Some(note) = line.strip_prefix("# ") {
            (kind, place) = note.split_once(": ").unwrap_or((note, ""));
        } else if let Some((key, english)) = line.split_once(" = ") {
            notes.push(Note { key, english, group, kind, place });
        }
    }
    notes
});

/// Returns a placeholder, such as `{second}`, that the pattern with this key must contain but
/// `word` lacks.
pub fn missing_placeholder(key: &str, word: &Word) -> Option<&'static str> {
    let (Word::Text(text), Some(note)) = (word, note(key)) else { return None };
    // The pattern `by` may lack `{names}`. Pages then show the pattern before the names.
    if note.kind != "pattern" || key == "by" {
        return None;
    }
    let parts = note.english.split_inclusive('}').filter(|part| part.ends_with('}'));
    let mut placeholders = parts.filter_map(|part| part.find('{').map(|at| &part[at..]));
    placeholders.find(|placeholder| !text.contains(*placeholder))
}

fn note(key: &str) -> Option<&'static Note> {
    NOTES.iter().find(|note| note.key == key)
}

/// Returns a word without the colon at its end. Returns None if the word does not end with a colon,
/// or is not a label. Labels for old versions of feedwright ended with a colon.
pub fn without_colon(key: &str, word: &Word) -> Option<Word> {
    let Word::Text(text) = word else { return None };
    let bare = text.trim_end().strip_suffix([':', '：', '՝'])?;
    let is_label = matches!(note(key)?.kind, "label" | "aria-label");
    is_label.then(|| Word::Text(bare.trim_end().to_owned()))
}

/// Keys that were renamed, each with its current key. Templates and authors may use the old key.
pub const RENAMED: [(&str, &str); 2] = [("site", "main_menu"), ("with", "show_people")];

/// Returns the current key for a key that may have been renamed.
pub fn present_key(key: &str) -> &str {
    RENAMED.iter().find(|(old, _)| *old == key).map_or(key, |(_, present)| present)
}
