//! Finds the show that a hook is about.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::payload::Meeting;
use model::calendar::{Event, EventStatus, Live};
use model::podcast::LiveStatus;
use model::{AppId, ItemId};
use site::calendar::{CalendarEntry, Calendars, Occurrence};

/// How long before its start and after its end a show can be matched with a meeting of its app.
const AROUND: SignedDuration = SignedDuration::from_hours(3);

/// How long after its end a running show can be matched with a meeting whose start is unknown.
const OVERRUN: SignedDuration = SignedDuration::from_hours(12);

/// Most shows of a calendar that are examined around one moment.
const MOST: usize = 100;

/// A live show: one time at which an event takes place.
#[derive(Debug, Clone)]
pub struct Show<'s> {
    pub calendar: &'s CalendarEntry,
    /// The event and its time.
    pub occurrence: Occurrence,
}

impl<'s> Show<'s> {
    /// The show of an app's meeting. `remembered` is the [`key`](Self::key) of the show that the same
    /// session was matched with before. `at` is the time of the meeting.
    pub fn find(
        calendars: &'s Calendars,
        app: &AppId,
        meeting: &Meeting,
        at: Timestamp,
        remembered: Option<&str>,
    ) -> Option<Self> {
        let same = remembered.and_then(|key| Self::of_key(calendars, key));
        let same = same.filter(|show| is_of(app, &show.occurrence.event));
        if same.is_some() {
            return same;
        }
        let calendars = calendars.all.iter();
        let shows = calendars.flat_map(|calendar| Self::candidates(calendar, app, at));
        let ranked = shows.filter_map(|show| Some((show.rank(meeting, at)?, show)));
        let best = ranked.min_by(|a, b| a.0.cmp(&b.0));
        best.map(|(_, show)| show)
    }

    /// A key that is unique in the site.
    pub fn key(&self) -> String {
        let calendar = &self.calendar.calendar.id;
        format!("{calendar}/{}", self.occurrence.id())
    }

    fn of_key(calendars: &'s Calendars, key: &str) -> Option<Self> {
        let (calendar, id) = key.split_once('/')?;
        let calendar = calendars.find(calendar)?;
        let occurrence = calendar.occurrence(id)?;
        Some(Self { calendar, occurrence })
    }

    /// The shows of an app around a moment. Also all single events and exceptions at any time, since
    /// they may name their meeting.
    fn candidates(
        calendar: &'s CalendarEntry,
        app: &AppId,
        at: Timestamp,
    ) -> impl Iterator<Item = Self> {
        let from = at.checked_sub(AROUND).unwrap_or(Timestamp::MIN);
        let until = at.checked_add(AROUND).unwrap_or(Timestamp::MAX);
        let is_its = |event: &Event| is_of(app, event);
        let near = calendar.between(from, until, MOST, &is_its);
        let own = calendar.series.iter();
        let own = own.flat_map(|series| series.single().into_iter().chain(series.differing()));
        let own = own.filter(move |one| is_of(app, &one.event));
        near.into_iter().chain(own).map(move |occurrence| Self { calendar, occurrence })
    }

    /// The `live` table of the event.
    pub fn live(&self) -> Option<&Live> {
        self.occurrence.event.live.as_ref()
    }

    /// How well it fits a meeting: the least fits best. None if it does not fit.
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
            () if names_it && self.names_its_own() => 0,
            () if distance < AROUND && names_it => 1,
            () if distance < AROUND => 2,
            () if distance < OVERRUN && is_on && meeting.started.is_none() => 3,
            () => return None,
        };
        Some((fit, distance, self.occurrence.order(self.zone())))
    }

    /// Whether it names a meeting of its own, not that of its series.
    fn names_its_own(&self) -> bool {
        let meeting = |live: &Option<Live>| live.as_ref().and_then(|live| live.meeting.clone());
        let own = meeting(&self.occurrence.event.live);
        self.occurrence.original.is_none() || own != meeting(&self.occurrence.series.live)
    }

    /// Whether it has a file of its own: a single event, or an exception of a series.
    pub fn has_file(&self) -> bool {
        self.occurrence.original.is_none()
            || self.occurrence.event.source != self.occurrence.series.source
    }

    /// The draft item that was left for its author.
    pub fn item(&self) -> Option<&ItemId> {
        // An item that a series names belongs to none of its shows.
        let live = self.live().filter(|_| self.has_file());
        live.and_then(|live| live.item.as_ref())
    }

    /// Whether its stream is audio only.
    pub fn is_sound(&self) -> bool {
        let stream = self.live().and_then(|live| live.enclosure.as_ref());
        stream.is_some_and(|stream| stream.media_type.starts_with("audio/"))
    }

    /// How far a moment is from the show. Zero while it runs.
    fn distance(&self, at: Timestamp) -> SignedDuration {
        let before = self.start().duration_since(at);
        let after = at.duration_since(self.occurrence.end(self.zone()));
        before.max(after).max(SignedDuration::ZERO)
    }

    pub fn start(&self) -> Timestamp {
        self.occurrence.start(self.zone())
    }

    /// The zone of its calendar.
    pub fn zone(&self) -> &TimeZone {
        &self.calendar.calendar.time_zone
    }
}

/// Whether an event is a show of this app that is not cancelled.
fn is_of(app: &AppId, event: &Event) -> bool {
    let own = event.live.as_ref().and_then(|live| live.app.as_deref());
    own == Some(app.as_str()) && event.status() != EventStatus::Cancelled
}
