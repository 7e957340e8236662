//! Compressed copies of text files in the output folder, for servers that send precompressed files:
//! `[output] precompress`.
//!
//! A copy has no route. Its record contains a fingerprint of the original file, so the copy is
//! written again when that file changes.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::hash::Hash;
use std::io::{self, Read, Write};
use std::path::Path;

use flate2::read::GzDecoder;
use flate2::{Compression, GzBuilder};
use rayon::prelude::*;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

use super::{OutputWriter, RouteState, cannot_write};
use crate::manifest::{FileRecord, Manifest};
use crate::output_folder::OutputFolder;
use model::Diagnostic;
use render::Routes;
use render::hosting::{GZIP_EXTENSION, is_text};

/// Minimum size of a file to compress, in bytes. A smaller file fits into one network packet
/// uncompressed.
const MIN_LENGTH: u64 = 1024;

/// The compressed copies in an output folder.
pub struct Copies {
    /// Whether `[output] precompress` is enabled.
    is_enabled: bool,
    /// Copies that an earlier build wrote, with the indices of their lines in the manifest.
    known: HashMap<String, usize>,
}

/// A copy that the output folder should have.
struct Copy {
    /// Index of the route of the original file.
    of: usize,
    file: String,
    /// The fingerprint of the original file.
    text_fingerprint: u64,
}

impl Copies {
    /// Finds copies of an earlier build among the `stale` files, and removes them from that list.
    pub fn of(is_enabled: bool, routes: &Routes, stale: &mut Vec<(String, usize)>) -> Self {
        let mut known = HashMap::new();
        if is_enabled {
            let files: HashSet<&str> = routes.routes.iter().map(|route| &*route.file).collect();
            let is_copy =
                |file: &str| file.strip_suffix(GZIP_EXTENSION).is_some_and(|of| files.contains(of));
            known.extend(stale.extract_if(.., |(file, _)| is_copy(file)));
        }
        Self { is_enabled, known }
    }

    /// Returns errors for files that are at the paths of copies but were not written by a build.
    pub fn blocking_paths(
        &self,
        out: &Path,
        routes: &Routes,
        manifest: &Manifest,
    ) -> Vec<Diagnostic> {
        if !self.is_enabled || !out.is_dir() {
            return Vec::new();
        }
        let routes = routes.routes.par_iter().filter(|route| is_text(&route.file));
        let existing = routes.filter_map(|route| {
            let path = out.join(format!("{}{GZIP_EXTENSION}", route.file));
            let is_generated = self.known.contains_key(&format!("{}{GZIP_EXTENSION}", route.file))
                || manifest.has(&format!("{}{GZIP_EXTENSION}", route.file));
            let is_there = !is_generated && path.symlink_metadata().is_ok();
            (is_there && !is_copy_of(&path, &out.join(&route.file)).unwrap_or(false)).then(|| {
                let message = format!(
                    "{} was not written by feedwright, and the build would replace it",
                    path.display()
                );
                let help = "move it away, or build once with --overwrite to replace it";
                Diagnostic::error(message).help(help)
            })
        });
        existing.collect()
    }

    /// Returns the names of the copies that may be written for these files.
    pub fn possible_copies<'r>(&self, files: impl Iterator<Item = &'r str>) -> Vec<String> {
        let texts = files.filter(|file| self.is_enabled && is_text(file));
        texts.map(|file| format!("{file}{GZIP_EXTENSION}")).collect()
    }

    /// Returns the copies that the output folder should have.
    fn required_copies(&self, routes: &Routes, states: &[RouteState]) -> Vec<Copy> {
        if !self.is_enabled {
            return Vec::new();
        }
        let files: HashSet<&str> = routes.routes.iter().map(|route| &*route.file).collect();
        let all = routes.routes.iter().zip(states).enumerate();
        let texts = all.filter_map(|(of, (route, state))| {
            let record = state.record.filter(|record| record.length >= MIN_LENGTH)?;
            let file = format!("{}{GZIP_EXTENSION}", route.file);
            // If the author's file is published at the path of the copy, no copy is made.
            let is_free = is_text(&route.file) && !files.contains(&*file);
            is_free.then(|| Copy { of, file, text_fingerprint: text_fingerprint(&record) })
        });
        texts.collect()
    }
}

