//! A Site File as a client sends it.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde_json::json;

use crate::input::Patch;
use api_shared::ApiError;
use model::SiteFile;

/// A Site File, or what is to change of one. Unknown keys are ignored, and in an update what is left
/// out stays as it is.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(extend("examples" = [{
    "filename": "humans.txt",
    "draft_content": "{{title}}\n{{#authors}}- {{name}}\n{{/authors}}",
}]))]
pub struct SiteFileInput {
    /// Its name at the site's root: lower case, ending in txt, xml, json, webmanifest, csv, css, yaml,
    /// yml, md, atom or rss. A new one needs it; it cannot change.
    #[schemars(
        with = "String",
        length(min = 1, max = 128),
        regex(
            pattern = r"^[a-z0-9_-][a-z0-9._-]*\.(txt|xml|json|webmanifest|csv|css|yaml|yml|md|atom|rss)$"
        )
    )]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub filename: Patch<String>,
    /// Its media type; null, or left out of a new one: that of its extension.
    #[schemars(extend("enum" = ["application/json", "application/manifest+json", "application/rss+xml", "application/xml", "text/css", "text/csv", "text/markdown", "text/plain", "text/yaml", null]))]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub content_type: Patch<String>,
    /// The draft: a Mustache template of at most 256 KiB. Null, or the content that is published, ends
    /// the draft.
    #[schemars(length(max = 262_144))]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub draft_content: Patch<String>,
    /// Whether it is published; null: true.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub enabled: Patch<bool>,
}

/// The fields of a new Site File: the same, with a filename.
pub struct SiteFileCreateInput;

impl JsonSchema for SiteFileCreateInput {
    fn schema_name() -> Cow<'static, str> {
        "SiteFileCreateInput".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = SiteFileInput::json_schema(generator);
        schema.insert(
            "description".into(),
            "The fields of a new Site File. Unknown keys are ignored.".into(),
        );
        schema.insert("required".into(), json!(["filename"]));
        schema
    }
}

/// A template to render without saving it.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[schemars(extend("examples" = [{
    "filename": "humans.txt",
    "draft_content": "{{title}}\n{{#authors}}- {{name}}\n{{/authors}}",
}]))]
pub struct SiteFilePreviewInput {
    /// The template. Empty for a generated Site File: what is generated.
    #[schemars(length(max = 262_144))]
    pub draft_content: String,
    /// Its name; needed where no Site File is named.
    #[serde(default)]
    #[schemars(
        length(min = 1, max = 128),
        regex(
            pattern = r"^[a-z0-9_-][a-z0-9._-]*\.(txt|xml|json|webmanifest|csv|css|yaml|yml|md|atom|rss)$"
        )
    )]
    pub filename: Option<String>,
    /// Its media type; that of the Site File or the name's extension where it is left out.
    #[serde(default)]
    #[schemars(extend("enum" = ["application/json", "application/manifest+json", "application/rss+xml", "application/xml", "text/css", "text/csv", "text/markdown", "text/plain", "text/yaml", null]))]
    pub content_type: Option<String>,
    /// Whether it is to be published, which changes nothing of what it renders to.
    #[serde(default)]
    pub enabled: Option<bool>,
    /// The Site File it is of.
    #[serde(default)]
    pub site_file_id: Option<String>,
}

/// A name that a Site File can have.
pub fn filename(text: &str) -> Result<(), ApiError> {
    let checked = SiteFile::check_name(text).map(|_| ());
    checked.map_err(|why| ApiError::bad(format!("filename: {why}")))
}

/// A media type that a Site File can have.
pub fn content_type(text: &str) -> Result<&'static str, ApiError> {
    SiteFile::parse_content_type(text).ok_or_else(|| {
        ApiError::bad(format!("content_type: it can be {}", SiteFile::CONTENT_TYPES.join(", ")))
    })
}
