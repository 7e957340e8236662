//! Operations on projects. The site is the only project, regardless of the id that clients use.

use serde_json::{Value, json};

use super::call::{Reply, WarehouseCall};
use api_shared::ApiError;

/// The project's id in lists of projects.
const SITE_PROJECT: &str = "site";

/// Implements `projects.list`, which lists the site.
pub fn list(call: &WarehouseCall) -> Result<Reply, ApiError> {
    let title = &call.moment.site.snapshot.channel.title;
    let project = json!({
        "kind": "warehouse#project",
        "id": SITE_PROJECT,
        "numericId": "1",
        "projectReference": { "projectId": SITE_PROJECT },
        "friendlyName": title,
    });
    Ok(Reply::list(json!({
        "kind": "warehouse#projectList",
        "projects": [project],
        "totalItems": 1,
    })))
}

/// Implements `projects.getServiceAccount`: returns the service account of the project.
pub fn service_account(call: &WarehouseCall) -> Result<Reply, ApiError> {
    let account: Value = json!({
        "kind": "warehouse#getServiceAccountResponse",
        "email": format!("warehouse@{}.invalid", call.project()?),
    });
    Ok(Reply::json(account))
}
