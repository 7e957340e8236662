//! The fields of Podcasting 2.0 tags and of categories, by the names they have in feeds.

use mustache::Data;

use super::feed_shape::{AsData, FeedShape, Shaped, feed_shapes};
use crate::model::TopicCategory;
use crate::model::chapter::{self, Chapter, ChapterLocation};
use crate::model::podcast::{
    AlternateEnclosure, Block, ChannelPodcast, ChaptersLink, Chat, ContentLink, Enclosure,
    EnclosureSource, Episode, Funding, Integrity, ItemPodcast, License, LiveItem, Location, Locked,
    Person, PodcastImage, Publisher, RemoteItem, Season, SharedPodcast, SocialInteract, Soundbite,
    SplitTarget, SrcsetEntry, Trailer, Transcript, Txt, UpdateFrequency, Value, ValueRecipient,
    ValueTimeSplit,
};

feed_shapes! {
    TopicCategory { "name" => name, optional: "categories" => categories, }
    SharedPodcast {
        optional:
        "people" => people,
        "license" => license,
        "locations" => locations,
        "funding" => funding,
        "value" => value,
        "images" => images,
        "srcset" => srcset,
        "socialInteract" => social_interact,
        "chat" => chat,
        "txt" => txt,
    }
    ChannelPodcast {
        optional:
        "guid" => guid,
        "medium" => medium,
        "locked" => locked,
        "block" => block,
        "trailers" => trailers,
        "updateFrequency" => update_frequency,
        "podping" => podping,
        "publisher" => publisher,
        "podroll" => podroll,
        "remoteItems" => remote_items,
        "liveItems" => live_items,
        flatten: shared: SharedPodcast,
    }
    ItemPodcast {
        optional:
        "transcripts" => transcripts,
        "chapters" => chapters,
        "chaptersLink" => chapters_link,
        "soundbites" => soundbites,
        "season" => season,
        "episode" => episode,
        "alternateEnclosures" => alternate_enclosures,
        "contentLinks" => content_links,
        flatten: shared: SharedPodcast,
        skip: without_chapters,
    }
    LiveItem {
        "status" => status,
        "start" => start,
        "title" => title,
        "guid" => guid,
        optional:
        "end" => end,
        "description" => description,
        "link" => link,
        "explicit" => explicit,
        "enclosure" => enclosure,
        flatten: podcast: ItemPodcast,
        skip: image, authors,
    }

    Locked { "locked" => locked, optional: "owner" => owner, }
    Block { "block" => block, optional: "id" => id, }
    Trailer {
        "title" => title,
        "url" => url,
        "pubdate" => pubdate,
        optional:
        "length" => length,
        "type" => media_type,
        "season" => season,
    }
    UpdateFrequency {
        optional:
        "text" => text,
        "complete" => complete,
        "dtstart" => dtstart,
        "rrule" => rrule,
    }

    Person {
        "name" => name,
        optional:
        "role" => role,
        "group" => group,
        "img" => img,
        "href" => href,
    }
    License { "identifier" => identifier, optional: "url" => url, }
    Location {
        "name" => name,
        optional:
        "rel" => rel,
        "geo" => geo,
        "osm" => osm,
        "country" => country,
    }

    Funding { "url" => url, optional: "text" => text, }
    ContentLink { "href" => href, optional: "text" => text, }
    SocialInteract {
        "protocol" => protocol,
        optional:
        "uri" => uri,
        "accountId" => account_id,
        "accountUrl" => account_url,
        "priority" => priority,
    }
    Chat {
        "server" => server,
        "protocol" => protocol,
        optional:
        "accountId" => account_id,
        "space" => space,
    }
    Txt { "text" => text, optional: "purpose" => purpose, }

    Value {
        "type" => kind,
        "method" => method,
        "recipients" => recipients,
        optional:
        "suggested" => suggested,
        "timeSplits" => time_splits,
    }
    ValueRecipient {
        "type" => kind,
        "address" => address,
        "split" => split,
        optional:
        "name" => name,
        "customKey" => custom_key,
        "customValue" => custom_value,
        "fee" => fee,
    }
    ValueTimeSplit {
        "startTime" => start_time,
        "duration" => duration,
        optional:
        "remoteStartTime" => remote_start_time,
        "remotePercentage" => remote_percentage,
        flatten: target: SplitTarget,
    }
    RemoteItem {
        "feedGuid" => feed_guid,
        optional:
        "feedUrl" => feed_url,
        "itemGuid" => item_guid,
        "medium" => medium,
        "title" => title,
    }

    Transcript {
        "url" => url,
        "type" => media_type,
        optional:
        "language" => language,
        "rel" => rel,
    }
    Enclosure { "url" => url, "type" => media_type, "length" => length, }
    AlternateEnclosure {
        "type" => media_type,
        "sources" => sources,
        optional:
        "length" => length,
        "bitrate" => bitrate,
        "height" => height,
        "lang" => lang,
        "title" => title,
        "rel" => rel,
        "codecs" => codecs,
        "default" => default,
        "integrity" => integrity,
    }
    EnclosureSource { "uri" => uri, optional: "contentType" => content_type, }
    Integrity { "type" => kind, "value" => value, }
    PodcastImage {
        "href" => href,
        optional:
        "alt" => alt,
        "purpose" => purpose,
        "aspect-ratio" => aspect_ratio,
        "width" => width,
        "height" => height,
        "type" => media_type,
    }
    SrcsetEntry { "url" => url, optional: "descriptor" => descriptor, }

    Chapter {
        "startTime" => start_time as seconds,
        optional:
        "title" => title,
        "img" => img,
        "url" => url,
        "toc" => toc,
        "endTime" => end_time as seconds,
        "location" => location,
    }
    ChapterLocation { "name" => name, "geo" => geo, optional: "osm" => osm, }
    ChaptersLink { "url" => url, "type" => media_type, }
    Soundbite { "startTime" => start_time, "duration" => duration, optional: "title" => title, }
    Season { "number" => number, optional: "name" => name, }
    Episode { "number" => number, optional: "display" => display, }
}

impl AsData for Publisher {
    fn as_data(&self) -> Data<'_> {
        self.remote_item.as_data()
    }
}

impl FeedShape for SplitTarget {
    fn names() -> Vec<&'static str> {
        vec!["remoteItem", "recipients"]
    }

    fn field(&self, name: &str) -> Option<Data<'_>> {
        match (name, self) {
            ("remoteItem", Self::RemoteItem(item)) => Some(item.as_data()),
            ("recipients", Self::Recipients(all)) => Some(all.as_data()),
            _ => None,
        }
    }
}

/// Seconds as chapters documents have them.
pub fn seconds<'a>(seconds: &(impl Copy + Into<Option<f64>>)) -> Data<'a> {
    let seconds: Option<f64> = (*seconds).into();
    seconds.and_then(chapter::seconds_as_json).into()
}

#[cfg(test)]
mod tests;
