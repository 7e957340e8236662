//! Items: articles, links, photos, documents, episodes.

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
    /// Kind of episode, in the terms of Apple Podcasts.
    #[derive(BorshDeserialize, BorshSerialize)]
    EpisodeType {
        /// A complete episode.
        Full = "full",
        /// A preview.
        Trailer = "trailer",
        /// Bonus content.
        Bonus = "bonus",
    }
}

records! {
    /// An item's `itunes:` tags (Apple Podcasts' RSS namespace).
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    ItemItunes {
        /// Title of the episode, without numbers and without the name of the show.
        Optional title: Option<String> = "title", Text(4096);
        /// Whether Apple's directory excludes the episode.
        Optional block: bool = "block", Switch;
        /// Whether the episode has explicit content.
        Optional explicit: Option<bool> = "explicit", Flag;
        /// Number of the season. If you set only this key or only `podcast.season`, it applies to
        /// both.
        Optional season: Option<u32> = "season", Between(1, u32::MAX as i64);
        /// Number of the episode. If you set only this key or only `podcast.episode`, it applies to
        /// both.
        Optional episode: Option<u32> = "episode", Between(1, u32::MAX as i64);
        /// Kind of episode.
        Optional episode_type: Option<EpisodeType> = "episodeType", Word(EpisodeType::NAMES);
    }

    /// The series that an item is part of.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    Series {
        /// Name of the series.
        Required name: String = "name", Text(200), alone;
        /// Number by which the parts are ordered. Parts without a number follow by date.
        Optional part: Option<u32> = "part", Between(1, 100_000);
    }
}

keys! {
    /// Front matter of an item.
    ITEM {
        /// permanent id of the item. If it is missing, feedwright derives an id from the file's
        /// path; `feedwright check --fix` writes that id to the file
        Optional "id", Own("text, 1 to 64 of `A–Z a–z 0–9 _ -`", &[Plain]);
        /// title of the item. An item without a title is a short post
        Optional "title", Own("text", &[Plain]);
        /// time of publication. The first build after a future date publishes the item. By default,
        /// the date at the start of the file's or folder's name: `2026-10-05-harbour-walk.md`.
        /// Items without a date are sorted as the oldest, and items with the same date by file
        /// path, with numbers in numerical order
        Optional "date_published" like "date", Time;
        /// time of the last change
        Optional "date_modified" like "updated" like "lastmod" like "modified" like "last_modified_at", Time;
        /// time of creation, for sites that sort items by this date; pages never show it
        Optional "date_created" like "created", Time;
        /// visibility of the item, by default `published`: see [Status](#status)
        Optional "status", Word(Status::NAMES);
        /// cover art, separate from the attachment. `alt` describes the picture
        Optional "image", PICTURE;
        /// wide picture above the text
        Optional "banner_image", PICTURE;
        /// summary in plain text; by default, an [excerpt](#excerpts)
        Optional "summary" like "excerpt" like "description", Text(10_000);
        /// external page that the item is about. It makes the item a link: the feeds and the
        /// canonical URL point to that page
        Optional "url", Url;
        /// language of the item, if it differs from the channel's: `"ja"`, `"pt-BR"`
        Optional "language", LANGUAGE;
        /// URL segment of the item, used unchanged: letters of any script, digits and hyphens
        Optional "slug", Own("text, at most 200 characters and 240 bytes", &[Plain]);
        /// translations of the item, by the last part of their addresses or by id. On a site in several
        /// [languages](languages.md), `walk.de.md` needs no entry to translate `walk.md`. Only one of two
        /// items needs to list the other. Their pages link to each other, also with `hreflang` for
        /// search engines, except unlisted items and items with an external `url`
        Optional "translations", Texts;
        /// former segments, which redirect to the current segment. An alias that starts with `/` is
        /// a complete former path, such as `"/2019/harbour.html"` from another generator
        Optional "aliases", Texts;
        /// identifier in feeds, for an item that was first published in another feed; by default,
        /// the `id`
        Optional "guid", Text(2048);
        /// authors, at most 50. `type` is `Person` (default) or `Organization`. The channel's
        /// authors apply to items without authors
        Optional "authors" like "author", AUTHORS, listed;
        /// tags, at most 100. Each tag has a page at `/tags/<tag>/`. A string with commas contains
        /// several tags
        Optional "tags", Texts;
        /// series that the item is part of: see [Series](#series)
        Optional "series", Own("name, or `{name, part}`", &[Plain, Keys(Series::SHAPE)]);
        /// main medium of the item: the attachment in JSON Feed, the enclosure in RSS. See [Media
        /// files](media-files.md)
        Optional "attachment", Own("file or address, or `{url, category, mime_type, size_in_bytes, duration_in_seconds}`", &[Plain, Keys(ATTACHMENT)]);
        /// false publishes the recording without [tags](media-files.md#tags-in-recordings); by
        /// default, `tags` under `[audio]` in `site.toml`
        Optional "audio_tags", Flag;
        /// metadata for search engines and social networks, if it differs from the item
        Optional "seo", Own("`{title, description, social_image}`", &[Keys(Seo::SHAPE)]);
        /// tags of Podcasting 2.0: transcripts, chapters, people, licence and more. See
        /// [Podcasting](podcasting.md)
        Optional "podcast", Own("table", &[Keys(ItemPodcast::SHAPE)]);
        /// tags for Apple Podcasts: see [Podcasting](podcasting.md#apple-tags)
        Optional "itunes", Own("table", &[Keys(ItemItunes::SHAPE)]);
        /// warnings of `check` to silence for this file
        Optional "allow", RULES, listed;
        /// further `tags`; commas in a string separate tags
        Foreign "categories" or "category", Texts;
        /// the `attachment`, in a list
        Foreign "attachments", Own("list", &[Plain, Keys(ATTACHMENT)]), listed;
        /// true means `status = "unpublished"`
        Foreign "draft", Flag;
        /// false means `status = "unpublished"`
        Foreign "published", Flag;
        /// former paths, which redirect to the item
        Foreign "redirect_from", Texts;
        /// a former path, which redirects to the item
        Foreign "permalink", Own("anything", &[Anything]);
    }
}

