//! Files that loads read and exports write, and their addresses: `gs://<bucket>/<object>` is
//! `exports/<bucket>/<object>` in the folder of the warehouse.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use walkdir::WalkDir;

use super::error::Fault;
use super::store::Store;

/// Most files that one address can mean.
const MOST_FILES: usize = 10_000;

/// The folder of the files that jobs read and write.
#[derive(Debug, Clone)]
pub struct Files {
    folder: PathBuf,
}

/// The address of a file, or of several where it has a `*`, which stands for any text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    bucket: String,
    object: String,
}

impl Address {
    /// Reads an address, `gs://<bucket>/<object>`. Its parts name no folder above and nothing hidden, and
    /// at most one `*` stands in the object.
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let wrong = |message: &str| {
            Fault::invalid(format!(
                "{text:?} is no address of a file: {message}; one is gs://<bucket>/<object>"
            ))
        };
        let path = text.strip_prefix("gs://").ok_or_else(|| wrong("it begins with gs://"))?;
        let (bucket, object) =
            path.split_once('/').ok_or_else(|| wrong("it names a bucket and an object"))?;
        if !path.split('/').all(is_part) {
            return Err(wrong(
                "no part of it is empty, begins with a dot, or has a backslash, a colon or a control character",
            ));
        }
        if bucket.contains('*') || object.matches('*').count() > 1 {
            return Err(wrong("one * may stand in the object"));
        }
        Ok(Self { bucket: bucket.to_owned(), object: object.to_owned() })
    }

    /// Whether it stands for any number of files.
    pub fn is_pattern(&self) -> bool {
        self.object.contains('*')
    }

    /// The address of one of the files that it stands for.
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

/// A part of a path that leads one step down, to nothing hidden, on every system.
fn is_part(part: &str) -> bool {
    let is_allowed = |c: char| !c.is_control() && c != '\\' && c != ':';
    !part.is_empty() && part.len() <= 255 && !part.starts_with('.') && part.chars().all(is_allowed)
}

impl Files {
    /// The files of a warehouse.
    pub fn of(store: &Store) -> Self {
        Self { folder: store.folder().join("exports") }
    }

    /// The files that an address stands for, by name. Err where there is none.
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
                "there is no file {address}: it would lie in {}",
                self.place(address)
            ))
            .at(address.to_string()))
        } else {
            Ok(found)
        }
    }

    /// Where a file is to be written. Makes the folders above it. Err where they lead outside.
    pub fn target(&self, address: &Address) -> Result<PathBuf, Fault> {
        let path = self.path(address);
        let parent = path.parent().unwrap_or(&self.folder);
        // Before a folder is made: the nearest one that is there decides where it would be.
        let nearest = parent.ancestors().find(|folder| folder.exists());
        fs::create_dir_all(&self.folder).map_err(Fault::internal)?;
        if nearest
            .is_some_and(|nearest| nearest.starts_with(&self.folder) && !self.is_inside(nearest))
        {
            return Err(outside(address));
        }
        fs::create_dir_all(parent).map_err(|error| {
            Fault::invalid(format!("{address} cannot be written: {error}")).at(address.to_string())
        })?;
        if path.is_dir() {
            return Err(Fault::invalid(format!("{address} is a folder")).at(address.to_string()));
        }
        if self.is_inside(parent) { Ok(path) } else { Err(outside(address)) }
    }

    fn path(&self, address: &Address) -> PathBuf {
        self.folder.join(&address.bucket).join(&address.object)
    }

    /// Where a person looks for the file. The end of the path is enough, and tells nothing of the machine.
    fn place(&self, address: &Address) -> String {
        let parts: Vec<_> = self.folder.iter().collect();
        let end: PathBuf = parts[parts.len().saturating_sub(3)..].iter().collect();
        format!("{}/{}/{}", end.display(), address.bucket, address.object)
    }

    /// Whether what is there lies in the folder once every link is followed.
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
            if found.len() == MOST_FILES {
                return Err(Fault::invalid(format!(
                    "{address} stands for more than {MOST_FILES} files"
                )));
            }
            let one = Address { bucket: address.bucket.clone(), object };
            found.push((one, entry.into_path()));
        }
        Ok(found)
    }
}

/// The name of the object at a path below its bucket.
fn object_of(bucket: &Path, path: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> =
        path.strip_prefix(bucket).ok()?.iter().map(|part| part.to_str()).collect();
    Some(parts?.join("/"))
}

fn outside(address: &Address) -> Fault {
    Fault::invalid(format!("{address} lies behind a link that leads out of the folder of exports"))
        .at(address.to_string())
}
