//! A page as returned by the API.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::output::{json, translations};
use api_shared::PageTimes;
use model::Status;
use render::text;
use render::view::TranslationView;
use server::Moment;
use site::PageEntry;

/// Page with its body and its settings.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PageOutput<'a> {
    /// Id of the Page. It stays the same if the path changes.
    id: &'a str,
    /// Title.
    title: &'a str,
    /// Public path without the slashes.
    slug: &'a str,
    /// Public URL.
    url: String,
    /// Language tag (RFC 5646).
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'a str>,
    /// Published translations of the Page.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    translations: Vec<TranslationView<'a>>,
    /// Body as HTML.
    content_html: &'a str,
    /// Body as plain text.
    content_text: &'a str,
    /// Visibility of the Page.
    #[schemars(extend("enum" = ["published", "unlisted", "unpublished"]))]
    status: &'static str,
    /// Whether the navigation shows the Page.
    show_in_navigation: bool,
    /// Label in the navigation.
    navigation_label: &'a str,
    /// Position in the navigation, lowest first.
    navigation_order: i64,
    /// Description for search engines.
    meta_description: Option<&'a str>,
    /// Creation time (RFC 3339).
    date_created: String,
    /// Time of the last change (RFC 3339).
    date_modified: String,
    /// Time when the Page was or will be published (RFC 3339).
    #[serde(skip_serializing_if = "Option::is_none")]
    date_published: Option<String>,
    /// Whether this is the 404 Page.
    is_not_found_page: bool,
}

pub fn value(root: &Path, moment: &Moment, entry: &PageEntry) -> Value {
    let snapshot = &moment.site.snapshot;
    let others = moment.site.renderer().translations_of_page(entry);
    let page = &entry.page;
    let dates = PageTimes::of(root, page);
    let body = page.content.body();
    json(&PageOutput {
        id: page.id.as_str(),
        title: &page.title,
        slug: page.slug.as_str(),
        url: snapshot.config.url(&entry.path()),
        language: snapshot.language_of(page.language.as_deref()),
        translations: translations(&snapshot.config, &others),
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
