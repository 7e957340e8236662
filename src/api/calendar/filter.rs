//! Decides which events belong to a list.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::access::VisiblePart;
use super::event_fields::EventFields;
use super::record::{LedgerEvent, Record};
use super::text_search;

/// The filter of a list. The tokens that continue the list contain it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Filter {
    /// Whether series are expanded into their instances.
    #[serde(skip_serializing_if = "is_false")]
    pub single_events: bool,
    /// Whether cancelled and deleted events are shown.
    #[serde(skip_serializing_if = "is_false")]
    pub show_deleted: bool,
    /// Only what ends after this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_min: Option<Timestamp>,
    /// Only what starts before this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_max: Option<Timestamp>,
    /// Only what changed at this time or later.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_min: Option<Timestamp>,
    /// Only these types. Empty for all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub event_types: Vec<String>,
    /// Only the event with this iCalendar id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ical_uid: Option<String>,
    /// Only events with all of these private properties.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub private: Vec<(String, String)>,
    /// Only events with all of these shared properties.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shared: Vec<(String, String)>,
    /// Only events with all of these words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub q: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks with a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

impl Filter {
    /// Whether an event or an exception of a series belongs to the list. Its times are not checked here.
    pub fn admits(
        &self,
        entry: &LedgerEvent,
        record: &Record,
        seen: VisiblePart,
        is_exception: bool,
    ) -> bool {
        self.admits_status(entry, record, is_exception)
            && self.updated_min.is_none_or(|least| updated(entry, record) >= least)
            && match seen {
                VisiblePart::Whole => self.admits_facts(&record.facts),
                // Filters must not match hidden fields: the answer would reveal them.
                VisiblePart::Times => self.admits_facts(&EventFields::new()),
            }
    }

    /// Cancelled events are there if asked for, and in lists that always have deleted ones. A client
    /// that expands series itself always gets their cancelled instances.
    fn admits_status(&self, entry: &LedgerEvent, record: &Record, is_exception: bool) -> bool {
        let is_cancelled = entry.deleted.is_some() || record.is_cancelled();
        let leaves_gap = is_exception && !self.single_events && !entry.is_cancelled();
        !is_cancelled || self.show_deleted || self.updated_min.is_some() || leaves_gap
    }

    fn admits_facts(&self, facts: &EventFields) -> bool {
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

/// When an event or instance last changed or was deleted.
pub fn updated(entry: &LedgerEvent, record: &Record) -> Timestamp {
    entry.deleted.unwrap_or(record.updated)
}
