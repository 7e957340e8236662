//! The declarations of fields as data: their keys, kinds and meanings, and the ways to write them in a file.
//!
//! The macros of [`declare`](super::declare) make them. Readers of files, JSON Schemas and the reference tables of the
//! documentation follow from them, and so does all that shows a [`Record`](super::record::Record).

use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

/// The fields of a type of records.
pub struct Shape {
    /// The name of its JSON Schema.
    pub name: &'static str,
    /// Its element in RSS; empty if it has none.
    pub tag: &'static str,
    /// The attributes that come first in RSS; the others follow in the order of the fields.
    pub first: &'static [&'static str],
    /// The lines that describe it.
    pub means: &'static [&'static str],
    /// Its fields, in the order of JSON.
    pub fields: &'static [Field],
    /// What its table in a file can have beside the fields.
    pub also: &'static [Field],
}

/// A field of a record.
pub struct Field {
    /// Its key in front matter, JSON and templates, and its attribute in RSS.
    pub key: &'static str,
    /// Other spellings of its key in front matter.
    pub spellings: &'static [&'static str],
    /// Spellings of other programs.
    pub foreign: &'static [&'static str],
    /// The kind of its values.
    pub kind: Kind,
    /// Whether it has to be there.
    pub need: Need,
    /// Whether it is the text of the element in RSS; other fields are attributes, and records elements inside it.
    pub is_content: bool,
    /// Whether its value may be written in place of a table with this field alone.
    pub stands_alone: bool,
    /// Whether a file can have it.
    pub is_in_files: bool,
    /// Whether a list may stand in a file where there is one value.
    pub is_listed: bool,
    /// Ways to write it in a file beside those of its kind.
    pub besides: &'static [Written],
    /// The fields of the records it holds.
    pub inner: fn() -> Option<&'static Shape>,
    /// The lines that describe it.
    pub means: &'static [&'static str],
    /// The default, if it is always the same.
    pub default: Option<fn() -> Value>,
    /// The value if the key is left out, if it is not always the same.
    pub otherwise: &'static str,
    /// A value in TOML, if none follows from its kind.
    pub example: &'static str,
    /// The schema of its type in documents.
    pub(super) schema: fn(&mut SchemaGenerator) -> Schema,
    /// The schema of its type as clients send it.
    pub(super) sent_schema: fn(&mut SchemaGenerator) -> Schema,
}

