//! The inputs of feeds.

use jiff::Timestamp;

use super::{Provider, Viewer, pages_of};
use crate::addresses::public::Document;
use crate::batches::BatchedFeed;
use model::Content;
use site::ItemEntry;

/// A document of the site's JSON Feed.
#[derive(Debug, Hash)]
pub struct JsonFeedPage<'a> {
    pub entries: Vec<&'a ItemEntry>,
    /// The document's number, starting at 1.
    pub number: usize,
    pub has_next: bool,
    /// The live shows, only in the first document.
    pub shows: Option<Viewer<'a>>,
}

/// A document of the site's RSS feed.
#[derive(Debug, Hash)]
pub struct RssPage<'a> {
    pub entries: Vec<&'a ItemEntry>,
    /// The document's number, starting at 1.
    pub number: usize,
    /// Number of documents in the feed.
    pub count: usize,
    /// The live shows, only in the first document.
    pub shows: Option<Viewer<'a>>,
    /// The newest date of published content.
    pub last_changed: Option<Timestamp>,
}

impl<'a> Provider<'a> {
    /// Returns the feed, for grouping documents into batches.
    pub fn batched_feed(&self) -> BatchedFeed<'a> {
        let feed = &self.snapshot.config.feed;
        let (limit, per_page) = (feed.limit, feed.items_per_page);
        BatchedFeed { limit, per_page, entries: &self.snapshot.entries }
    }

    /// Returns the body of the item that the document belongs to. Returns None if the document
    /// shows no body or does not belong to an item.
    pub fn content(&self, document: &Document) -> Option<&'a Content> {
        match document {
            Document::Item(at)
            | Document::ItemMarkdown(at)
            | Document::Embed(at)
            | Document::ItemJson(at)
            | Document::ItemRss(at) => Some(&self.snapshot.entries[*at].item.content),
            _ => None,
        }
    }

    pub(super) fn json_feed(&self, n: usize) -> JsonFeedPage<'a> {
        let (entries, count) = self.feed_page(n);
        JsonFeedPage {
            entries,
            number: n,
            has_next: n < count,
            shows: (n == 1).then(|| self.shows()),
        }
    }

    pub(super) fn rss(&self, n: usize) -> RssPage<'a> {
        let (entries, count) = self.feed_page(n);
        RssPage {
            entries,
            number: n,
            count,
            shows: (n == 1).then(|| self.shows()),
            last_changed: self.snapshot.last_changed(),
        }
    }

    /// Returns the items of the `n`th document of the feed, and the number of documents.
    fn feed_page(&self, n: usize) -> (Vec<&'a ItemEntry>, usize) {
        let limit = self.snapshot.config.feed.limit;
        let all = self.snapshot.in_feed();
        let start = all.start + (n - 1) * limit;
        let page = start..all.end.min(start + limit);
        let entries = self.snapshot.feed_items.part(page).map(AsRef::as_ref);
        (entries.collect(), pages_of(all.len(), limit))
    }
}
