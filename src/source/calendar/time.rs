//! Readers of an event's times. A time is a table, as calendar clients send it, or a date or time
//! alone.

use front_matter::{Node, Value};
use jiff::civil::{Date, DateTime};
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{Timestamp, Zoned};

use super::super::dates;
use super::super::fields::Fields;
use super::named_zone;
use model::Rule;
use model::calendar::{EventSpan, EventTime};

const FORM: &str = "write a date like 2026-11-20, or a date and time like 2026-11-20T20:00 with `timeZone` next to it";

/// Reads `start` and `end`. If the event has only an `end`, it starts at `default_start`. Returns
/// `None` if the event has neither, or if the start is invalid.
pub fn span(
    fields: &Fields<'_, '_>,
    zone: &TimeZone,
    default_start: Option<&EventTime>,
) -> Option<EventSpan> {
    let start = match (fields.node("start"), fields.node("end")) {
        (None, Some(_)) => default_start.cloned(),
        _ => time(fields, "start", zone),
    };
    // An end without a zone uses the zone of the start.
    let of_start = match &start {
        Some(EventTime::Moment(start)) => start.time_zone().clone(),
        _ => zone.clone(),
    };
    let end = time(fields, "end", &of_start);
    let end = end.filter(|end| start.as_ref().is_none_or(|start| is_valid_end(fields, start, end)));
    Some(EventSpan { start: start?, end })
}

/// Returns whether the event's times are independent of the calendar's time zone: the start is a
/// date, or specifies a zone.
pub fn has_explicit_zone(fields: &Fields<'_, '_>) -> bool {
    match fields.node("start").map(|node| &node.value) {
        Some(Value::Table(start)) => start.get("timeZone").is_some() || start.get("date").is_some(),
        // Only a date without a time is 10 bytes long.
        Some(Value::String(text) | Value::Plain(_, text)) => text.trim().len() == 10,
        _ => true,
    }
}

/// Returns whether an end is valid: of the same kind as the start (a date or a time), and not
/// before the start. Reports an error if the end is invalid.
fn is_valid_end(fields: &Fields<'_, '_>, start: &EventTime, end: &EventTime) -> bool {
    let span = fields.node("end").map_or(0..0, |node| node.span.clone());
    let early = ("this event ends before it starts", "change `start` or `end`");
    let (message, help) = match (start, end) {
        (EventTime::Day(start), EventTime::Day(end)) if end < start => early,
        (EventTime::Moment(start), EventTime::Moment(end)) if end < start => early,
        (EventTime::Day(start), EventTime::Day(end)) if end == start => (
            "the `end` of an all-day event must be the day after its last day",
            "write the day after the last one as `end`, or remove `end` for a single day",
        ),
        (EventTime::Day(_), EventTime::Moment(_)) | (EventTime::Moment(_), EventTime::Day(_)) => (
            "`start` and `end` must both be dates, or both have a time",
            "write both with a time, or both without",
        ),
        _ => return true,
    };
    fields.reader.error(&span, message, help);
    false
}

/// Reads the time of a key: a table of `dateTime` and `timeZone`, a table of `date`, or a string
/// with a date or time.
pub fn time(fields: &Fields<'_, '_>, key: &'static str, zone: &TimeZone) -> Option<EventTime> {
    let node = fields.node(key)?;
    if let Value::Table(table) = &node.value {
        return fields.read_table(key, table, |inner| in_table(inner, node, zone));
    }
    let (Value::String(text) | Value::Plain(_, text)) = &node.value else {
        let message = format!(
            "`{}` must be a date, or a date and time, not {}",
            fields.name(key),
            node.value.kind()
        );
        fields.reader.error(&node.span, message, FORM);
        return None;
    };
    let read = match dates::day(text) {
        Some(day) => has_year(day).then_some(EventTime::Day(day)),
        None => moment(fields, node, text, zone).map(EventTime::Moment),
    };
    or_report_invalid(fields, key, node, text, read, "date or time")
}

