//! Completes what a crash interrupted. A started write is finished; the journal entry of a write that never started
//! is removed. No client has received an answer for either. Temporary files of ended processes are removed.

#[cfg(feature = "serve")]
use std::fs;
#[cfg(feature = "serve")]
use std::io;
use std::path::Path;

#[cfg(feature = "serve")]
use jiff::Timestamp;

use crate::edit::{self, NoWrites};
use crate::local;
use crate::model::Diagnostic;
#[cfg(feature = "serve")]
use crate::model::SitePath;
#[cfg(feature = "serve")]
use crate::state::{FileStep, Intent, State};

/// Completes the interrupted writes of a site before a command reads it. Returns an error if a write of several files
/// is still incomplete. Does nothing while another process writes.
pub fn recover(root: &Path) -> Result<(), Diagnostic> {
    local::close_to_others(root);
    let Some(alone) = NoWrites::wait(root) else {
        return Ok(());
    };
    #[cfg(feature = "serve")]
    if State::has_unfinished_writes(root)
        && let Ok(state) = State::open(root)
    {
        finish_all(root, &state, &alone);
    }
    edit::sweep_ended(root, &alone);
    match alone.some_interrupted(root) {
        true => {
            Err(Diagnostic::error("a change of several files was interrupted and is incomplete")
                .file(local::FOLDER)
                .help(
                    "run `check` with a feedwright that includes `serve`: it completes the change",
                ))
        }
        false => Ok(()),
    }
}

/// Completes the interrupted writes before the site is served. A write that fails now is left to the next command.
#[cfg(feature = "serve")]
pub fn recover_with(root: &Path, state: &State) {
    local::close_to_others(root);
    if let Some(alone) = NoWrites::wait(root) {
        finish_all(root, state, &alone);
    }
}

#[cfg(feature = "serve")]
fn finish_all(root: &Path, state: &State, alone: &NoWrites) {
    finish_writes(root, state);
    if state.unfinished_writes().is_ok_and(|left| left.is_empty()) {
        alone.all_finished(root);
    }
}

/// Finishes or removes every write that is not marked as done. A write that fails now is left to the next start.
#[cfg(feature = "serve")]
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

#[cfg(feature = "serve")]
fn finish(root: &Path, state: &State, intent: &Intent) -> io::Result<()> {
    for step in intent.steps.iter().skip(1) {
        // If the author has changed the file since, that version stays.
        if is_as_before(root, step)? {
            take(root, step)?;
        }
    }
    state.write_is_made(intent).map_err(io::Error::other)
}

#[cfg(feature = "serve")]
fn is_as_before(root: &Path, step: &FileStep) -> io::Result<bool> {
    let held = match fs::read(path(step)?.on_disk(root)) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        held => Some(FileStep::hash(&held?)),
    };
    Ok(held == step.before)
}

#[cfg(feature = "serve")]
fn take(root: &Path, step: &FileStep) -> io::Result<()> {
    let path = path(step)?;
    match &step.text {
        None => edit::remove_to_trash(root, &path, Timestamp::now()).map(|_| ()),
        Some(text) if step.before.is_none() => edit::create(&path.on_disk(root), text.as_bytes()),
        Some(text) => edit::replace(&path.on_disk(root), text.as_bytes()),
    }
}

#[cfg(feature = "serve")]
fn path(step: &FileStep) -> io::Result<SitePath> {
    SitePath::parse(&step.path).ok_or_else(|| io::ErrorKind::InvalidData.into())
}
