//! A request, and the calendar that it is about.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use super::access::{CalendarAccess, VisiblePart};
use super::event_tracker::{EventTracker, Events, TrackedEvents};
use super::list_entries::ListEntry;
use super::list_request::ListRequest;
use super::query::Query;
use super::record::{LedgerEvent, Record};
use super::resource::EventStyle;
use api_shared::{ApiError, PathNames};
use model::calendar::{Calendar, CalendarId};
use server::{App, Moment};
use site::calendar::{CalendarEntry, Calendars};
use state::Key;

/// A request of a key that may read calendars.
pub struct CalendarRequest<'a> {
    pub app: &'a App,
    pub tracker: &'a EventTracker,
    pub key: &'a Key,
    pub query: &'a Query,
    pub moment: &'a Moment,
    /// The names in the path.
    pub names: PathNames,
}

impl CalendarRequest<'_> {
    pub fn calendars(&self) -> &Calendars {
        &self.moment.site.snapshot.calendars
    }

    /// What the key may see of a calendar. None if it must not know of it.
    pub fn sight(&self, entry: &CalendarEntry) -> Option<CalendarAccess> {
        CalendarAccess::of(self.key, self.calendars(), entry)
    }

    /// The call on the calendar that the path names.
    pub fn call(&self) -> Result<CalendarCall<'_>, ApiError> {
        let (id, calendars) = (self.names.get("calendar"), self.calendars());
        let entry = calendars.find(id);
        let is_plain = entry.is_some() || calendars.all.is_empty();
        let found = entry.and_then(|entry| Some((entry, self.sight(entry)?)));
        let (entry, sight) = found.ok_or_else(|| missing(id, is_plain))?;
        let tracked = self.tracker.follow(&self.app.state, self.app.live.root(), self.moment)?;
        Ok(CalendarCall { app: self.app, query: self.query, calendars, entry, sight, tracked })
    }
}

/// 404: a calendar does not exist or is hidden from the key. `is_plain`: marking a calendar as primary would
/// not help.
fn missing(id: &str, is_plain: bool) -> ApiError {
    ApiError::not_found(match id == CalendarId::PRIMARY && !is_plain {
        true => format!(
            "no calendar is marked as primary: write `primary = true` into the {} of one",
            Calendar::FILE
        ),
        false => format!("there is no calendar {id:?}"),
    })
}

/// A call, with its calendar and what its key may see of it.
pub struct CalendarCall<'a> {
    pub app: &'a App,
    pub query: &'a Query,
    pub calendars: &'a Calendars,
    pub entry: &'a CalendarEntry,
    /// What the key may see of the calendar.
    pub sight: CalendarAccess,
    pub tracked: Arc<TrackedEvents>,
}

impl CalendarCall<'_> {
    pub fn calendar(&self) -> &CalendarId {
        &self.entry.calendar.id
    }

    /// The calendar's events at a state of the ledger, and the ids of those that changed since.
    pub fn events_at(&self, serial: i64) -> Result<(Arc<Events>, BTreeSet<Arc<str>>), ApiError> {
        self.tracked.events_at(&self.app.state, self.calendar().as_str(), serial)
    }

    /// The part of an event that the key sees. None if the event is hidden.
    pub fn seen(&self, record: &Record) -> Option<VisiblePart> {
        self.sight.of_event(record.is_public())
    }

    /// Whether the key sees anything of an event or of its instances.
    pub fn sees_any(&self, entry: &LedgerEvent) -> bool {
        let mut exceptions = entry.exceptions.iter();
        self.seen(&entry.own).is_some() || exceptions.any(|one| self.seen(&one.record).is_some())
    }

    /// How this call wants events to be written.
    pub fn style(&self, ask: &ListRequest) -> EventStyle {
        let zone = ask.zone.as_ref().unwrap_or(&self.entry.calendar.time_zone);
        EventStyle { zone: zone.clone(), max_attendees: ask.max_attendees }
    }

    /// An entry of a list as the key sees it. None if it is hidden.
    pub fn shown(&self, style: &EventStyle, item: &ListEntry) -> Option<Value> {
        self.seen(&item.record).map(|seen| style.event(item, seen))
    }
}
