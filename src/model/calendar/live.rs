//! What makes an event a live show.

use crate::declare::keys;
use crate::podcast::{Enclosure, ItemPodcast, LiveStatus};
use crate::{AUTHORS, Author, Image, ItemId, PICTURE};

keys! {
    /// `live` of an event as a table.
    LIVE {
        /// the show's page
        Optional "link", Address;
        /// the stream, for apps that play it themselves
        Optional "enclosure" or "attachment", Own("file or address, or `{url, type, length}`", &[Plain, Keys(Enclosure::SHAPE)]), listed;
        /// its cover
        Optional "image", PICTURE;
        /// who makes it
        Optional "authors" or "author", AUTHORS, listed;
        /// whether it is explicit
        Optional "explicit", Flag;
        /// the [realtime app](configuration.md#realtime) whose calls say when it is on
        Optional "app", Text(64);
        /// which of the app's meetings it is
        Optional "meeting", Text(64);
        /// where you or a call of the app says so. Without it the clock decides; with an `app` a show waits for the
        /// call
        Optional "status", Word(LiveStatus::NAMES);
        /// the draft item that its recording was left in
        Optional "item", Text(64);
        /// the tags of an episode
        Optional "", Flat(ItemPodcast::SHAPE);
    }
}

/// The `live` table of an event: what a `podcast:liveItem` says beside the event itself.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Live {
    /// Whether the show is pending, live or over, if its author or a webhook says so.
    pub status: Option<LiveStatus>,
    /// The realtime app whose webhooks report its status.
    pub app: Option<String>,
    /// The meeting of that app; None means any meeting at the time of the show.
    pub meeting: Option<String>,
    /// The draft item that its recording was left in.
    pub item: Option<ItemId>,
    pub link: Option<String>,
    pub image: Option<Image>,
    pub authors: Vec<Author>,
    pub explicit: Option<bool>,
    pub enclosure: Option<Enclosure>,
    /// The tags that an item has too, `podcast:contentLink` among them.
    pub podcast: ItemPodcast,
}

impl Live {
    /// The show of one instance with the fields that its file leaves out taken from its series.
    #[must_use]
    pub fn completed_from(&self, series: &Self) -> Self {
        let podcast = if self.podcast == ItemPodcast::default() {
            series.podcast.clone()
        } else {
            self.podcast.clone()
        };
        Self {
            // Not from the series: that one show is over says nothing of the next.
            status: self.status,
            app: self.app.clone().or_else(|| series.app.clone()),
            meeting: self.meeting.clone().or_else(|| series.meeting.clone()),
            // Each show has a recording of its own.
            item: self.item.clone(),
            link: self.link.clone().or_else(|| series.link.clone()),
            image: self.image.clone().or_else(|| series.image.clone()),
            authors: if self.authors.is_empty() {
                series.authors.clone()
            } else {
                self.authors.clone()
            },
            explicit: self.explicit.or(series.explicit),
            enclosure: self.enclosure.clone().or_else(|| series.enclosure.clone()),
            podcast,
        }
    }
}
