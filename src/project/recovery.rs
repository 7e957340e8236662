//! Recovers from a crash. If a write had started, it is completed. If it had not started, its
//! journal entry is removed. In either case, the client has received no answer. Temporary files of
//! processes that have ended are removed.

use std::path::Path;

use edit::WriteLockdown;
use model::Diagnostic;

/// Completes the interrupted writes of a site before a command reads it. Returns an error if a
/// write of several files is still incomplete. Does nothing while another process writes.
pub fn recover(root: &Path) -> Result<(), Diagnostic> {
    local::restrict_to_owner(root);
    let Some(alone) = WriteLockdown::wait(root) else {
        return Ok(());
    };
    #[cfg(feature = "serve")]
    super::unfinished_writes::finish_all(root, &alone);
    edit::sweep_ended_processes(root, &alone);
    match alone.has_interrupted_writes(root) {
        true => Err(Diagnostic::error(
            "a change to several files was interrupted and is incomplete",
        )
        .file(local::FOLDER)
        .help(
            "run `feedwright check` with a build that includes `serve`: it completes the change",
        )),
        false => Ok(()),
    }
}
