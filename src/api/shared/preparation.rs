//! Prepares the steps of a write before any file changes: creates and validates the new content of
//! each file, and reserves the disk space and open files that the steps need.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use jiff::Timestamp;

use super::steps::{Check, Edit, Step};
use super::{ApiError, field_names};
use edit::transaction::{Prepared, TrashScope};
use edit::{self, Replaced};
use model::{Config, Diagnostic, Severity, SitePath, Source};
use source::content_files::content_files;
use source::disk::{Disk, is_saving};
use source::fields::Reader;
use source::listing::Listing;
use source::text::read_text;

/// The reason why a write failed, and whether some of its changes remain.
pub enum WriteFailure {
    /// Nothing changed, because another program was writing the file at this path.
    All(Replaced, SitePath),
    /// The write failed with this error, and nothing changed.
    Failed(ApiError),
    /// The write failed with this error, and some of its changes could not be undone.
    Not(ApiError),
}

impl<E: Into<ApiError>> From<E> for WriteFailure {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

/// The prepared steps of a write. Nothing has changed yet, and all disk space and open files that
/// the steps need are reserved.
pub struct PreparedWrite<'a>(Vec<PreparedChange<'a>>);

/// A prepared change to one file.
struct PreparedChange<'a> {
    path: SitePath,
    /// The path that changes on the disk. If the whole folder is removed, this is the path of the
    /// folder.
    touched: SitePath,
    before: Option<u64>,
    text: Option<String>,
    change: Prepared<'a>,
}

/// Prepares the steps of a write, based on the site's state before the write.
#[derive(Clone, Copy)]
pub struct Preparation<'a> {
    pub root: &'a Path,
    pub config: &'a Config,
}

/// Returns an error if a file written at this path would be outside the site because of a symlink.
pub fn check_inside_site(root: &Path, path: &SitePath) -> Result<(), ApiError> {
    if is_inside_site(root, path) {
        return Ok(());
    }
    Err(ApiError::bad(format!(
        "{path}: a symlink in this path points outside the site; nothing was written"
    )))
}

/// Returns whether a file written at this path would be inside the site. Checks the path itself, or
/// its nearest existing parent folder. A broken symlink counts as outside the site.
fn is_inside_site(root: &Path, path: &SitePath) -> bool {
    let disk = Disk::new(root);
    let mut at = Some(path.clone());
    while let Some(existing) = at {
        if existing.on_disk(root).symlink_metadata().is_ok() {
            return disk.is_inside(&existing);
        }
        at = existing.parent().and_then(SitePath::parse);
    }
    true
}

impl<'a> Preparation<'a> {
    /// Rejects new content of a file if the site could not be built with it. Ignores errors that
    /// the old content already had.
    pub fn check(
        &self,
        path: &SitePath,
        old: Option<&str>,
        new: &str,
        check: Check,
    ) -> Result<(), ApiError> {
        let found = self.errors(path, new, check);
        if found.is_empty() {
            return Ok(());
        }
        let known: Vec<String> = old
            .map(|old| self.errors(path, old, check))
            .unwrap_or_default()
            .into_iter()
            .map(|diagnostic| diagnostic.message)
            .collect();
        match found.into_iter().find(|found| !known.contains(&found.message)) {
            Some(found) => {
                let namespace = &self.config.namespace;
                let source = Source { path, text: new };
                Err(ApiError::bad(field_names::message(&found, source, namespace)))
            }
            None => Ok(()),
        }
    }

    fn errors(&self, path: &SitePath, text: &str, check: Check) -> Vec<Diagnostic> {
        let reader = Reader::new(Source { path, text }, self.config, self.root).strict();
        check(&reader);
        let (mut found, _) = reader.finish();
        found.retain(|found| found.severity == Severity::Error);
        found
    }

