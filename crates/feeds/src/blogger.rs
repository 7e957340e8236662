//! Reads the fields that a Blogger export adds to Atom: the kind of an entry, and whether it is
//! public.
//!
//! The export of a single blog (until 2025) stores kinds as categories, and marks drafts as in the
//! Atom Publishing Protocol (RFC 5023, section 13.1.1). The export of Google Takeout has separate
//! elements for both.

use crate::element::Element;
use crate::feed::{Item, StoredData, Text};

/// Scheme of the categories that specify the kind of an entry.
const KIND_SCHEME: &str = "schemas.google.com/g/2005#kind";

/// Blogger's data about an entry.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    Item(StoredData),
    /// An entry that is neither a post nor a page. Contains the plural name of its kind, such as
    /// `comments`.
    Other(&'static str),
}

/// Removes the fields that Blogger adds to an entry, and returns their content. Returns None if the
/// entry has no such fields.
pub fn take_entry_fields(element: &mut Element, item: &mut Item) -> Option<Entry> {
    let own = element.take_text("blogger:type");
    let is_export = own.is_some();
    let kind = own.or_else(|| take_kind(element));
    let status = element.take_text("blogger:status");
    let trashed = element.take_text("blogger:trashed");
    let path = element.take_text("blogger:filename");
    let description = element.take_text("blogger:metaDescription");
    for name in ["created", "location", "parent", "inReplyTo", "comments"] {
        element.take_all(&format!("blogger:{name}"));
    }
    let control = element.take("app:control");
    let draft = control.and_then(|mut control| control.take_text("app:draft"));
    let is_draft = draft.is_some_and(|flag| flag.eq_ignore_ascii_case("yes"));
    if kind.is_none() && !is_draft && status.is_none() && trashed.is_none() {
        return None;
    }
    let is_page = match kind.as_deref().map(str::to_ascii_lowercase).as_deref() {
        Some("post") | None => false,
        Some("page") => true,
        Some("comment") => return Some(Entry::Other("comments")),
        Some("template") => return Some(Entry::Other("templates")),
        Some("settings") => return Some(Entry::Other("settings")),
        Some(_) => return Some(Entry::Other("entries other than posts and pages")),
    };
    let hidden = match status.as_deref() {
        _ if is_draft => Some("is a draft"),
        _ if trashed.is_some() => Some("is in the trash"),
        Some("LIVE") => None,
        None if is_export => Some("has no status"),
        None => None,
        Some("DRAFT") => Some("is a draft"),
        Some("SCHEDULED") => Some("was scheduled for later"),
        Some("SOFT_TRASHED" | "TRASHED") => Some("is in the trash"),
        Some(_) => Some("has a status other than LIVE"),
    };
    let mut stored =
        StoredData { is_page, hidden: hidden.map(str::to_owned), ..StoredData::default() };
    if let Some(path) = path.filter(|path| path.starts_with('/')) {
        stored.fields.insert("aliases".to_owned(), vec![path.clone()].into());
        let last = path.rsplit('/').next().unwrap_or_default();
        stored.segment = Some(last.trim_end_matches(".html").to_owned());
    }
    if is_page {
        let text = description.map(|text| ("meta_description".to_owned(), text.into()));
        stored.fields.extend(text);
    } else if item.summary.is_none() {
        item.summary = description.map(Text::Plain);
    }
    // In Google Takeout's exports, these elements are always empty.
    if is_export {
        element.take_all("enclosure");
        element.take_all("link");
    }
    Some(Entry::Item(stored))
}

/// Returns the kind of an entry according to its categories. Removes the categories that specify a
/// kind, because they are not topics.
fn take_kind(element: &mut Element) -> Option<String> {
    let is_kind =
        |topic: &Element| topic.attribute("scheme").is_some_and(|it| it.contains(KIND_SCHEME));
    let (kinds, topics): (Vec<Element>, Vec<Element>) =
        element.take_all("category").into_iter().partition(is_kind);
    let nodes = topics.into_iter().map(crate::element::Node::Element);
    element.children.extend(nodes);
    let term = kinds.iter().find_map(|topic| topic.attribute("term"))?;
    Some(term.rsplit('#').next().unwrap_or(term).to_owned())
}
