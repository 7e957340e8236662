//! Reports the result of a deploy, or the plan of a dry run.

use serde_json::{Value, json};

use crate::output::{bytes, changed_recordings, count, print_json, report_recordings, say};
use deploy::{Part, Published, Put};
use model::Diagnostic;

/// Maximum number of planned files to list.
const MAX_LISTED: usize = 30;

/// Reports the result for each destination. The site is the last destination.
pub fn report_result(done: &[Published], notices: usize, warnings: &[Diagnostic], as_json: bool) {
    if as_json {
        let mut report = site_report(done.iter().map(published));
        report["told"] = notices.into();
        report["warnings"] = json!(warnings);
        print_json(&report);
        return;
    }
    for place in done {
        let deployed = &place.deployed;
        report_recordings(place.recordings);
        let (sent, size) = (deployed.put.len(), bytes(deployed.bytes));
        let mut parts = vec![format!("{sent} sent ({size})")];
        if deployed.deleted > 0 {
            parts.push(format!("{} deleted", deployed.deleted));
        }
        parts.extend(describe_remaining(place.waiting, place.others));
        say!(
            "Deployed {} to {}: {}",
            count(place.files, "file", "files"),
            place.to.address(),
            parts.join(", ")
        );
        for path in &place.replaced {
            say!("Replaced a different version of {path}");
        }
    }
    if notices > 0 {
        say!("{} sent", count(notices, "notice", "notices"));
    }
}

/// Reports that media files were added to `content/media.json`. The author must commit that file.
pub fn report_new_media(count_of_new: usize, as_json: bool) {
    if count_of_new > 0 && !as_json {
        say!(
            "Added {} to content/media.json: commit it, so that machines without these files can build the site",
            count(count_of_new, "file", "files")
        );
    }
}

/// Reports that no notifications were sent.
pub fn report_no_notices(as_json: bool) {
    if !as_json {
        say!(
            "No notices were sent, because the destination or address is not the one in site.toml; run with --notify to send them"
        );
    }
}

/// Prints the plan for each destination, in the order of its steps.
pub fn report_plans(parts: &[&Part<'_>], as_json: bool) {
    if as_json {
        print_json(&site_report(parts.iter().map(|part| planned(part))));
        return;
    }
    for part in parts {
        let plan = &part.plan;
        let gone = plan.clear.iter().chain(&plan.delete);
        let lines: Vec<String> = plan
            .put
            .iter()
            .map(line)
            .chain(gone.map(|path| format!("  delete   {path}")))
            .collect();
        for line in lines.iter().take(MAX_LISTED) {
            say!("{line}");
        }
        if lines.len() > MAX_LISTED {
            say!("  … and {} more; --json lists them all", lines.len() - MAX_LISTED);
        }
        report_recordings(plan.recordings());
        let mut facts = vec![
            format!("{} to send ({})", plan.put.len(), bytes(size(&plan.put))),
            format!("{} unchanged", plan.unchanged),
            format!("{} to delete", plan.clear.len() + plan.delete.len()),
        ];
        facts.extend(describe_remaining(plan.waiting.len(), plan.others));
        say!("Dry run for {}: {}. Nothing was sent.", part.to.address(), facts.join(", "));
    }
}

/// Returns the report of the site, which is the last report. If media have a separate destination,
/// adds their report under `media`.
fn site_report(reports: impl DoubleEndedIterator<Item = Value>) -> Value {
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
        "to": place.to.address(),
        "files": place.files,
        "sent": place.deployed.put.len(),
        "bytes": place.deployed.bytes,
        "recordings": changed_recordings(place.recordings),
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
        "bytes": size(&plan.put),
        "delete": delete,
        "waiting": waiting.collect::<Vec<Value>>(),
        "recordings": changed_recordings(plan.recordings()),
        "unchanged": plan.unchanged,
        "others": plan.others,
    })
}

fn line(put: &Put<'_>) -> String {
    let what = if put.is_new { "new    " } else { "changed" };
    format!("  {what}  {} ({})", put.file.path, bytes(put.file.length))
}

fn size(put: &[Put<'_>]) -> u64 {
    put.iter().map(|put| put.file.length).sum()
}

/// Describes the files at the destination that are not in the current build.
fn describe_remaining(waiting: usize, others: usize) -> Vec<String> {
    let mut parts = Vec::new();
    if waiting > 0 {
        let files = count(waiting, "old file", "old files");
        parts.push(format!("{files} to delete later"));
    }
    if others > 0 {
        let files = count(others, "unrelated file", "unrelated files");
        parts.push(format!("{files} kept"));
    }
    parts
}
