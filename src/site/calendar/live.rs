//! Live shows: their status (pending, live or ended), and which of them are in the feed.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::upcoming::{add_saturating, enters_window_at};
use super::{CalendarEntry, Calendars, Occurrence, Series};
use model::Content;
use model::calendar::{Event, EventStatus, Live};
use model::podcast::{LiveItem, LiveStatus};

/// How long before its start a show enters the feed.
const FEED_LEAD_TIME: SignedDuration = SignedDuration::from_hours(24 * 90);
/// How long a show stays in the feed after its end.
const FEED_TRAILING_TIME: SignedDuration = SignedDuration::from_hours(24);
/// Maximum number of live or recently ended shows of one series. This number allows one show per
/// hour of [`FEED_TRAILING_TIME`].
const MAX_RECENT_SHOWS: usize = 24;

/// One live show with its status.
#[derive(Debug, Clone)]
pub struct Show<'c> {
    pub entry: &'c CalendarEntry,
    pub occurrence: Occurrence,
    pub status: LiveStatus,
}

impl Occurrence {
    /// Returns the status of the occurrence as a live show. Returns `None` for other events.
    ///
    /// A status that the author set for this occurrence takes precedence; otherwise the clock
    /// decides. A show in a realtime app stays pending until the app reports the start, or until
    /// the show's scheduled end.
    pub fn live_status(&self, zone: &TimeZone, now: Timestamp) -> Option<LiveStatus> {
        let live = self.event.live.as_ref()?;
        let is_ended = self.end(zone) <= now;
        let is_started = self.start(zone) <= now;
        Some(match self.written_status(live) {
            Some(status) => status,
            None if is_ended => LiveStatus::Ended,
            None if is_started && live.app.is_none() => LiveStatus::Live,
            None => LiveStatus::Pending,
        })
    }

    /// Returns whether the clock alone decides the status as a live show.
    pub fn is_live_by_clock(&self) -> bool {
        let live = self.event.live.as_ref();
        live.is_some_and(|live| live.app.is_none() && self.written_status(live).is_none())
    }

    /// Returns the status in the event's file. The status of a whole series is ignored, since it
    /// says nothing about an individual show.
    fn written_status(&self, live: &Live) -> Option<LiveStatus> {
        let is_regular = self.original.is_some() && self.event.id == self.series.id;
        live.status.filter(|_| !is_regular)
    }
}

/// Returns whether an event is a public live show that was not cancelled.
fn is_shown_live(event: &Event) -> bool {
    let takes_place = event.status() != EventStatus::Cancelled;
    event.live.is_some() && takes_place && event.visibility().is_public()
}

impl Calendars {
    /// Returns the shows in the feed as live items. `host` is the site's host.
    pub fn live_items(&self, now: Timestamp, host: &str) -> Vec<LiveItem> {
        self.shows(now).iter().map(|show| show.item(host)).collect()
    }

    /// Returns the shows in the feed, ordered by start: all live shows, shows that ended within the
    /// last day, and the next show of each event or series within 90 days.
    pub fn shows(&self, now: Timestamp) -> Vec<Show<'_>> {
        let mut shows: Vec<Show<'_>> = self
            .with_shows()
            .flat_map(|(entry, series)| {
                let found = series.shows(entry.zone(), now).into_iter();
                found.map(|(occurrence, status)| Show { entry, occurrence, status })
            })
            .collect();
        shows.sort_by_cached_key(|show| show.occurrence.order(show.entry.zone()));
        shows
    }

    /// Returns the next time at which [`shows`](Self::shows) changes: when a show starts or ends,
    /// leaves the feed after its end, or enters the feed before its start.
    pub(super) fn next_change_of_shows(&self, now: Timestamp) -> Option<Timestamp> {
        let shows = self.shows(now).into_iter().flat_map(|show| {
            let zone = show.entry.zone();
            let (start, end) = (show.occurrence.start(zone), show.occurrence.end(zone));
            [start, end, add_saturating(end, FEED_TRAILING_TIME)]
        });
        let ahead = add_saturating(now, FEED_LEAD_TIME);
        let coming = self.with_shows().filter_map(|(entry, series)| {
            let zone = entry.zone();
            let later = series.between(
                zone,
                ahead,
                add_saturating(ahead, FEED_LEAD_TIME * 4),
                1,
                &is_shown_live,
            );
            let first = later.iter().map(|occurrence| occurrence.start(zone)).min()?;
            enters_window_at(FEED_LEAD_TIME, first)
        });
        shows.chain(coming).filter(|time| *time > now).min()
    }

    fn with_shows(&self) -> impl Iterator<Item = (&CalendarEntry, &Series)> {
        self.public().flat_map(|entry| {
            let series = entry.series.iter().filter(|series| series.has_shows());
            series.map(move |series| (entry, series.as_ref()))
        })
    }
}

