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
    /// Maximum number of attendees. An event with more attendees lists only the attendee marked
    /// `self`.
    pub max_attendees: Option<usize>,
}

impl EventStyle {
    pub fn event(&self, item: &ListEntry, visible: VisiblePart) -> Value {
        let mut resource_json = match visible {
            VisiblePart::Whole => self.facts(item),
            VisiblePart::Times => times_only(&item.record.facts),
        };
        if item.is_cancelled() {
            resource_json.insert("status".into(), "cancelled".into());
        }
        resource_json.insert("start".into(), self.time(&item.span.start));
        resource_json.insert("end".into(), self.time(&item.span.closed()));
        if item.span.end.is_none() && !item.span.start.is_day() {
            resource_json.insert("endTimeUnspecified".into(), true.into());
        }
        self.with_ids(item, resource_json)
    }

    /// Returns the resource of an entry that is no longer in a list.
    pub fn tombstone(&self, item: &ListEntry) -> Value {
        let mut resource_json = EventFields::new();
        resource_json.insert("status".into(), "cancelled".into());
        self.with_ids(item, resource_json)
    }

    /// Adds the entry's ids and an entity tag to a resource.
    fn with_ids(&self, item: &ListEntry, mut resource_json: EventFields) -> Value {
        resource_json.insert("kind".into(), "calendar#event".into());
        resource_json.insert("id".into(), item.id().into());
        if let Some(original) = &item.original {
            // The recurrence rules belong to the series, not to an instance.
            resource_json.remove("recurrence");
            resource_json.insert("recurringEventId".into(), item.entry.id.as_ref().into());
            resource_json.insert("originalStartTime".into(), self.time(original));
        }
        with_etag(resource_json.into())
    }

    fn facts(&self, item: &ListEntry) -> EventFields {
        let mut resource_json = item.record.facts.clone();
        resource_json.insert("created".into(), timestamp(item.record.created));
        resource_json.insert("updated".into(), timestamp(item.updated()));
        let counted = || revision(item.updated()).into();
        resource_json.entry("sequence").or_insert_with(counted);
        let all = resource_json.get("attendees").and_then(Value::as_array);
        if let (Some(all), Some(most)) = (all, self.max_attendees)
            && all.len() > most
        {
            let own: Vec<Value> = all.iter().filter(|one| one["self"] == true).cloned().collect();
            resource_json.insert("attendees".into(), own.into());
            resource_json.insert("attendeesOmitted".into(), true.into());
        }
        resource_json
    }

    fn time(&self, time: &EventTime) -> Value {
        match time {
            EventTime::Day(day) => json!({ "date": day.to_string() }),
            EventTime::Moment(moment) => json!({
                "dateTime": local_time(moment.timestamp(), &self.zone),
                "timeZone": name(moment.time_zone()),
            }),
        }
    }
}

/// Returns the fields that remain for a key that can see only the times of events. Does not return
/// the times themselves.
fn times_only(facts: &EventFields) -> EventFields {
    let resource_json = ["status", "transparency", "recurrence"].into_iter();
    let resource_json =
        resource_json.filter_map(|name| Some((name.to_owned(), facts.get(name)?.clone())));
    resource_json.collect()
}

/// Adds an entity tag, computed from the content, to a resource.
pub fn with_etag(mut resource_json: Value) -> Value {
    let tag = format!("\"{:016x}\"", xxh3_64(resource_json.to_string().as_bytes()));
    resource_json["etag"] = tag.into();
    resource_json
}

/// Formats an instant in UTC, with milliseconds.
pub fn timestamp(time: Timestamp) -> Value {
    format!("{time:.3}").into()
}

/// Formats an instant in the local time of a zone (RFC 3339).
fn local_time(time: Timestamp, zone: &TimeZone) -> String {
    let offset = zone.to_offset(time);
    // RFC 3339 offsets have no seconds, but historical local mean times do.
    match offset.seconds() {
        0 => format!("{time:.0}"),
        seconds if seconds % 60 != 0 => format!("{time:.0}"),
        _ => time.to_zoned(zone.clone()).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
    }
}
