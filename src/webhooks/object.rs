//! Builds `data.object` of a message: the resource with its fields in the content API, as receivers
//! written for the service that defined the content API expect it. The object contains whole
//! bodies, so it is built only for messages, and is not stored in the ledger.

use std::fs;
use std::path::Path;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::resource::{Entity, SnapshotResource};
use model::{Attachment, Author, Channel, Config, GeneratedKind, Image, Page, SiteFile};
use render::PublishedRecordings;
use render::text::rfc3339;
use site::{ItemEntry, paths};

/// Replaces addresses in messages with addresses of the published site. The snapshot may belong to
/// a preview with a different address.
pub struct Addresses<'c> {
    /// The configuration of the snapshot.
    pub shown: &'c Config,
    /// The configuration of the published site.
    pub published: &'c Config,
    /// The recordings of the published site.
    pub recordings: PublishedRecordings<'c>,
}

impl Addresses<'_> {
    /// Replaces addresses of the snapshot in a string with addresses of the published site.
    fn published(&self, text: &str) -> String {
        let (from, to) = (&self.shown.base_url, &self.published.base_url);
        if from == to && self.shown.media_base_url == self.published.media_base_url {
            return text.to_owned();
        }
        let media = |config: &Config| config.media_url("/media/");
        let text = text.replace(&media(self.shown), &media(self.published));
        text.replace(&format!("{from}/"), &format!("{to}/"))
    }
}

/// Returns the object for a resource, or `None` if the content API defines no object for resources
/// of this kind.
pub fn object<'c>(
    one: &SnapshotResource<'c>,
    root: &Path,
    addresses: &Addresses<'c>,
) -> Option<Value> {
    let object = match &one.entity {
        Entity::Item(entry, own_url) => item_object(one, (entry, own_url.as_ref()), addresses),
        Entity::Page(page) => page_object(one, page, root, addresses),
        Entity::SiteFile(template, draft) => {
            site_file_object(one, *template, *draft, root, addresses.published)?
        }
        Entity::Channel(channel) => channel_object(channel, addresses),
        Entity::Navigation(_) | Entity::Theme(_) | Entity::Event(_) | Entity::Calendar(_) => {
            return None;
        }
    };
    Some(without_nulls(object))
}

fn item_object<'c>(
    one: &SnapshotResource<'_>,
    (entry, own_url): (&'c ItemEntry, Option<&String>),
    addresses: &Addresses<'c>,
) -> Value {
    let item = &entry.item;
    let body = item.content.body();
    let object = json!({
        "id": item.id.as_str(),
        "title": item.title,
        "url": match &item.url {
            Some(url) => url.clone(),
            None => own_url.cloned().unwrap_or_else(|| addresses.published.url(&entry.path)),
        },
        "status": one.visibility().status(),
        "content_html": addresses.published(&body.html),
        "content_text": body.text,
        "image": item.image.as_ref().map(|image| addresses.published(&image.url)),
        "date_published": item.date_published.map(rfc3339),
        "date_modified": item.date_modified.map(rfc3339),
        "attachments": item.attachment.as_ref().map(|one| [attachment(one, entry, addresses)]),
    });
    item.content.release_body();
    object
}

fn attachment<'c>(
    attachment: &Attachment,
    entry: &'c ItemEntry,
    addresses: &Addresses<'c>,
) -> Value {
    without_nulls(json!({
        "category": attachment.category.as_str(),
        "url": addresses.published(&attachment.url),
        "mime_type": (!attachment.mime_type.is_empty()).then_some(&attachment.mime_type),
        "size_in_bytes": addresses.recordings.size_in_bytes(entry),
        "duration_in_seconds": attachment.duration_in_seconds,
    }))
}

fn page_object(
    one: &SnapshotResource<'_>,
    page: &Page,
    root: &Path,
    addresses: &Addresses<'_>,
) -> Value {
    let body = page.content.body();
    let file = page.source.as_ref().and_then(|file| changed(&file.on_disk(root)));
    let modified = page.updated().or(file).or(page.date_created);
    let created = page.date_created.or(page.date_published).or(modified);
    let object = json!({
        "id": page.id.as_str(),
        "title": page.title,
        "slug": page.slug.as_str(),
        "url": addresses.published.url(&paths::page_in_site(addresses.published, page)),
        "status": one.visibility().status(),
        "content_html": addresses.published(&body.html),
        "content_text": body.text,
        "meta_description": page.meta_description,
        "show_in_navigation": page.show_in_navigation,
        "navigation_label": page.navigation_label.as_deref().unwrap_or_default(),
        "navigation_order": page.navigation_order.unwrap_or_default(),
        "is_not_found_page": page.is_not_found_page(),
        "date_created": created.map(rfc3339),
        "date_modified": modified.map(rfc3339),
        "date_published": page.date_published.map(rfc3339),
    });
    page.content.release_body();
    object
}

fn site_file_object(
    one: &SnapshotResource<'_>,
    template: Option<&SiteFile>,
    draft: Option<&SiteFile>,
    root: &Path,
    config: &Config,
) -> Option<Value> {
    let file = template.or(draft)?;
    let modified = changed(&file.source.on_disk(root)).map(rfc3339);
    let mut kinds = GeneratedKind::ALL.into_iter();
    let generator = kinds.find(|kind| kind.filename() == file.filename);
    let generator = generator.map(|kind| kind.filename().split('.').next().unwrap_or_default());
    Some(json!({
        "id": one.id,
        "filename": file.filename,
        "content_type": file.content_type,
        "url": config.url(&format!("/{}", file.filename)),
        "enabled": config.site_file(&file.filename).enabled,
        "mode": "override",
        "system": generator.is_some(),
        "generator": generator,
        "draft_content": draft.or(template).map(|file| &file.template),
        "published_content": template.map(|file| &file.template),
        "date_created": modified,
        "date_modified": modified,
        "date_published": template.and(modified.as_ref()),
    }))
}

fn channel_object(channel: &Channel, addresses: &Addresses<'_>) -> Value {
    let config = addresses.published;
    let names = |authors: &[Author]| {
        let names = authors.iter().map(|author| json!({ "name": author.name }));
        names.collect::<Vec<_>>()
    };
    let icon = |icon: &Image| addresses.published(&icon.url);
    let mut object = json!({
        "id": "primary",
        "title": channel.title,
        "description": addresses.published(&channel.description_html),
        "homepage_url": channel.homepage_url.clone().unwrap_or_else(|| config.url("/")),
        "icon": channel.icon.as_ref().map(icon),
        "language": channel.language,
        "expired": channel.expired,
        "authors": (!channel.authors.is_empty()).then(|| names(&channel.authors)),
    });
    if let Some(copyright) = &channel.copyright {
        object[format!("_{}", config.namespace)] = json!({ "copyright": copyright });
    }
    object
}

/// Returns the modification time of a file.
fn changed(file: &Path) -> Option<Timestamp> {
    let modified = fs::metadata(file).and_then(|facts| facts.modified()).ok()?;
    Timestamp::try_from(modified).ok()
}

fn without_nulls(object: Value) -> Value {
    match object {
        Value::Object(map) => {
            let fields = map.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(fields.collect::<Map<_, _>>())
        }
        other => other,
    }
}