    pub fn ready(&self, steps: &[Step<'_>]) -> Result<PreparedWrite<'a>, WriteFailure> {
        let mut ready = Vec::new();
        let now = Timestamp::now();
        for step in steps {
            let prepared = match step {
                Step::Create { path, check, text } => {
                    self.check(path, None, text, *check)?;
                    Some(vec![self.prepare_creation(path, text)?])
                }
                Step::Change { path, check, edit } => self.prepare_change(path, *check, edit)?,
                Step::Convert { path, to, check, edit } => {
                    self.prepare_conversion(path, to, *check, edit, now)?
                }
                Step::Remove { path } => Some(self.prepare_removal(path, now)?),
            };
            match prepared {
                Some(prepared) => ready.extend(prepared),
                None => return Err(WriteFailure::All(Replaced::Open, step.path().clone())),
            }
        }
        Ok(PreparedWrite(ready))
    }

    /// Returns an error if the trash folder is outside the site.
    fn check_trash_inside_site(&self) -> Result<(), ApiError> {
        SitePath::parse(edit::TRASH).map_or(Ok(()), |trash| check_inside_site(self.root, &trash))
    }

    fn prepare_creation(
        &self,
        path: &SitePath,
        text: &str,
    ) -> Result<PreparedChange<'a>, ApiError> {
        check_inside_site(self.root, path)?;
        Ok(PreparedChange {
            path: path.clone(),
            touched: path.clone(),
            before: None,
            text: Some(text.to_owned()),
            change: Prepared::create(self.root, path, text.as_bytes())?,
        })
    }

    /// Prepares a change to a file's text. Returns None if another program is saving the file.
    fn prepare_change(
        &self,
        path: &SitePath,
        check: Check,
        edit: &Edit<'_>,
    ) -> Result<Option<Vec<PreparedChange<'a>>>, ApiError> {
        let root = self.root;
        let Some((old, new)) = self.prepare_text(path, path, check, edit)? else {
            return Ok(None);
        };
        if old == new {
            return Ok(Some(Vec::new()));
        }
        let change = Prepared::replace(root, path, old.as_bytes(), new.as_bytes())?;
        Ok(change.map(|change| {
            vec![PreparedChange {
                path: path.clone(),
                touched: path.clone(),
                before: Some(state::FileStep::hash(old.as_bytes())),
                text: Some(new),
                change,
            }]
        }))
    }

