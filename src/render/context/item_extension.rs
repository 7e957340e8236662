//! What JSON Feed has no field for in an item.

use mustache::{Data, object};

use super::item_facts::ItemFacts;
use super::item_podcast::PodcastData;
use super::parts::{AuthorData, ImageData, each, seo};
use crate::model::{Attachment, Category, Image, url};
use crate::render::rss_parts::numbers;
use crate::render::{text, view};
use crate::site::paths;

/// An item's extension.
pub struct ItemExtension<'a>(pub ItemFacts<'a>);

impl<'a> ItemExtension<'a> {
    fn is(&self, category: Category) -> bool {
        let attachment = self.0.attachment();
        attachment.is_some_and(|attachment| attachment.category == category)
    }

    fn seconds(&self) -> Option<f64> {
        self.0.attachment()?.duration_in_seconds
    }

    fn url(&self, path: &str) -> String {
        self.0.shared.config.url(path)
    }

    fn id(&self) -> &'a str {
        self.0.item().id.as_str()
    }

    /// The day it was changed, where that is a later one.
    fn date_updated_short(&self) -> Option<String> {
        let item = self.0.item();
        let zone = &self.0.shared.config.timezone;
        let updated = item
            .date_modified
            .filter(|_| item.date_modified > item.date_published)?;
        let updated = text::short_date(updated, zone);
        (self.0.date_published_short().as_ref() != Some(&updated)).then_some(updated)
    }

    /// The summary, or the text's first words.
    fn excerpt(&self) -> String {
        let item = self.0.item();
        let text = item.summary.as_deref();
        text::excerpt(text.unwrap_or(&item.content.beginning), 280)
    }

    fn tags(&self) -> Data<'a> {
        let (shared, shown) = (self.0.shared, self.0.shown);
        let tags = &shown.entry.item.tags;
        Data::list(tags.len().min(shown.tags.len()), move |at| {
            let url = shown.tags[at].map(|slug| shared.config.url(&paths::tag(slug.as_str(), 1)));
            Data::from([("name", Data::from(&tags[at])), ("url", url.into())])
        })
    }
}

object!(impl ItemExtension<'a>, |this| {
    "web_url" => this.0.web_url(),
    "absolute_url" => this.0.web_url(),
    "origin" => this.0.shared.config.origin(),
    "json_url" => {
        let has_one = this.0.shared.config.output.item_json;
        has_one.then(|| this.url(&paths::item_json(this.id())))
    },
    "rss_url" => {
        let config = this.0.shared.config;
        let has_one = config.output.item_rss && config.feed.rss;
        has_one.then(|| this.url(&paths::item_rss(this.id())))
    },
    "chapters_url" => {
        let has_one = this.0.shown.entry.has_chapters() && this.0.shared.config.feed.rss;
        has_one.then(|| this.url(&paths::chapters(this.id())))
    },
    "guid" => this.0.item().guid.as_deref().unwrap_or(this.id()),
    "slug" => &this.0.shown.entry.segment,
    "status" => this.0.shown.entry.status.as_str(),
    "is_audio" => this.is(Category::Audio),
    "is_video" => this.is(Category::Video),
    "is_image" => this.is(Category::Image),
    "is_document" => this.is(Category::Document),
    "is_external_url" => view::link(this.0.item()).is_some(),
    "is_untitled" => this.0.item().title.is_empty(),
    "excerpt_text" => this.excerpt(),
    "external_host" => {
        let item = this.0.item();
        view::external_url(item).and_then(host)
    },
    "image" => this.0.item().image.as_ref().map(|image| Data::object(ImageData(image))),
    "attachment" => this.0.attachment().map(|attachment| {
        let cover = this.0.item().image.as_ref();
        Data::object(AttachmentData { attachment, cover })
    }),
    "size_text" => this.0.attachment().and_then(|one| one.size_in_bytes).map(text::size),
    "duration_text" => this.seconds().map(text::clock),
    "duration_hhmmss" => this.seconds().map(text::hhmmss),
    "date_published_ms" => this.0.item().date_published.map(|date| date.as_millisecond()),
    "date_published_short" => this.0.date_published_short(),
    "date_updated_short" => this.date_updated_short(),
    "authors" => {
        let authors = &this.0.item().authors;
        (!authors.is_empty()).then(|| each(authors, |author| {
            Data::object(AuthorData { author, has_type: true, fills_url: true })
        }))
    },
    "tags" => this.tags(),
    "seo" => seo(&this.0.item().seo),
    "podcast" => Data::object(PodcastData(this.0)),
    "itunes:title" => this.0.item().itunes.title.as_deref(),
    "itunes:block" => this.0.item().itunes.block.then_some(true),
    "itunes:explicit" => this.0.item().itunes.explicit,
    "itunes:season" => numbers(this.0.item()).season,
    "itunes:episode" => numbers(this.0.item()).episode,
    "itunes:episodeType" => this.0.item().itunes.episode_type.map(|kind| kind.as_str()),
    "copyright" => Data::default(),
});

fn host(address: &str) -> Option<&str> {
    let rest = address.split_once("://")?.1;
    let host = rest.split(['/', '?', '#']).next()?.rsplit('@').next()?;
    Some(host.strip_prefix("www.").unwrap_or(host))
}

struct AttachmentData<'a> {
    attachment: &'a Attachment,
    cover: Option<&'a Image>,
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
    "file_name" => this.file_name(),
    "width" => this.attachment.dimensions.map(|(width, _)| width),
    "height" => this.attachment.dimensions.map(|(_, height)| height),
    "alt" => {
        let cover = this.cover.filter(|_| this.attachment.category == Category::Image);
        cover.and_then(|cover| cover.alt.as_deref())
    },
});
