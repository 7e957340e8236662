//! A Page as a client sends it.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::json;

use crate::input::Patch;
use crate::shared_inputs::{StatusInput, TITLE};
use model::PAGE;
use model::sent::add_declared;

/// What is to change of a Page. Unknown keys are ignored, and what is left out stays as it is.
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
    /// The title.
    #[schemars(with = "String", length(min = 1, max = 200), regex(pattern = TITLE))]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub title: Patch<String>,
    /// The public path without its slashes: words of `a–z` and `0–9` joined by single hyphens. The
    /// former one redirects.
    #[schemars(
        with = "String",
        length(min = 1, max = 100),
        regex(pattern = "^[a-z0-9]+(-[a-z0-9]+)*$")
    )]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub slug: Patch<String>,
    /// The body as HTML.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub content_html: Patch<String>,
    /// The body as Markdown (CommonMark), in place of `content_html`.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub content_markdown: Patch<String>,
    /// Who sees it; `published` where a new one's is left out.
    #[schemars(with = "StatusInput")]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub status: Patch<StatusInput>,
    /// Whether navigation shows it. An unlisted Page never shows there.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub show_in_navigation: Patch<bool>,
    /// Its name in navigation; needed where it is shown there.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub navigation_label: Patch<String>,
    /// What search engines show. Null clears it.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub meta_description: Patch<String>,
}

/// What a Page is created from: the same with a title and a slug.
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
            "What a Page is created from. Unknown keys are ignored.".into(),
        );
        schema.insert("required".into(), json!(REQUIRED));
        schema
    }
}
