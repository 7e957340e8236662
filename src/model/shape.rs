//! Declarations of fields as data: their keys, kinds and meanings, and their forms in files.
//!
//! The macros of [`declare`](super::declare) create the declarations. The readers of files, the
//! JSON Schemas, the reference tables of the documentation, and all output of a
//! [`Record`](super::record::Record) are derived from them.

use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

/// The declaration of a type of record.
pub struct Shape {
    /// Name of the JSON Schema.
    pub name: &'static str,
    /// Name of the RSS element; empty if the record has none.
    pub tag: &'static str,
    /// Attributes that come first in RSS. The other attributes follow in the order of the fields.
    pub first: &'static [&'static str],
    /// Lines of the description.
    pub means: &'static [&'static str],
    /// Fields, in their order in JSON.
    pub fields: &'static [Field],
    /// Additional keys that the record can have as a table in a file.
    pub also: &'static [Field],
}

/// The declaration of a field.
pub struct Field {
    /// Key in front matter, JSON and templates, and attribute in RSS.
    pub key: &'static str,
    /// Other spellings of the key in front matter.
    pub spellings: &'static [&'static str],
    /// Spellings of the key in other programs.
    pub foreign: &'static [&'static str],
    /// Kind of the field's value.
    pub kind: Kind,
    /// Whether the field is required.
    pub need: Need,
    /// Whether the value is the text of the element in RSS. Other fields are attributes, and
    /// records are elements inside it.
    pub is_content: bool,
    /// Whether a file may contain the field's value alone, instead of a table with only this field.
    pub stands_alone: bool,
    /// Whether a file can contain the field.
    pub is_in_files: bool,
    /// Whether a file may contain a list in place of one value.
    pub is_listed: bool,
    /// Forms of the value in a file, in addition to the forms of its kind.
    pub extra_forms: &'static [Written],
    /// Returns the declaration of the records that the field contains, if any.
    pub inner: fn() -> Option<&'static Shape>,
    /// Lines of the description.
    pub means: &'static [&'static str],
    /// Default, if it is a fixed value.
    pub default: Option<fn() -> Value>,
    /// Description of the default, if it is not a fixed value.
    pub otherwise: &'static str,
    /// Example of a value in TOML, if none can be derived from the kind.
    pub example: &'static str,
    /// Schema of the field's type in output documents.
    pub(super) schema: fn(&mut SchemaGenerator) -> Schema,
    /// Schema of the field's type as clients send it.
    pub(super) input_schema: fn(&mut SchemaGenerator) -> Schema,
}

