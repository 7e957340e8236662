//! Asks git which files of a site are ignored.

use std::collections::HashSet;
use std::path::Path;

use super::git::{command, output};
use super::process::{self, Bounds};
use model::SitePath;

/// Returns whether the folder is in a git repository and git can be run.
pub fn is_asked(root: &Path) -> bool {
    output(root, &["rev-parse", "--is-inside-work-tree"])
        .is_some_and(|ignored_names| ignored_names.trim() == "true")
}

/// Returns the files that git ignores. The result is empty if the site is not in a repository.
pub fn ignored<'f>(root: &Path, files: impl Iterator<Item = &'f SitePath>) -> HashSet<SitePath> {
    let names: String = files.map(|file| format!("{file}\0")).collect();
    let mut git = command(root, &["check-ignore", "--no-index", "--stdin", "-z"]);
    let ignored_names = process::output(&mut git, names.into_bytes(), Bounds::default());
    let ignored_names =
        ignored_names.ok().and_then(|ignored_names| String::from_utf8(ignored_names.stdout).ok());
    let ignored_names = ignored_names.unwrap_or_default();
    ignored_names.split('\0').filter_map(SitePath::parse).collect()
}
