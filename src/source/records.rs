//! Reading of records from front matter, based on the declarations of their fields. Code that the
//! declarations cannot express is in the record's [`Rules`].

use front_matter::{Node, Value};

use super::fields::Fields;
use super::reference::Reference;
use super::shapes::{
    address, advise_known, advise_length, count, missing, required_address, required_url, resolve,
    seconds, table, text_or_table, yes_or_no,
};
use model::field_type::{Build, ReadValue};
use model::shape::{Field, Form, Kind, Need};

/// The code that a type of record needs in addition to its declaration.
pub trait Rules: Build {
    /// Reads a field of the kind [`Kind::Own`] or [`Kind::Records`].
    fn own(_: &mut Found<'_, '_, '_>, _: &'static str) -> Option<ReadValue> {
        None
    }

    /// Validates a record, and fills in values that its author left out. Reports an error and
    /// returns `None` if the record cannot be used.
    fn finish(self, _: &Found<'_, '_, '_>) -> Option<Self> {
        Some(self)
    }
}

/// A record found in front matter, with its fields and its reference.
pub struct Found<'f, 'r, 'a> {
    /// The record's fields. If the author wrote a single value instead of a table, these are the
    /// fields of the surrounding table.
    pub fields: &'f Fields<'r, 'a>,
    /// The record's node in the front matter.
    pub node: &'r Node,
    /// The file or URL that the record's address refers to.
    pub reference: Option<Reference>,
    /// Whether the author wrote a single value instead of a table.
    pub is_alone: bool,
}

/// A record, and the file or URL that its address refers to.
pub type WithReference<T> = (T, Option<Reference>);

/// Returns the values under all spellings of a key.
pub fn nodes<'r>(
    fields: &Fields<'r, '_>,
    key: &str,
) -> impl Iterator<Item = (&'static str, &'r Node)> {
    let keys = fields.spellings(key);
    let nodes = keys.flat_map(|key| fields.list(key).iter().map(move |node| (key, node)));
    nodes.filter(|(_, node)| node.value != Value::Null)
}

/// Reads the records under a key.
pub fn read_records<T: Rules>(fields: &Fields<'_, '_>, key: &str) -> Vec<T> {
    nodes(fields, key).filter_map(|(key, node)| record(fields, key, node)).collect()
}

/// Reads the records under a key, like [`read_records`], and wraps them as the value of a field.
pub fn given<T: Rules + 'static>(fields: &Fields<'_, '_>, key: &str) -> Option<ReadValue> {
    let records: Vec<T> = read_records(fields, key);
    Some(ReadValue::Made(Box::new(records)))
}

/// Reads the records under a key, like [`read_records`], and returns the first record.
pub fn one<T: Rules>(fields: &Fields<'_, '_>, key: &str) -> Option<T> {
    read_records(fields, key).into_iter().next()
}

/// Reads the table under a key as a record.
pub fn read_section<T: Rules>(fields: &Fields<'_, '_>, key: &'static str) -> Option<T> {
    let node = fields.node(key)?;
    let found = table(fields, key, node, |fields| record_from_table(fields, node));
    found.map(|(record, _)| record)
}

/// Reads a record.
pub fn record<'r, T: Rules>(
    fields: &Fields<'r, '_>,
    key: &'static str,
    node: &'r Node,
) -> Option<T> {
    with_reference(fields, key, node).map(|(record, _)| record)
}

/// Reads a record, and resolves the file or URL that its address refers to.
pub fn with_reference<'r, T: Rules>(
    fields: &Fields<'r, '_>,
    key: &'static str,
    node: &'r Node,
) -> Option<WithReference<T>> {
    let own = T::SHAPE.fields;
    let Some(alone) = own.iter().position(|field| field.stands_alone) else {
        return table(fields, key, node, |fields| record_from_table(fields, node));
    };
    let of_text = |text: String| {
        let mut found = Found { fields, node, reference: None, is_alone: true };
        let text = match own[alone].kind {
            Kind::Address => {
                found.reference = resolve(fields, key, node);
                found.reference.as_ref()?.url().to_owned()
            }
            kind => parse_shorthand(fields, key, node, kind, text)?,
        };
        let mut text = Some(ReadValue::Text(text));
        let given = (0..own.len()).map(|at| if at == alone { text.take() } else { None });
        finished(given.collect(), found)
    };
    text_or_table(fields, key, node, of_text, |fields| record_from_table(fields, node))
}