fn in_table(fields: &Fields<'_, '_>, node: &Node, zone: &TimeZone) -> Option<EventTime> {
    let own = match fields.node("timeZone") {
        Some(_) => named_zone(fields, "timeZone"),
        None => Some(zone.clone()),
    };
    match (fields.node("date"), fields.node("dateTime")) {
        (Some(day), None) => {
            let text = fields.as_string("date", day)?;
            let read = dates::day(&text).filter(|day| has_year(*day));
            or_report_invalid(fields, "date", day, &text, read.map(EventTime::Day), "date")
        }
        (None, Some(time)) => {
            let text = fields.as_string("dateTime", time)?;
            let read = moment(fields, time, &text, &own?).map(EventTime::Moment);
            or_report_invalid(fields, "dateTime", time, &text, read, "date with a time")
        }
        (Some(_), Some(time)) => {
            let message = "`date` and `dateTime` cannot be combined";
            let help = "remove one of the two";
            fields.reader.error(&time.span, message, help);
            None
        }
        (None, None) => {
            let help = "add `dateTime`, like \"2026-11-20T20:00\", or `date`, like \"2026-11-20\"";
            fields.missing("dateTime", &node.span, help);
            None
        }
    }
}

/// Returns `read`, and reports an error if `read` is `None`. `what` describes the expected value.
fn or_report_invalid(
    fields: &Fields<'_, '_>,
    key: &str,
    node: &Node,
    text: &str,
    read: Option<EventTime>,
    what: &str,
) -> Option<EventTime> {
    if read.is_none() {
        let message = format!("`{}` is not a {what}: {text:?}", fields.name(key));
        let help = match what {
            "date" => "write it like 2026-11-20",
            "date with a time" => "write it like 2026-11-20T20:00 or 2026-11-20T20:00:00+01:00",
            _ => FORM,
        };
        fields.reader.error(&node.span, message, help);
    }
    read
}

/// Reads a time, truncated to the second. A time with an offset is converted to the zone. A time
/// without an offset is a local time in the zone. Warns if clocks in the zone skip or repeat that
/// time.
fn moment(fields: &Fields<'_, '_>, node: &Node, text: &str, zone: &TimeZone) -> Option<Zoned> {
    let text = text.trim();
    let instant = match dates::instant(text) {
        Some(instant) => instant,
        None => {
            let civil = dates::clock(text).filter(|_| text.contains(':'))?;
            let read = zone.to_ambiguous_zoned(civil);
            let offset = read.offset();
            // For a skipped time, the offset before the gap is used. For a repeated time, the first
            // occurrence is used (RFC 5545, section 3.3.5).
            let chosen = read.compatible().ok()?;
            warn(fields, node, civil, offset, &chosen);
            chosen.timestamp()
        }
    };
    let whole = Timestamp::from_second(instant.as_second()).ok()?;
    let moment = whole.to_zoned(zone.clone());
    has_year(moment.date()).then_some(moment)
}

fn warn(
    fields: &Fields<'_, '_>,
    node: &Node,
    civil: DateTime,
    offset: AmbiguousOffset,
    chosen: &Zoned,
) {
    let zone = chosen.time_zone().iana_name().unwrap_or("this zone");
    let read = civil.strftime("%Y-%m-%d %H:%M");
    let (message, help) = match offset {
        AmbiguousOffset::Unambiguous { .. } => return,
        AmbiguousOffset::Gap { .. } => (
            format!("clocks in {zone} skip {read}: {} is used instead", chosen.strftime("%H:%M")),
            "write a time that exists in this time zone".to_owned(),
        ),
        AmbiguousOffset::Fold { before, after } => (
            format!("clocks in {zone} show {read} twice: the first is used"),
            format!("add the offset to the time: {before} for the first, {after} for the second"),
        ),
    };
    fields.reader.warning(Rule::EventTime, &node.span, message, help);
}

/// Returns whether the year is from 1 to 9999, the range that calendar formats support.
fn has_year(day: Date) -> bool {
    (1..=9999).contains(&day.year())
}
