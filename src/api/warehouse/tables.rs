//! Operations on tables and views: list, get, create, change, remove.

use crate::error::api_error;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::call::{Reply, WarehouseCall, with_etag};
use super::columns;
use super::configuration::{TypedFields, layout};
use super::metadata::{self, ChangeMode};
use super::paging::{PageRequest, set_next};
use api_shared::ApiError;
use warehouse::engine::check_writable;
use warehouse::sql::{Parameters, Session};
use warehouse::store::{Kind, Table};
use warehouse::{Control, Fault, TableName, schema};

/// Maximum time to check the statement of a view.
const VIEW_CHECK_TIMEOUT: Duration = Duration::from_secs(30);

/// Implements `tables.list`.
pub fn list(call: &WarehouseCall) -> Result<Reply, ApiError> {
    let dataset = call.dataset()?;
    let all = call.ask(|tables| tables.tables(&dataset))?;
    let total = all.len();
    let (page, next) =
        PageRequest::parse(&call.parameters)?.of(all, |one| one.name.table.to_string());
    let entries: Result<Vec<Value>, ApiError> =
        page.iter().map(|table| entry(call, table)).collect();
    let mut list = json!({
        "kind": "warehouse#tableList",
        "tables": entries?,
        "totalItems": total,
    });
    set_next(&mut list, next);
    Ok(Reply::list(list))
}

/// Implements `tables.get`.
pub fn get(call: &WarehouseCall) -> Result<Reply, ApiError> {
    let name = call.table()?;
    let table = call.ask(|tables| tables.table(&name))?;
    resource(call, &table).map(Reply::json)
}

/// Implements `tables.insert`.
pub fn insert(call: &WarehouseCall) -> Result<Reply, ApiError> {
    let dataset = call.dataset()?;
    check_writable(&dataset).map_err(api_error)?;
    let reference = &call.body.get("tableReference").unwrap_or(&Value::Null);
    let id = reference["tableId"]
        .as_str()
        .ok_or_else(|| ApiError::invalid("tableReference.tableId", "missing"))?;
    if reference["datasetId"].as_str().is_some_and(|own| own != dataset.as_str()) {
        let message = format!("must be the dataset in the URL, {dataset}");
        return Err(ApiError::invalid("tableReference.datasetId", message));
    }
    let name = TableName::parse(dataset.as_str(), id).map_err(api_error)?;
    refuse_unsupported(&call.body)?;
    let fields = columns::read(&call.body)?.unwrap_or_default();
    let mut table = Table::new(name, fields, Timestamp::now());
    if let Some(query) = view_of(&call.body)? {
        make_view(call, &mut table, query)?;
    }
    metadata::change(&mut table.facts, &call.body, ChangeMode::Replace)?;
    change_layout(&mut table, &call.body, ChangeMode::Replace)?;
    change_expiry(&mut table, &call.body, ChangeMode::Replace)?;
    let made = call.store()?.create_table(table).map_err(api_error)?;
    resource(call, &made).map(Reply::json)
}

/// Implements `tables.patch`.
pub fn patch(call: &WarehouseCall) -> Result<Reply, ApiError> {
    change(call, ChangeMode::Patch)
}

/// Implements `tables.update`.
pub fn update(call: &WarehouseCall) -> Result<Reply, ApiError> {
    change(call, ChangeMode::Replace)
}

fn change(call: &WarehouseCall, how: ChangeMode) -> Result<Reply, ApiError> {
    let name = call.table()?;
    check_writable(&name.dataset).map_err(api_error)?;
    refuse_unsupported(&call.body)?;
    let mut refused = None;
    let changed = call.store()?.update_table(&name, |connection, table| {
        let made = (|| {
            call.check_unchanged(&resource(call, table)?)?;
            if let Some(query) = view_of(&call.body)? {
                make_view(call, table, query)?;
            }
            if let Some(fields) = columns::read(&call.body)? {
                columns::change(connection, table, fields)?;
            }
            metadata::change(&mut table.facts, &call.body, how)?;
            change_layout(table, &call.body, how)?;
            change_expiry(table, &call.body, how)
        })();
        made.map_err(|refusal: ApiError| {
            refused = Some(refusal);
            Fault::invalid("")
        })
    });
    match (changed, refused) {
        (_, Some(refusal)) => Err(refusal),
        (changed, None) => resource(call, &changed.map_err(api_error)?).map(Reply::json),
    }
}

/// Implements `tables.delete`.
pub fn delete(call: &WarehouseCall) -> Result<Reply, ApiError> {
    let name = call.table()?;
    check_writable(&name.dataset).map_err(api_error)?;
    call.store()?.remove_table(&name).map_err(api_error)?;
    Ok(Reply::no_content())
}

/// Rejects settings that would create an unsupported kind of table.
fn refuse_unsupported(body: &Map<String, Value>) -> Result<(), ApiError> {
    let kinds = [
        ("materializedView", "create a view, or write the result of a query to a table"),
        ("externalDataConfiguration", "load the files into a table"),
        ("snapshotDefinition", "copy the table"),
        ("cloneDefinition", "copy the table"),
        ("tableConstraints", "remove it, because keys are not enforced"),
        ("defaultCollation", "remove it, because collations are not supported"),
    ];
    let is_said = |name: &str| {
        body.get(name).is_some_and(|value| !value.is_null() && value.as_str() != Some(""))
    };
    match kinds.into_iter().find(|(name, _)| is_said(name)) {
        None => Ok(()),
        Some((name, instead)) => Err(ApiError::invalid(name, format!("not supported: {instead}"))),
    }
}

