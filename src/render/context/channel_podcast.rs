//! The channel's Podcasting 2.0 tags as templates read them.

use mustache::{Data, object};

use super::feed_shape::{AsData, FeedShape, Shaped};
use crate::model::podcast::{ChannelPodcast, LiveItem};

/// The channel's `podcast`, in the shape that feeds have it.
pub struct ChannelPodcastData<'a> {
    own: Shaped<'a, ChannelPodcast>,
    /// The live shows of the calendars, after the channel's own live items.
    shows: &'a [LiveItem],
    /// Whether what themes know is null where it is missing, so that a template does not find an outer one.
    is_filled: bool,
}

impl<'a> ChannelPodcastData<'a> {
    pub fn of(own: &'a ChannelPodcast, shows: &'a [LiveItem], is_filled: bool) -> Self {
        Self {
            own: Shaped(own),
            shows,
            is_filled,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.shows.is_empty() && *self.own.0 == ChannelPodcast::default()
    }

    fn live_items(&self) -> Data<'a> {
        let (own, shows) = (&self.own.0.live_items, self.shows);
        own.iter().chain(shows).map(AsData::as_data).collect()
    }
}

object!(impl ChannelPodcastData<'a>, |this| {
    "people" if this.is_filled => this.own.0.field("people"),
    "license" if this.is_filled => this.own.0.field("license"),
    "locations" if this.is_filled => this.own.0.field("locations"),
    "funding" if this.is_filled => this.own.0.field("funding"),
    "medium" if this.is_filled => this.own.0.field("medium"),
    "liveItems" if !this.shows.is_empty() => this.live_items(),
} else this.own);
