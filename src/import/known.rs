//! The content that the site already had before an import.

use std::collections::HashMap;
use std::path::Path;

use super::naming::Names;
use serde_json::Value;

use super::found::{Entry, Found};
use super::stems::Stems;
use model::{Languages, SitePath, Visibility};
use project::{Options, read_snapshot};

/// The existing items and pages.
#[derive(Debug, Default)]
pub struct ExistingContent {
    /// Files of items and pages, by guid and by id.
    files: HashMap<String, SitePath>,
    /// Segments of items and slugs of pages in each language.
    pub items: Vec<Names>,
    pub pages: Vec<Names>,
    pub stems: Stems,
    /// Names of the channel's authors. Items without authors inherit these authors. Items also
    /// inherit the language.
    pub authors: Vec<String>,
    pub language: Option<String>,
}

impl ExistingContent {
    pub fn of(root: &Path) -> Self {
        let mut options = Options::new(root);
        options.visibility = Visibility { drafts: true, future: true, ..options.visibility };
        let snapshot = read_snapshot(&options);
        let channel = &snapshot.channel;
        let languages = &snapshot.config.languages;
        let names = || (0..=languages.others.len()).map(|_| Names::default()).collect();
        let mut known = Self {
            authors: channel.authors.iter().map(|author| author.name.clone()).collect(),
            language: channel.language.clone(),
            items: names(),
            pages: names(),
            ..Self::default()
        };
        for entry in &snapshot.entries {
            let item = &entry.item;
            let names = item.guid.iter().cloned().chain([item.id.to_string()]);
            let named = names.map(|name| (name, item.source.clone()));
            known.files.extend(named);
            let language = languages.index(item.language.as_deref());
            for name in [item.id.to_string(), item.segment()] {
                known.items[language].take(&name);
            }
            for alias in &item.aliases {
                known.items[language].take(&alias.to_string());
            }
            known.stems.add(languages, &item.source, language);
        }
        for entry in &snapshot.pages {
            let page = &entry.page;
            let language = languages.index(page.language.as_deref());
            if let Some(file) = &page.source {
                known.files.insert(page.id.to_string(), file.clone());
                known.stems.add(languages, file, language);
            }
            known.pages[language].take(&page.slug.to_string());
        }
        let codes: Vec<String> =
            (1..=languages.others.len()).map(|at| languages.code(at)).collect();
        for code in codes {
            known.pages[0].take(&code);
        }
        for reserved in model::RESERVED_SLUGS {
            for names in &mut known.pages {
                names.take(reserved);
            }
        }
        known
    }

    /// Returns the file of an entry that the site already has.
    pub fn file(&self, entry: &Entry) -> Option<&SitePath> {
        self.files.get(&entry.identity).or_else(|| self.files.get(entry.id()))
    }

    /// Returns whether a path belongs to a page. The path of a language's home page
    /// must match exactly, including case.
    pub fn has_page(&self, languages: &Languages, path: &str) -> bool {
        let is_home = |mount: String| mount.eq_ignore_ascii_case(path.trim_end_matches('/'));
        if languages.mounts().any(is_home) {
            return languages.mounts().any(|mount| mount == path.trim_end_matches('/'));
        }
        self.pages.iter().enumerate().any(|(language, names)| {
            let rest = path.strip_prefix(&*languages.mount(language));
            rest.is_some_and(|rest| names.has(rest.trim_matches('/')))
        })
    }

    /// Sets the authors and the language in items that inherited them from the source's channel,
    /// wherever the site's channel has different ones.
    pub fn keep_inherited(&self, found: &mut Found) {
        let Some(channel) = &found.channel else {
            return;
        };
        let authors = channel.fields.get("authors").filter(|authors| {
            let name =
                |author: &Value| author.get("name").unwrap_or(author).as_str().map(str::to_owned);
            let names = authors.as_array().map(|list| list.iter().filter_map(name).collect());
            names.is_none_or(|names: Vec<String>| names != self.authors)
        });
        let language = channel.fields.get("language").filter(|language| {
            let site = self.language.as_deref().unwrap_or_default();
            !language.as_str().is_some_and(|named| named.eq_ignore_ascii_case(site))
        });
        let inherited = [("authors", authors.cloned()), ("language", language.cloned())];
        for entry in &mut found.items {
            for (key, value) in &inherited {
                if let Some(value) = value.clone().filter(|_| !entry.fields.contains_key(*key)) {
                    entry.set(key, value);
                }
            }
        }
    }
}
