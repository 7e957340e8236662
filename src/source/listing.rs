//! The files in a folder of the site.

use std::cmp::Ordering;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use walkdir::WalkDir;

use super::disk::{SPECIAL_FILE_MESSAGE, is_special};
use super::text::outside_link_error;
use model::{Diagnostic, SitePath};

/// All files below a folder of the site, in walk order. Hidden files, editors' backups, and
/// symbolic links to files outside the site are left out.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The files, in walk order.
    pub files: Vec<SitePath>,
    /// The problems with the names and symbolic links of the files.
    pub found: Vec<Diagnostic>,
    /// Whether there are symbolic links. With links, one file may have several names.
    pub has_links: bool,
    /// Targets of the symbolic links: files and folders inside the site. A changed target is
    /// detected at its own path, not at the link's path.
    pub linked: Vec<SitePath>,
}

/// The result of listing a folder again.
#[derive(Debug, PartialEq, Eq)]
pub enum ListingChange {
    Same,
    /// Only these files appeared or disappeared.
    Few(Vec<SitePath>),
    Changed,
}

impl ListingChange {
    pub fn of(changed: bool) -> Self {
        if changed { Self::Changed } else { Self::Same }
    }
}

impl Listing {
    /// Walks a folder, such as `content/items`.
    pub fn walk(root: &Path, folder: &str) -> Self {
        let start = root.join(folder);
        if let Some(error) = folder_error(root, folder) {
            return Self { found: vec![error], ..Self::default() };
        }
        if !start.exists() {
            return Self::default();
        }
        let real_root = root.canonicalize().unwrap_or_else(|_| root.to_path_buf());
        let real = start.canonicalize();
        // A parent folder, such as `content`, may be a symbolic link.
        if !real.as_ref().is_ok_and(|real| real.starts_with(&real_root)) {
            return Self {
                found: vec![outside_link_error(folder.to_owned())],
                has_links: true,
                ..Self::default()
            };
        }
        let real = real.ok().filter(|real| *real != real_root.join(folder));
        let mut listing = Self {
            has_links: real.is_some(),
            linked: real.iter().filter_map(|real| SitePath::below(&real_root, real)).collect(),
            ..Self::default()
        };
        listing.walk_from(root, &real_root, &start);
        listing
    }

    /// Updates the listing for files and folders that were touched.
    pub fn update(&mut self, root: &Path, folder: &str, touched: &[SitePath]) -> ListingChange {
        let mut few = Vec::new();
        let again = |listing: &mut Self, few: Vec<SitePath>| {
            if listing.walk_again(root, folder) || !few.is_empty() {
                ListingChange::Changed
            } else {
                ListingChange::Same
            }
        };
        for path in touched {
            let inner = below(path.as_str(), folder);
            if inner.is_some_and(|inner| inner.split('/').any(is_hidden)) {
                continue;
            }
            let all = path.as_str() == folder || below(folder, path.as_str()).is_some();
            if inner.is_some_and(|_| self.is_plain()) {
                match self.update_one(root, path) {
                    Some(different) => few.extend(different),
                    None => return again(self, few),
                }
            } else if all || inner.is_some() {
                return again(self, few);
            }
        }
        if few.is_empty() { ListingChange::Same } else { ListingChange::Few(few) }
    }

    /// Walks the whole folder again. Returns whether anything changed.
    pub fn walk_again(&mut self, root: &Path, folder: &str) -> bool {
        let new = Self::walk(root, folder);
        let changed = *self != new;
        *self = new;
        changed
    }

    pub fn holds(&self, path: &SitePath) -> bool {
        let found = self.files.binary_search_by(|file| in_walk_order(file, path));
        found.is_ok()
    }

    /// Returns whether a subfolder can be walked without the rest of the folder.
    fn is_plain(&self) -> bool {
        self.found.is_empty() && !self.has_links
    }

