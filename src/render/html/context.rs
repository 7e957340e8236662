//! What templates see: the public feed, and what a page shows.
//!
//! A name that is missing in a page's own context is looked up in the feed's. So every object here
//! has all keys of its kind, null where it has no value.

use serde_json::{Map, Value, json};

use super::local::localize;
use crate::model::podcast::ItemPodcast;
use crate::model::{Attachment, Category, Image, Slug, Status, url};
use crate::render::text;
use crate::render::view::{self, Neighbours};
use crate::site::{Entry, PageEntry, Snapshot, Tag, paths};
use crate::theme::Theme;

/// The namespace templates are read in: a theme's own is renamed to it when it is loaded.
pub const NAMESPACE: &str = "service";

/// The key of the extension in every context.
pub const EXTENSION: &str = "_service";

/// The key of the channel's live items.
pub const SHOWS: &str = "liveItems";

/// The key of what comes next in the calendars.
pub const UPCOMING: &str = "upcoming_events";

/// The keys of an item, but for `authors`: where it has none, its templates find the channel's.
const ITEM: [&str; 15] = [
    "title",
    "url",
    "external_url",
    "content_html",
    "content_text",
    "summary",
    "image",
    "banner_image",
    "date_published",
    "date_modified",
    "tags",
    "language",
    "attachments",
    "guid",
    "description",
];

/// The keys of an item's extension.
const ITEM_EXTENSION: [&str; 24] = [
    "json_url",
    "rss_url",
    "chapters_url",
    "duration_hhmmss",
    "duration_text",
    "date_published_ms",
    "date_published_short",
    "date_updated_short",
    "seo",
    "podcast",
    "itunes:title",
    "itunes:block",
    "itunes:explicit",
    "itunes:season",
    "itunes:episode",
    "itunes:episodeType",
    "excerpt_text",
    "external_host",
    "size_text",
    "attachment",
    "image",
    "authors",
    "tags",
    "copyright",
];

