//! What items and the feed have in common.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::model::{Author, Seo};

/// An object with one key that begins with an underscore: JSON Feed's way to extend it.
#[derive(Debug)]
pub struct Extension<T> {
    key: String,
    /// The object under the key.
    pub value: T,
}

impl<T> Extension<T> {
    pub(super) fn new(namespace: &str, value: T) -> Self {
        Self {
            key: format!("_{namespace}"),
            value,
        }
    }
}

impl<T: Serialize> Serialize for Extension<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        map.serialize_entry(&self.key, &self.value)?;
        map.end()
    }
}

impl<T: JsonSchema> JsonSchema for Extension<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Extension_{}", T::schema_name()).into()
    }

    /// Under the name it has where no other is chosen.
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "object",
            "properties": { "_service": generator.subschema_for::<T>() },
            "required": ["_service"],
        })
    }

    fn inline_schema() -> bool {
        true
    }
}

/// An author in JSON Feed.
#[derive(Debug, serde::Serialize, JsonSchema)]
#[schemars(rename = "AuthorOutput")]
pub struct AuthorView<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
}

/// An author in the extension: with schema.org's type.
#[derive(Debug, serde::Serialize, JsonSchema)]
#[schemars(rename = "TypedAuthorOutput")]
pub struct TypedAuthorView<'a> {
    name: &'a str,
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<&'a str>,
}

pub(super) fn authors(authors: &[Author]) -> Vec<AuthorView<'_>> {
    authors
        .iter()
        .map(|author| AuthorView {
            name: &author.name,
            url: author.url.as_deref(),
        })
        .collect()
}

pub(super) fn typed_author(author: &Author) -> TypedAuthorView<'_> {
    TypedAuthorView {
        name: &author.name,
        kind: author.kind.as_str(),
        url: author.url.as_deref(),
    }
}

/// `seo` in the extension.
#[derive(Debug, serde::Serialize, JsonSchema)]
#[schemars(rename = "SeoOutput")]
pub struct SeoView<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    social_image: Option<SocialImageView<'a>>,
}

#[derive(Debug, serde::Serialize, JsonSchema)]
#[schemars(rename = "SocialImageOutput")]
struct SocialImageView<'a> {
    url: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    width: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alt: Option<&'a str>,
}

pub(super) fn seo(seo: &Seo) -> Option<SeoView<'_>> {
    (!seo.is_empty()).then(|| SeoView {
        title: seo.title.as_deref(),
        description: seo.description.as_deref(),
        social_image: seo.social_image.as_ref().map(|social| SocialImageView {
            url: &social.image.url,
            width: social.image.dimensions.map(|(width, _)| width),
            height: social.image.dimensions.map(|(_, height)| height),
            mime_type: social.image.mime_type.as_deref(),
            alt: social.image.alt.as_deref(),
        }),
    })
}

/// Writes a part of a view as JSON.
pub(super) fn write_part(part: &impl Serialize, out: &mut Vec<u8>) {
    let written = serde_json::to_writer(out, part);
    debug_assert!(written.is_ok(), "a view holds only what JSON can");
}