impl Series {
    fn has_shows(&self) -> bool {
        let mut changed_instances = self.exceptions.iter();
        self.event.live.is_some()
            || changed_instances.any(|exception| exception.event.live.is_some())
    }

    fn shows(&self, zone: &TimeZone, now: Timestamp) -> Vec<(Occurrence, LiveStatus)> {
        let shown = &is_shown_live;
        let recent = self.between(
            zone,
            subtract_saturating(now, FEED_TRAILING_TIME),
            just_after(now),
            MAX_RECENT_SHOWS,
            shown,
        );
        let next = self.between(zone, now, add_saturating(now, FEED_LEAD_TIME), 2, shown);
        // A show whose file says that it is live counts as live regardless of its start and end.
        let on = self.single().into_iter().chain(self.changed_instances()).filter(|one| {
            shown(&one.event) && one.live_status(zone, now) == Some(LiveStatus::Live)
        });
        let mut all: Vec<Occurrence> = recent.into_iter().chain(next).chain(on).collect();
        all.sort_by_cached_key(|occurrence| occurrence.order(zone));
        all.dedup_by_key(|occurrence| occurrence.id());
        let mut has_next = false;
        let with_status = all.into_iter().filter_map(|occurrence| {
            let status = occurrence.live_status(zone, now)?;
            Some((occurrence, status))
        });
        with_status
            .filter(|(_, status)| {
                *status != LiveStatus::Pending || !std::mem::replace(&mut has_next, true)
            })
            .collect()
    }

    /// Returns the only occurrence of a single event. Returns `None` for a series.
    pub fn single(&self) -> Option<Occurrence> {
        match self.own()? {
            (span, None) => Some(self.occurrence(&self.event, None, span.clone())),
            (_, Some(_)) => None,
        }
    }
}

impl Show<'_> {
    /// Returns the show as the feed represents it (Podcasting 2.0 `podcast:liveItem`). `host` is
    /// the site's host, as in [`Series::uid`].
    pub fn item(&self, host: &str) -> LiveItem {
        let Self { entry, occurrence, status } = self;
        let event = &occurrence.event;
        let live = event.live.clone().unwrap_or_default();
        let uid = occurrence.uid(host);
        let text = event.content.excerpt(Content::MAX_LEAD);
        LiveItem {
            status: *status,
            start: occurrence.start(entry.zone()),
            end: Some(occurrence.end(entry.zone())),
            title: event.summary.clone().unwrap_or_else(|| entry.calendar.summary.clone()),
            guid: match &occurrence.original {
                Some(original) => format!("{uid}_{}", original.compact()),
                None => uid,
            },
            description: Some(text).filter(|text| !text.is_empty()),
            link: event.url().map(str::to_owned),
            image: live.image,
            authors: live.authors,
            explicit: live.explicit,
            enclosure: live.enclosure,
            podcast: live.podcast,
        }
    }
}

fn subtract_saturating(time: Timestamp, long: SignedDuration) -> Timestamp {
    time.checked_sub(long).unwrap_or(Timestamp::MIN)
}

/// Returns the instant after `time`. Ends of spans are exclusive, so a span until that instant
/// includes occurrences that start at `time`.
fn just_after(time: Timestamp) -> Timestamp {
    add_saturating(time, SignedDuration::from_nanos(1))
}
