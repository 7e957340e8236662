//! Routines and models, which are not supported. Their lists are always empty.

use serde_json::json;

use super::call::{Reply, WarehouseCall};
use api_shared::ApiError;

/// Implements `routines.list`.
pub fn routines(call: &WarehouseCall) -> Result<Reply, ApiError> {
    empty_list(call, "routines")
}

/// Implements `models.list`.
pub fn models(call: &WarehouseCall) -> Result<Reply, ApiError> {
    empty_list(call, "models")
}

fn empty_list(call: &WarehouseCall, kind: &str) -> Result<Reply, ApiError> {
    let id = call.dataset()?;
    call.ask(|tables| tables.dataset(&id))?;
    Ok(Reply::list(json!({ kind: [] })))
}

/// Implements `routines.get`.
pub fn routine(call: &WarehouseCall) -> Result<Reply, ApiError> {
    missing_error(call, "routine")
}

/// Implements `models.get`.
pub fn model(call: &WarehouseCall) -> Result<Reply, ApiError> {
    missing_error(call, "model")
}

fn missing_error(call: &WarehouseCall, kind: &str) -> Result<Reply, ApiError> {
    let (dataset, name) = (call.dataset()?, call.names.get("name"));
    Err(ApiError::not_found(format!("{kind} not found: {dataset}.{name}")))
}
