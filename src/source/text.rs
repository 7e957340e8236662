//! Reading of the site's text files.

use std::io;
use std::path::Path;

use super::disk::{Disk, MAX_TEXT, read_within};
use model::{Diagnostic, SitePath, Source};

/// The help for a text file that is too large.
pub(super) const TOO_LARGE_HELP: &str =
    "split it into several files, or remove data that is not text";

/// Reads a file's text. Returns an error if the text is not UTF-8 or is larger than [`MAX_TEXT`].
pub fn read_text(root: &Path, path: &SitePath) -> Result<String, Diagnostic> {
    let bytes = read_within(&path.on_disk(root), MAX_TEXT).map_err(|error| {
        let (message, help) = match error.kind() {
            io::ErrorKind::FileTooLarge => {
                ("this file is larger than 16 MiB".to_owned(), TOO_LARGE_HELP)
            }
            _ => (
                format!("this file cannot be read: {error}"),
                "check that it exists, and check its permissions",
            ),
        };
        Diagnostic::error(message).file(path.as_str()).help(help)
    })?;
    String::from_utf8(bytes)
        .map_err(|error| not_utf8(path, error.as_bytes(), error.utf8_error().valid_up_to()))
}

/// Reads the text of a file that may be a symbolic link. The link must not point outside the site.
pub(super) fn read_inside(
    disk: &Disk<'_>,
    root: &Path,
    path: &SitePath,
) -> Result<String, Diagnostic> {
    if !disk.is_inside(path) {
        return Err(outside_link_error(path.to_string()));
    }
    read_text(root, path)
}

/// Returns the error for a path that leaves the site through a symbolic link.
pub(super) fn outside_link_error(file: String) -> Diagnostic {
    Diagnostic::error("this symbolic link points outside the site")
        .file(file)
        .help("copy its target into the site, or remove the link")
}

/// Returns the error for a file that is not UTF-8, at the position of the first invalid byte.
pub fn not_utf8(path: &SitePath, bytes: &[u8], valid: usize) -> Diagnostic {
    let (message, help) = match bytes {
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => (
            "this file is UTF-16, but must be UTF-8",
            "save it as UTF-8: in most editors under Save As or Encoding",
        ),
        _ => ("this file is not UTF-8", "save it as UTF-8; the caret shows the first invalid byte"),
    };
    let good = std::str::from_utf8(&bytes[..valid]).unwrap_or_default();
    let (line, column, start) = Source { path, text: good }.locate(good.len());
    let rest = bytes[valid..].split(|byte| *byte == b'\n').next();
    let rest = String::from_utf8_lossy(rest.unwrap_or_default());
    Diagnostic::error(message)
        .file(path.as_str())
        .position(line, column, format!("{start}{}", rest.trim_end_matches('\r')))
        .help(help)
}
