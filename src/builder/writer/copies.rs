//! Compressed copies of text files next to them in the output folder, for servers that send
//! precompressed files: `[output] precompress`.
//!
//! A copy has no route. Its record holds a fingerprint of the text, so the copy is written again
//! when the text changes.

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
use render::hosting::{COPY, is_text};

/// Minimum size of a text to compress, in bytes. A shorter text fits into one packet uncompressed.
const SHORTEST: u64 = 1024;

/// The compressed copies in an output folder.
pub struct Copies {
    /// Whether the site wants compressed copies.
    are_wanted: bool,
    /// Copies that an earlier build wrote, with the indices of their lines in the manifest.
    known: HashMap<String, usize>,
}

/// A copy that the output folder should have.
struct Copy {
    /// Index of the route of its text.
    of: usize,
    file: String,
    /// The fingerprint of its text.
    made_of: u64,
}

impl Copies {
    /// Finds copies of an earlier build among the `stale` files, and removes them from that list.
    pub fn of(are_wanted: bool, routes: &Routes, stale: &mut Vec<(String, usize)>) -> Self {
        let mut known = HashMap::new();
        if are_wanted {
            let files: HashSet<&str> = routes.routes.iter().map(|route| &*route.file).collect();
            let is_copy = |file: &str| file.strip_suffix(COPY).is_some_and(|of| files.contains(of));
            known.extend(stale.extract_if(.., |(file, _)| is_copy(file)));
        }
        Self { are_wanted, known }
    }

    /// Returns errors for files at the paths of copies that no build wrote.
    pub fn in_the_way(&self, out: &Path, routes: &Routes, manifest: &Manifest) -> Vec<Diagnostic> {
        if !self.are_wanted || !out.is_dir() {
            return Vec::new();
        }
        let routes = routes.routes.par_iter().filter(|route| is_text(&route.file));
        let there = routes.filter_map(|route| {
            let path = out.join(format!("{}{COPY}", route.file));
            let is_ours = self.known.contains_key(&format!("{}{COPY}", route.file))
                || manifest.has(&format!("{}{COPY}", route.file));
            let is_there = !is_ours && path.symlink_metadata().is_ok();
            (is_there && !is_copy_of(&path, &out.join(&route.file)).unwrap_or(false)).then(|| {
                let message = format!(
                    "{} was not written by feedwright, and the build would replace it",
                    path.display()
                );
                let help = "move it away, or build once with --overwrite to replace it";
                Diagnostic::error(message).help(help)
            })
        });
        there.collect()
    }

    /// Returns the names of the copies that may be written for these files.
    pub fn coming<'r>(&self, files: impl Iterator<Item = &'r str>) -> Vec<String> {
        let texts = files.filter(|file| self.are_wanted && is_text(file));
        texts.map(|file| format!("{file}{COPY}")).collect()
    }

    /// Returns the copies that the output folder should have.
    fn wanted(&self, routes: &Routes, states: &[RouteState]) -> Vec<Copy> {
        if !self.are_wanted {
            return Vec::new();
        }
        let files: HashSet<&str> = routes.routes.iter().map(|route| &*route.file).collect();
        let all = routes.routes.iter().zip(states).enumerate();
        let texts = all.filter_map(|(of, (route, state))| {
            let record = state.record.filter(|record| record.length >= SHORTEST)?;
            let file = format!("{}{COPY}", route.file);
            // If the author has a file at this path, it is published unchanged.
            let is_free = is_text(&route.file) && !files.contains(&*file);
            is_free.then(|| Copy { of, file, made_of: made_of(&record) })
        });
        texts.collect()
    }
}

/// The result of writing the copies.
pub struct Made {
    /// All existing copies with their records.
    pub all: Vec<(String, FileRecord)>,
    /// Copies that are no longer wanted.
    pub gone: Vec<String>,
}

/// Computes the fingerprint of a text.
fn made_of(record: &FileRecord) -> u64 {
    let mut made_of = Xxh3Default::new();
    // A file copied from the site has no hash, but its version changes with its content.
    let version = if record.hash == 0 { record.version } else { 0 };
    (record.hash, record.length, version).hash(&mut made_of);
    made_of.digest()
}

/// Returns whether the file `copy` holds the compressed bytes of the file `of`.
pub fn is_copy_of(copy: &Path, of: &Path) -> io::Result<bool> {
    let bytes = fs::read(of)?;
    let mut there = Vec::new();
    let most = bytes.len() as u64 + 1;
    GzDecoder::new(File::open(copy)?).take(most).read_to_end(&mut there)?;
    Ok(there == bytes)
}

/// Compresses a text. The result is the same on every machine and at any time.
fn compressed(text: &[u8]) -> io::Result<Vec<u8>> {
    const UNKNOWN: u8 = 255;
    let builder = GzBuilder::new().mtime(0).operating_system(UNKNOWN);
    let mut out = builder.write(Vec::new(), Compression::best());
    out.write_all(text)?;
    out.finish()
}

impl OutputWriter {
    /// Returns whether each wanted copy is there and up to date, and no other copy exists.
    pub(super) fn has_all_copies(&self, routes: &Routes, states: &[RouteState]) -> bool {
        let wanted = self.copies.wanted(routes, states);
        wanted.len() == self.copies.known.len()
            && wanted.iter().all(|copy| self.known_copy(copy).is_some())
    }

    fn known_copy(&self, copy: &Copy) -> Option<FileRecord> {
        let known = self.manifest.known(*self.copies.known.get(&copy.file)?)?;
        (known.fingerprint == copy.made_of).then_some(known)
    }

    /// Writes the copies of all new or changed texts.
    pub(super) fn write_copies(
        &self,
        target: &OutputFolder,
        routes: &Routes,
        states: &[RouteState],
    ) -> Result<Made, Vec<Diagnostic>> {
        let write = |copy: Copy| {
            if let Some(known) = self.known_copy(&copy) {
                return Ok((copy.file, known));
            }
            let put = || {
                let text = fs::read(target.path(&routes.routes[copy.of].file))?;
                let bytes = compressed(&text)?;
                Ok(FileRecord {
                    fingerprint: copy.made_of,
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
        let wanted = self.copies.wanted(routes, states).into_par_iter();
        let (done, failed): (Vec<_>, Vec<_>) = wanted.map(write).partition_map(|one| match one {
            Ok(done) => rayon::iter::Either::Left(done),
            Err(error) => rayon::iter::Either::Right(error),
        });
        if !failed.is_empty() {
            return Err(failed);
        }
        let files: HashSet<&str> = done.iter().map(|(file, _)| file.as_str()).collect();
        let known = self.copies.known.keys();
        let gone = known.filter(|file| !files.contains(file.as_str()));
        let gone = gone.cloned().collect();
        Ok(Made { all: done, gone })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_the_same_on_every_machine() {
        let text = "The same words again. ".repeat(100);
        let bytes = compressed(text.as_bytes()).unwrap();
        assert_eq!(bytes, compressed(text.as_bytes()).unwrap());
        // RFC 1952: no name, no time, no operating system.
        assert_eq!(bytes[..10], [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]);
        let mut there = String::new();
        GzDecoder::new(&bytes[..]).read_to_string(&mut there).unwrap();
        assert_eq!(there, text);
    }
}
