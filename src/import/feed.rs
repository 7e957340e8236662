//! Imports a feed of any format.

use std::collections::HashSet;

use feeds::{Author, Channel, Enclosure, Feed, Item};
use fetch::Url;
use serde_json::{Map, Value, json};
use to_markdown::DesignParts;
use xxhash_rust::xxh3::xxh3_64;

use super::address::Origin;
use super::found::{Body, Entry, Found};
use super::stored;
use super::texts::{absolute, body, has_tags, is_beginning_of, plain};
use super::wordpress;
use model::{ItemId, Slug};
use site::{FacetKind, paths};

/// Reads a feed. Also returns the address of the next part, if the feed has several parts.
///
/// # Errors
///
/// A message for the user, if the source is not a feed.
pub fn read(origin: &Origin) -> Result<(Found, Option<String>), String> {
    let feed = feeds::read(&origin.bytes, origin.charset.as_deref()).map_err(|error| {
        let named = error.feed_url.as_ref().map(|url| {
            let whole = origin.url.as_ref().and_then(|base| base.join(url).ok());
            format!(
                "; import its feed instead: {}",
                whole.map_or(url.clone(), |url| url.to_string())
            )
        });
        format!("{}: {error}{}", origin.name, named.unwrap_or_default())
    })?;
    let next = feed.channel.next_url.clone();
    Ok((found(feed, origin), next))
}

/// Maximum length of a channel's title in characters.
const MAX_TITLE_LENGTH: usize = 300;

/// Maximum number of categories of a channel.
const MAX_CATEGORIES: usize = 100;

/// Properties of a feed that all its entries need.
struct Context {
    /// Base for relative addresses.
    base: Option<Url>,
    /// Host of the pages.
    host: Option<String>,
    language: Option<String>,
    authors: Vec<Author>,
    /// Whether feedwright wrote the feed.
    is_own: bool,
    name: String,
}

/// Converts a feed for the import. The data of a service, converted to a feed, is accepted too.
pub fn found(mut feed: Feed, origin: &Origin) -> Found {
    let mut found = Found::new(feed.format.clone());
    if feed.items.iter().any(|item| item.wordpress.is_some()) {
        "WordPress export".clone_into(&mut found.kind);
        wordpress::entries(&mut feed, &mut found.notes, &origin.name);
    }
    let absolute = |text: &Option<String>| {
        let text = text.as_deref()?.trim();
        let whole = Url::parse(text).ok();
        whole.or_else(|| origin.url.as_ref()?.join(text).ok())
    };
    found.feeds = origin.url.clone().into_iter().collect();
    found.feeds.extend(absolute(&feed.channel.feed_url));
    let link = absolute(&feed.channel.link);
    let generator = feed.channel.generator.clone().unwrap_or_default();
    let is_own = generator.to_ascii_lowercase().starts_with("feedwright");
    if is_own {
        split_own_authors(&mut feed);
    }
    let context = Context {
        base: absolute(&feed.channel.base)
            .or_else(|| link.clone())
            .or_else(|| absolute(&feed.channel.feed_url))
            .or_else(|| origin.url.clone()),
        host: link.as_ref().and_then(Url::host_str).map(str::to_owned),
        language: feed.channel.language.clone(),
        authors: feed.channel.authors.clone(),
        is_own,
        name: origin.name.clone(),
    };
    if context.is_own {
        found.design = DesignParts::Kept;
    }
    // feedwright's feeds are at the root of their site, even if the channel names another home
    // page.
    let address = feed.channel.feed_url.as_deref().filter(|_| is_own);
    let root = address.and_then(|url| Url::parse(url.strip_suffix("rss.xml")?).ok());
    let homepage = feed.channel.link.clone().filter(|_| root.is_some() && root != link);
    found.base_url = root.or(link);
    let zone = feed.channel.timezone.take();
    let zone = zone.filter(|name| jiff::tz::TimeZone::get(name).is_ok());
    found.settings.extend(zone.map(|name| ("timezone", json!(name).to_string())));
    let tag_pages = feed.tag_paths.into_iter().filter_map(|(path, tag)| {
        let page = paths::facet(FacetKind::Tag, Slug::from_tag(&tag)?.as_str(), 1);
        Some((path, page))
    });
    found.redirects = tag_pages.collect();
    for message in feed.channel.invalid_values.messages() {
        found.note(format!("the channel: {message}"), format!("{}:1", origin.name));
    }
    let about = &mut feed.channel.categories;
    if about.len() > MAX_CATEGORIES {
        let message = format!(
            "the channel has {} categories; only the first {MAX_CATEGORIES} were imported",
            about.len()
        );
        about.truncate(MAX_CATEGORIES);
        found.note(message, format!("{}:1", origin.name));
    }
    let mut about = channel(feed.channel, &context);
    about.set("homepage_url", homepage);
    about.remove_unsafe_addresses();
    found.channel = Some(about);
    for fault in feed.faults {
        found.note(fault.message, format!("{}:{}", origin.name, fault.line));
    }
    for skipped in feed.skipped {
        let place = format!("{}:{}", origin.name, skipped.line);
        let mut note = super::Note::new(
            format!("{} was not imported: feedwright has no equivalent", skipped.name),
            place,
        );
        note.count = skipped.count;
        found.notes.push(note);
    }
    let mut seen = HashSet::new();
    for item in feed.items {
        let stored = item.stored.clone();
        let place = format!("{}:{}", origin.name, item.line);
        let invalid_values = item.invalid_values.clone();
        let mut entry = entry(item, &context, &mut found);
        let skipped = [
            (
                entry.remove_unsafe_addresses(),
                "unsafe addresses such as javascript:; they were removed",
            ),
            (!is_own && entry.remove_paid_part(), "a paywall; the text behind it was left out"),
        ];
        for (_, what) in skipped.iter().filter(|(is_left, _)| *is_left) {
            found.note(format!("“{}” has {what}", entry.name()), place.clone());
        }
        for message in invalid_values.messages() {
            let message = format!("“{}”: {message}", entry.name());
            found.note(message, place.clone());
        }
        if !seen.insert(entry.identity.clone()) {
            let again = entry.address.as_ref().map(ToString::to_string).unwrap_or_default();
            if again.is_empty() || !seen.insert(again.clone()) {
                found.note(
                    "duplicate item with the same guid; only the first one was imported",
                    place,
                );
                continue;
            }
            found.note(
                "two items have the same guid; the second one got its address as guid",
                place,
            );
            entry.set("id", ItemId::derive(&again).to_string());
            entry.set("guid", again.clone());
            entry.identity = again;
        }
        match stored {
            Some(stored) => stored::put(entry, stored, &mut found),
            None => found.items.push(entry),
        }
    }
    stored::report_future(&mut found);
    found
}

