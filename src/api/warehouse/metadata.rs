//! The name, description and labels of a dataset or table.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use api_shared::ApiError;
use warehouse::store::Facts;

/// Maximum number of labels, and maximum number of characters in a label's name or value.
const MAX_LABELS: usize = 64;
const MAX_LABEL_LENGTH: usize = 63;
/// Maximum length of a description, in bytes.
const MAX_DESCRIPTION: usize = 16 * 1024;

/// The meaning of missing fields in a request body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeMode {
    /// PATCH: missing fields keep their values, and null clears a field.
    Patch,
    /// POST and PUT: missing fields are cleared.
    Replace,
}

pub fn show(facts: &Facts, resource: &mut Value) {
    let texts = [("description", &facts.description), ("friendlyName", &facts.friendly_name)];
    for (name, text) in texts {
        if let Some(text) = text {
            resource[name] = text.as_str().into();
        }
    }
    if !facts.labels.is_empty() {
        let labels = facts.labels.iter();
        let labels = labels.map(|(name, value)| (name.clone(), value.as_str().into()));
        resource["labels"] = labels.collect::<Map<_, _>>().into();
    }
    resource["creationTime"] = facts.created.to_string().into();
}

/// Changes the metadata according to a request body.
pub fn change(
    facts: &mut Facts,
    body: &Map<String, Value>,
    how: ChangeMode,
) -> Result<(), ApiError> {
    change_text(&mut facts.description, body, "description", how)?;
    change_text(&mut facts.friendly_name, body, "friendlyName", how)?;
    match (body.get("labels"), how) {
        (None, ChangeMode::Patch) => {}
        (None | Some(Value::Null), _) => facts.labels.clear(),
        (Some(labels), how) => change_labels(&mut facts.labels, labels, how)?,
    }
    Ok(())
}

fn change_text(
    text: &mut Option<String>,
    body: &Map<String, Value>,
    name: &str,
    how: ChangeMode,
) -> Result<(), ApiError> {
    match (body.get(name), how) {
        (None, ChangeMode::Patch) => {}
        (None | Some(Value::Null), _) => *text = None,
        (Some(Value::String(new)), _) if new.len() <= MAX_DESCRIPTION => *text = Some(new.clone()),
        _ => {
            let message = format!("must be a string of at most {MAX_DESCRIPTION} bytes");
            return Err(ApiError::invalid(name, message));
        }
    }
    Ok(())
}

fn change_labels(
    labels: &mut BTreeMap<String, String>,
    new: &Value,
    how: ChangeMode,
) -> Result<(), ApiError> {
    let rejection = |message: String| ApiError::invalid("labels", message);
    let new = new.as_object().ok_or_else(|| rejection("must be an object of strings".into()))?;
    if how == ChangeMode::Replace {
        labels.clear();
    }
    for (name, value) in new {
        let is_short = |text: &str| text.chars().count() <= MAX_LABEL_LENGTH;
        match value {
            Value::Null => {
                labels.remove(name);
            }
            Value::String(value) if !name.is_empty() && is_short(name) && is_short(value) => {
                labels.insert(name.clone(), value.clone());
            }
            _ => {
                return Err(rejection(format!(
                    "invalid label {name:?}: its name and value must be strings of at most {MAX_LABEL_LENGTH} characters"
                )));
            }
        }
    }
    if labels.len() <= MAX_LABELS {
        Ok(())
    } else {
        Err(rejection(format!("must have at most {MAX_LABELS} labels")))
    }
}
