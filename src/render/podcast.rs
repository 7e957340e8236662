//! Podcasting 2.0 tags as elements of the `podcast:` namespace.

use jiff::Timestamp;

use super::rss_parts::{Numbers, guid};
use super::text::{html_of_text, rfc_822};
use super::xml::{Tag, Xml};
use crate::model::podcast::vocabulary::guid_of_feed;
use crate::model::podcast::{
    AlternateEnclosure, ChannelPodcast, Episode, ItemPodcast, License, LiveItem, Person,
    PodcastImage, RemoteItem, Season, SharedPodcast, SplitTarget, SrcsetEntry, Trailer,
    UpdateFrequency, Value, ValueRecipient, ValueTimeSplit,
};

/// The channel's tags, all but its live items. `feed_url` is the feed's first page.
pub fn channel(xml: &mut Xml<'_>, podcast: &ChannelPodcast, feed_url: &str) {
    match &podcast.guid {
        Some(guid) => xml.text("podcast:guid", guid),
        None => xml.text("podcast:guid", &guid_of_feed(feed_url)),
    }
    if let Some(medium) = podcast.medium {
        xml.text("podcast:medium", medium.as_str());
    }
    if let Some(locked) = &podcast.locked {
        xml.element("podcast:locked")
            .optional("owner", locked.owner.as_deref())
            .text(yes_or_no(locked.locked));
    }
    for block in &podcast.block {
        xml.element("podcast:block")
            .optional("id", block.id.as_deref())
            .text(yes_or_no(block.block));
    }
    people(xml, &podcast.shared.people);
    license(xml, podcast.shared.license.as_ref());
    shared(xml, &podcast.shared);
    for entry in &podcast.trailers {
        trailer(xml, entry);
    }
    if let Some(frequency) = &podcast.update_frequency {
        update_frequency(xml, frequency);
    }
    if let Some(uses) = podcast.podping {
        xml.element("podcast:podping")
            .display("usesPodping", Some(uses))
            .empty();
    }
    if let Some(publisher) = &podcast.publisher {
        xml.element("podcast:publisher")
            .children(|xml| remote_item(xml, &publisher.remote_item));
    }
    if !podcast.podroll.is_empty() {
        xml.element("podcast:podroll").children(|xml| {
            podcast
                .podroll
                .iter()
                .for_each(|item| remote_item(xml, item))
        });
    }
    for item in &podcast.remote_items {
        remote_item(xml, item);
    }
}

/// An item's tags. People and licence are the channel's where the item has none; `chapters_url` is
/// where this site publishes the item's chapters.
pub fn item(
    xml: &mut Xml<'_>,
    podcast: &ItemPodcast,
    channel: Option<&SharedPodcast>,
    numbers: Numbers,
    chapters_url: Option<&str>,
) {
    season_and_episode(xml, podcast, numbers);
    for transcript in &podcast.transcripts {
        xml.element("podcast:transcript")
            .attr("url", &transcript.url)
            .attr("type", &transcript.media_type)
            .optional("language", transcript.language.as_deref())
            .optional("rel", transcript.rel.as_deref())
            .empty();
    }
    let chapters = match (&podcast.chapters_link, chapters_url) {
        (Some(link), _) => Some((link.url.as_str(), link.media_type.as_str())),
        (None, Some(url)) => Some((url, "application/json+chapters")),
        (None, None) => None,
    };
    if let Some((url, media_type)) = chapters {
        xml.element("podcast:chapters")
            .attr("url", url)
            .attr("type", media_type)
            .empty();
    }
    for bite in &podcast.soundbites {
        xml.element("podcast:soundbite")
            .display("startTime", Some(bite.start_time))
            .display("duration", Some(bite.duration))
            .text(bite.title.as_deref().unwrap_or_default());
    }
    let own = &podcast.shared;
    people(
        xml,
        match channel {
            Some(channel) if own.people.is_empty() => &channel.people,
            _ => &own.people,
        },
    );
    let fallback = channel.and_then(|channel| channel.license.as_ref());
    license(xml, own.license.as_ref().or(fallback));
    shared(xml, own);
    for enclosure in &podcast.alternate_enclosures {
        alternate_enclosure(xml, enclosure);
    }
    for link in &podcast.content_links {
        xml.element("podcast:contentLink")
            .attr("href", &link.href)
            .text(&link.text);
    }
}

