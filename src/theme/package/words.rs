//! Words that a theme package defines.

use std::collections::BTreeMap;

use super::Package;
use crate::MAX_SLOT;
use model::{SitePath, Source, WordTable};

impl Package<'_> {
    /// Reads the words in the folder `words/`, which has a file for each language.
    pub(super) fn words(&mut self) -> BTreeMap<String, WordTable> {
        let files = self.files;
        let names = files.keys().filter(|name| is_words_file(name));
        names
            .filter_map(|name| Some((language_of(name).to_owned(), self.words_of(name)?)))
            .collect()
    }

    fn words_of(&mut self, name: &str) -> Option<WordTable> {
        let text = self.text_of(name, MAX_SLOT)?;
        let path = SitePath::parse(&format!("{}/{name}", self.label))?;
        let source = Source { path: &path, text: &text };
        match source.toml().map(|table| words::word_table(&table)) {
            Ok(Ok(table)) => return Some(table),
            Ok(Err(key)) => self.fail(
                name,
                format!("the word `{key}` must be text or a table of plural forms"),
                "write key = \"text\", or key = { one = \"{n} item\", other = \"{n} items\" }",
            ),
            Err(errors) => self.found.extend(errors),
        }
        None
    }
}

/// Returns whether a file of a package defines words: `words/de.toml`.
pub(super) fn is_words_file(name: &str) -> bool {
    name.starts_with("words/") && name.ends_with(".toml") && words::is_name(language_of(name))
}

fn language_of(name: &str) -> &str {
    let name = name.trim_start_matches("words/");
    name.trim_end_matches(".toml")
}
