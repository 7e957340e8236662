//! What only a channel has: rules for platforms, its rhythm, live streams.

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
        /// Whether they may not.
        Filled locked: bool = "locked", YesOrNo, content => true;
        /// The e-mail address that proves ownership.
        Optional owner: Option<String> = "owner", Form(&EMAIL), alone;
    }

    /// `podcast:block`: whether a platform, or every platform, is to leave the feed out.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    Block = "podcast:block" {
        /// The platform, of [`SERVICES`](super::vocabulary::SERVICES); every platform where it is missing.
        Optional id: Option<String> = "id", Known(128, "the list of services", || SERVICES.to_vec()), alone;
        /// Whether it is to leave the feed out.
        Filled block: bool = "block", YesOrNo, content => true;
    }

    /// `podcast:updateFrequency`: how often there is something new.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    UpdateFrequency = "podcast:updateFrequency" {
        /// For people, at most 128 characters; may be empty.
        Optional text: String = "text", Text(128), content, alone;
        /// Whether nothing more will come.
        Optional complete: Option<bool> = "complete", Flag;
        /// The ISO 8601 date, or date and time, the rule starts at.
        Optional dtstart: Option<String> = "dtstart", Own("date and time", &[UpTo(64)]), example("\"2026-01-01T00:00:00Z\"");
        /// A recurrence rule (RFC 5545 section 3.3.10).
        Optional rrule: Option<String> = "rrule", Own("rule (RFC 5545)", &[UpTo(1024)]), example("\"FREQ=WEEKLY\"");
    }

    /// `podcast:publisher`: the publisher's feed, whose medium is `publisher`.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    Publisher = "podcast:publisher" also PUBLISHER {
        /// That feed.
        Required remote_item: RemoteItem = "remoteItem", Flat(RemoteItem::SHAPE);
    }

    /// `podcast:liveItem`: a live stream. It is described like an item.
    #[derive(Debug, Clone, PartialEq)]
    LiveItem = "podcast:liveItem" {
        /// Its state; apps go by this, not by the times.
        Required status: LiveStatus = "status", Word(LiveStatus::NAMES);
        /// When it is to start.
        Required start: Timestamp = "start", Time;
        /// When it is to end.
        Optional end: Option<Timestamp> = "end", Time;
        /// Its title.
        Required title: String = "title", Text(4096);
        /// Its id; apps take another one for another stream.
        Required guid: String = "guid", Text(4096);
        /// What it is about, as plain text.
        Optional description: Option<String> = "description", Text(10_000);
        /// Its page.
        Optional link: Option<String> = "link", Address;
        /// Its cover.
        Optional image: Option<Image> = "image", Hidden;
        /// Who makes it.
        Optional authors: Vec<Author> = "authors" or "author", Hidden;
        /// Whether it is explicit.
        Optional explicit: Option<bool> = "explicit", Flag;
        /// The stream.
        Optional enclosure: Option<Enclosure> = "enclosure" or "attachment", Records, listed;
        /// The tags that an item has too.
        Required podcast: ItemPodcast = "", Flat(ItemPodcast::SHAPE);
    }
}

keys! {
    /// What `publisher` can have beside the fields of a remote item.
    PUBLISHER {
        /// The publisher's feed.
        Instead "remoteItem", Own("remote item", &[Keys(RemoteItem::SHAPE), Plain]);
    }
}

/// An e-mail address.
const EMAIL: Form = Form {
    most: 320,
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
        /// It has not started.
        Pending = "pending",
        /// It is on.
        Live = "live",
        /// It is over.
        Ended = "ended",
    }
}
