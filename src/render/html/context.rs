//! The context of templates: the public feed, and the data of one page.
//!
//! A name that is missing in a page's own context is looked up in the feed's. So every object here has all
//! keys of its kind, with null for a missing value.

mod item;

use serde_json::{Map, Value, json};

use self::item::listed;
pub use self::item::{has_page, item};
use super::local::localize;
use crate::model::Status;
use crate::render::text;
use crate::render::view::{self, Neighbours};
use crate::site::{ItemEntry, PageEntry, Snapshot, Tag, paths};
use crate::theme::Theme;

/// The namespace templates are read in: a theme's own is renamed to it when it is loaded.
pub const NAMESPACE: &str = "service";

/// The key of the extension in every context.
pub const EXTENSION: &str = "_service";

/// The key of the channel's live items.
pub const SHOWS: &str = "liveItems";

/// The key of the calendars' upcoming events.
pub const UPCOMING: &str = "upcoming_events";

/// What every page shares: the public feed with its newest items, navigation and theme.
pub fn global(
    snapshot: &Snapshot,
    theme: &Theme,
    upcoming: &Value,
    has_search: bool,
    texts: bool,
) -> Value {
    let config = &snapshot.config;
    let own = Neighbours {
        own: config.url(&paths::json_feed(1)),
        ..Neighbours::default()
    };
    let mut view = view::feed(snapshot, &own, NAMESPACE);
    if theme.mentions(SHOWS) {
        view = view.with_shows(snapshot);
    }
    let mut feed = view::value(&view);
    let Value::Object(object) = &mut feed else {
        return feed;
    };
    view::fill(
        object,
        &[
            "next_url",
            "icon",
            "favicon",
            "authors",
            "language",
            "tag",
            "page",
            "item",
            "search",
            "description",
        ],
    );
    fill_authors(object);
    object.insert("current_year".into(), snapshot.year().into());
    object.insert("navigation_pages".into(), navigation(snapshot, None));
    object.insert(UPCOMING.into(), upcoming.clone());
    object.insert(
        "_theme".into(),
        json!({
            "package_id": theme.manifest.package_id,
            "version": theme.manifest.version,
            "asset_base_url": config.url(&asset_base(theme)),
        }),
    );
    if let Some(Value::Object(extension)) = object.get_mut(EXTENSION) {
        extension.insert(
            "rss_url".into(),
            config.feed.rss.then(|| config.url(&paths::rss(1))).into(),
        );
        let has_calendar = snapshot.calendars.published().next().is_some();
        extension.insert(
            "calendar_url".into(),
            has_calendar.then(|| config.url(paths::CALENDARS)).into(),
        );
        extension.insert("origin".into(), config.origin().into());
        extension.insert(
            "search_url".into(),
            has_search.then(|| config.url(paths::SEARCH)).into(),
        );
        view::fill(
            extension,
            &[
                "prev_url",
                "next_url",
                "publisher",
                "podcast",
                "page_number",
                "page_count",
            ],
        );
        if let Some(Value::Object(podcast)) = extension.get_mut("podcast") {
            view::fill(
                podcast,
                &["people", "license", "funding", "medium", "locations"],
            );
        }
    }
    let first = snapshot.published.iter().take(config.feed.items_per_page);
    object.insert(
        "items".into(),
        first.map(|entry| listed(snapshot, entry, texts)).collect(),
    );
    localize(config, &mut feed);
    feed
}

/// The public folder of a theme's assets.
pub fn asset_base(theme: &Theme) -> String {
    format!("/assets/{}", theme.hash)
}

/// Published Pages that are shown in navigation, in order.
fn navigation(snapshot: &Snapshot, current: Option<&str>) -> Value {
    let shown = snapshot
        .pages
        .iter()
        .filter(|entry| entry.status == Status::Published && entry.page.show_in_navigation);
    let entry = |entry: &PageEntry| {
        let page = &entry.page;
        json!({
            "id": page.id.as_str(),
            "slug": page.slug.as_str(),
            "title": page.title,
            "navigation_label": page.navigation_label.as_deref().unwrap_or(&page.title),
            "navigation_order": page.navigation_order.unwrap_or_default(),
            "url": snapshot.config.url(&paths::page(page.slug.as_str())),
            "is_current": current == Some(page.slug.as_str()),
        })
    };
    shown.map(entry).collect()
}

