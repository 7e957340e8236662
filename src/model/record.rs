//! The description of records: the fields of a podcast tag, a picture or a table of settings.
//!
//! A field is declared once, with its key, its kind and its meaning. Other modules read the declarations as data
//! ([`Shape`]) and the values through [`Record`]: readers of front matter, JSON, JSON Schema, templates, RSS and the
//! reference tables of the documentation.

use std::hash::{Hash, Hasher};

use jiff::Timestamp;
use schemars::{Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_json::{Map, Number, Value, json};

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
    /// How a file can have it beside the ways of its kind.
    pub besides: &'static [Written],
    /// The fields of the records it holds.
    pub inner: fn() -> Option<&'static Shape>,
    /// The lines that describe it.
    pub means: &'static [&'static str],
    /// The default, if it is always the same.
    pub default: Option<fn() -> Value>,
    /// What counts where it is left out, if that depends on something.
    pub otherwise: &'static str,
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
    /// A value that a function of its own reads: the phrase that describes it, and how a file can have it.
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
    /// It may stand in a file in place of the required ones.
    Instead,
    /// It is a key of other programs, which is read too.
    Foreign,
}

/// A value of a record.
pub trait Record {
    /// The fields of its type.
    fn shape(&self) -> &'static Shape;

    /// The value of the field at an index of its shape.
    fn value(&self, at: usize) -> Lent<'_>;
}

/// Records of one type.
pub trait Records {
    /// How many there are.
    fn count(&self) -> usize;

    /// One by its index, from 0.
    fn record(&self, at: usize) -> &dyn Record;
}

/// The value of a field.
#[derive(Clone, Copy)]
pub enum Lent<'a> {
    /// It is missing.
    Nothing,
    Text(&'a str),
    Number(f64),
    Seconds(f64),
    Count(u64),
    Integer(i64),
    Flag(bool),
    Time(Timestamp),
    One(&'a dyn Record),
    Many(&'a dyn Records),
    /// A value that is hashed, and shown nowhere.
    Hidden(&'a dyn Hidden),
}

/// A value that is hashed, and shown nowhere.
pub trait Hidden {
    /// Feeds it into a hasher.
    fn feed(&self, state: &mut dyn Hasher);
}

impl<T: Hash> Hidden for T {
    fn feed(&self, mut state: &mut dyn Hasher) {
        self.hash(&mut state);
    }
}

impl<T: Record> Records for Vec<T> {
    fn count(&self) -> usize {
        self.len()
    }

    fn record(&self, at: usize) -> &dyn Record {
        &self[at]
    }
}

impl Field {
    /// A key of a file that no field of a record stands for.
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

    /// What its table in a file can have, also of records that are flat in it. Of two fields with one key the first counts.
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

impl<'a> dyn Record + 'a {
    /// Shows each field that has a value, also the fields of records that are flat in it.
    pub fn each(&'a self, show: &mut dyn FnMut(&'static Field, Lent<'a>)) {
        for (at, field) in self.shape().fields.iter().enumerate() {
            match (field.kind, self.value(at)) {
                (Kind::Flat(_), Lent::One(inner)) => inner.each(show),
                (Kind::Flat(_) | Kind::Hidden, _) => {}
                (Kind::Switch, Lent::Flag(false)) => {}
                (_, value) if field.need == Need::Optional && value.is_empty() => {}
                (Kind::WholeSeconds, Lent::Number(seconds)) => show(field, Lent::Seconds(seconds)),
                (_, value) => show(field, value),
            }
        }
    }

    /// The value of a field by its key. None where it is missing or unknown.
    pub fn get(&'a self, key: &str) -> Option<Lent<'a>> {
        let mut found = None;
        self.each(&mut |field, value| {
            if field.key == key {
                found = Some(value);
            }
        });
        found
    }
}

impl Lent<'_> {
    fn is_empty(self) -> bool {
        match self {
            Self::Nothing => true,
            Self::Text(text) => text.is_empty(),
            Self::Many(all) => all.count() == 0,
            _ => false,
        }
    }

    /// Feeds everything in it into a hasher, also what is hidden.
    pub fn feed(self, mut state: &mut dyn Hasher) {
        match self {
            Self::Nothing => 0_u8.hash(&mut state),
            Self::Text(text) => text.hash(&mut state),
            Self::Number(number) | Self::Seconds(number) => number.to_bits().hash(&mut state),
            Self::Count(count) => count.hash(&mut state),
            Self::Integer(number) => number.hash(&mut state),
            Self::Flag(flag) => flag.hash(&mut state),
            Self::Time(time) => time.hash(&mut state),
            Self::Hidden(value) => value.feed(state),
            Self::One(record) => {
                for at in 0..record.shape().fields.len() {
                    // A missing value and an empty one differ, and no value runs into the next.
                    let value = record.value(at);
                    std::mem::discriminant(&value).hash(&mut state);
                    value.feed(state);
                }
            }
            Self::Many(all) => {
                all.count().hash(&mut state);
                (0..all.count()).for_each(|at| Lent::One(all.record(at)).feed(state));
            }
        }
    }
}

/// As JSON documents have it.
impl Serialize for Lent<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Nothing | Self::Hidden(_) => serializer.serialize_none(),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Number(number) => serializer.serialize_f64(number),
            Self::Seconds(seconds) => seconds_as_json(seconds).serialize(serializer),
            Self::Count(count) => serializer.serialize_u64(count),
            Self::Integer(number) => serializer.serialize_i64(number),
            Self::Flag(flag) => serializer.serialize_bool(flag),
            Self::Time(time) => serializer.collect_str(&time),
            Self::Many(all) => {
                serializer.collect_seq((0..all.count()).map(|at| Lent::One(all.record(at))))
            }
            Self::One(record) => {
                let mut fields = Vec::new();
                record.each(&mut |field, value| fields.push((field.key, value)));
                serializer.collect_map(fields)
            }
        }
    }
}

/// Seconds as JSON: an integer when they are whole, as the specification's own examples write them. None for
/// what JSON has no number for.
pub(crate) fn seconds_as_json(seconds: f64) -> Option<Number> {
    // Below 2^53 every whole f64 is exactly one i64.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if seconds.fract() == 0.0 && seconds.abs() < EXACT {
        Some(Number::from(seconds as i64))
    } else {
        Number::from_f64(seconds)
    }
}
