//! Which show a hook is about.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::payload::Meeting;
use crate::model::calendar::{Event, EventStatus, Live};
use crate::model::podcast::LiveStatus;
use crate::model::{AppId, ItemId};
use crate::site::calendar::{CalendarEntry, Calendars, Occurrence};

/// How long before its start and after its end a show is what a meeting of its app is.
const AROUND: SignedDuration = SignedDuration::from_hours(3);

/// How long after its end a show that is still on is what a meeting of its app is, where nothing tells
/// when that meeting began.
const OVERRUN: SignedDuration = SignedDuration::from_hours(12);

/// Most shows of a calendar that are looked at around one moment.
const MOST: usize = 100;

/// A live show: one time at which an event takes place.
#[derive(Debug, Clone)]
pub struct Show<'s> {
    pub calendar: &'s CalendarEntry,
    /// The event, and when.
    pub occurrence: Occurrence,
}

impl<'s> Show<'s> {
    /// The show that an app's meeting is. `remembered` is the [`key`](Self::key) of the one that the
    /// same session was before; `at` is when the meeting took place.
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

    /// What tells it from all other shows of the site.
    pub fn key(&self) -> String {
        let calendar = &self.calendar.calendar.id;
        format!("{calendar}/{}", self.occurrence.id())
    }

    fn of_key(calendars: &'s Calendars, key: &str) -> Option<Self> {
        let (calendar, id) = key.split_once('/')?;
        let calendar = calendars.find(calendar)?;
        let occurrence = calendar.occurrence(id)?;
        Some(Self {
            calendar,
            occurrence,
        })
    }

    /// The shows of an app around a moment, and those of a single event or an instance of its own, which
    /// may name their meeting, whenever they are.
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
        near.into_iter().chain(own).map(move |occurrence| Self {
            calendar,
            occurrence,
        })
    }

    /// What is said of the show beside the event.
    pub fn live(&self) -> Option<&Live> {
        self.occurrence.event.live.as_ref()
    }

    /// How well it fits a meeting: the least fits best. None where it does not.
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

    /// Whether its meeting is that of this show alone, and not of all of a series.
    fn names_its_own(&self) -> bool {
        let meeting = |live: &Option<Live>| live.as_ref().and_then(|live| live.meeting.clone());
        let own = meeting(&self.occurrence.event.live);
        self.occurrence.original.is_none() || own != meeting(&self.occurrence.series.live)
    }

    /// Whether a file is about this show alone: a single event's, or that of an instance that differs.
    pub fn has_file(&self) -> bool {
        self.occurrence.original.is_none()
            || self.occurrence.event.source != self.occurrence.series.source
    }

    /// The item that was left for its author.
    pub fn item(&self) -> Option<&ItemId> {
        // What a series names is of none of its shows.
        let live = self.live().filter(|_| self.has_file());
        live.and_then(|live| live.item.as_ref())
    }

    /// Whether it is one to listen to: its stream is sound alone.
    pub fn is_sound(&self) -> bool {
        let stream = self.live().and_then(|live| live.enclosure.as_ref());
        stream.is_some_and(|stream| stream.media_type.starts_with("audio/"))
    }

    /// How far a moment is from the show: none while it goes on.
    fn distance(&self, at: Timestamp) -> SignedDuration {
        let before = self.start().duration_since(at);
        let after = at.duration_since(self.occurrence.end(self.zone()));
        before.max(after).max(SignedDuration::ZERO)
    }

    /// When it starts.
    pub fn start(&self) -> Timestamp {
        self.occurrence.start(self.zone())
    }

    /// The zone of its calendar.
    pub fn zone(&self) -> &TimeZone {
        &self.calendar.calendar.time_zone
    }
}

/// Whether it is a show that the app tells of. Nothing is told of one that was called off.
fn is_of(app: &AppId, event: &Event) -> bool {
    let own = event.live.as_ref().and_then(|live| live.app.as_deref());
    own == Some(app.as_str()) && event.status() != EventStatus::Cancelled
}
