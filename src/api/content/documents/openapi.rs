//! The OpenAPI 3.1.1 description of the API, generated from the types of the operations.

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use super::messages::webhooks;
use crate::media::UPLOADS;
use crate::operation::inlined_schema;
use crate::{BASE, MAX_BODY, Operation, operations};
use model::{Config, trace_header};

/// The API version that this implementation follows.
const VERSION: &str = "1.0.13";

/// The sections of the documentation with their descriptions, in reading order.
const TAGS: [(&str, &str); 9] = [
    ("Feed", "Read the complete feed."),
    ("Items", "Articles, links, photos, documents, episodes."),
    ("Pages", "Standalone public Pages."),
    ("Site Files", "Editable root-level text files."),
    ("Search", "Find items and Pages by title or plain-text content."),
    ("Channel", "Change the channel."),
    ("Media", "Same-origin media uploads."),
    ("Public site", "Public files that need no key."),
    ("Webhooks", "Signed messages to the URLs in site.toml."),
];

/// Returns the OpenAPI document of a site, or of a show. Uses its address, and the site's namespace
/// in names such as `_service` and `Service-…`.
pub fn document(config: &Config) -> Value {
    let mut inputs = generator(SchemaSettings::for_deserialize);
    let mut outputs = generator(SchemaSettings::for_serialize);
    let mut paths = Map::new();
    let is_show = !config.mount.is_empty();
    for operation in operations().filter(|operation| !is_show || operation.is_of_shows()) {
        let path = paths.entry(operation.path).or_insert_with(|| Value::Object(Map::new()));
        path[operation.method.to_lowercase()] =
            describe(operation, &config.namespace, &mut inputs, &mut outputs);
    }
    paths.insert(format!("{UPLOADS}{{token}}"), upload(config));
    paths.insert("/i/{slug}/chapters.json".into(), chapters(config));
    let webhooks = webhooks(config, &mut outputs);
    let mut schemas = outputs.take_definitions(true);
    let mut sent = inputs.take_definitions(true);
    sent.values_mut().for_each(describe_texts);
    schemas.extend(sent);
    schemas.insert("Error".into(), error());
    let document = json!({
        "openapi": "3.1.1",
        "info": {
            "title": "feedwright content API",
            "version": VERSION,
            "summary": "Read and write a site's feed, items, Pages and Site Files.",
            "description": "Served by `feedwright serve`. Each write changes only the parts of the author's files that the request specifies. Create keys with `feedwright keys create`.",
            "license": { "name": "MIT", "identifier": "MIT" },
        },
        "servers": [{ "url": config.url(BASE) }],
        "security": [{ "key": [] }],
        "tags": TAGS.map(|(name, about)| json!({ "name": name, "description": about })),
        "paths": paths,
        "webhooks": webhooks,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "key": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "An API key with the scope that the operation requires.",
                },
            },
        },
    });
    in_namespace(&document, &config.namespace)
}

/// The pattern for strings without characters that are forbidden in XML and therefore in RSS.
/// Request bodies with such characters are rejected.
const TEXT: &str = r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]*$";

/// Adds the pattern [`TEXT`] to all strings of a schema that have no pattern or other restriction.
fn describe_texts(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            let is_text = match members.get("type") {
                Some(Value::String(kind)) => kind == "string",
                Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "string"),
                _ => false,
            };
            let has_form = ["pattern", "enum", "const", "format"]
                .iter()
                .any(|name| members.contains_key(*name));
            if is_text && !has_form {
                members.insert("pattern".into(), TEXT.into());
            }
            let parts = members.iter_mut().filter(|(name, _)| *name != "examples");
            parts.for_each(|(_, part)| describe_texts(part));
        }
        Value::Array(parts) => parts.iter_mut().for_each(describe_texts),
        _ => {}
    }
}

fn generator(contract: fn(SchemaSettings) -> SchemaSettings) -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.definitions_path = "/components/schemas".into();
        settings.meta_schema = None;
    });
    contract(settings).into_generator()
}

fn describe(
    operation: &Operation,
    namespace: &str,
    inputs: &mut SchemaGenerator,
    outputs: &mut SchemaGenerator,
) -> Value {
    let mut described = json!({
        "operationId": operation.id,
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": format!("{}\n\nScope: `{}`.", operation.description, operation.scope.as_str()),
        "parameters": parameters(operation, namespace),
        "responses": responses(operation, outputs),
    });
    if let Some(body) = operation.body {
        described["requestBody"] = json!({
            "required": true,
            "description": format!("At most {} MiB.", MAX_BODY),
            "content": { "application/json": { "schema": body(inputs) } },
        });
    }
    described
}

