//! Podcasting 2.0 tags as elements of the `podcast:` namespace.

use std::borrow::Cow;

use jiff::Timestamp;

use super::xml::Xml;
use crate::text::{html_of_text, rfc_822};
use crate::view::numbers::Numbers;
use model::podcast::vocabulary::guid_of_feed;
use model::podcast::{
    ChannelPodcast, Episode, ItemPodcast, LiveItem, Season, SharedPodcast, SrcsetEntry,
};
use model::record::{FieldValue, Record};
use model::shape::Kind;

/// Writes the channel's tags except live items. `feed_url` is the address of the feed's first page.
pub fn channel(xml: &mut Xml<'_>, podcast: &ChannelPodcast, feed_url: &str) {
    match &podcast.guid {
        Some(guid) => xml.text("podcast:guid", guid),
        None => xml.text("podcast:guid", &guid_of_feed(feed_url)),
    }
    if let Some(medium) = podcast.medium {
        xml.text("podcast:medium", medium.as_str());
    }
    write_records(xml, &podcast.locked);
    write_records(xml, &podcast.block);
    write_records(xml, &podcast.shared.people);
    write_records(xml, &podcast.shared.license);
    shared(xml, &podcast.shared);
    write_records(xml, &podcast.trailers);
    write_records(xml, &podcast.update_frequency);
    if let Some(uses) = podcast.podping {
        xml.element("podcast:podping").display("usesPodping", Some(uses)).empty();
    }
    if let Some(publisher) = &podcast.publisher {
        xml.element("podcast:publisher").children(|xml| element(xml, &publisher.remote_item));
    }
    if !podcast.podroll.is_empty() {
        xml.element("podcast:podroll").children(|xml| write_records(xml, &podcast.podroll));
    }
    write_records(xml, &podcast.remote_items);
}

/// Writes an item's tags. An item without people or a licence gets the channel's. `chapters_url` is
/// the address where this site publishes the item's chapters.
pub fn item(
    xml: &mut Xml<'_>,
    podcast: &ItemPodcast,
    channel: Option<&SharedPodcast>,
    numbers: Numbers,
    chapters_url: Option<&str>,
) {
    season_and_episode(xml, podcast, numbers);
    write_records(xml, &podcast.transcripts);
    let chapters = match (&podcast.chapters_link, chapters_url) {
        (Some(link), _) => Some((link.url.as_str(), link.media_type.as_str())),
        (None, Some(url)) => Some((url, "application/json+chapters")),
        (None, None) => None,
    };
    if let Some((url, media_type)) = chapters {
        xml.element("podcast:chapters").attr("url", url).attr("type", media_type).empty();
    }
    write_records(xml, &podcast.soundbites);
    let own = &podcast.shared;
    match channel {
        Some(channel) if own.people.is_empty() => write_records(xml, &channel.people),
        _ => write_records(xml, &own.people),
    }
    let fallback = channel.and_then(|channel| channel.license.as_ref());
    write_records(xml, own.license.as_ref().or(fallback));
    shared(xml, own);
    write_records(xml, &podcast.alternate_enclosures);
    write_records(xml, &podcast.content_links);
}

/// Writes a live item: standard RSS elements, followed by the tags of an item.
pub fn live_item(xml: &mut Xml<'_>, live: &LiveItem) {
    let tag = xml
        .element("podcast:liveItem")
        .attr("status", live.status.as_str())
        .attr("start", &iso_8601(live.start))
        .display("end", live.end.map(iso_8601));
    tag.children(|xml| {
        xml.text("title", &live.title);
        if let Some(description) = &live.description {
            xml.text("description", &html_of_text(description));
        }
        xml.optional("link", live.link.as_deref());
        guid(xml, &live.guid, live.link.as_deref().unwrap_or_default());
        for author in &live.authors {
            xml.text("dc:creator", &author.name);
        }
        write_records(xml, &live.enclosure);
        if let Some(image) = &live.image {
            xml.element("itunes:image").attr("href", &image.url).empty();
        }
        if let Some(explicit) = live.explicit {
            xml.element("itunes:explicit").text(if explicit { "true" } else { "false" });
        }
        item(xml, &live.podcast, None, Numbers::default(), None);
    });
}

