//! `feedwright new episode`: creates items from recordings.

mod plan;
mod recording;
mod write;

use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use clap::Args;

use super::super::output::{Bar, answer, bytes, say};
use super::super::{Failure, shows};
use super::{config, item, language};
use builder::Progress;
use plan::Episode;
use recording::Recording;
use source::load::load;

/// The arguments of `new episode`.
#[derive(Debug, Args)]
#[command(after_help = r#"Examples:
  feedwright new episode walk.mp3
  feedwright new episode --draft --open walk.mp3 --title "Harbour walk"
  feedwright new episode --move --into 2026 ferry.m4a tide.m4a"#)]
pub struct Arguments {
    /// Recordings, in the order of their numbers, dates or names
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Title of the episode [default: from the tags or file name]
    #[arg(long)]
    title: Option<String>,
    /// Subfolder of content/items/
    #[arg(long, value_name = "DIR", default_value = "", hide_default_value = true)]
    into: String,
    /// Move the files into the site instead of copying them
    #[arg(long = "move")]
    moves: bool,
    /// Create the episode in this show: a folder of shows/
    #[arg(long, value_name = "SHOW")]
    show: Option<String>,
    /// Create a draft (`status = "unpublished"`)
    #[arg(long)]
    draft: bool,
    /// Language tag of the episode, such as de [default: the site's language]
    #[arg(long, value_name = "TAG")]
    language: Option<String>,
    /// Open the new episode in the editor
    #[cfg(feature = "serve")]
    #[arg(long)]
    open: bool,
}

/// Creates an episode from each recording. Nothing is written unless all recordings are usable.
pub fn run(root: &Path, arguments: &Arguments) -> Result<(), Failure> {
    if arguments.title.is_some() && arguments.files.len() > 1 {
        return Err(Failure::Usage("--title is for one recording".into()));
    }
    let config = shows::config(root, config(root), arguments.show.as_deref())?;
    let items = config.content.join("items");
    let folder = item::folder_of(&items, &arguments.into)?;
    let language = arguments.language.as_deref();
    let place = language::place(root, &config, &items, language)?;
    let below = folder.as_str().strip_prefix(&*items).unwrap_or_default();
    let folder = format!("{}{below}", place.folder);
    let mut recordings = read(root, &arguments.files)?;
    plan::sort(&mut recordings, &config);
    let (sources, _) = load(root, &config, &|| ());
    let items = sources.items.iter().map(|(item, _)| &**item);
    let items = item::in_language(&config, items, language);
    let episodes = plan::plan(recordings, items, arguments, (&folder, &place.extension, &config))?;
    for episode in &episodes {
        let path = episode.path.as_str();
        let folder = episode.path.parent().filter(|_| !episode.is_in_place);
        if root.join(folder.unwrap_or(path)).exists() {
            return Err(exists(path));
        }
    }
    for episode in &episodes {
        let facts = create(root, episode, arguments.moves)?;
        answer(episode.path.as_str());
        say!("  {}: {}", episode.title, facts.join(", "));
    }
    #[cfg(feature = "serve")]
    if let Some(first) = episodes.first().filter(|_| arguments.open) {
        return open(root, first);
    }
    say!("next: describe the episode in the file, then run `feedwright serve --open`");
    Ok(())
}

/// Reads all recordings. Returns all reasons why they cannot be published.
fn read(root: &Path, files: &[PathBuf]) -> Result<Vec<Recording>, Failure> {
    let mut seen = HashSet::new();
    let (mut recordings, mut faults) = (Vec::new(), Vec::new());
    for path in files {
        if !seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())) {
            faults.push(format!("{} is named twice", path.display()));
            continue;
        }
        match Recording::read(root, path) {
            Ok(recording) => recordings.push(recording),
            Err(fault) => faults.push(fault),
        }
    }
    match faults.is_empty() {
        true => Ok(recordings),
        false => Err(Failure::Usage(faults.join("\nerror: "))),
    }
}

/// Writes an episode, and shows the progress of a long copy.
fn create(root: &Path, episode: &Episode, moves: bool) -> Result<Vec<String>, Failure> {
    let bar = Bar::new();
    if episode.recording.in_site.is_none() {
        bar.moving("Copying", episode.recording.facts.bytes);
    }
    let written = write::write(root, episode, moves, &|bytes| bar.moved(bytes));
    bar.finish();
    let path = episode.path.as_str();
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => exists(path),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => Failure::Usage(format!(
            "no space for {path}: the recording needs {}; free some space, or move it with --move",
            bytes(episode.recording.facts.bytes)
        )),
        _ => Failure::cannot_write(Path::new(path), &error),
    })
}

fn exists(path: &str) -> Failure {
    Failure::Usage(format!("{path} or its folder already exists; set another --title"))
}

/// Opens an episode in the editor, if a server is running.
#[cfg(feature = "serve")]
fn open(root: &Path, episode: &Episode) -> Result<(), Failure> {
    let site = super::super::options(root.to_path_buf())?;
    match super::super::edit::running_link(&site.root) {
        Ok(link) => {
            let path = episode.path.as_str().replace('%', "%25");
            super::super::edit::open(&format!("{link}/open/{path}"));
        }
        Err(Failure::Usage(why)) => say!("the editor was not opened: {why}"),
        Err(failure) => return Err(failure),
    }
    Ok(())
}
