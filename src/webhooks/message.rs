//! The format of a message. All attempts to send a message send the same bytes.
//!
//! feedwright adopted the content API from another service. A message contains the event and all
//! fields that receivers of that service's webhooks expect: `api_version`, `context`, `site`,
//! `subject`, and `data` with the resource and its fields.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::payload::{NAVIGATION_UPDATED, shorten_text};
use state::Message;

/// Maximum number of changed parts in a message. Without this limit, a file with many front matter
/// keys would make the message large.
const MAX_CHANGED_FIELDS: usize = 100;

/// Maximum size of the object in a message, in bytes. A larger object is reduced to its id.
const MAX_OBJECT: usize = 200 * 1024;

/// The version of the message format in the service that defined the content API.
const API_VERSION: &str = "1";

/// The key of the [`Facts`] in the data of a queued message.
const FACTS: &str = "$";

/// The message that is sent. Its id, the id of the causing event and the id of the workflow are
/// also sent as header fields.
#[derive(Serialize)]
pub struct Posted<'a> {
    id: &'a str,
    #[serde(rename = "type")]
    kind: &'a str,
    timestamp: String,
    /// Whether the message is a test, which does not report a change.
    test: bool,
    data: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    causation: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    correlation: Option<&'a str>,
    api_version: &'static str,
    subject: Value,
    site: Value,
    context: Value,
}

/// The fields of `data` that every message has.
#[derive(Serialize, JsonSchema)]
pub struct AdditionalData {
    /// The resource as the content API returns it, or only its `id` if it is too large. For a
    /// deleted resource, the known fields.
    object: Map<String, Value>,
    /// In `…updated`: the names of the fields of `object` that changed.
    changed_fields: Vec<String>,
    /// The previous status of an item or Page: `published`, `unlisted` or `unpublished`.
    previous_status: Option<String>,
    /// The names of the fields that were left out of `object` because the resource is too large.
    truncated_fields: Vec<String>,
}

/// Facts about a change that are recorded when the change is detected.
pub struct Facts {
    pub object: Option<Value>,
    pub previous_status: Option<&'static str>,
    /// The address of the published site.
    pub site: String,
}

/// Adds facts to the data of a message. [`posted`] reads these facts.
pub fn with_facts(data: &str, facts: Facts) -> String {
    let mut data: Map<String, Value> = serde_json::from_str(data).unwrap_or_default();
    let mut object = facts.object;
    let mut truncated: Vec<String> = Vec::new();
    if let Some(Value::Object(fields)) = &mut object
        && json_length(fields) > MAX_OBJECT
    {
        let names = fields.keys().filter(|name| *name != "id");
        truncated = names.map(|name| format!("data.object.{name}")).collect();
        fields.retain(|name, _| name == "id");
    }
    let facts = json!({
        "object": object,
        "previous_status": facts.previous_status,
        "site": facts.site,
        "truncated_fields": truncated,
    });
    data.insert(FACTS.into(), facts);
    Value::Object(data).to_string()
}

fn json_length(fields: &Map<String, Value>) -> usize {
    serde_json::to_string(fields).map_or(0, |text| text.len())
}

/// Returns the body of the request for a message.
pub fn body(message: &Message) -> String {
    let posted = posted(message, is_test(message));
    // All keys are strings, so serialization cannot fail.
    serde_json::to_string(&posted).unwrap_or_default()
}

/// Whether the message is a test, which does not report a change.
pub fn is_test(message: &Message) -> bool {
    message.kind == "webhook.test"
}