/// The result of writing the copies.
pub struct CopyResults {
    /// All existing copies with their records.
    pub all: Vec<(String, FileRecord)>,
    /// Copies that are no longer needed.
    pub obsolete: Vec<String>,
}

/// Computes the fingerprint of an original file from its record.
fn text_fingerprint(record: &FileRecord) -> u64 {
    let mut text_fingerprint = Xxh3Default::new();
    // A file copied from the site has no hash, but its version changes with its content.
    let version = if record.hash == 0 { record.version } else { 0 };
    (record.hash, record.length, version).hash(&mut text_fingerprint);
    text_fingerprint.digest()
}

/// Returns whether the file `copy` contains the compressed bytes of the file `of`.
pub fn is_copy_of(copy: &Path, of: &Path) -> io::Result<bool> {
    let bytes = fs::read(of)?;
    let mut existing = Vec::new();
    let most = bytes.len() as u64 + 1;
    GzDecoder::new(File::open(copy)?).take(most).read_to_end(&mut existing)?;
    Ok(existing == bytes)
}

/// Compresses the bytes of a file. The result is the same on every machine and at any time.
fn compressed(text: &[u8]) -> io::Result<Vec<u8>> {
    const UNKNOWN: u8 = 255;
    let builder = GzBuilder::new().mtime(0).operating_system(UNKNOWN);
    let mut out = builder.write(Vec::new(), Compression::best());
    out.write_all(text)?;
    out.finish()
}

impl OutputWriter {
    /// Returns whether each required copy exists and is up to date, and no other copy exists.
    pub(super) fn has_all_copies(&self, routes: &Routes, states: &[RouteState]) -> bool {
        let required_copies = self.copies.required_copies(routes, states);
        required_copies.len() == self.copies.known.len()
            && required_copies.iter().all(|copy| self.existing_copy(copy).is_some())
    }

    fn existing_copy(&self, copy: &Copy) -> Option<FileRecord> {
        let known = self.manifest.known(*self.copies.known.get(&copy.file)?)?;
        (known.fingerprint == copy.text_fingerprint).then_some(known)
    }

    /// Writes the copies of all new or changed files.
    pub(super) fn write_copies(
        &self,
        target: &OutputFolder,
        routes: &Routes,
        states: &[RouteState],
    ) -> Result<CopyResults, Vec<Diagnostic>> {
        let write = |copy: Copy| {
            if let Some(known) = self.existing_copy(&copy) {
                return Ok((copy.file, known));
            }
            let put = || {
                let text = fs::read(target.path(&routes.routes[copy.of].file))?;
                let bytes = compressed(&text)?;
                Ok(FileRecord {
                    fingerprint: copy.text_fingerprint,
                    hash: xxh3_64(&bytes),
                    length: bytes.len() as u64,
                    version: target.put_bytes(&copy.file, &bytes)?,
                })
            };
            match put() {
                Ok(record) => Ok((copy.file, record)),
                Err(error) => Err(cannot_write(&self.out.join(copy.file), &error)),
            }
        };
        let required_copies = self.copies.required_copies(routes, states).into_par_iter();
        let (done, failed): (Vec<_>, Vec<_>) =
            required_copies.map(write).partition_map(|one| match one {
                Ok(done) => rayon::iter::Either::Left(done),
                Err(error) => rayon::iter::Either::Right(error),
            });
        if !failed.is_empty() {
            return Err(failed);
        }
        let files: HashSet<&str> = done.iter().map(|(file, _)| file.as_str()).collect();
        let known = self.copies.known.keys();
        let obsolete = known.filter(|file| !files.contains(file.as_str()));
        let obsolete = obsolete.cloned().collect();
        Ok(CopyResults { all: done, obsolete })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compressed_copies_are_deterministic() {
        let text = "The same words again. ".repeat(100);
        let bytes = compressed(text.as_bytes()).unwrap();
        assert_eq!(bytes, compressed(text.as_bytes()).unwrap());
        // RFC 1952: the header contains no file name, no time and no operating system.
        assert_eq!(bytes[..10], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]);
        let mut existing = String::new();
        GzDecoder::new(&bytes[..]).read_to_string(&mut existing).unwrap();
        assert_eq!(existing, text);
    }
}