/// The kind of a field.
#[derive(Clone, Copy)]
pub enum Kind {
    /// A string of at most this many characters.
    Text(usize),
    /// A string that apps may cut after this many characters.
    Short(usize),
    /// One of these words.
    Word(&'static [&'static str]),
    /// A string that is preferably a name from a list: its maximum number of characters, the title
    /// of the list, and its names.
    Known(usize, &'static str, fn() -> Vec<&'static str>),
    /// A string of a certain form.
    Form(&'static Form),
    /// An `http:` or `https:` URL.
    Url,
    /// A file of the site or a URL.
    Address,
    /// Seconds, 0 or more.
    Seconds,
    /// Seconds, 0 or more. JSON contains whole seconds without a fraction.
    WholeSeconds,
    /// A whole number, 0 or more.
    Count,
    /// A whole number between these two bounds, inclusive.
    Between(i64, i64),
    /// A number.
    Number,
    /// True or false.
    Flag,
    /// True, or left out.
    Switch,
    /// True or false, written as `yes` or `no` in RSS.
    YesOrNo,
    /// A date and time.
    Time,
    /// A record, or a list of records.
    Records,
    /// The fields of another record, written as fields of the record that contains it.
    Flat(&'static Shape),
    /// A list of strings.
    Texts,
    /// A value that no document outputs.
    Hidden,
    /// A value that hand-written code reads. The fields are a phrase that describes the value, and
    /// the forms of the value in a file.
    Own(&'static str, &'static [Written]),
}

/// A form of a value in a file.
#[derive(Clone, Copy)]
pub enum Written {
    /// Any string.
    Plain,
    /// A string of at most this many characters.
    UpTo(usize),
    /// One of these words.
    Word(&'static [&'static str]),
    /// One of the words that a function returns.
    OneOf(fn() -> Vec<String>),
    /// An `http:` or `https:` URL.
    Web,
    /// True or false.
    YesNo,
    /// A whole number between these two bounds, inclusive.
    Whole(i64, i64),
    /// A number.
    Numeric,
    /// A table with these keys.
    Keys(&'static Shape),
    /// A table with keys of the author's choice. Each value has one of these forms.
    Each(&'static [Self]),
    /// A list. Each element has one of these forms.
    List(&'static [Self]),
    /// Any value.
    Anything,
}

/// A form that a string must have, such as a geo URI.
pub struct Form {
    /// Maximum number of characters.
    pub max: usize,
    /// Name of a string of this form, with an indefinite article: `a geo URI`.
    pub name: &'static str,
    /// Help text that explains how to write a string of this form.
    pub help: &'static str,
    /// Valid example.
    pub example: &'static str,
    /// Returns whether a string has this form.
    pub is_valid: fn(&str) -> bool,
    /// Regular expression (ECMA-262) for API clients. It matches a string of this form, or an empty
    /// string.
    pub pattern: Option<&'static str>,
}

/// Whether a field is required.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// The author must set the field.
    Required,
    /// The field always has a value. If the author leaves it out, feedwright finds or computes it.
    Filled,
    /// The field may be missing.
    Optional,
    /// A file may contain this field instead of the required fields.
    Instead,
    /// The field is a key of other programs that feedwright also reads.
    Foreign,
}

impl Field {
    /// Declares a key of a file that is not a field of a record.
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
            extra_forms: &[],
            default: None,
            otherwise: "",
            example: "",
            inner: || None,
            schema: |_| Schema::default(),
            input_schema: |_| Schema::default(),
        }
    }

    /// Returns the key in every spelling. The iterator is empty if the field has no key.
    pub fn keys(&self) -> impl Iterator<Item = &'static str> + use<> {
        let others = self.spellings.iter().chain(self.foreign).copied();
        std::iter::once(self.key).chain(others).filter(|key| !key.is_empty())
    }

    /// Returns the forms of a single value of the field in a file.
    pub fn written(&self) -> Vec<Written> {
        let mut forms = match self.kind {
            Kind::Text(max) | Kind::Known(max, ..) => vec![Written::UpTo(max)],
            Kind::Form(form) => vec![Written::UpTo(form.max)],
            Kind::Word(names) => vec![Written::Word(names)],
            Kind::Url => vec![Written::Web],
            Kind::Short(_) | Kind::Address | Kind::Time | Kind::Texts => vec![Written::Plain],
            Kind::Seconds | Kind::WholeSeconds => vec![Written::Numeric, Written::Plain],
            Kind::Count => vec![Written::Whole(0, i64::MAX)],
            Kind::Between(min, max) => vec![Written::Whole(min, max)],
            Kind::Number => vec![Written::Numeric],
            Kind::Flag | Kind::Switch => vec![Written::YesNo],
            Kind::YesOrNo => vec![Written::YesNo, Written::Word(&["yes", "no"])],
            Kind::Own(_, forms) => forms.to_vec(),
            Kind::Records | Kind::Hidden | Kind::Flat(_) => Vec::new(),
        };
        let inner = (self.inner)().filter(|_| !matches!(self.kind, Kind::Own(..)));
        if let Some(inner) = inner {
            forms.push(Written::Keys(inner));
            let alone = inner.fields.iter().find(|field| field.stands_alone);
            forms.extend(alone.into_iter().flat_map(Self::written));
        }
        forms.extend(self.extra_forms);
        forms
    }

    /// Returns the declaration of the table that the field contains in a file, directly or in a
    /// list.
    pub fn table(&self) -> Option<&'static Shape> {
        self.written().iter().find_map(Written::table)
    }

    /// Sets other spellings of the key.
    pub const fn with_spellings(self, spellings: &'static [&'static str]) -> Self {
        Self { spellings, ..self }
    }

    /// Allows the value in place of a table.
    pub const fn alone(self) -> Self {
        Self { stands_alone: true, ..self }
    }

    /// Sets spellings of the key in other programs.
    pub const fn with_foreign_spellings(self, foreign: &'static [&'static str]) -> Self {
        Self { foreign, ..self }
    }

    /// Excludes the field from files.
    pub const fn made(self) -> Self {
        Self { is_in_files: false, ..self }
    }

    /// Allows a list in place of one value in a file.
    pub const fn listed(self) -> Self {
        Self { is_listed: true, ..self }
    }

    /// Sets additional forms of the value in a file.
    pub const fn extra_forms(self, extra_forms: &'static [Written]) -> Self {
        Self { extra_forms, ..self }
    }

    /// Sets the description of a default that is not a fixed value.
    pub const fn left_out(self, otherwise: &'static str) -> Self {
        Self { otherwise, ..self }
    }

    /// Sets the example.
    pub const fn example(self, example: &'static str) -> Self {
        Self { example, ..self }
    }

    /// Sets the default.
    pub const fn or(self, default: fn() -> Value) -> Self {
        Self { default: Some(default), ..self }
    }

    /// Makes the value the text of the record's element in RSS.
    pub const fn content(self) -> Self {
        Self { is_content: true, ..self }
    }
}

impl Written {
    /// Returns the declaration of the table that this form contains, even inside a list or another
    /// table.
    pub fn table(&self) -> Option<&'static Shape> {
        match self {
            Self::Keys(shape) => Some(shape),
            Self::List(forms) | Self::Each(forms) => forms.iter().find_map(Self::table),
            _ => None,
        }
    }
}

impl Shape {
    /// Returns the fields, including the fields of flat records but not hidden fields.
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

    /// Returns the fields that the table can have in a file, including the fields of flat records.
    /// If two fields have the same key, the first one is returned.
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

    /// Adds this declaration, and the declarations of all tables in it, to `found`. Adds each
    /// declaration only once.
    pub fn collect_tables(&'static self, found: &mut Vec<&'static Self>) {
        if found.iter().all(|known| known.name != self.name) {
            found.push(self);
            let inner = self.in_files().into_iter().filter_map(Field::table);
            inner.for_each(|inner| inner.collect_tables(found));
        }
    }

    /// Returns the field for a key of the table in a file, in any spelling.
    pub fn field(&self, key: &str) -> Option<&'static Field> {
        self.fields.iter().chain(self.also).find_map(|field| match field.kind {
            Kind::Flat(inner) => inner.field(key),
            _ => {
                Some(field).filter(|field| field.is_in_files && field.keys().any(|own| own == key))
            }
        })
    }

    /// Returns the JSON Schema.
    pub fn schema(&self, generator: &mut SchemaGenerator) -> Schema {
        self.prefixed_schema("", generator)
    }

    /// Returns the JSON Schema, with a prefix before all keys.
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

/// Joins the lines of a doc comment into one string.
pub fn lines(lines: &[&str]) -> String {
    let lines: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
    lines.join("\n")
}
