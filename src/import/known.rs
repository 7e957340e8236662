//! The content that the site already had before an import.

use std::collections::HashMap;
use std::path::Path;

use super::naming::Names;
use serde_json::Value;

use super::found::Found;
use model::{SitePath, Visibility};
use project::{Options, read_snapshot};

/// The existing items and pages.
#[derive(Debug, Default)]
pub struct ExistingContent {
    /// Files of items and pages, by guid and by id.
    pub files: HashMap<String, SitePath>,
    pub items: Names,
    pub pages: Names,
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
        let mut known = Self {
            authors: channel.authors.iter().map(|author| author.name.clone()).collect(),
            language: channel.language.clone(),
            ..Self::default()
        };
        for entry in &snapshot.entries {
            let item = &entry.item;
            let names = item.guid.iter().cloned().chain([item.id.to_string()]);
            let named = names.map(|name| (name, item.source.clone()));
            known.files.extend(named);
            for name in [item.id.to_string(), item.segment()] {
                known.items.take(&name);
            }
            for alias in &item.aliases {
                known.items.take(&alias.to_string());
            }
        }
        for entry in &snapshot.pages {
            let page = &entry.page;
            let file = page.source.iter().cloned();
            known.files.extend(file.map(|file| (page.id.to_string(), file)));
            known.pages.take(&page.slug.to_string());
        }
        for reserved in model::RESERVED_SLUGS {
            known.pages.take(reserved);
        }
        known
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
