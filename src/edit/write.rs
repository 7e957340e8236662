//! Durable writes.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Replaces a file by a temporary one beside it, flushed and renamed; its permissions stay.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(format!(".{}.feedwright-new", std::process::id()));
    let temporary = folder.join(name);
    let written = write_new(&temporary, bytes).and_then(|()| {
        if let Ok(old) = fs::metadata(path) {
            fs::set_permissions(&temporary, old.permissions())?;
        }
        fs::rename(&temporary, path)?;
        sync_folder(folder)
    });
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Writes a file that is not there yet, and the folders above it. One that is there is an error
/// ([`io::ErrorKind::AlreadyExists`]).
pub fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    write_new(path, bytes)
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// A rename lasts through a power cut only when its folder is flushed too.
fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()
    } else {
        Ok(())
    }
}
