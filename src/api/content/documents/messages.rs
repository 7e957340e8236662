//! What `[[webhooks]]` of site.toml are sent, as OpenAPI describes it: one operation, with an example of each type of
//! event under its name. Clients that print a sample of a type look for it there.

use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::model::{Config, EVENTS, trace_header};
use crate::webhooks::{sample, schema_of};

/// The operation.
pub fn webhooks(config: &Config, outputs: &mut SchemaGenerator) -> Value {
    let mut groups: Vec<&str> = EVENTS.iter().map(|(kind, _)| group(kind)).collect();
    groups.dedup();
    let schemas: Vec<Value> = groups
        .iter()
        .map(|of| {
            let kinds = EVENTS.iter().map(|(kind, _)| *kind);
            let kinds: Vec<&str> = kinds.filter(|kind| group(kind) == *of).collect();
            message(&kinds, &schema_of(of, outputs))
        })
        .collect();
    let examples: Map<String, Value> = EVENTS
        .iter()
        .map(|(kind, about)| {
            let example = json!({ "summary": about, "value": sample(kind, config) });
            ((*kind).to_owned(), example)
        })
        .collect();
    let operation = json!({
        "operationId": "receiveEvent",
        "tags": ["Webhooks"],
        "summary": "Receive an event",
        "description": "Signed by the Standard Webhooks specification. A message that is not answered by 2xx is sent again with the same `webhook-id`, for about three days.",
        "security": [],
        "parameters": headers(&config.namespace),
        "requestBody": {
            "required": true,
            "content": {
                "application/json": { "schema": { "oneOf": schemas }, "examples": examples },
            },
        },
        "responses": {
            "2XX": { "description": "It was taken." },
            "410": { "description": "The receiver is gone: nothing more is sent to it." },
        },
    });
    json!({ format!("{}Event", config.namespace): { "post": operation } })
}

/// `item` of `item.created`.
fn group(kind: &str) -> &str {
    kind.split('.').next().unwrap_or_default()
}

fn message(kinds: &[&str], data: &Schema) -> Value {
    json!({
        "type": "object",
        "properties": {
            "id": { "type": "string", "description": "The event's id, as in `webhook-id`." },
            "type": { "type": "string", "enum": kinds },
            "timestamp": { "type": "string", "format": "date-time", "description": "When it was noticed." },
            "test": { "type": "boolean", "description": "Whether nothing happened: somebody tries whether messages come." },
            "data": data,
            "causation": { "type": "string", "description": "The event that the write was caused by, where its client said so." },
            "correlation": { "type": "string", "description": "The workflow that the write belongs to." },
        },
        "required": ["id", "type", "timestamp", "test", "data"],
    })
}

fn headers(namespace: &str) -> Vec<Value> {
    let header = |name: &str, about: &str, required: bool| {
        json!({
            "name": name,
            "in": "header",
            "description": about,
            "required": required,
            "schema": { "type": "string" },
        })
    };
    vec![
        header(
            "webhook-id",
            "The event's id. A message that comes twice has it twice. Send it back as the causation of what you write.",
            true,
        ),
        header(
            "webhook-timestamp",
            "When this attempt was sent, in seconds since 1970.",
            true,
        ),
        header(
            "webhook-signature",
            "`v1,` and the HMAC-SHA256 of id, timestamp and body in base64. While the secret changes there are two, with a space between.",
            true,
        ),
        header(
            &trace_header(namespace, "Causation"),
            "As `causation`.",
            false,
        ),
        header(
            &trace_header(namespace, "Correlation"),
            "As `correlation`.",
            false,
        ),
    ]
}
