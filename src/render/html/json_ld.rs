//! JSON-LD in schema.org's terms: WebSite, BlogPosting, PodcastSeries, PodcastEpisode, WebPage,
//! Event.

use serde_json::{Map, Value, json};

use std::collections::HashSet;

use super::head::{Head, Subject, authors};
use crate::model::calendar::{Event, EventSpan, EventTime};
use crate::model::{Attachment, Author, Category};
use crate::render::inputs::{Shared, Upcoming, UpcomingEvent};
use crate::render::text;
use crate::site::{ItemEntry, paths};

/// Writes the script element, if there is anything to write.
pub fn write(shared: &Shared<'_>, head: &Head<'_>, out: &mut String) {
    let graph = match head.subject {
        Subject::Home(events) => home(shared, head, events),
        Subject::Item(entry) => item(shared, head, entry),
        Subject::Page(entry) if !entry.page.is_not_found_page() => json!({
            "@context": "https://schema.org",
            "@type": "WebPage",
            "name": entry.page.title,
            "description": head.description,
            "url": head.canonical,
            "isPartOf": { "@id": site_id(shared) },
        }),
        _ => return,
    };
    let graph = without_empty_texts(graph);
    out.push_str("<script type=\"application/ld+json\">");
    // `</script>` and `<!--` inside a text would end or change the element.
    out.push_str(&graph.to_string().replace('<', "\\u003c"));
    out.push_str("</script>\n");
}

/// An empty text says nothing, and validators ask what it means.
fn without_empty_texts(value: Value) -> Value {
    match value {
        Value::Object(object) => object
            .into_iter()
            .filter(|(_, value)| value != "")
            .map(|(key, value)| (key, without_empty_texts(value)))
            .collect(),
        Value::Array(list) => list.into_iter().map(without_empty_texts).collect(),
        other => other,
    }
}

fn site_id(shared: &Shared<'_>) -> String {
    format!("{}#website", shared.config.url("/"))
}

fn series_id(shared: &Shared<'_>) -> String {
    format!("{}#podcast", shared.config.url("/"))
}

fn is_episode(attachment: &Attachment) -> bool {
    attachment.category == Category::Audio
}

fn home(shared: &Shared<'_>, head: &Head<'_>, upcoming: Option<&Upcoming>) -> Value {
    let config = shared.config;
    let mut site = object(json!({
        "@type": "WebSite",
        "@id": site_id(shared),
        "name": shared.title(),
        "description": head.description,
        "url": config.url("/"),
        "inLanguage": head.language(shared),
    }));
    if let Some(publisher) = &shared.channel.publisher {
        site.insert("publisher".into(), author(publisher));
    }
    let mut graph = vec![Value::Object(site)];
    if shared.is_podcast {
        let mut series = object(json!({
            "@type": "PodcastSeries",
            "@id": series_id(shared),
            "name": shared.title(),
            "description": shared.channel.description_text,
            "url": config.url("/"),
            "webFeed": config.url(&paths::rss(1)),
        }));
        insert_authors(&mut series, &shared.channel.authors);
        if let Some(icon) = &shared.channel.icon {
            series.insert("image".into(), icon.url.clone().into());
        }
        graph.push(Value::Object(series));
    }
    if let Some(upcoming) = upcoming {
        graph.extend(events(shared, upcoming));
    }
    json!({ "@context": "https://schema.org", "@graph": graph })
}

/// The next occurrence of each event and series.
fn events(shared: &Shared<'_>, upcoming: &Upcoming) -> impl Iterator<Item = Value> {
    let mut told = HashSet::new();
    let next = upcoming
        .events
        .iter()
        .filter(move |one| told.insert((&one.calendar.id, &one.occurrence.series.id)));
    next.map(|one| event(shared, one))
}

/// An event of a calendar. Only live shows are marked as online events.
fn event(shared: &Shared<'_>, upcoming: &UpcomingEvent) -> Value {
    let UpcomingEvent {
        calendar,
        occurrence,
        ..
    } = upcoming;
    let event = &occurrence.event;
    let name = event.summary.as_deref().unwrap_or(&calendar.summary);
    let mut value = object(json!({
        "@type": "Event",
        "name": name,
        "description": text::excerpt(&event.content.body().text, 300),
        "startDate": text::iso_8601(&occurrence.span.start),
        "endDate": text::iso_8601(&last(&occurrence.span)),
        "eventStatus": "https://schema.org/EventScheduled",
        "organizer": organizer(shared, event),
    }));
    let place = event
        .location
        .as_ref()
        .map(|location| json!({ "@type": "Place", "name": location, "address": location }));
    let online = event.live.as_ref().map(|live| {
        let link = live
            .podcast
            .content_links
            .first()
            .map(|link| link.href.as_str());
        let url = live.link.as_deref().or(link).map(str::to_owned);
        json!({ "@type": "VirtualLocation", "url": url.unwrap_or_else(|| shared.config.url("/")) })
    });
    let mode = match (&place, &online) {
        (Some(_), Some(_)) => Some("MixedEventAttendanceMode"),
        (None, Some(_)) => Some("OnlineEventAttendanceMode"),
        (Some(_), None) => Some("OfflineEventAttendanceMode"),
        (None, None) => None,
    };
    if let Some(mode) = mode {
        let mode = format!("https://schema.org/{mode}");
        value.insert("eventAttendanceMode".into(), mode.into());
        value.insert("location".into(), place.into_iter().chain(online).collect());
    }
    let image = event.live.as_ref().and_then(|live| live.image.as_ref());
    if let Some(image) = image.or(shared.channel.icon.as_ref()) {
        value.insert("image".into(), image.url.clone().into());
    }
    if let Some(url) = event.url() {
        value.insert("url".into(), url.into());
    }
    Value::Object(value)
}

