//! Podcasting 2.0: the `podcast:` tags of channels and items.
//!
//! Each tag has one struct, in the terms of the [specification's own pages][spec]. Values that the
//! specification fixes (statuses, media, limits) are typed, or were validated when the front matter
//! was read. Other values are strings. Values are serialized in a form that front matter accepts,
//! except `chaptersLink`: in front matter, it is an address under the key `chapters`.
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
use super::record::FieldValue;
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
        /// `podcast:person`: people who take part.
        Optional people: Vec<Person> = "people" or "persons" or "person", Records;
        /// `podcast:license`: what others may do with the media.
        Optional license: Option<License> = "license" or "licence", Records, listed;
        /// `podcast:location`: places that the content is about, or was made in.
        Optional locations: Vec<Location> = "locations" or "location", Records;
        /// `podcast:funding`: links for giving money.
        Optional funding: Vec<Funding> = "funding", Records;
        /// `podcast:value`: how listeners pay, and who receives the payments.
        Optional value: Vec<Value> = "value" or "values", Records;
        /// `podcast:image`: pictures in several sizes and for several uses.
        Optional images: Vec<PodcastImage> = "images" or "image", Records;
        /// `podcast:images`, the deprecated form of `podcast:image`.
        Optional srcset: Vec<SrcsetEntry> = "srcset", Records, extra_forms(&[Plain]);
        /// `podcast:socialInteract`: posts whose replies are the comments.
        Optional social_interact: Vec<SocialInteract> = "socialInteract" or "socialInteracts", Records, extra_forms(&[YesNo, Written::Word(&["disabled"])]);
        /// `podcast:chat`: the official chat.
        Optional chat: Option<Chat> = "chat", Records;
        /// `podcast:txt`: free texts for programs.
        Optional txt: Vec<Txt> = "txt", Records;
    }

    /// Tags of the channel.
    #[derive(Debug, Clone, Default, PartialEq)]
    ChannelPodcast {
        /// Tags that items can have too.
        Required shared: SharedPodcast = "", Flat(SharedPodcast::SHAPE);
        /// `podcast:guid`: UUID of the podcast, if the author wrote one; see
        /// [`vocabulary::guid_of_feed`].
        Optional guid: Option<String> = "guid", Text(256), example("\"29cdca4a-32d8-56ba-b48b-09a011c5daa9\"");
        /// `podcast:medium`: medium of the feed.
        Optional medium: Option<Medium> = "medium", Word(&Medium::NAMES);
        /// `podcast:locked`: whether other hosts may import the feed.
        Optional locked: Option<Locked> = "locked", Records, extra_forms(&[YesNo]);
        /// `podcast:block`: platforms that must omit the feed.
        Optional block: Vec<Block> = "block" or "blocks", Records, extra_forms(&[YesNo]);
        /// `podcast:trailer`: trailers of the podcast or of its seasons.
        Optional trailers: Vec<Trailer> = "trailers" or "trailer", Records;
        /// `podcast:updateFrequency`: how often the feed is updated.
        Optional update_frequency: Option<UpdateFrequency> = "updateFrequency", Records;
        /// `podcast:podping`: whether Podping announces changes.
        Optional podping: Option<bool> = "podping", Own("true or false, or a table of `usesPodping`", &[YesNo, Keys(PODPING)]);
        /// `podcast:publisher`: the publisher's feed.
        Optional publisher: Option<Publisher> = "publisher", Records, extra_forms(&[Plain]);
        /// `podcast:podroll`: podcasts that the author recommends.
        Optional podroll: Vec<RemoteItem> = "podroll", Records;
        /// `podcast:remoteItem`: feeds and items that make up a list feed (`musicL`).
        Optional remote_items: Vec<RemoteItem> = "remoteItems" or "remoteItem", Records;
        /// `podcast:liveItem`: live streams.
        Optional live_items: Vec<LiveItem> = "liveItems" or "liveItem", Records;
    }

    /// Tags of items and live items.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq)]
    ItemPodcast {
        /// Tags that the channel can have too.
        Required shared: SharedPodcast = "", Flat(SharedPodcast::SHAPE);
        /// `podcast:transcript`: transcripts and closed captions.
        Optional transcripts: Vec<Transcript> = "transcripts" or "transcript", Records;
        /// Chapters in the order they play. They are published as a chapters document of this site.
        Optional chapters: Vec<Chapter> = "chapters", Own("list, file or address", &[List(&[Keys(Chapter::SHAPE)]), Plain, Keys(ChaptersLink::SHAPE)]);
        /// An external chapters document, in place of [`chapters`](Self::chapters).
        Optional chapters_link: Option<ChaptersLink> = "chaptersLink", Records, made;
        /// Whether the author wrote `chapters = []`, which also excludes chapters embedded in the
        /// attachment.
        Filled without_chapters: bool = "", Hidden;
        /// Whether the chapters were read from the attachment, which keeps them.
        Filled are_embedded: bool = "", Hidden;
        /// `podcast:soundbite`: passages worth hearing on their own.
        Optional soundbites: Vec<Soundbite> = "soundbites" or "soundbite", Records;
        /// `podcast:season`: the season of the episode.
        Optional season: Option<Season> = "season", Records, extra_forms(&[Whole(0, i64::MAX)]);
        /// `podcast:episode`: the number of the episode.
        Optional episode: Option<Episode> = "episode", Records, extra_forms(&[Numeric]);
        /// `podcast:alternateEnclosure`: other versions of the enclosure.
        Optional alternate_enclosures: Vec<AlternateEnclosure> = "alternateEnclosures" or "alternateEnclosure", Records, extra_forms(&[Plain]);
        /// Whether the author wrote `alternateEnclosures = []`, which also excludes files that are
        /// named after the attachment.
        Filled without_versions: bool = "", Hidden;
        /// `podcast:contentLink`: the same content on other pages.
        Optional content_links: Vec<ContentLink> = "contentLinks" or "contentLink", Records;
    }
}

keys! {
    /// `podping`, as a table.
    PODPING {
        /// Whether Podping announces changes.
        Optional "usesPodping", Flag;
    }
}

field_types! {
    Medium: |medium| FieldValue::Text(medium.as_str()), String, Text(name) => Self::parse(&name), None;
}

impl ItemPodcast {
    /// Uses the chapters embedded in the attachment, unless the author specified chapters.
    pub fn adopt_embedded_chapters(&mut self, embedded: Vec<Chapter>) {
        if self.chapters.is_empty() && self.chapters_link.is_none() && !self.without_chapters {
            self.are_embedded = !embedded.is_empty();
            self.chapters = embedded;
        }
    }
}
