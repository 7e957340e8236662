//! Files without an id that were renamed since the last commit, whether a build saw them or not: their ids derive from
//! their paths, and the old ones would be lost as soon as `check --fix` writes down the new ones.

use std::collections::HashSet;

use super::addresses::Addresses;
use super::against::revision::addresses_of;
use super::{Options, Site};
use model::{Diagnostic, SitePath};
use programs::git;

const FOLDERS: [&str; 2] = ["content/items", "content/pages"];

/// Warnings of files that the last commit has under another name. git is asked for names if a file lacks an id, and for
/// texts if one of these is new while another file is gone.
pub fn renamed_since_commit(options: &Options, site: &Site, now: &Addresses) -> Vec<Diagnostic> {
    let root = &options.root;
    let is_derived = now.known().any(|known| known.id_is_derived);
    let Some(committed) = is_derived.then(|| git::names(root, "HEAD", &FOLDERS)).flatten() else {
        return Vec::new();
    };
    let committed: HashSet<&str> = committed.split('\0').collect();
    // A file that was there before is not the one that another became.
    let new = now.only(|known| known.id_is_derived && !committed.contains(known.source));
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
