//! `feedwright completions`: prints shell completions.

use clap::Args;
use clap_complete::Shell;

use super::Failure;
use super::output::print_bytes;

/// The arguments of `completions`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  feedwright completions bash >> ~/.bash_completion
  feedwright completions zsh > ~/.zfunc/_feedwright
  feedwright completions fish > ~/.config/fish/completions/feedwright.fish")]
pub struct Arguments {
    /// Name of the shell
    shell: Shell,
}

/// Prints the shell completions of all commands and options.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut super::command(), "feedwright", &mut script);
    print_bytes(&script);
    Ok(())
}
