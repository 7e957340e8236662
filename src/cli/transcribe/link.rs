//! Adds a transcript to the front matter of its item.

use std::path::Path;

use serde_json::json;

use super::selection::Job;
use edit::Replaced;
use front_matter::Change;
use model::Source;
use source::reference::publish;
use source::text::read_text;

/// How often to try again if another program changes the item's file.
const ATTEMPTS: usize = 3;

/// Adds the transcript to the item, unless the item already refers to it. No other byte of the file
/// changes.
pub fn link(root: &Path, job: &Job) -> Result<(), String> {
    if job.replaces {
        return Ok(());
    }
    let reference = match job.target.parent() == job.item.parent() {
        true => job.target.file_name().to_owned(),
        false => publish(job.target.clone()).path,
    };
    let change = Change::set(&["podcast", "transcripts"], json!([reference]));
    let failed = |why: &str| {
        format!(
            "{} was written, but not added to {}: {why}; add `transcripts = [\"{reference}\"]` below [podcast]",
            job.target, job.item
        )
    };
    for _ in 0..ATTEMPTS {
        let text = read_text(root, &job.item).map_err(|fault| failed(&fault.message))?;
        let source = Source { path: &job.item, text: &text };
        let edited = edit::apply(source, std::slice::from_ref(&change), None);
        let edited = edited.map_err(|faults| {
            failed(faults.first().map_or("it cannot be edited", |fault| &fault.message))
        })?;
        let path = job.item.on_disk(root);
        match edit::replace_if(&path, text.as_bytes(), edited.as_bytes()) {
            Ok(Replaced::Done) => return Ok(()),
            Ok(Replaced::Changed | Replaced::Open) => {}
            Err(error) => return Err(failed(&error.to_string())),
        }
    }
    Err(failed("another program is changing the file"))
}
