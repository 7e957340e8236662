//! An item: an article, a link, a photo, a document, an episode.

use borsh::{BorshDeserialize, BorshSerialize};
use jiff::Timestamp;

use super::declare::records;
use super::named::words;
use super::podcast::ItemPodcast;
use super::{
    Attachment, Author, Category, Content, Image, ItemId, MediaFile, Rare, Seo, SitePath, Slug,
    Status, usual,
};

usual!(ItemPodcast, Seo);

words! {
    /// Apple Podcasts' kinds of episode.
    #[derive(BorshDeserialize, BorshSerialize)]
    EpisodeType {
        /// A whole episode.
        Full = "full",
        /// A preview.
        Trailer = "trailer",
        /// Something extra.
        Bonus = "bonus",
    }
}

records! {
    /// An item's `itunes:` tags (Apple Podcasts' RSS namespace).
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    ItemItunes {
        /// The episode's title without number and show.
        Optional title: Option<String> = "title", Text(4096);
        /// Whether it is kept out of directories.
        Optional block: bool = "block", Switch;
        /// Whether it is explicit.
        Optional explicit: Option<bool> = "explicit", Flag;
        /// The season's number.
        Optional season: Option<u32> = "season", Between(1, u32::MAX as i64);
        /// The episode's number.
        Optional episode: Option<u32> = "episode", Between(1, u32::MAX as i64);
        /// The kind of episode.
        Optional episode_type: Option<EpisodeType> = "episodeType", Word(EpisodeType::NAMES);
    }
}

/// An item of the feed, as its file says it.
#[derive(BorshDeserialize, BorshSerialize, Debug, Clone, PartialEq)]
pub struct Item {
    /// What the feed, the API and links know it by.
    pub id: ItemId,
    /// Whether the id was derived from the path, because the file names none.
    pub id_is_derived: bool,
    /// The file it was read from.
    pub source: SitePath,
    /// Its title; empty where it has none.
    pub title: String,
    /// As its author wrote it. What a run publishes depends on the date too: see
    /// [`Visibility`](super::Visibility).
    pub status: Status,
    /// When it was or will be published.
    #[borsh(serialize_with = "super::time::write", deserialize_with = "super::time::read")]
    pub date_published: Option<Timestamp>,
    /// When it was last changed.
    #[borsh(serialize_with = "super::time::write", deserialize_with = "super::time::read")]
    pub date_modified: Option<Timestamp>,
    #[borsh(serialize_with = "super::time::write", deserialize_with = "super::time::read")]
    pub(crate) date_created: Option<Timestamp>,
    pub image: Option<Image>,
    /// A wide picture above the text.
    pub banner_image: Option<Image>,
    /// The page elsewhere that this item is about: the feed's link and the canonical URL.
    pub url: Option<String>,
    /// A language tag (RFC 5646).
    pub language: Option<String>,
    /// Items that say the same in other languages, by their segments or ids.
    pub translations: Vec<String>,
    /// The segment its author chose.
    pub slug: Option<Slug>,
    /// Former segments: they redirect to the present one.
    pub aliases: Vec<Slug>,
    /// Former public paths of another generator, each starting with `/`: they redirect too.
    pub former_paths: Vec<String>,
    /// The feed readers' id; the id where it is not set.
    pub guid: Option<String>,
    /// Who made it; the channel's authors where empty.
    pub authors: Vec<Author>,
    /// In its author's order, each once.
    pub tags: Vec<String>,
    /// For search engines and social networks.
    pub seo: Rare<Seo>,
    /// A summary in plain text.
    pub summary: Option<String>,
    /// What it plays or offers: its enclosure.
    pub attachment: Option<Attachment>,
    /// Podcasting 2.0 tags.
    pub podcast: Rare<ItemPodcast>,
    /// Apple's tags.
    pub itunes: ItemItunes,
    /// The text below the front matter.
    pub content: Content,
    /// The files of the site that it names: they are published with it.
    pub media: Vec<MediaFile>,
}

impl Item {
    /// Whether a recording belongs to it.
    pub fn is_episode(&self) -> bool {
        let attachment = self.attachment.as_ref();
        attachment.is_some_and(|file| matches!(file.category, Category::Audio | Category::Video))
    }

    /// The former segment, from when titles were cut within words, if it differs.
    pub fn former_segment(&self) -> Option<String> {
        let cut = Slug::cut_anywhere(&self.title).filter(|_| self.slug.is_none())?;
        (Slug::from_title(&self.title)? != cut).then(|| format!("{cut}-{}", self.id))
    }

    /// The segment of its public path: its slug, or its title's slug and its id.
    pub fn segment(&self) -> String {
        match (&self.slug, Slug::from_title(&self.title)) {
            (Some(slug), _) => slug.to_string(),
            (None, Some(title)) => format!("{title}-{}", self.id),
            (None, None) => self.id.to_string(),
        }
    }
}
