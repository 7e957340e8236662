//! Items in template contexts: the fields of the feed, with dates and sizes formatted for readers.

use mustache::{Data, object};

use super::body::LazyBody;
use super::item_extension::ItemExtension;
use super::item_facts::{ItemFacts, Place};
use super::parts::{AuthorData, Loop, each};
use super::picture::shown_address;
use crate::inputs::{attached, images};
use crate::pages::sitemap;
use crate::{text, view};
use model::{Attachment, Category, Item};

/// An item in a template context.
pub struct ItemData<'a> {
    facts: ItemFacts<'a>,
    place: Place,
    extension: Data<'a>,
    body: LazyBody<'a>,
}

impl<'a> ItemData<'a> {
    pub fn of(facts: ItemFacts<'a>, place: Place) -> Data<'a> {
        Data::object(Self {
            facts,
            place,
            extension: ItemExtension::of(facts, place),
            body: LazyBody::of(facts.shared, &facts.item().content, &facts.item().media),
        })
    }

    /// Returns the address of a picture. On pages it is the address of a resized version.
    fn shown(&self, address: &'a str) -> Data<'a> {
        match self.place {
            Place::SiteFile(_) => address.into(),
            Place::Own | Place::Clip(_) | Place::List | Place::Lead => {
                shown_address(self.facts.shared, &self.facts.item().media, address).into()
            }
        }
    }

    fn cover(&self) -> Option<Data<'a>> {
        let (image, media) = self.facts.shown.entry.cover()?;
        Some(match self.place {
            Place::SiteFile(_) => Data::from(&image.url),
            _ => shown_address(self.facts.shared, media, &image.url).into(),
        })
    }

    fn position(&self) -> Option<Loop> {
        match self.place {
            Place::SiteFile(position) => Some(position),
            Place::Own | Place::Clip(_) | Place::List | Place::Lead => None,
        }
    }
}

// A missing value is null, so that a template does not find the feed's value. Only `authors` is
// absent when empty, so that templates find the channel's authors.
object!(impl ItemData<'a>, |this| {
    "id" => this.facts.item().id.as_str(),
    "title" => match this.place {
        Place::List | Place::Lead => this.facts.listed_title(),
        Place::Own | Place::Clip(_) | Place::SiteFile(_) => Data::from(&this.facts.item().title),
    },
    "url" => match &this.facts.item().url {
        Some(url) => Data::from(url),
        None => this.facts.web_url().into(),
    },
    "external_url" => view::external_url(this.facts.item()),
    "content_html" => this.body.html(),
    "content_text" => this.body.text(),
    "summary" => this.facts.item().summary.as_deref(),
    "image" => this.cover(),
    "banner_image" => view::banner_image(this.facts.item()).map(|url| this.shown(url)),
    "date_published" => this.facts.item().date_published.map(text::rfc3339),
    "date_modified" => this.facts.item().date_modified.map(text::rfc3339),
    "authors" if !this.facts.item().authors.is_empty() => {
        each(&this.facts.item().authors, |author| {
            Data::object(AuthorData { author, has_type: false, fills_url: true })
        })
    },
    "tags" => {
        let tags = &this.facts.item().tags;
        (!tags.is_empty()).then(|| each(tags, Data::from))
    },
    "language" => this.facts.item().language.as_deref(),
    "attachments" => {
        let attachment = view::attachment_view(this.facts.item(), None);
        attachment.map(|view| {
            let entry = AttachmentEntry { view, facts: this.facts };
            [Data::object(entry)].into_iter().collect::<Data<'a>>()
        })
    },
    "guid" => Data::default(),
    "description" => Data::default(),
    "_service" => this.extension.clone(),
    "_site" if this.position().is_some() => Data::object(ItemInSiteFile(this.facts)),
    "_loop" if this.position().is_some() => this.position().map(Data::object),
});

/// An entry of `attachments`. Its size is computed when a template asks for it: for a recording
/// with tags it depends on every chapter, and themes read the address once per chapter.
struct AttachmentEntry<'a> {
    view: view::AttachmentView<'a>,
    facts: ItemFacts<'a>,
}

impl AttachmentEntry<'_> {
    fn size_in_bytes(&self) -> Option<u64> {
        // A link to a page has no media type and no size.
        self.view.mime_type.and_then(|_| self.facts.size_in_bytes())
    }
}

object!(impl AttachmentEntry<'a>, |this| {
    "url" => this.view.url,
    "mime_type" if this.view.mime_type.is_some() => this.view.mime_type,
    // Older themes for microfeed read this key.
    "size_in_byte" if this.size_in_bytes().is_some() => this.size_in_bytes(),
    "size_in_bytes" if this.size_in_bytes().is_some() => this.size_in_bytes(),
    "duration_in_seconds" if this.view.duration_in_seconds.is_some() => {
        this.view.duration_in_seconds.and_then(view::seconds)
    },
});

/// Additional data of an item for site files.
struct ItemInSiteFile<'a>(ItemFacts<'a>);

object!(impl ItemInSiteFile<'a>, |this| {
    "web_url" => this.0.web_url(),
    "images" => {
        let urls = images(this.0.item()).into_iter();
        urls.map(|url| Data::from([("url", url.into())])).collect::<Data<'a>>()
    },
    "videos" => {
        let item = this.0.item();
        let videos = attached(item, Category::Video).into_iter();
        videos.map(|attachment| Data::object(VideoData { item, attachment })).collect::<Data<'a>>()
    },
});

struct VideoData<'a> {
    item: &'a Item,
    attachment: &'a Attachment,
}

object!(impl VideoData<'a>, |this| {
    "url" => &this.attachment.url,
    "mime_type" => &this.attachment.mime_type,
    "title" => sitemap::title(this.item),
    "description" => sitemap::description(this.item),
    "thumbnail_url" => sitemap::poster(this.item),
    "duration_in_seconds" => this.attachment.duration_in_seconds,
});
