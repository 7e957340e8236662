//! Selects the files of a site to watch.

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::hash::Hasher;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use notify::RecursiveMode;
use walkdir::WalkDir;
use xxhash_rust::xxh3::Xxh3Default;

use crate::live::Live;
use crate::site_reader::FOLDERS;
use model::SitePath;

/// Folders in the root that are never part of a site.
const IGNORED_FOLDERS: [&str; 3] = ["target", "public", "node_modules"];

/// The folders to watch. Each folder has an identity, so that a replaced folder with the same name
/// is recognized as new.
#[derive(Debug, PartialEq, Eq)]
pub struct WatchedFolders(BTreeMap<PathBuf, (Depth, Identity)>);

type Identity = (u64, Option<SystemTime>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// Only the files directly in the folder.
    One,
    /// Everything below the folder.
    All,
}

impl WatchedFolders {
    /// Returns the existing folders of the site, and the folders of files outside them that content
    /// refers to.
    pub fn of(live: &Live) -> Self {
        let root = live.root();
        let mut folders: BTreeMap<PathBuf, Depth> = BTreeMap::new();
        folders.insert(root.to_path_buf(), Depth::One);
        for top_folder in FOLDERS {
            folders.insert(root.join(top_folder), Depth::All);
        }
        let now = live.now();
        for linked in &now.linked {
            let folder = linked.on_disk(root);
            if folder.is_dir() {
                folders.insert(folder, Depth::All);
            }
        }
        for file in now.outside_files.iter().chain(&now.linked) {
            // If the file is missing, its folder may be missing too.
            let folder = file.on_disk(root);
            if let Some(folder) = folder.ancestors().skip(1).find(|folder| folder.is_dir()) {
                folders.entry(folder.to_path_buf()).or_insert(Depth::One);
            }
        }
        let there = folders.into_iter().filter_map(|(folder, depth)| {
            let facts = folder.metadata().ok().filter(Metadata::is_dir)?;
            Some((folder, (depth, identity(&facts))))
        });
        Self(there.collect())
    }

    /// Removes the folders for which `keep` returns false. `keep` receives each folder and its
    /// watch mode.
    pub fn retain(&mut self, mut keep: impl FnMut(&Path, RecursiveMode) -> bool) {
        self.0.retain(|folder, (depth, _)| {
            let mode = match depth {
                Depth::One => RecursiveMode::NonRecursive,
                Depth::All => RecursiveMode::Recursive,
            };
            keep(folder, mode)
        });
    }
}

fn identity(facts: &Metadata) -> Identity {
    #[cfg(unix)]
    let number = std::os::unix::fs::MetadataExt::ino(facts);
    #[cfg(not(unix))]
    let number = 0;
    (number, facts.created().ok())
}

fn top_folder(path: &SitePath) -> &str {
    path.as_str().split('/').next().unwrap_or_default()
}

/// Whether a path is one of the folders that contain the site's files.
pub fn is_top(path: &SitePath) -> bool {
    FOLDERS.contains(&path.as_str())
}

/// Returns the site's root as given, and its canonical path.
pub fn roots(root: &Path) -> Vec<PathBuf> {
    let real = root.canonicalize().ok();
    [Some(root.to_path_buf()), real].into_iter().flatten().collect()
}

/// Returns the path relative to the site's root. Returns `None` for files that are not part of a
/// site: other programs' folders, hidden files, and temporary files of editors.
pub fn site_path(roots: &[PathBuf], path: &Path) -> Option<SitePath> {
    let path = roots.iter().find_map(|root| SitePath::below(root, path))?;
    let is_part = !IGNORED_FOLDERS.contains(&top_folder(&path))
        && !path.as_str().split('/').any(is_temporary);
    is_part.then_some(path)
}

/// Whether a name is hidden, or belongs to a temporary file that an editor writes while it saves.
fn is_temporary(name: &str) -> bool {
    const TEMPORARY_ENDINGS: [&str; 7] =
        ["~", ".swp", ".swx", ".tmp", ".crswap", "___jb_tmp___", "___jb_old___"];
    // vim creates a file with this name to test whether it can write.
    name == "4913"
        || name.starts_with('.')
        || (name.starts_with('#') && name.ends_with('#'))
        || TEMPORARY_ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Returns a hash of the sizes and modification times of all files of a site.
pub fn fingerprint(live: &Live) -> u64 {
    let root = live.root();
    let mut hash = Xxh3Default::new();
    let mut look = |path: &Path, facts: Option<Metadata>| {
        let modified = facts.as_ref().and_then(|facts| facts.modified().ok());
        let modified = modified.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
        hash.update(path.as_os_str().as_encoded_bytes());
        hash.write_u64(facts.map_or(0, |facts| facts.len()));
        hash.write_u128(modified.map_or(0, |time| time.as_nanos()));
    };
    let config = root.join("site.toml");
    look(&config, config.metadata().ok());
    for file in &live.now().outside_files {
        let file = file.on_disk(root);
        look(&file, file.metadata().ok());
    }
    for top_folder in FOLDERS {
        let entries = WalkDir::new(root.join(top_folder)).follow_links(true).sort_by_file_name();
        let kept = entries
            .into_iter()
            .filter_entry(|entry| !is_temporary(&entry.file_name().to_string_lossy()));
        for entry in kept.flatten() {
            look(entry.path(), entry.metadata().ok());
        }
    }
    hash.digest()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_files_of_editors_are_ignored() {
        let roots = [PathBuf::from("/site")];
        let known = |path: &str| site_path(&roots, &Path::new("/site").join(path)).is_some();
        for path in [
            "site.toml", "content/items/a.md", "content/items/a/sound.mp3",
            "content/4913/index.md.html", "themes/own/theme.json", "art/cover.png",
        ] {
            assert!(known(path) != path.contains("4913"), "{path}");
        }
        for path in [
            "content/items/.a.md.swp", "content/items/a.md~", "content/items/#a.md#",
            "content/items/.#a.md", "content/items/4913", "content/items/a.md.tmp",
            "content/items/a.md___jb_tmp___", "content/.a.md.feedwright-new", ".git/index",
            ".feedwright/state", "public/index.html", "target/debug/x", "node_modules/x/y",
        ] {
            assert!(!known(path), "{path}");
        }
        assert_eq!(site_path(&roots, Path::new("/other/a.md")), None);
        assert_eq!(site_path(&roots, Path::new("/site")), None);
    }
}