/// Splits the authors of a channel in a feed written by feedwright. The channel has all names in
/// one line, so the separate names are taken from an item with the same authors.
fn split_own_authors(feed: &mut Feed) {
    let line = |authors: &[Author]| {
        authors.iter().map(|author| author.name.as_str()).collect::<Vec<_>>().join(", ")
    };
    let all = line(&feed.channel.authors);
    if let Some(item) = feed.items.iter().find(|item| line(&item.authors) == all) {
        feed.channel.authors.clone_from(&item.authors);
    }
}

fn channel(channel: Channel, context: &Context) -> Entry {
    let mut entry = Entry {
        place: format!("{}:1", context.name),
        body: match body(channel.description) {
            Body::Html(html) => Body::Html(absolute(&html, context.base.as_ref())),
            other => other,
        },
        ..Entry::default()
    };
    let title: String = channel.title.unwrap_or_default().chars().take(MAX_TITLE_LENGTH).collect();
    entry.set("title", title);
    entry.set("language", channel.language.unwrap_or_default());
    entry.set("icon", whole(channel.image.as_deref(), context));
    entry.set("favicon", whole(channel.icon.as_deref(), context));
    entry.set("authors", authors(&channel.authors));
    entry.set("copyright", channel.copyright.unwrap_or_default());
    let topics = channel.categories.iter().map(|(name, below)| match below.is_empty() {
        true => json!(name),
        false => json!({ "name": name, "categories": below }),
    });
    entry.set("categories", topics.collect::<Vec<_>>());
    entry.set("expired", channel.expired.then_some(true));
    let mut itunes = channel.itunes;
    if let Some(owner) = channel.owner {
        itunes.extend(owner.email.map(|email| ("email".to_owned(), email.into())));
        let first = channel.authors.first();
        let is_author = first.is_some_and(|author| author.name == owner.name);
        if !is_author && !owner.name.is_empty() && !owner.name.contains('@') {
            entry.set("publisher", json!({ "name": owner.name }));
        }
    }
    // The former feed redirects to this site.
    if !context.is_own {
        itunes.remove("new-feed-url");
    }
    entry.set("itunes", itunes);
    entry.set("podcast", channel.podcast);
    for (key, value) in channel.fields {
        entry.set(&key, value);
    }
    entry
}

