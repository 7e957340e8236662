//! The steps of a write: what is to become of each file. Either all are done or none is.

use std::fs;
use std::io::ErrorKind;

use jiff::Timestamp;

use super::ApiError;
use super::writing::{Check, Undone, Writing, cannot_edit};
use crate::edit::{self, Change, Prepared, Replaced, Whole};
use crate::model::{SitePath, Source};
use crate::source::content_files::content_files;
use crate::source::disk::is_saving;
use crate::source::listing::Listing;
use crate::source::text::read_text;
use crate::state;

/// Makes the new text of a file from the one that is there.
type Edit<'s> = Box<dyn Fn(&str) -> Result<String, ApiError> + 's>;

/// What is to become of a file.
pub enum Step<'s> {
    /// It changes. Where its author saves it meanwhile, the edit is asked again.
    Change {
        /// The file.
        path: SitePath,
        /// Reads it.
        check: Check,
        /// Makes the new text.
        edit: Edit<'s>,
    },
    /// It is new.
    Create {
        /// The file.
        path: SitePath,
        /// Reads it.
        check: Check,
        /// Its text.
        text: String,
    },
    /// It becomes one with another name; the old one goes to the trash once the new one is there.
    Convert {
        /// The file.
        path: SitePath,
        /// The new one.
        to: SitePath,
        /// Reads it.
        check: Check,
        /// Makes the new text.
        edit: Edit<'s>,
    },
    /// It goes to the trash. Of one that stands for the folder it lies in, the folder goes.
    Remove {
        /// The file.
        path: SitePath,
    },
}

impl<'s> Step<'s> {
    /// Changes a file.
    pub fn change(
        path: &SitePath,
        check: Check,
        edit: impl Fn(&str) -> Result<String, ApiError> + 's,
    ) -> Self {
        Self::Change {
            path: path.clone(),
            check,
            edit: Box::new(edit),
        }
    }

    /// Changes keys of a file that is all TOML.
    pub fn change_toml(path: &SitePath, check: Check, changes: Vec<Change>) -> Self {
        let source = path.clone();
        Self::change(path, check, move |text| {
            let path = &source;
            edit::apply_toml(Source { path, text }, &changes).map_err(cannot_edit)
        })
    }

    /// Writes a new file.
    pub fn create(path: &SitePath, text: &str, check: Check) -> Self {
        Self::Create {
            path: path.clone(),
            check,
            text: text.to_owned(),
        }
    }

    /// Changes a file that gets another name with that.
    pub fn convert(
        path: &SitePath,
        to: &SitePath,
        check: Check,
        edit: impl Fn(&str) -> Result<String, ApiError> + 's,
    ) -> Self {
        Self::Convert {
            path: path.clone(),
            to: to.clone(),
            check,
            edit: Box::new(edit),
        }
    }

    /// Moves a file to the trash.
    pub fn remove(path: &SitePath) -> Self {
        Self::Remove { path: path.clone() }
    }
}

/// Steps that are prepared: nothing is changed yet, and there is room for all of it.
pub struct Ready<'a>(Vec<One<'a>>);

/// A prepared change of one file.
struct One<'a> {
    path: SitePath,
    /// The path that is another then: the folder, where that goes.
    touched: SitePath,
    before: Option<u64>,
    text: Option<String>,
    change: Prepared<'a>,
}

