//! Rejects items without content, so that a mistyped key does not publish an empty item.

use serde_json::Value;

use crate::{ContentCall, bounds};
use api_shared::{ApiError, SiteUrls};
use model::{Diagnostic, Item, Severity, SitePath, Source, Status};
use source::fields::{Reader, nearest};
use source::{html, item};

/// Returns whether an item is public and has nothing to show.
fn is_empty(item: &Item) -> bool {
    item.status != Status::Unpublished
        && item.title.is_empty()
        && !html::shows_something(&item.content.body().html)
        && item.attachment.is_none()
        && item.url.is_none()
}

/// Rejects new text that would make a public item empty. If the item was already empty in `before`,
/// it may stay empty.
pub fn refuse_empty_item(
    call: &ContentCall<'_>,
    own: &SiteUrls<'_>,
    path: &SitePath,
    before: Option<&Item>,
    text: &str,
) -> Result<(), ApiError> {
    if has_title(path, text) || before.is_some_and(is_empty) {
        return Ok(());
    }
    let reader = Reader::new(Source { path, text }, own.config, own.root).strict();
    let item = item::read(&reader);
    // Errors in the item's fields are reported when the item is written.
    let is_wrong = |found: &Diagnostic| found.severity == Severity::Error;
    if reader.finish().0.iter().any(is_wrong) {
        return Ok(());
    }
    match item {
        Some(item) if is_empty(&item) => {
            let namespace = &own.config.namespace;
            Err(ApiError::bad(format!(
                "{}a published or unlisted item needs a title, a body, an attachment or a url; to save an empty item, set its status to unpublished",
                find_unknown_key(call, namespace).unwrap_or_else(|| "title: ".to_owned())
            )))
        }
        _ => Ok(()),
    }
}

/// Returns whether the front matter has a title. An item with a title is never empty.
fn has_title(path: &SitePath, text: &str) -> bool {
    let front = Source { path, text }.front_matter().ok();
    let title = front.as_ref().and_then(|front| front.table.get("title"));
    matches!(
        title.map(|title| &title.value),
        Some(front_matter::Value::String(title)) if !title.trim().is_empty()
    )
}

/// Returns the part of the error message that reports an unknown key in the body, or None if all
/// keys are known. Suggests the most similar known key if there is one.
fn find_unknown_key(call: &ContentCall<'_>, namespace: &str) -> Option<String> {
    let Ok(Value::Object(body)) = serde_json::from_slice(&call.body) else {
        return None;
    };
    let known = bounds::keys(call.operation);
    let unknown: Vec<&String> = body
        .keys()
        .filter(|key| !known.contains(&key.as_str()) && **key != format!("_{namespace}"))
        .collect();
    let near = unknown.iter().find_map(|key| Some((key, nearest(key, &known)?)));
    match near {
        Some((key, near)) => Some(format!("{key}: unknown field; did you mean {near}? ")),
        None => Some(format!("{}: unknown field; ", unknown.first()?)),
    }
}
