//! How what clients ask for is written: a writer holds the pen from its first look at the site until
//! what it wrote is in the newest moment, so that two never write at once and none writes over what it
//! has not seen.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use super::body::Body;
use super::{ApiError, Call, Own, names};
use crate::edit::{self, Change, Replaced};
use crate::model::{Diagnostic, Severity, SitePath, Source};
use crate::server::{App, Moment, Pen};
use crate::source::fields::Reader;
use crate::source::load::read_text;
use crate::state::Entry;

/// How often a file is read again when its author saves it just while it is edited.
const TRIES: usize = 5;

/// How long a file that is empty is waited for.
const PAUSE: Duration = Duration::from_millis(20);

/// Something that is being written.
pub struct Writing<'a> {
    /// The server.
    pub app: &'a App,
    /// The site as it was before, with all that was saved until now.
    pub before: Arc<Moment>,
    by: Writer,
    pen: Pen<'a>,
}

/// Who writes and why, for the journal.
#[derive(Debug, Clone)]
pub struct Writer {
    /// What is done, such as `updateItem`.
    pub operation: String,
    /// The id of the key, or of the app, that does it.
    pub key_id: String,
    /// The id of the event that triggered it, as the client said.
    pub causation: Option<String>,
    /// The id of the workflow it belongs to, as the client said.
    pub correlation: Option<String>,
}

