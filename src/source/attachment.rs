//! Reader of an item's attachment.

use std::ops::Range;

use front_matter::Value;

use super::fields::Fields;
use super::key_advice;
use super::reference::Reference;
use model::{Attachment, Category, Rule, is_playlist, url};

/// The media type of files whose type is unknown.
const UNKNOWN_TYPE: &str = "application/octet-stream";

/// Reads `attachment`: a path, a URL or a table.
pub(super) fn attachment(
    fields: &Fields<'_, '_>,
    span: &Range<usize>,
) -> Option<(Attachment, Reference)> {
    let list = fields.list("attachments");
    if let Some(second) = list.get(1) {
        fields.reader.error(
            &second.span, "an item can have only one attachment", "link to the others in the text",
        );
    }
    let (key, node) = match fields.node("attachment") {
        Some(node) => ("attachment", node),
        None => ("attachments", list.first()?),
    };
    match &node.value {
        Value::Table(table) => {
            fields.read_table(key, table, |fields| declared_attachment(fields, span))
        }
        _ => {
            let text = fields.as_string(key, node)?;
            if text.is_empty() {
                return None;
            }
            Some(found_attachment(fields.reader.reference(&text, &node.span)?))
        }
    }
}

fn declared_attachment(
    fields: &Fields<'_, '_>,
    span: &Range<usize>,
) -> Option<(Attachment, Reference)> {
    fields.set_key_advice(key_advice::ATTACHMENT);
    let category = fields.choice("category", Category::NAMES, Category::parse);
    let mime_type = fields.text("mime_type");
    let size = fields.first_of("size_in_bytes", |key| fields.integer(key));
    let duration = duration(fields);
    let Some(node) = fields.first_of("url", |key| fields.node(key)) else {
        let help = "add `url`: a path relative to the item, or a full URL";
        fields.missing("url", span, help);
        return None;
    };
    let text = fields.as_string("url", node)?;
    let (mut attachment, reference) = found_attachment(fields.reader.reference(&text, &node.span)?);
    if category == Some(Category::ExternalUrl) && !url::is_http(&attachment.url) {
        fields.reader.error(
            &node.span,
            "the `url` of an external_url must be a web address",
            "start it with https:// or http://",
        );
    }
    if let Some(mime_type) = mime_type {
        attachment.category = Category::of_media_type(&mime_type);
        attachment.mime_type = mime_type;
    }
    attachment.category = category.unwrap_or(attachment.category);
    if attachment.category == Category::ExternalUrl && attachment.mime_type == UNKNOWN_TYPE {
        "text/html".clone_into(&mut attachment.mime_type);
    }
    // For a file of the site, the size of the published file overrides a declared size.
    attachment.size_in_bytes =
        attachment.size_in_bytes.or(size.and_then(|size| u64::try_from(size).ok()));
    attachment.duration_in_seconds = duration.or(attachment.duration_in_seconds);
    Some((attachment, reference))
}

fn duration(fields: &Fields<'_, '_>) -> Option<f64> {
    const KEY: &str = "duration_in_seconds";
    let seconds = fields.number(KEY)?;
    if seconds >= 0.0 {
        return Some(seconds);
    }
    if let Some(node) = fields.node(KEY) {
        fields.reader.warning(
            Rule::Duration,
            &node.span,
            format!("`{}` is {seconds}, but must be at least 0", fields.name(KEY)),
            "write the duration in seconds, or remove the key",
        );
    }
    None
}

fn found_attachment(reference: Reference) -> (Attachment, Reference) {
    let mime_type = reference.media_type();
    let facts = reference.facts();
    // Feeds state no length of a playlist, as in the examples of the podcast namespace.
    let has_length = !is_playlist(&mime_type);
    let attachment = Attachment {
        category: match facts.is_some_and(|facts| facts.is_audio) {
            true => Category::Audio,
            false => Category::of_media_type(&mime_type),
        },
        url: reference.url().to_owned(),
        mime_type,
        size_in_bytes: facts.map(|facts| facts.bytes).filter(|_| has_length),
        duration_in_seconds: facts.and_then(|facts| facts.duration),
        dimensions: facts.and_then(|facts| facts.dimensions),
        shot: facts.and_then(|facts| facts.shot.clone()),
        waveform: facts.and_then(|facts| facts.waveform.clone()),
    };
    (attachment, reference)
}
