//! The output folder. A file with its final name is always complete, even if the build is
//! interrupted or the disk is full.
//!
//! In an existing folder, each file is first written under a temporary name. A new folder is built
//! under a temporary name and renamed at the end, with one rename for all its files.

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use local::store::TEMPORARY;
use source::stamp::FileFacts;

thread_local! {
    /// The folder of the file that this thread wrote last.
    static LAST_FOLDER: RefCell<PathBuf> = RefCell::default();
}

/// The folder that a build writes into. If the folder is new and this value is dropped before
/// [`finish`](Self::finish), the folder is removed.
pub struct OutputFolder {
    out: PathBuf,
    /// The temporary folder, if the output folder does not exist yet.
    new: Option<PathBuf>,
}

impl OutputFolder {
    /// Opens an output folder, and removes the temporary folder of an interrupted build.
    pub fn open(out: &Path) -> io::Result<Self> {
        let new = temporary_folder(out);
        if new.symlink_metadata().is_ok() {
            fs::remove_dir_all(&new)?;
        }
        let is_there = out.is_dir();
        if !is_there {
            fs::create_dir_all(&new)?;
        }
        Ok(Self { out: out.to_path_buf(), new: (!is_there).then_some(new) })
    }

    /// Returns whether the output folder does not exist yet.
    pub fn is_new(&self) -> bool {
        self.new.is_some()
    }

    /// Writes a file, replacing an existing one, and returns its [version](FileFacts::version).
    pub fn put_bytes(&self, file: &str, bytes: &[u8]) -> io::Result<u64> {
        match &self.new {
            Some(new) => {
                let path = new.join(file);
                // Creating the folder first avoids a failed attempt to write. Documents of the same
                // folder are usually written in sequence.
                if let Some(folder) = path.parent() {
                    LAST_FOLDER.with_borrow_mut(|last| {
                        if last != folder {
                            let _ = fs::create_dir(folder);
                            folder.clone_into(last);
                        }
                    });
                }
                version(&with_folder(&path, || write(&path, bytes))?)
            }
            // Renaming a file changes its version, so the version is read after the rename.
            None => version(&replace(&self.out.join(file), |temporary| write(temporary, bytes))?),
        }
    }

    /// Returns the current path of a file. Until [`finish`](Self::finish), the files of a new
    /// folder are in the temporary folder.
    pub fn path(&self, file: &str) -> PathBuf {
        self.new.as_ref().unwrap_or(&self.out).join(file)
    }

    /// Writes a file with `write`, replacing an existing one.
    pub fn put_with(
        &self,
        file: &str,
        write: impl Fn(&Path) -> io::Result<()>,
    ) -> io::Result<FileFacts> {
        let path = self.path(file);
        if self.is_new() {
            with_folder(&path, || write(&path))?;
        } else {
            replace(&path, write)?;
        }
        Ok(FileFacts::of(&fs::symlink_metadata(&path)?))
    }

    /// Renames a new folder to its final name.
    pub fn finish(mut self) -> io::Result<()> {
        let Some(new) = &self.new else { return Ok(()) };
        fs::rename(new, &self.out)?;
        self.new = None;
        Ok(())
    }
}

impl Drop for OutputFolder {
    fn drop(&mut self) {
        if let Some(new) = &self.new {
            let _ = fs::remove_dir_all(new);
        }
    }
}

/// Returns the temporary name of a new folder. The name is hidden, so that it is not mistaken for a
/// folder of the site.
fn temporary_folder(out: &Path) -> PathBuf {
    let name = out.file_name().unwrap_or_default().to_string_lossy();
    out.with_file_name(format!(".{name}{TEMPORARY}"))
}

/// Returns the temporary name of a file.
pub fn temporary(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(TEMPORARY);
    path.with_file_name(name)
}

/// Writes a file and returns it open.
fn write(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    Ok(file)
}

fn version(file: &File) -> io::Result<u64> {
    Ok(FileFacts::of(&file.metadata()?).version())
}

fn replace<T>(path: &Path, write: impl Fn(&Path) -> io::Result<T>) -> io::Result<T> {
    let temporary = temporary(path);
    let written = with_folder(path, || write(&temporary))
        .and_then(|value| fs::rename(&temporary, path).map(|()| value));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Tries to write. If the folder is missing, creates it and tries again.
fn with_folder<T>(path: &Path, write: impl Fn() -> io::Result<T>) -> io::Result<T> {
    match write() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            write()
        }
        result => result,
    }
}
