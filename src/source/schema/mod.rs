//! JSON Schemas of `site.toml` and of front matter, for editors.
//!
//! Like the tables in the documentation, they are derived from the declarations of keys.

#[cfg(test)]
mod all_read;
#[cfg(test)]
mod documented;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value as Json, json};

use model::calendar::{CALENDAR, EVENT};
use model::shape::{Field, Kind as FieldKind, Need, Shape, Written, lines};
use model::{CHANNEL, ITEM, PAGE, SHOW, SITE};

/// The kind of file that a schema describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Site,
    Show,
    Item,
    Page,
    Channel,
    Calendar,
    Event,
}

impl Kind {
    pub const ALL: [Self; 7] = [
        Self::Site,
        Self::Show,
        Self::Item,
        Self::Page,
        Self::Channel,
        Self::Calendar,
        Self::Event,
    ];

    /// Returns the kind's name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Site => "site",
            Self::Show => "show",
            Self::Item => "item",
            Self::Page => "page",
            Self::Channel => "channel",
            Self::Calendar => "calendar",
            Self::Event => "event",
        }
    }

    pub fn title(self) -> &'static str {
        match self {
            Self::Site => "feedwright site.toml",
            Self::Show => "feedwright show.toml",
            Self::Item => "Front matter of a feedwright item",
            Self::Page => "Front matter of a feedwright page",
            Self::Channel => "Front matter of feedwright's content/channel.md",
            Self::Calendar => "feedwright calendar.toml",
            Self::Event => "Front matter of a feedwright event",
        }
    }

    fn shape(self) -> &'static Shape {
        match self {
            Self::Site => SITE,
            Self::Show => SHOW,
            Self::Item => ITEM,
            Self::Page => PAGE,
            Self::Channel => CHANNEL,
            Self::Calendar => CALENDAR,
            Self::Event => EVENT,
        }
    }

    /// Returns whether the whole file is TOML, for which editors accept schemas.
    pub fn is_toml(self) -> bool {
        matches!(self, Self::Site | Self::Show | Self::Calendar)
    }
}

/// Returns the schema of a kind of file, in JSON Schema draft 2020-12.
pub fn schema(kind: Kind) -> Json {
    let mut tables = Tables { are_inline: kind.is_toml(), shared: Map::new() };
    let mut schema = Object::new();
    schema.insert("$schema".into(), json!("https://json-schema.org/draft/2020-12/schema"));
    schema.insert("title".into(), json!(kind.title()));
    schema.append(&mut tables.table(kind.shape()));
    if !tables.shared.is_empty() {
        schema.insert("$defs".into(), tables.shared.into());
    }
    Json::Object(schema)
}

type Object = Map<String, Json>;

/// Builder of the schemas of tables. Many keys have the same table, so the schemas of tables are
/// shared by name, unless they are inline.
struct Tables {
    are_inline: bool,
    shared: Object,
}

impl Tables {
    fn table(&mut self, shape: &'static Shape) -> Object {
        let fields = shape.in_files();
        let mut properties = BTreeMap::new();
        for field in &fields {
            let value = self.value(field);
            for key in field.keys() {
                properties.entry(key).or_insert_with(|| key_schema(field, key, value.clone()));
            }
        }
        let mut schema = object([
            ("type", json!("object")),
            ("properties", json!(properties)),
            ("additionalProperties", json!(false)),
        ]);
        let has_other_way = fields.iter().any(|field| field.need == Need::Instead);
        let has_to_be = |field: &&&Field| field.need == Need::Required && field.keys().count() == 1;
        let required: BTreeSet<_> =
            fields.iter().filter(has_to_be).map(|field| field.key).collect();
        if !required.is_empty() && !has_other_way {
            schema.insert("required".into(), json!(required));
        }
        schema
    }

    fn value(&mut self, field: &Field) -> Object {
        let one = self.any_of(field.key, &field.written());
        if !field.is_listed && !matches!(field.kind, FieldKind::Texts) {
            return one;
        }
        let list = object([("type", json!("array")), ("items", one.clone().into())]);
        union_schema(one, list)
    }

    fn any_of(&mut self, key: &str, ways: &[Written]) -> Object {
        let ways = ways.iter().map(|way| self.way(key, *way)).collect::<Vec<_>>();
        if ways.iter().any(Map::is_empty) {
            return Object::new();
        }
        ways.into_iter().reduce(union_schema).unwrap_or_default()
    }

