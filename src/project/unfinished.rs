//! Completes writes in the journal that a crash interrupted.

use std::path::Path;
use std::{fs, io};

use jiff::Timestamp;

use edit::NoWrites;
use model::SitePath;
use state::{FileStep, Intent, State};

/// Completes the writes that are unfinished according to the journal.
pub fn finish_all(root: &Path, alone: &NoWrites) {
    if State::has_unfinished_writes(root)
        && let Ok(state) = State::open(root)
    {
        finish_with(root, &state, alone);
    }
}

/// Completes the interrupted writes before the site is served. A write that fails now is left to
/// the next command.
pub fn recover_with(root: &Path, state: &State) {
    local::close_to_others(root);
    if let Some(alone) = NoWrites::wait(root) {
        finish_with(root, state, &alone);
    }
}

fn finish_with(root: &Path, state: &State, alone: &NoWrites) {
    finish_writes(root, state);
    if state.unfinished_writes().is_ok_and(|left| left.is_empty()) {
        alone.all_finished(root);
    }
}

/// Completes or removes every write that is not marked as done. A write that fails now is left to
/// the next start.
fn finish_writes(root: &Path, state: &State) {
    for intent in state.unfinished_writes().unwrap_or_default() {
        let was_begun = intent.steps.first().is_none_or(|first| {
            // A file that cannot be read may have been written.
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
        // If the author has changed the file since, the author's version stays.
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