/// The kind of a field.
#[derive(Clone, Copy)]
pub enum Kind {
    /// A text of at most so many characters.
    Text(usize),
    /// A text that apps may cut after so many characters.
    Short(usize),
    /// One of these words.
    Word(&'static [&'static str]),
    /// A text of at most so many characters that is best one of a list's names.
    Known(usize, &'static str, fn() -> Vec<&'static str>),
    /// A text in a form.
    Form(&'static Form),
    /// An `http:` or `https:` URL.
    Url,
    /// A file of the site or a URL.
    Address,
    /// Seconds, 0 or more.
    Seconds,
    /// Seconds, 0 or more, which JSON has without a fraction where there is none.
    WholeSeconds,
    /// A whole number, 0 or more.
    Count,
    /// A whole number from the first to the last of these.
    Between(i64, i64),
    /// A number.
    Number,
    /// True or false.
    Flag,
    /// True, or left out.
    Switch,
    /// True or false, which RSS has as `yes` or `no`.
    YesOrNo,
    /// A date and time.
    Time,
    /// A record, or a list of them.
    Records,
    /// The fields of another record, as if they were fields of this one.
    Flat(&'static Shape),
    /// A list of texts.
    Texts,
    /// A value that no document shows.
    Hidden,
    /// A value that separate code reads: a phrase that describes it, and the ways to write it in a file.
    Own(&'static str, &'static [Written]),
}

/// A way to write a value in a file.
#[derive(Clone, Copy)]
pub enum Written {
    /// A text.
    Plain,
    /// A text of at most so many characters.
    UpTo(usize),
    /// One of these words.
    Word(&'static [&'static str]),
    /// One of the words that a function lists.
    OneOf(fn() -> Vec<String>),
    /// An `http:` or `https:` URL.
    Web,
    /// True or false.
    YesNo,
    /// A whole number from the first to the last of these.
    Whole(i64, i64),
    /// A number.
    Numeric,
    /// A table with these keys.
    Keys(&'static Shape),
    /// A table whose keys are the author's, each with such a value.
    Each(&'static [Self]),
    /// A list of such values.
    List(&'static [Self]),
    /// Anything.
    Anything,
}

/// A form of texts.
pub struct Form {
    /// Most characters.
    pub most: usize,
    /// The name of such a text, with its article.
    pub name: &'static str,
    /// How to write one.
    pub help: &'static str,
    /// One that is valid.
    pub example: &'static str,
    /// Whether a text is one.
    pub is_valid: fn(&str) -> bool,
    /// The regular expression (ECMA-262) that describes it, or an empty text, to clients of the API.
    pub pattern: Option<&'static str>,
}

/// Whether a field has to be there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Its author has to write it.
    Required,
    /// It is always there: what its author leaves out is found or computed.
    Filled,
    /// It may be missing.
    Optional,
    /// A file may have it instead of the required fields.
    Instead,
    /// It is a key of other programs, which is read too.
    Foreign,
}

impl Field {
    /// A key of a file that is not the field of a record.
    pub const fn untyped(
        key: &'static str,
        kind: Kind,
        need: Need,
        means: &'static [&'static str],
    ) -> Self {
        Self {
            key,
            kind,
            need,
            means,
            spellings: &[],
            foreign: &[],
            is_content: false,
            stands_alone: false,
            is_in_files: true,
            is_listed: false,
            besides: &[],
            default: None,
            otherwise: "",
            example: "",
            inner: || None,
            schema: |_| Schema::default(),
            sent_schema: |_| Schema::default(),
        }
    }

    /// Its key in every spelling; none where it has no key.
    pub fn keys(&self) -> impl Iterator<Item = &'static str> + use<> {
        let others = self.spellings.iter().chain(self.foreign).copied();
        std::iter::once(self.key).chain(others).filter(|key| !key.is_empty())
    }

    /// The ways to write one value of it in a file.
    pub fn written(&self) -> Vec<Written> {
        let mut ways = match self.kind {
            Kind::Text(most) | Kind::Known(most, ..) => vec![Written::UpTo(most)],
            Kind::Form(form) => vec![Written::UpTo(form.most)],
            Kind::Word(names) => vec![Written::Word(names)],
            Kind::Url => vec![Written::Web],
            Kind::Short(_) | Kind::Address | Kind::Time | Kind::Texts => vec![Written::Plain],
            Kind::Seconds | Kind::WholeSeconds => vec![Written::Numeric, Written::Plain],
            Kind::Count => vec![Written::Whole(0, i64::MAX)],
            Kind::Between(least, most) => vec![Written::Whole(least, most)],
            Kind::Number => vec![Written::Numeric],
            Kind::Flag | Kind::Switch => vec![Written::YesNo],
            Kind::YesOrNo => vec![Written::YesNo, Written::Word(&["yes", "no"])],
            Kind::Own(_, ways) => ways.to_vec(),
            Kind::Records | Kind::Hidden | Kind::Flat(_) => Vec::new(),
        };
        let inner = (self.inner)().filter(|_| !matches!(self.kind, Kind::Own(..)));
        if let Some(inner) = inner {
            ways.push(Written::Keys(inner));
            let alone = inner.fields.iter().find(|field| field.stands_alone);
            ways.extend(alone.into_iter().flat_map(Self::written));
        }
        ways.extend(self.besides);
        ways
    }

    /// The declaration of the table that it is in a file, or that is listed in it.
    pub fn table(&self) -> Option<&'static Shape> {
        self.written().iter().find_map(Written::table)
    }

    /// The same with other spellings.
    pub const fn spelt(self, spellings: &'static [&'static str]) -> Self {
        Self { spellings, ..self }
    }

    /// The same field whose value may be written in place of a table.
    pub const fn alone(self) -> Self {
        Self { stands_alone: true, ..self }
    }

    /// The same with spellings of other programs.
    pub const fn of_others(self, foreign: &'static [&'static str]) -> Self {
        Self { foreign, ..self }
    }

    /// The same, which no file has.
    pub const fn made(self) -> Self {
        Self { is_in_files: false, ..self }
    }

    /// The same, where a file may have a list.
    pub const fn listed(self) -> Self {
        Self { is_listed: true, ..self }
    }

    /// The same with further ways to write it.
    pub const fn besides(self, besides: &'static [Written]) -> Self {
        Self { besides, ..self }
    }

    /// The same with what counts where it is left out.
    pub const fn left_out(self, otherwise: &'static str) -> Self {
        Self { otherwise, ..self }
    }

    /// The same with an example.
    pub const fn example(self, example: &'static str) -> Self {
        Self { example, ..self }
    }

    /// The same with a default.
    pub const fn or(self, default: fn() -> Value) -> Self {
        Self { default: Some(default), ..self }
    }

    /// The same as the text of its element.
    pub const fn content(self) -> Self {
        Self { is_content: true, ..self }
    }
}