    /// Updates the listing for one file or folder. Returns the files that appeared or disappeared,
    /// or `None` if the whole folder must be walked again.
    fn update_one(&mut self, root: &Path, path: &SitePath) -> Option<Vec<SitePath>> {
        let mut part = Self::default();
        let on_disk = path.on_disk(root);
        match fs::symlink_metadata(&on_disk) {
            Ok(facts) if facts.is_file() => part.files.push(path.clone()),
            Ok(facts) if facts.is_dir() => {
                let real_root = root.canonicalize().ok()?;
                part.walk_from(root, &real_root, &on_disk);
            }
            Ok(facts) if facts.is_symlink() || is_special(&facts) => return None,
            _ => {}
        }
        if !part.is_plain() {
            return None;
        }
        let start = self.files.partition_point(|file| in_walk_order(file, path) == Ordering::Less);
        let inside = self.files[start..]
            .iter()
            .take_while(|file| *file == path || below(file.as_str(), path.as_str()).is_some());
        let place = start..start + inside.count();
        if self.files[place.clone()] == part.files {
            return Some(Vec::new());
        }
        let new = part.files.clone();
        let gone: Vec<SitePath> = self.files.splice(place, part.files).collect();
        let came = new.iter().filter(|path| !gone.contains(path)).cloned();
        let went = gone.iter().filter(|path| !new.contains(path)).cloned();
        Some(came.chain(went).collect())
    }

    fn walk_from(&mut self, root: &Path, real_root: &Path, start: &Path) {
        let folder = SitePath::below(root, start);
        let is_plain = || start.symlink_metadata().is_ok_and(|facts| facts.is_dir());
        let plain = folder.filter(|_| is_plain());
        if let Some(files) = plain.and_then(|folder| plain_files(root, folder.as_str(), 0)) {
            self.files.extend(files);
            return;
        }
        let mut outside: Vec<PathBuf> = Vec::new();
        let mut has_links = false;
        let mut linked = Vec::new();
        let entries =
            WalkDir::new(start).follow_links(true).sort_by_file_name().into_iter().filter_entry(
                |entry| {
                    if entry.depth() > 0 && is_hidden(&entry.file_name().to_string_lossy()) {
                        return false;
                    }
                    if !entry.path_is_symlink() {
                        return true;
                    }
                    has_links = true;
                    let real = entry.path().canonicalize().ok();
                    let Some(real) = real.filter(|real| real.starts_with(real_root)) else {
                        outside.push(entry.path().to_path_buf());
                        return false;
                    };
                    linked.extend(SitePath::below(real_root, &real));
                    true
                },
            );
        for entry in entries {
            match entry {
                Ok(entry) if entry.file_type().is_file() => {
                    match SitePath::below(root, entry.path()) {
                        Some(path) => self.files.push(path),
                        None => self.found.push(
                            Diagnostic::error("this file's name is not Unicode")
                                .file(path_in_message(root, entry.path()))
                                .help("rename it"),
                        ),
                    }
                }
                Ok(entry) if entry.file_type().is_dir() => {}
                Ok(entry) => self.found.push(special(path_in_message(root, entry.path()))),
                Err(error) => self.found.push(unreadable(root, start, &error)),
            }
        }
        let outside = outside.iter().map(|path| outside_link_error(path_in_message(root, path)));
        self.found.extend(outside);
        self.has_links |= has_links;
        self.linked.extend(linked);
    }
}

/// Number of folder levels that are walked in parallel.
const PARALLEL_LEVELS: usize = 3;

/// Folder depth at which the recursive walk stops. `WalkDir` walks deeper trees instead.
const MAX_RECURSION_DEPTH: usize = 32;

