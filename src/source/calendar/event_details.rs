//! Readers of an event's people, reminders and properties.

use std::collections::BTreeMap;

use front_matter::{Node, Value};

use super::super::fields::Fields;
use super::super::records::{Found, Rules, record};
use model::calendar::{Attendee, EventPerson, ExtendedProperties, Reminder, Reminders, SourceLink};
use model::field_type::{Build, ReadValue};

/// Maximum number of attendees of an event.
const MAX_ATTENDEES: usize = 200;
/// Maximum number of an event's private properties. The same limit applies to its shared
/// properties.
const MAX_PROPERTIES: usize = 300;
/// Maximum length of a property's name, in characters.
const MAX_NAME_LENGTH: usize = 44;
/// Maximum length of a property's value, in characters.
const MAX_VALUE_LENGTH: usize = 1024;

/// Reads `reminders`: a table with either `useDefault` or `overrides`.
pub fn reminders(fields: &Fields<'_, '_>) -> Option<Reminders> {
    fields.table("reminders", |fields| {
        let list = reminder_list(fields, "overrides");
        match fields.bool("useDefault") {
            Some(true) if !list.is_empty() => {
                let span = fields.node("useDefault").map_or(0..0, |node| node.span.clone());
                let message = "`reminders` cannot have both `useDefault` and `overrides`";
                let help = "remove one of the two";
                fields.reader.error(&span, message, help);
                Reminders::Default
            }
            Some(true) => Reminders::Default,
            _ => Reminders::Own(list),
        }
    })
}

/// Reads a list of reminders: tables with `method` and `minutes`.
pub fn reminder_list(fields: &Fields<'_, '_>, key: &'static str) -> Vec<Reminder> {
    let nodes = fields.list(key);
    let extra =
        nodes.get(Reminder::MAX_REMINDERS).map(|node| (node, Reminder::MAX_REMINDERS, "reminders"));
    too_many(fields, extra);
    let reminders = nodes.iter().filter_map(|node| record(fields, key, node));
    reminders.collect()
}

/// Reads `attendees`: e-mail addresses, or tables.
pub fn attendees(fields: &Fields<'_, '_>) -> Vec<Attendee> {
    let nodes = fields.list("attendees");
    let extra = nodes.get(MAX_ATTENDEES).map(|node| (node, MAX_ATTENDEES, "attendees"));
    too_many(fields, extra);
    let attendees = nodes.iter().filter_map(|node| match &node.value {
        Value::Table(_) => record(fields, "attendees", node),
        _ => {
            let text = fields.as_string("attendees", node)?;
            let email = address(fields, node, text)?;
            Attendee::build(vec![Some(ReadValue::Text(email))])
        }
    });
    attendees.collect()
}

impl Rules for Reminder {}
impl Rules for SourceLink {}

impl Rules for Attendee {
    fn own(found: &mut Found<'_, '_, '_>, key: &'static str) -> Option<ReadValue> {
        let (fields, node) = (found.fields, found.node);
        let email = fields.required_text(key, &node.span)?;
        let place = fields.node(key).unwrap_or(node);
        address(fields, place, email).map(ReadValue::Text)
    }

    fn finish(self, _: &Found<'_, '_, '_>) -> Option<Self> {
        let additional_guests = self.additional_guests.filter(|guests| *guests > 0);
        Some(Self { additional_guests, ..self })
    }
}

/// Reads `organizer` or `creator`: an e-mail address, a name, or a table of both.
pub fn person(fields: &Fields<'_, '_>, key: &'static str) -> Option<EventPerson> {
    let node = fields.node(key)?;
    let Value::Table(_) = &node.value else {
        let text = fields.as_string(key, node)?;
        let (email, display_name) = if text.contains('@') {
            (Some(address(fields, node, text)?), None)
        } else {
            (None, Some(text))
        };
        return Some(EventPerson { email, display_name });
    };
    record(fields, key, node)
}

impl Rules for EventPerson {
    fn own(found: &mut Found<'_, '_, '_>, key: &'static str) -> Option<ReadValue> {
        let fields = found.fields;
        let email = fields.text(key)?;
        let place = fields.node(key).unwrap_or(found.node);
        address(fields, place, email).map(ReadValue::Text)
    }

    fn finish(self, _: &Found<'_, '_, '_>) -> Option<Self> {
        (self != Self::default()).then_some(self)
    }
}

/// Validates the syntax of an e-mail address, because the address is written to iCalendar as a
/// `mailto:` URI.
fn address(fields: &Fields<'_, '_>, node: &Node, text: String) -> Option<String> {
    let text = text.trim().to_owned();
    let is_fit = |c: char| {
        !c.is_whitespace() && !c.is_control() && !matches!(c, '<' | '>' | '"' | ',' | ';' | ':')
    };
    let has_form = text
        .split_once('@')
        .is_some_and(|(name, host)| !name.is_empty() && !host.is_empty() && !host.contains('@'));
    if !has_form || !text.chars().all(is_fit) {
        let message = format!("{text:?} is not an e-mail address");
        fields.reader.error(&node.span, message, "write it like someone@example.com");
        return None;
    }
    Some(text)
}

/// Reads `source`: the address that the event comes from, or a table of `url` and `title`.
pub fn source_link(fields: &Fields<'_, '_>) -> Option<SourceLink> {
    record(fields, "source", fields.node("source")?)
}

/// Reads `extendedProperties`: the tables `private` and `shared`.
pub fn extended(fields: &Fields<'_, '_>) -> ExtendedProperties {
    let read = |fields: &Fields<'_, '_>| ExtendedProperties {
        private: properties(fields, "private"),
        shared: properties(fields, "shared"),
    };
    fields.table("extendedProperties", read).unwrap_or_default()
}

fn properties(fields: &Fields<'_, '_>, key: &'static str) -> BTreeMap<String, String> {
    let Some(node) = fields.node(key) else {
        return BTreeMap::new();
    };
    let Value::Table(table) = &node.value else {
        fields.report_wrong_type::<()>(key, node, "a table", &node.value);
        return BTreeMap::new();
    };
    let extra = table.entries.get(MAX_PROPERTIES);
    too_many(fields, extra.map(|entry| (&entry.node, MAX_PROPERTIES, "properties")));
    let mut found = BTreeMap::new();
    for entry in &table.entries {
        let name = format!("{key}.{}", entry.key);
        let Some(value) = fields.as_string(&name, &entry.node) else {
            continue;
        };
        let lengths = (entry.key.chars().count(), value.chars().count());
        if lengths.0 > MAX_NAME_LENGTH || lengths.1 > MAX_VALUE_LENGTH {
            let message = format!("`{}` is too long", fields.name(&name));
            let help =
                "shorten it: a property's name can have at most 44 characters, its value 1024";
            fields.reader.error(&entry.key_span, message, help);
            continue;
        }
        found.insert(entry.key.clone(), value);
    }
    found
}

fn too_many(fields: &Fields<'_, '_>, extra: Option<(&Node, usize, &str)>) {
    if let Some((node, max, what)) = extra {
        let message = format!("too many {what}: at most {max} are allowed");
        fields.reader.error(&node.span, message, "remove the rest");
    }
}
