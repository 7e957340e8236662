//! Chooses names for new files.

use std::collections::HashSet;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use unicode_normalization::UnicodeNormalization;

use model::SitePath;

/// Maximum length of a stem in bytes. File systems limit names to 255 bytes, and a number and an
/// extension follow the stem.
const MAX_STEM_LENGTH: usize = 180;

/// Returns an unused path in a folder of the site: `stem.extension`, `stem-2.extension` and so on.
/// A name that differs only in letter case or Unicode form counts as used. Without an extension,
/// the path is for a folder.
///
/// # Errors
///
/// Returns an error if the folder cannot be read. A missing folder counts as empty.
pub fn free_name(
    root: &Path,
    folder: &SitePath,
    stem: &str,
    extension: &str,
) -> io::Result<SitePath> {
    free_name_except(root, folder, (stem, extension), |_| false)
}

/// Returns an unused path like [`free_name`]. Paths for which `is_taken` returns true count as used.
///
/// # Errors
///
/// Returns an error if the folder cannot be read.
pub fn free_name_except(
    root: &Path,
    folder: &SitePath,
    (stem, extension): (&str, &str),
    is_taken: impl Fn(&SitePath) -> bool,
) -> io::Result<SitePath> {
    let taken = names(&folder.on_disk(root))?;
    let stem = portable_stem(stem);
    let dot = if extension.is_empty() { "" } else { "." };
    let names = (1_usize..).map(|number| match number {
        1 => format!("{stem}{dot}{extension}"),
        number => format!("{stem}-{number}{dot}{extension}"),
    });
    let mut free = names.filter(|name| !taken.contains(&normalized(name)));
    let path = free.find_map(|name| match SitePath::parse(&format!("{folder}/{name}")) {
        Some(path) if is_taken(&path) => None,
        path => Some(path),
    });
    path.flatten().ok_or_else(|| ErrorKind::InvalidInput.into())
}

fn names(folder: &Path) -> io::Result<HashSet<String>> {
    match fs::read_dir(folder) {
        Ok(files) => {
            files.map(|file| Ok(normalized(&file?.file_name().to_string_lossy()))).collect()
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(HashSet::new()),
        Err(error) => Err(error),
    }
}

/// Normalizes a name for comparison, as on file systems that ignore letter case and Unicode form.
fn normalized(name: &str) -> String {
    let lower: String = name.nfc().flat_map(char::to_lowercase).collect();
    lower.nfc().collect()
}

/// Replaces characters that some file systems forbid, and shortens the stem to [`MAX_STEM_LENGTH`]
/// bytes.
fn portable_stem(stem: &str) -> String {
    let bad = |c: char| c.is_control() || "/\\:*?\"<>|".contains(c);
    let mut clean: String = stem.nfc().map(|c| if bad(c) { '-' } else { c }).collect();
    while clean.len() > MAX_STEM_LENGTH {
        clean.pop();
    }
    let clean = clean.trim_matches([' ', '.', '-']);
    if clean.is_empty() { "untitled".into() } else { clean.into() }
}
