//! What messages say of each kind of resource. They are thin: enough to know what to do, and where to read the rest.

use jiff::Timestamp;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

/// An item or a Page.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Entry {
    /// Its id, as the content API knows it.
    pub id: String,
    /// Its title; empty where it has none.
    pub title: String,
    /// Its page. There is nothing at this address while it is not public.
    pub url: String,
    /// What its author wrote: `published`, `unlisted` or `unpublished`.
    pub status: String,
    /// Whether it has a page now: it is no draft, and its date has come.
    pub public: bool,
    /// When it was or will be published.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>", extend("format" = "date-time"))]
    pub date_published: Option<Timestamp>,
    /// Its file, from the site's root.
    pub file: String,
    /// In `…updated`: the front matter keys that changed; `body` for the text, `file` for the file's name, `media` for the files that it names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<Vec<String>>,
}

/// A Site File.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SiteFileData {
    /// Its id, as the content API knows it.
    pub id: String,
    /// Its name at the site's root.
    pub filename: String,
    /// Its address.
    pub url: String,
    /// Its media type.
    pub content_type: String,
    /// Whether it is published: more than a draft, and enabled.
    pub public: bool,
    /// Its file, from the site's root.
    pub file: String,
    /// In `…updated`: `template`, `draft`, `content_type` where site.toml says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<Vec<String>>,
}

/// An event of a calendar, or a series of them.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct EventData {
    /// Its id, as the calendar API knows it.
    pub id: String,
    /// The id of its calendar.
    pub calendar: String,
    /// Its title; empty where it has none.
    pub title: String,
    /// `confirmed`, `tentative` or `cancelled`.
    pub status: String,
    /// Whether the public sees it, or one of its instances: neither it nor its calendar is private.
    pub public: bool,
    /// Its file, from the site's root.
    pub file: String,
    /// In `…updated`: the front matter keys that changed; `body` for the text, `instances` for the instances of a series that differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<Vec<String>>,
}

/// A calendar.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CalendarData {
    /// Its id, as the calendar API knows it.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Whether the site publishes it.
    pub public: bool,
    /// Its file, from the site's root. A calendar may be without.
    pub file: String,
    /// In `…updated`: the keys that changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<Vec<String>>,
}

/// The channel.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ChannelData {
    /// `primary`: there is one.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The home page.
    pub url: String,
    /// Whether the site is public: it is not offline.
    pub public: bool,
    /// Its file, from the site's root.
    pub file: String,
    /// The front matter keys that changed; `body` for the text, `media` for the files that it names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed: Option<Vec<String>>,
}

/// The Pages in navigation.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct NavigationData {
    /// `navigation`.
    pub id: String,
    /// The ids of the Pages, in order.
    pub page_ids: Vec<String>,
}

/// A theme.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ThemeData {
    /// Its name in site.toml.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// The id of its package.
    pub package_id: String,
    /// The version of its package.
    pub version: String,
}

/// A build.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Build {
    /// The site.
    pub url: String,
    /// Items with a page.
    pub items: usize,
    /// Documents and media of the output.
    pub files: usize,
    /// Files that were written.
    pub written: usize,
    /// Files of an earlier build that were removed.
    pub removed: usize,
}

/// A deploy.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Deploy {
    /// The site.
    pub url: String,
    /// Files that were put there.
    pub put: usize,
    /// Files that were deleted there.
    pub deleted: usize,
}

/// A message that somebody asked for.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Test {
    /// The site.
    pub url: String,
    /// The webhook's name.
    pub webhook: String,
}

/// The event of a change in navigation. Its data are not the data of a Page.
pub const NAVIGATION_UPDATED: &str = "page.navigation_updated";

/// Longest text of a message, in characters.
const LONGEST: usize = 500;

/// A text as messages have it.
pub fn short(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The schema of the `data` of a type of event.
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
