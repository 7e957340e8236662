//! Deploys to a folder on this machine, such as the document root of a web server. Each file is
//! uploaded under a temporary name, then renamed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use walkdir::WalkDir;

use super::{ProgressCallback, RemoteFile, Target};
use crate::{Fault, LocalFile};
use builder::holds_sources;
use local::store::TEMPORARY;
use source::disk::open_file;
use source::stamp::FileFacts;

pub struct Folder {
    folder: PathBuf,
}

impl Folder {
    /// Opens the folder. Returns an error if the folder contains the site, or the site contains the
    /// folder.
    pub fn new(root: &Path, folder: &str) -> Result<Self, Fault> {
        let folder = root.join(folder);
        if holds_sources(root, &folder) {
            return Err(Fault::permanent(
                format!(
                    "the site cannot be deployed to {}: this folder contains the site's source files",
                    folder.display()
                ),
                "choose a folder outside the site",
            ));
        }
        Ok(Self { folder })
    }

    fn fault(&self, path: &str, error: &io::Error) -> Fault {
        let path = self.folder.join(path);
        let help = match error.kind() {
            ErrorKind::PermissionDenied => {
                "run feedwright as a user with write permission for this folder"
            }
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => {
                "free disk space at the destination, and deploy again; the published files are intact"
            }
            ErrorKind::NotADirectory | ErrorKind::IsADirectory | ErrorKind::AlreadyExists => {
                "move the file or folder at this path away: feedwright did not upload it"
            }
            _ => "fix this error, and deploy again",
        };
        Fault::permanent(format!("{} cannot be written: {error}", path.display()), help)
    }

    /// Writes a file under a temporary name, then renames it.
    fn replace(&self, path: &str, write: impl Fn(&Path) -> io::Result<()>) -> io::Result<PathBuf> {
        let target = self.folder.join(path);
        let mut name = target.file_name().unwrap_or_default().to_owned();
        name.push(TEMPORARY);
        let temporary = target.with_file_name(name);
        if let Some(folder) = target.parent() {
            fs::create_dir_all(folder)?;
        }
        let written = write(&temporary).and_then(|()| fs::rename(&temporary, &target));
        if let Err(error) = written {
            let _ = fs::remove_file(&temporary);
            return Err(error);
        }
        Ok(target)
    }
}

impl Target for Folder {
    fn list(&mut self) -> Result<Vec<RemoteFile>, Fault> {
        let mut files = Vec::new();
        if !self.folder.exists() {
            return Ok(files);
        }
        // Media may be on another disk, behind a symlink. A broken or circular symlink is ignored.
        // An unreadable folder within the destination, such as `lost+found`, is ignored too: if the
        // site needs it, the upload reports the error.
        for entry in WalkDir::new(&self.folder).follow_links(true) {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) if error.loop_ancestor().is_some() || is_missing(&error) => continue,
                Err(error) if error.depth() > 0 && is_denied(&error) => continue,
                Err(error) => {
                    let message = format!("the folder cannot be read: {error}");
                    return Err(Fault::permanent(
                        message,
                        "run feedwright as a user with read permission for this folder",
                    ));
                }
            };
            let path = entry.path().strip_prefix(&self.folder).unwrap_or(entry.path());
            let (true, Some(path)) = (!entry.file_type().is_dir(), path.to_str()) else {
                continue;
            };
            let facts = match entry.metadata() {
                Ok(facts) => facts,
                Err(error) if is_denied(&error) => continue,
                Err(error) => return Err(self.fault(path, &error.into())),
            };
            files.push(RemoteFile {
                path: path.replace('\\', "/"),
                length: facts.len(),
                tag: tag(FileFacts::of(&facts)),
            });
        }
        Ok(files)
    }

    fn read(&mut self, path: &str) -> Result<Option<Vec<u8>>, Fault> {
        let mut bytes = Vec::new();
        let read =
            open_file(&self.folder.join(path)).and_then(|mut file| file.read_to_end(&mut bytes));
        match read.map(|_| bytes) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.fault(path, &error)),
        }
    }

    fn put(
        &mut self,
        files: &[&LocalFile],
        sent: ProgressCallback<'_>,
    ) -> Result<Vec<String>, Fault> {
        // Each copy gets default permissions, because the author's file may be readable only by the
        // author.
        let put = |file: &&LocalFile| {
            let copied = self.replace(&file.path, |temporary| {
                let (mut from, mut to) = (File::open(&file.on_disk)?, File::create(temporary)?);
                io::copy(&mut from, &mut to).map(drop)
            });
            sent(file.length);
            copied
                .and_then(fs::metadata)
                .map(|facts| tag(FileFacts::of(&facts)))
                .map_err(|error| self.fault(&file.path, &error))
        };
        files.par_iter().map(put).collect()
    }

    fn write(&mut self, path: &str, bytes: &[u8]) -> Result<(), Fault> {
        let write = |temporary: &Path| {
            let mut file = private(temporary)?;
            file.write_all(bytes)
        };
        self.replace(path, write).map(drop).map_err(|error| self.fault(path, &error))
    }

    fn delete(&mut self, paths: &[&str]) -> Result<(), Fault> {
        for path in paths {
            let file = self.folder.join(path);
            match fs::remove_file(&file) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(self.fault(path, &error));
                }
                _ => {}
            }
            let folders = file.ancestors().skip(1);
            for folder in folders.take_while(|folder| **folder != self.folder) {
                if fs::remove_dir(folder).is_err() {
                    break;
                }
            }
        }
        Ok(())
    }
}

fn is_missing(error: &walkdir::Error) -> bool {
    kind(error) == Some(ErrorKind::NotFound)
}

fn is_denied(error: &walkdir::Error) -> bool {
    kind(error) == Some(ErrorKind::PermissionDenied)
}

fn kind(error: &walkdir::Error) -> Option<ErrorKind> {
    error.io_error().map(std::io::Error::kind)
}

fn tag(facts: FileFacts) -> String {
    format!("{:016x}", facts.version())
}

/// Creates or truncates a file that only its owner can access.
fn private(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}
