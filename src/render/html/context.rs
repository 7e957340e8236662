//! The context of templates: the public feed, and the data of one page.
//!
//! A name that is missing in a page's own context is looked up in the feed's. So every object here has all
//! keys of its kind, with null for a missing value.

mod item;

use serde_json::{Map, Value, json};

pub use self::item::item;
use self::item::listed;
use super::local::localize;
use super::upcoming;
use crate::model::Config;
use crate::render::inputs::{FrameInputs, ItemPage, List, ListPage, Shared, UPCOMING};
use crate::render::text;
use crate::render::view::{self, Neighbours};
use crate::site::{PageEntry, paths};

/// The namespace templates are read in: a theme's own is renamed to it when it is loaded.
pub const NAMESPACE: &str = "service";

/// The key of the extension in every context.
pub const EXTENSION: &str = "_service";

/// What the pages of one slot share: the public feed, navigation, theme, and what else their templates read.
pub fn global(shared: &Shared<'_>, frame: &FrameInputs<'_>, texts: bool) -> Value {
    let config = shared.config;
    let own = Neighbours::none(config.url(&paths::json_feed(1)));
    let mut view = view::feed(config, shared.channel, shared.year, &own, NAMESPACE);
    if let Some(shows) = frame.shows {
        view = view.with_shows(shows.items);
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
    object.insert("current_year".into(), shared.year.into());
    object.insert("navigation_pages".into(), navigation(shared, None));
    if let Some(upcoming) = frame.upcoming {
        object.insert(UPCOMING.into(), upcoming::events(config, upcoming));
    }
    let manifest = &shared.theme.manifest;
    object.insert(
        "_theme".into(),
        json!({
            "package_id": manifest.package_id,
            "version": manifest.version,
            "asset_base_url": config.url(&paths::assets(&shared.theme.hash)),
        }),
    );
    if let Some(Value::Object(extension)) = object.get_mut(EXTENSION) {
        extension.insert(
            "rss_url".into(),
            config.feed.rss.then(|| config.url(&paths::rss(1))).into(),
        );
        let has_calendars = shared.has_calendars;
        extension.insert(
            "calendar_url".into(),
            has_calendars.then(|| config.url(paths::CALENDARS)).into(),
        );
        extension.insert("origin".into(), config.origin().into());
        extension.insert(
            "search_url".into(),
            shared.has_search.then(|| config.url(paths::SEARCH)).into(),
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
    if let Some(newest) = &frame.newest {
        let newest = newest.iter().map(|shown| listed(shared, shown, texts));
        object.insert("items".into(), newest.collect());
    }
    localize(config, &mut feed);
    feed
}

/// The Pages in navigation; `current` is the slug of the one that is shown.
fn navigation(shared: &Shared<'_>, current: Option<&str>) -> Value {
    let pages = shared.navigation.iter().map(|page| {
        json!({
            "id": page.id,
            "slug": page.slug,
            "title": page.title,
            "navigation_label": page.label.as_deref().unwrap_or(&page.title),
            "navigation_order": page.order.unwrap_or_default(),
            "url": shared.config.url(&paths::page(&page.slug)),
            "is_current": current == Some(&page.slug),
        })
    });
    pages.collect()
}

/// The public path of a page of a list, from 1.
pub fn list_path(list: List<'_>, number: usize) -> String {
    match list {
        List::Home => paths::home(number),
        List::Tag { slug, .. } => paths::tag(slug, number),
    }
}

/// The context of a page of a list.
pub fn list(shared: &Shared<'_>, global: &Value, page: &ListPage<'_>, texts: bool) -> Value {
    let config = shared.config;
    let url = |number| config.url(&list_path(page.of, number));
    let at = Neighbours::of(page.number, page.number < page.count, url);
    let mut extension = global.get(EXTENSION).cloned().unwrap_or_default();
    if let Value::Object(extension) = &mut extension {
        extension.insert("prev_url".into(), at.prev.into());
        extension.insert("next_url".into(), at.next.clone().into());
        extension.insert("page_number".into(), page.number.into());
        extension.insert("page_count".into(), page.count.into());
    }
    let items = page.items.iter();
    let items = items.map(|shown| listed(shared, shown, texts)).collect();
    let mut context = Map::new();
    context.insert(EXTENSION.into(), extension);
    context.insert("next_url".into(), at.next.into());
    context.insert("items".into(), items);
    if let List::Tag { name, slug } = page.of {
        let url = config.url(&paths::tag(slug, 1));
        context.insert("tag".into(), json!({ "name": name, "url": url }));
    }
    let mut context = Value::Object(context);
    localize(config, &mut context);
    context
}

/// The context of an item's page: the item is `items.0` and, to templates, `item` too.
pub fn item_page(shared: &Shared<'_>, page: &ItemPage<'_>, texts: bool) -> Value {
    let mut context = json!({ "items": [item(shared, &page.item, texts)] });
    localize(shared.config, &mut context);
    context
}

/// The context of a Page.
pub fn page(shared: &Shared<'_>, entry: &PageEntry) -> Value {
    let mut context = json!({
        "page": page_value(shared.config, entry),
        "navigation_pages": navigation(shared, Some(entry.page.slug.as_str())),
    });
    localize(shared.config, &mut context);
    context
}

/// The context of the search page, which is empty: the browser searches.
pub fn search() -> Value {
    json!({ "search": { "query": "", "results": [] } })
}

/// A Page as templates read it.
pub fn page_value(config: &Config, entry: &PageEntry) -> Value {
    let page = &entry.page;
    let body = page.content.body();
    let url = config.url(&paths::page(page.slug.as_str()));
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
