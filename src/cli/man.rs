//! `feedwright man`: prints or writes manual pages.

use std::path::{Path, PathBuf};
use std::{fs, io};

use clap::{Args, CommandFactory};

use super::Failure;
use super::output::{print_bytes, say};

/// The arguments of `man`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Write the pages of all commands into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Prints the manual page of the program, or writes a page for it and each of its commands.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let command = super::Arguments::command();
    match &arguments.out {
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command)
                .render(&mut page)
                .map_err(|error| Failure::Usage(format!("the page cannot be made: {error}")))?;
            print_bytes(&page);
        }
        Some(folder) => {
            write(command, folder).map_err(|error| Failure::cannot_write(folder, &error))?;
            say!("Wrote the manual pages into {}", folder.display());
        }
    }
    Ok(())
}

fn write(command: clap::Command, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    clap_mangen::generate_to(command, folder)
}
