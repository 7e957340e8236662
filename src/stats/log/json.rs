//! JSON logs with one object per line.

use std::borrow::Cow;

use serde_json::Value;

use super::fields::{FieldMeaning, RequestFields, field_meanings};
use super::{Reason, Request};

/// Maximum depth of nested objects in which fields are searched for.
const MAX_DEPTH: usize = 4;
/// The object that contains the header fields of a request in the logs of some servers.
const HEADERS: &str = "request.headers";
/// An empty user agent, for requests without a user agent. It has the least reliable rank, so that
/// any other user agent in the line replaces it.
const NO_AGENT: (FieldMeaning, usize) = (FieldMeaning::Agent, usize::MAX);

pub(super) fn parse(line: &str) -> Result<Request<'static>, Reason> {
    let value: Value = serde_json::from_str(line).map_err(|_| "the line is not a JSON object")?;
    if !value.is_object() {
        return Err("the line is not a JSON object");
    }
    let mut fields = RequestFields::default();
    gather(&mut String::new(), &value, 0, &mut fields);
    fields.request()
}

fn gather(name: &mut String, value: &Value, depth: usize, fields: &mut RequestFields<'static>) {
    let text = match value {
        Value::Object(members) if depth < MAX_DEPTH => {
            if name == HEADERS {
                fields.set(NO_AGENT, Cow::Borrowed(""));
            }
            for (key, value) in members {
                let length = name.len();
                if depth > 0 {
                    name.push('.');
                }
                name.push_str(key);
                gather(name, value, depth + 1, fields);
                name.truncate(length);
            }
            return;
        }
        // Values of header fields are in arrays.
        Value::Array(values) if depth < MAX_DEPTH => {
            if let Some(first) = values.first() {
                gather(name, first, MAX_DEPTH, fields);
            }
            return;
        }
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        // A null value means that the client sent no user agent.
        Value::Null => {
            if field_meanings(name).any(|(part, _)| part == FieldMeaning::Agent) {
                fields.set(NO_AGENT, Cow::Borrowed(""));
            }
            return;
        }
        _ => return,
    };
    for field_meanings in field_meanings(name) {
        fields.set(field_meanings, Cow::Owned(text.clone()));
    }
}