fn responses(operation: &Operation, outputs: &mut SchemaGenerator) -> Value {
    let mut responses = Map::new();
    let mut success = json!({
        "description": "Done.",
        "content": { "application/json": { "schema": (operation.output)(outputs) } },
    });
    if operation.idempotent {
        success["headers"] = json!({
            "Idempotency-Replayed": {
                "description": "`true` if an earlier request already used the same key.",
                "schema": { "type": "string", "const": "true" },
            },
        });
    }
    responses.insert(operation.status.to_string(), success);
    let of_body = [408, 413, 503].into_iter().filter(|_| operation.body.is_some());
    let trouble = [503, 507].into_iter().filter(|_| operation.writes);
    let all = [401, 403].into_iter().chain(of_body).chain(trouble);
    for status in all.chain(operation.errors.iter().copied()) {
        responses.insert(status.to_string(), error_response(status));
    }
    Value::Object(responses)
}

fn error_response(status: u16) -> Value {
    let mut response = json!({
        "description": status_meaning(status),
        "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Error" } } },
    });
    if status == 503 {
        response["headers"] = json!({
            "Retry-After": {
                "description": "Seconds to wait before sending the request again.",
                "schema": { "type": "string", "pattern": "^[0-9]+$" },
            },
        });
    }
    response
}

fn status_meaning(status: u16) -> &'static str {
    match status {
        400 => "The request is invalid; the message names the field.",
        401 => "The key is missing or invalid.",
        403 => "The key lacks the scope, or the request comes from a page of another site.",
        404 => "The resource does not exist.",
        408 => "The request timed out: the body stopped arriving.",
        409 => "Conflict: the URL, path or name is already used, or another write is in progress.",
        413 => "The body is larger than 10 MiB.",
        503 => {
            "Another program has locked the site's local state, the server is receiving too many large bodies, or it is read-only. Nothing was written."
        }
        507 => "The disk is full. Nothing was written.",
        422 => "The active theme does not support Pages.",
        _ => "The server failed.",
    }
}

fn parameters(operation: &Operation, namespace: &str) -> Vec<Value> {
    let mut parameters = Vec::new();
    if let Some((_, rest)) = operation.path.split_once('{')
        && let Some((name, _)) = rest.split_once('}')
    {
        parameters.push(json!({
            "name": name,
            "in": "path",
            "required": true,
            "description": path_parameter(name),
            "schema": match name {
                "channelId" => json!({ "type": "string", "enum": ["primary"] }),
                _ => json!({ "type": "string", "minLength": 1 }),
            },
        }));
    }
    parameters.extend(query(operation));
    if operation.writes {
        parameters.extend(trace_ids(namespace));
    }
    if operation.idempotent {
        parameters.push(json!({
            "name": "Idempotency-Key",
            "in": "header",
            "description": "Makes retries of a create request safe for 24 hours.",
            "schema": { "type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$" },
        }));
    }
    parameters
}

/// Returns the parameters for the headers that identify the cause of a write.
fn trace_ids(namespace: &str) -> [Value; 2] {
    let printable = json!({ "type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[\\x20-\\x7e]+$" });
    [
        ("Causation", "The id of the webhook event that triggered the write."),
        ("Correlation", "The id of the workflow that the write belongs to."),
    ]
    .map(|(name, about)| {
        json!({
            "name": trace_header(namespace, name),
            "in": "header",
            "description": about,
            "schema": printable,
        })
    })
}

fn path_parameter(name: &str) -> &'static str {
    match name {
        "itemId" => {
            "The item's id, its slug, a former slug, or any slug that ends in the id. In a site with several languages, `de%2Fwalk` is the German item `walk`."
        }
        "pageId" => "The Page's id.",
        "siteFileId" => "The Site File's id.",
        _ => "Always `primary`.",
    }
}

/// Returns an operation's query parameters, which are the fields of its query type.
fn query(operation: &Operation) -> Vec<Value> {
    let Some(schema_of) = operation.query else {
        return Vec::new();
    };
    let schema = inlined_schema(schema_of);
    let required = schema.get("required").cloned().unwrap_or_default();
    let Some(Value::Object(properties)) = schema.get("properties") else {
        return Vec::new();
    };
    let parameter = |(name, schema): (&String, &Value)| {
        let mut schema = schema.clone();
        let about = schema.as_object_mut().and_then(|schema| schema.remove("description"));
        // A query parameter cannot be null, only missing.
        drop_null(&mut schema);
        json!({
            "name": name,
            "in": "query",
            "required": required.as_array().is_some_and(|all| all.contains(&json!(name))),
            "description": about,
            "schema": schema,
        })
    };
    properties.iter().map(parameter).collect()
}