fn entry(item: Item, context: &Context, found: &mut Found) -> Entry {
    let place = format!("{}:{}", context.name, item.line);
    let base = item.base.as_deref().and_then(|base| Url::parse(base).ok());
    let link = whole(item.link.as_deref(), context);
    let address = link.as_deref().and_then(|link| Url::parse(link).ok());
    let is_elsewhere =
        address.as_ref().is_some_and(|url| url.host_str() != context.host.as_deref());
    let identity = identity(&item, link.as_deref(), &place, found);
    let mut entry = Entry {
        identity: identity.clone(),
        segment: address.as_ref().filter(|_| !is_elsewhere).and_then(segment),
        place: place.clone(),
        ..Entry::default()
    };
    let id = ItemId::parse(&identity).unwrap_or_else(|_| ItemId::derive(&identity));
    entry.set("id", id.to_string());
    if id.as_str() != identity {
        entry.set("guid", identity);
    }
    let title = item.title.map(|title| match context.is_own {
        true => title.into_plain(),
        false => plain(title),
    });
    entry.set("title", title.unwrap_or_default());
    entry.set("date_published", item.published.map(|at| at.to_string()));
    let updated = item.updated.filter(|updated| Some(*updated) != item.published);
    entry.set("date_modified", updated.map(|at| at.to_string()));
    // If an episode links to another host, the target is the episode's page at its former podcast
    // host, not a page that the item is about.
    let is_about = match context.is_own {
        true => address.as_ref().is_some_and(|url| !url.path().contains("/i/")),
        false => is_elsewhere && item.enclosures.is_empty(),
    };
    // A link that feedwright wrote is kept as written.
    let link = item.link.clone().filter(|_| context.is_own).or(link);
    let elsewhere = item.external_url.or(link.filter(|_| is_about));
    entry.set("url", elsewhere);
    entry.set("image", whole(item.image.as_deref(), context));
    entry.set("banner_image", whole(item.banner.as_deref(), context));
    let language = item.language.filter(|language| Some(language) != context.language.as_ref());
    entry.set("language", language);
    if item.authors != context.authors {
        entry.set("authors", authors(&item.authors));
    }
    entry.set("tags", tags(item.tags, &place, found));
    let mut podcast = item.podcast;
    set_attachment(&mut entry, &mut podcast, item.enclosures, context);
    let mut itunes = item.itunes;
    simplify_tables(&mut podcast, &mut itunes);
    entry.set("podcast", podcast);
    entry.set("itunes", itunes);
    let (content, summary) = match (item.content, item.summary) {
        // feedwright's feeds have the body only in `content:encoded`, so a text without tags is a
        // summary.
        (Some(text), None) if context.is_own && !has_tags(&text) => (None, Some(text)),
        texts => texts,
    };
    if let Some(summary) =
        summary.map(plain).filter(|summary| !is_beginning_of(content.as_ref(), summary))
    {
        entry.set("summary", summary);
    }
    entry.body = match body(content) {
        Body::Html(html) => Body::Html(absolute(
            &html,
            base.as_ref().or(address.as_ref()).or(context.base.as_ref()),
        )),
        other => other,
    };
    entry.address = address.filter(|_| !is_about);
    entry
}

/// Returns the identity of an item in feed readers: its guid, or else the value that feed readers
/// use instead.
fn identity(item: &Item, link: Option<&str>, place: &str, found: &mut Found) -> String {
    if let Some(guid) = &item.guid {
        return guid.clone();
    }
    found.note("an item has no guid; its address was used instead, as in feed readers", place);
    let file = item.enclosures.first().map(|file| file.url.as_str());
    let title = item.title.clone().map(plain);
    let known = link.or(file).map(str::to_owned).or(title);
    known.unwrap_or_else(|| {
        let text = item.content.clone().or(item.summary.clone()).map(plain);
        format!("text-{:016x}", xxh3_64(text.unwrap_or_default().as_bytes()))
    })
}