/// A live item: RSS's own elements, then the tags of an item.
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
        if let Some(enclosure) = &live.enclosure {
            xml.element("enclosure")
                .attr("url", &enclosure.url)
                .display("length", Some(enclosure.length))
                .attr("type", &enclosure.media_type)
                .empty();
        }
        if let Some(image) = &live.image {
            xml.element("itunes:image").attr("href", &image.url).empty();
        }
        if let Some(explicit) = live.explicit {
            xml.element("itunes:explicit")
                .text(if explicit { "true" } else { "false" });
        }
        item(xml, &live.podcast, None, Numbers::default(), None);
    });
}

fn season_and_episode(xml: &mut Xml<'_>, podcast: &ItemPodcast, numbers: Numbers) {
    let season = podcast
        .season
        .clone()
        .or(numbers.season.map(|number| Season {
            number: i64::from(number),
            name: None,
        }));
    if let Some(season) = season {
        xml.element("podcast:season")
            .optional("name", season.name.as_deref())
            .text(&season.number.to_string());
    }
    let episode = podcast
        .episode
        .clone()
        .or(numbers.episode.map(|number| Episode {
            number: f64::from(number),
            display: None,
        }));
    if let Some(episode) = episode {
        xml.element("podcast:episode")
            .optional("display", episode.display.as_deref())
            .text(&episode.number.to_string());
    }
}

fn people(xml: &mut Xml<'_>, people: &[Person]) {
    for person in people {
        xml.element("podcast:person")
            .optional("role", person.role.as_deref())
            .optional("group", person.group.as_deref())
            .optional("img", person.img.as_deref())
            .optional("href", person.href.as_deref())
            .text(&person.name);
    }
}

fn license(xml: &mut Xml<'_>, license: Option<&License>) {
    if let Some(license) = license {
        xml.element("podcast:license")
            .optional("url", license.url.as_deref())
            .text(&license.identifier);
    }
}

/// The tags that channel, item and live item share, except people and licence.
fn shared(xml: &mut Xml<'_>, podcast: &SharedPodcast) {
    for place in &podcast.locations {
        xml.element("podcast:location")
            .optional("rel", place.rel.map(|rel| rel.as_str()))
            .optional("geo", place.geo.as_deref())
            .optional("osm", place.osm.as_deref())
            .optional("country", place.country.as_deref())
            .text(&place.name);
    }
    for funding in &podcast.funding {
        xml.element("podcast:funding")
            .attr("url", &funding.url)
            .text(&funding.text);
    }
    images(xml, &podcast.images);
    if !podcast.srcset.is_empty() {
        srcset(xml, &podcast.srcset);
    }
    for entry in &podcast.value {
        value(xml, entry);
    }
    talk(xml, podcast);
}

pub fn images<'i>(xml: &mut Xml<'_>, images: impl IntoIterator<Item = &'i PodcastImage>) {
    for image in images {
        xml.element("podcast:image")
            .attr("href", &image.href)
            .optional("alt", image.alt.as_deref())
            .optional("purpose", image.purpose.as_deref())
            .optional("aspect-ratio", image.aspect_ratio.as_deref())
            .display("width", image.width)
            .display("height", image.height)
            .optional("type", image.media_type.as_deref())
            .empty();
    }
}

/// Pictures in the deprecated form.
fn srcset(xml: &mut Xml<'_>, srcset: &[SrcsetEntry]) {
    let entries = srcset.iter().map(|entry| match &entry.descriptor {
        Some(descriptor) => format!("{} {descriptor}", entry.url),
        None => entry.url.clone(),
    });
    let entries: Vec<String> = entries.collect();
    xml.element("podcast:images")
        .attr("srcset", &entries.join(", "))
        .empty();
}

/// Comments, chat, and texts for machines.
fn talk(xml: &mut Xml<'_>, podcast: &SharedPodcast) {
    for post in &podcast.social_interact {
        xml.element("podcast:socialInteract")
            .display("priority", post.priority)
            .attr("protocol", &post.protocol)
            .optional("uri", post.uri.as_deref())
            .optional("accountId", post.account_id.as_deref())
            .optional("accountUrl", post.account_url.as_deref())
            .empty();
    }
    if let Some(chat) = &podcast.chat {
        xml.element("podcast:chat")
            .attr("server", &chat.server)
            .attr("protocol", &chat.protocol)
            .optional("accountId", chat.account_id.as_deref())
            .optional("space", chat.space.as_deref())
            .empty();
    }
    for txt in &podcast.txt {
        xml.element("podcast:txt")
            .optional("purpose", txt.purpose.as_deref())
            .text(&txt.text);
    }
}

