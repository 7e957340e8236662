//! `feedwright new`: creates a content file.

mod accessibility;
mod episode;
mod event;
mod item;
mod language;
mod page;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::Failure;
use super::output::{answer, print};
use model::{Config, Severity};
use source::load::load_config;

/// The arguments of `new`.
#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  feedwright new item "Harbour walk"
  feedwright new episode walk.mp3
  feedwright new event "Boat trip" --start 2026-11-20"#)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Create an item in content/items/
    Item(item::Arguments),
    /// Create episodes from recordings, with their tags, chapters and transcripts
    Episode(episode::Arguments),
    /// Create a page in content/pages/
    Page(page::Arguments),
    /// Create an event in a calendar of content/calendars/
    Event(event::Arguments),
}

/// A file to be created.
struct NewFile {
    /// The path relative to the site's root.
    path: PathBuf,
    text: String,
    /// The advice if the file already exists.
    if_taken: &'static str,
}

/// Writes a new content file and prints its path.
pub fn run(root: &Path, arguments: &Arguments) -> Result<(), Failure> {
    let file = match &arguments.command {
        Command::Item(own) => item::compose(root, own)?,
        Command::Episode(own) => return episode::run(root, own),
        Command::Page(own) => page::compose(root, own)?,
        Command::Event(own) => event::compose(root, own)?,
    };
    create(root, &file)?;
    answer(&file.path.display().to_string());
    Ok(())
}

/// The advice if a file with the same title exists.
const OTHER_TITLE: &str = "choose another title";

/// Writes a new file. An existing file is an error.
fn create(root: &Path, file: &NewFile) -> Result<(), Failure> {
    let NewFile { path, text, if_taken } = file;
    edit::create(&root.join(path), text.as_bytes()).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            Failure::Usage(format!("{} already exists; {if_taken}", path.display()))
        }
        _ => Failure::cannot_write(path, &error),
    })
}

/// Reads `site.toml`, and prints its errors.
fn config(root: &Path) -> Config {
    let (config, report) = load_config(root);
    let mut found = report.sorted();
    found.retain(|diagnostic| diagnostic.severity == Severity::Error);
    print(&found, None);
    config
}

fn status(draft: bool) -> &'static str {
    if draft { "status = \"unpublished\"\n" } else { "" }
}
