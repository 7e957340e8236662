//! The channel's Podcasting 2.0 tags in template contexts.

use mustache::{Data, object};

use super::live_streams;
use super::medium;
use super::podcast_tags::{Overlay, SharedTags};
use super::record_data::RecordObject;
use crate::inputs::Shared;
use model::podcast::{ChannelPodcast, LiveItem, Medium};

/// The channel's `podcast`, with the same structure as in feeds.
pub struct ChannelPodcastData<'a> {
    shared: &'a Shared<'a>,
    own: &'a ChannelPodcast,
    /// The live shows of the calendars, which follow the channel's own live items.
    shows: &'a [LiveItem],
    /// Whether the data is for a page. If so, it also contains labels and links for visitors, and
    /// missing values are null, so that a template does not find an outer value.
    is_filled: bool,
    tags: Overlay<SharedTags<'a>, RecordObject<'a>>,
}

impl<'a> ChannelPodcastData<'a> {
    pub fn of(shared: &'a Shared<'a>, shows: &'a [LiveItem], is_filled: bool) -> Self {
        let own = &shared.channel.podcast;
        let of_page = is_filled.then(|| SharedTags::of_channel(shared, own));
        Self { shared, own, shows, is_filled, tags: Overlay(of_page, RecordObject(own)) }
    }

    pub fn is_empty(&self) -> bool {
        self.shows.is_empty() && *self.own == ChannelPodcast::default()
    }

    fn live_items(&self) -> Data<'a> {
        let (own, shows) = (&self.own.live_items, self.shows);
        own.iter().chain(shows).map(|one| Data::object(RecordObject(one))).collect()
    }
}

object!(impl ChannelPodcastData<'a>, |this| {
    "medium" if this.is_filled => this.own.medium.map(Medium::as_str),
    "medium_text" if this.is_filled => {
        this.own.medium.and_then(|kind| medium::text(kind, this.shared.words))
    },
    "published_by" if this.is_filled => {
        let publisher = this.own.publisher.as_ref();
        publisher.and_then(|publisher| live_streams::named(this.shared, &publisher.remote_item))
    },
    "trailer" if this.is_filled => live_streams::show_trailer(this.shared, &this.own.trailers),
    "streams" if this.is_filled => live_streams::streams(this.shared, &this.own.live_items),
    "recommended" if this.is_filled => live_streams::recommended_podcasts(this.shared, &this.own.podroll),
    "liveItems" if !this.shows.is_empty() => this.live_items(),
} else this.tags);
