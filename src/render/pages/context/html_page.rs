//! The contexts of HTML pages.

use mustache::{Data, object};

use super::breadcrumbs::{breadcrumb, breadcrumbs};
use super::facets::{FacetData, seasons};
use super::feed::{FeedData, FeedExtension};
use super::item::ItemData;
use super::item_facts::{ItemFacts, Place};
use super::item_links::{linked, linked_items, switch, translations, untranslated};
use super::network::{network, network_shows};
use super::options::{CurrentPage, Options};
use super::page::{PageData, navigation};
use super::page_tree::page_tree;
use super::parts::each;
use super::picture::{picture, shown_address};
use super::series::series;
use super::upcoming::events;
use super::words::words;
use crate::inputs::{FrameInputs, ItemPage, List, ListPage, PageInputs, Shared, ShownItem};
use crate::pictures::artwork::squared;
use crate::view::Neighbours;
use model::Category;
use model::artwork::TOUCH_ICON;
use site::{FacetKind, PageEntry, paths};
use theme::{ASSET_BASE_URL, ASSET_FOLDER, ASSET_FOLDER_URL};

/// Returns the context that all pages share: the public feed, the navigation and the theme. `here`
/// is the current page, with which the links in the theme's options are compared.
pub fn feed<'a>(
    shared: &'a Shared<'a>,
    frame: &'a FrameInputs<'a>,
    here: Option<CurrentPage>,
) -> Data<'a> {
    let feed = FeedData { shared, fills_author_url: true };
    let options = shared.theme.options_of(&shared.config.content);
    let early_fonts = options.early_fonts(shared.language());
    let assets = paths::assets(&shared.theme.hash);
    let theme = Data::from([
        ("package_id", Data::from(&shared.theme.manifest.package_id)),
        ("version", shared.theme.manifest.version.to_string().into()),
        (ASSET_BASE_URL, Data::shared(shared.config.root_url(&assets))),
        (
            ASSET_FOLDER_URL,
            Data::shared(shared.config.root_url(&format!("{assets}/{ASSET_FOLDER}/"))),
        ),
        (
            "options",
            match here {
                Some(here) => Data::object(Options { values: &options.values, here: here.into() }),
                None => Data::from(&options.values),
            },
        ),
        ("has_formulas", shared.has_formulas.into()),
        ("option_styles", options.styles.as_ref().into()),
        ("fonts", early_fonts.map(Data::from).collect()),
    ]);
    Data::object(PageFeed {
        shared,
        frame,
        feed,
        extension: Data::object(PageExtension::of(shared, frame)),
        theme,
    })
}

/// Maximum number of newest items on the 404 page.
const NEWEST: usize = 5;

struct PageFeed<'a> {
    shared: &'a Shared<'a>,
    frame: &'a FrameInputs<'a>,
    feed: FeedData<'a>,
    extension: Data<'a>,
    theme: Data<'a>,
}

object!(impl PageFeed<'a>, |this| {
    "_service" => this.extension.clone(),
    "_theme" => this.theme.clone(),
    "_words" => words(this.shared.words),
    "icon" => this.shared.channel.icon.as_ref().map(|icon| {
        shown_address(this.shared, &this.shared.channel.media, &icon.url)
    }),
    "items" if this.frame.newest.is_some() => {
        this.frame.newest.as_deref().map(|newest| items(this.shared, newest))
    },
    "newest_items" if this.frame.newest.is_some() => {
        let newest = this.frame.newest.as_deref();
        newest.map(|newest| items(this.shared, &newest[..newest.len().min(NEWEST)]))
    },
    "navigation_pages" => navigation(this.shared, None),
    "languages" if !this.frame.switch.is_empty() => {
        switch(this.shared, &this.frame.switch)
    },
    "network" if this.shared.network.is_some() => this.shared.network.map(network),
    "network_shows" if !this.shared.shows.is_empty() => network_shows(this.shared),
    "page_tree" if this.frame.page_tree.is_some() => {
        this.frame.page_tree.map(|tree| page_tree(this.shared, tree))
    },
    "upcoming_events" if this.frame.upcoming.is_some() => {
        this.frame.upcoming.map(|upcoming| events(this.shared, upcoming))
    },
    "tag" => Data::default(),
    "season_page" => Data::default(),
    "author_page" => Data::default(),
    "album_page" => Data::default(),
    "series_page" => Data::default(),
    "section_page" => Data::default(),
    "series" => Data::default(),
    "seasons" => Data::default(),
    "lead_item" => Data::default(),
    "page" => Data::default(),
    "item" => Data::default(),
    "clip" => Data::default(),
    "search" => Data::default(),
    "archive" => Data::default(),
    "tag_index" => Data::default(),
    "album_index" => Data::default(),
    "planet" => Data::default(),
    "subscribe" => Data::default(),
} else this.feed);