/// Reads a record from the fields of its table.
pub fn record_from_table<'r, T: Rules>(
    fields: &Fields<'r, '_>,
    node: &'r Node,
) -> Option<WithReference<T>> {
    let mut found = Found { fields, node, reference: None, is_alone: false };
    let given = T::SHAPE.fields.iter().map(|field| match field.kind {
        Kind::Address => {
            found.reference = match field.need {
                Need::Required => required_address(fields, written(fields, field), &node.span),
                _ => address(fields, written(fields, field)),
            };
            let reference = found.reference.as_ref()?;
            Some(ReadValue::Text(reference.url().to_owned()))
        }
        Kind::Own(..) | Kind::Records => T::own(&mut found, field.key),
        _ => value(fields, field, node),
    });
    let given: Vec<_> = given.collect();
    finished(given, found)
}

fn finished<T: Rules>(
    given: Vec<Option<ReadValue>>,
    found: Found<'_, '_, '_>,
) -> Option<WithReference<T>> {
    let record = T::build(given)?.finish(&found)?;
    Some((record, found.reference))
}

/// Returns the spelling of a field's key that the file uses, or else the key itself.
fn written(fields: &Fields<'_, '_>, field: &Field) -> &'static str {
    field.keys().find(|key| fields.node(key).is_some()).unwrap_or(field.key)
}

/// Reads the value of a field. A missing required value is an error.
fn value(fields: &Fields<'_, '_>, field: &'static Field, node: &Node) -> Option<ReadValue> {
    let (key, is_required) = (written(fields, field), field.need == Need::Required);
    let text = || match is_required {
        true => fields.required_text(key, &node.span),
        false => fields.text(key),
    };
    let is_told = matches!(field.kind, Kind::Text(_) | Kind::Known(..) | Kind::Url);
    if is_required && !is_told && fields.node(key).is_none() {
        missing(fields, key, &node.span);
    }
    match field.kind {
        Kind::Text(_) => text().map(ReadValue::Text),
        Kind::Known(_, list, names) => {
            let text = text()?;
            if let Some(node) = fields.node(key) {
                advise_known(fields, key, node, &text, list, &names());
            }
            Some(ReadValue::Text(text))
        }
        Kind::Short(max) => advise_length(fields, key, max).map(ReadValue::Text),
        Kind::Form(form) => {
            let text = fields.text(key)?;
            parse_form(fields, key, fields.node(key)?, form, text).map(ReadValue::Text)
        }
        Kind::Word(names) => {
            let word = fields.choice(key, names, |text| names.iter().find(|name| **name == text));
            word.map(|word| ReadValue::Text((*word).to_owned()))
        }
        Kind::Url if is_required => required_url(fields, key, &node.span).map(ReadValue::Text),
        Kind::Url => fields.http_url(key).map(ReadValue::Text),
        Kind::Seconds | Kind::WholeSeconds => seconds(fields, key).map(ReadValue::Number),
        Kind::Count => count(fields, key).map(ReadValue::Count),
        Kind::Between(..) => fields.integer(key).map(ReadValue::Integer),
        Kind::Number => fields.number(key).map(ReadValue::Number),
        Kind::Flag | Kind::Switch => fields.bool(key).map(ReadValue::Flag),
        Kind::YesOrNo => {
            yes_or_no(&fields.node(key)?.value).or_else(|| fields.bool(key)).map(ReadValue::Flag)
        }
        Kind::Time => fields.date(key).map(ReadValue::Time),
        Kind::Address
        | Kind::Own(..)
        | Kind::Records
        | Kind::Texts
        | Kind::Flat(_)
        | Kind::Hidden => None,
    }
}

/// Reads a string that is written instead of a table.
fn parse_shorthand(
    fields: &Fields<'_, '_>,
    key: &str,
    node: &Node,
    kind: Kind,
    text: String,
) -> Option<String> {
    match kind {
        Kind::Url => super::shapes::http(fields, key, node, text),
        Kind::Form(form) => parse_form(fields, key, node, form, text),
        Kind::Known(max, list, names) => {
            let text = fields.within_limit(key, node, text, max)?;
            advise_known(fields, key, node, &text, list, &names());
            Some(text)
        }
        Kind::Text(max) => fields.within_limit(key, node, text, max),
        _ => None,
    }
}

fn parse_form(
    fields: &Fields<'_, '_>,
    key: &str,
    node: &Node,
    form: &Form,
    text: String,
) -> Option<String> {
    if (form.is_valid)(&text) {
        return Some(text);
    }
    fields.reader.error(
        &node.span,
        format!("`{}` is not {}: {text:?}", fields.name(key), form.name),
        form.help,
    );
    None
}
