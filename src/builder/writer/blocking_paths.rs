//! Finds files in the output folder that are at the path of a route but were not written by a
//! build. This check runs before anything is written.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use rayon::prelude::*;
use search::static_index::is_entry;

use super::recording::Recording;
use super::{OutputWriter, RouteState};
use model::Diagnostic;
use render::{Body, Document, Route, Routes};
use source::disk::same_bytes;

/// A function that returns the content that would be published for a document.
type WouldPublish<'a> = &'a (dyn Fn(&Document) -> Result<Body, Diagnostic> + Sync);

impl OutputWriter {
    /// Returns errors for files and symlinks that are at paths of this build but were not written
    /// by a build.
    pub(super) fn blocking_paths(
        &self,
        routes: &Routes,
        would_publish: WouldPublish<'_>,
        overwrite: bool,
    ) -> Vec<Diagnostic> {
        if !self.out.is_dir() {
            return Vec::new();
        }
        let mut found = Vec::new();
        let mut folders: HashSet<&str> = HashSet::new();
        let routes = &routes.routes;
        let files = routes.iter().zip(&self.lines);
        let files = files.map(|(route, line)| (route.file.as_str(), line.is_some()));
        // Check every folder with new or removed files, and the outermost of the other folders.
        // Checking all folders would double the time of a build that changes nothing.
        let outermost = files
            .clone()
            .filter(|(_, is_known)| *is_known)
            .filter_map(|(file, _)| file.split_once('/').map(|(folder, _)| folder));
        let mut last = "";
        let outermost = outermost.filter(|folder| std::mem::replace(&mut last, folder) != *folder);
        let coming = files.filter(|(_, is_known)| !is_known);
        let all = coming
            .map(|(file, _)| file)
            .chain(self.stale.iter().map(String::as_str))
            .flat_map(|file| {
                let ends = file.rmatch_indices('/').map(|(end, _)| end);
                ends.map(move |end| &file[..end])
            });
        for folder in outermost.chain(all) {
            if !folders.insert(folder) {
                continue;
            }
            let Ok(existing) = fs::symlink_metadata(self.out.join(folder)) else {
                continue;
            };
            if existing.is_symlink() {
                found.push(self.blocking_link_error(folder));
            } else if !existing.is_dir() && !self.manifest.has(folder) {
                found.push(self.blocking_file_error(folder, "a folder"));
            }
        }
        let unknown = routes.par_iter().zip(&self.lines);
        let unknown = unknown.filter(|(_, line)| line.is_none());
        let files: Vec<Diagnostic> = unknown
            .filter_map(|(route, _)| self.blocking_file(route, would_publish, overwrite))
            .collect();
        found.extend(files);
        found
    }

    /// Returns an error if a file or folder that no build wrote is at a route's path.
    fn blocking_file(
        &self,
        route: &Route,
        would_publish: WouldPublish<'_>,
        overwrite: bool,
    ) -> Option<Diagnostic> {
        let path = self.out.join(&route.file);
        let existing = fs::symlink_metadata(&path).ok()?;
        if existing.is_dir() {
            // A folder that contains only files of an earlier build is removed together with these
            // files.
            let is_generated = self.is_generated(&route.file);
            return (!is_generated).then(|| self.blocking_file_error(&route.file, "a file"));
        }
        if overwrite || existing.is_file() && self.would_write(route, would_publish, &path) {
            return None;
        }
        let message = format!(
            "{} was not written by feedwright, and the build would replace it",
            path.display()
        );
        Some(
            Diagnostic::error(message)
                .help("move it away, or build once with --overwrite to replace it"),
        )
    }

    /// Returns whether a file already contains the bytes that the build would write.
    fn would_write(&self, route: &Route, would_publish: WouldPublish<'_>, path: &Path) -> bool {
        match would_publish(&route.document) {
            Ok(Body::Bytes(bytes)) => fs::read(path).is_ok_and(|existing| existing == bytes),
            // A search index is never an author's file, even if another site's build wrote it.
            Ok(Body::SearchFile(_)) => fs::read(path).is_ok_and(|existing| is_entry(&existing)),
            Ok(Body::Recording(recording)) => {
                Recording::of(&self.root, &recording).is_same(path).unwrap_or(false)
            }
            Ok(Body::File(file)) => same_bytes(&self.root.join(file), path).unwrap_or(false),
            Err(_) => false,
        }
    }

    /// Returns errors for symlinks that replaced folders whose files must be written again.
    pub(super) fn blocking_symlinks(
        &self,
        routes: &Routes,
        states: &[RouteState],
    ) -> Vec<Diagnostic> {
        let again = routes
            .routes
            .iter()
            .zip(states)
            .filter(|(_, state)| state.record.is_none() && state.line.is_some());
        let folders: HashSet<&str> = again
            .flat_map(|(route, _)| {
                let ends = route.file.match_indices('/').map(|(end, _)| end);
                ends.map(move |end| &route.file[..end])
            })
            .collect();
        let mut links: Vec<&str> =
            folders.into_par_iter().filter(|folder| self.out.join(folder).is_symlink()).collect();
        links.sort_unstable();
        links.into_iter().map(|folder| self.blocking_link_error(folder)).collect()
    }

    fn blocking_file_error(&self, file: &str, needed: &str) -> Diagnostic {
        let path = self.out.join(file);
        Diagnostic::error(format!(
            "{} was not written by feedwright, and the build needs {needed} there",
            path.display()
        ))
        .help("move it away")
    }

    fn blocking_link_error(&self, folder: &str) -> Diagnostic {
        let path = self.out.join(folder);
        Diagnostic::error(format!(
            "{} is a symbolic link, and the build would write and remove files through it",
            path.display()
        ))
        .help("remove the link; only the output folder itself may be a link")
    }

    /// Returns whether an earlier build wrote everything in a folder of the output.
    fn is_generated(&self, folder: &str) -> bool {
        walkdir::WalkDir::new(self.out.join(folder)).into_iter().all(|entry| {
            entry.is_ok_and(|entry| {
                entry.file_type().is_dir()
                    || entry.path().strip_prefix(&self.out).is_ok_and(|path| {
                        let file = path.to_string_lossy().replace('\\', "/");
                        self.manifest.has(&file)
                    })
            })
        })
    }
}