/// The fields of the channel that JSON Feed does not define, for pages.
pub(super) struct PageExtension<'a> {
    shared: &'a Shared<'a>,
    extension: FeedExtension<'a>,
}

impl<'a> PageExtension<'a> {
    pub(super) fn of(shared: &'a Shared<'a>, frame: &'a FrameInputs<'a>) -> Self {
        let extension = FeedExtension::of(shared, frame.shows, true);
        Self { shared, extension }
    }

    fn url(&self, has_one: bool, path: &str) -> Option<String> {
        has_one.then(|| self.shared.config.url(path))
    }
}

object!(impl PageExtension<'a>, |this| {
    "rss_url" => this.url(this.shared.config.feed.rss, &paths::rss(1)),
    "calendar_url" => this.url(this.shared.has_calendars, paths::CALENDARS),
    "search_url" => this.url(this.shared.has_search, paths::SEARCH),
    "archive_url" => this.url(this.shared.has_archive, &paths::archive(None)),
    "subscribe_url" => this.url(this.shared.has_subscribe_link, paths::SUBSCRIBE),
    "albums_url" => this.url(this.shared.has_album_index, paths::ALBUM_INDEX),
    "planet_url" => this.url(this.shared.has_planet, &paths::planet(1)),
    "tags_url" => this.url(this.shared.has_tag_index, paths::TAG_INDEX),
    "origin" => this.shared.config.origin(),
    "touch_icon_url" => {
        let icon = this.shared.channel.icon.as_ref();
        icon.map(|icon| squared(this.shared, icon, TOUCH_ICON).url.clone())
    },
    "icon_picture" => {
        let channel = this.shared.channel;
        channel.icon.as_ref().and_then(|icon| picture(this.shared, &channel.media, &icon.url))
    },
    "site_lang" => {
        let language = this.shared.language();
        let is_own = language.eq_ignore_ascii_case(&this.shared.words.language);
        (!is_own).then_some(language)
    },
    "publisher" if this.shared.channel.publisher.is_none() => Data::default(),
    "podcast" if this.extension.podcast().is_empty() => Data::default(),
    "prev_url" => Data::default(),
    "next_url" => Data::default(),
    "page_number" => Data::default(),
    "page_count" => Data::default(),
    "page_text" => Data::default(),
    "has_audio" => Data::default(),
} else this.extension);

fn items<'a>(shared: &'a Shared<'a>, all: &'a [ShownItem<'a>]) -> Data<'a> {
    each(all, move |shown| ItemData::of(ItemFacts::listed(shared, shown), Place::List))
}

/// Returns the items of a list page. One of the items may be highlighted.
fn items_of<'a>(shared: &'a Shared<'a>, page: &'a ListPage<'a>) -> Data<'a> {
    Data::list(page.items.len(), move |at| listed(shared, page, at))
}

fn listed<'a>(shared: &'a Shared<'a>, page: &'a ListPage<'a>, at: usize) -> Data<'a> {
    let place = if page.lead == Some(at) { Place::Lead } else { Place::List };
    ItemData::of(ItemFacts::listed(shared, &page.items[at]), place)
}

/// Returns the public path of a page of a list. Numbers start at 1.
pub fn list_path(list: List<'_>, number: usize) -> String {
    match list {
        List::Home => paths::home(number),
        List::Facet(facet) => paths::facet(facet.kind, facet.slug, number),
    }
}

/// Returns the context of a page of a list.
pub fn list_page<'a>(shared: &'a Shared<'a>, page: &'a ListPage<'a>) -> Data<'a> {
    let url = |number| shared.config.url(&list_path(page.of, number));
    let at = Neighbours::of(page.number, page.number < page.count, url);
    let next = at.next.clone();
    let extension = Data::object(ListExtension {
        shared,
        page,
        at,
        extension: PageExtension::of(shared, &page.frame),
    });
    Data::object(ListData { shared, page, next, extension })
}

struct ListData<'a> {
    shared: &'a Shared<'a>,
    page: &'a ListPage<'a>,
    next: Option<String>,
    extension: Data<'a>,
}

