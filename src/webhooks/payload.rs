//! The data in messages about each kind of resource. Messages are small: receivers can decide what
//! to do, and read the rest from the API.

use jiff::Timestamp;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

/// An item or a Page.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Entry {
    /// The id of the item or Page in the content API.
    pub id: String,
    /// The title. Empty if there is none.
    pub title: String,
    /// The public address. Not available while the item or Page is not public.
    pub url: String,
    /// The status that the author set: `published`, `unlisted` or `unpublished`.
    pub status: String,
    /// Whether the item or Page is public now: it is not a draft, and its date has passed.
    pub public: bool,
    /// The date of publication. It may be in the future.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub date_published: Option<Timestamp>,
    /// The file, relative to the site's root.
    pub file: String,
    /// In `…updated`: changed front matter keys, or `body` (text), `file` (file name), `media` (referenced files).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<Vec<String>>,
}

/// A Site File.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SiteFileData {
    /// The id of the Site File in the content API.
    pub id: String,
    /// The name of the file at the site's root.
    pub filename: String,
    /// The address of the file.
    pub url: String,
    /// The media type.
    pub content_type: String,
    /// Whether the file is published: it is not only a draft, and it is enabled.
    pub public: bool,
    /// The file, relative to the site's root.
    pub file: String,
    /// In `…updated`: `template`, `draft`, or `content_type` if it is set in site.toml.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<Vec<String>>,
}

/// An event or a series of events in a calendar.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct EventData {
    /// The id of the event in the calendar API.
    pub id: String,
    /// The id of the calendar.
    pub calendar: String,
    /// The title. Empty if there is none.
    pub title: String,
    /// `confirmed`, `tentative` or `cancelled`.
    pub status: String,
    /// Whether the event, or an instance of it, is public: neither the event nor its calendar is private.
    pub public: bool,
    /// The file, relative to the site's root.
    pub file: String,
    /// In `…updated`: changed front matter keys, or `body` (text), `instances` (instances of a series).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<Vec<String>>,
}

/// A calendar.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CalendarData {
    /// The id of the calendar in the calendar API.
    pub id: String,
    /// The title.
    pub title: String,
    /// Whether the site publishes the calendar.
    pub public: bool,
    /// The file, relative to the site's root. The file may be missing.
    pub file: String,
    /// In `…updated`: the keys that changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<Vec<String>>,
}

/// The channel.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ChannelData {
    /// Always `primary`, because there is only one channel.
    pub id: String,
    /// The title.
    pub title: String,
    /// The address of the home page.
    pub url: String,
    /// Whether the site is public: it is not offline.
    pub public: bool,
    /// The file, relative to the site's root.
    pub file: String,
    /// In `…updated`: changed front matter keys, or `body` (text), `media` (referenced files).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<Vec<String>>,
}

/// The Pages in navigation.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct NavigationData {
    /// Always `navigation`.
    pub id: String,
    /// The ids of the Pages, in order.
    pub page_ids: Vec<String>,
}

/// A theme.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ThemeData {
    /// The name of the theme in site.toml.
    pub id: String,
    /// The display name.
    pub name: String,
    /// The id of the theme package.
    pub package_id: String,
    /// The version of the theme package.
    pub version: String,
}

/// A build.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Build {
    /// The address of the site.
    pub url: String,
    /// The number of items with a public page.
    pub items: usize,
    /// The number of documents and media files in the output.
    pub files: usize,
    /// The number of files that were written.
    pub written: usize,
    /// The number of files of an earlier build that were removed.
    pub removed: usize,
}

/// A deploy.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Deploy {
    /// The address of the site.
    pub url: String,
    /// The number of files that were uploaded.
    pub put: usize,
    /// The number of files that were deleted at the destination.
    pub deleted: usize,
}

/// A test message that a user requested.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Test {
    /// The address of the site.
    pub url: String,
    /// The name of the webhook.
    pub webhook: String,
}

/// The event type for a change in navigation. Its data have a different format from the data of
/// other page events.
pub const NAVIGATION_UPDATED: &str = "page.navigation_updated";

/// Maximum length of a string in a message, in characters.
const MAX_TEXT_LENGTH: usize = 500;

/// Shortens a string for a message.
pub fn shorten_text(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT_LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Returns the schema of `data` for a type of event.
pub fn schema_of(kind: &str, generator: &mut SchemaGenerator) -> Schema {
    match kind.split('.').next() {
        Some("page") if kind == NAVIGATION_UPDATED => generator.subschema_for::<NavigationData>(),
        Some("item" | "page") => generator.subschema_for::<Entry>(),
        Some("theme") => generator.subschema_for::<ThemeData>(),
        Some("site_file") => generator.subschema_for::<SiteFileData>(),
        Some("event") => generator.subschema_for::<EventData>(),
        Some("calendar") => generator.subschema_for::<CalendarData>(),
        Some("channel") => generator.subschema_for::<ChannelData>(),
        Some("build") => generator.subschema_for::<Build>(),
        Some("deploy") => generator.subschema_for::<Deploy>(),
        _ => generator.subschema_for::<Test>(),
    }
}