/// An item of the feed, as read from its file.
#[derive(BorshDeserialize, BorshSerialize, Debug, Clone, PartialEq)]
pub struct Item {
    /// Id of the item in the feed, in the API and in links.
    pub id: ItemId,
    /// Whether the id was derived from the path, because the file does not contain an id.
    pub id_is_derived: bool,
    /// File that the item was read from.
    pub source: SitePath,
    /// Title; empty if the item has none.
    pub title: String,
    /// Status that the author wrote. Whether a run publishes the item also depends on the date, see
    /// [`Visibility`](super::Visibility).
    pub status: Status,
    /// Time of publication, past or future.
    #[borsh(serialize_with = "super::time::write", deserialize_with = "super::time::read")]
    pub date_published: Option<Timestamp>,
    /// Time of the last change.
    #[borsh(serialize_with = "super::time::write", deserialize_with = "super::time::read")]
    pub date_modified: Option<Timestamp>,
    #[borsh(serialize_with = "super::time::write", deserialize_with = "super::time::read")]
    pub date_created: Option<Timestamp>,
    pub image: Option<Image>,
    /// A wide picture above the text.
    pub banner_image: Option<Image>,
    /// External page that the item is about: the link in feeds, and the canonical URL.
    pub url: Option<String>,
    /// Language tag (RFC 5646).
    pub language: Option<String>,
    /// The file's [`page_path`](SitePath::page_path) without its language, on a site with several
    /// languages. Texts with the same path are translations of each other.
    pub text_path: Option<Box<str>>,
    /// Translations of the item, by their segments or ids.
    pub translations: Vec<String>,
    /// URL segment that the author chose.
    pub slug: Option<Slug>,
    /// Former segments, which redirect to the current segment.
    pub aliases: Vec<Slug>,
    /// Former public paths of another generator, each starting with `/`. They redirect to the item.
    pub former_paths: Vec<String>,
    /// Id of the item in feed readers. None means the item's id.
    pub guid: Option<String>,
    /// Authors. An empty list means the channel's authors.
    pub authors: Vec<Author>,
    /// Tags in the author's order, without duplicates.
    pub tags: Vec<String>,
    pub series: Option<Box<Series>>,
    /// Metadata for search engines and social networks.
    pub seo: Rare<Seo>,
    /// Summary in plain text.
    pub summary: Option<String>,
    /// Main medium: the enclosure in RSS.
    pub attachment: Option<Attachment>,
    /// Whether the published recording gets tags. `None` means the site's setting.
    pub audio_tags: Option<bool>,
    /// Podcasting 2.0 tags.
    pub podcast: Rare<ItemPodcast>,
    /// Tags of the `itunes:` namespace.
    pub itunes: ItemItunes,
    /// Body of the file, below the front matter.
    pub content: Content,
    /// Files of the site that the item refers to. They are published with it.
    pub media: Vec<MediaFile>,
}

