//! Writes changed files into the output folder, and removes files that only an earlier build wrote.

mod blocking_paths;
mod copies;
mod counts;
mod recording;
mod run;
mod search_index;

use std::borrow::Cow;
use std::collections::HashSet;
use std::fs;
use std::hash::Hash;
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

use super::manifest::{FileRecord, Manifest};
use super::out_dir::holds_sources;
use super::output_folder::{OutputFolder, temporary};
use super::progress::Progress;
use super::scope::Scope;
use super::search_files::SearchFiles;
use copies::Copies;
pub use copies::is_copy_of;
pub use counts::{Changed, Counts};
use model::{Diagnostic, Report};
use project::{Options, Renderings};
use recording::Recording;
use render::{Body, Document, Renderer, Route, Routes};
use run::WriteRun;
use site::paths::SEARCH_SHARDS as SHARDS;
use source::disk::same_bytes;
use source::stamp::{FileFacts, Stamp};

/// An output folder that is ready to be written.
pub struct OutputWriter {
    root: PathBuf,
    out: PathBuf,
    manifest: Manifest,
    /// For each route, the index of its file's line in the manifest.
    lines: Vec<Option<usize>>,
    /// Files of an earlier build that are no longer part of the site.
    stale: Vec<String>,
    /// Files of an earlier build outside the scope of this build, with the indices of their lines.
    others: Vec<(String, usize)>,
    /// The search index shards of an earlier build, with the indices of their lines in the
    /// manifest.
    shards: Vec<(String, usize)>,
    copies: Copies,
}

/// Everything needed to write a site into an output folder.
pub struct Publishing<'a> {
    pub routes: &'a Routes,
    pub renderer: &'a Renderer<'a>,
    pub renderings: &'a Renderings,
    /// The search indexes of the site and its editions.
    pub search: &'a [SearchFiles<'a>],
    /// A function that returns an error if the site changed since it was read.
    pub outdated: &'a (dyn Fn() -> Option<Diagnostic> + Sync),
    pub progress: &'a dyn Progress,
}

/// The changes made to an output folder.
#[derive(Debug, Default)]
pub struct Written {
    pub written: usize,
    pub removed: usize,
    /// Number of shards of the search index.
    pub shards: usize,
    /// Recordings that replaced published recordings.
    pub recordings: Changed,
    /// The hash of the records in the manifest.
    pub manifest: u64,
}

/// The state of a route before it is rendered.
#[derive(Clone, Copy)]
pub struct RouteState {
    /// The fingerprint of the route's inputs, or 0 if the route has no fingerprint. `None` if it is
    /// computed when the document is rendered.
    fingerprint: Option<u64>,
    /// The index of the line in the manifest for the route's file.
    line: Option<usize>,
    /// The record of the route's file, if the file is up to date.
    record: Option<FileRecord>,
}

impl OutputWriter {
    /// Opens an output folder whose files were compared with the `manifest`. A file that no build
    /// wrote belongs to the author. If such a file is at the path of a route, it is an error,
    /// unless `overwrite` is set or the file contains exactly the bytes that the build would write.
    pub fn open(
        options: &Options,
        out: &Path,
        manifest: Manifest,
        scope: &Scope<'_>,
        renderer: &Renderer<'_>,
        renderings: &Renderings,
    ) -> Result<Self, Vec<Diagnostic>> {
        let root = &options.root;
        if holds_sources(root, out) {
            let message = format!(
                "the site cannot be built into {}: that folder contains the site itself",
                out.display()
            );
            return Err(vec![
                Diagnostic::error(message).help("set another folder with --out or `[output] dir`"),
            ]);
        }
        if let Ok(existing) = out.symlink_metadata()
            && !existing.is_dir()
            && !out.is_dir()
        {
            let message = format!("{} is not a folder", out.display());
            return Err(vec![
                Diagnostic::error(message)
                    .help("move it away, or set another folder with --out or `[output] dir`"),
            ]);
        }
        let table = &*scope.routes;
        let lines = manifest.lines_of(table.routes.iter().map(|route| route.file.as_str()));
        let mut stale = manifest.unrouted(&lines);
        let copies = Copies::of(renderer.shared().config.output.precompress, table, &mut stale);
        let others = scope.take_others(&mut stale);
        let indexes = renderer.search_indexes().into_iter();
        let folders: Vec<String> =
            indexes.map(|(_, mount)| [mount, SHARDS].concat()[1..].to_owned()).collect();
        let is_shard = |file: &str| folders.iter().any(|folder| file.starts_with(&**folder));
        let (shards, stale) = stale.into_iter().partition(|(file, _)| is_shard(file));
        let writer = Self {
            root: root.clone(),
            out: out.to_path_buf(),
            stale: names(stale),
            others,
            shards,
            copies,
            manifest,
            lines,
        };
        let render_uncached = |document: &Document| renderings.render_uncached(renderer, document);
        let mut found = writer.blocking_paths(table, &render_uncached, options.overwrite);
        if !options.overwrite {
            found.extend(writer.copies.blocking_paths(out, table, &writer.manifest));
        }
        if found.is_empty() { Ok(writer) } else { Err(first_errors(found, "block the build")) }
    }

