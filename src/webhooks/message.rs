//! A message as it is sent: the same bytes at every attempt.

use serde::Serialize;
use serde_json::{Map, Value};

use super::payload::short;
use crate::state::Message;

/// Most parts that are named as changed: a message stays small, whatever an author writes.
const MOST_CHANGED: usize = 100;

/// What is posted. Its id, and the ids of the event that caused it and of the workflow it belongs to, are headers too.
#[derive(Serialize)]
pub struct Posted<'a> {
    id: &'a str,
    #[serde(rename = "type")]
    kind: &'a str,
    timestamp: String,
    /// Whether nothing happened.
    test: bool,
    data: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    causation: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    correlation: Option<&'a str>,
}

/// The body of a message.
pub fn body(message: &Message) -> String {
    let posted = posted(message, message.kind == "webhook.test");
    // It has no keys that are no texts, so it can be written.
    serde_json::to_string(&posted).unwrap_or_default()
}

pub fn posted(message: &Message, test: bool) -> Posted<'_> {
    let mut data: Map<String, Value> = serde_json::from_str(&message.data).unwrap_or_default();
    if let Some(changed) = &message.changed {
        let names = changed.split(' ').take(MOST_CHANGED);
        let names: Vec<Value> = names.map(|name| short(name).into()).collect();
        data.insert("changed".into(), names.into());
    }
    Posted {
        id: &message.id,
        kind: &message.kind,
        timestamp: format!("{:.3}", message.time),
        test,
        data,
        causation: message.causation.as_deref(),
        correlation: message.correlation.as_deref(),
    }
}
