//! What the site has already.

use std::collections::HashSet;
use std::path::Path;

use super::naming::Names;
use crate::model::Visibility;
use crate::project::{Options, read_snapshot};

/// The items and Pages that are there.
#[derive(Debug, Default)]
pub struct Known {
    /// What items are known by: guids, ids, former paths.
    pub identities: HashSet<String>,
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
            let guid = item.guid.clone().unwrap_or_else(|| item.id.to_string());
            known.identities.insert(guid);
            known.identities.insert(item.id.to_string());
            known.identities.extend(item.former_paths.iter().cloned());
            for name in [item.id.to_string(), item.segment()] {
                known.items.take(&name);
            }
            for alias in &item.aliases {
                known.items.take(&alias.to_string());
            }
        }
        for entry in &snapshot.pages {
            known.identities.insert(entry.page.id.to_string());
            known.pages.take(&entry.page.slug.to_string());
        }
        for reserved in crate::model::RESERVED_SLUGS {
            known.pages.take(reserved);
        }
        known
    }
}
