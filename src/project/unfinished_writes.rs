//! Completes recorded writes that a crash interrupted.

use std::path::Path;
use std::{fs, io};

use jiff::Timestamp;

use edit::WriteLockdown;
use model::SitePath;
use state::{FileStep, Intent, State};

/// Completes the writes that the journal lists as unfinished.
pub fn finish_all(root: &Path, alone: &WriteLockdown) {
    if State::has_unfinished_writes(root)
        && let Ok(state) = State::open(root)
    {
        finish_recorded(root, &state, alone);
    }
}

/// Completes the interrupted writes before the site is served. If a write fails again, the next
/// command retries it.
pub fn recover_with(root: &Path, state: &State) {
    local::restrict_to_owner(root);
    if let Some(alone) = WriteLockdown::wait(root) {
        finish_recorded(root, state, &alone);
    }
}

fn finish_recorded(root: &Path, state: &State, alone: &WriteLockdown) {
    finish_writes(root, state);
    if state.unfinished_writes().is_ok_and(|left| left.is_empty()) {
        alone.remove_markers(root);
    }
}

/// Completes or removes every write that is not marked as done. If a write fails again, the next
/// start retries it.
fn finish_writes(root: &Path, state: &State) {
    for intent in state.unfinished_writes().unwrap_or_default() {
        let was_begun = intent.steps.first().is_none_or(|first| {
            // If the file cannot be read, assume that the write had started.
            !is_unchanged(root, first).unwrap_or(false)
        });
        let _ = if was_begun {
            finish(root, state, &intent)
        } else {
            state.discard_write(&intent).map_err(io::Error::other)
        };
    }
}

fn finish(root: &Path, state: &State, intent: &Intent) -> io::Result<()> {
    for step in intent.steps.iter().skip(1) {
        // If the author has changed the file since the crash, keep the author's version.
        if is_unchanged(root, step)? {
            apply_step(root, step)?;
        }
    }
    state.mark_written(intent).map_err(io::Error::other)
}

fn is_unchanged(root: &Path, step: &FileStep) -> io::Result<bool> {
    let held = match fs::read(path(step)?.on_disk(root)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        held => Some(FileStep::hash(&held?)),
    };
    Ok(held == step.before)
}

fn apply_step(root: &Path, step: &FileStep) -> io::Result<()> {
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
