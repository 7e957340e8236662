//! The fields of an item that JSON Feed does not define.

use mustache::{Data, object};

use super::body::LazyBody;
use super::exif::exif;
use super::item_facts::{ItemFacts, Place};
use super::item_podcast::PodcastData;
use super::links::host;
use super::network::network_show;
use super::parts::{AuthorData, ImageData, seo};
use super::picture::picture;
use super::record_data::{Itunes, RecordWithNulls};
use super::versions::playable_sources;
use crate::inputs::Shared;
use crate::pages::embed;
use crate::view::numbers::numbers;
use crate::{text, view};
use model::{Attachment, Category, Image, Slug, is_playlist, url};
use site::{FacetKind, paths};

pub struct ItemExtension<'a> {
    facts: ItemFacts<'a>,
    podcast: Data<'a>,
    is_lead: bool,
    /// The duration of a clip in seconds. A clip has no feeds and no embed page.
    clip: Option<f64>,
    /// The item's text, only on the item's own page.
    article: Option<LazyBody<'a>>,
}

impl<'a> ItemExtension<'a> {
    pub fn of(facts: ItemFacts<'a>, place: Place) -> Data<'a> {
        let podcast = Data::object(PodcastData::of(facts));
        let is_own = matches!(place, Place::Own | Place::Clip(_));
        let clip = match place {
            Place::Clip(seconds) => Some(seconds),
            _ => None,
        };
        let article =
            is_own.then(|| LazyBody::of(facts.shared, &facts.item().content, &facts.item().media));
        Data::object(Self { facts, podcast, is_lead: matches!(place, Place::Lead), clip, article })
    }

    fn is(&self, category: Category) -> bool {
        let attachment = self.facts.attachment();
        attachment.is_some_and(|attachment| attachment.category == category)
    }

    /// Returns one of the item's pictures.
    fn picture(&self, address: &str) -> Option<Data<'a>> {
        picture(self.facts.shared, &self.facts.item().media, address)
    }

    fn has_embed(&self) -> bool {
        self.clip.is_none() && self.facts.shared.has_embed(self.facts.shown.entry)
    }

    fn seconds(&self) -> Option<f64> {
        self.clip.or(self.facts.attachment()?.duration_in_seconds)
    }

    fn url(&self, path: &str) -> String {
        self.facts.shared.config.url(path)
    }

    fn id(&self) -> &'a str {
        self.facts.item().id.as_str()
    }

    /// Returns the day of the last change, if it is later than the day of publication.
    fn date_updated_short(&self) -> Option<String> {
        let item = self.facts.item();
        let zone = &self.facts.shared.config.timezone;
        let updated = item.date_modified.filter(|_| item.date_modified > item.date_published)?;
        let updated = text::short_date(updated, zone);
        (self.facts.date_published_short().as_ref() != Some(&updated)).then_some(updated)
    }

    /// Returns the reading time in minutes on the item's own page. Returns None if the item has an
    /// attached file, or if reading takes less than a minute.
    fn reading_minutes(&self) -> Option<u64> {
        let is_other =
            self.facts.attachment().is_some_and(|file| file.category != Category::ExternalUrl);
        let article = self.article.as_ref().filter(|_| !is_other)?;
        Some(article.reading_minutes()).filter(|minutes| *minutes > 0)
    }

    /// Returns the summary, or else the first words of the body.
    fn excerpt(&self) -> String {
        let item = self.facts.item();
        match &item.summary {
            Some(summary) => text::excerpt(summary, 280),
            None => item.content.excerpt(280),
        }
    }

    fn tags(&self) -> Data<'a> {
        let (shared, shown) = (self.facts.shared, self.facts.shown);
        let tags = &shown.entry.item.tags;
        Data::list(tags.len().min(shown.tags.len()), move |at| {
            let path = |slug: &Slug| paths::facet(FacetKind::Tag, slug.as_str(), 1);
            let url = shown.tags[at].map(|slug| shared.config.url(&path(slug)));
            let url = url.map_or_else(Data::default, Data::shared);
            Data::from([("name", Data::from(&tags[at])), ("url", url)])
        })
    }
}

