//! Partitioning and clustering of tables. Both settings are stored and returned, because clients
//! compare the answer with their request. They have no effect on queries. Settings that would
//! change rows or make queries fail are errors.

use serde_json::{Map, Value};

use super::TypedFields;
use warehouse::{Fault, Field, Type};

/// The fields of a table that contain its partitioning and clustering.
pub const NAMES: [&str; 3] = ["timePartitioning", "rangePartitioning", "clustering"];

/// Maximum number of clustering columns.
const MAX_COLUMNS: usize = 4;

/// Reads the layout of a table from its resource, or from a job that creates it. `columns` are the
/// columns of the table, if known.
pub fn read(
    fields: &TypedFields<'_>,
    columns: Option<&[Field]>,
) -> Result<Map<String, Value>, Fault> {
    let mut layout = Map::new();
    for name in NAMES {
        let is_empty = |value: &Value| value.as_object().is_some_and(Map::is_empty);
        let Some(given) = fields.value(name).filter(|value| !is_empty(value)) else {
            continue;
        };
        check(name, &fields.object(name)?, columns)?;
        layout.insert(name.to_owned(), given.clone());
    }
    if layout.contains_key(NAMES[0]) && layout.contains_key(NAMES[1]) {
        return Err(
            fields.invalid_field(NAMES[1], "a table can have only one kind of partitioning")
        );
    }
    no_filter(fields)?;
    Ok(layout)
}

fn check(name: &str, own: &TypedFields<'_>, columns: Option<&[Field]>) -> Result<(), Fault> {
    match name {
        "timePartitioning" => {
            if own.keyword("type", &["HOUR", "DAY", "MONTH", "YEAR"])?.is_none() {
                return Err(own.invalid_field("type", "must be HOUR, DAY, MONTH or YEAR"));
            }
            if own.has("expirationMs") {
                return Err(own.invalid_field(
                    "expirationMs",
                    "expiring partitions are not supported: set expirationTime of the table",
                ));
            }
            no_filter(own)?;
            match own.text("field")?.filter(|field| !field.is_empty()) {
                None => Ok(()),
                Some(field) => column(own, "field", field, columns, |of| {
                    matches!(of, Type::Timestamp | Type::Date | Type::DateTime)
                }),
            }
        }
        "rangePartitioning" => {
            let range = own.object("range")?;
            for bound in ["start", "end", "interval"] {
                if range.integer(bound)?.is_none() {
                    return Err(range.invalid_field(bound, "must be a whole number"));
                }
            }
            let field = own.text("field")?.unwrap_or_default();
            column(own, "field", field, columns, |of| *of == Type::Integer)
        }
        _ => {
            let list = own.list("fields")?;
            if !(1..=MAX_COLUMNS).contains(&list.len()) {
                let message = format!("must be a list of 1 to {MAX_COLUMNS} column names");
                return Err(own.invalid_field("fields", &message));
            }
            list.iter().try_for_each(|field| {
                let field = field.as_str().unwrap_or_default();
                column(own, "fields", field, columns, |of| {
                    !matches!(of, Type::Array(_) | Type::Struct(_) | Type::Json)
                })
            })
        }
    }
}

/// Checks that a column exists and has a suitable type.
fn column(
    own: &TypedFields<'_>,
    place: &str,
    name: &str,
    columns: Option<&[Field]>,
    can_be: impl Fn(&Type) -> bool,
) -> Result<(), Fault> {
    if name.is_empty() {
        return Err(own.invalid_field(place, "must be a column name"));
    }
    let Some(columns) = columns else {
        return Ok(());
    };
    match columns.iter().find(|column| column.has_name(name)) {
        None => Err(own.invalid_field(place, &format!("unknown column {name:?}"))),
        Some(column) if !can_be(&column.of) => Err(own.invalid_field(
            place,
            &format!("the column {name:?} has the unsupported type {}", column.of),
        )),
        Some(_) => Ok(()),
    }
}

/// Rejects a filter requirement, which would make queries without a filter fail.
fn no_filter(fields: &TypedFields<'_>) -> Result<(), Fault> {
    const NAME: &str = "requirePartitionFilter";
    match fields.flag(NAME)? {
        Some(true) => {
            Err(fields
                .invalid_field(NAME, "required filters are not supported: remove this setting"))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read_of(table: &Value) -> Result<Map<String, Value>, String> {
        let columns = [
            Field::new("day", Type::Date),
            Field::new("n", Type::Integer),
            Field::new("tags", Type::Array(Box::new(Type::String))),
        ];
        let fields = TypedFields::of(table, "table").unwrap();
        read(&fields, Some(&columns)).map_err(|fault| fault.message)
    }

    #[test]
    fn a_layout_is_stored_unchanged() {
        for table in [
            json!({ "timePartitioning": { "type": "DAY", "field": "day" } }),
            json!({ "timePartitioning": { "type": "HOUR" }, "clustering": { "fields": ["n", "day"] } }),
            json!({ "rangePartitioning": { "field": "n", "range": { "start": "0", "end": "10", "interval": "1" } } }),
            json!({}),
        ] {
            assert_eq!(read_of(&table).map(Value::Object), Ok(table));
        }
        let empty =
            json!({ "timePartitioning": null, "clustering": {}, "requirePartitionFilter": false });
        assert_eq!(read_of(&empty), Ok(Map::new()));
    }

    #[test]
    fn an_unsupported_or_invalid_layout_is_rejected_at_its_field() {
        for (table, place) in [
            (json!({ "timePartitioning": { "type": "WEEK" } }), "table.timePartitioning.type"),
            (json!({ "timePartitioning": { "field": "day" } }), "table.timePartitioning.type"),
            (
                json!({ "timePartitioning": { "type": "DAY", "expirationMs": "1" } }),
                "table.timePartitioning.expirationMs",
            ),
            (
                json!({ "timePartitioning": { "type": "DAY", "requirePartitionFilter": true } }),
                "table.timePartitioning.requirePartitionFilter",
            ),
            (json!({ "requirePartitionFilter": true }), "table.requirePartitionFilter"),
            (
                json!({ "timePartitioning": { "type": "DAY", "field": "n" } }),
                "table.timePartitioning.field",
            ),
            (
                json!({ "timePartitioning": { "type": "DAY", "field": "none" } }),
                "table.timePartitioning.field",
            ),
            (json!({ "timePartitioning": "DAY" }), "table.timePartitioning"),
            (json!({ "rangePartitioning": { "field": "n" } }), "table.rangePartitioning.range"),
            (
                json!({ "rangePartitioning": { "field": "day", "range": { "start": 0, "end": 1, "interval": 1 } } }),
                "table.rangePartitioning.field",
            ),
            (json!({ "clustering": { "fields": [] } }), "table.clustering.fields"),
            (json!({ "clustering": { "fields": ["tags"] } }), "table.clustering.fields"),
            (
                json!({ "clustering": { "fields": ["n", "n", "n", "n", "n"] } }),
                "table.clustering.fields",
            ),
            (
                json!({ "timePartitioning": { "type": "DAY" }, "rangePartitioning": { "field": "n", "range": { "start": 0, "end": 1, "interval": 1 } } }),
                "table.rangePartitioning",
            ),
        ] {
            let message = read_of(&table).unwrap_err();
            assert!(message.starts_with(&place.to_string()), "{table}: {message}");
        }
    }
}