    /// Renders and writes every route that changed. Stops when the site is `outdated`. If a write
    /// fails, a new folder is not created. An existing folder can then contain some new files, and
    /// the report's `partly_written` is set.
    pub fn write(&self, publishing: &Publishing<'_>) -> Result<Written, Report> {
        let routes = publishing.routes;
        let looked_at = routes.routes.par_iter().zip(&self.lines);
        let mut states: Vec<RouteState> =
            looked_at.map(|(route, line)| self.route_state(route, *line, publishing)).collect();
        let links = self.blocking_symlinks(routes, &states);
        if !links.is_empty() {
            return Err(unwritten_report(links));
        }
        let search = publishing.search;
        let mut stale = Cow::Borrowed(&self.stale);
        if search.is_empty() {
            stale.to_mut().extend(names(self.shards.clone()));
        }
        let is_again = |state: &&RouteState| state.record.is_none();
        let again = states.iter().filter(is_again).count();
        let is_done = again == 0 && stale.is_empty() && self.has_all_copies(routes, &states);
        if is_done && !self.manifest.unfinished {
            self.manifest.save_versions();
            return Ok(Written {
                manifest: self.manifest.hash,
                shards: if search.is_empty() { 0 } else { self.shards.len() },
                ..Written::default()
            });
        }
        let all = routes.routes.iter().zip(&states);
        let files = all.filter(|(_, state)| state.record.is_none());
        let files = files.map(|(route, _)| route.file.as_str());
        let copies = match again {
            // No route changed, so only compressed copies can be missing. Any copy may be written.
            0 => self.copies.possible_copies(routes.routes.iter().map(|route| &*route.file)),
            _ => self.copies.possible_copies(files.clone()),
        };
        let possible_copies = files.clone().chain(copies.iter().map(String::as_str));
        let begun = self.manifest.begin(possible_copies);
        begun.map_err(|error| unwritten_report([cannot_note(&error)]))?;
        if self.manifest.unfinished {
            self.remove_temporary_files();
        }
        let target = OutputFolder::open(&self.out)
            .map_err(|error| unwritten_report([cannot_write(&self.out, &error)]))?;
        // If a path changes from a file to a folder or from a folder to a file, the old files are
        // removed first.
        let early = blocking_files(&stale, routes);
        let mut removed = early.into_iter().filter(|file| self.remove(file)).count();
        let run = WriteRun {
            writer: self,
            target: &target,
            publishing,
            states: &states,
            counts: Counts::default(),
        };
        let mut done = run.all();
        let mut shards: Vec<(String, FileRecord)> = Vec::new();
        let is_fine = done.iter().all(|(_, record)| record.is_ok());
        for index in search {
            if states[index.route].record.is_some() {
                let folder = index.shards();
                let known = self.shards.iter().filter(|(file, _)| file.starts_with(&folder));
                shards.extend(
                    known.filter_map(|(file, line)| {
                        Some((file.clone(), self.manifest.known(*line)?))
                    }),
                );
            } else if is_fine {
                let of_others = shards.iter().map(|(file, _)| file.clone());
                let begun: Vec<String> =
                    files.clone().map(str::to_owned).chain(of_others).collect();
                let written = run.search_index(index, &begun);
                let written = written.map_err(|error| report([error], !target.is_new()))?;
                done.push(written.entry);
                shards.extend(written.shards);
                stale.to_mut().extend(written.obsolete);
            }
        }
        let (written, recordings) = run.counts.finish();
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
            return Err(report(first_errors(failed, "cannot be written"), !is_new));
        }
        let copies = self
            .write_copies(&target, routes, &states)
            .map_err(|failed| report(first_errors(failed, "cannot be written"), !is_new))?;
        stale.to_mut().extend(copies.obsolete);
        target.finish().map_err(|error| unwritten_report([cannot_write(&self.out, &error)]))?;
        removed += stale.iter().filter(|file| self.remove(file)).count();
        let all = routes.routes.iter().zip(&states);
        let records = all.filter_map(|(route, state)| Some((route.file.as_str(), state.record?)));
        let of_shards = shards.iter();
        let besides = of_shards.chain(&copies.all);
        let besides = besides.map(|(file, record)| (file.as_str(), *record));
        let others = self.others.iter().map(|(file, line)| {
            // A record without facts means that the content is unknown.
            (file.as_str(), self.manifest.known(*line).unwrap_or_default())
        });
        let manifest = self
            .manifest
            .finish(records.chain(besides).chain(others))
            .map_err(|error| report([cannot_note(&error)], true))?;
        Ok(Written { written, removed, shards: shards.len(), recordings, manifest })
    }

    /// Computes the fingerprint of a route's current inputs, and adds the record of its file if the
    /// fingerprint is unchanged. The fingerprint of a new file is computed when it is rendered.
    fn route_state(
        &self,
        route: &Route,
        line: Option<usize>,
        publishing: &Publishing<'_>,
    ) -> RouteState {
        let known = line.and_then(|line| self.manifest.known(line));
        if known.is_none() && route.document.is_made_of_inputs() {
            return RouteState { record: None, fingerprint: None, line };
        }
        let fingerprint = self.fingerprint(&route.document, publishing);
        RouteState {
            record: known.filter(|known| Some(known.fingerprint) == fingerprint),
            fingerprint: Some(fingerprint.unwrap_or(0)),
            line,
        }
    }

    fn fingerprint(&self, document: &Document, publishing: &Publishing<'_>) -> Option<u64> {
        let renderer = publishing.renderer;
        match document.inner() {
            // The index is up to date only if all its shards exist.
            Document::SearchIndex => {
                let is_known = |(_, line): &(String, usize)| self.manifest.known(*line).is_some();
                let index = publishing.search.iter().find(|index| index.is_entry(document))?;
                let folder = index.shards();
                let mut own = self.shards.iter().filter(|(file, _)| file.starts_with(&folder));
                own.all(is_known).then(|| index.fingerprint())
            }
            Document::Media(_) if renderer.fingerprint(document).is_none() => {
                match renderer.render(document) {
                    Ok(Body::File(file)) => match Stamp::of(&self.root.join(&file)) {
                        stamp @ Stamp::File { .. } => {
                            let mut made_of = Xxh3Default::new();
                            (file, stamp).hash(&mut made_of);
                            Some(made_of.digest())
                        }
                        _ => None,
                    },
                    _ => None,
                }
            }
            Document::SiteFile(_) => {
                let made_of = renderer.fingerprint(document)?;
                Some(publishing.renderings.fingerprint(made_of))
            }
            _ => renderer.fingerprint(document),
        }
    }

    fn put(
        &self,
        target: &OutputFolder,
        file: &str,
        state: &RouteState,
        body: &Body,
        counts: &Counts,
    ) -> Result<FileRecord, Diagnostic> {
        let path = self.out.join(file);
        let fail = |error: io::Error| cannot_write(&path, &error);
        let is_ours = state.line.is_some() && !target.is_new();
        let fingerprint = state.fingerprint.unwrap_or(0);
        match body {
            Body::Bytes(bytes) => {
                let hash = xxh3_64(bytes);
                let existing = || self.version_of(state, &path, hash, bytes);
                let version = match is_ours.then(existing).flatten() {
                    Some(version) => version,
                    None => {
                        counts.add_file();
                        target.put_bytes(file, bytes).map_err(fail)?
                    }
                };
                Ok(FileRecord { fingerprint, hash, length: bytes.len() as u64, version })
            }
            Body::File(of_site) => {
                let source = self.root.join(of_site);
                let is_same = || same_bytes(&source, &path);
                let copy = |to: &Path| fs::copy(&source, to).map(drop);
                self.put_file(target, file, state, &is_same, &copy, counts).map_err(fail)
            }
            Body::Recording(recording) => {
                let source = Recording::of(&self.root, recording);
                let is_same = || source.is_same(&path);
                let is_episode = file.starts_with("media/");
                let copy = |to: &Path| {
                    // `put_file` has already compared a file that an earlier build wrote.
                    let differs = || Ok::<_, io::Error>(is_ours || !source.is_same(&path)?);
                    let is_changed = is_episode && path.exists() && differs()?;
                    source.copy(to)?;
                    if is_changed {
                        counts.add_recording(recording.tagged.len());
                    }
                    Ok(())
                };
                self.put_file(target, file, state, &is_same, &copy, counts).map_err(fail)
            }
            Body::SearchFile(_) => Err(cannot_write(&path, &io::ErrorKind::Unsupported.into())),
        }
    }

    /// Writes a media file with `copy`, unless `is_same` returns true: if only the modification time
    /// of the author's file differs, the file is not copied again.
    fn put_file(
        &self,
        target: &OutputFolder,
        file: &str,
        state: &RouteState,
        is_same: &dyn Fn() -> io::Result<bool>,
        copy: &dyn Fn(&Path) -> io::Result<()>,
        counts: &Counts,
    ) -> io::Result<FileRecord> {
        let is_ours = state.line.is_some() && !target.is_new();
        let existing = is_ours.then(|| file_at(&self.out.join(file))).flatten();
        let facts = match existing.filter(|_| is_same().unwrap_or(false)) {
            Some(facts) => facts,
            None => {
                counts.add_file();
                target.put_with(file, copy)?
            }
        };
        let FileFacts { length, .. } = facts;
        let fingerprint = state.fingerprint.unwrap_or(0);
        Ok(FileRecord { fingerprint, hash: 0, length, version: facts.version() })
    }

    /// Returns the version of a route's file if the file already contains these bytes.
    fn version_of(&self, state: &RouteState, path: &Path, hash: u64, bytes: &[u8]) -> Option<u64> {
        if let Some(known) = self.manifest.known(state.line?) {
            let is_same = known.hash == hash && known.length == bytes.len() as u64;
            return is_same.then_some(known.version);
        }
        let facts = file_at(path)?;
        let is_same = fs::read(path).is_ok_and(|existing| existing == bytes);
        is_same.then(|| facts.version())
    }

    /// Removes the temporary files of an interrupted build.
    fn remove_temporary_files(&self) {
        for (_, file) in self.manifest.files() {
            let _ = fs::remove_file(temporary(&self.out.join(&*file)));
        }
    }

    /// Removes a file, and the folders that become empty.
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