object!(impl ItemExtension<'a>, |this| {
    "web_url" => this.facts.web_url(),
    "absolute_url" => this.facts.web_url(),
    "origin" => this.facts.shared.config.origin(),
    "json_url" => {
        let has_one = this.facts.shared.config.output.item_json && this.clip.is_none();
        has_one.then(|| this.url(&paths::item_json(this.facts.shown.entry)))
    },
    "rss_url" => {
        let config = this.facts.shared.config;
        let has_one = config.output.item_rss && config.feed.rss && this.clip.is_none();
        has_one.then(|| this.url(&paths::item_rss(this.facts.shown.entry)))
    },
    "chapters_url" => {
        let has_one = this.facts.shown.entry.has_chapters() && this.facts.shared.config.feed.rss;
        has_one.then(|| this.url(&paths::chapters(this.facts.shown.entry, this.id())))
    },
    "embed_url" => {
        let entry = this.facts.shown.entry;
        this.has_embed().then(|| this.url(&paths::embed(entry)))
    },
    "embed_code" => {
        let (shared, entry) = (this.facts.shared, this.facts.shown.entry);
        this.has_embed().then(|| embed::code(shared, entry))
    },
    "guid" => this.facts.item().guid.as_deref().unwrap_or(this.id()),
    "slug" => &this.facts.shown.entry.segment,
    "status" => this.facts.shown.entry.status.as_str(),
    "is_audio" => this.is(Category::Audio),
    "is_video" => this.is(Category::Video),
    "is_image" => this.is(Category::Image),
    "is_document" => this.is(Category::Document),
    "is_external_url" => view::link(this.facts.item()).is_some(),
    "is_untitled" => this.facts.item().title.is_empty(),
    "excerpt_text" => this.excerpt(),
    "article_html" if this.article.is_some() => this.article.as_ref().map(LazyBody::article),
    "contents" if this.article.is_some() => this.article.as_ref().map(LazyBody::contents),
    "is_lead" => this.is_lead,
    "reading_minutes" => this.reading_minutes(),
    "reading_text" => {
        let words = this.facts.shared.words;
        this.reading_minutes().map(|minutes| words.format_count("reading_time", minutes))
    },
    "external_host" => {
        let item = this.facts.item();
        view::external_url(item).and_then(host)
    },
    "image" => this.facts.item().image.as_ref().map(|image| Data::object(ImageData(image))),
    "picture" => {
        let cover = this.facts.shown.entry.cover();
        cover.and_then(|(image, media)| picture(this.facts.shared, media, &image.url))
    },
    "show" => {
        let show = this.facts.shared.show_of(this.facts.shown.entry);
        show.map(|show| network_show(this.facts.shared, show))
    },
    "attachment" => this.facts.attachment().map(|attachment| {
        let cover = this.facts.item().image.as_ref();
        let picture = this.picture(&attachment.url);
        Data::object(AttachmentData { shared: this.facts.shared, attachment, cover, picture })
    }),
    "sources" => playable_sources(this.facts),
    "size_text" => this.facts.size_in_bytes().map(|bytes| this.facts.shared.words.size(bytes)),
    "duration_text" => this.seconds().map(|seconds| this.facts.clock(seconds)),
    "duration_words" => this.seconds().map(|seconds| this.facts.shared.words.duration(seconds)),
    "duration_hhmmss" => this.seconds().map(text::hhmmss),
    "date_published_ms" => this.facts.item().date_published.map(|date| date.as_millisecond()),
    "date_published_short" => this.facts.date_published_short(),
    "date_updated_short" => this.date_updated_short(),
    "date_published_text" => this.facts.date_published_text(),
    "date_updated_text" => {
        let updated = this.facts.item().date_modified.filter(|_| this.date_updated_short().is_some());
        updated.map(|updated| this.facts.date_text(updated))
    },
    "authors" => {
        let authors = &this.facts.item().authors;
        let facts = this.facts;
        (!authors.is_empty()).then(|| Data::list(authors.len(), move |at| {
            Data::object(ItemAuthor::of(facts, at))
        }))
    },
    "byline" => {
        let count = this.facts.item().authors.len();
        (count > 0).then(|| {
            let (before, after) = this.facts.shared.words.around_authors(count);
            Data::from([("before", Data::from(before)), ("after", after.into())])
        })
    },
    "tags" => this.tags(),
    "series" => this.facts.item().series.as_ref().map(|series| Data::object(RecordWithNulls(&**series))),
    "seo" => seo(&this.facts.item().seo),
    "podcast" => this.podcast.clone(),
    "itunes:season" => numbers(this.facts.item()).season,
    "itunes:episode" => numbers(this.facts.item()).episode,
    "episode_type_text" => this.facts.item().itunes.episode_type.map(|kind| {
        match this.facts.shared.words.text(kind.as_str()) {
            "" => kind.as_str(),
            text => text,
        }
    }),
    "copyright" => Data::default(),
} else Itunes { tags: &this.facts.item().itunes, fills: true });

/// An author with a link to the page of their items.
struct ItemAuthor<'a> {
    facts: ItemFacts<'a>,
    at: usize,
    author: AuthorData<'a>,
}

impl<'a> ItemAuthor<'a> {
    fn of(facts: ItemFacts<'a>, at: usize) -> Self {
        let author =
            AuthorData { author: &facts.item().authors[at], has_type: true, fills_url: true };
        Self { facts, at, author }
    }
}

object!(impl ItemAuthor<'a>, |this| {
    "page_url" => {
        let slug = this.facts.shown.authors.get(this.at).copied().flatten();
        slug.map(|slug| this.facts.shared.config.url(&paths::facet(FacetKind::Author, slug.as_str(), 1)))
    },
    "after" => this.facts.shared.words.after_name(this.at, this.facts.item().authors.len()),
} else this.author);

struct AttachmentData<'a> {
    shared: &'a Shared<'a>,
    attachment: &'a Attachment,
    cover: Option<&'a Image>,
    picture: Option<Data<'a>>,
}

impl AttachmentData<'_> {
    fn file_name(&self) -> String {
        let path = url::split_suffix(&self.attachment.url).0;
        let name = path.rsplit('/').next().unwrap_or_default();
        let name = percent_encoding::percent_decode_str(name);
        name.decode_utf8_lossy().into_owned()
    }
}

object!(impl AttachmentData<'a>, |this| {
    "type_text" => text::type_text(&this.attachment.mime_type, &this.file_name()),
    "is_playlist" => is_playlist(&this.attachment.mime_type),
    "file_name" => this.file_name(),
    "width" => this.attachment.dimensions.map(|(width, _)| width),
    "height" => this.attachment.dimensions.map(|(_, height)| height),
    "picture" => this.picture.clone(),
    "exif" => {
        let (words, shown) = (this.shared.words, &this.shared.config.images.show);
        this.attachment.shot.as_deref().map(|shot| exif(words, shown, shot))
    },
    "waveform" if this.shared.config.audio.waveform => this.attachment.waveform.as_deref(),
    "alt" => {
        let cover = this.cover.filter(|_| this.attachment.category == Category::Image);
        cover.and_then(|cover| cover.alt.as_deref())
    },
});