    /// Returns the schema of one form of a value. The schema is empty if any value is valid.
    fn way(&mut self, key: &str, way: Written) -> Object {
        let of_type = |name: &str| object([("type", json!(name))]);
        let words = |names: Json| object([("type", json!("string")), ("enum", names)]);
        match way {
            Written::Anything => Object::new(),
            Written::Plain => of_type("string"),
            Written::UpTo(max) => object([("type", json!("string")), ("maxLength", json!(max))]),
            Written::Web => object([("type", json!("string")), ("format", json!("uri-reference"))]),
            Written::Word(names) => words(json!(names)),
            Written::OneOf(names) => words(json!(names())),
            Written::YesNo => of_type("boolean"),
            Written::Numeric => of_type("number"),
            Written::Whole(least, max) => {
                let mut schema = of_type("integer");
                if least != i64::MIN {
                    schema.insert("minimum".into(), json!(least));
                }
                if max != i64::MAX {
                    schema.insert("maximum".into(), json!(max));
                }
                schema
            }
            Written::Keys(shape) => self.shared_table(key, shape),
            Written::List(ways) => {
                object([("type", json!("array")), ("items", self.any_of(key, ways).into())])
            }
            Written::Each(ways) => object([
                ("type", json!("object")),
                ("additionalProperties", self.any_of(key, ways).into()),
            ]),
        }
    }

    /// Returns the schema of a table, as a reference to a shared definition. In TOML files the
    /// table is inline instead, because TOML editors ignore keywords next to a reference.
    fn shared_table(&mut self, key: &str, shape: &'static Shape) -> Object {
        let mut table = self.table(shape);
        if self.are_inline {
            return table;
        }
        // A key that accepts more types than a table declares them next to the reference.
        let is_object = table.remove("type").unwrap_or_default();
        let table = Json::Object(table);
        let same = self.shared.iter().find(|(_, other)| **other == table);
        let name = same.map(|(name, _)| name.clone()).unwrap_or_else(|| {
            let mut name = key.to_owned();
            while self.shared.contains_key(&name) {
                name.push('_');
            }
            name
        });
        let reference = json!(format!("#/$defs/{name}"));
        self.shared.insert(name, table);
        object([("$ref", reference), ("type", is_object)])
    }
}

fn object<const N: usize>(entries: [(&str, Json); N]) -> Object {
    entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// Returns the schema of a field under one of its keys.
fn key_schema(field: &Field, key: &str, value: Object) -> Object {
    let means = match key == field.key {
        true => without_links(&meaning(field)),
        false => format!("the same as `{}`", field.key),
    };
    let mut schema = object([("description", json!(means))]);
    if let Some(default) = field.default {
        schema.insert("default".into(), default());
    }
    if field.need == Need::Foreign || field.foreign.contains(&key) {
        schema.insert("deprecated".into(), json!(true));
    }
    schema.extend(value);
    schema
}

/// Returns the meaning of a field in one line.
fn meaning(field: &Field) -> String {
    lines(field.means).replace('\n', " ")
}

/// Removes the links from Markdown. The links are relative to a page of the documentation, and
/// would be broken elsewhere.
fn without_links(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        let (Some((outside, label)), Some((_, after))) =
            (before.rsplit_once('['), after.split_once(')'))
        else {
            break;
        };
        out.push_str(outside);
        out.push_str(label);
        rest = after;
    }
    out + rest
}

/// Returns a schema that accepts the values of both schemas. Where possible, the result is a single
/// schema with several types, which editors show more clearly than several schemas.
fn union_schema(one: Object, other: Object) -> Object {
    let is_alone = |schema: &Object| schema.contains_key("enum") || schema.contains_key("anyOf");
    if is_alone(&one) || is_alone(&other) {
        let shapes = |schema: Object| match schema.get("anyOf") {
            Some(Json::Array(shapes)) => shapes.clone(),
            _ => vec![schema.into()],
        };
        return object([("anyOf", json!([shapes(one), shapes(other)].concat()))]);
    }
    let types = |schema: &Object| match schema.get("type") {
        Some(Json::Array(names)) => names.clone(),
        name => name.cloned().into_iter().collect(),
    };
    let all = [types(&one), types(&other)].concat();
    let mut both = one;
    both.extend(other);
    both.insert("type".into(), Json::Array(all));
    both
}
