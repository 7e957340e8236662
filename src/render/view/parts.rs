//! Parts that the views of items and of the feed share.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::ser::{Serialize, SerializeMap, Serializer};

use model::field_type::Build;
use model::record::Record;
use model::{Author, Seo};

/// An object with one key that begins with an underscore, which is JSON Feed's mechanism for
/// extensions.
#[derive(Debug)]
pub struct Extension<T> {
    key: String,
    /// The object under the key.
    pub value: T,
}

impl<T> Extension<T> {
    pub(super) fn new(namespace: &str, value: T) -> Self {
        Self { key: format!("_{namespace}"), value }
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

    /// Returns a schema with the key of the default namespace.
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

pub(super) fn authors(authors: &[Author]) -> Vec<AuthorView<'_>> {
    authors
        .iter()
        .map(|author| AuthorView { name: &author.name, url: author.url.as_deref() })
        .collect()
}

/// Returns `seo`, or None if nothing is set.
pub(super) fn seo(seo: &Seo) -> Option<&Seo> {
    (!seo.is_empty()).then_some(seo)
}

/// Apple's tags among the fields of the extension. Their keys begin with `itunes:`.
#[derive(Debug)]
pub struct Itunes<'a, T: Clone>(pub Cow<'a, T>);

impl<T: Record + Clone> Serialize for Itunes<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = Vec::new();
        let record: &dyn Record = &*self.0;
        record.each(&mut |field, value| fields.push((format!("itunes:{}", field.key), value)));
        serializer.collect_map(fields)
    }
}

impl<T: Build + Clone> JsonSchema for Itunes<'_, T> {
    fn schema_name() -> Cow<'static, str> {
        T::SHAPE.name.into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::SHAPE.prefixed_schema("itunes:", generator)
    }
}

/// Writes a part of a view as JSON.
pub(super) fn write_part(part: &impl Serialize, out: &mut Vec<u8>) {
    let written = serde_json::to_writer(out, part);
    debug_assert!(written.is_ok(), "a view holds only values that JSON supports");
}
