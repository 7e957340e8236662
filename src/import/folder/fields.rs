//! Converts the front matter of other generators to feedwright's keys.

use serde_json::{Map, Value, json};

use super::data::{self, Data, list, take, take_text, text, text_within, texts};
use super::dates::{self, moment};
use super::episode;
use super::links::TextReferences;
use super::source::{Source, Text};
use crate::feed::tags;
use crate::found::{Entry, Found};

/// Keys whose values are copied as strings: each of feedwright's keys with the equivalent keys of
/// other generators.
const TEXTS: [(&str, &[&str]); 3] = [
    ("language", &["language", "lang", "locale"]),
    ("guid", &["guid"]),
    ("url", &["external_url", "link_url", "externalUrl"]),
];
const IMAGES: &[&str] = &[
    "image", "cover", "featured_image", "featuredImage", "feature_image", "featureImage",
    "cover_image", "coverImage", "images", "thumbnail", "episode_image", "header", "hero",
    "teaser", "og_image", "ogImage",
];

/// Sets the fields of an entry from the front matter of its content file, and reports keys without
/// an equivalent.
pub fn fill(
    entry: &mut Entry,
    source: &Source,
    own: &mut TextReferences<'_, '_>,
    found: &mut Found,
) {
    let text_of = own.text;
    let mut data = flattened(text_of.fields.clone());
    let place = text_of.path.clone();
    let zone = &source.zone;
    let invalid_values = std::cell::Cell::new(false);
    let mut time = |keys: &[&str], data: &mut Data| {
        let written = take_text(data, keys)?;
        let at = moment(&written, zone);
        if at.is_none() {
            invalid_values.set(true);
            found.note(format!("`{written}` is not a valid date"), &*place);
        }
        at
    };
    let published =
        time(&["date", "publishDate", "pubDate", "published_at", "date_published"], &mut data);
    let own_day = || moment(text_of.date.as_deref()?, zone);
    let has_unread_date = invalid_values.take();
    entry.set("date_published", published.or_else(own_day));
    entry.set(
        "date_modified",
        time(
            &["lastmod", "updated", "modified", "last_modified_at", "lastUpdated", "date_modified"],
            &mut data,
        ),
    );
    invalid_values.take();
    let expired = time(&["expiryDate", "unpublishdate"], &mut data);
    let now = jiff::Timestamp::now();
    let is_past = |at: String| dates::instant(&at, zone).is_some_and(|at| at < now);
    // A content file with an unreadable date may be unpublished at the source.
    if has_unread_date || invalid_values.get() || expired.is_some_and(is_past) {
        entry.set("status", "unpublished");
    }
    title(entry, &mut data, text_of);
    status(entry, &mut data, text_of);
    let authors = take(&mut data, &["authors"]).or_else(|| take(&mut data, &["author"]));
    entry.set("authors", authors.and_then(|authors| source.author_list(authors)));
    if let Some(language) = &text_of.language {
        entry.set("language", language.as_str());
    }
    for (key, names) in TEXTS {
        if let Some(value) = take_text(&mut data, names) {
            entry.set(key, if key == "language" { tag(&value) } else { value });
        }
    }
    set_description(entry, &mut data, text_of);
    labels(entry, &mut data, text_of, source, found);
    image(entry, &mut data, own, found);
    if text_of.is_page {
        navigation(entry, &mut data, text_of, source);
    } else {
        episode::fill(entry, &mut data, own, found);
    }
    for key in data.keys() {
        found.note(format!("`{key}` was not imported: feedwright has no equivalent"), &*place);
    }
}

/// Converts a language to a BCP 47 tag, for example `en_US` to `en-US`.
pub fn tag(language: &str) -> String {
    language.trim().replace('_', "-")
}

/// Moves the keys in Hugo's `params` and Zola's `extra` to the top level.
fn flattened(mut data: Data) -> Data {
    for key in ["params", "extra"] {
        if let Some(Value::Object(inner)) = data.remove(key) {
            for (name, value) in inner {
                data.entry(name).or_insert(value);
            }
        }
    }
    data.retain(|_, value| !value.is_null() && *value != json!("") && *value != json!([]));
    data
}

