//! A page as sent by a client.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::json;

use crate::input::Patch;
use crate::shared_inputs::{StatusInput, TITLE};
use model::PAGE;
use model::sent::add_declared;

/// Fields to update a Page. Unknown keys are ignored, and an omitted field keeps its value.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(transform = |schema: &mut Schema| add_declared(schema, PAGE, ""))]
#[schemars(extend("examples" = [{
    "title": "Tide tables",
    "slug": "tides",
    "content_markdown": "High water is at **noon**.",
    "show_in_navigation": true,
    "navigation_label": "Tides",
}]))]
pub struct PageInput {
    /// Title.
    #[schemars(with = "String", length(min = 1, max = 200), regex(pattern = TITLE))]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub title: Patch<String>,
    /// Public path without its slashes: words of `a–z` and `0–9` joined by single hyphens. The
    /// former path redirects.
    #[schemars(
        with = "String",
        length(min = 1, max = 100),
        regex(pattern = "^[a-z0-9]+(-[a-z0-9]+)*$")
    )]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub slug: Patch<String>,
    /// Body as HTML.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub content_html: Patch<String>,
    /// Body as Markdown (CommonMark), in place of `content_html`.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub content_markdown: Patch<String>,
    /// Visibility of the Page. Defaults to `published` for a new Page.
    #[schemars(with = "StatusInput")]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub status: Patch<StatusInput>,
    /// Whether the navigation shows the Page. An unlisted Page is never shown.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub show_in_navigation: Patch<bool>,
    /// Label in the navigation. Required if the navigation shows the Page.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub navigation_label: Patch<String>,
    /// Language tag (RFC 5646).
    #[schemars(length(max = 64), regex(pattern = "^([A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*)?$"))]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub language: Patch<String>,
    /// Id of the Page that a new Page translates into its `language`. The file of the new Page gets
    /// the same name. Invalid in an update.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub translation_of: Patch<String>,
    /// Description for search engines. Null clears it.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub meta_description: Patch<String>,
}

/// The fields to create a page: the same as for an update, with a required title and slug.
#[derive(Debug, Clone)]
pub struct PageCreateInput(pub PageInput);

const REQUIRED: [&str; 2] = ["title", "slug"];

impl<'de> Deserialize<'de> for PageCreateInput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let input = PageInput::deserialize(deserializer)?;
        let sent = [&input.title, &input.slug].map(|field| field.value().is_some());
        match REQUIRED.into_iter().zip(sent).find(|(_, sent)| !sent) {
            Some((name, _)) => Err(D::Error::missing_field(name)),
            None => Ok(Self(input)),
        }
    }
}

impl JsonSchema for PageCreateInput {
    fn schema_name() -> Cow<'static, str> {
        "PageCreateInput".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = PageInput::json_schema(generator);
        schema.insert(
            "description".into(),
            "Fields to create a Page. Unknown keys are ignored.".into(),
        );
        schema.insert("required".into(), json!(REQUIRED));
        schema
    }
}
