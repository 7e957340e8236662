//! Copies files from an imported folder, and resolves links between imported entries.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::found::{FINAL_PREFIX, Found, Note, TEXT_PREFIX, note, to_text};
use super::media::PARTS;
use super::naming::{below, relative};
use local::make_folders;
use model::SitePath;
use model::url::encode_path;

/// Copies files to a folder of the site. Existing files stay unchanged. Returns the number of
/// copied files.
pub fn copy(
    files: &BTreeMap<String, PathBuf>,
    folder: &str,
    root: &Path,
    place: &str,
    notes: &mut Vec<Note>,
) -> usize {
    let mut copied = 0;
    for (name, from) in files {
        let path = SitePath::parse(&format!("{folder}/{name}"));
        let result = match &path {
            Some(path) => put(from, &path.on_disk(root), root),
            None => Err(ErrorKind::InvalidInput.into()),
        };
        match result {
            Ok(()) => copied += 1,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                let is_same = path
                    .is_some_and(|path| has_same_bytes(from, &path.on_disk(root)).unwrap_or(false));
                if !is_same {
                    let message = format!(
                        "{folder}/{name} already exists with different content; it was not overwritten"
                    );
                    note(notes, message, place);
                }
            }
            Err(error) => note(notes, format!("{name} was not copied: {error}"), place),
        }
    }
    copied
}

/// Copies a file to a temporary file, then renames it, so that no reader sees an incomplete file.
fn put(from: &Path, to: &Path, root: &Path) -> io::Result<()> {
    if to.symlink_metadata().is_ok() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    let parts = root.join(PARTS);
    make_folders(&parts)?;
    let part = tempfile_name(&parts, to);
    let _ = fs::remove_file(&part);
    let result = fs::copy(from, &part).and_then(|_| {
        File::open(&part)?.sync_all()?;
        to.parent().map_or(Ok(()), fs::create_dir_all)?;
        edit::rename(&part, to)
    });
    if result.is_err() {
        let _ = fs::remove_file(&part);
    }
    result
}

fn tempfile_name(parts: &Path, to: &Path) -> PathBuf {
    let name = to.to_string_lossy();
    parts.join(format!("copy-{:016x}", xxhash_rust::xxh3::xxh3_64(name.as_bytes())))
}

fn has_same_bytes(one: &Path, other: &Path) -> io::Result<bool> {
    let (mut one, mut other) = (File::open(one)?, File::open(other)?);
    if one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    let (mut first, mut second) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    loop {
        let length = one.read(&mut first)?;
        if length == 0 {
            return Ok(true);
        }
        other.read_exact(&mut second[..length])?;
        if first[..length] != second[..length] {
            return Ok(false);
        }
    }
}

/// Returns the former location of each entry: a path of this site, or an address on another site.
/// Links to entries that this run does not write point to these locations.
pub fn former_targets(found: &Found, base_url: &str) -> HashMap<String, String> {
    let entries = found.items.iter().chain(&found.pages);
    let known = entries.filter_map(|entry| {
        let alias = || entry.aliases().next().map(str::to_owned);
        let address = entry.address.as_ref();
        let was = address.map(|url| below(url, base_url).unwrap_or_else(|| url.to_string()));
        let was = was.or_else(alias)?;
        Some([&entry.place, &entry.identity].map(|name| (to_text(name), was.clone())))
    });
    known.flatten().collect()
}

/// Replaces the placeholders of links in a body. Each link then points to the file of its target,
/// or to the target's former location.
pub fn resolve_links(text: &str, own: &str, targets: &HashMap<String, String>) -> String {
    let text =
        if text.contains(FINAL_PREFIX) { text.replace(FINAL_PREFIX, "") } else { text.to_owned() };
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find(TEXT_PREFIX) {
        out += &rest[..at];
        let is_part =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, '%' | '/' | '.' | '-' | '_');
        let end = rest[at + TEXT_PREFIX.len()..]
            .find(|c| !is_part(c))
            .map_or(rest.len(), |end| at + TEXT_PREFIX.len() + end);
        let target = targets.get(&rest[at..end]);
        out += &match target {
            None => "/".to_owned(),
            Some(target) if target.starts_with('/') || target.contains("://") => target.clone(),
            Some(target) => encode_path(&relative(own, target)),
        };
        rest = &rest[end..];
    }
    out + rest
}
