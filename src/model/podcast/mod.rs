//! Podcasting 2.0: what the `podcast:` namespace says of a channel and of an item.
//!
//! One struct a tag, in the terms of the [specification's own pages][spec]. What it fixes (statuses,
//! media, limits) is typed or was checked when the front matter was read; what it leaves open is text.
//! Serialized, a value has the shape of the front matter it can be written as, but for `chaptersLink`,
//! which is an address under `chapters` there.
//!
//! [spec]: https://github.com/Podcastindex-org/podcast-namespace/tree/main/docs/tags

pub mod categories;
mod channel_tags;
mod item_tags;
mod links_and_texts;
mod media;
mod people;
mod value;
pub mod vocabulary;

use borsh::{BorshDeserialize, BorshSerialize};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

use super::chapter::Chapter;
pub use channel_tags::{Block, LiveItem, LiveStatus, Locked, Publisher, UpdateFrequency};
pub use item_tags::{ChaptersLink, Episode, Season, Soundbite};
pub use links_and_texts::{Chat, ContentLink, Funding, SocialInteract, Txt};
pub use media::{
    AlternateEnclosure, Enclosure, EnclosureSource, Integrity, IntegrityKind, PodcastImage,
    SrcsetEntry, Trailer, Transcript,
};
pub use people::{License, Location, LocationRel, Person};
pub use value::{RemoteItem, SplitTarget, Value, ValueRecipient, ValueTimeSplit};
pub use vocabulary::Medium;

/// The tags that channel, item and live item have in common.
#[derive(
    BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Hash, Serialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub struct SharedPodcast {
    /// `podcast:person`: who takes part.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub people: Vec<Person>,
    /// `podcast:license`: what others may do with the media.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub license: Option<License>,
    /// `podcast:location`: places it is about, or was made in.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub locations: Vec<Location>,
    /// `podcast:funding`: places to give money.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub funding: Vec<Funding>,
    /// `podcast:value`: how listeners pay, and who receives it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub value: Vec<Value>,
    /// `podcast:image`: pictures in several sizes and for several uses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<PodcastImage>,
    /// `podcast:images`, the deprecated form of the same.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub srcset: Vec<SrcsetEntry>,
    /// `podcast:socialInteract`: where comments are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub social_interact: Vec<SocialInteract>,
    /// `podcast:chat`: where the chat is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chat: Option<Chat>,
    /// `podcast:txt`: free texts for machines.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub txt: Vec<Txt>,
}

/// The channel's tags.
#[derive(Debug, Clone, Default, PartialEq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChannelPodcast {
    /// What items can have too.
    #[serde(flatten)]
    pub shared: SharedPodcast,
    /// `podcast:guid`: the podcast's UUID, where the author gives one; see [`vocabulary::guid_of_feed`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guid: Option<String>,
    /// `podcast:medium`: what the feed holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub medium: Option<Medium>,
    /// `podcast:locked`: whether other hosts may import the feed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locked: Option<Locked>,
    /// `podcast:block`: which platforms may show the feed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub block: Vec<Block>,
    /// `podcast:trailer`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trailers: Vec<Trailer>,
    /// `podcast:updateFrequency`: how often there is something new.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub update_frequency: Option<UpdateFrequency>,
    /// `podcast:podping`: whether changes are announced by Podping.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub podping: Option<bool>,
    /// `podcast:publisher`: the publisher's feed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub publisher: Option<Publisher>,
    /// `podcast:podroll`: podcasts the author recommends.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub podroll: Vec<RemoteItem>,
    /// `podcast:remoteItem`: the feeds and items that a list feed (`musicL`) is made of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remote_items: Vec<RemoteItem>,
    /// `podcast:liveItem`: live streams.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub live_items: Vec<LiveItem>,
}

/// An item's tags, and a live item's.
#[derive(
    BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Hash, Serialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub struct ItemPodcast {
    /// What the channel can have too.
    #[serde(flatten)]
    pub shared: SharedPodcast,
    /// `podcast:transcript`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub transcripts: Vec<Transcript>,
    /// The chapters, in the order they play; they are published as a chapters document of this site.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chapters: Vec<Chapter>,
    /// A chapters document elsewhere, in place of [`chapters`](Self::chapters).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chapters_link: Option<ChaptersLink>,
    /// Whether the author wrote `chapters = []`: the ones embedded in the attachment stay out too.
    #[serde(skip)]
    pub without_chapters: bool,
    /// `podcast:soundbite`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub soundbites: Vec<Soundbite>,
    /// `podcast:season`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub season: Option<Season>,
    /// `podcast:episode`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub episode: Option<Episode>,
    /// `podcast:alternateEnclosure`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alternate_enclosures: Vec<AlternateEnclosure>,
    /// `podcast:contentLink`: the same content elsewhere.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub content_links: Vec<ContentLink>,
}

impl ItemPodcast {
    /// Takes the chapters embedded in the attachment, unless the author has said which there are.
    pub fn adopt_embedded_chapters(&mut self, embedded: Vec<Chapter>) {
        if self.chapters.is_empty() && self.chapters_link.is_none() && !self.without_chapters {
            self.chapters = embedded;
        }
    }
}

/// A time in RFC 3339.
fn time<S: Serializer>(time: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(time)
}

fn optional_time<S: Serializer>(
    time: &Option<Timestamp>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => serializer.collect_str(time),
        None => serializer.serialize_none(),
    }
}
