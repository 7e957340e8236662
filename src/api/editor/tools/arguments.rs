//! The arguments of each tool. The JSON Schemas of the tools are generated from these types, so
//! that they always match the parser.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use api_shared::ApiError;

/// Parses arguments. The error names the invalid argument.
pub fn parse<T: DeserializeOwned>(sent: Value) -> Result<T, ApiError> {
    serde_path_to_error::deserialize(sent).map_err(|error| {
        let path = error.path().to_string();
        ApiError::bad(match path.as_str() {
            "." => format!("arguments: {}", error.inner()),
            path => format!("arguments.{path}: {}", error.inner()),
        })
    })
}

/// Returns the JSON Schema of a tool's arguments.
pub fn schema<T: JsonSchema>() -> Value {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<T>().into()
}

/// Kind of content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ContentKind {
    Item,
    Page,
}

/// Status, as in front matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum StatusName {
    Published,
    Unlisted,
    Unpublished,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Search {
    /// Words to search for, or a "phrase in quotes". Without words, the newest items and pages are
    /// listed.
    #[schemars(length(max = 200))]
    pub words: Option<String>,
    /// Restricts the results to items or to pages.
    pub kind: Option<ContentKind>,
    /// Restricts the results to one status. Drafts are unpublished.
    pub status: Option<StatusName>,
    /// Restricts the results to a language, such as de.
    pub language: Option<String>,
    /// Maximum number of results. The default is 20.
    #[schemars(range(min = 1, max = 100))]
    pub limit: Option<usize>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Read {
    /// A file such as content/items/walk.md, or an id or a slug.
    pub file: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateDraft {
    /// Title of the draft.
    pub title: String,
    /// Whether to create an item of the feed, which is the default, or a page.
    pub kind: Option<ContentKind>,
    /// Language of the draft, such as de. The default is the site's language.
    pub language: Option<String>,
    /// File, id or slug of an item or page that the draft translates into `language`. The draft
    /// starts as a copy of it.
    pub translation_of: Option<String>,
    /// Text in Markdown, without front matter.
    pub text: Option<String>,
    /// More front matter fields, such as tags or summary.
    pub fields: Option<Map<String, Value>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposeEdit {
    /// A file such as content/items/walk.md, or an id or a slug.
    pub file: String,
    /// The version that `read` returned.
    pub version: String,
    /// Replacements of exact parts of the text, applied in this order.
    pub replacements: Option<Vec<Replacement>>,
    /// Front matter fields to change. All other bytes of the file stay the same, and null removes a
    /// field.
    pub fields: Option<Map<String, Value>>,
    /// The complete new text, with its front matter.
    pub text: Option<String>,
    /// Reason for the edit, in one sentence, for the person who accepts or discards it.
    #[schemars(length(max = 500))]
    pub reason: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Replacement {
    /// Text to replace. It must occur exactly once in the whole text.
    pub old: String,
    /// Text to insert in its place.
    pub new: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Validate {
    /// A file such as content/items/walk.md, or an id or a slug. Without a file, the whole site is
    /// checked.
    pub file: Option<String>,
    /// Text to check in place of the file's current text.
    pub text: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Preview {
    /// A file such as content/items/walk.md, or an id or a slug.
    pub file: String,
    /// Text to preview in place of the file's current text.
    pub text: Option<String>,
    /// Whether to return the text that readers see, which is the default, or the HTML of the whole
    /// page.
    pub format: Option<Format>,
}

/// Format of a preview.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    Text,
    Html,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Publish {
    /// A file such as content/items/walk.md, or an id or a slug.
    pub file: String,
    /// The version that `read` returned.
    pub version: String,
    /// Publication time, such as 2026-11-20T09:30:00Z. The default is the date in the text, or the
    /// current time if the text has no date.
    pub date: Option<String>,
}
