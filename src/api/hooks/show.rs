//! Finds the show that a hook is about.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::payload::Meeting;
use model::calendar::{Event, EventStatus, Live};
use model::podcast::LiveStatus;
use model::{AppId, ItemId};
use site::calendar::{CalendarEntry, Calendars, Occurrence};

/// Maximum time between a show and a matching meeting that took place before or after the show.
const MATCH_WINDOW: SignedDuration = SignedDuration::from_hours(3);

/// Maximum time between a show that is still live and a matching meeting whose start is unknown.
const MAX_OVERRUN: SignedDuration = SignedDuration::from_hours(12);

/// Maximum number of shows to examine in each calendar around a given time.
const MAX_SHOWS: usize = 100;

/// A live show: one occurrence of an event.
#[derive(Debug, Clone)]
pub struct Show<'s> {
    pub calendar: &'s CalendarEntry,
    /// The event and the time of this occurrence.
    pub occurrence: Occurrence,
}

impl<'s> Show<'s> {
    /// Finds the show that matches an app's meeting. `previous_key` is the [`key`](Self::key) of
    /// the show that the same session matched earlier. `at` is the time of the meeting.
    pub fn find(
        calendars: &'s Calendars,
        app: &AppId,
        meeting: &Meeting,
        at: Timestamp,
        previous_key: Option<&str>,
    ) -> Option<Self> {
        let same = previous_key.and_then(|key| Self::from_key(calendars, key));
        let same = same.filter(|show| is_event_of_app(app, &show.occurrence.event));
        if same.is_some() {
            return same;
        }
        let calendars = calendars.all.iter();
        let shows = calendars.flat_map(|calendar| Self::candidates(calendar, app, at));
        let ranked = shows.filter_map(|show| Some((show.rank(meeting, at)?, show)));
        let best = ranked.min_by(|a, b| a.0.cmp(&b.0));
        best.map(|(_, show)| show)
    }

    /// Returns a key that is unique in the site.
    pub fn key(&self) -> String {
        let calendar = &self.calendar.calendar.id;
        format!("{calendar}/{}", self.occurrence.id())
    }

    fn from_key(calendars: &'s Calendars, key: &str) -> Option<Self> {
        let (calendar, id) = key.split_once('/')?;
        let calendar = calendars.find(calendar)?;
        let occurrence = calendar.occurrence(id)?;
        Some(Self { calendar, occurrence })
    }

    /// Returns an app's shows around a given time. Also returns all of the app's exceptions and
    /// non-recurring events, because they can specify the meeting.
    fn candidates(
        calendar: &'s CalendarEntry,
        app: &AppId,
        at: Timestamp,
    ) -> impl Iterator<Item = Self> {
        let from = at.checked_sub(MATCH_WINDOW).unwrap_or(Timestamp::MIN);
        let until = at.checked_add(MATCH_WINDOW).unwrap_or(Timestamp::MAX);
        let is_its = |event: &Event| is_event_of_app(app, event);
        let near = calendar.between(from, until, MAX_SHOWS, &is_its);
        let own = calendar.series.iter();
        let own =
            own.flat_map(|series| series.single().into_iter().chain(series.changed_instances()));
        let own = own.filter(move |one| is_event_of_app(app, &one.event));
        near.into_iter().chain(own).map(move |occurrence| Self { calendar, occurrence })
    }

    /// Returns the `live` table of the event.
    pub fn live(&self) -> Option<&Live> {
        self.occurrence.event.live.as_ref()
    }

    /// Returns how well the show matches a meeting, or None if it does not match. A smaller value
    /// is a better match.
    fn rank(&self, meeting: &Meeting, at: Timestamp) -> Option<impl Ord + use<>> {
        let live = self.live()?;
        let names_it = match &live.meeting {
            Some(id) if *id == meeting.id => true,
            Some(_) => return None,
            None => false,
        };
        let distance = self.distance(at);
        let is_on = live.status == Some(LiveStatus::Live) && self.has_file();
        let fit = match () {
            () if names_it && self.has_own_meeting() => 0,
            () if distance < MATCH_WINDOW && names_it => 1,
            () if distance < MATCH_WINDOW => 2,
            () if distance < MAX_OVERRUN && is_on && meeting.started.is_none() => 3,
            () => return None,
        };
        Some((fit, distance, self.occurrence.order(self.zone())))
    }

    /// Returns whether the event itself specifies a meeting, instead of inheriting the meeting from
    /// its series.
    fn has_own_meeting(&self) -> bool {
        let meeting = |live: &Option<Live>| live.as_ref().and_then(|live| live.meeting.clone());
        let own = meeting(&self.occurrence.event.live);
        self.occurrence.original.is_none() || own != meeting(&self.occurrence.series.live)
    }

    /// Returns whether the show has a separate file: a non-recurring event, or an exception of a
    /// series.
    pub fn has_file(&self) -> bool {
        self.occurrence.original.is_none()
            || self.occurrence.event.source != self.occurrence.series.source
    }

    /// Returns the id of the draft item written for the show.
    pub fn item(&self) -> Option<&ItemId> {
        // An item specified by a series does not belong to a single show.
        let live = self.live().filter(|_| self.has_file());
        live.and_then(|live| live.item.as_ref())
    }

    /// Returns whether the show's stream is audio only.
    pub fn is_audio_only(&self) -> bool {
        let stream = self.live().and_then(|live| live.enclosure.as_ref());
        stream.is_some_and(|stream| stream.media_type.starts_with("audio/"))
    }

    /// Returns the time between `at` and the show. Returns zero if `at` is during the show.
    fn distance(&self, at: Timestamp) -> SignedDuration {
        let before = self.start().duration_since(at);
        let after = at.duration_since(self.occurrence.end(self.zone()));
        before.max(after).max(SignedDuration::ZERO)
    }

    pub fn start(&self) -> Timestamp {
        self.occurrence.start(self.zone())
    }

    /// Returns the time zone of the show's calendar.
    pub fn zone(&self) -> &TimeZone {
        &self.calendar.calendar.time_zone
    }
}

/// Returns whether an event belongs to this app and is not cancelled.
fn is_event_of_app(app: &AppId, event: &Event) -> bool {
    let own = event.live.as_ref().and_then(|live| live.app.as_deref());
    own == Some(app.as_str()) && event.status() != EventStatus::Cancelled
}
