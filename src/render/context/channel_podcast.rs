//! The channel's Podcasting 2.0 tags as templates read them.

use mustache::{Data, object};

use super::parts::json;
use crate::model::podcast::{ChannelPodcast, LiveItem};

/// The channel's `podcast`. Its parts are read in the shape that feeds have them.
pub struct ChannelPodcastData<'a> {
    pub own: &'a ChannelPodcast,
    /// The live shows of the calendars, after the channel's own live items.
    pub shows: &'a [LiveItem],
    /// Whether what themes know is null where it is missing, so that a template does not find an outer one.
    pub is_filled: bool,
}

impl ChannelPodcastData<'_> {
    pub fn is_empty(&self) -> bool {
        self.shows.is_empty() && *self.own == ChannelPodcast::default()
    }

    fn live_items(&self) -> Vec<&LiveItem> {
        self.own.live_items.iter().chain(self.shows).collect()
    }
}

/// A list that is there only if something is in it.
fn list<'a, T: serde::Serialize>(all: &[T]) -> Option<Data<'a>> {
    (!all.is_empty()).then(|| json(&all))
}

object!(impl ChannelPodcastData<'a>, |this| {
    "people" if this.is_filled || !this.own.shared.people.is_empty() => list(&this.own.shared.people),
    "license" if this.is_filled || this.own.shared.license.is_some() => json(&this.own.shared.license),
    "locations" if this.is_filled || !this.own.shared.locations.is_empty() => {
        list(&this.own.shared.locations)
    },
    "funding" if this.is_filled || !this.own.shared.funding.is_empty() => list(&this.own.shared.funding),
    "medium" if this.is_filled || this.own.medium.is_some() => this.own.medium.map(|medium| medium.as_str()),
    "value" if !this.own.shared.value.is_empty() => list(&this.own.shared.value),
    "images" if !this.own.shared.images.is_empty() => list(&this.own.shared.images),
    "srcset" if !this.own.shared.srcset.is_empty() => list(&this.own.shared.srcset),
    "socialInteract" if !this.own.shared.social_interact.is_empty() => {
        list(&this.own.shared.social_interact)
    },
    "chat" if this.own.shared.chat.is_some() => json(&this.own.shared.chat),
    "txt" if !this.own.shared.txt.is_empty() => list(&this.own.shared.txt),
    "guid" if this.own.guid.is_some() => this.own.guid.as_deref(),
    "locked" if this.own.locked.is_some() => json(&this.own.locked),
    "block" if !this.own.block.is_empty() => list(&this.own.block),
    "trailers" if !this.own.trailers.is_empty() => list(&this.own.trailers),
    "updateFrequency" if this.own.update_frequency.is_some() => json(&this.own.update_frequency),
    "podping" if this.own.podping.is_some() => this.own.podping,
    "publisher" if this.own.publisher.is_some() => json(&this.own.publisher),
    "podroll" if !this.own.podroll.is_empty() => list(&this.own.podroll),
    "remoteItems" if !this.own.remote_items.is_empty() => list(&this.own.remote_items),
    "liveItems" if !this.live_items().is_empty() => list(&this.live_items()),
});