/// A page of a list of items: of the home page, or of a tag.
pub struct ListPage<'a> {
    pub entries: &'a [std::sync::Arc<ItemEntry>],
    pub at: Neighbours,
    /// The page's number, from 1, and how many pages there are.
    pub number: (usize, usize),
    pub tag: Option<&'a Tag>,
}

/// The context of a page of a list.
pub fn list(snapshot: &Snapshot, global: &Value, page: &ListPage<'_>, texts: bool) -> Value {
    let mut extension = global.get(EXTENSION).cloned().unwrap_or_default();
    if let Value::Object(extension) = &mut extension {
        extension.insert("prev_url".into(), page.at.prev.clone().into());
        extension.insert("next_url".into(), page.at.next.clone().into());
        extension.insert("page_number".into(), page.number.0.into());
        extension.insert("page_count".into(), page.number.1.into());
    }
    let items = page
        .entries
        .iter()
        .map(|entry| listed(snapshot, entry, texts))
        .collect();
    let mut context = Map::new();
    context.insert(EXTENSION.into(), extension);
    context.insert("next_url".into(), page.at.next.clone().into());
    context.insert("items".into(), items);
    if let Some(tag) = page.tag {
        let url = snapshot.config.url(&paths::tag(&tag.slug, 1));
        context.insert("tag".into(), json!({ "name": tag.name, "url": url }));
    }
    let mut context = Value::Object(context);
    localize(&snapshot.config, &mut context);
    context
}

/// The context of an item's page: the item is `items.0` and, to templates, `item` too.
pub fn item_page(snapshot: &Snapshot, entry: &ItemEntry, texts: bool) -> Value {
    let mut context = Map::new();
    context.insert(
        "items".into(),
        Value::Array(vec![item(snapshot, entry, texts)]),
    );
    let mut context = Value::Object(context);
    localize(&snapshot.config, &mut context);
    context
}

/// The context of a Page.
pub fn page(snapshot: &Snapshot, entry: &PageEntry) -> Value {
    let mut context = json!({
        "page": page_value(snapshot, entry),
        "navigation_pages": navigation(snapshot, Some(entry.page.slug.as_str())),
    });
    localize(&snapshot.config, &mut context);
    context
}

/// The context of the search page, which is empty: the browser searches.
pub fn search() -> Value {
    json!({ "search": { "query": "", "results": [] } })
}

/// A Page as templates read it.
pub fn page_value(snapshot: &Snapshot, entry: &PageEntry) -> Value {
    let page = &entry.page;
    let body = page.content.body();
    let url = snapshot.config.url(&paths::page(page.slug.as_str()));
    json!({
        "id": page.id.as_str(),
        "title": page.title,
        "slug": page.slug.as_str(),
        "status": entry.status.as_str(),
        "content_html": body.html,
        "content_text": body.text,
        "meta_description": page.meta_description,
        "show_in_navigation": page.show_in_navigation,
        "navigation_label": page.navigation_label.as_deref().unwrap_or_default(),
        "navigation_order": page.navigation_order.unwrap_or_default(),
        "date_published": page.date_published.map(text::rfc3339),
        "date_modified": page.date_modified.map(text::rfc3339),
        "language": page.language,
        "is_not_found_page": page.is_not_found_page(),
        "url": url,
        "absolute_url": url,
    })
}

fn fill_authors(object: &mut Map<String, Value>) {
    if let Some(Value::Array(authors)) = object.get_mut("authors") {
        for author in authors {
            if let Value::Object(author) = author {
                view::fill(author, &["url"]);
            }
        }
    }
}
