//! An item as templates read it: the feed's fields, and dates and sizes written for people.

use serde_json::{Map, Value, json};

use super::{EXTENSION, NAMESPACE, fill_authors};
use crate::model::podcast::ItemPodcast;
use crate::model::{Attachment, Category, Image, url};
use crate::render::inputs::{Shared, ShownItem};
use crate::render::text;
use crate::render::view;
use crate::site::{ItemEntry, paths};

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

/// An item in a list: an untitled one is named by its first words, or by its day.
pub(super) fn listed(shared: &Shared<'_>, shown: &ShownItem<'_>, texts: bool) -> Value {
    let entry = shown.entry;
    let mut value = item(shared, shown, texts);
    if entry.item.title.is_empty() {
        let words = text::excerpt(&entry.item.content.beginning, 60);
        let day = &value[EXTENSION]["date_published_short"];
        value["title"] = if !words.is_empty() {
            words.into()
        } else if day.is_string() {
            day.clone()
        } else {
            entry.segment.clone().into()
        };
    }
    value
}

/// An item as templates read it; its plain text only where some template asks for it.
pub fn item(shared: &Shared<'_>, shown: &ShownItem<'_>, texts: bool) -> Value {
    let entry = shown.entry;
    let mut view = view::item(shared.config, entry, NAMESPACE);
    if !texts {
        view.leave_text_out();
    }
    let mut value = view::value(&view);
    let Value::Object(object) = &mut value else {
        return value;
    };
    view::fill(object, &ITEM);
    let tags = tags(shared, shown);
    fill_authors(object);
    if let Some(Value::Object(extension)) = object.get_mut(EXTENSION) {
        extend(shared, entry, extension);
        extension.insert("tags".into(), tags);
        fill_authors(extension);
        view::fill(extension, &ITEM_EXTENSION);
    }
    value
}

fn tags(shared: &Shared<'_>, shown: &ShownItem<'_>) -> Value {
    let config = shared.config;
    let names = shown.entry.item.tags.iter();
    let tags = names.zip(&shown.tags).map(|(name, slug)| {
        json!({ "name": name, "url": slug.map(|slug| config.url(&paths::tag(slug.as_str(), 1))) })
    });
    tags.collect()
}

/// Adds what themes need beside the view: texts for people, pictures with their sizes.
fn extend(shared: &Shared<'_>, entry: &ItemEntry, extension: &mut Map<String, Value>) {
    let (config, item) = (shared.config, &entry.item);
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
    extension.insert("podcast".into(), podcast(shared, entry));
}

/// The summary, or the text's first words.
fn excerpt(entry: &ItemEntry) -> String {
    match &entry.item.summary {
        Some(summary) => text::excerpt(summary, 280),
        None => text::excerpt(&entry.item.content.beginning, 280),
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
fn podcast(shared: &Shared<'_>, entry: &ItemEntry) -> Value {
    let own: &ItemPodcast = &entry.item.podcast;
    let mut value = view::value(own);
    let Value::Object(object) = &mut value else {
        return value;
    };
    let is_episode =
        |attachment: &Attachment| matches!(attachment.category, Category::Audio | Category::Video);
    if entry.item.attachment.as_ref().is_some_and(is_episode) {
        let channel = &shared.channel.podcast.shared;
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
