//! Live shows: events with the key `live`.

use crate::declare::keys;
use crate::podcast::{Enclosure, ItemPodcast, LiveStatus};
use crate::{AUTHORS, Author, Image, ItemId, PICTURE};

keys! {
    /// `live` of an event, as a table.
    LIVE {
        /// page of the show
        Optional "link", Address;
        /// the stream, for apps that play it directly
        Optional "enclosure" or "attachment", Own("file or address, or `{url, type, length}`", &[Plain, Keys(Enclosure::SHAPE)]), listed;
        /// cover of the show
        Optional "image", PICTURE;
        /// authors of the show
        Optional "authors" or "author", AUTHORS, listed;
        /// whether the show has explicit content
        Optional "explicit", Flag;
        /// the [realtime app](configuration.md#realtime) whose webhooks report when the show is
        /// live
        Optional "app", Text(64);
        /// meeting in the realtime app; by default, any meeting at the time of the show
        Optional "meeting", Text(64);
        /// state of the show, set by you or by a webhook of the app. By default, the start and end
        /// times determine the state; with an `app`, the show stays pending until its end or the
        /// first webhook
        Optional "status", Word(LiveStatus::NAMES);
        /// draft item that contains the recording
        Optional "item", Text(64);
        /// tags of an episode
        Optional "", Flat(ItemPodcast::SHAPE);
    }
}

/// The `live` table of an event: the fields of a `podcast:liveItem` that other events do not have.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Live {
    /// State of the show, if its author or a webhook has set it.
    pub status: Option<LiveStatus>,
    /// Realtime app whose webhooks report the state of the show.
    pub app: Option<String>,
    /// Meeting in the realtime app. None means any meeting at the time of the show.
    pub meeting: Option<String>,
    /// Draft item that contains the recording.
    pub item: Option<ItemId>,
    pub link: Option<String>,
    pub image: Option<Image>,
    pub authors: Vec<Author>,
    pub explicit: Option<bool>,
    pub enclosure: Option<Enclosure>,
    /// Podcast tags that items can have too, including `podcast:contentLink`.
    pub podcast: ItemPodcast,
}

impl Live {
    /// Returns this show with missing fields filled in from its series.
    #[must_use]
    pub fn with_series_defaults(&self, series: &Self) -> Self {
        let podcast = if self.podcast == ItemPodcast::default() {
            series.podcast.clone()
        } else {
            self.podcast.clone()
        };
        Self {
            // The status is not taken from the series: the end of one show does not end the next
            // show.
            status: self.status,
            app: self.app.clone().or_else(|| series.app.clone()),
            meeting: self.meeting.clone().or_else(|| series.meeting.clone()),
            // The recording is not taken from the series: each show has a separate recording.
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
