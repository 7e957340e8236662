//! What each tool takes. Its JSON Schema is made of these types, so it cannot differ from what is read.

use schemars::{JsonSchema, generate::SchemaSettings};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use api_shared::ApiError;

/// Reads arguments. The error names the one that is wrong.
pub fn parse<T: DeserializeOwned>(sent: Value) -> Result<T, ApiError> {
    serde_path_to_error::deserialize(sent).map_err(|error| {
        let path = error.path().to_string();
        ApiError::bad(match path.as_str() {
            "." => format!("arguments: {}", error.inner()),
            path => format!("arguments.{path}: {}", error.inner()),
        })
    })
}

/// The JSON Schema of arguments.
pub fn schema<T: JsonSchema>() -> Value {
    let settings =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    settings.into_generator().into_root_schema_for::<T>().into()
}

/// A kind of content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ContentKind {
    Item,
    Page,
}

/// A status, as front matter has it.
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
    /// Words to look for, or a "phrase in quotes"; without any, the newest are listed.
    #[schemars(length(max = 200))]
    pub words: Option<String>,
    /// Only items, or only Pages.
    pub kind: Option<ContentKind>,
    /// Only what has this status: drafts are unpublished.
    pub status: Option<StatusName>,
    /// Most results: 20 where it is left out.
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
    /// Its title.
    pub title: String,
    /// An item of the feed, which is the default, or a Page.
    pub kind: Option<ContentKind>,
    /// Its text in Markdown, without front matter.
    pub text: Option<String>,
    /// More fields of its front matter, such as tags or summary.
    pub fields: Option<Map<String, Value>>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposeEdit {
    /// A file such as content/items/walk.md, or an id or a slug.
    pub file: String,
    /// The version that `read` answered.
    pub version: String,
    /// Exact parts of the text that become others, one after the other.
    pub replacements: Option<Vec<Replacement>>,
    /// Fields of the front matter that become others, and no other byte of it; null takes one away.
    pub fields: Option<Map<String, Value>>,
    /// The whole new text, with its front matter.
    pub text: Option<String>,
    /// Why, in a sentence, for the person who decides.
    #[schemars(length(max = 500))]
    pub reason: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Replacement {
    /// What stands there now, once in the whole text.
    pub old: String,
    /// What is to stand there.
    pub new: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Validate {
    /// A file such as content/items/walk.md, or an id or a slug; without one, the whole site.
    pub file: Option<String>,
    /// A whole text for this file, in place of the one that is there.
    pub text: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Preview {
    /// A file such as content/items/walk.md, or an id or a slug.
    pub file: String,
    /// A whole text for this file, in place of the one that is there.
    pub text: Option<String>,
    /// What readers read, which is the default, or the whole page.
    pub format: Option<Format>,
}

/// What a page is shown as.
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
    /// The version that `read` answered.
    pub version: String,
    /// When readers see it, such as 2026-11-20T09:30:00Z. The default is the date in the text, or else the current
    /// time.
    pub date: Option<String>,
}