/// Reads a content file only to find what is wrong with it.
pub type Check = fn(&Reader<'_>);

impl<'a> Writing<'a> {
    /// Takes the pen for a call.
    pub fn begin(call: &'a Call<'a>) -> Self {
        let by = Writer {
            operation: call.operation.id.to_owned(),
            key_id: call.head.key_id.clone(),
            causation: call.head.causation.clone(),
            correlation: call.head.correlation.clone(),
        };
        Self::by(call.app, by)
    }

    /// Takes the pen.
    pub fn by(app: &'a App, by: Writer) -> Self {
        let pen = app.live.pen();
        Self {
            app,
            before: pen.catch_up(),
            by,
            pen,
        }
    }

    /// The site's own addresses.
    pub fn own(&self) -> Own<'_> {
        Own {
            root: self.app.live.root(),
            config: &self.before.site.snapshot.config,
        }
    }

    /// Changes a file. `edit` makes the new text from the one that is there now, and is asked again
    /// when the author saves meanwhile. Answers whether anything changed.
    pub fn change(
        &self,
        path: &SitePath,
        check: Check,
        edit: impl Fn(&str) -> Result<String, ApiError>,
    ) -> Result<bool, ApiError> {
        let root = self.app.live.root();
        for tries in 1..=TRIES {
            let old = read_text(root, path)?;
            // An editor that saves in place empties a file first.
            if old.is_empty() && tries < TRIES {
                std::thread::sleep(PAUSE);
                continue;
            }
            let new = edit(&old)?;
            if new == old {
                return Ok(false);
            }
            self.check(path, Some(&old), &new, check)?;
            let replaced = edit::replace_if(&path.on_disk(root), old.as_bytes(), new.as_bytes());
            match replaced.map_err(ApiError::failed)? {
                Replaced::Done => return Ok(true),
                Replaced::Changed => {}
            }
        }
        Err(ApiError::conflict(format!(
            "{path} is being saved by someone else; try again"
        )))
    }

    /// A name in a folder that no file has.
    pub fn free_name(
        &self,
        folder: &str,
        stem: &str,
        extension: &str,
    ) -> Result<SitePath, ApiError> {
        let folder = SitePath::parse(folder).ok_or_else(|| ApiError::failed("no such folder"))?;
        edit::free_name(self.app.live.root(), &folder, stem, extension).map_err(ApiError::failed)
    }

    /// Writes a new file.
    pub fn create(&self, path: &SitePath, text: &str, check: Check) -> Result<(), ApiError> {
        self.check(path, None, text, check)?;
        edit::create(&path.on_disk(self.app.live.root()), text.as_bytes()).map_err(ApiError::failed)
    }

    /// Changes a file that becomes one with another extension; the old one is kept in the trash.
    /// At every instant one of the two is there: a crash in between leaves the old text under the new name.
    pub fn convert(
        &self,
        path: &SitePath,
        extension: &str,
        check: Check,
        edit: impl Fn(&str) -> Result<String, ApiError>,
    ) -> Result<SitePath, ApiError> {
        let root = self.app.live.root();
        let to = with_extension(path, extension)
            .filter(|to| !to.on_disk(root).exists())
            .ok_or_else(|| {
                ApiError::conflict(format!(
                    "a file that ends in .{extension} lies beside {path}"
                ))
            })?;
        let old = read_text(root, path)?;
        let new = edit(&old)?;
        self.check(&to, None, &new, check)?;
        edit::keep_in_trash(root, path, Timestamp::now()).map_err(ApiError::failed)?;
        edit::rename(&path.on_disk(root), &to.on_disk(root)).map_err(ApiError::failed)?;
        let file = to.on_disk(root);
        match edit::replace_if(&file, old.as_bytes(), new.as_bytes()).map_err(ApiError::failed)? {
            Replaced::Done => Ok(to),
            Replaced::Changed => {
                // What its author saved meanwhile has its name again, unless that name is taken.
                edit::rename(&file, &path.on_disk(root)).map_err(ApiError::failed)?;
                Err(ApiError::conflict(format!(
                    "{path} is being saved by someone else; try again"
                )))
            }
        }
    }

    /// Changes a file, which becomes another one where its body is sent in another format.
    pub fn rewrite(
        &self,
        path: &SitePath,
        body: Option<&Body>,
        check: Check,
        edit: impl Fn(&str) -> Result<String, ApiError>,
    ) -> Result<SitePath, ApiError> {
        match body {
            Some(body) if body.extension != path.extension() => {
                self.convert(path, body.extension, check, edit)
            }
            _ => {
                self.change(path, check, edit)?;
                Ok(path.clone())
            }
        }
    }

    /// Changes keys of a file that is all TOML.
    pub fn change_toml(
        &self,
        path: &SitePath,
        check: Check,
        changes: &[Change],
    ) -> Result<bool, ApiError> {
        self.change(path, check, |text| {
            edit::apply_toml(Source { path, text }, changes).map_err(cannot_edit)
        })
    }

    /// Moves a file to the trash.
    pub fn remove(&self, path: &SitePath) -> Result<(), ApiError> {
        edit::remove_to_trash(self.app.live.root(), path, Timestamp::now())
            .map(|_| ())
            .map_err(ApiError::failed)
    }

    /// Refuses a text that the site could not be built from. What was wrong before is no reason.
    pub fn check(
        &self,
        path: &SitePath,
        old: Option<&str>,
        new: &str,
        check: Check,
    ) -> Result<(), ApiError> {
        let known: Vec<String> = old
            .map(|old| self.errors(path, old, check))
            .unwrap_or_default()
            .into_iter()
            .map(|diagnostic| diagnostic.message)
            .collect();
        let found = self.errors(path, new, check);
        match found
            .into_iter()
            .find(|found| !known.contains(&found.message))
        {
            Some(found) => {
                let namespace = &self.before.site.snapshot.config.namespace;
                let source = Source { path, text: new };
                Err(ApiError::bad(names::message(&found, source, namespace)))
            }
            None => Ok(()),
        }
    }

    fn errors(&self, path: &SitePath, text: &str, check: Check) -> Vec<Diagnostic> {
        let config = &self.before.site.snapshot.config;
        let reader = Reader::new(Source { path, text }, config, self.app.live.root());
        check(&reader);
        let (mut found, _) = reader.finish();
        found.retain(|found| found.severity == Severity::Error);
        found
    }

    /// Brings what was written into the newest moment and into search.
    pub fn show(&self, paths: &[SitePath]) -> Arc<Moment> {
        self.pen.wrote(paths)
    }

    /// The journal's entry of a write.
    pub fn entry(&self, subject: &str, path: Option<&SitePath>) -> Entry {
        let by = self.by.clone();
        Entry {
            time: Timestamp::now(),
            operation: by.operation,
            subject: subject.to_owned(),
            path: path.map(ToString::to_string),
            key_id: by.key_id,
            causation: by.causation,
            correlation: by.correlation,
        }
    }

    /// Writes the journal.
    pub fn record(&self, subject: &str, path: Option<&SitePath>) -> Result<(), ApiError> {
        let entry = self.entry(subject, path);
        self.app.state.append(&entry).map_err(ApiError::failed)
    }
}

/// Why a file could not be edited: what its author has to mend first.
pub fn cannot_edit(found: Vec<Diagnostic>) -> ApiError {
    match found.into_iter().next() {
        Some(first) => first.into(),
        None => ApiError::conflict("the file cannot be edited"),
    }
}

fn with_extension(path: &SitePath, extension: &str) -> Option<SitePath> {
    let folder = path
        .parent()
        .map_or(String::new(), |folder| format!("{folder}/"));
    SitePath::parse(&format!("{folder}{}.{extension}", path.stem()))
}