fn season_and_episode(xml: &mut Xml<'_>, podcast: &ItemPodcast, numbers: Numbers) {
    let season = numbers.season.map(|number| Season { number: i64::from(number), name: None });
    write_records(xml, podcast.season.as_ref().or(season.as_ref()));
    let episode =
        numbers.episode.map(|number| Episode { number: f64::from(number), display: None });
    write_records(xml, podcast.episode.as_ref().or(episode.as_ref()));
}

/// Writes each record as an element.
pub fn write_records<'r, T: Record + 'r>(
    xml: &mut Xml<'_>,
    records: impl IntoIterator<Item = &'r T>,
) {
    records.into_iter().for_each(|record| element(xml, record));
}

/// Writes a record as an element. Fields become attributes, the content field becomes the text, and
/// nested records become child elements.
fn element(xml: &mut Xml<'_>, record: &dyn Record) {
    let shape = record.shape();
    let (mut attributes, mut content, mut inner) = (Vec::new(), None, Vec::new());
    record.each(&mut |field, value| match value {
        FieldValue::One(record) => inner.push(record),
        FieldValue::Many(write_records) => {
            inner.extend((0..write_records.count()).map(|at| write_records.record(at)))
        }
        _ if field.is_content => content = Some(text(field.kind, value)),
        _ => attributes.push((field.key, text(field.kind, value))),
    });
    attributes.sort_by_key(|(key, _)| {
        let first = shape.first.iter().position(|first| first == key);
        first.unwrap_or(usize::MAX)
    });
    let tag = xml.element(shape.tag);
    let tag = attributes.iter().fold(tag, |tag, (key, text)| tag.attr(key, text));
    match content {
        Some(content) => tag.text(&content),
        None if inner.is_empty() => tag.empty(),
        None => tag.children(|xml| inner.into_iter().for_each(|record| element(xml, record))),
    }
}

/// Formats a value for RSS.
fn text(kind: Kind, value: FieldValue<'_>) -> Cow<'_, str> {
    match (kind, value) {
        (_, FieldValue::Text(text)) => text.into(),
        (Kind::YesOrNo, FieldValue::Flag(flag)) => if flag { "yes" } else { "no" }.into(),
        (_, FieldValue::Flag(flag)) => flag.to_string().into(),
        (_, FieldValue::Time(time)) => rfc_822(time).into(),
        (_, FieldValue::Number(number) | FieldValue::Seconds(number)) => number.to_string().into(),
        (_, FieldValue::Count(count)) => count.to_string().into(),
        (_, FieldValue::Integer(number)) => number.to_string().into(),
        (
            _,
            FieldValue::Nothing | FieldValue::Hidden(_) | FieldValue::One(_) | FieldValue::Many(_),
        ) => "".into(),
    }
}

/// Writes the tags that channels, items and live items share, except people and licence.
fn shared(xml: &mut Xml<'_>, podcast: &SharedPodcast) {
    write_records(xml, &podcast.locations);
    write_records(xml, &podcast.funding);
    write_records(xml, &podcast.images);
    if !podcast.srcset.is_empty() {
        srcset(xml, &podcast.srcset);
    }
    write_records(xml, &podcast.value);
    write_records(xml, &podcast.social_interact);
    write_records(xml, &podcast.chat);
    write_records(xml, &podcast.txt);
}

/// Writes pictures in the deprecated `podcast:images` form.
fn srcset(xml: &mut Xml<'_>, srcset: &[SrcsetEntry]) {
    let entries = srcset.iter().map(|entry| match &entry.descriptor {
        Some(descriptor) => format!("{} {descriptor}", entry.url),
        None => entry.url.clone(),
    });
    let entries: Vec<String> = entries.collect();
    xml.element("podcast:images").attr("srcset", &entries.join(", ")).empty();
}

/// Formats a time as ISO 8601 in UTC, to the second.
fn iso_8601(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

/// Writes a `guid`. It is marked as a permalink if it equals the page's address.
pub(super) fn guid(xml: &mut Xml<'_>, guid: &str, web_url: &str) {
    xml.element("guid").attr("isPermaLink", bool_text(guid == web_url)).text(guid);
}

pub(super) fn bool_text(flag: bool) -> &'static str {
    if flag { "true" } else { "false" }
}
