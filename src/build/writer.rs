//! Writes what changed into the output folder, and removes what an earlier build wrote and this one did not.

mod in_the_way;
mod run;

use std::collections::HashSet;
use std::fs;
use std::hash::Hash;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

use super::manifest::{FileRecord, Manifest};
use super::out_dir::holds_sources;
use super::output_folder::{OutputFolder, temporary};
use super::progress::Progress;
use crate::model::{Diagnostic, Report};
use crate::project::{Options, Renderings};
use crate::render::{Body, Document, Renderer, Route, Routes};
use crate::source::disk::same_bytes;
use crate::source::stamp::Stamp;
use run::WriteRun;

/// An output folder that is ready to be written.
pub struct OutputWriter {
    root: PathBuf,
    out: PathBuf,
    manifest: Manifest,
}

/// What was done to an output folder.
#[derive(Debug, Default)]
pub struct Written {
    pub written: usize,
    pub removed: usize,
    /// The hash of the manifest.
    pub manifest: u64,
}

/// What is known of a route before it is rendered.
struct RouteState {
    /// The fingerprint of what it is made of; 0 if it has none.
    fingerprint: u64,
    /// The record of its file, once that is known to be what it is to be.
    record: Option<FileRecord>,
}

impl OutputWriter {
    /// Opens an output folder. A file there that no build wrote is the author's: an error if it is in the
    /// way, unless the options say `overwrite` or it holds what the build would write.
    pub fn open(
        options: &Options,
        out: &Path,
        renderer: &Renderer<'_>,
        renderings: &Renderings,
    ) -> Result<Self, Vec<Diagnostic>> {
        let root = &options.root;
        if holds_sources(root, out) {
            let message = format!(
                "the site cannot be built into {}: it holds the site itself",
                out.display()
            );
            return Err(vec![
                Diagnostic::error(message).help("name another folder with --out or `[output] dir`"),
            ]);
        }
        if let Ok(there) = out.symlink_metadata()
            && !there.is_dir()
            && !out.is_dir()
        {
            let message = format!("{} is no folder", out.display());
            return Err(vec![Diagnostic::error(message).help(
                "move it away, or name another folder with --out or `[output] dir`",
            )]);
        }
        let manifest = Manifest::load(root, out);
        let writer = Self {
            root: root.clone(),
            out: out.to_path_buf(),
            manifest,
        };
        let would_publish = |document: &Document| renderings.would_publish(renderer, document);
        let routes = &renderer.table().0;
        let found = writer.in_the_way(routes, &would_publish, options.overwrite);
        if found.is_empty() {
            Ok(writer)
        } else {
            Err(few(found, "are in the way"))
        }
    }