impl Item {
    /// Returns the path of the file without its extension and without its language.
    pub fn text_path(&self) -> &str {
        self.text_path.as_deref().unwrap_or_else(|| self.source.page_path())
    }

    /// Returns whether the item's file is in a folder, which ends in `/`. The folder of a language
    /// may be left out.
    pub fn is_below(&self, folder: &str) -> bool {
        let text_path = self.text_path.as_deref();
        self.source.as_str().starts_with(folder)
            || text_path.is_some_and(|path| path.starts_with(folder))
    }

    /// Returns whether the attachment is audio or video.
    pub fn is_episode(&self) -> bool {
        let attachment = self.attachment.as_ref();
        attachment.is_some_and(|file| matches!(file.category, Category::Audio | Category::Video))
    }

    /// Returns whether the attachment or a version of it is video.
    pub fn has_video(&self) -> bool {
        let own = self.attachment.as_ref().map(|file| file.category);
        let mut versions = self.podcast.alternate_enclosures.iter();
        own == Some(Category::Video) || versions.any(|one| one.category() == Category::Video)
    }

    /// Returns whether the attachment is a picture.
    pub fn is_photo(&self) -> bool {
        self.attachment.as_ref().is_some_and(|file| file.category == Category::Image)
    }

    /// Returns the season number: Podcasting 2.0's, or else Apple's.
    pub fn season(&self) -> Option<i64> {
        let number = self.podcast.season.as_ref().map(|season| season.number);
        number.or(self.itunes.season.map(i64::from))
    }

    /// Returns the episode number: Podcasting 2.0's, or else Apple's.
    pub fn episode(&self) -> Option<f64> {
        let number = self.podcast.episode.as_ref().map(|episode| episode.number);
        number.or(self.itunes.episode.map(f64::from))
    }

    /// Returns the segment that earlier versions of feedwright derived from the title, if it
    /// differs from the current segment. Those versions cut long titles within words.
    pub fn former_segment(&self) -> Option<String> {
        let cut = Slug::truncated_title(&self.title).filter(|_| self.slug.is_none())?;
        (Slug::from_title(&self.title)? != cut).then(|| format!("{cut}-{}", self.id))
    }

    /// Returns the segment of the public path: the slug, or else the slug of the title followed by
    /// the id. An item with neither slug nor title has the id as its segment.
    pub fn segment(&self) -> String {
        match (&self.slug, Slug::from_title(&self.title)) {
            (Some(slug), _) => slug.to_string(),
            (None, Some(title)) => format!("{title}-{}", self.id),
            (None, None) => self.id.to_string(),
        }
    }
}
