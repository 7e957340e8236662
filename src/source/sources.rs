//! The files of a site that were read, all but `site.toml` and the theme.

use std::sync::Arc;

use super::calendar::CalendarFile;
use super::history::History;
use super::listing::InWalkOrder;
use model::{Channel, Item, List, MediaFile, Page, Redirect, SiteFile, SitePath};

/// The files of a site, read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sources {
    pub channel: Arc<Channel>,
    /// Items in the order of their paths, each with a fingerprint of its file.
    pub items: List<(Arc<Item>, u64)>,
    /// Pages in the order of their paths, each with a fingerprint of its file.
    pub pages: List<(Arc<Page>, u64)>,
    /// The author's Site Files and their drafts.
    pub site_files: Vec<Arc<SiteFile>>,
    /// What `content/redirects.toml` says.
    pub redirects: Arc<Vec<Redirect>>,
    /// Every file of `content/calendars/` in the order of their paths, each with a fingerprint.
    pub calendars: List<(Arc<CalendarFile>, u64)>,
    /// The repository's history of the calendars' files.
    pub history: Arc<History>,
    /// Every file of `content/media/`.
    pub media: Arc<Vec<MediaFile>>,
}

impl Sources {
    /// Whether a file was read into an item or a Page.
    pub fn has_content(&self, path: &SitePath) -> bool {
        let path = path.as_str();
        of_file(&self.items, path).is_some() || of_file(&self.pages, path).is_some()
    }
}

/// What a file was read into, among files in the order of their paths.
pub fn of_file<'a, T: OfFile>(
    list: &'a List<(Arc<T>, u64)>,
    path: &str,
) -> Option<&'a (Arc<T>, u64)> {
    let own = InWalkOrder(path);
    let at = list.partition_point(|(one, _)| one.walked() < own);
    list.get(at).filter(|(one, _)| one.walked() == own)
}

/// What one file was read into.
pub trait OfFile {
    fn file(&self) -> &str;

    /// The file's place in the order in which folders are walked.
    fn walked(&self) -> InWalkOrder<'_> {
        InWalkOrder(self.file())
    }
}

impl OfFile for Item {
    fn file(&self) -> &str {
        self.source.as_str()
    }
}

impl OfFile for Page {
    fn file(&self) -> &str {
        self.source.as_ref().map_or("", SitePath::as_str)
    }
}

impl OfFile for SiteFile {
    fn file(&self) -> &str {
        self.source.as_str()
    }
}

impl OfFile for CalendarFile {
    fn file(&self) -> &str {
        match self {
            Self::Calendar(calendar) => calendar.source.as_ref().map_or("", SitePath::as_str),
            Self::Event(event) => event.source.as_str(),
        }
    }
}