    /// Renders every route that changed and writes it. Stops once the site is `outdated`. If a write fails, a new
    /// folder is not created, and the files of an old one stay as they were.
    pub fn write(
        &self,
        routes: &Routes,
        renderer: &Renderer<'_>,
        renderings: &Renderings,
        outdated: &(dyn Fn() -> Option<Diagnostic> + Sync),
        progress: &dyn Progress,
    ) -> Result<Written, Report> {
        let looked_at = routes.routes.par_iter();
        let mut states: Vec<RouteState> = looked_at
            .map(|route| self.look_at(route, renderer))
            .collect();
        let links = self.links_on_the_way(routes, &states);
        if !links.is_empty() {
            return Err(not_written(links));
        }
        let stale = self.stale(routes);
        let is_again = |state: &&RouteState| state.record.is_none();
        let again = states.iter().filter(is_again).count();
        if again == 0 && stale.is_empty() && !self.manifest.unfinished {
            return Ok(Written {
                manifest: self.manifest.text_hash,
                ..Written::default()
            });
        }
        let all = routes.routes.iter().zip(&states);
        let files = all.filter(|(_, state)| state.record.is_none());
        self.manifest
            .begin(files.map(|(route, _)| route.file.as_str()))
            .map_err(|error| not_written([cannot_note(&error)]))?;
        if self.manifest.unfinished {
            self.remove_halves();
        }
        let target = OutputFolder::open(&self.out)
            .map_err(|error| not_written([cannot_write(&self.out, &error)]))?;
        // A file that is a folder now, or the reverse: the old one has to be removed first.
        let early = in_the_way_of(&stale, routes);
        let mut removed = early.into_iter().filter(|file| self.remove(file)).count();
        let run = WriteRun {
            writer: self,
            target: &target,
            routes,
            states: &states,
            renderer,
            renderings,
            outdated,
            progress,
            written: AtomicUsize::new(0),
        };
        let done = run.all();
        let written = run.written.into_inner();
        let mut failed = Vec::new();
        for (at, record) in done {
            match record {
                Ok(record) => states[at].record = Some(record),
                Err(error) => failed.push((at, error)),
            }
        }
        let is_new = target.is_new();
        if !failed.is_empty() {
            failed.sort_by_key(|(at, _)| *at);
            let failed = failed.into_iter().map(|(_, error)| error).collect();
            return Err(report(few(failed, "cannot be written"), !is_new));
        }
        target
            .finish()
            .map_err(|error| not_written([cannot_write(&self.out, &error)]))?;
        removed += stale.iter().filter(|file| self.remove(file)).count();
        let records: Vec<(&str, FileRecord)> = routes
            .routes
            .iter()
            .zip(&states)
            .filter_map(|(route, state)| Some((route.file.as_str(), state.record?)))
            .collect();
        let manifest = self
            .manifest
            .finish(&records)
            .map_err(|error| report([cannot_note(&error)], true))?;
        Ok(Written {
            written,
            removed,
            manifest,
        })
    }

    /// The fingerprint of what a route is made of now, and the record of its file if that is the same.
    fn look_at(&self, route: &Route, renderer: &Renderer<'_>) -> RouteState {
        let fingerprint = self.fingerprint(&route.document, renderer);
        let unchanged = || {
            let known = self.manifest.known(&route.file)?;
            let there = Some(known.fingerprint) == fingerprint
                && fs::symlink_metadata(self.out.join(&route.file))
                    .is_ok_and(|file| file.is_file() && file.len() == known.length);
            there.then_some(known)
        };
        RouteState {
            record: unchanged(),
            fingerprint: fingerprint.unwrap_or(0),
        }
    }

    fn fingerprint(&self, document: &Document, renderer: &Renderer<'_>) -> Option<u64> {
        match document {
            Document::Media(_) => match renderer.render(document) {
                Ok(Body::File(file)) => match Stamp::of(&self.root.join(&file)) {
                    stamp @ Stamp::File { .. } => {
                        let mut made_of = Xxh3Default::new();
                        (file, stamp).hash(&mut made_of);
                        Some(made_of.digest())
                    }
                    _ => None,
                },
                _ => None,
            },
            document => renderer.fingerprint(document),
        }
    }

    pub(super) fn put(
        &self,
        target: &OutputFolder,
        route: &Route,
        fingerprint: u64,
        body: Body,
        written: &AtomicUsize,
    ) -> Result<FileRecord, Diagnostic> {
        let path = self.out.join(&route.file);
        let fail = |error: io::Error| cannot_write(&path, &error);
        match body {
            Body::Bytes(bytes) => {
                let record = FileRecord {
                    fingerprint,
                    hash: xxh3_64(&bytes),
                    length: bytes.len() as u64,
                };
                if target.is_new() || !self.holds(route, &path, &record, &bytes) {
                    target.put_bytes(&route.file, &bytes).map_err(fail)?;
                    written.fetch_add(1, Ordering::Relaxed);
                }
                Ok(record)
            }
            Body::File(file) => {
                let source = self.root.join(file);
                // One that only has another time is not copied again.
                let is_ours = !target.is_new() && self.manifest.has(&route.file);
                if is_ours && same_bytes(&source, &path).unwrap_or(false) {
                    let length = source.metadata().map_err(fail)?.len();
                    return Ok(FileRecord {
                        fingerprint,
                        hash: 0,
                        length,
                    });
                }
                let length = target.put_copy(&route.file, &source).map_err(fail)?;
                written.fetch_add(1, Ordering::Relaxed);
                Ok(FileRecord {
                    fingerprint,
                    hash: 0,
                    length,
                })
            }
        }
    }

