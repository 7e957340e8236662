//! Parts of items, Pages and the channel as a client sends them.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::input::Patch;
use crate::api::shared::ApiError;
use crate::model::Status;

/// The form of an `http:` or `https:` URL, as `is_http` checks it; or nothing.
pub const HTTP_URL: &str = concat!(
    r"^([Hh][Tt][Tt][Pp][Ss]?://",
    r"[^\s/?#\x00-\x1F\uFFFE\uFFFF][^\s\x00-\x1F\uFFFE\uFFFF]*)?$"
);

/// The form of a title: a text that feeds can hold, and that is not blank.
pub const TITLE: &str = concat!(
    r"^[^\x00-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]*[^\s\x00-\x1F\uFFFE\uFFFF]",
    r"[^\x00-\x08\x0B\x0C\x0E-\x1F\uFFFE\uFFFF]*$"
);

/// A person or an organization that made something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AuthorInput {
    /// The name.
    #[schemars(length(min = 1, max = 300))]
    pub name: String,
    /// Which of the two; a person where it is left out.
    #[serde(rename = "type", default)]
    pub kind: AuthorKindInput,
    /// A page about them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = HTTP_URL))]
    pub url: Option<String>,
}

/// Schema.org's types of authors.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub enum AuthorKindInput {
    /// A person.
    #[default]
    Person,
    /// An organization.
    Organization,
}

/// What search engines and social networks show. A property that is null has its default again.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SeoInput {
    /// The title.
    #[schemars(length(max = 4096))]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub title: Patch<String>,
    /// The description.
    #[schemars(length(max = 10_000))]
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub description: Patch<String>,
    /// The picture.
    #[serde(skip_serializing_if = "Patch::is_omitted")]
    pub social_image: Patch<SocialImageInput>,
}

/// A picture for social networks, 1200 × 630 pixels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SocialImageInput {
    /// Its URL, or a path of this site.
    #[schemars(length(min = 1))]
    pub url: String,
    /// Its width in pixels: 1200, or that of the picture that was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    /// Its height in pixels: 630, or that of the picture that was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
    /// Its media type: image/jpeg, image/png, or that of the picture that was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime_type: Option<String>,
    /// What it shows, for those who do not see it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 2000))]
    pub alt: Option<String>,
}

/// `podcast:person`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PersonInput {
    /// The name.
    #[schemars(length(min = 1, max = 128))]
    pub name: String,
    /// A role of the Podcast Taxonomy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// A group of the Podcast Taxonomy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// The URL of a picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub img: Option<String>,
    /// A page about them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = HTTP_URL))]
    pub href: Option<String>,
}

/// `podcast:license`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LicenseInput {
    /// A known licence's identifier, or the name of one's own.
    #[schemars(length(min = 1, max = 128))]
    pub identifier: String,
    /// Its text; needed where the identifier is not a known one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

impl SocialImageInput {
    /// Whether it is as networks show it; what is left out is not asked for, and what was `read` of the
    /// same picture is no wish of the client's. `own` is what the API calls it.
    pub fn check(&self, own: &str, read: Option<&Self>) -> Result<(), ApiError> {
        let wrong = |field: &str, must: &str| {
            Err(ApiError::bad(format!("{own}.{field}: it has to be {must}")))
        };
        let is_known =
            |read: Option<u32>, own: u32, wanted: u32| own == wanted || read == Some(own);
        let (width, height) = (
            read.and_then(|one| one.width),
            read.and_then(|one| one.height),
        );
        if self.width.is_some_and(|own| !is_known(width, own, 1200)) {
            return wrong("width", "1200");
        }
        if self.height.is_some_and(|own| !is_known(height, own, 630)) {
            return wrong("height", "630");
        }
        match self.mime_type.as_deref() {
            None | Some("image/jpeg" | "image/png") => Ok(()),
            Some(_) if read.is_some_and(|one| one.mime_type == self.mime_type) => Ok(()),
            Some(_) => wrong("mime_type", "image/jpeg or image/png"),
        }
    }
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
                "{value} is no status: it can be published, unlisted or unpublished"
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
        // Generators of clients take enums of one type only.
        json_schema!({
            "description": "A status. Older clients send numbers: 1 is published, 4 unlisted, 2 unpublished.",
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
