//! Projects: whatever a client calls it, the site is the one that there is.

use std::fmt;

use serde_json::{Value, json};

use super::call::{Reply, WarehouseCall};
use super::error::Refusal;

/// The id of a project: what the client calls the site. Answers echo it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectId(String);

/// The project of whoever does not say which.
const OWN: &str = "site";

/// Longest id, in bytes.
const LONGEST: usize = 128;

impl ProjectId {
    /// Reads an id: letters, digits, dashes, underscores, and the dots and colons of one in a domain.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || "-_.:".contains(c);
        if (1..=LONGEST).contains(&text.len()) && text.chars().all(is_part) {
            Ok(Self(text.to_owned()))
        } else {
            Err(Refusal::invalid(
                "projectId",
                format!(
                    "{text:?} is no project's id: letters, digits and dashes; any such means this site"
                ),
            ))
        }
    }

    /// The id.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for ProjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

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
