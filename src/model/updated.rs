//! The time when an item or page was last updated, as documents, lists and the API show it.

use std::cmp::Reverse;

use jiff::Timestamp;

use super::{Item, Page};

/// Returns the modification date in the front matter, or else the date of publication. The file's
/// time is not used: a build must not depend on when a file was copied or checked out.
fn updated(modified: Option<Timestamp>, published: Option<Timestamp>) -> Option<Timestamp> {
    modified.or(published)
}

impl Item {
    /// Returns when the item was last updated.
    pub fn updated(&self) -> Option<Timestamp> {
        updated(self.date_modified, self.date_published)
    }
}

/// The sort key of pages, with the most recently updated page first.
pub type Recency<'p> = (Reverse<Option<Timestamp>>, (i64, &'p str, &'p str));

impl Page {
    /// Returns when the page was last updated.
    pub fn updated(&self) -> Option<Timestamp> {
        updated(self.date_modified, self.date_published)
    }

    /// Returns the sort key of the page in navigation.
    pub fn navigation_key(&self) -> (i64, &str, &str) {
        (self.navigation_order.unwrap_or(i64::MAX), &self.title, self.slug.as_str())
    }

    /// Returns the sort key of lists that begin with the most recently updated page. Pages with
    /// equal dates, and pages without a date, keep the order of navigation.
    pub fn recency(&self) -> Recency<'_> {
        // Maximum length of the title in characters. The key is part of the API's cursors, so it
        // must be short.
        const TITLE: usize = 100;
        let (order, title, slug) = self.navigation_key();
        let end = title.char_indices().nth(TITLE);
        let title = &title[..end.map_or(title.len(), |(end, _)| end)];
        (Reverse(self.updated()), (order, title, slug))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_publication_date_is_the_default_update_date() {
        let [modified, published] =
            [1, 2].map(|second| Some(Timestamp::from_second(second).unwrap()));
        assert_eq!(updated(modified, published), modified);
        assert_eq!(updated(None, published), published);
        assert_eq!(updated(modified, None), modified);
        assert_eq!(updated(None, None), None);
    }
}
