//! The messages for `[[webhooks]]` of site.toml, described in OpenAPI as one operation. The
//! operation has an example message for each event type, with the event type as its key.

use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use model::{Config, EVENTS, trace_header};
use webhooks::{AdditionalData, NAVIGATION_UPDATED, delivery_headers, sample, schema_of};

pub fn webhooks(config: &Config, outputs: &mut SchemaGenerator) -> Value {
    let mut groups: Vec<&str> = EVENTS.iter().map(|(kind, _)| group(kind)).collect();
    groups.dedup();
    let mut schemas: Vec<(Vec<&str>, Schema)> = groups
        .iter()
        .map(|of| {
            let kinds = EVENTS.iter().map(|(kind, _)| *kind);
            let kinds = kinds.filter(|kind| *kind != NAVIGATION_UPDATED);
            let kinds: Vec<&str> = kinds.filter(|kind| group(kind) == *of).collect();
            (kinds, schema_of(of, outputs))
        })
        .collect();
    let navigation = schema_of(NAVIGATION_UPDATED, outputs);
    schemas.push((vec![NAVIGATION_UPDATED], navigation));
    let additional = outputs.subschema_for::<AdditionalData>();
    let schemas = schemas.iter();
    let schemas: Vec<Value> = schemas
        .map(|(kinds, data)| message(kinds, &json!({ "allOf": [data, additional] })))
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
        "description": "Signed as the Standard Webhooks specification requires. A message without a 2xx response is sent again with the same `webhook-id`, for about three days.",
        "security": [],
        "parameters": headers(&config.namespace),
        "requestBody": {
            "required": true,
            "content": {
                "application/json": { "schema": { "oneOf": schemas }, "examples": examples },
            },
        },
        "responses": {
            "2XX": { "description": "The message was accepted." },
            "410": { "description": "The receiver no longer exists. No more messages are sent to it." },
        },
    });
    json!({ format!("{}Event", config.namespace): { "post": operation } })
}

/// Returns the resource of an event type, such as `item` for `item.created`.
fn group(kind: &str) -> &str {
    kind.split('.').next().unwrap_or_default()
}

fn message(kinds: &[&str], data: &Value) -> Value {
    json!({
        "type": "object",
        "properties": {
            "id": { "type": "string", "description": "The event's id, as in `webhook-id`." },
            "type": { "type": "string", "enum": kinds },
            "timestamp": { "type": "string", "format": "date-time", "description": "When feedwright detected the event." },
            "test": { "type": "boolean", "description": "Whether this is a test message without a real event." },
            "data": data,
            "causation": { "type": "string", "description": "The id of the event that caused the write, if the client sent it." },
            "correlation": { "type": "string", "description": "The id of the workflow that the write belongs to." },
            "api_version": { "type": "string", "const": "1", "description": "The version of this format." },
            "subject": {
                "type": "object",
                "description": "The resource, with its path in this API.",
                "properties": { "type": { "type": "string" }, "id": { "type": "string" }, "api_path": { "type": "string" } },
                "required": ["type", "id"],
            },
            "site": {
                "type": "object",
                "description": "The site's host and URL.",
                "properties": { "id": { "type": "string" }, "url": { "type": "string" } },
                "required": ["id", "url"],
            },
            "context": {
                "type": "object",
                "description": "The cause of the event: `causation`, `correlation`, and whether the API caused it.",
                "properties": {
                    "causation_id": { "type": ["string", "null"] },
                    "correlation_id": { "type": "string" },
                    "origin": { "type": "string", "enum": ["api", "system"] },
                    "request_id": { "type": "string" },
                },
                "required": ["causation_id", "correlation_id", "origin", "request_id"],
            },
        },
        "required": ["id", "type", "timestamp", "test", "data", "api_version", "subject", "site", "context"],
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
    let [event, attempt, test] = delivery_headers(namespace);
    vec![
        header(
            "webhook-id",
            "The id of the event, identical on redelivery. Send it as the causation of writes that the event causes.",
            true,
        ),
        header("webhook-timestamp", "When this attempt was sent, in Unix seconds.", true),
        header(
            "webhook-signature",
            "`v1,` followed by the base64-encoded HMAC-SHA256 of the id, the timestamp and the body. While the secret is being replaced, there are two signatures, separated by a space.",
            true,
        ),
        header(&event, "The same as `type` in the body.", true),
        header(&attempt, "The number of the attempt, starting at 1.", true),
        header(&test, "The same as `test` in the body: `true` or `false`.", true),
        header(
            &trace_header(namespace, "Causation"),
            "The same as `causation` in the body.",
            false,
        ),
        header(
            &trace_header(namespace, "Correlation"),
            "The same as `correlation` in the body.",
            false,
        ),
    ]
}
