//! The planet in template contexts.

use mustache::{Data, object};

use super::html_page::PageExtension;
use super::parts::each;
use crate::inputs::{PlanetPage, Shared, ShownPlanetItem, page_position};
use crate::text;
use crate::view::Neighbours;
use model::PlanetSource;
use site::paths;

/// Returns the context of a page of the planet.
pub fn planet<'a>(shared: &'a Shared<'a>, page: &'a PlanetPage<'a>) -> Data<'a> {
    let url = |number| shared.config.url(&paths::planet(number));
    let at = Neighbours::of(page.number, page.number < page.count, url);
    let extension = PageExtension::of(shared, &page.frame);
    Data::from([
        ("planet", Data::object(PlanetData { shared, page })),
        ("_service", Data::object(PlanetExtension { shared, page, at, extension })),
    ])
}

struct PlanetData<'a> {
    shared: &'a Shared<'a>,
    page: &'a PlanetPage<'a>,
}

object!(impl PlanetData<'a>, |this| {
    "items" => {
        let shared = this.shared;
        each(&this.page.items, move |shown| Data::object(ItemData { shared, shown }))
    },
    "sources" => each(this.page.sources, |source| Data::object(SourceData(source))),
    "rss_url" => this.shared.config.feed.rss.then(|| this.shared.config.url(paths::PLANET_RSS)),
    "json_url" => this.shared.config.url(paths::PLANET_JSON),
    "opml_url" => this.shared.config.url(paths::PLANET_OPML),
});

struct PlanetExtension<'a> {
    shared: &'a Shared<'a>,
    page: &'a PlanetPage<'a>,
    at: Neighbours,
    extension: PageExtension<'a>,
}

object!(impl PlanetExtension<'a>, |this| {
    "prev_url" => this.at.prev.clone(),
    "next_url" => this.at.next.clone(),
    "page_number" => this.page.number,
    "page_count" => this.page.count,
    "page_text" => page_position(this.shared.words, this.page.number, this.page.count),
} else this.extension);

struct ItemData<'a> {
    shared: &'a Shared<'a>,
    shown: &'a ShownPlanetItem<'a>,
}

object!(impl ItemData<'a>, |this| {
    "title" => &this.shown.item.title,
    "url" => &this.shown.item.url,
    "author" => this.shown.item.author.as_deref(),
    "excerpt" => &this.shown.item.excerpt,
    "date_published" => text::rfc3339(this.shown.item.date),
    "date_published_text" => {
        let date = this.shared.config.timezone.to_datetime(this.shown.item.date).date();
        this.shared.words.date(date)
    },
    "source" => Data::object(SourceData(this.shown.source)),
});

struct SourceData<'a>(&'a PlanetSource);

object!(impl SourceData<'a>, |this| {
    "title" => &this.0.title,
    "url" => this.0.link.as_deref(),
    "feed_url" => &this.0.feed,
});