    /// Whether the file holds these bytes already.
    fn holds(&self, route: &Route, path: &Path, record: &FileRecord, bytes: &[u8]) -> bool {
        let Some(known) = self.manifest.known(&route.file) else {
            let is_ours = self.manifest.has(&route.file);
            return is_ours && fs::read(path).is_ok_and(|old| old == bytes);
        };
        known.hash == record.hash
            && known.length == record.length
            && fs::symlink_metadata(path)
                .is_ok_and(|file| file.is_file() && file.len() == record.length)
    }

    /// Files that an earlier build wrote and that are no longer part of the site.
    fn stale(&self, routes: &Routes) -> Vec<String> {
        let current: HashSet<u64> = routes
            .routes
            .iter()
            .map(|route| xxh3_64(route.file.as_bytes()))
            .collect();
        let files = self.manifest.files();
        let gone = files.filter(|(file, _)| !current.contains(&xxh3_64(file.as_bytes())));
        let mut stale: Vec<String> = gone.map(|(file, _)| file.into_owned()).collect();
        stale.sort_unstable();
        stale
    }

    /// Removes the temporary files of an interrupted build.
    fn remove_halves(&self) {
        for (file, _) in self.manifest.files() {
            let _ = fs::remove_file(temporary(&self.out.join(&*file)));
        }
    }

    /// Removes a file, and the folders that are empty without it.
    fn remove(&self, file: &str) -> bool {
        let path = self.out.join(file);
        let removed = fs::remove_file(&path).is_ok();
        let mut folder = path.parent();
        while let Some(empty) =
            folder.filter(|folder| *folder != self.out && folder.starts_with(&self.out))
        {
            if fs::remove_dir(empty).is_err() {
                break;
            }
            folder = empty.parent();
        }
        removed
    }
}

/// The files of an earlier build that are folders of this one, or in folders that are files now.
fn in_the_way_of<'f>(stale: &'f [String], routes: &Routes) -> Vec<&'f str> {
    if stale.is_empty() {
        return Vec::new();
    }
    let parents = |file: &str| -> Vec<usize> { file.match_indices('/').map(|at| at.0).collect() };
    let mut files: HashSet<&str> = HashSet::new();
    let mut folders: HashSet<&str> = HashSet::new();
    for route in &routes.routes {
        files.insert(&route.file);
        folders.extend(
            parents(&route.file)
                .into_iter()
                .map(|end| &route.file[..end]),
        );
    }
    let stale = stale.iter().map(String::as_str);
    stale
        .filter(|file| {
            folders.contains(file)
                || parents(file)
                    .into_iter()
                    .any(|end| files.contains(&file[..end]))
        })
        .collect()
}

/// The first few of many errors that have one cause: a full disk, or an output that was moved here
/// without the build's state. `what` ends the sentence that counts the others.
fn few(mut errors: Vec<Diagnostic>, what: &str) -> Vec<Diagnostic> {
    const SHOWN: usize = 5;
    if errors.len() > SHOWN {
        let rest = errors.len() - SHOWN;
        errors.truncate(SHOWN);
        errors.push(Diagnostic::error(format!("{rest} more files {what}")));
    }
    errors
}

/// The report of a build that left the output as it was.
fn not_written(found: impl IntoIterator<Item = Diagnostic>) -> Report {
    report(found, false)
}

fn report(found: impl IntoIterator<Item = Diagnostic>, partly_written: bool) -> Report {
    let mut report = Report::default();
    report.extend(found);
    report.partly_written = partly_written;
    report
}

fn cannot_write(path: &Path, error: &io::Error) -> Diagnostic {
    Diagnostic::error(format!("{} cannot be written: {error}", path.display()))
        .help("check the folder's permissions and the space on the disk")
}

fn cannot_note(error: &io::Error) -> Diagnostic {
    let message = format!("the build's state in .feedwright/ cannot be written: {error}");
    Diagnostic::error(message)
        .help("check that .feedwright is a folder, its permissions and the space on the disk")
}
