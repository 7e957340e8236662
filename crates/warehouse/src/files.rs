//! Finds the files for loads and exports. The address `gs://<bucket>/<object>` refers to the file
//! `exports/<bucket>/<object>` in the warehouse's folder.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::error::Fault;
use super::store::Store;

/// Maximum number of files that one address can match.
const MAX_FILES: usize = 10_000;

/// The folder of files that jobs read and write.
#[derive(Debug, Clone)]
pub struct Files {
    folder: PathBuf,
}

/// The address of a file. If the address contains a `*`, which matches any text, it can match
/// several files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    bucket: String,
    object: String,
}

impl Address {
    /// Parses an address `gs://<bucket>/<object>`. Parts such as `..` and hidden names are
    /// rejected, and only the object can contain a `*`, at most once.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let wrong = |message: &str| {
            Fault::invalid(format!(
                "invalid file address {text:?}: {message}; write gs://<bucket>/<object>"
            ))
        };
        let path = text.strip_prefix("gs://").ok_or_else(|| wrong("it must begin with gs://"))?;
        let (bucket, object) =
            path.split_once('/').ok_or_else(|| wrong("it must contain a bucket and an object"))?;
        if !path.split('/').all(is_part) {
            return Err(wrong(
                "a part is empty, begins with a dot, or contains a backslash, a colon or a control character",
            ));
        }
        if bucket.contains('*') || object.matches('*').count() > 1 {
            return Err(wrong("only one * is allowed, and only in the object"));
        }
        Ok(Self { bucket: bucket.to_owned(), object: object.to_owned() })
    }

    /// Returns whether the address can match several files.
    pub fn is_pattern(&self) -> bool {
        self.object.contains('*')
    }

    /// Returns the address with its `*` replaced by a number.
    #[must_use]
    pub fn numbered(&self, number: u64) -> Self {
        Self {
            bucket: self.bucket.clone(),
            object: self.object.replace('*', &format!("{number:012}")),
        }
    }

    fn matches(&self, object: &str) -> bool {
        match self.object.split_once('*') {
            None => self.object == object,
            Some((start, end)) => {
                object.strip_prefix(start).is_some_and(|rest| rest.ends_with(end))
            }
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "gs://{}/{}", self.bucket, self.object)
    }
}

/// Returns whether a part of a path is a valid folder or file name on every operating system, and
/// is not hidden.
fn is_part(part: &str) -> bool {
    let is_allowed = |c: char| !c.is_control() && c != '\\' && c != ':';
    !part.is_empty() && part.len() <= 255 && !part.starts_with('.') && part.chars().all(is_allowed)
}

impl Files {
    /// Returns the `exports` folder of a warehouse.
    pub fn of(store: &Store) -> Self {
        Self { folder: store.folder().join("exports") }
    }

    /// Returns the files that match an address, sorted by name, or an error if there are none.
    pub fn find(&self, address: &Address) -> Result<Vec<(Address, PathBuf)>, Fault> {
        let found = if address.is_pattern() {
            self.matching(address)?
        } else {
            let path = self.path(address);
            if self.is_inside(&path) && path.is_file() {
                vec![(address.clone(), path)]
            } else {
                Vec::new()
            }
        };
        if found.is_empty() {
            Err(Fault::not_found(format!(
                "file not found: {address}; its path is {}",
                self.place(address)
            ))
            .at(address.to_string()))
        } else {
            Ok(found)
        }
    }

    /// Returns the path of a file to write, and creates its parent folders. Returns an error if a
    /// symlink in the path points outside the exports folder.
    pub fn target(&self, address: &Address) -> Result<PathBuf, Fault> {
        let path = self.path(address);
        let parent = path.parent().unwrap_or(&self.folder);
        // Checks the nearest existing folder first, so that no folder is created outside the
        // exports folder.
        let nearest = parent.ancestors().find(|folder| folder.exists());
        fs::create_dir_all(&self.folder).map_err(Fault::internal)?;
        if nearest
            .is_some_and(|nearest| nearest.starts_with(&self.folder) && !self.is_inside(nearest))
        {
            return Err(outside_fault(address));
        }
        fs::create_dir_all(parent).map_err(|error| {
            Fault::invalid(format!("{address} cannot be written: {error}")).at(address.to_string())
        })?;
        if path.is_dir() {
            return Err(Fault::invalid(format!("{address} is a folder, not a file"))
                .at(address.to_string()));
        }
        if self.is_inside(parent) { Ok(path) } else { Err(outside_fault(address)) }
    }

    fn path(&self, address: &Address) -> PathBuf {
        self.folder.join(&address.bucket).join(&address.object)
    }

    /// Returns the path of a file for error messages. Shows only the end of the path, to reveal
    /// nothing about the machine.
    fn place(&self, address: &Address) -> String {
        let parts: Vec<_> = self.folder.iter().collect();
        let end: PathBuf = parts[parts.len().saturating_sub(3)..].iter().collect();
        format!("{}/{}/{}", end.display(), address.bucket, address.object)
    }

    /// Returns whether the path is inside the exports folder after resolving symlinks.
    fn is_inside(&self, path: &Path) -> bool {
        match (self.folder.canonicalize(), path.canonicalize()) {
            (Ok(folder), Ok(path)) => path.starts_with(folder),
            _ => false,
        }
    }

    fn matching(&self, address: &Address) -> Result<Vec<(Address, PathBuf)>, Fault> {
        let bucket = self.folder.join(&address.bucket);
        if !self.is_inside(&bucket) {
            return Ok(Vec::new());
        }
        let is_shown = |entry: &walkdir::DirEntry| {
            entry.depth() == 0 || entry.file_name().to_str().is_some_and(is_part)
        };
        let mut found = Vec::new();
        let walk = WalkDir::new(&bucket).sort_by_file_name();
        for entry in walk.into_iter().filter_entry(is_shown).flatten() {
            let Some(object) = object_of(&bucket, entry.path()) else {
                continue;
            };
            if !address.matches(&object) || !entry.path().is_file() || !self.is_inside(entry.path())
            {
                continue;
            }
            if found.len() == MAX_FILES {
                return Err(Fault::invalid(format!(
                    "{address} matches more than {MAX_FILES} files"
                )));
            }
            let one = Address { bucket: address.bucket.clone(), object };
            found.push((one, entry.into_path()));
        }
        Ok(found)
    }
}

/// Returns the object part of the address for a path in the bucket's folder.
fn object_of(bucket: &Path, path: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> =
        path.strip_prefix(bucket).ok()?.iter().map(|part| part.to_str()).collect();
    Some(parts?.join("/"))
}

fn outside_fault(address: &Address) -> Fault {
    Fault::invalid(format!("{address} is behind a link that points outside the exports folder"))
        .at(address.to_string())
}
