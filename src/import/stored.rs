//! Data that a service stores about an entry and that its feed does not contain: whether the entry
//! is public, whether it is a page, and its slug.

use feeds::StoredData;
use jiff::Timestamp;

use super::found::{Entry, Found, Note, add};
use model::ItemId;
use project::Options;

/// Front matter keys that pages can have.
const PAGE_KEYS: [&str; 10] = [
    "id", "title", "status", "date_published", "date_modified", "language", "meta_description",
    "navigation_label", "navigation_order", "show_in_navigation",
];

/// Adds an entry together with the data that the service stores about it. An entry that is not
/// public at the service gets the status `unpublished`.
pub fn put(mut entry: Entry, stored: StoredData, found: &mut Found) {
    for (key, value) in stored.fields {
        entry.set(&key, value);
    }
    if let Some(why) = &stored.hidden {
        entry.set("status", "unpublished");
        // The address of an unpublished entry contains only a number, and the address was never
        // public.
        entry.address = None;
        entry.fields.remove("aliases");
        let message = format!("“{}” {why}: it was imported as unpublished", entry.name());
        found.note(message, entry.place.clone());
    }
    if let Some(id) = stored.id.as_deref().and_then(|id| ItemId::parse(id).ok()) {
        entry.set("id", id.to_string());
        if id.as_str() != entry.identity {
            entry.set("guid", entry.identity.clone());
        }
    }
    // WordPress stores slugs percent-encoded.
    let segment = stored.segment.map(|name| {
        let decoded = percent_encoding::percent_decode_str(&name).decode_utf8();
        decoded.map_or_else(|_| name.clone(), std::borrow::Cow::into_owned)
    });
    entry.segment = segment.filter(|name| !name.is_empty()).or(entry.segment);
    entry.translation_key = stored.translation_key;
    entry.texts = stored.files.into_iter().collect();
    if stored.is_page {
        entry.fields.retain(|key, _| PAGE_KEYS.contains(&key.as_str()) || key == "aliases");
        found.pages.push(entry);
    } else {
        entry.fields.remove("meta_description");
        found.items.push(entry);
    }
}

/// Reports entries whose date is in the future, because they are published only on that date.
pub fn report_future(found: &mut Found) {
    let Ok(options) = Options::of_environment("") else {
        return;
    };
    let now = options.visibility.now;
    let entries = found.items.iter().chain(&found.pages);
    let later = entries.filter(|entry| !entry.fields.contains_key("status"));
    let later = later.filter_map(|entry| {
        let date = entry.text("date_published")?;
        let is_later = date.parse::<Timestamp>().is_ok_and(|date| date > now);
        let message = || {
            let name = entry.name();
            format!("“{name}” has a future date: it will not be published before {date}")
        };
        is_later.then(|| Note::new(message(), entry.place.clone()))
    });
    let later: Vec<Note> = later.collect();
    later.into_iter().for_each(|note| add(&mut found.notes, note));
}
