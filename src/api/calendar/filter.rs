//! Decides which events belong to a list.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::access::VisiblePart;
use super::event_fields::EventFields;
use super::record::{LedgerEvent, Record};
use super::text_search;

/// The filter of a list. The sync token for the list contains this filter.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Filter {
    /// Whether series are expanded into their instances.
    #[serde(skip_serializing_if = "is_false")]
    pub single_events: bool,
    /// Whether cancelled and deleted events are included.
    #[serde(skip_serializing_if = "is_false")]
    pub show_deleted: bool,
    /// Includes only events that end after this time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_min: Option<Timestamp>,
    /// Includes only events that start before this time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_max: Option<Timestamp>,
    /// Includes only events that changed at or after this time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_min: Option<Timestamp>,
    /// Includes only events of these types. An empty list includes all types.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub event_types: Vec<String>,
    /// Includes only the event with this iCalendar id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ical_uid: Option<String>,
    /// Includes only events with all of these private properties.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub private: Vec<(String, String)>,
    /// Includes only events with all of these shared properties.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shared: Vec<(String, String)>,
    /// Includes only events that contain all of these words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub q: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

impl Filter {
    /// Returns whether an event or a series exception belongs to the list. Does not check the time
    /// bounds.
    pub fn accepts(
        &self,
        entry: &LedgerEvent,
        record: &Record,
        visible: VisiblePart,
        is_exception: bool,
    ) -> bool {
        self.accepts_status(entry, record, is_exception)
            && self.updated_min.is_none_or(|min| updated(entry, record) >= min)
            && match visible {
                VisiblePart::Whole => self.accepts_fields(&record.facts),
                // Filters must not match hidden fields, because the answer would reveal their
                // values.
                VisiblePart::Times => self.accepts_fields(&EventFields::new()),
            }
    }

    /// Returns whether the list includes an event with this status. Cancelled events are included
    /// if the client requests them, and in lists with `updated_min`. If the client expands series
    /// itself, cancelled instances are always included.
    fn accepts_status(&self, entry: &LedgerEvent, record: &Record, is_exception: bool) -> bool {
        let is_cancelled = entry.deleted.is_some() || record.is_cancelled();
        let leaves_gap = is_exception && !self.single_events && !entry.is_cancelled();
        !is_cancelled || self.show_deleted || self.updated_min.is_some() || leaves_gap
    }

    fn accepts_fields(&self, facts: &EventFields) -> bool {
        let fact = |name: &str| facts.get(name).and_then(|value| value.as_str());
        let has = |kind: &str, (name, value): &(String, String)| {
            let own = facts.get("extendedProperties");
            let own = own.and_then(|own| own.get(kind)?.get(name)?.as_str());
            own == Some(value)
        };
        let is_type = |wanted: &String| fact("eventType") == Some(wanted);
        (self.event_types.is_empty() || self.event_types.iter().any(is_type))
            && self.ical_uid.as_deref().is_none_or(|uid| fact("iCalUID") == Some(uid))
            && self.private.iter().all(|property| has("private", property))
            && self.shared.iter().all(|property| has("shared", property))
            && self.q.as_deref().is_none_or(|q| text_search::matches(facts, q))
    }
}

/// Returns the time when an event or instance last changed or was deleted.
pub fn updated(entry: &LedgerEvent, record: &Record) -> Timestamp {
    entry.deleted.unwrap_or(record.updated)
}
