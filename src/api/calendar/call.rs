//! A call of an operation on one calendar.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::Value;

use super::access::{CalendarAccess, VisiblePart};
use super::error::Fault;
use super::event_tracker::{Events, TrackedEvents};
use super::list_entries::ListEntry;
use super::list_request::ListRequest;
use super::query::Query;
use super::record::{LedgerEvent, Record};
use super::resource::EventStyle;
use crate::model::calendar::CalendarId;
use crate::server::App;
use crate::site::calendar::{CalendarEntry, Calendars};

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
    pub fn events_at(&self, serial: i64) -> Result<(Arc<Events>, BTreeSet<Arc<str>>), Fault> {
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
