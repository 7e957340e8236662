//! Remembers which content folders had files in the last build. If such a folder is missing now,
//! for example because of a typo or an incomplete checkout, the build fails. Otherwise it would
//! silently remove the folder's content from the site.

use model::calendar::Calendar;
use model::{ContentFolder, Diagnostic, SiteFile};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The folders that are remembered.
const FOLDERS: [&str; 6] = [
    "content/items",
    "content/pages",
    "content/media",
    Calendar::FOLDER,
    SiteFile::FOLDER,
    ContentFolder::SHOWS,
];

/// Returns an error for each folder that had files in the last build and is missing now.
pub fn errors(root: &Path) -> Vec<Diagnostic> {
    let before = fs::read_to_string(file(root)).unwrap_or_default();
    let gone = FOLDERS
        .into_iter()
        .filter(|folder| before.lines().any(|line| line == *folder))
        .filter(|folder| root.join(folder).symlink_metadata().is_err());
    gone.map(|folder| {
        Diagnostic::error("this folder is missing, but the last build published files from it")
            .file(folder)
            .help("restore it; if its files should no longer be published, create it as an empty folder")
    })
    .collect()
}

/// Notes the folders that had files in this build.
///
/// # Errors
///
/// Fails if the note cannot be written.
pub fn note(root: &Path) -> io::Result<()> {
    let has_entries = |folder: &&str| {
        let mut entries = fs::read_dir(root.join(folder)).into_iter().flatten();
        entries.next().is_some()
    };
    let lines = FOLDERS.into_iter().filter(has_entries);
    let text: String = lines.map(|folder| format!("{folder}\n")).collect();
    edit::keep(&file(root), text.as_bytes())
}

fn file(root: &Path) -> PathBuf {
    root.join(".feedwright").join("folders")
}