fn title(entry: &mut Entry, data: &mut Data, own: &Text) {
    let title = take_text(data, &["title"]);
    // Without a title, the title is derived from the file name.
    let words = || {
        let words = own.segment.as_deref().unwrap_or(own.stem()).replace(['-', '_'], " ");
        let mut letters = words.chars();
        letters.next().map(|first| first.to_uppercase().collect::<String>() + letters.as_str())
    };
    entry.set("title", title.or_else(words));
}

/// Sets the status, based on keys with which generators or custom templates hide content.
fn status(entry: &mut Entry, data: &mut Data, own: &Text) {
    const HIDING_FLAGS: [&str; 6] =
        ["draft", "private", "unpublished", "hidden", "archived", "wip"];
    const SHOWING_FLAGS: [&str; 4] = ["published", "publish", "public", "visible"];
    let hides = HIDING_FLAGS
        .iter()
        .any(|key| take(data, &[key]).is_some_and(|value| !data::is_false(&value)));
    let shows = SHOWING_FLAGS.iter().all(|key| !data::take_false(data, key));
    let is_hidden = ["status", "visibility"].iter().any(|key| {
        let said = take_text(data, &[key]);
        matches!(
            &*said.unwrap_or_default().to_lowercase(),
            "draft"
                | "private"
                | "pending"
                | "hidden"
                | "members"
                | "unpublished"
                | "future"
                | "scheduled"
                | "trash"
        )
    });
    if hides || !shows || is_hidden || own.hidden.is_some() {
        entry.set("status", "unpublished");
    }
}

fn set_description(entry: &mut Entry, data: &mut Data, own: &Text) {
    let summary = take_text(data, &["summary", "excerpt"]);
    let description = take_text(data, &["description"]);
    if own.is_page {
        entry.set("meta_description", description.or(summary));
        return;
    }
    if let (Some(_), Some(description)) = (&summary, &description) {
        entry.set("seo", json!({ "description": description }));
    }
    entry.set("summary", summary.or(description));
}

fn labels(entry: &mut Entry, data: &mut Data, own: &Text, source: &Source, found: &mut Found) {
    let mut named = own.tags.clone();
    let mut taxonomies = match take(data, &["taxonomies"]) {
        Some(Value::Object(table)) => table,
        _ => Map::new(),
    };
    if let Some(authors) = take(&mut taxonomies, &["authors", "author"])
        && !entry.fields.contains_key("authors")
    {
        entry.set("authors", source.author_list(authors));
    }
    const TAG_KEYS: [&str; 5] = ["tags", "tag", "categories", "category", "keywords"];
    if !own.is_page {
        series(entry, data, &taxonomies, source);
    }
    let others = source.taxonomies.iter().map(String::as_str);
    let keys = TAG_KEYS.into_iter().chain(others);
    let taken: Vec<_> =
        keys.filter_map(|key| Some((key.to_owned(), take(data, &[key])?))).collect();
    for (key, value) in taxonomies.into_iter().chain(taken) {
        if !TAG_KEYS.contains(&&*key.to_lowercase()) && !own.is_page {
            found.note(format!("the terms of the taxonomy `{key}` became tags"), &*own.path);
        }
        named.extend(texts(value));
    }
    if own.is_page {
        if !named.is_empty() {
            found.note("pages cannot have tags; the tags of this page were left out", &*own.path);
        }
        return;
    }
    let mut seen: Vec<String> = Vec::new();
    named.retain(|tag| {
        let is_new = !seen.contains(&tag.to_lowercase());
        seen.push(tag.to_lowercase());
        is_new
    });
    let tags = tags(named, &own.path, found);
    entry.set("tags", tags);
}

/// Sets the series of an item that has only one. A series that is a taxonomy also remains a tag, so
/// that subscribers of its feed keep a feed.
fn series(entry: &mut Entry, data: &mut Data, taxonomies: &Data, source: &Source) {
    const KEY: &str = "series";
    let part = take_text(data, &["series_order", "series_part", "series_weight"]);
    let named = data::get(data, KEY).or_else(|| data::get(taxonomies, KEY)).cloned();
    let [name] = &*named.map(texts).unwrap_or_default() else {
        return;
    };
    if !source.taxonomies.iter().any(|key| key == KEY) {
        take(data, &[KEY]);
    }
    let part = part.and_then(|part| part.parse::<u32>().ok()).filter(|part| *part > 0);
    entry.set(
        KEY,
        match part {
            Some(part) => json!({ "name": name, "part": part }),
            None => json!(name),
        },
    );
}

