//! The files of an imported folder. Symlinks to targets outside the folder are not followed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use crate::found::{Note, note};

/// The files by relative path. Paths contain `/` as the separator.
#[derive(Debug)]
pub struct Tree {
    pub files: BTreeMap<String, PathBuf>,
    pub notes: Vec<Note>,
}

/// Maximum size of a text file in bytes.
const MAX_TEXT_SIZE: u64 = 16 * 1024 * 1024;

impl Tree {
    /// Lists the files in a folder, except for the top-level folders in `without`.
    ///
    /// # Errors
    ///
    /// Returns a message for the user if the folder cannot be read.
    pub fn of(folder: &Path, without: &[&str]) -> Result<Self, String> {
        let failed =
            |error: &dyn std::fmt::Display| format!("{} cannot be read: {error}", folder.display());
        let root = fs::canonicalize(folder).map_err(|error| failed(&error))?;
        if !root.is_dir() {
            return Err(format!("{} is not a folder", folder.display()));
        }
        let mut tree = Self { files: BTreeMap::new(), notes: Vec::new() };
        let walk = WalkDir::new(&root).into_iter();
        for entry in walk.filter_entry(|entry| entry.depth() == 0 || is_read(entry, without)) {
            let entry = entry.map_err(|error| failed(&error))?;
            let Some(path) = path_of(&root, entry.path()) else {
                continue;
            };
            if entry.file_type().is_file() {
                tree.files.insert(path, entry.into_path());
            } else if !entry.file_type().is_dir() && !entry.file_type().is_symlink() {
                let message = "a named pipe, socket or device was skipped";
                note(&mut tree.notes, message, path);
            } else if entry.file_type().is_symlink() {
                match fs::canonicalize(entry.path()) {
                    Ok(real) if real.starts_with(&root) && real.is_file() => {
                        tree.files.insert(path, real);
                    }
                    _ => {
                        let message = "a symbolic link was not followed: its target is not a file in the folder";
                        note(&mut tree.notes, message, path);
                    }
                }
            }
        }
        Ok(tree)
    }

    /// Removes all files outside a folder, and makes paths relative to that folder.
    pub fn restrict_to(&mut self, folder: &str) {
        let folder = joined("", folder).unwrap_or_default();
        if folder.is_empty() {
            return;
        }
        let files = std::mem::take(&mut self.files).into_iter();
        let inner = |(path, file): (String, PathBuf)| {
            let path = path.strip_prefix(&folder)?.strip_prefix('/')?.to_owned();
            Some((path, file))
        };
        self.files = files.filter_map(inner).collect();
    }

    pub fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// Returns the contents of a text file. Returns `None` if the file does not exist, or if it
    /// cannot be read. In the latter case, the failure is reported.
    pub fn text(&mut self, path: &str) -> Option<String> {
        let file = self.files.get(path)?;
        let is_small = fs::metadata(file).is_ok_and(|facts| facts.len() <= MAX_TEXT_SIZE);
        let text = is_small.then(|| fs::read(file).ok()).flatten();
        let text = text.and_then(|bytes| String::from_utf8(bytes).ok());
        if text.is_none() {
            self.notes.push(Note::new(
                "this file was not read: it is not UTF-8 text, or is larger than 16 MiB",
                path,
            ));
        }
        text.map(|text| text.trim_start_matches('\u{feff}').replace("\r\n", "\n"))
    }

    /// Returns the paths of files below a folder. The path of the folder ends in `/`.
    pub fn below<'t>(&'t self, folder: &'t str) -> impl Iterator<Item = &'t String> {
        self.files
            .range(folder.to_owned()..)
            .map(|(path, _)| path)
            .take_while(move |path| path.starts_with(folder))
    }
}

fn path_of(root: &Path, path: &Path) -> Option<String> {
    let parts = path.strip_prefix(root).ok()?.components();
    let parts: Option<Vec<&str>> = parts.map(|part| part.as_os_str().to_str()).collect();
    parts.map(|parts| parts.join("/")).filter(|path| !path.is_empty())
}

/// Returns whether a file or folder is read. Hidden files, generated files and feedwright sites are
/// skipped.
fn is_read(entry: &DirEntry, without: &[&str]) -> bool {
    let name = entry.file_name().to_string_lossy();
    if !entry.file_type().is_dir() {
        return !name.starts_with('.') || name.starts_with(".eleventy") || name == ".gitignore";
    }
    let is_known = name.starts_with('.') || matches!(&*name, "node_modules" | "vendor");
    let is_left = entry.depth() == 1 && without.contains(&&*name);
    !is_known && !is_left && !entry.path().join("site.toml").is_file()
}

/// Splits a path into its folder and its file name.
pub fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// Splits a file name into its stem and its extension.
pub fn ending(name: &str) -> (&str, &str) {
    name.rsplit_once('.').unwrap_or((name, ""))
}

/// Returns the extension of a path in lower case.
pub fn kind(path: &str) -> String {
    ending(split(path).1).1.to_ascii_lowercase()
}

/// Returns whether a path has a Markdown extension. Its case does not matter.
pub fn is_markdown(path: &str) -> bool {
    const ENDINGS: [&str; 6] = ["md", "markdown", "mdown", "mkd", "mkdn", "mkdown"];
    ENDINGS.contains(&&*kind(path))
}

pub fn is_html(path: &str) -> bool {
    matches!(&*kind(path), "html" | "htm")
}

/// Returns whether a path has a Markdown or HTML extension.
pub fn is_text(path: &str) -> bool {
    is_markdown(path) || is_html(path)
}

/// Returns the prefix of all paths in a folder: the folder with a trailing `/`, or an empty string
/// for the root.
pub fn prefix(folder: &str) -> String {
    match folder.trim_start_matches("./").trim_matches('/') {
        "" | "." => String::new(),
        folder => format!("{folder}/"),
    }
}

/// Joins a path to a folder and resolves `.` and `..`. Returns `None` if the path leaves the root.
pub fn joined(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
