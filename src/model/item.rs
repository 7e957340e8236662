//! An item: an article, a link, a photo, a document, an episode.

use borsh::{BorshDeserialize, BorshSerialize};
use jiff::Timestamp;

use super::declare::{keys, records};
use super::named::words;
use super::podcast::ItemPodcast;
use super::{
    ATTACHMENT, AUTHORS, Attachment, Author, Category, Content, Image, ItemId, LANGUAGE, MediaFile,
    PICTURE, RULES, Rare, Seo, SitePath, Slug, Status, usual,
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
        /// The episode's title without numbers and without the name of the show.
        Optional title: Option<String> = "title", Text(4096);
        /// Whether it is kept out of Apple's directory.
        Optional block: bool = "block", Switch;
        /// Whether it is explicit.
        Optional explicit: Option<bool> = "explicit", Flag;
        /// The season's number; `podcast.season` when left out, and vice versa.
        Optional season: Option<u32> = "season", Between(1, u32::MAX as i64);
        /// The episode's number; `podcast.episode` when left out, and vice versa.
        Optional episode: Option<u32> = "episode", Between(1, u32::MAX as i64);
        /// The kind of episode.
        Optional episode_type: Option<EpisodeType> = "episodeType", Word(EpisodeType::NAMES);
    }
}

keys! {
    /// Front matter of an item.
    ITEM {
        /// what the item is called for ever. `feedwright new` writes eleven characters. Without one it is derived
        /// from the file's path, until `feedwright check --fix` writes it down
        Optional "id", Own("text, 1 to 64 of `A–Z a–z 0–9 _ -`", &[Plain]);
        /// the title. An item without one is a short post
        Optional "title", Own("text", &[Plain]);
        /// when it was or will be published. An item dated in the future is published by the first build after that
        /// date. If the key is missing, a date at the start of the file's or folder's name counts:
        /// `2026-10-05-harbour-walk.md`. An item without any date is sorted as the oldest. Items with the same date
        /// are sorted by file path, with numbers in numerical order
        Optional "date_published" like "date", Time;
        /// when it was last changed
        Optional "date_modified" like "updated" like "lastmod" like "modified" like "last_modified_at", Time;
        /// when it was made, for sites sorted by that; it is shown nowhere
        Optional "date_created" like "created", Time;
        /// see [Status](#status); `published` when left out
        Optional "status", Word(Status::NAMES);
        /// cover art, apart from the attachment. `alt` says what it shows
        Optional "image", PICTURE;
        /// a wide picture above the text
        Optional "banner_image", PICTURE;
        /// what the item says, in plain text; an [excerpt](#excerpts) when left out
        Optional "summary" like "excerpt" like "description", Text(10_000);
        /// the page elsewhere that the item is about. It makes the item a link: the feeds and the canonical URL
        /// point there
        Optional "url", Url;
        /// where it differs from the channel's: `"ja"`, `"pt-BR"`
        Optional "language", LANGUAGE;
        /// the item's URL segment as it stands: letters of any script, digits and hyphens
        Optional "slug", Own("text, at most 200 characters and 240 bytes", &[Plain]);
        /// the items that say the same in other languages, by the last part of their addresses or by id. It is
        /// enough that one of two names the other: their pages lead to each other, and search engines are told in
        /// the head and in the sitemap (`hreflang`), but for an item whose `url` is elsewhere, and one that is not
        /// listed
        Optional "translations", Texts;
        /// former segments; they redirect to the present one. One that starts with `/` is a whole former path, such
        /// as another generator's: `"/2019/harbour.html"`
        Optional "aliases", Texts;
        /// the identity in feed readers, where an item comes from another feed; the `id` when left out
        Optional "guid", Text(2048);
        /// at most 50. `type` is `Person` or `Organization`; a person when left out. The channel's authors count
        /// where an item has none
        Optional "authors" like "author", AUTHORS, listed;
        /// each has a page at `/tags/<tag>/`. A comma parts two tags. At most 100
        Optional "tags", Texts;
        /// the one main medium: JSON Feed's attachment and RSS's enclosure. See [Media files](media-files.md)
        Optional "attachment", Own("file or address, or `{url, category, mime_type, size_in_bytes, duration_in_seconds}`", &[Plain, Keys(ATTACHMENT)]);
        /// what search engines and social networks are told, where it differs from the item
        Optional "seo", Own("`{title, description, social_image}`", &[Keys(Seo::SHAPE)]);
        /// transcripts, chapters, people, licence and more: see [Podcasting](podcasting.md)
        Optional "podcast", Own("table", &[Keys(ItemPodcast::SHAPE)]);
        /// Apple's tags: see [Podcasting](podcasting.md#apple-tags)
        Optional "itunes", Own("table", &[Keys(ItemItunes::SHAPE)]);
        /// which warnings of `check` are silenced for this file
        Optional "allow", RULES, listed;
        /// more `tags`; a text with commas is several
        Foreign "categories" or "category", Texts;
        /// an `attachment` in a list
        Foreign "attachments", Own("list", &[Plain, Keys(ATTACHMENT)]), listed;
        /// true for `status = "unpublished"`
        Foreign "draft", Flag;
        /// false for `status = "unpublished"`
        Foreign "published", Flag;
        /// former paths, which redirect to the item
        Foreign "redirect_from", Texts;
        /// a former path, which redirects to the item
        Foreign "permalink", Own("anything", &[Anything]);
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
    pub date_created: Option<Timestamp>,
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
