//! The report of a deploy, and of one that is only planned, as JSON.

use serde_json::{Value, json};

use super::{Done, Part, Published};

impl Done {
    /// The report for scripts.
    pub fn as_json(&self) -> Value {
        let mut report = places(self.places.iter().map(published));
        report["told"] = self.told.into();
        report["warnings"] = json!(self.warnings);
        report
    }
}

/// The plans of all places, the site last.
pub fn plans_as_json(parts: &[&Part<'_>]) -> Value {
    places(parts.iter().map(|part| planned(part)))
}

/// The report of the site, which comes last, with that of its media if they have a place of their own.
fn places(reports: impl DoubleEndedIterator<Item = Value>) -> Value {
    let mut reports = reports.rev();
    let mut report = reports.next().unwrap_or_else(|| json!({}));
    report["ok"] = true.into();
    if let Some(media) = reports.next() {
        report["media"] = media;
    }
    report
}

fn published(place: &Published) -> Value {
    json!({
        "to": place.to,
        "files": place.files,
        "sent": place.deployed.put.len(),
        "bytes": place.deployed.bytes,
        "unchanged": place.unchanged,
        "deleted": place.deployed.deleted,
        "waiting": place.waiting,
        "others": place.others,
        "replaced": place.replaced,
    })
}

fn planned(part: &Part<'_>) -> Value {
    let plan = &part.plan;
    let put = plan.put.iter().map(|put| {
        json!({
            "path": put.file.path,
            "bytes": put.file.length,
            "new": put.is_new,
            "media_type": put.file.sent_as.media_type,
            "cache_control": put.file.sent_as.cache_control,
        })
    });
    let waiting = plan.waiting.iter();
    let waiting = waiting.map(|(path, since)| json!({ "path": path, "since": since }));
    let delete: Vec<&String> = plan.clear.iter().chain(&plan.delete).collect();
    json!({
        "to": part.to.address(),
        "put": put.collect::<Vec<Value>>(),
        "bytes": part.size(),
        "delete": delete,
        "waiting": waiting.collect::<Vec<Value>>(),
        "unchanged": plan.unchanged,
        "others": plan.others,
    })
}
