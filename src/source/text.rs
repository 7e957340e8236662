//! The texts of the site's files.

use std::io;
use std::path::Path;

use super::disk::{Disk, MAX_TEXT, read_within};
use model::{Diagnostic, SitePath, Source};

/// What to do about a text that is too large.
pub(super) const SHORTEN: &str = "split it into several, or leave out what is not text";

/// A file's text, which has to be UTF-8 and [`MAX_TEXT`] at most.
pub fn read_text(root: &Path, path: &SitePath) -> Result<String, Diagnostic> {
    let bytes = read_within(&path.on_disk(root), MAX_TEXT).map_err(|error| {
        let (message, help) = match error.kind() {
            io::ErrorKind::FileTooLarge => ("this file is larger than 16 MiB".to_owned(), SHORTEN),
            _ => (
                format!("this file cannot be read: {error}"),
                "check that it exists and its permissions",
            ),
        };
        Diagnostic::error(message).file(path.as_str()).help(help)
    })?;
    String::from_utf8(bytes)
        .map_err(|error| not_utf8(path, error.as_bytes(), error.utf8_error().valid_up_to()))
}

/// The text of a file that may be a link, which may not lead out of the site.
pub(super) fn read_inside(
    disk: &Disk<'_>,
    root: &Path,
    path: &SitePath,
) -> Result<String, Diagnostic> {
    if !disk.is_inside(path) {
        return Err(leads_out(path.to_string()));
    }
    read_text(root, path)
}

/// The error of a link, or of a folder behind one.
pub(super) fn leads_out(file: String) -> Diagnostic {
    Diagnostic::error("this symbolic link leads out of the site")
        .file(file)
        .help("copy what it leads to into the site, or remove the link")
}

/// The error of a file that is not UTF-8: where the first wrong byte is.
pub fn not_utf8(path: &SitePath, bytes: &[u8], valid: usize) -> Diagnostic {
    let (message, help) = match bytes {
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => (
            "this file is UTF-16, and has to be UTF-8",
            "save it as UTF-8: editors have it under Save As or Encoding",
        ),
        _ => (
            "this file is not UTF-8",
            "save it as UTF-8; the caret shows where the first byte that is not stands",
        ),
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