fn drop_null(schema: &mut Value) {
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [only] = types.as_slice() {
            schema["type"] = only.clone();
        }
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if let Some(Value::Array(choices)) = schema.get_mut("anyOf") {
        choices.retain(|choice| choice["type"] != "null");
        if let [only] = choices.as_slice() {
            *schema = only.clone();
        }
    }
    if let Some(schema) = schema.as_object_mut() {
        schema.retain(|key, value| !(key == "default" && value.is_null()));
    }
}

/// Describes the operation that receives the file for a prepared upload. The operation needs no
/// key, because its path contains a token.
fn upload(config: &Config) -> Value {
    let token = json!({
        "name": "token",
        "in": "path",
        "required": true,
        "description": "The token in `presigned_url`.",
        "schema": { "type": "string", "minLength": 1 },
    });
    let parameters: Vec<Value> = [token].into_iter().chain(trace_ids(&config.namespace)).collect();
    let mut responses = Map::new();
    let done = json!({
        "description": "Done.",
        "content": { "application/json": { "schema": { "$ref": "#/components/schemas/Empty" } } },
    });
    responses.insert("200".into(), done);
    for status in [400, 403, 409, 503, 507] {
        responses.insert(status.to_string(), error_response(status));
    }
    json!({
        "servers": [{ "url": config.base_url }],
        "put": {
            "operationId": "uploadMedia",
            "tags": ["Media"],
            "summary": "Send a file",
            "description": "Receives the bytes of a prepared upload, once, within 15 minutes. `presigned_url` is the URL of this operation.",
            "security": [],
            "parameters": parameters,
            "requestBody": {
                "required": true,
                "description": "The file's bytes. Their size and type must match the prepared upload.",
                "content": {
                    "application/octet-stream": { "schema": { "type": "string", "format": "binary" } },
                },
            },
            "responses": responses,
        },
    })
}

/// Describes the operation that reads the public chapters file, which needs no key.
fn chapters(config: &Config) -> Value {
    let operation = |id: &str, summary: &str, body: bool| {
        let mut found = json!({ "description": "The chapters." });
        if body {
            found["content"] = json!({
                "application/json+chapters": {
                    "schema": {
                        "type": "object",
                        "properties": {
                            "version": { "type": "string" },
                            "chapters": { "type": "array", "items": { "type": "object" } },
                        },
                        "required": ["version", "chapters"],
                    },
                },
            });
        }
        json!({
            "operationId": id,
            "tags": ["Public site"],
            "summary": summary,
            "description": "Podcasting 2.0 JSON chapters 1.2.0. `slug` is the id, slug or former slug of a published or unlisted item.",
            "security": [],
            "parameters": [{
                "name": "slug",
                "in": "path",
                "required": true,
                "schema": { "type": "string", "minLength": 1 },
            }],
            "responses": {
                "200": found,
                "302": { "description": "The site has no title yet. Redirects to its setup page." },
                "404": { "description": "The item does not exist or has no public chapters." },
            },
        })
    };
    json!({
        "servers": [{ "url": config.url("") }],
        "get": operation("getChapters", "Read an episode's chapters", true),
        "head": operation("headChapters", "Check whether an episode has chapters", false),
    })
}

fn error() -> Value {
    json!({
        "type": "object",
        "properties": { "error": { "type": "string", "description": "Description of the error, which names the invalid field." } },
        "required": ["error"],
    })
}

/// Returns the document with the default namespace replaced by the site's namespace.
fn in_namespace(document: &Value, namespace: &str) -> Value {
    if namespace == "service" {
        return document.clone();
    }
    let renamed = |text: &str| {
        text.replace("_service", &format!("_{namespace}"))
            .replace("service_version", &format!("{namespace}_version"))
    };
    match document {
        Value::String(text) => renamed(text).into(),
        Value::Array(list) => list.iter().map(|value| in_namespace(value, namespace)).collect(),
        Value::Object(object) => object
            .iter()
            .map(|(key, value)| (renamed(key), in_namespace(value, namespace)))
            .collect(),
        value => value.clone(),
    }
}
