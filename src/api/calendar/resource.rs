//! Converts events to the JSON resources that clients receive.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Value, json};
use xxhash_rust::xxh3::xxh3_64;

use super::access::VisiblePart;
use super::event_fields::EventFields;
use super::list_entries::ListEntry;
use super::record::name;
use model::calendar::EventTime;
use site::calendar::revision;

#[derive(Debug, Clone)]
pub struct EventStyle {
    pub zone: TimeZone,
    /// Maximum number of attendees of an event.
    pub max_attendees: Option<usize>,
}

impl EventStyle {
    pub fn event(&self, item: &ListEntry, seen: VisiblePart) -> Value {
        let mut shown = match seen {
            VisiblePart::Whole => self.facts(item),
            VisiblePart::Times => times_alone(&item.record.facts),
        };
        if item.is_cancelled() {
            shown.insert("status".into(), "cancelled".into());
        }
        shown.insert("start".into(), self.time(&item.span.start));
        shown.insert("end".into(), self.time(&item.span.closed()));
        if item.span.end.is_none() && !item.span.start.is_day() {
            shown.insert("endTimeUnspecified".into(), true.into());
        }
        self.named(item, shown)
    }

    /// Returns the resource of an entry that is no longer in a list.
    pub fn tombstone(&self, item: &ListEntry) -> Value {
        let mut shown = EventFields::new();
        shown.insert("status".into(), "cancelled".into());
        self.named(item, shown)
    }

    /// Adds the ids of an entry and an entity tag.
    fn named(&self, item: &ListEntry, mut shown: EventFields) -> Value {
        shown.insert("kind".into(), "calendar#event".into());
        shown.insert("id".into(), item.id().into());
        if let Some(original) = &item.original {
            // The recurrence rules belong to the series, not to an instance.
            shown.remove("recurrence");
            shown.insert("recurringEventId".into(), item.entry.id.as_ref().into());
            shown.insert("originalStartTime".into(), self.time(original));
        }
        tagged(shown.into())
    }

    fn facts(&self, item: &ListEntry) -> EventFields {
        let mut shown = item.record.facts.clone();
        shown.insert("created".into(), timestamp(item.record.created));
        shown.insert("updated".into(), timestamp(item.updated()));
        let counted = || revision(item.updated()).into();
        shown.entry("sequence").or_insert_with(counted);
        let all = shown.get("attendees").and_then(Value::as_array);
        if let (Some(all), Some(most)) = (all, self.max_attendees)
            && all.len() > most
        {
            let own: Vec<Value> = all.iter().filter(|one| one["self"] == true).cloned().collect();
            shown.insert("attendees".into(), own.into());
            shown.insert("attendeesOmitted".into(), true.into());
        }
        shown
    }

    fn time(&self, time: &EventTime) -> Value {
        match time {
            EventTime::Day(day) => json!({ "date": day.to_string() }),
            EventTime::Moment(moment) => json!({
                "dateTime": on_clock(moment.timestamp(), &self.zone),
                "timeZone": name(moment.time_zone()),
            }),
        }
    }
}

/// Returns the fields, other than times, for a key that sees only times.
fn times_alone(facts: &EventFields) -> EventFields {
    let shown = ["status", "transparency", "recurrence"].into_iter();
    let shown = shown.filter_map(|name| Some((name.to_owned(), facts.get(name)?.clone())));
    shown.collect()
}

/// Adds an entity tag, computed from the content, to a resource.
pub fn tagged(mut shown: Value) -> Value {
    let tag = format!("\"{:016x}\"", xxh3_64(shown.to_string().as_bytes()));
    shown["etag"] = tag.into();
    shown
}

/// Formats an instant in UTC, with milliseconds.
pub fn timestamp(time: Timestamp) -> Value {
    format!("{time:.3}").into()
}

/// Formats an instant in the local time of a zone (RFC 3339).
fn on_clock(time: Timestamp, zone: &TimeZone) -> String {
    let offset = zone.to_offset(time);
    // RFC 3339 offsets have no seconds, but historical local mean times do.
    match offset.seconds() {
        0 => format!("{time:.0}"),
        seconds if seconds % 60 != 0 => format!("{time:.0}"),
        _ => time.to_zoned(zone.clone()).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
    }
}
