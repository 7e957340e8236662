//! The feed in template contexts.

use std::borrow::Cow;

use mustache::{Data, object};

use super::channel_podcast::ChannelPodcastData;
use super::parts::{AuthorData, each, seo};
use super::record_data::{Itunes, RecordObject};
use crate::inputs::{Shared, Viewer};
use crate::view;
use model::SubscribeMethod;
use site::paths;

/// The fields of JSON Feed, except `_service` and the items.
pub struct FeedData<'a> {
    pub shared: &'a Shared<'a>,
    /// Whether each author has a `url`, so that a template does not find an outer `url`.
    pub fills_author_url: bool,
}

object!(impl FeedData<'a>, |this| {
    "version" => view::JSON_FEED_VERSION,
    "title" => this.shared.title(),
    "home_page_url" => match &this.shared.channel.homepage_url {
        Some(url) => Data::from(url),
        None => this.shared.config.url("/").into(),
    },
    "feed_url" => this.shared.config.url(&paths::json_feed(1)),
    "next_url" => Data::default(),
    "description" => &this.shared.channel.description_html,
    "icon" => this.shared.channel.icon.as_ref().map(|image| image.url.as_str()),
    "favicon" => this.shared.channel.favicon.as_ref().map(|image| image.url.as_str()),
    "authors" => {
        let (authors, fills_url) = (&this.shared.channel.authors, this.fills_author_url);
        (!authors.is_empty()).then(|| each(authors, move |author| {
            Data::object(AuthorData { author, has_type: false, fills_url })
        }))
    },
    "language" => this.shared.channel.language.as_deref(),
    "expired" if this.shared.channel.expired || this.shared.channel.itunes.complete => true,
    "current_year" => this.shared.year,
});

/// The fields of the channel that JSON Feed does not define.
pub struct FeedExtension<'a> {
    pub shared: &'a Shared<'a>,
    /// The live shows of the calendars.
    pub shows: Option<Viewer<'a>>,
    /// Whether the channel's `podcast` has all keys that themes know.
    pub fills_podcast: bool,
}

impl<'a> FeedExtension<'a> {
    pub fn of(shared: &'a Shared<'a>, shows: Option<Viewer<'a>>, fills_podcast: bool) -> Self {
        Self { shared, shows, fills_podcast }
    }

    pub fn podcast(&self) -> ChannelPodcastData<'a> {
        let shows = self.shows.map_or(&[][..], |shows| shows.items);
        ChannelPodcastData::of(self.shared, shows, self.fills_podcast)
    }
}

object!(impl FeedExtension<'a>, |this| {
    "service_version" => env!("CARGO_PKG_VERSION"),
    "base_url" => &this.shared.config.base_url,
    "description_text" => &this.shared.channel.description_text,
    "categories" => each(&this.shared.channel.categories, |one| Data::object(RecordObject(one))),
    "subscribe_methods" => {
        let methods = view::subscribe_methods(this.shared.config, this.shared.channel).into_iter();
        methods.map(|method| Data::object(SubscribeMethodData(method))).collect::<Data<'a>>()
    },
    "copyright" => view::copyright(this.shared.channel, this.shared.title(), this.shared.year),
    "publisher" if this.shared.channel.publisher.is_some() => {
        this.shared.channel.publisher.as_ref().map(|author| {
            Data::object(AuthorData { author, has_type: true, fills_url: false })
        })
    },
    "seo" if !this.shared.channel.seo.is_empty() => seo(&this.shared.channel.seo),
    "items_sort" => this.shared.config.feed.sort.as_str(),
    "items_order" => this.shared.config.feed.order.as_str(),
    "podcast" if !this.podcast().is_empty() => Data::object(this.podcast()),
} else Itunes { tags: &this.shared.channel.itunes, fills: false });

struct SubscribeMethodData<'a>(Cow<'a, SubscribeMethod>);

object!(impl SubscribeMethodData<'a>, |this| {
    "id" => this.0.id.clone(),
    "name" => this.0.name.clone(),
    "type" => this.0.kind.clone(),
    "url" => this.0.url.clone(),
    "image" if this.0.image.is_some() => this.0.image.clone(),
    "enabled" => this.0.enabled,
    "editable" => this.0.editable,
});

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_subscribe_method_has_its_serialized_fields() {
        let mut method = SubscribeMethod {
            id: "a".into(),
            name: "A".into(),
            kind: "app".into(),
            url: "https://example.com/a".into(),
            image: Some("https://example.com/a.png".into()),
            enabled: true,
            editable: false,
        };
        for image in [method.image.clone(), None] {
            method.image = image;
            let data = Data::object(SubscribeMethodData(Cow::Borrowed(&method)));
            assert_eq!(data.to_json(), serde_json::to_value(&method).unwrap());
        }
    }
}