fn image(entry: &mut Entry, data: &mut Data, own: &mut TextReferences<'_, '_>, found: &mut Found) {
    let named = IMAGES.iter().find_map(|key| {
        let value = data::get(data, key)?;
        let url = text_within(
            value,
            &["url", "src", "image", "path", "file", "feature", "relative_path", "teaser"],
        )?;
        (url != "true" && url != "false").then(|| ((*key).to_owned(), url, value.clone()))
    });
    let Some((key, url, value)) = named else {
        return;
    };
    take(data, &[&key]);
    let others = value.as_object().into_iter().flat_map(Map::keys).filter(|name| *name != "alt");
    for name in
        others.filter(|name| text_within(&value[name.as_str()], &["url"]).as_ref() != Some(&url))
    {
        found.note(
            format!("`{key}.{name}` was not imported: feedwright has no equivalent"),
            &*own.text.path,
        );
    }
    if own.text.is_page {
        // A page has no image field, so the image is added to its body.
        let reference = own.file(&url).unwrap_or(url);
        let alt = text_within(&value, &["alt"]).filter(|_| value.is_object()).unwrap_or_default();
        if !own.text.body.contains(&*reference) {
            entry.body = crate::found::Body::Markdown(format!("![{alt}]({reference})\n\n"));
        }
        return;
    }
    let reference = own.file(&url).unwrap_or(url);
    let alt = value.as_object().and_then(|table| data::text_at(table, "alt"));
    let alt =
        alt.or_else(|| take_text(data, &["image_alt", "imageAlt", "cover_alt", "thumbnail_alt"]));
    match alt {
        Some(alt) => entry.set("image", json!({ "url": reference, "alt": alt })),
        None => entry.set("image", reference),
    }
}

fn navigation(entry: &mut Entry, data: &mut Data, own: &Text, source: &Source) {
    let mut shown = own
        .address
        .as_deref()
        .and_then(|address| source.navigation.get(&crate::naming::key(address)).cloned());
    let order = |value: Option<&Value>| {
        value.and_then(|value| value.as_i64().or_else(|| text(value)?.parse().ok()))
    };
    let label =
        |table: &Data| data::text_at(table, "title").or_else(|| data::text_at(table, "name"));
    for key in ["menu", "menus"] {
        if let Some(menu) = take(data, &[key]) {
            let table = menu
                .as_object()
                .and_then(|menus| menus.values().next()?.as_object().cloned())
                .unwrap_or_default();
            shown = Some((label(&table), order(table.get("weight")).unwrap_or(0)));
        }
    }
    if let Some(Value::Object(table)) = take(data, &["eleventyNavigation"]) {
        let name = label(&table).or_else(|| data::text_at(&table, "key"));
        shown = Some((name, order(table.get("order")).unwrap_or(0)));
    }
    if own.is_section {
        let weight = order(take(data, &["weight"]).as_ref());
        entry.set("navigation_order", weight.filter(|weight| *weight > 0));
    }
    if let Some((label, order)) = shown {
        entry.set("show_in_navigation", true);
        entry.set(
            "navigation_label",
            label.filter(|label| entry.fields.get("title").and_then(Value::as_str) != Some(label)),
        );
        entry.set("navigation_order", Some(order).filter(|order| *order != 0));
    }
}

/// Removes the former paths from the front matter, and returns them.
pub fn aliases(data: &mut Data, keys: &[&str], folder: &str) -> Vec<String> {
    let named = keys.iter().filter_map(|key| take(data, &[key])).flat_map(list);
    let named: Vec<String> = named.filter_map(|value| text(&value)).collect();
    let whole = |alias: String| match alias.starts_with('/') {
        true => alias,
        false => format!("/{folder}{alias}"),
    };
    // A path without an extension refers to a folder that contains a page.
    let ended = |alias: String| match alias.rsplit('/').next() {
        Some(name) if !name.is_empty() && !name.contains('.') => alias + "/",
        _ => alias,
    };
    named.into_iter().filter(|alias| !alias.contains("://")).map(whole).map(ended).collect()
}