/// Returns the files below a folder, in walk order. Returns `None` if there are links, unusual
/// names or unreadable entries, which need a closer check.
fn plain_files(root: &Path, folder: &str, depth: usize) -> Option<Vec<SitePath>> {
    if depth == MAX_RECURSION_DEPTH {
        return None;
    }
    let mut files: Vec<String> = Vec::new();
    let mut folders: Vec<String> = Vec::new();
    for entry in fs::read_dir(root.join(folder)).ok()? {
        let entry = entry.ok()?;
        let name = entry.file_name();
        let name = name.to_str()?;
        if is_hidden(name) {
            continue;
        }
        let kind = entry.file_type().ok()?;
        let path = || [folder, "/", name].concat();
        if kind.is_symlink() {
            return None;
        } else if kind.is_dir() {
            folders.push(path());
        } else if kind.is_file() {
            files.push(path());
        } else {
            return None;
        }
    }
    files.sort_unstable();
    folders.sort_unstable();
    let files = files.into_iter().map(SitePath::new);
    let mut files: Vec<SitePath> = files.collect::<Option<_>>()?;
    if folders.is_empty() {
        return Some(files);
    }
    let walk = |folder: &String| plain_files(root, folder, depth + 1);
    let inner: Option<Vec<Vec<SitePath>>> = if depth < PARALLEL_LEVELS {
        folders.par_iter().map(walk).collect()
    } else {
        folders.iter().map(walk).collect()
    };
    files.extend(inner?.into_iter().flatten());
    // The files of this folder and the files below it are each sorted already, so a stable sort
    // only merges them.
    files.sort_by(in_walk_order);
    Some(files)
}

/// Returns an error if a content folder, or a folder above it, is a file or cannot be read. Without
/// this error, everything in the folder would vanish from the site. A missing folder counts as
/// empty.
fn folder_error(root: &Path, folder: &str) -> Option<Diagnostic> {
    let ends = folder.match_indices('/').map(|(end, _)| end);
    let mut parts = ends.chain([folder.len()]).map(|end| &folder[..end]);
    parts.find_map(|part| {
        let path = root.join(part);
        let (message, help) = match fs::metadata(&path) {
            Ok(facts) if facts.is_dir() => return None,
            Ok(_) => (
                "this is a file, but must be a folder".to_owned(),
                "move the file elsewhere, and create the folder",
            ),
            Err(_) if path.is_symlink() => {
                ("this symbolic link is broken".to_owned(), "fix or remove it")
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(error) => (format!("this folder cannot be read: {error}"), "check its permissions"),
        };
        Some(Diagnostic::error(message).file(part).help(help))
    })
}

pub(super) fn is_hidden(name: &str) -> bool {
    name.starts_with('.') || name.ends_with('~') || (name.starts_with('#') && name.ends_with('#'))
}

fn unreadable(root: &Path, start: &Path, error: &walkdir::Error) -> Diagnostic {
    let path = error.path().unwrap_or(start);
    let message = match error.loop_ancestor() {
        Some(_) => "this symbolic link points to a folder that contains it".to_owned(),
        None if path.is_symlink() => "this symbolic link is broken".to_owned(),
        None => format!(
            "this path cannot be read: {}",
            error.io_error().map_or_else(|| error.to_string(), ToString::to_string)
        ),
    };
    Diagnostic::error(message).file(path_in_message(root, path)).help("fix or remove it")
}

/// Returns the error for a named pipe, a socket or a device. Reading such a path may never end.
pub(super) fn special(file: String) -> Diagnostic {
    Diagnostic::error(format!("this path cannot be read: {SPECIAL_FILE_MESSAGE}"))
        .file(file)
        .help("remove it, or put a file in its place")
}

fn path_in_message(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned()
}

/// Returns the rest of a path below a folder, or `None` if the path is not below the folder.
pub fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    path.strip_prefix(folder)?.strip_prefix('/')
}

/// Compares two paths in walk order: by the names of folders and files, part by part.
pub fn in_walk_order(a: &SitePath, b: &SitePath) -> Ordering {
    InWalkOrder(a.as_str()).cmp(&InWalkOrder(b.as_str()))
}

/// A path, compared in walk order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InWalkOrder<'p>(pub &'p str);

impl Ord for InWalkOrder<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        let (own, others) = (self.0.as_bytes(), other.0.as_bytes());
        // Most paths have a common prefix, which is compared in pieces of 8 bytes.
        let pieces = own.as_chunks::<8>().0.iter().zip(others.as_chunks::<8>().0);
        let same = 8 * pieces.take_while(|(own, other)| own == other).count();
        // The separator sorts before all other characters.
        let rank = |byte: &u8| if *byte == b'/' { 0 } else { *byte };
        let (own, others) = (own[same..].iter(), others[same..].iter());
        own.map(rank).cmp(others.map(rank))
    }
}

impl PartialOrd for InWalkOrder<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