fn alternate_enclosure(xml: &mut Xml<'_>, enclosure: &AlternateEnclosure) {
    let tag = xml
        .element("podcast:alternateEnclosure")
        .attr("type", &enclosure.media_type)
        .display("length", enclosure.length)
        .display("bitrate", enclosure.bitrate)
        .display("height", enclosure.height)
        .optional("lang", enclosure.lang.as_deref())
        .optional("title", enclosure.title.as_deref())
        .optional("rel", enclosure.rel.as_deref())
        .optional("codecs", enclosure.codecs.as_deref())
        .display("default", enclosure.default);
    tag.children(|xml| {
        for source in &enclosure.sources {
            xml.element("podcast:source")
                .attr("uri", &source.uri)
                .optional("contentType", source.content_type.as_deref())
                .empty();
        }
        if let Some(integrity) = &enclosure.integrity {
            xml.element("podcast:integrity")
                .attr("type", integrity.kind.as_str())
                .attr("value", &integrity.value)
                .empty();
        }
    });
}

fn value(xml: &mut Xml<'_>, value: &Value) {
    let tag = xml
        .element("podcast:value")
        .attr("type", &value.kind)
        .attr("method", &value.method)
        .optional("suggested", value.suggested.as_deref());
    tag.children(|xml| {
        for entry in &value.recipients {
            recipient(xml, entry);
        }
        for split in &value.time_splits {
            time_split(xml, split);
        }
    });
}

fn recipient(xml: &mut Xml<'_>, recipient: &ValueRecipient) {
    xml.element("podcast:valueRecipient")
        .optional("name", recipient.name.as_deref())
        .optional("customKey", recipient.custom_key.as_deref())
        .optional("customValue", recipient.custom_value.as_deref())
        .attr("type", &recipient.kind)
        .attr("address", &recipient.address)
        .display("split", Some(recipient.split))
        .display("fee", recipient.fee)
        .empty();
}

fn time_split(xml: &mut Xml<'_>, split: &ValueTimeSplit) {
    let tag = xml
        .element("podcast:valueTimeSplit")
        .display("startTime", Some(split.start_time))
        .display("duration", Some(split.duration))
        .display("remoteStartTime", split.remote_start_time)
        .display("remotePercentage", split.remote_percentage);
    tag.children(|xml| match &split.target {
        SplitTarget::RemoteItem(item) => remote_item(xml, item),
        SplitTarget::Recipients(list) => list.iter().for_each(|entry| recipient(xml, entry)),
    });
}

fn remote_item(xml: &mut Xml<'_>, item: &RemoteItem) {
    xml.element("podcast:remoteItem")
        .attr("feedGuid", &item.feed_guid)
        .optional("feedUrl", item.feed_url.as_deref())
        .optional("itemGuid", item.item_guid.as_deref())
        .optional("medium", item.medium.map(|medium| medium.as_str()))
        .optional("title", item.title.as_deref())
        .empty();
}

fn trailer(xml: &mut Xml<'_>, trailer: &Trailer) {
    let tag: Tag<'_, '_> = xml
        .element("podcast:trailer")
        .attr("pubdate", &rfc_822(trailer.pubdate))
        .attr("url", &trailer.url)
        .display("length", trailer.length)
        .optional("type", trailer.media_type.as_deref())
        .display("season", trailer.season);
    tag.text(&trailer.title);
}

fn update_frequency(xml: &mut Xml<'_>, frequency: &UpdateFrequency) {
    xml.element("podcast:updateFrequency")
        .display("complete", frequency.complete)
        .optional("dtstart", frequency.dtstart.as_deref())
        .optional("rrule", frequency.rrule.as_deref())
        .text(&frequency.text);
}

fn yes_or_no(flag: bool) -> &'static str {
    if flag { "yes" } else { "no" }
}

/// ISO 8601 in UTC, to the second.
fn iso_8601(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