impl Writing<'_> {
    /// Prepares steps.
    pub fn ready(&self, steps: &[Step<'_>]) -> Result<Ready<'_>, Undone> {
        let mut ready = Vec::new();
        let now = Timestamp::now();
        for step in steps {
            let prepared = match step {
                Step::Create { path, check, text } => {
                    self.check(path, None, text, *check)?;
                    Some(vec![self.created(path, text)?])
                }
                Step::Change { path, check, edit } => self.changed(path, *check, edit)?,
                Step::Convert {
                    path,
                    to,
                    check,
                    edit,
                } => self.converted(path, to, *check, edit, now)?,
                Step::Remove { path } => Some(self.removed(path, now)?),
            };
            match prepared {
                Some(prepared) => ready.extend(prepared),
                None => return Err(Undone::All(Replaced::Open, step.path().clone())),
            }
        }
        Ok(Ready(ready))
    }

    fn created(&self, path: &SitePath, text: &str) -> Result<One<'_>, ApiError> {
        Ok(One {
            path: path.clone(),
            touched: path.clone(),
            before: None,
            text: Some(text.to_owned()),
            change: Prepared::create(self.app.live.root(), path, text.as_bytes())?,
        })
    }

    /// None where the file is being saved.
    fn changed(
        &self,
        path: &SitePath,
        check: Check,
        edit: &Edit<'_>,
    ) -> Result<Option<Vec<One<'_>>>, ApiError> {
        let root = self.app.live.root();
        let Some((old, new)) = self.edited(path, path, check, edit)? else {
            return Ok(None);
        };
        if old == new {
            return Ok(Some(Vec::new()));
        }
        let change = Prepared::replace(root, path, old.as_bytes(), new.as_bytes())?;
        Ok(change.map(|change| {
            vec![One {
                path: path.clone(),
                touched: path.clone(),
                before: Some(state::Step::hash(old.as_bytes())),
                text: Some(new),
                change,
            }]
        }))
    }

    fn converted(
        &self,
        path: &SitePath,
        to: &SitePath,
        check: Check,
        edit: &Edit<'_>,
        now: Timestamp,
    ) -> Result<Option<Vec<One<'_>>>, ApiError> {
        let root = self.app.live.root();
        let Some((old, new)) = self.edited(path, to, check, edit)? else {
            return Ok(None);
        };
        let held = Some(old.as_bytes());
        // At every instant one of the two is there, and whole.
        Ok(Some(vec![
            self.created(to, &new)?,
            One {
                path: path.clone(),
                touched: path.clone(),
                before: held.map(state::Step::hash),
                text: None,
                change: Prepared::remove(root, path, Whole::File, held, now)?,
            },
        ]))
    }

    /// The text of a file, and the new one. None where the file is being saved: somebody has it open for
    /// that, or has emptied it a moment ago.
    fn edited(
        &self,
        path: &SitePath,
        to: &SitePath,
        check: Check,
        edit: &Edit<'_>,
    ) -> Result<Option<(String, String)>, ApiError> {
        let root = self.app.live.root();
        let file = path.on_disk(root);
        if edit::is_being_written(&file)? {
            return Ok(None);
        }
        let facts = match file.metadata() {
            // Some editors take the old file away before they write the new one.
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

    fn removed(&self, path: &SitePath, now: Timestamp) -> Result<Vec<One<'_>>, ApiError> {
        let root = self.app.live.root();
        let (whole, beside) = self.belongings(path);
        let one = |path: &SitePath, whole: Whole| -> Result<One<'_>, ApiError> {
            let held = fs::read(path.on_disk(root)).map_err(|error| match error.kind() {
                ErrorKind::NotFound => ApiError::conflict(format!(
                    "{path} has just been moved or removed by someone else; nothing was written: try again"
                )),
                _ => error.into(),
            })?;
            Ok(One {
                path: path.clone(),
                touched: whole.of(path),
                before: Some(state::Step::hash(&held)),
                text: None,
                change: Prepared::remove(root, path, whole, None, now)?,
            })
        };
        // The file itself last: until then its folder is what it was, to whoever reads it.
        let beside = beside.iter().map(|path| one(path, Whole::File));
        beside.chain([one(path, whole)]).collect()
    }

    /// What goes with a file: the folder, of one that stands for it. Where other content lies in the folder,
    /// that and the media stay; what would be content by itself then goes along.
    fn belongings(&self, path: &SitePath) -> (Whole, Vec<SitePath>) {
        let folder = path
            .parent()
            .filter(|folder| path.stem() == "index" && folder.matches('/').count() >= 2);
        let Some(folder) = folder else {
            return (Whole::File, Vec::new());
        };
        let mut files = Listing::walk(self.app.live.root(), folder).files;
        let (before, _) = content_files(&files);
        if before.iter().all(|content| content == path) {
            return (Whole::Folder, Vec::new());
        }
        files.retain(|file| file != path);
        let (mut after, _) = content_files(&files);
        after.retain(|content| !before.contains(content));
        (Whole::File, after)
    }
}

impl Step<'_> {
    fn path(&self) -> &SitePath {
        match self {
            Self::Change { path, .. }
            | Self::Create { path, .. }
            | Self::Convert { path, .. }
            | Self::Remove { path } => path,
        }
    }
}

impl Ready<'_> {
    /// Whether the files are as they are to be.
    pub fn is_nothing(&self) -> bool {
        self.0.is_empty()
    }

    /// What changes.
    pub fn paths(&self) -> Vec<SitePath> {
        self.0.iter().map(|one| one.touched.clone()).collect()
    }

    /// The steps as they are noted before they are done.
    pub fn as_noted(&self) -> Vec<state::Step> {
        let steps = self.0.iter().enumerate();
        steps
            .map(|(number, one)| state::Step {
                path: one.path.to_string(),
                before: one.before,
                // Without the first step, nothing was begun that has to be finished.
                text: one.text.clone().filter(|_| number > 0),
            })
            .collect()
    }

    /// Does the steps, or none of them.
    pub fn put(mut self) -> Result<Self, Undone> {
        for number in 0..self.0.len() {
            let one = &mut self.0[number];
            let undone = match one.change.put() {
                Ok(Replaced::Done) => continue,
                Ok(replaced) => Undone::All(replaced, one.path.clone()),
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    Undone::All(Replaced::Changed, one.path.clone())
                }
                Err(error) => Undone::Failed(error.into()),
            };
            let mut done = self.0[..number].iter_mut().rev();
            return Err(match done.try_for_each(|one| one.change.undo()) {
                Ok(()) => undone,
                Err(error) => Undone::Not(ApiError::failed(format!(
                    "a part was written, and the rest is when the server starts again: {error}"
                ))),
            });
        }
        Ok(self)
    }

    /// Watches over the files that were replaced: who had one open may write only now.
    pub fn watch_over(&self) {
        self.0.iter().for_each(|one| one.change.watch_over());
    }
}
