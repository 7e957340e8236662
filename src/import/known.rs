//! What the site has already.

use std::collections::HashMap;
use std::path::Path;

use super::naming::Names;
use crate::model::{SitePath, Visibility};
use crate::project::{Options, read_snapshot};

/// The items and Pages that are there.
#[derive(Debug, Default)]
pub struct Known {
    /// The files of items and Pages, by their guids and ids.
    pub files: HashMap<String, SitePath>,
    /// Segments of items.
    pub items: Names,
    /// Slugs of Pages.
    pub pages: Names,
}

impl Known {
    pub fn of(root: &Path) -> Self {
        let mut options = Options::new(root);
        options.visibility = Visibility {
            drafts: true,
            future: true,
            ..options.visibility
        };
        let snapshot = read_snapshot(&options);
        let mut known = Self::default();
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
            known
                .files
                .extend(file.map(|file| (page.id.to_string(), file)));
            known.pages.take(&page.slug.to_string());
        }
        for reserved in crate::model::RESERVED_SLUGS {
            known.pages.take(reserved);
        }
        known
    }
}
