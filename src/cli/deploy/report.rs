//! Reports of `deploy` for people and scripts.

use crate::cli::output::{bytes, count, print_json, say};
use crate::deploy::{Done, Part, Put, plans_as_json};

/// Most files of a plan that are named.
const MOST_NAMED: usize = 30;

/// Reports a deploy, the site last.
pub fn tell(done: &Done, as_json: bool) {
    if as_json {
        print_json(&done.as_json());
        return;
    }
    for place in &done.places {
        let deployed = &place.deployed;
        let (sent, size) = (deployed.put.len(), bytes(deployed.bytes));
        let mut parts = vec![format!("{sent} sent ({size})")];
        if deployed.deleted > 0 {
            parts.push(format!("{} deleted", deployed.deleted));
        }
        parts.extend(left(place.waiting, place.others));
        say!(
            "Published {} at {}: {}",
            count(place.files, "file", "files"),
            place.to,
            parts.join(", ")
        );
        for path in &place.replaced {
            say!("Replaced another version of {path}");
        }
    }
    if done.told > 0 {
        say!("{} sent", count(done.told, "notice", "notices"));
    }
}

/// Prints what would be done, in that order.
pub fn tell_plans(parts: &[&Part<'_>], as_json: bool) {
    if as_json {
        print_json(&plans_as_json(parts));
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
        for line in lines.iter().take(MOST_NAMED) {
            say!("{line}");
        }
        if lines.len() > MOST_NAMED {
            say!(
                "  … and {} more; --json names them all",
                lines.len() - MOST_NAMED
            );
        }
        let mut facts = vec![
            format!("{} to send ({})", plan.put.len(), bytes(part.size())),
            format!("{} unchanged", plan.unchanged),
            format!("{} to delete", plan.clear.len() + plan.delete.len()),
        ];
        facts.extend(left(plan.waiting.len(), plan.others));
        say!(
            "To {}: {}. Nothing was sent.",
            part.to.address(),
            facts.join(", ")
        );
    }
}

fn line(put: &Put<'_>) -> String {
    let what = if put.is_new { "new    " } else { "changed" };
    format!("  {what}  {} ({})", put.file.path, bytes(put.file.length))
}

/// What stays out there that the site does not have.
fn left(waiting: usize, others: usize) -> Vec<String> {
    let mut parts = Vec::new();
    if waiting > 0 {
        let files = count(waiting, "former file", "former files");
        parts.push(format!("{files} to be deleted later"));
    }
    if others > 0 {
        let files = count(others, "file", "files");
        parts.push(format!("{files} of others left alone"));
    }
    parts
}
