//! `upcoming_events`: the next events of the calendars, for templates.

use std::collections::HashSet;

use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_64;

use crate::model::calendar::{EventSpan, EventTime};
use crate::model::podcast::LiveStatus;
use crate::render::text;
use crate::site::calendar::{CalendarEntry, Occurrence};
use crate::site::{Snapshot, paths};

/// The next events of the calendars, as templates read them.
#[derive(Debug)]
pub struct Upcoming {
    /// The events for templates, in the order of their starts.
    pub events: Value,
    /// The next occurrence of each event and series in schema.org's terms.
    pub graph: Vec<Value>,
    /// Changes when anything in the list does.
    pub fingerprint: u64,
}

impl Upcoming {
    pub fn of(snapshot: &Snapshot) -> Self {
        let next = snapshot.calendars.upcoming(snapshot.now);
        let events: Value = next
            .iter()
            .map(|(entry, one)| event(snapshot, entry, one))
            .collect();
        let mut told = HashSet::new();
        let graph: Vec<Value> = next
            .iter()
            .filter(|(entry, one)| told.insert((&entry.calendar.id, &one.series.id)))
            .map(|(entry, one)| super::json_ld::event(snapshot, entry, one))
            .collect();
        let text = format!("{events}{}", Value::from(graph.clone()));
        Self {
            fingerprint: xxh3_64(text.as_bytes()),
            events,
            graph,
        }
    }
}

fn event(snapshot: &Snapshot, entry: &CalendarEntry, occurrence: &Occurrence) -> Value {
    let (event, calendar, span) = (&occurrence.event, &entry.calendar, &occurrence.span);
    let zone = entry.zone();
    let end = span.closed();
    let status = occurrence.live_status(zone, snapshot.now);
    let clock = match &span.start {
        EventTime::Moment(start) => start.time_zone(),
        EventTime::Day(_) => zone,
    };
    json!({
        "id": occurrence.id(),
        "calendar": { "id": calendar.id.as_str(), "summary": calendar.summary },
        "summary": event.summary.as_deref().unwrap_or(&calendar.summary),
        "description_html": Some(&event.content.body().html).filter(|html| !html.is_empty()),
        "description_text": Some(&event.content.body().text).filter(|text| !text.is_empty()),
        "location": event.location,
        "status": event.status().as_str(),
        "start": text::iso_8601(&span.start),
        "end": text::iso_8601(&end),
        "start_ms": span.start.instant(zone).as_millisecond(),
        "end_ms": end.instant(zone).as_millisecond(),
        "is_all_day": occurrence.is_all_day(),
        "time_zone": clock.iana_name(),
        "date_short": day(&span.start),
        "time_short": time(&span.start, true),
        "range_text": range(span),
        "is_live_show": status.is_some(),
        "is_live_now": status == Some(LiveStatus::Live),
        "live_status": status.map(LiveStatus::as_str),
        "url": event.url(),
        "is_recurring": occurrence.is_recurring(),
        "ics_url": snapshot.config.url(&paths::calendar(calendar.id.as_str())),
    })
}

/// Its day for people, on the clock of its own zone.
fn day(time: &EventTime) -> String {
    match time {
        EventTime::Day(day) => text::short_day(*day),
        EventTime::Moment(moment) => text::short_day(moment.date()),
    }
}

/// Its time for people: `20:00 CET`. None for a day.
fn time(time: &EventTime, with_zone: bool) -> Option<String> {
    let EventTime::Moment(moment) = time else {
        return None;
    };
    let form = if with_zone { "%H:%M %Z" } else { "%H:%M" };
    Some(moment.strftime(form).to_string())
}

/// From when to when, for people: `Fri Nov 20 2026, 20:00–22:00 CET`, `Thu Dec 24 2026 – Sat Dec 26 2026`.
fn range(span: &EventSpan) -> String {
    let start = day(&span.start);
    let (EventTime::Moment(first), EventTime::Moment(end)) = (&span.start, &span.closed()) else {
        let last = match span.closed() {
            EventTime::Day(after) => EventTime::Day(after.yesterday().unwrap_or(after)),
            moment => moment,
        };
        return match day(&last) {
            last if last == start => start,
            last => format!("{start} – {last}"),
        };
    };
    // Both times are on the clock of the start.
    let end = EventTime::Moment(end.with_time_zone(first.time_zone().clone()));
    let has_end = span.end.as_ref().is_some_and(|end| *end != span.start);
    let with_day =
        |at: &EventTime, zone| format!("{}, {}", day(at), time(at, zone).unwrap_or_default());
    if !has_end {
        with_day(&span.start, true)
    } else if day(&end) == start {
        let until = time(&end, true).unwrap_or_default();
        format!("{}–{until}", with_day(&span.start, false))
    } else {
        format!(
            "{} – {}",
            with_day(&span.start, false),
            with_day(&end, true)
        )
    }
}
