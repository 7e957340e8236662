//! Projects: whatever a client calls it, the site is the one that there is.

use serde_json::{Value, json};

use super::call::{Reply, WarehouseCall};
use super::error::Refusal;

/// The project of whoever does not say which.
const OWN: &str = "site";

/// `projects.list`: the site.
pub fn list(call: &WarehouseCall) -> Result<Reply, Refusal> {
    let title = &call.moment.site.snapshot.channel.title;
    let project = json!({
        "kind": "warehouse#project",
        "id": OWN,
        "numericId": "1",
        "projectReference": { "projectId": OWN },
        "friendlyName": title,
    });
    Ok(Reply::list(json!({
        "kind": "warehouse#projectList",
        "projects": [project],
        "totalItems": 1,
    })))
}

/// `projects.getServiceAccount`: who works for the project when nobody is asked.
pub fn service_account(call: &WarehouseCall) -> Result<Reply, Refusal> {
    let account: Value = json!({
        "kind": "warehouse#getServiceAccountResponse",
        "email": format!("warehouse@{}.invalid", call.project()?),
    });
    Ok(Reply::json(account))
}
