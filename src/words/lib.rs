//! Translations: the words and sentences of a site's interface in each language, and the formats of
//! dates, numbers and durations.
//!
//! `languages/` has a file for each language, all with the same keys. The file of a region or of
//! another variant (`en-GB`, `de-x-formal`) has only the keys that differ from its language. A
//! sentence that contains a number has a form for each plural category of CLDR. Comments in
//! `en.toml` are notes for translators. `cldr.txt` has the formats of dates, numbers and units from
//! CLDR. This package reads no files of a site and writes no HTML.

mod book;
mod date;
mod language;
mod list;
mod locale;
mod native_name;
mod notes;
mod number;
mod plural;

use std::collections::{BTreeMap, HashMap};
use std::sync::{LazyLock, OnceLock};

use front_matter::{Table, Value};
use include_dir::{Dir, include_dir};

pub use book::WordBook;
pub use language::{chain, is_name};
pub use native_name::native_name;
pub use notes::{NOTES, Note, RENAMED, missing_placeholder, present_key, without_colon};

use self::locale::Locale;
use model::{Word, WordTable};

static LANGUAGES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/languages");

/// The language that all other languages fall back to.
pub const ENGLISH: &str = "en";

/// Keys of the built-in words.
pub static KEYS: LazyLock<Vec<&'static str>> =
    LazyLock::new(|| NOTES.iter().map(|note| note.key).collect());

/// Returns the BCP 47 tags of the languages and variants with built-in words.
pub fn languages() -> Vec<&'static str> {
    let files = LANGUAGES.files();
    let mut names: Vec<&str> = files.filter_map(|file| file.path().file_stem()?.to_str()).collect();
    names.sort_unstable();
    names
}

fn built_in_text(language: &str) -> Option<&'static str> {
    LANGUAGES.get_file(format!("{language}.toml"))?.contents_utf8()
}

/// Parses a table of words. Renamed keys are replaced by their new names, and a colon at the end of
/// a label is removed. The error is the key of a value that is neither a string nor a table of
/// plural categories.
pub fn word_table(table: &Table) -> Result<WordTable, String> {
    let entries = table.entries.iter();
    entries
        .map(|entry| {
            let word = word(&entry.node.value).ok_or_else(|| entry.key.clone())?;
            let key = present_key(&entry.key).to_owned();
            let word = without_colon(&key, &word).unwrap_or(word);
            Ok((key, word))
        })
        .collect()
}

/// Parses a string, or a table of plural categories that includes `other`.
pub fn word(value: &Value) -> Option<Word> {
    match value {
        Value::String(text) => Some(Word::Text(text.clone())),
        Value::Table(table) => {
            let forms = table.entries.iter().map(|entry| match &entry.node.value {
                Value::String(text) if plural::CATEGORIES.contains(&entry.key.as_str()) => {
                    Some((entry.key.clone(), text.clone()))
                }
                _ => None,
            });
            let forms: BTreeMap<_, _> = forms.collect::<Option<_>>()?;
            forms.contains_key("other").then_some(Word::Counted(forms))
        }
        _ => None,
    }
}

/// Words in one language, and the language's formats for dates and numbers.
#[derive(Debug)]
pub struct Words {
    /// BCP 47 tag of the language.
    pub language: String,
    is_translated: bool,
    words: HashMap<String, Word>,
    locale: Locale,
    cached_text: OnceLock<String>,
}

impl Words {
    /// Builds the words of a language. `names` are the language and its fallbacks. Each layer
    /// overrides the layers before it. `has_layers` is true if any layer has words in the language.
    /// If there are neither built-in words nor layers in the language, the words and formats are
    /// English.
    fn of(
        language: &str,
        names: &[String],
        layers: impl Iterator<Item = WordTable>,
        has_layers: bool,
    ) -> Self {
        let mut words: HashMap<_, _> = built_in(ENGLISH).into_iter().collect();
        let is_translated = has_layers || names.iter().any(|name| built_in_text(name).is_some());
        for name in names.iter().rev().filter(|name| *name != ENGLISH) {
            words.extend(built_in(name));
        }
        layers.for_each(|layer| words.extend(layer));
        Self {
            language: language.to_owned(),
            is_translated,
            words,
            locale: Locale::of(if is_translated { language } else { ENGLISH }),
            cached_text: OnceLock::new(),
        }
    }

    /// Returns the word with this key. A renamed word can also be found by its old key.
    pub fn get(&self, key: &str) -> Option<&Word> {
        self.words.get(key).or_else(|| self.words.get(present_key(key)))
    }

    /// Returns the language of the words, if it differs from the language of the page. It is
    /// English if neither the program nor a theme nor an author has words in the page's language.
    pub fn other_language(&self) -> Option<&'static str> {
        (!self.is_translated).then_some(ENGLISH)
    }

    /// Returns whether the words are English.
    pub fn is_english(&self) -> bool {
        !self.is_translated || chain(&self.language).iter().any(|name| name == ENGLISH)
    }

    /// Returns HTML composed of these words, such as the search dialog at the end of every page.
    /// Calls `make` the first time only, and caches the result.
    pub fn cached_text(&self, make: impl FnOnce(&Self) -> String) -> &str {
        self.cached_text.get_or_init(|| make(self))
    }

    /// Returns the keys of all words.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.words.keys().map(String::as_str)
    }

    /// Returns the word with this key, or its plural form `other` if it has plural forms. Returns
    /// an empty string if the key is unknown.
    pub fn text(&self, key: &str) -> &str {
        match self.get(key) {
            Some(Word::Text(text)) => text,
            Some(Word::Counted(forms)) => forms.get("other").map_or("", String::as_str),
            None => "",
        }
    }

    /// Returns the word with this key, with its placeholders, such as `{page}`, replaced.
    pub fn fill_placeholders(&self, key: &str, values: &[(&str, &str)]) -> String {
        fill(self.text(key), values)
    }

    /// Returns the plural form of a word for a number, with `{n}` replaced.
    pub fn format_count(&self, key: &str, n: u64) -> String {
        fill(self.form(key, n), &[("n", &self.number(n))])
    }

    /// Returns the plural form for a number, or the word itself if it has no plural forms.
    fn form(&self, key: &str, n: u64) -> &str {
        match self.get(key) {
            Some(Word::Counted(forms)) => {
                let form = forms.get(self.locale.category(n));
                form.or_else(|| forms.get("other")).map_or("", String::as_str)
            }
            _ => self.text(key),
        }
    }
}

fn fill(text: &str, values: &[(&str, &str)]) -> String {
    let mut text = text.to_owned();
    for (name, value) in values {
        text = text.replace(&format!("{{{name}}}"), value);
    }
    text
}

fn built_in(language: &str) -> WordTable {
    let text = built_in_text(language).unwrap_or_default();
    let table = front_matter::parse_toml(text).ok();
    table.and_then(|table| word_table(&table).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
