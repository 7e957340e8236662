//! `feedwright man`: prints or writes manual pages.

use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::Args;
use clap::builder::StyledStr;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use super::Failure;
use super::output::{print_bytes, say};

/// The arguments of `man`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  feedwright man
  feedwright man --out ~/.local/share/man/man1")]
pub struct Arguments {
    /// Write the pages of all commands to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Prints the manual page of the program, or writes the manual pages of the program and all its
/// commands.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut command = super::command();
    command.build();
    match &arguments.out {
        None => {
            let (_, page) = page(&command).map_err(|error| {
                Failure::Usage(format!("the manual page cannot be created: {error}"))
            })?;
            print_bytes(&page);
        }
        Some(folder) => {
            write(&command, folder).map_err(|error| Failure::cannot_write(folder, &error))?;
            say!("Wrote the manual pages into {}", folder.display());
        }
    }
    Ok(())
}

/// Writes the manual pages of a command and its subcommands.
fn write(command: &clap::Command, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for inner in command.get_subcommands().filter(|inner| !inner.is_hide_set()) {
        write(inner, folder)?;
    }
    let (name, page) = page(command)?;
    fs::write(folder.join(name), page)
}

/// Returns the file name and the text of a command's manual page.
fn page(command: &clap::Command) -> io::Result<(String, Vec<u8>)> {
    // Remove the examples, because clap_mangen would join their lines under the heading EXTRA.
    let man = Man::new(command.clone().after_help(None::<&str>));
    let mut page = Vec::new();
    man.render(&mut page)?;
    if let Some(examples) = command.get_after_help() {
        write_examples(examples, &mut page)?;
    }
    Ok((man.get_filename(), page))
}

/// Writes the examples from a command's help text, without the heading "Examples:".
fn write_examples(examples: &StyledStr, page: &mut Vec<u8>) -> io::Result<()> {
    let mut section = Roff::new();
    section.control("SH", ["EXAMPLES"]).control("EX", []);
    for line in examples.to_string().lines().skip(1) {
        section.text([roman(line.trim_start())]);
    }
    section.control("EE", []);
    section.to_writer(page)
}
