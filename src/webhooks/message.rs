//! A message as it is sent: the same bytes at every attempt.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::state::Message;

/// What is posted. Its id, and the ids of the event that caused it and of the workflow it belongs to, are headers too.
#[derive(Serialize)]
struct Posted<'a> {
    id: &'a str,
    #[serde(rename = "type")]
    kind: &'a str,
    timestamp: String,
    data: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    causation: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    correlation: Option<&'a str>,
}

/// The body of a message.
pub fn body(message: &Message) -> String {
    let mut data: Map<String, Value> = serde_json::from_str(&message.data).unwrap_or_default();
    if let Some(changed) = &message.changed {
        let names: Vec<Value> = changed.split(' ').map(Value::from).collect();
        data.insert("changed".into(), names.into());
    }
    let posted = Posted {
        id: &message.id,
        kind: &message.kind,
        timestamp: format!("{:.3}", message.time),
        data,
        causation: message.causation.as_deref(),
        correlation: message.correlation.as_deref(),
    };
    // It has no keys that are no texts, so it can be written.
    serde_json::to_string(&posted).unwrap_or_default()
}
