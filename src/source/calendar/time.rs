//! When an event is, as its author writes it: a table as clients send it, or a date or time alone.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

use super::super::fields::Fields;
use super::super::value::{Node, Value};
use super::named_zone;
use crate::model::calendar::{EventSpan, EventTime};

const FORM: &str =
    "write a day like 2026-11-20, or a time like 2026-11-20T20:00 with `timeZone` beside it";

/// `start` and `end`. None where there is no start, or it is wrong.
pub fn span(fields: &Fields<'_, '_>, zone: &TimeZone) -> Option<EventSpan> {
    let start = time(fields, "start", zone);
    // An end without a zone is in that of the start.
    let of_start = match &start {
        Some(EventTime::Moment(start)) => start.time_zone().clone(),
        _ => zone.clone(),
    };
    let end = time(fields, "end", &of_start);
    let end = end.filter(|end| start.as_ref().is_none_or(|start| fits(fields, start, end)));
    Some(EventSpan { start: start?, end })
}

/// Whether nothing but the event itself decides when it is: it starts with a day, or names its zone.
pub fn names_zone(fields: &Fields<'_, '_>) -> bool {
    match fields.node("start").map(|node| &node.value) {
        Some(Value::Table(start)) => start.get("timeZone").is_some() || start.get("date").is_some(),
        // A day alone is as short as this.
        Some(Value::String(text) | Value::Plain(_, text)) => text.trim().len() == 10,
        _ => true,
    }
}

/// Whether an end is of the kind of its start, and not before it.
fn fits(fields: &Fields<'_, '_>, start: &EventTime, end: &EventTime) -> bool {
    let span = fields.node("end").map_or(0..0, |node| node.span.clone());
    let (message, help) = match (start, end) {
        (EventTime::Day(start), EventTime::Day(end)) if end < start => (
            "this event ends before it starts",
            "change `start` or `end`",
        ),
        (EventTime::Day(start), EventTime::Day(end)) if end == start => (
            "an event of whole days ends on the day after its last",
            "write the day after as `end`, or leave `end` out for one day",
        ),
        (EventTime::Moment(start), EventTime::Moment(end)) if end < start => (
            "this event ends before it starts",
            "change `start` or `end`",
        ),
        (EventTime::Day(_), EventTime::Moment(_)) | (EventTime::Moment(_), EventTime::Day(_)) => (
            "this event starts with a day and ends with a time, or the other way round",
            "write both as days, or both as times",
        ),
        _ => return true,
    };
    fields.reader.error(&span, message, help);
    false
}

/// A time under a key: a table of `dateTime` and `timeZone`, or of `date`; or the text of either alone.
pub fn time(fields: &Fields<'_, '_>, key: &'static str, zone: &TimeZone) -> Option<EventTime> {
    let node = fields.node(key)?;
    match &node.value {
        Value::Table(table) => fields.within(key, table, |inner| in_table(inner, node, zone)),
        _ => {
            let text = fields.as_string(key, node)?;
            match text
                .trim()
                .parse::<Date>()
                .ok()
                .filter(|_| text.trim().len() == 10)
            {
                Some(day) => Some(EventTime::Day(day)),
                None => moment(fields, key, node, &text, zone, true),
            }
        }
    }
}

fn in_table(fields: &Fields<'_, '_>, node: &Node, zone: &TimeZone) -> Option<EventTime> {
    let own = match fields.node("timeZone") {
        Some(_) => named_zone(fields, "timeZone"),
        None => Some(zone.clone()),
    };
    let (day, time) = (fields.node("date"), fields.node("dateTime"));
    match (day, time) {
        (Some(day), None) => {
            let text = fields.as_string("date", day)?;
            let parsed = text.parse::<Date>().ok().filter(|_| text.len() == 10);
            if parsed.is_none() {
                let message = format!("`{}` is no day: {text:?}", fields.name("date"));
                fields
                    .reader
                    .error(&day.span, message, "write it like 2026-11-20");
            }
            parsed.map(EventTime::Day)
        }
        (None, Some(time)) => {
            let text = fields.as_string("dateTime", time)?;
            moment(fields, "dateTime", time, &text, &own?, false)
        }
        (Some(_), Some(time)) => {
            let message = "an event has a `date` or a `dateTime`, not both";
            fields
                .reader
                .error(&time.span, message, "remove one of the two");
            None
        }
        (None, None) => {
            let message = format!("`{}` is missing", fields.name("dateTime"));
            fields.reader.error(&node.span, message, FORM);
            None
        }
    }
}

/// A moment: with an offset it is an instant, shown on the clock of the zone; without, it is what that
/// clock reads. `alone` where the text stands for the whole time.
fn moment(
    fields: &Fields<'_, '_>,
    key: &str,
    node: &Node,
    text: &str,
    zone: &TimeZone,
    alone: bool,
) -> Option<EventTime> {
    let text = text.trim();
    let spaced = text.replacen(' ', "T", 1);
    let instant = spaced.parse::<Timestamp>().ok();
    let zoned = match instant {
        Some(instant) => Some(instant.to_zoned(zone.clone())),
        // An hour that the clock skips is read with the offset before it, one that it repeats is the
        // first of the two (RFC 5545, section 3.3.5): jiff's way too.
        None => spaced
            .parse::<DateTime>()
            .ok()
            .filter(|_| text.contains(':'))
            .and_then(|civil| civil.to_zoned(zone.clone()).ok()),
    };
    if zoned.is_none() {
        let name = fields.name(key);
        let what = if alone { "day and no time" } else { "time" };
        let message = format!("`{name}` is no {what}: {text:?}");
        fields.reader.error(&node.span, message, FORM);
    }
    zoned.map(EventTime::Moment)
}
