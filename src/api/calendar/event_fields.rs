//! The fields of an event other than its times, with the names and formats of the events resource.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use model::calendar::{Event, EventVisibility, Reminders, Transparency};

/// Fields of an events resource.
pub type EventFields = Map<String, Value>;

/// Returns the fields of an event or an instance. An instance inherits a field from its series if
/// its own file does not set the field. Omits the same defaults as other calendar services.
pub fn facts(event: &Event, uid: &str) -> EventFields {
    let mut facts = EventFields::new();
    let mut put = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            facts.insert(name.to_owned(), value);
        }
    };
    let text = |text: &Option<String>| text.clone().map(Value::from);
    put("status", Some(event.status().as_str().into()));
    put("summary", text(&event.summary));
    put("description", text(&event.description));
    put("location", text(&event.location));
    put("colorId", text(&event.color_id));
    put("creator", event.creator.as_ref().map(|one| json!(one)));
    put("organizer", event.organizer.as_ref().map(|one| json!(one)));
    let is_free = event.transparency == Some(Transparency::Transparent);
    put("transparency", is_free.then(|| "transparent".into()));
    let visibility = Some(event.visibility()).filter(|one| *one != EventVisibility::Default);
    put("visibility", visibility.map(|one| one.as_str().into()));
    put("iCalUID", Some(uid.into()));
    put("sequence", event.sequence.map(Value::from));
    let attendees = &event.attendees;
    put("attendees", (!attendees.is_empty()).then(|| json!(attendees)));
    let mut extended = EventFields::new();
    properties(&mut extended, "private", &event.extended.private);
    properties(&mut extended, "shared", &event.extended.shared);
    let extended = Some(extended).filter(|extended| !extended.is_empty());
    put("extendedProperties", extended.map(Value::Object));
    put("reminders", Some(reminders(event.reminders.as_ref())));
    put("source", event.source_link.as_ref().map(|link| json!(link)));
    put("eventType", Some(event.event_type().as_str().into()));
    if let Some((name, value)) = &event.type_properties {
        put(name, Some(value.clone()));
    }
    facts
}

fn properties(all: &mut EventFields, name: &str, own: &BTreeMap<String, String>) {
    if !own.is_empty() {
        all.insert(name.to_owned(), json!(own));
    }
}

fn reminders(reminders: Option<&Reminders>) -> Value {
    match reminders {
        None | Some(Reminders::Default) => json!({ "useDefault": true }),
        Some(Reminders::Own(own)) if own.is_empty() => json!({ "useDefault": false }),
        Some(Reminders::Own(own)) => {
            json!({ "useDefault": false, "overrides": own })
        }
    }
}