/// Returns the facts of the file at a path. Returns None for a symlink.
fn file_at(path: &Path) -> Option<FileFacts> {
    let facts = FileFacts::of(&fs::symlink_metadata(path).ok()?);
    facts.is_file.then_some(facts)
}

fn names(files: Vec<(String, usize)>) -> Vec<String> {
    files.into_iter().map(|(file, _)| file).collect()
}

/// Returns the stale files whose paths are folders in this build, and the stale files in folders
/// whose paths are files in this build.
fn blocking_files<'f>(stale: &'f [String], routes: &Routes) -> Vec<&'f str> {
    if stale.is_empty() {
        return Vec::new();
    }
    let parents = |file: &str| -> Vec<usize> { file.match_indices('/').map(|at| at.0).collect() };
    let mut files: HashSet<&str> = HashSet::new();
    let mut folders: HashSet<&str> = HashSet::new();
    for route in &routes.routes {
        files.insert(&route.file);
        folders.extend(parents(&route.file).into_iter().map(|end| &route.file[..end]));
    }
    let stale = stale.iter().map(String::as_str);
    stale
        .filter(|file| {
            folders.contains(file)
                || parents(file).into_iter().any(|end| files.contains(&file[..end]))
        })
        .collect()
}

/// Shortens a list of errors that have one cause, such as a full disk or an output folder that was
/// moved here without the build's state. `what` completes the message with the number of omitted
/// errors.
fn first_errors(mut errors: Vec<Diagnostic>, what: &str) -> Vec<Diagnostic> {
    const SHOWN: usize = 5;
    if errors.len() > SHOWN {
        let rest = errors.len() - SHOWN;
        errors.truncate(SHOWN);
        errors.push(Diagnostic::error(format!("{rest} more files {what}")));
    }
    errors
}

/// Returns the report of a build that left the output unchanged.
fn unwritten_report(found: impl IntoIterator<Item = Diagnostic>) -> Report {
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
        .help("check the folder's permissions and the free disk space")
}

fn cannot_note(error: &io::Error) -> Diagnostic {
    let message = format!("the build's state in .feedwright/ cannot be written: {error}");
    Diagnostic::error(message).help(
        "check that .feedwright is a folder, and check its permissions and the free disk space",
    )
}
