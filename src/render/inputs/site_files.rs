//! The inputs of site files and of `llms.txt`.

use jiff::Timestamp;
use mustache::Template;

use super::{LlmsInputs, Provider, ShownItem, Viewer};
use model::{SiteFile, SortKey, SortOrder, Status};
use site::{ItemEntry, PageEntry};

/// Maximum number of items, and of pages, in the context of a site file.
const MAX_LISTED: usize = 100;

/// A site file written by the author.
#[derive(Debug, Hash)]
pub struct SiteFileInputs<'a> {
    pub file: &'a SiteFile,
    pub context: SiteFileContext<'a>,
}

/// The data that the template of a site file may read.
#[derive(Debug, Hash)]
pub struct SiteFileContext<'a> {
    /// The newest items, if the template uses them.
    pub items: Option<Vec<ShownItem<'a>>>,
    /// The most recently changed pages, if the template uses them.
    pub pages: Option<Vec<&'a PageEntry>>,
    /// The items for the JSON Feed that the template can print as a string. None if the template
    /// does not use that feed.
    pub json_feed: Option<Vec<&'a ItemEntry>>,
    pub shows: Viewer<'a>,
    /// Whether any item is published.
    pub has_items: bool,
    /// Whether any page is published.
    pub has_pages: bool,
    /// The newest date of published content.
    pub last_changed: Option<Timestamp>,
}

/// The parts of its context that a site file's template reads.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reads {
    items: bool,
    pages: bool,
    json_feed: bool,
}

impl Reads {
    pub const ALL: Self = Self { items: true, pages: true, json_feed: true };

    fn of(file: &SiteFile) -> Self {
        // A template that cannot be parsed is not rendered.
        let Ok(template) = Template::parse(file.template.as_str()) else {
            return Self::default();
        };
        // `{{_site}}` and `{{.}}` print whole objects, so all parts of the context are read.
        let is_whole = || {
            let mut names = template.names();
            names.any(|name| name.keys().last().is_none_or(|key| key == "_site"))
        };
        Self {
            items: template.mentions("items"),
            pages: template.mentions("pages"),
            json_feed: template.mentions("json_feed") || is_whole(),
        }
    }
}

impl<'a> Provider<'a> {
    pub fn site_file<'f>(&self, file: &'f SiteFile) -> SiteFileInputs<'f>
    where
        'a: 'f,
    {
        SiteFileInputs { context: self.site_file_context(Reads::of(file)), file }
    }

    pub fn site_file_context(&self, reads: Reads) -> SiteFileContext<'a> {
        let snapshot = self.snapshot;
        let is_published = |entry: &PageEntry| entry.status == Status::Published;
        SiteFileContext {
            items: reads.items.then(|| self.shown_items(self.newest_items())),
            pages: reads.pages.then(|| self.newest_pages()),
            json_feed: reads.json_feed.then(|| self.newest_items()),
            shows: self.shows(),
            has_items: !snapshot.published.is_empty(),
            has_pages: snapshot.pages.iter().any(is_published),
            last_changed: snapshot.last_changed(),
        }
    }

    pub(super) fn llms(&self) -> LlmsInputs<'a> {
        LlmsInputs { items: self.newest_items(), pages: self.newest_pages() }
    }

    /// Returns the newest published items by date, whatever the order of the feed.
    fn newest_items(&self) -> Vec<&'a ItemEntry> {
        let published = self.snapshot.published.iter().map(AsRef::as_ref);
        let feed = &self.snapshot.config.feed;
        if (feed.sort, feed.order) == (SortKey::Published, SortOrder::Desc) {
            return published.take(MAX_LISTED).collect();
        }
        let mut entries: Vec<&ItemEntry> = published.collect();
        let date = |entry: &ItemEntry| SortKey::Published.date(&entry.item);
        entries.sort_by(|a, b| {
            let (one, other) = (a.item.source.as_str(), b.item.source.as_str());
            SortOrder::Desc.compare((&date(a), one), (&date(b), other))
        });
        entries.truncate(MAX_LISTED);
        entries
    }

    /// Returns published pages, the most recently updated first. The 404 page is never included.
    fn newest_pages(&self) -> Vec<&'a PageEntry> {
        let pages = self.snapshot.pages.iter();
        let mut pages: Vec<&PageEntry> =
            pages.filter(|entry| entry.status == Status::Published).collect();
        pages.sort_by(|a, b| a.page.recency().cmp(&b.page.recency()));
        pages.truncate(MAX_LISTED);
        pages
    }
}
