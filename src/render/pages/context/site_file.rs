//! The context of site files.

use mustache::{Data, object};

use super::feed::{FeedData, FeedExtension};
use super::item::ItemData;
use super::item_facts::{ItemFacts, Place};
use super::page::PageData;
use super::parts::Loop;
use crate::feeds::json_feed;
use crate::inputs::{Shared, SiteFileContext};
use crate::text;
use site::paths;

/// Returns the feed's context with the newest items and pages.
pub fn site_file<'a>(shared: &'a Shared<'a>, inputs: &'a SiteFileContext<'a>) -> Data<'a> {
    let feed = FeedData { shared, fills_author_url: false };
    Data::object(SiteFileData { shared, inputs, feed })
}

struct SiteFileData<'a> {
    shared: &'a Shared<'a>,
    inputs: &'a SiteFileContext<'a>,
    feed: FeedData<'a>,
}

impl<'a> SiteFileData<'a> {
    fn items(&self) -> Option<Data<'a>> {
        let (shared, all) = (self.shared, self.inputs.items.as_ref()?);
        let count = all.len();
        Some(Data::list(count, move |index| {
            let shown = &all[index];
            let place = Place::SiteFile(Loop { index, count });
            ItemData::of(ItemFacts::listed(shared, shown), place)
        }))
    }

    fn pages(&self) -> Option<Data<'a>> {
        let (shared, all) = (self.shared, self.inputs.pages.as_ref()?);
        let count = all.len();
        Some(Data::list(count, move |index| {
            PageData::listed(shared, all[index], Loop { index, count })
        }))
    }
}

object!(impl SiteFileData<'a>, |this| {
    "_service" => {
        Data::object(FeedExtension::of(this.shared, Some(this.inputs.shows), false))
    },
    "_site" => site(this.shared, this.inputs, None),
    "items" if this.inputs.items.is_some() => this.items(),
    "pages" if this.inputs.pages.is_some() => this.pages(),
} else this.feed);

/// Returns `_site`: data about the site, and the `filename` of the site file.
pub fn site<'a>(
    shared: &'a Shared<'a>,
    inputs: &'a SiteFileContext<'a>,
    filename: Option<&'a str>,
) -> Data<'a> {
    Data::object(SiteData { shared, inputs, filename })
}

struct SiteData<'a> {
    shared: &'a Shared<'a>,
    inputs: &'a SiteFileContext<'a>,
    filename: Option<&'a str>,
}

impl SiteData<'_> {
    /// Returns the JSON Feed of the newest items as text.
    fn json_feed(&self) -> Option<String> {
        let entries = self.inputs.json_feed.as_ref()?;
        let json = json_feed::feed_excerpt(self.shared, self.inputs.shows.items, entries);
        Some(String::from_utf8(json).unwrap_or_default())
    }
}

object!(impl SiteData<'a>, |this| {
    "generated_at" => this.inputs.last_changed.map(text::rfc3339),
    "has_items" => this.inputs.has_items,
    "has_pages" => this.inputs.has_pages,
    "json_feed" if this.inputs.json_feed.is_some() => this.json_feed(),
    "json_feed_url" => this.shared.config.url(&paths::json_feed(1)),
    "rss_feed_url" => this.shared.config.feed.rss.then(|| this.shared.config.url(&paths::rss(1))),
    "sitemap_url" => this.shared.config.has_sitemap().then(|| this.shared.config.url("/sitemap.xml")),
    "origin" => this.shared.config.origin(),
    "filename" if this.filename.is_some() => this.filename,
});
