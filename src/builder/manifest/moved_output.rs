//! Recognizes an output folder outside the site that was moved together with the site.
//!
//! The manifest of such a folder is named after the folder's absolute path. A note, which is named
//! after the folder's path relative to the site's root, records the absolute path. A folder without
//! a manifest takes over the manifest of the path in the note, if the folder contains every file of
//! that manifest, byte for byte. This check ensures that a folder of the author at the new location
//! is not mistaken for the output of a build.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::format::{self, Written};
use super::{Trust, as_path, copy_of, external_name, read, state_path_of};
use crate::out_dir::resolved;
use local::store::put;

/// The location of an output folder outside the site.
#[derive(Debug)]
pub struct Place {
    root: PathBuf,
    /// The folder's absolute path.
    out: String,
    note: PathBuf,
}

impl Place {
    /// Returns the location of an output folder. Returns None if no relative path exists from the
    /// site to the folder, or if the path is not Unicode. Such a folder is identified by its
    /// absolute path alone.
    pub fn of(root: &Path, out: &Path) -> Option<Self> {
        let out = external_name(out);
        let relative_path = relative_path(&resolved(root), &out)?;
        Some(Self {
            root: root.to_path_buf(),
            note: state_path_of(root, &relative_path, "place"),
            out: out.to_str()?.to_owned(),
        })
    }

    /// Writes the note with the folder's current path.
    pub fn note(&self) -> io::Result<()> {
        if read(&self.note).as_deref() == Some(self.out.as_bytes()) {
            return Ok(());
        }
        put(&self.note, self.out.as_bytes())
    }

    /// Takes over the manifest that the folder had at its previous location, and saves it at
    /// `list`. Returns None if there is no such manifest, or if the folder's files differ from the
    /// manifest.
    pub fn take_over_manifest(&self, list: &Path) -> Option<Vec<u8>> {
        let before = fs::read_to_string(&self.note).ok()?;
        if before == self.out {
            return None;
        }
        let old = state_path_of(&self.root, &before, "output");
        let bytes = read(&old)?;
        let written = format::decode(&bytes);
        if written.trust != Some(Trust::Known)
            || !is_complete_output(Path::new(&self.out), &written)
        {
            return None;
        }
        // The manifest is saved immediately, because an interrupted build would otherwise leave
        // files that no manifest lists.
        put(list, &bytes).ok()?;
        put(&copy_of(list), &bytes).ok()?;
        let is_noted = self.note().is_ok();
        if is_noted && matches!(Path::new(&before).try_exists(), Ok(false)) {
            let _ = fs::remove_file(copy_of(&old));
            let _ = fs::remove_file(old);
        }
        Some(bytes)
    }
}

/// Returns the relative path from one folder to another. Both paths are absolute.
fn relative_path(from: &Path, to: &Path) -> Option<String> {
    let common = from.components().zip(to.components());
    let common = common.take_while(|(from, to)| from == to).count();
    // On Windows, no relative path to another drive exists.
    if common == 0 {
        return None;
    }
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    let relative_path: PathBuf = up.chain(to.components().skip(common)).collect();
    Some(relative_path.to_str()?.replace('\\', "/"))
}

/// Returns whether a folder contains every file of a manifest, unchanged. For copies of media
/// files, only the length is compared.
fn is_complete_output(folder: &Path, list: &Written) -> bool {
    list.files.par_iter().all(|line| {
        let file = folder.join(&*as_path(&list.names[line.name.clone()]));
        let is_there = fs::symlink_metadata(&file)
            .is_ok_and(|found| found.is_file() && found.len() == line.record.length);
        let hash = line.record.hash;
        is_there && (hash == 0 || fs::read(&file).is_ok_and(|bytes| xxh3_64(&bytes) == hash))
    })
}
