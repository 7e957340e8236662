//! Projects. The site is the only one, whatever clients call it.

use serde_json::{Value, json};

use super::call::{Reply, WarehouseCall};
use api_shared::ApiError;

/// The name of the project for clients that do not say which.
const OWN: &str = "site";

/// `projects.list`: the site.
pub fn list(call: &WarehouseCall) -> Result<Reply, ApiError> {
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

/// `projects.getServiceAccount`: the account that works for the project itself.
pub fn service_account(call: &WarehouseCall) -> Result<Reply, ApiError> {
    let account: Value = json!({
        "kind": "warehouse#getServiceAccountResponse",
        "email": format!("warehouse@{}.invalid", call.project()?),
    });
    Ok(Reply::json(account))
}