impl Written {
    /// The keys of the table that it is.
    pub fn table(&self) -> Option<&'static Shape> {
        match self {
            Self::Keys(shape) => Some(shape),
            Self::List(ways) | Self::Each(ways) => ways.iter().find_map(Self::table),
            _ => None,
        }
    }
}

impl Shape {
    /// Its fields, and the fields of records that are flat in it, without hidden ones.
    pub fn all_fields(&self) -> Vec<&'static Field> {
        let mut all = Vec::new();
        for field in self.fields {
            match field.kind {
                Kind::Hidden => {}
                Kind::Flat(inner) => all.extend(inner.all_fields()),
                _ => all.push(field),
            }
        }
        all
    }

    /// The fields that its table in a file can have, including the fields of flat records. Of two fields with the same key
    /// it has the first.
    pub fn in_files(&self) -> Vec<&'static Field> {
        let mut all: Vec<&'static Field> = Vec::new();
        for field in self.fields.iter().chain(self.also) {
            let fields = match field.kind {
                Kind::Flat(inner) => inner.in_files(),
                _ => vec![field],
            };
            for field in fields {
                let is_new = all.iter().all(|known| known.key != field.key);
                if is_new && field.is_in_files && !field.key.is_empty() {
                    all.push(field);
                }
            }
        }
        all
    }

    /// Adds this declaration and the declarations of all tables in it, each once.
    pub fn collect_tables(&'static self, found: &mut Vec<&'static Self>) {
        if found.iter().all(|known| known.name != self.name) {
            found.push(self);
            let inner = self.in_files().into_iter().filter_map(Field::table);
            inner.for_each(|inner| inner.collect_tables(found));
        }
    }

    /// The field of a key of its table in a file, in any spelling.
    pub fn field(&self, key: &str) -> Option<&'static Field> {
        self.fields.iter().chain(self.also).find_map(|field| match field.kind {
            Kind::Flat(inner) => inner.field(key),
            _ => {
                Some(field).filter(|field| field.is_in_files && field.keys().any(|own| own == key))
            }
        })
    }

    /// Its JSON Schema.
    pub fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        self.prefixed_schema("", generator)
    }

    /// Its JSON Schema where a prefix is part of all keys.
    pub fn prefixed_schema(&self, prefix: &str, generator: &mut SchemaGenerator) -> Schema {
        let (mut properties, mut required) = (Map::new(), Vec::new());
        for field in self.all_fields() {
            let mut schema = (field.schema)(generator);
            schema.insert("description".into(), lines(field.means).into());
            let key = format!("{prefix}{}", field.key);
            properties.insert(key.clone(), schema.into());
            if field.need != Need::Optional {
                required.push(key);
            }
        }
        let mut schema = json_schema!({
            "type": "object",
            "description": lines(self.means),
            "properties": properties,
        });
        if !required.is_empty() {
            schema.insert("required".into(), json!(required));
        }
        schema
    }
}

/// The lines of a comment as one text.
pub fn lines(lines: &[&str]) -> String {
    let lines: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
    lines.join("\n")
}
