//! A Page as the API shows it.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::output::json;
use api_shared::PageTimes;
use model::Status;
use render::text;
use site::{PageEntry, Snapshot, paths};

/// A Page.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PageOutput<'a> {
    /// Its id, which stays when its path changes.
    id: &'a str,
    /// Its title.
    title: &'a str,
    /// Its public path without the slashes.
    slug: &'a str,
    /// Its public address.
    url: String,
    /// Its body as HTML.
    content_html: &'a str,
    /// Its body as plain text.
    content_text: &'a str,
    /// Who sees it.
    #[schemars(extend("enum" = ["published", "unlisted", "unpublished"]))]
    status: &'static str,
    /// Whether navigation shows it.
    show_in_navigation: bool,
    /// Its name in navigation.
    navigation_label: &'a str,
    /// Its place in navigation, lowest first.
    navigation_order: i64,
    /// What search engines show.
    meta_description: Option<&'a str>,
    /// When it was made (RFC 3339).
    date_created: String,
    /// When it was last changed (RFC 3339).
    date_modified: String,
    /// When it was or will be published (RFC 3339).
    #[serde(skip_serializing_if = "Option::is_none")]
    date_published: Option<String>,
    /// Whether it is the 404 Page.
    is_not_found_page: bool,
}

pub fn value(root: &Path, snapshot: &Snapshot, entry: &PageEntry) -> Value {
    let page = &entry.page;
    let dates = PageTimes::of(root, page);
    let body = page.content.body();
    json(&PageOutput {
        id: page.id.as_str(),
        title: &page.title,
        slug: page.slug.as_str(),
        url: snapshot.config.url(&paths::page(page.slug.as_str())),
        content_html: &body.html,
        content_text: &body.text,
        status: page.status.as_str(),
        show_in_navigation: page.show_in_navigation && page.status != Status::Unlisted,
        navigation_label: page.navigation_label.as_deref().unwrap_or_default(),
        navigation_order: page.navigation_order.unwrap_or_default(),
        meta_description: page.meta_description.as_deref(),
        date_created: text::rfc3339(dates.created),
        date_modified: text::rfc3339(dates.modified),
        date_published: page.date_published.map(text::rfc3339),
        is_not_found_page: page.is_not_found_page(),
    })
}
