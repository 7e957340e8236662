//! A request to the calendar API, and a call that operates on one calendar.

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

/// A request with a key that may read calendars.
pub struct CalendarRequest<'a> {
    pub app: &'a App,
    pub tracker: &'a EventTracker,
    pub key: &'a Key,
    pub query: &'a Query,
    pub moment: &'a Moment,
    /// The values of the path parameters.
    pub names: PathNames,
}

impl CalendarRequest<'_> {
    pub fn calendars(&self) -> &Calendars {
        &self.moment.site.snapshot.calendars
    }

    /// Returns the access of the key to a calendar. Returns None if the calendar is hidden from the
    /// key.
    pub fn sight(&self, entry: &CalendarEntry) -> Option<CalendarAccess> {
        CalendarAccess::of(self.key, self.calendars(), entry)
    }

    /// Returns the call for the calendar in the path.
    pub fn call(&self) -> Result<CalendarCall<'_>, ApiError> {
        let (id, calendars) = (self.names.get("calendar"), self.calendars());
        let entry = calendars.find(id);
        let is_plain = entry.is_some() || calendars.all.is_empty();
        let found = entry.and_then(|entry| Some((entry, self.sight(entry)?)));
        let (entry, sight) = found.ok_or_else(|| calendar_not_found(id, is_plain))?;
        let tracked =
            self.tracker.advance_to(&self.app.state, self.app.live.root(), self.moment)?;
        Ok(CalendarCall { app: self.app, query: self.query, calendars, entry, sight, tracked })
    }
}

/// Returns a 404: the calendar does not exist or is hidden from the key. If `is_plain` is false,
/// the message for a missing primary calendar explains how to mark a calendar as primary.
fn calendar_not_found(id: &str, is_plain: bool) -> ApiError {
    ApiError::not_found(match id == CalendarId::PRIMARY && !is_plain {
        true => format!(
            "no calendar is marked as primary: write `primary = true` in the {} of a calendar",
            Calendar::FILE
        ),
        false => format!("calendar not found: {id:?}"),
    })
}

/// A call on one calendar, with the key's access to that calendar.
pub struct CalendarCall<'a> {
    pub app: &'a App,
    pub query: &'a Query,
    pub calendars: &'a Calendars,
    pub entry: &'a CalendarEntry,
    /// The key's access to the calendar.
    pub sight: CalendarAccess,
    pub tracked: Arc<TrackedEvents>,
}

impl CalendarCall<'_> {
    pub fn calendar(&self) -> &CalendarId {
        &self.entry.calendar.id
    }

    /// Returns the calendar's events at an earlier state of the ledger, and the ids of the events
    /// that have changed since then.
    pub fn events_at(&self, serial: i64) -> Result<(Arc<Events>, BTreeSet<Arc<str>>), ApiError> {
        self.tracked.events_at(&self.app.state, self.calendar().as_str(), serial)
    }

    /// Returns the part of an event that is visible to the key, or None if the event is hidden.
    pub fn visible(&self, record: &Record) -> Option<VisiblePart> {
        self.sight.of_event(record.is_public())
    }

    /// Returns whether any part of an event, or of its exceptions, is visible to the key.
    pub fn has_visible_part(&self, entry: &LedgerEvent) -> bool {
        let mut exceptions = entry.exceptions.iter();
        self.visible(&entry.own).is_some()
            || exceptions.any(|one| self.visible(&one.record).is_some())
    }

    /// Returns the format for the events in this call's answer.
    pub fn style(&self, ask: &ListRequest) -> EventStyle {
        let zone = ask.zone.as_ref().unwrap_or(&self.entry.calendar.time_zone);
        EventStyle { zone: zone.clone(), max_attendees: ask.max_attendees }
    }

    /// Returns the visible part of a list entry as JSON, or None if the entry is hidden.
    pub fn resource_json(&self, style: &EventStyle, item: &ListEntry) -> Option<Value> {
        self.visible(&item.record).map(|visible| style.event(item, visible))
    }
}
