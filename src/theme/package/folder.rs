//! Reads the files of a package from a folder.

use std::io::ErrorKind;
use std::path::Path;

use walkdir::WalkDir;

use super::Files;
use crate::MAX_ASSETS_TOTAL;
use model::Diagnostic;
use source::disk::{SPECIAL_FILE_MESSAGE, read_within};

/// Maximum number of bytes read from a package. It exceeds the limits, so that oversized files can
/// be reported.
const MAX_PACKAGE_SIZE: u64 = 2 * MAX_ASSETS_TOTAL as u64;

/// Reads the files of a package, and reports unreadable files. `label` is the folder's name in
/// messages.
pub(super) fn read_folder(
    folder: &Path,
    label: &str,
) -> Result<(Files, Vec<Diagnostic>), Vec<Diagnostic>> {
    if folder.is_symlink() {
        return Err(vec![
            Diagnostic::error("a theme cannot be a symbolic link")
                .file(label)
                .help("copy the folder it points to into the site"),
        ]);
    }
    let mut files = Files::new();
    let mut found = Vec::new();
    let mut room = MAX_PACKAGE_SIZE;
    let entries = WalkDir::new(folder).sort_by_file_name().into_iter().filter_entry(|entry| {
        let name = entry.file_name().to_string_lossy();
        entry.depth() == 0 || !(name.starts_with('.') || name == "node_modules")
    });
    for entry in entries {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                found.push(
                    Diagnostic::error(format!("this theme cannot be read: {error}"))
                        .file(label)
                        .help("check its files' permissions"),
                );
                continue;
            }
        };
        let name = entry
            .path()
            .strip_prefix(folder)
            .unwrap_or(entry.path())
            .to_string_lossy()
            .replace('\\', "/");
        let file = format!("{label}/{name}");
        let kind = entry.file_type();
        if !(kind.is_file() || kind.is_dir() || kind.is_symlink()) {
            found.push(
                Diagnostic::error(format!("this path cannot be read: {SPECIAL_FILE_MESSAGE}"))
                    .file(file)
                    .help("remove it, or replace it with a file"),
            );
        } else if entry.path_is_symlink() {
            found.push(
                Diagnostic::error("a theme cannot contain symbolic links")
                    .file(file)
                    .help("copy the file or folder it points to into the package"),
            );
        } else if kind.is_file() {
            match read_within(entry.path(), room) {
                Ok(bytes) => {
                    room -= bytes.len() as u64;
                    files.insert(name, bytes);
                }
                Err(error) if error.kind() == ErrorKind::FileTooLarge => {
                    let message =
                        format!("this file makes the theme larger than {MAX_PACKAGE_SIZE} bytes");
                    let help = "compress it, or remove it";
                    found.push(Diagnostic::error(message).file(file).help(help));
                }
                Err(error) => found.push(
                    Diagnostic::error(format!("this file cannot be read: {error}")).file(file),
                ),
            }
        }
    }
    Ok((files, found))
}
