//! The content of a site's files, except `site.toml` and the theme.

use std::sync::Arc;

use super::calendar::CalendarFile;
use super::history::History;
use super::listing::InWalkOrder;
use model::{Channel, Item, List, MediaFile, Page, Planet, Redirect, SiteFile, SitePath};

/// The content of a site's files.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sources {
    pub channel: Arc<Channel>,
    /// Items in the order of their paths, each with a fingerprint of its file.
    pub items: List<(Arc<Item>, u64)>,
    /// Pages in the order of their paths, each with a fingerprint of its file.
    pub pages: List<(Arc<Page>, u64)>,
    /// The author's site files and their drafts.
    pub site_files: Vec<Arc<SiteFile>>,
    /// The redirects of `content/redirects.toml`.
    pub redirects: Arc<Vec<Redirect>>,
    /// The items of feeds from elsewhere.
    pub planet: Arc<Planet>,
    /// Every file of `content/calendars/` in the order of their paths, each with a fingerprint.
    pub calendars: List<(Arc<CalendarFile>, u64)>,
    /// The repository's history of the calendars' files.
    pub history: Arc<History>,
    /// Every file of `content/media/`.
    pub media: Arc<Vec<MediaFile>>,
}

impl Sources {
    /// Returns whether a file was read as an item or a page.
    pub fn has_content(&self, path: &SitePath) -> bool {
        let path = path.as_str();
        of_file(&self.items, path).is_some() || of_file(&self.pages, path).is_some()
    }
}

/// Returns the content of a file, from a list in walk order.
pub fn of_file<'a, T: FromFile>(
    list: &'a List<(Arc<T>, u64)>,
    path: &str,
) -> Option<&'a (Arc<T>, u64)> {
    let own = InWalkOrder(path);
    let at = list.partition_point(|(one, _)| one.walk_order_key() < own);
    list.get(at).filter(|(one, _)| one.walk_order_key() == own)
}

/// Content that was read from one file.
pub trait FromFile {
    fn file(&self) -> &str;

    /// Returns the file's path for comparison in walk order.
    fn walk_order_key(&self) -> InWalkOrder<'_> {
        InWalkOrder(self.file())
    }
}

impl FromFile for Item {
    fn file(&self) -> &str {
        self.source.as_str()
    }
}

impl FromFile for Page {
    fn file(&self) -> &str {
        self.source.as_ref().map_or("", SitePath::as_str)
    }
}

impl FromFile for SiteFile {
    fn file(&self) -> &str {
        self.source.as_str()
    }
}

impl FromFile for CalendarFile {
    fn file(&self) -> &str {
        match self {
            Self::Calendar(calendar) => calendar.source.as_ref().map_or("", SitePath::as_str),
            Self::Event(event) => event.source.as_str(),
        }
    }
}
