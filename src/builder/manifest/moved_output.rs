//! Knows an output folder outside the site again that moved together with the site.
//!
//! The list of such a folder is named by the folder's absolute path. A note, named by its path from the site's root,
//! says which that was. Where a folder has no list, the list that the note leads to becomes its own if every file
//! of that list is there, byte for byte: so a folder of the author's at that place is never taken for the build's.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::format::{self, Written};
use super::{Trust, as_path, copy_of, name_outside, read, state_of};
use crate::out_dir::real;
use local::store::put;

/// The place of an output folder outside the site.
#[derive(Debug)]
pub struct Place {
    root: PathBuf,
    /// Its absolute path.
    out: String,
    note: PathBuf,
}

impl Place {
    /// None where no path leads from the site to the folder, or it is not Unicode: then it is known by its
    /// absolute path alone.
    pub fn of(root: &Path, out: &Path) -> Option<Self> {
        let out = name_outside(out);
        let way = way(&real(root), &out)?;
        Some(Self {
            root: root.to_path_buf(),
            note: state_of(root, &way, "place"),
            out: out.to_str()?.to_owned(),
        })
    }

    /// Notes where the folder is now.
    pub fn note(&self) -> io::Result<()> {
        if read(&self.note).as_deref() == Some(self.out.as_bytes()) {
            return Ok(());
        }
        put(&self.note, self.out.as_bytes())
    }

    /// The list that the folder had where it was before, kept as its own in `list`. None if its files are not as
    /// that list says.
    pub fn take_list(&self, list: &Path) -> Option<Vec<u8>> {
        let before = fs::read_to_string(&self.note).ok()?;
        if before == self.out {
            return None;
        }
        let old = state_of(&self.root, &before, "output");
        let bytes = read(&old)?;
        let written = format::decode(&bytes);
        if written.trust != Some(Trust::Known) || !holds_all(Path::new(&self.out), &written) {
            return None;
        }
        // Until it is kept, an interrupted build would leave files that no list names.
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

/// The path from a folder to another, both absolute.
fn way(from: &Path, to: &Path) -> Option<String> {
    let common = from.components().zip(to.components());
    let common = common.take_while(|(from, to)| from == to).count();
    // On Windows no path leads to another drive.
    if common == 0 {
        return None;
    }
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    let way: PathBuf = up.chain(to.components().skip(common)).collect();
    Some(way.to_str()?.replace('\\', "/"))
}

/// Whether a folder holds every file of a list as it was written. Of copies of media only the length is known.
fn holds_all(folder: &Path, list: &Written) -> bool {
    list.files.par_iter().all(|line| {
        let file = folder.join(&*as_path(&list.names[line.name.clone()]));
        let is_there = fs::symlink_metadata(&file)
            .is_ok_and(|found| found.is_file() && found.len() == line.record.length);
        let hash = line.record.hash;
        is_there && (hash == 0 || fs::read(&file).is_ok_and(|bytes| xxh3_64(&bytes) == hash))
    })
}