/// When an event ends in schema.org's terms: the last day itself, not the day after.
fn last(span: &EventSpan) -> EventTime {
    match span.closed() {
        EventTime::Day(after) => EventTime::Day(after.yesterday().unwrap_or(after)),
        moment => moment,
    }
}

/// Who organizes an event: the organizer it names, or else the site.
fn organizer(shared: &Shared<'_>, event: &Event) -> Value {
    let named = event
        .organizer
        .as_ref()
        .and_then(|person| person.display_name.as_ref());
    let channel = shared.channel;
    match (
        named,
        channel.publisher.as_ref().or(channel.authors.first()),
    ) {
        (Some(name), _) => json!({ "@type": "Person", "name": name }),
        (None, Some(owner)) => author(owner),
        (None, None) => json!({
            "@type": "Organization",
            "name": shared.title(),
            "url": shared.config.url("/"),
        }),
    }
}

fn item(shared: &Shared<'_>, head: &Head<'_>, entry: &ItemEntry) -> Value {
    let item = &entry.item;
    let episode = item
        .attachment
        .as_ref()
        .filter(|attachment| is_episode(attachment));
    let mut value = object(json!({
        "@context": "https://schema.org",
        "@type": if episode.is_some() { "PodcastEpisode" } else { "BlogPosting" },
        "url": shared.config.url(&paths::item(&entry.segment)),
        "description": head.description,
        "inLanguage": head.language(shared),
    }));
    let title_key = if episode.is_some() {
        "name"
    } else {
        "headline"
    };
    value.insert(title_key.into(), head.title.clone().into());
    for (key, date) in [
        ("datePublished", item.date_published),
        ("dateModified", item.date_modified),
    ] {
        if let Some(date) = date {
            value.insert(key.into(), text::rfc3339(date).into());
        }
    }
    insert_authors(&mut value, authors(shared, entry));
    if let Some(image) = head.image {
        value.insert("image".into(), image.url.clone().into());
    }
    if !item.tags.is_empty() {
        value.insert("keywords".into(), item.tags.join(", ").into());
    }
    if let Some(attachment) = episode {
        value.insert("partOfSeries".into(), json!({ "@type": "PodcastSeries", "@id": series_id(shared), "name": shared.title(), "url": shared.config.url("/") }));
        value.insert("associatedMedia".into(), media(attachment, "AudioObject"));
        if let Some(seconds) = attachment.duration_in_seconds {
            value.insert("duration".into(), iso_duration(seconds).into());
        }
        if let Some(number) = item.itunes.episode {
            value.insert("episodeNumber".into(), number.into());
        }
    } else {
        value.insert(
            "mainEntityOfPage".into(),
            shared.config.url(&paths::item(&entry.segment)).into(),
        );
        if let Some(attachment) = item
            .attachment
            .as_ref()
            .filter(|attachment| attachment.category == Category::Video)
        {
            value.insert("video".into(), video(attachment, head, entry));
        }
    }
    Value::Object(value)
}

fn media(attachment: &Attachment, kind: &str) -> Value {
    let mut media = object(
        json!({ "@type": kind, "contentUrl": attachment.url, "encodingFormat": attachment.mime_type }),
    );
    if let Some(bytes) = attachment.size_in_bytes {
        media.insert("contentSize".into(), bytes.to_string().into());
    }
    if let Some(seconds) = attachment.duration_in_seconds {
        media.insert("duration".into(), iso_duration(seconds).into());
    }
    Value::Object(media)
}

fn video(attachment: &Attachment, head: &Head<'_>, entry: &ItemEntry) -> Value {
    let mut video = media(attachment, "VideoObject");
    video["name"] = head.title.clone().into();
    video["description"] = head.description.clone().into();
    if let Some(image) = head.image {
        video["thumbnailUrl"] = image.url.clone().into();
    }
    if let Some(date) = entry.item.date_published {
        video["uploadDate"] = text::rfc3339(date).into();
    }
    video
}

/// ISO 8601: `PT21M2S`.
#[allow(clippy::cast_possible_truncation)]
fn iso_duration(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as i64;
    match (whole / 60, whole % 60) {
        (0, seconds) => format!("PT{seconds}S"),
        (minutes, seconds) => format!("PT{minutes}M{seconds}S"),
    }
}

fn insert_authors(object: &mut Map<String, Value>, authors: &[Author]) {
    if !authors.is_empty() {
        object.insert("author".into(), authors.iter().map(author).collect());
    }
}

fn author(author: &Author) -> Value {
    let mut value = json!({ "@type": author.kind.as_str(), "name": author.name });
    if let Some(url) = &author.url {
        value["url"] = url.clone().into();
    }
    value
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}
