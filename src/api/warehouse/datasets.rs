//! Operations on datasets: list, get, create, change, remove.

use crate::error::api_error;
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::call::{Reply, WarehouseCall, with_etag};
use super::metadata::{self, ChangeMode};
use super::paging::{PageRequest, set_next};
use api_shared::ApiError;
use warehouse::engine::check_writable;
use warehouse::store::{Dataset, Facts};
use warehouse::{DatasetId, Fault};

/// Implements `datasets.list`.
pub fn list(call: &WarehouseCall) -> Result<Reply, ApiError> {
    let wanted = LabelFilter::parse(call.parameters.text("filter").unwrap_or_default())?;
    let mut all = call.store()?.datasets().map_err(api_error)?;
    all.retain(|dataset| wanted.accepts(&dataset.facts));
    let (page, next) = PageRequest::parse(&call.parameters)?.of(all, |one| one.id.to_string());
    let entries: Result<Vec<Value>, ApiError> =
        page.iter().map(|dataset| entry(call, dataset)).collect();
    let mut list = json!({ "kind": "warehouse#datasetList", "datasets": entries? });
    set_next(&mut list, next);
    Ok(Reply::list(list))
}

/// Implements `datasets.get`.
pub fn get(call: &WarehouseCall) -> Result<Reply, ApiError> {
    let id = call.dataset()?;
    let dataset = call.ask(|tables| tables.dataset(&id))?;
    resource(call, &dataset).map(Reply::json)
}

/// Implements `datasets.insert`.
pub fn insert(call: &WarehouseCall) -> Result<Reply, ApiError> {
    let reference = &call.body.get("datasetReference").unwrap_or(&Value::Null);
    let id = reference["datasetId"]
        .as_str()
        .ok_or_else(|| ApiError::invalid("datasetReference.datasetId", "missing"))?;
    let id = DatasetId::parse(id).map_err(api_error)?;
    refuse_unsupported(&call.body)?;
    let mut new = Facts::new(Timestamp::now());
    metadata::change(&mut new, &call.body, ChangeMode::Replace)?;
    if id.is_hidden() {
        let message = "must not begin with an underscore, which is reserved";
        return Err(ApiError::invalid("datasetReference.datasetId", message));
    }
    // The dataset `site` skips this check, because creating it fails with the better error that it
    // already exists. The check rejects names that differ from `site` only in case, because on some
    // systems such names refer to the same file.
    if id.as_str() != DatasetId::SITE {
        check_writable(&id).map_err(api_error)?;
    }
    call.store()?.create_dataset(&id, &new).map_err(api_error)?;
    resource(call, &Dataset { id, facts: new }).map(Reply::json)
}

/// Implements `datasets.patch`.
pub fn patch(call: &WarehouseCall) -> Result<Reply, ApiError> {
    change(call, ChangeMode::Patch)
}

/// Implements `datasets.update`.
pub fn update(call: &WarehouseCall) -> Result<Reply, ApiError> {
    change(call, ChangeMode::Replace)
}

fn change(call: &WarehouseCall, how: ChangeMode) -> Result<Reply, ApiError> {
    let id = call.dataset()?;
    check_writable(&id).map_err(api_error)?;
    refuse_unsupported(&call.body)?;
    let mut refused = None;
    let changed = call.store()?.update_dataset(&id, |dataset| {
        let made = resource(call, dataset)
            .and_then(|known| call.check_unchanged(&known))
            .and_then(|()| metadata::change(&mut dataset.facts, &call.body, how));
        made.map_err(|refusal| {
            refused = Some(refusal);
            Fault::invalid("")
        })
    });
    match (changed, refused) {
        (_, Some(refusal)) => Err(refusal),
        (changed, None) => resource(call, &changed.map_err(api_error)?).map(Reply::json),
    }
}

/// Implements `datasets.delete`.
pub fn delete(call: &WarehouseCall) -> Result<Reply, ApiError> {
    let id = call.dataset()?;
    check_writable(&id).map_err(api_error)?;
    let with_tables = call.parameters.flag("deleteContents")?;
    call.store()?.remove_dataset(&id, with_tables).map_err(api_error)?;
    Ok(Reply::no_content())
}

/// Rejects unsupported settings that would change tables.
fn refuse_unsupported(body: &Map<String, Value>) -> Result<(), ApiError> {
    let times = ["defaultTableExpirationMs", "defaultPartitionExpirationMs"];
    let is_said = |name: &&str| body.get(*name).is_some_and(|value| !value.is_null());
    match times.into_iter().find(is_said) {
        None => Ok(()),
        Some(name) => {
            Err(ApiError::invalid(name, "not supported: set expirationTime on each table"))
        }
    }
}

/// Returns the resource of a dataset.
fn resource(call: &WarehouseCall, dataset: &Dataset) -> Result<Value, ApiError> {
    let mut resource = entry(call, dataset)?;
    let project = call.project()?;
    metadata::show(&dataset.facts, &mut resource);
    resource["selfLink"] =
        call.address(&format!("projects/{project}/datasets/{}", dataset.id)).into();
    resource["lastModifiedTime"] = dataset.facts.modified.to_string().into();
    resource["type"] = "DEFAULT".into();
    Ok(with_etag(resource))
}

/// Returns a dataset as an entry in a list.
fn entry(call: &WarehouseCall, dataset: &Dataset) -> Result<Value, ApiError> {
    let project = call.project()?;
    let mut entry = json!({});
    metadata::show(&dataset.facts, &mut entry);
    for name in ["description", "creationTime"] {
        entry.as_object_mut().and_then(|entry| entry.remove(name));
    }
    entry["kind"] = "warehouse#dataset".into();
    entry["id"] = format!("{project}:{}", dataset.id).into();
    entry["datasetReference"] =
        json!({ "projectId": project.as_str(), "datasetId": dataset.id.as_str() });
    entry["location"] = super::LOCATION.into();
    Ok(entry)
}

/// A filter that selects datasets by label: `labels.team:audio labels.live`.
struct LabelFilter(Vec<(String, Option<String>)>);

impl LabelFilter {
    fn parse(text: &str) -> Result<Self, ApiError> {
        let condition = |word: &str| {
            let label = word.strip_prefix("labels.")?;
            Some(match label.split_once(':') {
                Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
                None => (label.to_owned(), None),
            })
        };
        let conditions: Option<Vec<_>> = text.split_whitespace().map(condition).collect();
        conditions.map(Self).ok_or_else(|| {
            let message =
                format!("must be written like labels.name:value labels.other, not {text:?}");
            ApiError::invalid("filter", message)
        })
    }

    fn accepts(&self, facts: &Facts) -> bool {
        self.0.iter().all(|(name, wanted)| {
            let value = facts.labels.get(name);
            value.is_some_and(|value| wanted.as_ref().is_none_or(|wanted| wanted == value))
        })
    }
}
