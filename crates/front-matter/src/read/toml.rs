//! Reads TOML with the `toml` crate, which provides the range of each value.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue, Error};

use super::shift;
use crate::Fault;
use crate::value::{Entry, Node, Table, Value};

/// Maximum number of errors to report for one document. Later errors are usually caused by earlier
/// errors.
const MAX_FAULTS: usize = 3;

/// Parses the TOML in the byte range `fields`.
pub(super) fn read(text: &str, fields: Range<usize>) -> Result<Table, Vec<Fault>> {
    let (table, errors) = DeTable::parse_recoverable(&text[fields.clone()]);
    if errors.is_empty() {
        return read_table(table.get_ref(), fields.start).map_err(|fault| vec![fault]);
    }
    let fault = |error: &Error| {
        let at = error.span().map_or(fields.start, |span| fields.start + span.start);
        let help = match error.message() {
            "duplicate key" => "keep one of the two",
            _ => "put text in quotes; see https://toml.io for the syntax",
        };
        Fault::new(at, format!("invalid TOML: {}", error.message()), help)
    };
    let mut errors: Vec<_> = errors.iter().collect();
    errors.sort_by_key(|error| error.span().map_or(0, |span| span.start));
    Err(errors.into_iter().take(MAX_FAULTS).map(fault).collect())
}

fn read_table(table: &DeTable<'_>, base: usize) -> Result<Table, Fault> {
    let mut entries = Vec::with_capacity(table.len());
    for (key, value) in table.iter() {
        entries.push(Entry {
            key: key.get_ref().to_string(),
            key_span: shift(key.span(), base),
            node: read_node(value, base)?,
        });
    }
    entries.sort_by_key(|entry| entry.key_span.start);
    Ok(Table { entries })
}

fn read_node(node: &Spanned<DeValue<'_>>, base: usize) -> Result<Node, Fault> {
    let span = shift(node.span(), base);
    let too_large = |what: &str| {
        Fault::new(
            span.start,
            format!("this {what} is too large"),
            "put it in quotes if it is text; whole numbers can have at most 18 digits",
        )
    };
    let value = match node.get_ref() {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Integer(number) => Value::Integer(
            i64::from_str_radix(number.as_str(), number.radix())
                .map_err(|_| too_large("whole number"))?,
        ),
        DeValue::Float(number) => {
            Value::Float(number.as_str().parse().map_err(|_| too_large("number"))?)
        }
        DeValue::Boolean(flag) => Value::Bool(*flag),
        DeValue::Datetime(time) => Value::String(time.to_string()),
        DeValue::Array(list) => {
            Value::List(list.iter().map(|node| read_node(node, base)).collect::<Result<_, _>>()?)
        }
        DeValue::Table(table) => Value::Table(read_table(table, base)?),
    };
    Ok(Node { value, span })
}