/// The keys of `podcast` in an item's extension.
const PODCAST: [&str; 9] = [
    "transcripts",
    "chapters",
    "people",
    "license",
    "soundbites",
    "season",
    "episode",
    "locations",
    "captions",
];

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
    /// Its items.
    pub entries: &'a [std::sync::Arc<Entry>],
    /// Its neighbours.
    pub at: Neighbours,
    /// Its number, from 1, and how many there are.
    pub number: (usize, usize),
    /// The tag.
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
pub fn item_page(snapshot: &Snapshot, entry: &Entry, texts: bool) -> Value {
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
    let url = snapshot.config.url(&paths::page(page.slug.as_str()));
    json!({
        "id": page.id.as_str(),
        "title": page.title,
        "slug": page.slug.as_str(),
        "status": entry.status.as_str(),
        "content_html": page.content.html,
        "content_text": page.content.text,
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

/// An item as lists have it: an untitled one is called by its first words, or by its day.
fn listed(snapshot: &Snapshot, entry: &Entry, texts: bool) -> Value {
    let mut value = item(snapshot, entry, texts);
    if entry.item.title.is_empty() {
        let words = text::excerpt(&entry.item.content.text, 60);
        let day = &value[EXTENSION]["date_published_short"];
        value["title"] = match words.is_empty() {
            false => words.into(),
            true if day.is_string() => day.clone(),
            true => entry.segment.clone().into(),
        };
    }
    value
}

/// An item as templates read it; its plain text only where some template asks for it.
pub fn item(snapshot: &Snapshot, entry: &Entry, texts: bool) -> Value {
    let mut view = view::item(&snapshot.config, entry, NAMESPACE);
    if !texts {
        view.leave_text_out();
    }
    let mut value = view::value(&view);
    let Value::Object(object) = &mut value else {
        return value;
    };
    view::fill(object, &ITEM);
    let tags = tags(snapshot, entry);
    fill_authors(object);
    if let Some(Value::Object(extension)) = object.get_mut(EXTENSION) {
        extend(snapshot, entry, extension);
        extension.insert("tags".into(), tags);
        fill_authors(extension);
        view::fill(extension, &ITEM_EXTENSION);
    }
    value
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

/// Whether a tag has a page. One that no published item has, has none: an unlisted item's may be one.
pub fn has_page(snapshot: &Snapshot, tag: &Slug) -> bool {
    let known = snapshot
        .tags
        .binary_search_by(|known| known.slug.as_str().cmp(tag.as_str()));
    snapshot.config.output.tags && known.is_ok()
}

fn tags(snapshot: &Snapshot, entry: &Entry) -> Value {
    let tag = |(name, slug): (&String, &Option<Slug>)| {
        let slug = slug.as_ref().filter(|slug| has_page(snapshot, slug));
        json!({ "name": name, "url": slug.map(|slug| snapshot.config.url(&paths::tag(slug.as_str(), 1))) })
    };
    entry.item.tags.iter().zip(&entry.tags).map(tag).collect()
}

/// What themes need beside the view: texts for people, pictures with their sizes.
fn extend(snapshot: &Snapshot, entry: &Entry, extension: &mut Map<String, Value>) {
    let (config, item) = (&snapshot.config, &entry.item);
    let zone = &config.timezone;
    let attachment = item.attachment.as_ref();
    let seconds = attachment.and_then(|attachment| attachment.duration_in_seconds);
    let updated = item.date_modified.map(|date| text::short_date(date, zone));
    let published = item.date_published.map(|date| text::short_date(date, zone));
    let changed_later = item.date_modified > item.date_published && updated != published;
    extension.insert("excerpt_text".into(), excerpt(entry).into());
    extension.insert("duration_text".into(), seconds.map(text::clock).into());
    extension.insert(
        "date_updated_short".into(),
        updated.filter(|_| changed_later).into(),
    );
    let outside = item.url.as_deref().or(attachment
        .filter(|a| a.category == Category::ExternalUrl)
        .map(|a| a.url.as_str()));
    extension.insert("external_host".into(), outside.and_then(host).into());
    extension.insert("is_untitled".into(), item.title.is_empty().into());
    extension.insert("origin".into(), config.origin().into());
    extension.insert("absolute_url".into(), extension["web_url"].clone());
    extension.insert(
        "size_text".into(),
        attachment
            .and_then(|attachment| attachment.size_in_bytes)
            .map(text::size)
            .into(),
    );
    extension.insert("image".into(), item.image.as_ref().map(image).into());
    extension.insert(
        "attachment".into(),
        attachment
            .map(|attachment| attachment_value(attachment, item.image.as_ref()))
            .into(),
    );
    extension.insert("podcast".into(), podcast(snapshot, entry));
}

/// The summary, or the text's first words.
fn excerpt(entry: &Entry) -> String {
    match &entry.item.summary {
        Some(summary) => text::excerpt(summary, 280),
        None => text::excerpt(&entry.item.content.text, 280),
    }
}

fn host(address: &str) -> Option<String> {
    let rest = address.split_once("://")?.1;
    let host = rest.split(['/', '?', '#']).next()?.rsplit('@').next()?;
    Some(host.strip_prefix("www.").unwrap_or(host).to_owned())
}

fn image(image: &Image) -> Value {
    json!({
        "url": image.url,
        "alt": image.alt.as_deref().unwrap_or_default(),
        "width": image.dimensions.map(|(width, _)| width),
        "height": image.dimensions.map(|(_, height)| height),
    })
}

fn attachment_value(attachment: &Attachment, cover: Option<&Image>) -> Value {
    let name = url::split_suffix(&attachment.url)
        .0
        .rsplit('/')
        .next()
        .unwrap_or_default();
    let name = percent_encoding::percent_decode_str(name)
        .decode_utf8_lossy()
        .into_owned();
    let alt = cover
        .filter(|_| attachment.category == Category::Image)
        .and_then(|cover| cover.alt.clone());
    json!({
        "type_text": type_text(&attachment.mime_type, &name),
        "file_name": name,
        "width": attachment.dimensions.map(|(width, _)| width),
        "height": attachment.dimensions.map(|(_, height)| height),
        "alt": alt,
    })
}

/// What people call a media type: `PDF`, `MP3`.
fn type_text(mime_type: &str, name: &str) -> String {
    let extension = name
        .rsplit_once('.')
        .map(|(_, extension)| extension)
        .filter(|extension| (2..=5).contains(&extension.len()));
    extension
        .unwrap_or_else(|| mime_type.rsplit('/').next().unwrap_or(mime_type))
        .to_uppercase()
}

/// The item's podcast tags; an episode's people and licence fall back to the channel's.
fn podcast(snapshot: &Snapshot, entry: &Entry) -> Value {
    let own: &ItemPodcast = &entry.item.podcast;
    let mut value = view::value(own);
    let Value::Object(object) = &mut value else {
        return value;
    };
    let is_episode =
        |attachment: &Attachment| matches!(attachment.category, Category::Audio | Category::Video);
    if entry.item.attachment.as_ref().is_some_and(is_episode) {
        let channel = &snapshot.channel.podcast.shared;
        if own.shared.people.is_empty() && !channel.people.is_empty() {
            object.insert("people".into(), view::value(&channel.people));
        }
        if own.shared.license.is_none() {
            object.insert("license".into(), view::value(&channel.license));
        }
    }
    object.insert("chapters".into(), view::chapters(&own.chapters));
    view::fill(object, &PODCAST);
    for (key, keys) in [
        ("people", ["role", "group", "img", "href"].as_slice()),
        ("license", &["url"]),
        ("transcripts", &["language", "rel"]),
        ("soundbites", &["title"]),
        ("season", &["name"]),
        ("episode", &["display"]),
    ] {
        match object.get_mut(key) {
            Some(Value::Array(list)) => list.iter_mut().for_each(|entry| fill_value(entry, keys)),
            Some(entry) => fill_value(entry, keys),
            None => {}
        }
    }
    for (key, from) in [
        ("season", entry.item.itunes.season),
        ("episode", entry.item.itunes.episode),
    ] {
        if object[key].is_null()
            && let Some(number) = from
        {
            object.insert(
                key.into(),
                json!({ "number": number, "name": null, "display": null }),
            );
        }
    }
    describe_transcripts(object);
    if let Some(Value::Array(soundbites)) = object.get_mut("soundbites") {
        for soundbite in soundbites {
            let start = soundbite["startTime"].as_f64().unwrap_or_default();
            soundbite["start_hhmmss"] = text::hhmmss(start).into();
            soundbite["start_text"] = text::clock(start).into();
        }
    }
    value
}

fn fill_value(value: &mut Value, keys: &[&str]) {
    if let Value::Object(object) = value {
        view::fill(object, keys);
    }
}

/// Names each transcript's kind, and finds the one that a `<track>` can show.
fn describe_transcripts(podcast: &mut Map<String, Value>) {
    let Some(Value::Array(transcripts)) = podcast.get_mut("transcripts") else {
        return;
    };
    let mut captions = Value::Null;
    for transcript in transcripts {
        let kind = transcript["type"].as_str().unwrap_or_default().to_owned();
        let name = transcript["url"].as_str().unwrap_or_default().to_owned();
        transcript["type_text"] = type_text(&kind, &name).into();
        if captions.is_null() && kind == "text/vtt" {
            captions = json!({ "url": name, "language": transcript["language"] });
        }
    }
    podcast.insert("captions".into(), captions);
}
