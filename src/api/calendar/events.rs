//! `events/{eventId}`: returns one event, or one instance of a series.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use serde_json::Value;

use super::call::CalendarCall;
use super::list_entries::ListEntry;
use super::list_request::ListRequest;
use super::record::LedgerEvent;
use api_shared::ApiError;
use model::calendar::EventTime;
use model::rfc3339;
use site::calendar::{span_at, starts};

/// Returns an event by id. A deleted event is shown as cancelled while the ledger keeps it.
pub fn event(call: &CalendarCall<'_>, id: &str) -> Result<Value, ApiError> {
    let style = call.style(&ListRequest::parse(call.query)?);
    let events = call.tracked.events(call.calendar().as_str());
    let item = match events.get(id) {
        Some(entry) => Some(whole_entry(entry)),
        None => id
            .rsplit_once('_')
            .and_then(|(series, original)| instance(events.get(series)?, original)),
    };
    item.and_then(|item| call.resource_json(&style, &item)).ok_or_else(|| event_not_found(id))
}

/// Returns a 404: the event does not exist, or the key must not see it.
pub fn event_not_found(id: &str) -> ApiError {
    ApiError::not_found(format!("event not found: {id:?}"))
}

/// Returns whether `text` is the planned start of an instance, in any format that clients send.
pub fn has_original_start(item: &ListEntry, text: &str) -> bool {
    let Some(original) = &item.original else {
        return false;
    };
    match original {
        EventTime::Day(day) => text == day.to_string() || text == original.compact(),
        EventTime::Moment(moment) => {
            let at = rfc3339::instant(text);
            text == original.compact() || at == Some(moment.timestamp())
        }
    }
}

fn whole_entry(entry: &Arc<LedgerEvent>) -> ListEntry {
    ListEntry {
        entry: Arc::clone(entry),
        record: Arc::clone(&entry.own),
        original: None,
        span: entry.own.span.clone(),
    }
}

/// Returns the instance of a series with this planned start. `original` is in compact form, such as
/// `20261120T200000Z`.
fn instance(entry: &Arc<LedgerEvent>, original: &str) -> Option<ListEntry> {
    let zone = &entry.zone;
    let mut changed_instances = entry.changed_instances();
    if let Some((_, one)) = changed_instances.find(|(_, one)| one.original.compact() == original) {
        return Some(ListEntry {
            entry: Arc::clone(entry),
            record: Arc::clone(&one.record),
            original: Some(one.original.clone()),
            span: one.record.span.clone(),
        });
    }
    let first = &entry.own.span;
    let start = starts(first, entry.recurrence.as_ref()?, zone, instant(original, zone)?).next()?;
    (start.compact() == original).then(|| ListEntry {
        entry: Arc::clone(entry),
        record: Arc::clone(&entry.own),
        span: span_at(first, entry.recurrence.as_ref(), start.clone()),
        original: Some(start),
    })
}

/// Parses a date or time in compact form.
fn instant(compact: &str, zone: &TimeZone) -> Option<Timestamp> {
    match compact.strip_suffix('Z') {
        Some(time) => {
            let time = DateTime::strptime("%Y%m%dT%H%M%S", time).ok()?;
            TimeZone::UTC.to_timestamp(time).ok()
        }
        None => {
            let day = Date::strptime("%Y%m%d", compact).ok()?;
            Some(EventTime::Day(day).instant(zone))
        }
    }
}
