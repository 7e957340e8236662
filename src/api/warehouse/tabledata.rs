//! Reads the rows of a table in pages.

use serde_json::json;

use super::call::{Reply, WarehouseCall};
use super::table_pages::{self, RowsRequest};
use api_shared::ApiError;
use warehouse::{Field, Type};

/// Implements `tabledata.list`.
pub fn list(call: &WarehouseCall) -> Result<Reply, ApiError> {
    let name = call.table()?;
    let table = call.ask(|tables| tables.table(&name))?;
    let ask = RowsRequest::parse(&call.parameters)?;
    let columns = selected_columns(&table.fields, call.parameters.text("selectedFields"))?;
    let rows = table_pages::page(call, &table, &columns, &ask)?;
    let mut list = json!({
        "kind": "warehouse#tableDataList",
        "totalRows": rows.total.to_string(),
        "rows": rows.rows,
    });
    if let Some(next) = rows.next {
        list["pageToken"] = next.into();
    }
    Ok(Reply::list(list))
}

/// Returns all columns with all their fields.
pub fn all_columns(fields: &[Field]) -> Vec<(usize, Field)> {
    fields.iter().cloned().enumerate().collect()
}

/// Returns the columns of a selection such as `id,person.name`, in the order of the table, each
/// with its selected fields. Without a selection, returns all columns.
fn selected_columns(
    fields: &[Field],
    selection: Option<&str>,
) -> Result<Vec<(usize, Field)>, ApiError> {
    let Some(selection) = selection else {
        return Ok(all_columns(fields));
    };
    let paths: Vec<Vec<&str>> =
        selection.split(',').map(|path| path.trim().split('.').collect()).collect();
    let unknown = paths.iter().find(|path| !is_field_path(fields, path));
    if let Some(path) = unknown {
        let message = format!("unknown column {:?}", path.join("."));
        return Err(ApiError::invalid("selectedFields", message));
    }
    let paths: Vec<&[&str]> = paths.iter().map(Vec::as_slice).collect();
    Ok(pruned_fields(fields, &paths))
}

/// Returns whether a path refers to an existing field.
fn is_field_path(fields: &[Field], path: &[&str]) -> bool {
    let Some((name, rest)) = path.split_first() else {
        return false;
    };
    let found = fields.iter().find(|field| field.has_name(name));
    found.is_some_and(|field| rest.is_empty() || is_field_path(inner(&field.of), rest))
}

/// Returns the fields of a struct, or of the structs in an array.
fn inner(of: &Type) -> &[Field] {
    match of {
        Type::Array(element) => inner(element),
        Type::Struct(fields) => fields,
        _ => &[],
    }
}

fn pruned_fields(fields: &[Field], paths: &[&[&str]]) -> Vec<(usize, Field)> {
    let wanted = |(index, field): (usize, &Field)| {
        let own = paths.iter().filter_map(|path| path.split_first());
        let rests: Vec<&[&str]> =
            own.filter(|(name, _)| field.has_name(name)).map(|(_, rest)| rest).collect();
        let is_whole = rests.iter().any(|rest| rest.is_empty());
        match (rests.is_empty(), is_whole) {
            (true, _) => None,
            (false, true) => Some((index, field.clone())),
            (false, false) => {
                let of = pruned_type(&field.of, &rests);
                Some((index, Field { of, ..field.clone() }))
            }
        }
    };
    fields.iter().enumerate().filter_map(wanted).collect()
}

fn pruned_type(of: &Type, paths: &[&[&str]]) -> Type {
    match of {
        Type::Array(element) => Type::Array(Box::new(pruned_type(element, paths))),
        Type::Struct(fields) => {
            let kept = pruned_fields(fields, paths).into_iter();
            Type::Struct(kept.map(|(_, field)| field).collect())
        }
        other => other.clone(),
    }
}