/// Returns the statement of the view in a request body. Returns None if the body describes no view.
fn view_of(body: &Map<String, Value>) -> Result<Option<&str>, ApiError> {
    let Some(view) = body.get("view").filter(|view| !view.is_null()) else {
        return Ok(None);
    };
    if view["useLegacySql"] == true {
        let message = "must be false: views support only GoogleSQL";
        return Err(ApiError::invalid("view.useLegacySql", message));
    }
    view["query"].as_str().map(Some).ok_or_else(|| ApiError::invalid("view.query", "missing"))
}

fn make_view(call: &WarehouseCall, table: &mut Table, query: &str) -> Result<(), ApiError> {
    if matches!(table.kind, Kind::Stored { id } if id != 0) {
        let message = format!("{} is a table: remove the table first", table.name);
        return Err(ApiError::invalid("view", message));
    }
    let session = Session {
        project: call.project()?.as_str().to_owned(),
        dataset: Some(table.name.dataset.clone()),
        parameters: Parameters::None,
        now: Timestamp::now(),
    };
    let control = Control::new(Some(VIEW_CHECK_TIMEOUT));
    let summary = call.ask(|engine| engine.dry_run(query, &session, &control))?;
    if summary.writes {
        return Err(ApiError::invalid("view.query", "must be a SELECT statement"));
    }
    table.kind = Kind::View { query: query.to_owned() };
    table.fields = summary.fields;
    table.rows = None;
    Ok(())
}

/// Changes the partitioning and clustering according to a request body.
fn change_layout(
    table: &mut Table,
    body: &Map<String, Value>,
    how: ChangeMode,
) -> Result<(), ApiError> {
    let mut wanted = body.clone();
    if how == ChangeMode::Patch {
        for (name, value) in &table.facts.layout {
            wanted.entry(name).or_insert_with(|| value.clone());
        }
    }
    let wanted = Value::Object(wanted);
    let fields = TypedFields::of(&wanted, "table").map_err(api_error)?;
    table.facts.layout = layout::read(&fields, Some(&table.fields)).map_err(api_error)?;
    Ok(())
}

fn change_expiry(
    table: &mut Table,
    body: &Map<String, Value>,
    how: ChangeMode,
) -> Result<(), ApiError> {
    match (body.get("expirationTime"), how) {
        (None, ChangeMode::Patch) => {}
        (None | Some(Value::Null), _) => table.expires = None,
        (Some(value), _) => {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let time = text.parse().ok().and_then(|ms| Timestamp::from_millisecond(ms).ok());
            let is_ahead = |time: &Timestamp| *time > Timestamp::now();
            table.expires = Some(time.filter(is_ahead).ok_or_else(|| {
                let message = format!("must be a future time in Unix milliseconds, not {text:?}");
                ApiError::invalid("expirationTime", message)
            })?);
        }
    }
    Ok(())
}

/// Returns the resource of a table.
fn resource(call: &WarehouseCall, table: &Table) -> Result<Value, ApiError> {
    let mut resource = entry(call, table)?;
    let project = call.project()?;
    let TableName { dataset, table: id } = &table.name;
    metadata::show(&table.facts, &mut resource);
    let path = format!("projects/{project}/datasets/{dataset}/tables/{id}");
    resource["selfLink"] = call.address(&path).into();
    resource["lastModifiedTime"] = table.facts.modified.to_string().into();
    resource["schema"] = json!({ "fields": schema::to_json(&table.fields) });
    resource["location"] = super::LOCATION.into();
    for (name, value) in &table.facts.layout {
        resource[name] = value.clone();
    }
    if let Some(rows) = table.rows {
        resource["numRows"] = rows.to_string().into();
    }
    if let Kind::View { query } = &table.kind {
        resource["view"] = json!({ "query": query, "useLegacySql": false });
    }
    Ok(with_etag(resource))
}

/// Returns a table as an entry in a list.
fn entry(call: &WarehouseCall, table: &Table) -> Result<Value, ApiError> {
    let project = call.project()?;
    let TableName { dataset, table: id } = &table.name;
    let mut entry = json!({});
    metadata::show(&table.facts, &mut entry);
    entry.as_object_mut().and_then(|entry| entry.remove("description"));
    entry["kind"] = "warehouse#table".into();
    entry["id"] = format!("{project}:{dataset}.{id}").into();
    entry["tableReference"] = json!({
        "projectId": project.as_str(),
        "datasetId": dataset.as_str(),
        "tableId": id.as_str(),
    });
    entry["type"] = "TABLE".into();
    if let Kind::View { .. } = table.kind {
        entry["type"] = "VIEW".into();
        entry["view"] = json!({ "useLegacySql": false });
    }
    if let Some(expires) = table.expires {
        entry["expirationTime"] = expires.as_millisecond().to_string().into();
    }
    Ok(entry)
}