impl<'a> ListData<'a> {
    /// Returns the facet that the page lists, if it has this kind.
    fn facet(&self, kind: FacetKind) -> Option<Data<'a>> {
        match self.page.of {
            List::Facet(facet) if facet.kind == kind => Some(FacetData::of(self.shared, facet)),
            List::Facet(_) | List::Home => None,
        }
    }
}

object!(impl ListData<'a>, |this| {
    "_service" => this.extension.clone(),
    "next_url" => this.next.clone(),
    "items" => items_of(this.shared, this.page),
    "lead_item" => this.page.lead.map(|at| listed(this.shared, this.page, at)),
    "tag" => this.facet(FacetKind::Tag),
    "season_page" => this.facet(FacetKind::Season),
    "author_page" => this.facet(FacetKind::Author),
    "album_page" => this.facet(FacetKind::Album),
    "series_page" => this.facet(FacetKind::Series),
    "section_page" => this.facet(FacetKind::Section),
    "translations" => translations(&this.page.translations),
    "untranslated" if this.page.section().is_some() => {
        let section = this.page.section();
        untranslated(this.shared, section.and_then(|entry| entry.page.language.as_deref()))
    },
    "navigation_pages" if this.page.section().is_some() => {
        let section = this.page.section();
        navigation(this.shared, section.map(|entry| entry.page.slug.as_str()))
    },
    "seasons" => seasons(this.shared, &this.page.seasons),
    "breadcrumbs" => breadcrumbs(this.shared, &this.page.above),
});

struct ListExtension<'a> {
    shared: &'a Shared<'a>,
    page: &'a ListPage<'a>,
    at: Neighbours,
    extension: PageExtension<'a>,
}

object!(impl ListExtension<'a>, |this| {
    "prev_url" => this.at.prev.clone(),
    "next_url" => this.at.next.clone(),
    "page_number" => this.page.number,
    "page_count" => this.page.count,
    "page_text" => this.page.text(this.shared.words),
    "has_audio" => this.page.items.iter().any(|shown| {
        let attachment = shown.entry.item.attachment.as_ref();
        attachment.is_some_and(|one| one.category == Category::Audio)
    }),
} else this.extension);

/// Returns the context of an item's page. The item is available as `items.0` and as `item`.
pub fn item_page<'a>(shared: &'a Shared<'a>, page: &'a ItemPage<'a>) -> Data<'a> {
    let facts = ItemFacts { shared, shown: &page.item, transcript: page.transcript.as_ref() };
    let item = ItemData::of(facts, Place::Own);
    let items = [item.clone()].into_iter().collect();
    let (previous, next) = (&page.item_links.previous, &page.item_links.next);
    Data::from([
        ("items", items),
        ("item", item),
        ("previous_item", linked(shared, previous.as_ref())),
        ("next_item", linked(shared, next.as_ref())),
        ("related_items", linked_items(shared, &page.item_links.related)),
        ("series", series(shared, page.item_links.series.as_ref())),
        ("translations", translations(&page.item_links.translations)),
        ("untranslated", untranslated(shared, page.item.entry.item.language.as_deref())),
        ("breadcrumbs", breadcrumbs(shared, &page.above)),
    ])
}

/// Returns the context of a page. `entry` is the page to show.
pub fn page<'a>(
    shared: &'a Shared<'a>,
    page: &'a PageInputs<'a>,
    entry: &'a PageEntry,
) -> Data<'a> {
    let slug = entry.page.slug.as_str();
    Data::from([
        ("page", PageData::shown_page(shared, entry, page.date)),
        ("navigation_pages", navigation(shared, Some(slug))),
        ("translations", translations(&page.translations)),
        ("untranslated", untranslated(shared, entry.page.language.as_deref())),
        ("breadcrumbs", breadcrumbs(shared, &page.above)),
        ("previous_page", breadcrumb(shared, page.neighbours[0].as_ref())),
        ("next_page", breadcrumb(shared, page.neighbours[1].as_ref())),
    ])
}

/// Returns the context of the search page. The query and the results are empty, since the search
/// runs in the browser.
pub fn search<'a>() -> Data<'a> {
    let nothing = [("query", Data::from("")), ("results", [].into_iter().collect())];
    Data::from([("search", Data::from(nothing))])
}
