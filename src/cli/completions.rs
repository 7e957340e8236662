//! `feedwright completions`: prints shell completions.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::Failure;
use super::output::print_bytes;

/// The arguments of `completions`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The shell
    shell: Shell,
}

/// Prints the shell completions of all commands and options.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut script = Vec::new();
    let mut command = super::Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "feedwright", &mut script);
    print_bytes(&script);
    Ok(())
}
