//! Input types that items, pages and the channel share.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::input::Patch;
use model::sent::{Sent, add_declared};
use model::{Image, Seo, Status};

/// The pattern of a title: a string that is not blank and has no characters that are forbidden in
/// feeds.
pub const TITLE: &str = concat!(
    r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]*[^\s\x00-\x1F\x85\uFFFE\uFFFF]",
    r"[^\x00-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]*$"
);

/// Metadata for search engines and social networks. Null restores a property's default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(transform = |schema: &mut Schema| add_declared(schema, Seo::SHAPE, ""))]
pub struct SeoInput {
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub title: Patch<String>,
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub description: Patch<String>,
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub social_image: Patch<Sent<Image>>,
}

/// A status: its name, or the number that older clients send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatusInput(pub Status);

impl<'de> Deserialize<'de> for StatusInput {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        let status = match &value {
            serde_json::Value::String(name) => Status::parse(name),
            serde_json::Value::Number(number) => match number.as_u64() {
                Some(1) => Some(Status::Published),
                Some(2) => Some(Status::Unpublished),
                Some(4) => Some(Status::Unlisted),
                _ => None,
            },
            _ => None,
        };
        status.map(Self).ok_or_else(|| {
            serde::de::Error::custom(format!(
                "must be published, unlisted or unpublished, not {value}"
            ))
        })
    }
}

impl Serialize for StatusInput {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.as_str())
    }
}

impl JsonSchema for StatusInput {
    fn schema_name() -> Cow<'static, str> {
        "StatusInput".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        // Client generators support only enums of a single type.
        json_schema!({
            "description": "Status of the content. Older clients send numbers: 1 means published, 4 unlisted, 2 unpublished.",
            "anyOf": [
                { "type": "string", "enum": Status::NAMES },
                { "type": "integer", "enum": [1, 4, 2] },
            ],
        })
    }

    fn inline_schema() -> bool {
        true
    }
}
