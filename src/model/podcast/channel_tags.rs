//! Podcast tags that only a channel has: rules for platforms, update frequency, live streams.

use jiff::Timestamp;

use super::vocabulary::SERVICES;
use super::{Enclosure, ItemPodcast, RemoteItem};
use crate::declare::{keys, records};
use crate::named::words;
use crate::shape::Form;
use crate::{Author, Image};

records! {
    /// `podcast:locked`: whether other hosts may import the feed.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    Locked = "podcast:locked" {
        /// Whether other hosts must not import the feed.
        Filled locked: bool = "locked", YesOrNo, content => true;
        /// E-mail address that proves ownership.
        Optional owner: Option<String> = "owner", Form(&EMAIL), alone;
    }

    /// `podcast:block`: whether one platform, or every platform, must omit the feed.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    Block = "podcast:block" {
        /// Platform, one of [`SERVICES`](super::vocabulary::SERVICES); every platform when left
        /// out.
        Optional id: Option<String> = "id", Known(128, "the list of services", || SERVICES.to_vec()), alone;
        /// Whether the platform must omit the feed.
        Filled block: bool = "block", YesOrNo, content => true;
    }

    /// `podcast:updateFrequency`: how often the feed is updated.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    UpdateFrequency = "podcast:updateFrequency" {
        /// Update frequency in words, for people; at most 128 characters, may be empty.
        Optional text: String = "text", Text(128), content, alone;
        /// Whether the feed is complete, with nothing more to come.
        Optional complete: Option<bool> = "complete", Flag;
        /// Start of the rule: an ISO 8601 date, or date and time.
        Optional dtstart: Option<String> = "dtstart", Own("date and time", &[UpTo(64)]), example("\"2026-01-01T00:00:00Z\"");
        /// Recurrence rule (RFC 5545, section 3.3.10).
        Optional rrule: Option<String> = "rrule", Own("rule (RFC 5545)", &[UpTo(1024)]), example("\"FREQ=WEEKLY\"");
    }

    /// `podcast:publisher`: the publisher's feed, whose medium is `publisher`.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    Publisher = "podcast:publisher" also PUBLISHER {
        /// Feed of the publisher.
        Required remote_item: RemoteItem = "remoteItem", Flat(RemoteItem::SHAPE);
    }

    /// `podcast:liveItem`: a live stream, described like an item.
    #[derive(Debug, Clone, PartialEq)]
    LiveItem = "podcast:liveItem" {
        /// State of the stream. Apps use the state instead of the times.
        Required status: LiveStatus = "status", Word(LiveStatus::NAMES);
        /// Scheduled start.
        Required start: Timestamp = "start", Time;
        /// Scheduled end.
        Optional end: Option<Timestamp> = "end", Time;
        /// Title.
        Required title: String = "title", Text(4096);
        /// Id. Apps treat another id as another stream.
        Required guid: String = "guid", Text(4096);
        /// Description as plain text.
        Optional description: Option<String> = "description", Text(10_000);
        /// Page of the stream.
        Optional link: Option<String> = "link", Address;
        /// Cover.
        Optional image: Option<Image> = "image", Hidden;
        /// Authors.
        Optional authors: Vec<Author> = "authors" or "author", Hidden;
        /// Whether the stream has explicit content.
        Optional explicit: Option<bool> = "explicit", Flag;
        /// Address of the stream.
        Optional enclosure: Option<Enclosure> = "enclosure" or "attachment", Records, listed;
        /// Tags that items can have too.
        Required podcast: ItemPodcast = "", Flat(ItemPodcast::SHAPE);
    }
}

keys! {
    /// Keys of `publisher` in addition to the fields of a remote item.
    PUBLISHER {
        /// Feed of the publisher.
        Instead "remoteItem", Own("remote item", &[Keys(RemoteItem::SHAPE), Plain]);
    }
}

/// Form of an e-mail address.
const EMAIL: Form = Form {
    max: 320,
    name: "an e-mail address",
    help: "write it like name@example.com",
    example: "name@example.com",
    is_valid: is_email,
    pattern: None,
};

fn is_email(text: &str) -> bool {
    let parts = text.split_once('@');
    let is_address = parts
        .is_some_and(|(name, host)| !name.is_empty() && !host.is_empty() && !host.contains('@'));
    is_address && !text.contains(char::is_whitespace)
}

words! {
    /// The state of a live stream.
    LiveStatus {
        /// The stream has not started.
        Pending = "pending",
        /// The stream is live.
        Live = "live",
        /// The stream is over.
        Ended = "ended",
    }
}
