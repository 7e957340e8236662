//! The files of a site that were read, all but `site.toml` and the theme.

use std::sync::Arc;

use super::calendar::CalendarFile;
use super::history::History;
use crate::model::{Channel, Item, MediaFile, Page, Redirect, SiteFile};

/// The files of a site, read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sources {
    /// The channel.
    pub channel: Arc<Channel>,
    /// Items in the order of their paths, each with a fingerprint of its file.
    pub items: Vec<(Arc<Item>, u64)>,
    /// Pages in the order of their paths, each with a fingerprint of its file.
    pub pages: Vec<(Arc<Page>, u64)>,
    /// The author's Site Files and their drafts.
    pub site_files: Vec<Arc<SiteFile>>,
    /// What `content/redirects.toml` says.
    pub redirects: Arc<Vec<Redirect>>,
    /// Every file of `content/calendars/` in the order of their paths, each with a fingerprint.
    pub calendars: Vec<(Arc<CalendarFile>, u64)>,
    /// The repository's history of the calendars' files.
    pub history: Arc<History>,
    /// Every file of `content/media/`.
    pub media: Arc<Vec<MediaFile>>,
}
