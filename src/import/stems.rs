//! Paths of content files without their language and extension. Translations of a text have the same.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;

use super::found::Entry;
use super::naming::Names;
use model::{Languages, SitePath};

/// The stems that are in use, such as `content/items/walk` for `walk.md` and `walk.de.md`.
#[derive(Debug, Default)]
pub struct Stems {
    taken: Names,
    /// The languages of each stem.
    languages: HashSet<(String, usize)>,
    /// Stem of the translations that share a key.
    of_key: HashMap<Key, String>,
    /// Files next to the texts of a stem.
    files: HashMap<String, BTreeMap<String, PathBuf>>,
}

/// The key that translations share, and whether they are pages: items and pages are not translations
/// of each other.
type Key = (String, bool);

/// The place of a content file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stem {
    pub path: String,
    /// Language in the file's name, such as `.de`.
    pub language: String,
}

impl Stems {
    /// Adds a file that the site already has.
    pub fn add(&mut self, languages: &Languages, file: &SitePath, language: usize) {
        let stem = languages.of_file(file).map_or(file.page_path().into(), |(_, path)| path);
        self.taken.take(&stem);
        self.languages.insert((stem.into_owned(), language));
    }

    /// Records the file of an entry that an earlier run wrote, so that new translations get its stem.
    pub fn know(&mut self, languages: &Languages, entry: &Entry, file: &SitePath) {
        let key = key(entry, file.as_str());
        if let (Some(key), Some((_, stem))) = (key, languages.of_file(file)) {
            self.of_key.entry(key).or_insert_with(|| stem.into_owned());
        }
    }

    /// Returns the stem of a section's text, or `None` if the section has a text in this language.
    pub fn of_section(&mut self, languages: &Languages, entry: &Entry) -> Option<Stem> {
        let language = languages.index(entry.text("language"));
        let path = format!("content/items/{}/section", entry.folder);
        let is_new = self.languages.insert((path.clone(), language));
        is_new.then(|| Stem { path, language: in_name(languages, language) })
    }

    /// Returns the stem for a new entry: the stem of its translations, or else the wanted stem, if
    /// necessary with a number. The language is in the name, or in the folder if two translations
    /// have different files with the same name.
    pub fn of(&mut self, languages: &Languages, entry: &Entry, wanted: &str) -> Stem {
        let language = languages.index(entry.text("language"));
        let shared = key(entry, wanted).and_then(|key| self.of_key.get(&key)).cloned();
        let shared = shared.filter(|stem| self.languages.insert((stem.clone(), language)));
        let path = shared.unwrap_or_else(|| {
            let stem = self.taken.free(wanted);
            self.languages.insert((stem.clone(), language));
            if let Some(key) = key(entry, wanted) {
                self.of_key.entry(key).or_insert_with(|| stem.clone());
            }
            stem
        });
        let files = self.files.entry(path.clone()).or_default();
        let is_other =
            |(name, file): (&String, &PathBuf)| files.get(name).is_some_and(|own| own != file);
        let is_apart = entry.files.iter().any(is_other);
        if !is_apart {
            files.extend(entry.files.clone());
        }
        match path.splitn(3, '/').collect::<Vec<_>>()[..] {
            [content, kind, rest] if is_apart && language > 0 => {
                let code = languages.code(language);
                Stem { path: format!("{content}/{kind}/{code}/{rest}"), language: String::new() }
            }
            _ => Stem { language: in_name(languages, language), path },
        }
    }
}

fn key(entry: &Entry, path: &str) -> Option<Key> {
    Some((entry.translation_key.clone()?, path.starts_with("content/pages/")))
}

/// Returns the part of a file name that states the language: empty for the default language.
fn in_name(languages: &Languages, language: usize) -> String {
    if language == 0 { String::new() } else { format!(".{}", languages.code(language)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn languages() -> Languages {
        let others = ["de", "pt-BR"].map(str::to_owned).into();
        Languages { default: Some("en".into()), others, ..Languages::default() }
    }

    fn entry(language: &str, key: &str, file: &str) -> Entry {
        let mut entry = Entry { translation_key: Some(key.to_owned()), ..Entry::default() };
        entry.set("language", language);
        entry.files.extend((!file.is_empty()).then(|| ("a.jpg".to_owned(), file.into())));
        entry
    }

    fn stems(entries: &[(&str, &str, &str)]) -> Vec<String> {
        let mut stems = Stems::default();
        let names = entries.iter().map(|(language, key, file)| {
            let wanted = format!("content/items/{key}");
            let stem = stems.of(&languages(), &entry(language, key, file), &wanted);
            format!("{}{}", stem.path, stem.language)
        });
        names.collect()
    }

    #[test]
    fn translations_share_a_stem_and_a_second_text_in_a_language_does_not() {
        let found =
            stems(&[("en", "fog", ""), ("de", "fog", ""), ("pt-BR", "fog", ""), ("de", "fog", "")]);
        let expected = [
            "content/items/fog", "content/items/fog.de", "content/items/fog.pt-br",
            "content/items/fog-2.de",
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn translations_with_different_files_of_one_name_are_in_a_folder_of_their_language() {
        let found = stems(&[("en", "fog", "one"), ("de", "fog", "two"), ("pt-BR", "fog", "one")]);
        assert_eq!(found, ["content/items/fog", "content/items/de/fog", "content/items/fog.pt-br"]);
    }

    #[test]
    fn a_text_of_the_site_keeps_its_stem_and_gets_new_translations() {
        let (mut stems, languages) = (Stems::default(), languages());
        let file = SitePath::parse("content/items/2024/mist.md").unwrap();
        stems.add(&languages, &file, 0);
        stems.know(&languages, &entry("en", "fog", ""), &file);
        let mut of = |language: &str, key: &str| {
            let stem = stems.of(&languages, &entry(language, key, ""), "content/items/2024/mist");
            format!("{}{}", stem.path, stem.language)
        };
        assert_eq!(of("de", "fog"), "content/items/2024/mist.de");
        assert_eq!(of("de", "other"), "content/items/2024/mist-2.de");
    }
}
