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

use super::chapter::Chapter;
use super::declare::{field_types, keys, records};
use super::record::Lent;
pub use channel_tags::{Block, LiveItem, LiveStatus, Locked, Publisher, UpdateFrequency};
pub use item_tags::{ChaptersLink, Episode, Season, Soundbite};
pub use links_and_texts::{Chat, ContentLink, Funding, SocialInteract, Txt};
pub use media::{
    AlternateEnclosure, Enclosure, EnclosureSource, Integrity, IntegrityKind, PodcastImage,
    SrcsetEntry, Trailer, Transcript,
};
pub use people::{License, Location, LocationRel, Person};
pub use value::{RemoteItem, Value, ValueRecipient, ValueTimeSplit};
pub use vocabulary::Medium;

records! {
    /// The tags that channel, item and live item have in common.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq)]
    SharedPodcast {
        /// `podcast:person`: who takes part.
        Optional people: Vec<Person> = "people" or "persons" or "person", Records;
        /// `podcast:license`: what others may do with the media.
        Optional license: Option<License> = "license" or "licence", Records, listed;
        /// `podcast:location`: places it is about, or was made in.
        Optional locations: Vec<Location> = "locations" or "location", Records;
        /// `podcast:funding`: places to give money.
        Optional funding: Vec<Funding> = "funding", Records;
        /// `podcast:value`: how listeners pay, and who receives it.
        Optional value: Vec<Value> = "value" or "values", Records;
        /// `podcast:image`: pictures in several sizes and for several uses.
        Optional images: Vec<PodcastImage> = "images" or "image", Records;
        /// `podcast:images`, the deprecated form of the same.
        Optional srcset: Vec<SrcsetEntry> = "srcset", Records, besides(&[Plain]);
        /// `podcast:socialInteract`: where comments are.
        Optional social_interact: Vec<SocialInteract> = "socialInteract" or "socialInteracts", Records, besides(&[YesNo, Written::Word(&["disabled"])]);
        /// `podcast:chat`: where the chat is.
        Optional chat: Option<Chat> = "chat", Records;
        /// `podcast:txt`: free texts for machines.
        Optional txt: Vec<Txt> = "txt", Records;
    }

    /// The channel's tags.
    #[derive(Debug, Clone, Default, PartialEq)]
    ChannelPodcast {
        /// What items can have too.
        Required shared: SharedPodcast = "", Flat(SharedPodcast::SHAPE);
        /// `podcast:guid`: the podcast's UUID, where the author gives one; see [`vocabulary::guid_of_feed`].
        Optional guid: Option<String> = "guid", Text(256), example("\"29cdca4a-32d8-56ba-b48b-09a011c5daa9\"");
        /// `podcast:medium`: what the feed holds.
        Optional medium: Option<Medium> = "medium", Word(&Medium::NAMES);
        /// `podcast:locked`: whether other hosts may import the feed.
        Optional locked: Option<Locked> = "locked", Records, besides(&[YesNo]);
        /// `podcast:block`: which platforms may show the feed.
        Optional block: Vec<Block> = "block" or "blocks", Records, besides(&[YesNo]);
        /// `podcast:trailer`.
        Optional trailers: Vec<Trailer> = "trailers" or "trailer", Records;
        /// `podcast:updateFrequency`: how often there is something new.
        Optional update_frequency: Option<UpdateFrequency> = "updateFrequency", Records;
        /// `podcast:podping`: whether changes are announced by Podping.
        Optional podping: Option<bool> = "podping", Own("true or false, or a table of `usesPodping`", &[YesNo, Keys(PODPING)]);
        /// `podcast:publisher`: the publisher's feed.
        Optional publisher: Option<Publisher> = "publisher", Records, besides(&[Plain]);
        /// `podcast:podroll`: podcasts the author recommends.
        Optional podroll: Vec<RemoteItem> = "podroll", Records;
        /// `podcast:remoteItem`: the feeds and items that a list feed (`musicL`) is made of.
        Optional remote_items: Vec<RemoteItem> = "remoteItems" or "remoteItem", Records;
        /// `podcast:liveItem`: live streams.
        Optional live_items: Vec<LiveItem> = "liveItems" or "liveItem", Records;
    }

    /// An item's tags, and a live item's.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq)]
    ItemPodcast {
        /// What the channel can have too.
        Required shared: SharedPodcast = "", Flat(SharedPodcast::SHAPE);
        /// `podcast:transcript`.
        Optional transcripts: Vec<Transcript> = "transcripts" or "transcript", Records;
        /// The chapters, in the order they play; they are published as a chapters document of this site.
        Optional chapters: Vec<Chapter> = "chapters", Own("list, file or address", &[List(&[Keys(Chapter::SHAPE)]), Plain, Keys(ChaptersLink::SHAPE)]);
        /// A chapters document elsewhere, in place of [`chapters`](Self::chapters).
        Optional chapters_link: Option<ChaptersLink> = "chaptersLink", Records, made;
        /// Whether the author wrote `chapters = []`: the ones embedded in the attachment stay out too.
        Filled without_chapters: bool = "", Hidden;
        /// `podcast:soundbite`.
        Optional soundbites: Vec<Soundbite> = "soundbites" or "soundbite", Records;
        /// `podcast:season`.
        Optional season: Option<Season> = "season", Records, besides(&[Whole(0, i64::MAX)]);
        /// `podcast:episode`.
        Optional episode: Option<Episode> = "episode", Records, besides(&[Numeric]);
        /// `podcast:alternateEnclosure`.
        Optional alternate_enclosures: Vec<AlternateEnclosure> = "alternateEnclosures" or "alternateEnclosure", Records, besides(&[Plain]);
        /// `podcast:contentLink`: the same content elsewhere.
        Optional content_links: Vec<ContentLink> = "contentLinks" or "contentLink", Records;
    }
}

keys! {
    /// `podping` as a table.
    PODPING {
        /// Whether changes are announced by Podping.
        Optional "usesPodping", Flag;
    }
}

field_types! {
    Medium: |medium| Lent::Text(medium.as_str()), String, Text(name) => Self::parse(&name), None;
}

impl ItemPodcast {
    /// Takes the chapters embedded in the attachment, unless the author has said which there are.
    pub fn adopt_embedded_chapters(&mut self, embedded: Vec<Chapter>) {
        if self.chapters.is_empty() && self.chapters_link.is_none() && !self.without_chapters {
            self.chapters = embedded;
        }
    }
}
