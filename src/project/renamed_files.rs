//! Finds files without an id that were renamed after the last commit, even if no build ran in
//! between. The ids of such files derive from their paths. If `check --fix` wrote the new ids into
//! the files, the old ids would be lost.

use std::collections::HashSet;

use super::addresses::Addresses;
use super::comparison::revision::addresses_of;
use super::{Options, Site};
use model::{ContentFolder, Diagnostic, SitePath};
use programs::git;

const FOLDERS: [&str; 3] = ["content/items", "content/pages", ContentFolder::SHOWS];

/// Warns about files that had a different name in the last commit. Reads file names from git only
/// if a file lacks an id. Reads contents from git only if such a file is new and another file is
/// missing.
pub fn warn_renamed_since_commit(
    options: &Options,
    site: &Site,
    now: &Addresses,
) -> Vec<Diagnostic> {
    let root = &options.root;
    let is_derived = now.published().any(|published| published.id_is_derived);
    let Some(committed) = is_derived.then(|| git::names(root, "HEAD", &FOLDERS)).flatten() else {
        return Vec::new();
    };
    let committed: HashSet<&str> = committed.split('\0').collect();
    // A file that exists in the commit was not renamed.
    let new =
        now.filtered(|published| published.id_is_derived && !committed.contains(published.source));
    if new.is_empty() {
        return Vec::new();
    }
    let gone = committed.into_iter().filter_map(SitePath::parse);
    let gone: HashSet<SitePath> = gone.filter(|path| !path.on_disk(root).exists()).collect();
    if gone.is_empty() {
        return Vec::new();
    }
    let before = addresses_of(options, "HEAD", &gone).unwrap_or_default();
    let mut found: Vec<_> = before.renamed(root, site, &new).into_iter().collect();
    found.sort_by_key(|(renamed, _)| *renamed);
    found.into_iter().map(|(_, warning)| warning).collect()
}