    fn prepare_conversion(
        &self,
        path: &SitePath,
        to: &SitePath,
        check: Check,
        edit: &Edit<'_>,
        now: Timestamp,
    ) -> Result<Option<Vec<PreparedChange<'a>>>, ApiError> {
        let root = self.root;
        let Some((old, new)) = self.prepare_text(path, to, check, edit)? else {
            return Ok(None);
        };
        self.check_trash_inside_site()?;
        let current = Some(old.as_bytes());
        // The new file is created before the old file is removed, so that at least one complete
        // file exists at all times.
        Ok(Some(vec![
            self.prepare_creation(to, &new)?,
            PreparedChange {
                path: path.clone(),
                touched: path.clone(),
                before: current.map(state::FileStep::hash),
                text: None,
                change: Prepared::remove(root, path, TrashScope::File, current, now)?,
            },
        ]))
    }

    /// Returns the file's current text and its edited text. Returns None if another program is
    /// saving the file: it has the file open for writing, or has just emptied the file.
    fn prepare_text(
        &self,
        path: &SitePath,
        to: &SitePath,
        check: Check,
        edit: &Edit<'_>,
    ) -> Result<Option<(String, String)>, ApiError> {
        let root = self.root;
        let file = path.on_disk(root);
        if edit::is_being_written(&file)? {
            return Ok(None);
        }
        let facts = match file.metadata() {
            // Some editors remove the old file before they write the new file.
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            facts => facts?,
        };
        let old = read_text(root, path)?;
        if old.trim().is_empty() && is_saving(&facts) {
            return Ok(None);
        }
        let new = edit(&old)?;
        if new != old {
            let known = (to == path).then_some(old.as_str());
            self.check(to, known, &new, check)?;
        }
        Ok(Some((old, new)))
    }

    fn prepare_removal(
        &self,
        path: &SitePath,
        now: Timestamp,
    ) -> Result<Vec<PreparedChange<'a>>, ApiError> {
        self.check_trash_inside_site()?;
        let root = self.root;
        let (whole, siblings) = self.removal_scope(path);
        let one = |path: &SitePath, whole: TrashScope| -> Result<PreparedChange<'a>, ApiError> {
            let current = fs::read(path.on_disk(root)).map_err(|error| match error.kind() {
                ErrorKind::NotFound => ApiError::conflict(format!(
                    "{path} was just moved or removed by someone else; nothing was written: try again"
                )),
                _ => error.into(),
            })?;
            Ok(PreparedChange {
                path: path.clone(),
                touched: whole.of(path),
                before: Some(state::FileStep::hash(&current)),
                text: None,
                change: Prepared::remove(root, path, whole, None, now)?,
            })
        };
        // The file itself is removed last. Until then, the content of the site does not change.
        let siblings = siblings.iter().map(|path| one(path, TrashScope::File));
        siblings.chain([one(path, whole)]).collect()
    }

    /// Returns whether to remove the file or its whole folder, and which other files to remove as
    /// well. The folder is removed if an `index` file is its only content. Otherwise, other content
    /// and the media are kept. Files that would become content without the `index` file are also
    /// removed.
    fn removal_scope(&self, path: &SitePath) -> (TrashScope, Vec<SitePath>) {
        let folder = path
            .parent()
            .filter(|folder| path.stem() == "index" && folder.matches('/').count() >= 2);
        let Some(folder) = folder else {
            return (TrashScope::File, Vec::new());
        };
        let mut files = Listing::walk(self.root, folder).files;
        let (before, _) = content_files(&files);
        if before.iter().all(|content| content == path) {
            return (TrashScope::Folder, Vec::new());
        }
        files.retain(|file| file != path);
        let (mut after, _) = content_files(&files);
        after.retain(|content| !before.contains(content));
        (TrashScope::File, after)
    }
}

impl PreparedWrite<'_> {
    /// Returns whether no file needs to change.
    pub fn changes_nothing(&self) -> bool {
        self.0.is_empty()
    }

    pub fn paths(&self) -> Vec<SitePath> {
        self.0.iter().map(|one| one.touched.clone()).collect()
    }

    /// Returns the steps in the format in which the state database records them before they run.
    pub fn recorded_steps(&self) -> Vec<state::FileStep> {
        let steps = self.0.iter().enumerate();
        steps
            .map(|(number, one)| state::FileStep {
                path: one.path.to_string(),
                before: one.before,
                // Recovery only checks whether the first step was done, so it does not need the
                // text of this step.
                text: one.text.clone().filter(|_| number > 0),
            })
            .collect()
    }

    /// Runs all steps. If a step fails, undoes the steps before it.
    pub fn put(mut self) -> Result<Self, WriteFailure> {
        for number in 0..self.0.len() {
            let one = &mut self.0[number];
            let undone = match one.change.put() {
                Ok(Replaced::Done) => continue,
                Ok(replaced) => WriteFailure::All(replaced, one.path.clone()),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    WriteFailure::All(Replaced::Changed, one.path.clone())
                }
                Err(error) => WriteFailure::Failed(error.into()),
            };
            let mut done = self.0[..number].iter_mut().rev();
            return Err(match done.try_for_each(|one| one.change.undo()) {
                Ok(()) => undone,
                Err(error) => WriteFailure::Not(ApiError::failed(format!(
                    "part of the change was written, and the server will write the rest when it restarts: {error}"
                ))),
            });
        }
        Ok(self)
    }

    /// Watches the replaced files for a while, because a program that had a file open may still
    /// write to it.
    pub fn watch_for_saves(&self) {
        self.0.iter().for_each(|one| one.change.watch_for_saves());
    }
}