pub fn posted(message: &Message, test: bool) -> Posted<'_> {
    let mut data: Map<String, Value> = serde_json::from_str(&message.data).unwrap_or_default();
    let facts = data.remove(FACTS).unwrap_or_default();
    let object = match &facts["object"] {
        Value::Object(object) => object.clone(),
        _ => data.clone(),
    };
    let site = match &facts["site"] {
        Value::String(site) => site.clone(),
        _ => data.get("url").and_then(Value::as_str).unwrap_or_default().to_owned(),
    };
    let subject = subject(&message.kind, &data);
    if let Some(changed) = &message.changed {
        let names = changed.split(' ').take(MAX_CHANGED_FIELDS);
        let names: Vec<Value> = names.map(|name| shorten_text(name).into()).collect();
        data.insert("changed".into(), names.into());
    }
    let additional = AdditionalData {
        changed_fields: changed_fields(message, &object),
        object,
        previous_status: facts["previous_status"].as_str().map(str::to_owned),
        truncated_fields: texts(&facts["truncated_fields"]),
    };
    if let Ok(Value::Object(additional)) = serde_json::to_value(additional) {
        data.extend(additional);
    }
    let (causation, correlation) = (message.causation.as_deref(), message.correlation.as_deref());
    Posted {
        id: &message.id,
        kind: &message.kind,
        timestamp: format!("{:.3}", message.time),
        test,
        data,
        causation,
        correlation,
        api_version: API_VERSION,
        subject,
        site: json!({ "id": host(&site), "url": origin(&site) }),
        context: json!({
            "causation_id": causation,
            "correlation_id": correlation.or(causation).unwrap_or(&message.id),
            "origin": if causation.or(correlation).is_some() { "api" } else { "system" },
            "request_id": message.id,
        }),
    }
}

fn texts(list: &Value) -> Vec<String> {
    let list = list.as_array().into_iter().flatten();
    let texts = list.filter_map(Value::as_str);
    texts.map(str::to_owned).collect()
}

/// Returns the resource that a message is about, with its path in the content API.
fn subject(kind: &str, data: &Map<String, Value>) -> Value {
    let of = kind.split('.').next().unwrap_or_default();
    let id = data.get("id").and_then(Value::as_str).unwrap_or(of);
    let folder = match of {
        _ if kind == NAVIGATION_UPDATED => None,
        "item" => Some("items"),
        "page" => Some("pages"),
        "site_file" => Some("site-files"),
        "channel" => Some("channels"),
        _ => None,
    };
    let mut subject = json!({ "type": of, "id": id });
    if let Some(folder) = folder {
        let id = model::url::encode_path(id);
        subject["api_path"] = format!("/api/v1/{folder}/{id}/").into();
    }
    subject
}

/// Returns the content API's names of the changed fields.
fn changed_fields(message: &Message, object: &Map<String, Value>) -> Vec<String> {
    let (of, what) = message.kind.split_once('.').unwrap_or_default();
    let fixed: &[&str] = match (of, what) {
        ("item" | "page", "published" | "unlisted" | "unpublished") => &["status"],
        ("site_file", "published") => &["date_published", "published_content"],
        ("site_file", "reset") => &["draft_content", "mode"],
        ("theme", _) => &["active_theme_id"],
        (_, "created") => {
            let names = object.keys().filter(|name| *name != "id");
            let all: BTreeSet<String> = names.cloned().collect();
            return all.into_iter().collect();
        }
        _ => &[],
    };
    let changed = message.changed.as_deref().into_iter();
    let changed = changed.flat_map(|changed| changed.split(' ')).take(MAX_CHANGED_FIELDS);
    let names = changed.flat_map(|part| api_names(of, part).map(shorten_text));
    let names = names.filter(|name| !name.is_empty());
    let all: BTreeSet<String> = names.chain(fixed.iter().map(|name| (*name).to_owned())).collect();
    all.into_iter().collect()
}

/// Returns the content API's names for a changed part of a file. There are up to two names. Unused
/// elements are empty.
fn api_names<'p>(of: &str, part: &'p str) -> [&'p str; 2] {
    match (of, part) {
        ("item" | "page", "body") => ["content_html", "content_text"],
        ("channel", "body") => ["description", ""],
        ("channel", "home_page_url" | "link") => ["homepage_url", ""],
        ("item", "attachment" | "media") => ["attachments", ""],
        ("site_file", "template") => ["published_content", ""],
        ("site_file", "draft") => ["draft_content", ""],
        (_, "file" | "media") => ["", ""],
        (_, part) => [part, ""],
    }
}

/// Returns the scheme and host of an address.
fn origin(url: &str) -> &str {
    let start = url.find("://").map_or(0, |at| at + 3);
    let end = url[start..].find('/').map_or(url.len(), |at| start + at);
    &url[..end]
}

fn host(url: &str) -> &str {
    let origin = origin(url);
    origin.split_once("://").map_or(origin, |(_, host)| host)
}
