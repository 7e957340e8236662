//! Inserts the rows of a request into a table immediately, without a job.

use crate::error::api_error;
use std::collections::HashSet;

use serde_json::{Value, json};

use super::call::{Reply, WarehouseCall};
use super::configuration::TypedFields;
use super::job_resource::error_json;
use api_shared::ApiError;
use warehouse::engine::check_writable;
use warehouse::load::{InsertOptions, Inserted, RowFault, insert_rows};
use warehouse::{Control, TableName};

/// Maximum number of rows in a request, as in BigQuery.
const MAX_ROWS: usize = 50_000;

/// Implements `tabledata.insertAll`. A row is skipped if its `insertId` was inserted within the
/// last minute, because clients send a row again if they receive no answer.
pub fn insert_all(call: &WarehouseCall) -> Result<Reply, ApiError> {
    let table = call.table()?;
    check_writable(&table.dataset).map_err(api_error)?;
    let body = Value::Object(call.body.clone());
    let fields = TypedFields::of(&body, "request").map_err(api_error)?;
    if fields.text("templateSuffix").map_err(api_error)?.is_some_and(|suffix| !suffix.is_empty()) {
        return Err(ApiError::invalid(
            "templateSuffix",
            "not supported: create the table and use its name",
        ));
    }
    let rows = fields.list("rows").map_err(api_error)?;
    if rows.len() > MAX_ROWS {
        return Err(ApiError::invalid("rows", format!("must have at most {MAX_ROWS} rows")));
    }
    let options = InsertOptions {
        skip_invalid: fields.flag("skipInvalidRows").map_err(api_error)?.unwrap_or(false),
        ignore_unknown: fields.flag("ignoreUnknownValues").map_err(api_error)?.unwrap_or(false),
    };
    let errors = insert(call, &table, rows, options)?;
    let mut answer = json!({ "kind": "warehouse#tableDataInsertAllResponse" });
    if !errors.is_empty() {
        answer["insertErrors"] = errors.into();
    }
    Ok(Reply::json(answer))
}

/// Inserts rows, and returns the errors of the rejected rows.
fn insert(
    call: &WarehouseCall,
    table: &TableName,
    rows: &[Value],
    options: InsertOptions,
) -> Result<Vec<Value>, ApiError> {
    let recent = call.jobs.recent();
    let id = |row: &Value| row["insertId"].as_str().map(str::to_owned);
    let is_new = |row: &Value| id(row).is_none_or(|id| !recent.has_insert_id(table, &id));
    let new: Vec<(usize, &Value)> =
        rows.iter().enumerate().filter(|(_, row)| is_new(row)).collect();
    let values: Vec<Value> = new.iter().map(|(_, row)| row["json"].clone()).collect();
    let done = insert_rows(&call.store()?, table, &values, options, &Control::default())
        .map_err(api_error)?;
    let Inserted { faults, .. } = done;
    let bad: HashSet<usize> = faults.iter().map(|fault| fault.row).collect();
    let inserted = new.iter().enumerate().filter(|(at, _)| !bad.contains(at));
    recent.note(table, inserted.filter_map(|(_, (_, row))| id(row)));
    let error = |fault: &RowFault| {
        let index = new.get(fault.row).map_or(0, |(index, _)| *index);
        json!({ "index": index, "errors": [error_json(&fault.fault)] })
    };
    Ok(faults.iter().map(error).collect())
}
