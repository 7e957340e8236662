//! A site file as sent by a client.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde_json::json;

use crate::input::Patch;
use api_shared::ApiError;
use model::SiteFile;

/// Fields to create or update a Site File. Unknown keys are ignored. In an update, an omitted field
/// keeps its value.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(extend("examples" = [{
    "filename": "humans.txt",
    "draft_content": "{{title}}\n{{#authors}}- {{name}}\n{{/authors}}",
}]))]
pub struct SiteFileInput {
    /// Name at the site's root: lower case, ending in txt, xml, json, webmanifest, csv, css, yaml,
    /// yml, md, atom or rss. Required for a new Site File. It cannot be changed.
    #[schemars(
        with = "String",
        length(min = 1, max = 128),
        regex(
            pattern = r"^[a-z0-9_-][a-z0-9._-]*\.(txt|xml|json|webmanifest|csv|css|yaml|yml|md|atom|rss)$"
        )
    )]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub filename: Patch<String>,
    /// Media type. If it is null, or omitted for a new Site File, the extension determines it.
    #[schemars(extend("enum" = ["application/json", "application/manifest+json", "application/rss+xml", "application/xml", "text/css", "text/csv", "text/markdown", "text/plain", "text/yaml", null]))]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub content_type: Patch<String>,
    /// Draft: a Mustache template of at most 256 KiB. Null, or the published content, removes the
    /// draft.
    #[schemars(length(max = 262_144))]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub draft_content: Patch<String>,
    /// Whether the Site File is published. Null means true.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub enabled: Patch<bool>,
}

/// The fields of a new site file: the same as for an update, with a required filename.
pub struct SiteFileCreateInput;

impl JsonSchema for SiteFileCreateInput {
    fn schema_name() -> Cow<'static, str> {
        "SiteFileCreateInput".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = SiteFileInput::json_schema(generator);
        schema.insert(
            "description".into(),
            "Fields to create a Site File. Unknown keys are ignored.".into(),
        );
        schema.insert("required".into(), json!(["filename"]));
        schema
    }
}

/// Template to render without saving it.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[schemars(extend("examples" = [{
    "filename": "humans.txt",
    "draft_content": "{{title}}\n{{#authors}}- {{name}}\n{{/authors}}",
}]))]
pub struct SiteFilePreviewInput {
    /// Template. For a generated Site File, an empty template renders the generated content.
    #[schemars(length(max = 262_144))]
    pub draft_content: String,
    /// Name. Required if `site_file_id` is omitted.
    #[serde(default)]
    #[schemars(
        length(min = 1, max = 128),
        regex(
            pattern = r"^[a-z0-9_-][a-z0-9._-]*\.(txt|xml|json|webmanifest|csv|css|yaml|yml|md|atom|rss)$"
        )
    )]
    pub filename: Option<String>,
    /// Media type. Defaults to the media type of the Site File, or of the name's extension.
    #[serde(default)]
    #[schemars(extend("enum" = ["application/json", "application/manifest+json", "application/rss+xml", "application/xml", "text/css", "text/csv", "text/markdown", "text/plain", "text/yaml", null]))]
    pub content_type: Option<String>,
    /// Whether the Site File is to be published. Has no effect on the rendered content.
    #[serde(default)]
    pub enabled: Option<bool>,
    /// Id of the Site File that the template belongs to.
    #[serde(default)]
    pub site_file_id: Option<String>,
}

/// Validates the name of a site file.
pub fn filename(text: &str) -> Result<(), ApiError> {
    let checked = SiteFile::check_name(text).map(|_| ());
    checked.map_err(|why| ApiError::bad(format!("filename: {why}")))
}

/// Parses a media type that a site file can have.
pub fn content_type(text: &str) -> Result<&'static str, ApiError> {
    SiteFile::parse_content_type(text).ok_or_else(|| {
        ApiError::bad(format!(
            "content_type: must be one of {}",
            SiteFile::CONTENT_TYPES.join(", ")
        ))
    })
}
