//! `feedwright init --ci`: writes a workflow for a forge.

use std::path::Path;

use crate::Failure;
use crate::output::say;
use project::{Forge, Options, Workflow, read_config};

/// Writes the workflow of a site. Does not change an existing file.
pub fn write(site: &Path, forge: Forge) -> Result<(), Failure> {
    let workflow = Workflow::of(site, forge, &read_config(&Options::new(site)).0);
    let file = &workflow.file;
    match edit::create(file, workflow.text().as_bytes()) {
        Ok(()) => {
            say!("Wrote {}. {}", file.display(), workflow.remaining_steps());
            Ok(())
        }
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            Err(Failure::Usage(format!(
                "{} already exists and was not changed; to create a new one, move it away and run the command again",
                file.display()
            )))
        }
        Err(error) => Err(Failure::cannot_write(file, &error)),
    }
}