/// Returns the last part of an address that is not empty, without the extension of a web page.
pub fn segment(url: &Url) -> Option<String> {
    let last = url.path_segments()?.rev().find(|part| !part.is_empty())?;
    let last = percent_encoding::percent_decode_str(last).decode_utf8().ok()?;
    let stem = match last.rsplit_once('.') {
        Some((stem, "html" | "htm" | "php" | "aspx" | "md")) => stem,
        _ => &last,
    };
    Some(stem.to_owned())
}

fn set_attachment(
    entry: &mut Entry,
    podcast: &mut Map<String, Value>,
    files: Vec<Enclosure>,
    context: &Context,
) {
    let mut files = files.into_iter();
    let Some(main) = files.next() else { return };
    let mut table = Map::new();
    let url = whole(Some(&main.url), context).unwrap_or(main.url);
    table.insert("url".into(), url.into());
    table.extend(main.media_type.map(|kind| ("mime_type".into(), kind.into())));
    table.extend(main.length.map(|length| ("size_in_bytes".into(), length.into())));
    table.extend(main.duration.map(|seconds| ("duration_in_seconds".into(), number(seconds))));
    table.extend(main.category.map(|kind| ("category".into(), kind.into())));
    entry.set("attachment", table);
    let others = files.map(|file| {
        let mut other = Map::new();
        other.extend(file.media_type.map(|kind| ("type".to_owned(), Value::from(kind))));
        other.extend(file.length.map(|length| ("length".to_owned(), Value::from(length))));
        other.extend(file.title.map(|title| ("title".to_owned(), Value::from(title))));
        other.insert("sources".into(), json!([{ "uri": file.url }]));
        Value::Object(other)
    });
    let others: Vec<Value> = others.collect();
    if !others.is_empty()
        && let Value::Array(list) =
            podcast.entry("alternateEnclosures").or_insert_with(|| json!([]))
    {
        list.extend(others);
    }
}

/// Replaces a table that has only its main value with that value, and removes `itunes` values that
/// repeat `podcast` values.
fn simplify_tables(podcast: &mut Map<String, Value>, itunes: &mut Map<String, Value>) {
    for (key, main) in [
        ("episode", "number"),
        ("season", "number"),
        ("license", "identifier"),
        ("location", "name"),
        ("people", "name"),
        ("transcripts", "url"),
    ] {
        let shorten = |value: &mut Value| {
            if let Some(table) = value.as_object().filter(|table| table.len() == 1)
                && let Some(main) = table.get(main).cloned()
            {
                *value = main;
            }
        };
        match podcast.get_mut(key) {
            Some(Value::Array(list)) => list.iter_mut().for_each(shorten),
            Some(value) => shorten(value),
            None => {}
        }
    }
    for key in ["season", "episode"] {
        let own = podcast.get(key).map(|value| value.get("number").unwrap_or(value).clone());
        if own.is_some() && own.as_ref() == itunes.get(key) {
            itunes.remove(key);
        }
    }
}

/// Returns whole seconds as an integer.
fn number(seconds: f64) -> Value {
    // Durations of media are far below the maximum of the type.
    #[allow(clippy::cast_possible_truncation)]
    if seconds.fract() == 0.0 && seconds < 1e9 {
        Value::from(seconds as i64)
    } else {
        Value::from(seconds)
    }
}

pub fn authors(authors: &[Author]) -> Vec<Value> {
    let named = authors.iter().filter(|author| !author.name.is_empty());
    let values = named.map(|author| match &author.url {
        Some(url) => json!({ "name": author.name, "url": url }),
        None => json!(author.name),
    });
    values.collect()
}

/// Returns tags without duplicates. A tag with a comma is split, because commas separate tags.
pub fn tags(tags: Vec<String>, place: &str, found: &mut Found) -> Vec<Value> {
    let mut out: Vec<Value> = Vec::new();
    for tag in tags {
        if tag.contains(',') {
            found.note("a tag with a comma was split into several tags", place);
        }
        let parts = tag.split(',').map(str::trim).filter(|part| !part.is_empty());
        for part in parts.map(Value::from) {
            if !out.contains(&part) {
                out.push(part);
            }
        }
    }
    out
}

fn whole(text: Option<&str>, context: &Context) -> Option<String> {
    let text = text?.trim();
    if text.is_empty() || Url::parse(text).is_ok() {
        return Some(text.to_owned()).filter(|text| !text.is_empty());
    }
    let joined = context.base.as_ref().and_then(|base| base.join(text).ok());
    joined.map(|url| url.to_string())
}
