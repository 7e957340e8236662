//! What a crash cut off: a write of which a part was made is finished, and the entry of one that never
//! happened goes from the journal. Nobody was told what came of either.

use std::fs;
use std::io;
use std::path::Path;

use jiff::Timestamp;

use crate::edit;
use crate::model::SitePath;
use crate::state::{FileStep, Intent, State};

/// Looks at every write that is not known to be made. What cannot be finished now is left to the next start.
pub fn finish_writes(root: &Path, state: &State) {
    for intent in state.unfinished_writes().unwrap_or_default() {
        let was_begun = intent.steps.first().is_none_or(|first| {
            // What cannot be read may have been written.
            !is_as_before(root, first).unwrap_or(false)
        });
        let _ = if was_begun {
            finish(root, state, &intent)
        } else {
            state.write_is_not_made(&intent).map_err(io::Error::other)
        };
    }
}

fn finish(root: &Path, state: &State, intent: &Intent) -> io::Result<()> {
    for step in intent.steps.iter().skip(1) {
        // Its author may have changed it since: then that counts.
        if is_as_before(root, step)? {
            take(root, step)?;
        }
    }
    state.write_is_made(intent).map_err(io::Error::other)
}

fn is_as_before(root: &Path, step: &FileStep) -> io::Result<bool> {
    let held = match fs::read(path(step)?.on_disk(root)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        held => Some(FileStep::hash(&held?)),
    };
    Ok(held == step.before)
}

fn take(root: &Path, step: &FileStep) -> io::Result<()> {
    let path = path(step)?;
    match &step.text {
        None => edit::remove_to_trash(root, &path, Timestamp::now()).map(|_| ()),
        Some(text) if step.before.is_none() => edit::create(&path.on_disk(root), text.as_bytes()),
        Some(text) => edit::replace(&path.on_disk(root), text.as_bytes()),
    }
}

fn path(step: &FileStep) -> io::Result<SitePath> {
    SitePath::parse(&step.path).ok_or_else(|| io::ErrorKind::InvalidData.into())
}
