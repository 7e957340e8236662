//! What datasets elsewhere have beside tables, and none has here: routines and models.

use serde_json::json;

use super::call::{Call, Reply};
use super::error::Refusal;

/// `routines.list`.
pub fn routines(call: &Call) -> Result<Reply, Refusal> {
    none(call, "routines")
}

/// `models.list`.
pub fn models(call: &Call) -> Result<Reply, Refusal> {
    none(call, "models")
}

fn none(call: &Call, kind: &str) -> Result<Reply, Refusal> {
    let id = call.dataset()?;
    call.ask(|tables| tables.dataset(&id))?;
    Ok(Reply::list(json!({ kind: [] })))
}

/// `routines.get`.
pub fn routine(call: &Call) -> Result<Reply, Refusal> {
    missing(call, "routine")
}

/// `models.get`.
pub fn model(call: &Call) -> Result<Reply, Refusal> {
    missing(call, "model")
}

fn missing(call: &Call, kind: &str) -> Result<Reply, Refusal> {
    let (dataset, name) = (call.dataset()?, call.name("name"));
    Err(Refusal::not_found(format!(
        "there is no {kind} {dataset}.{name}"
    )))
}
