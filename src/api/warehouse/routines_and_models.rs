//! Routines and models. No dataset has any here.

use serde_json::json;

use super::call::{Reply, WarehouseCall};
use api_shared::ApiError;

/// Implements `routines.list`.
pub fn routines(call: &WarehouseCall) -> Result<Reply, ApiError> {
    none(call, "routines")
}

/// Implements `models.list`.
pub fn models(call: &WarehouseCall) -> Result<Reply, ApiError> {
    none(call, "models")
}

fn none(call: &WarehouseCall, kind: &str) -> Result<Reply, ApiError> {
    let id = call.dataset()?;
    call.ask(|tables| tables.dataset(&id))?;
    Ok(Reply::list(json!({ kind: [] })))
}

/// Implements `routines.get`.
pub fn routine(call: &WarehouseCall) -> Result<Reply, ApiError> {
    missing(call, "routine")
}

/// Implements `models.get`.
pub fn model(call: &WarehouseCall) -> Result<Reply, ApiError> {
    missing(call, "model")
}

fn missing(call: &WarehouseCall, kind: &str) -> Result<Reply, ApiError> {
    let (dataset, name) = (call.dataset()?, call.names.get("name"));
    Err(ApiError::not_found(format!("{kind} not found: {dataset}.{name}")))
}
