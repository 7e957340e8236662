//! `upcoming_events`: the next events of the calendars, for templates.

use serde_json::{Value, json};

use crate::model::Config;
use crate::model::calendar::{EventSpan, EventTime};
use crate::model::podcast::LiveStatus;
use crate::render::inputs::{Upcoming, UpcomingEvent};
use crate::render::text;
use crate::site::paths;

/// The events for templates, in the order of their starts.
pub fn events(config: &Config, upcoming: &Upcoming) -> Value {
    let events = upcoming.events.iter();
    events.map(|one| event(config, one)).collect()
}

fn event(config: &Config, upcoming: &UpcomingEvent) -> Value {
    let UpcomingEvent {
        calendar,
        occurrence,
        live_status: status,
        ..
    } = upcoming;
    let (event, span) = (&occurrence.event, &occurrence.span);
    let zone = &calendar.time_zone;
    let end = span.closed();
    let clock = match &span.start {
        EventTime::Moment(start) => start.time_zone(),
        EventTime::Day(_) => zone,
    };
    let body = event.content.body();
    json!({
        "id": occurrence.id(),
        "calendar": { "id": calendar.id.as_str(), "summary": calendar.summary },
        "summary": event.summary.as_deref().unwrap_or(&calendar.summary),
        "description_html": Some(&body.html).filter(|html| !html.is_empty()),
        "description_text": Some(&body.text).filter(|text| !text.is_empty()),
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
        "is_live_now": *status == Some(LiveStatus::Live),
        "live_status": status.map(LiveStatus::as_str),
        "url": event.url(),
        "is_recurring": occurrence.is_recurring(),
        "ics_url": config.url(&paths::calendar(calendar.id.as_str())),
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
