//! How what clients ask for is written: a writer holds the pen from its first look at the site until
//! what it wrote is in the newest moment, so that two never write at once and none writes over what it
//! has not seen.
//!
//! 1. `steps`: what is to become of each file; `preparation`: everything done for it that may fail for want of room.
//! 2. It is noted in the state. Until here nothing is changed, and who cannot wait is told so.
//! 3. The files are put in place while nobody reads the site.
//!
//! Nothing that comes after decides what the client is told.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use super::preparation::{Preparation, Undone};
use super::steps::{Check, Step};
use super::{ApiError, OwnAddresses};
use crate::edit::{self, Replaced};
use crate::model::SitePath;
use crate::server::{App, Moment, Pen};
use crate::state::{self, JournalEntry, NotedWrite, Ticket};

/// How often the files are read again when their author saves them just while they are edited.
const TRIES: usize = 15;

/// How long a file that is being saved is waited for at a time.
const PAUSE: Duration = Duration::from_millis(20);

/// Something that is being written.
pub struct Writing<'a> {
    /// The server.
    pub app: &'a App,
    /// The site as it was before, with all that was saved until now.
    pub before: Arc<Moment>,
    by: Writer,
    /// None where nothing is to be written.
    pen: Option<Pen<'a>>,
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

impl<'a> Writing<'a> {
    /// Looks at what would be written, without the pen: others may be writing.
    pub fn only_look(app: &'a App, before: Arc<Moment>, by: Writer) -> Self {
        Self {
            app,
            before,
            by,
            pen: None,
        }
    }

    /// Takes the pen.
    pub fn begin(app: &'a App, by: Writer) -> Self {
        let pen = app.live.pen();
        Self {
            app,
            before: pen.catch_up(),
            by,
            pen: Some(pen),
        }
    }

    /// The site's own addresses.
    pub fn own(&self) -> OwnAddresses<'_> {
        OwnAddresses {
            root: self.app.live.root(),
            config: &self.before.site.snapshot.config,
        }
    }

    /// Does these steps, and shows what came of it. `subject` and `path` are what the journal says.
    pub fn write(
        &self,
        subject: &str,
        path: Option<&SitePath>,
        steps: &[Step<'_>],
    ) -> Result<Arc<Moment>, ApiError> {
        let entry = self.entry(subject, path);
        match self.put(&entry, steps, None)? {
            Some(moment) => Ok(moment),
            None => {
                self.app.state.append(&entry)?;
                Ok(Arc::clone(&self.before))
            }
        }
    }

    /// The same for a creation that was reserved: with it, its answer is kept.
    pub fn write_once(
        &self,
        subject: &str,
        path: &SitePath,
        steps: &[Step<'_>],
        (ticket, answer): (&Ticket, &state::Answer),
    ) -> Result<(), ApiError> {
        let entry = self.entry(subject, Some(path));
        self.put(&entry, steps, Some((ticket, answer))).map(|_| ())
    }

    /// The same for what is no write where nothing changes. Answers whether anything did.
    pub fn write_if_other(
        &self,
        subject: &str,
        path: &SitePath,
        steps: &[Step<'_>],
    ) -> Result<bool, ApiError> {
        let entry = self.entry(subject, Some(path));
        Ok(self.put(&entry, steps, None)?.is_some())
    }

    /// None where the files are as they are to be.
    fn put(
        &self,
        entry: &JournalEntry,
        steps: &[Step<'_>],
        reserved: Option<(&Ticket, &state::Answer)>,
    ) -> Result<Option<Arc<Moment>>, ApiError> {
        let Some(pen) = &self.pen else {
            return Err(ApiError::failed("this was to write nothing"));
        };
        let mut noted = None;
        let mut saving = String::new();
        for _ in 0..TRIES {
            match self.try_to_put(pen, entry, steps, reserved, &mut noted) {
                Ok(done) => return Ok(done),
                Err(Undone::All(replaced, path)) => {
                    saving = path.to_string();
                    if replaced == Replaced::Open {
                        std::thread::sleep(PAUSE);
                    }
                }
                Err(Undone::Failed(error)) => return Err(not_made(noted, error)),
                // It is finished when the site is next served.
                Err(Undone::Not(error)) => return Err(error),
            }
        }
        let error = ApiError::conflict(format!(
            "{saving} is being saved by someone else just now; nothing was written: try again"
        ));
        Err(not_made(noted, error))
    }

    fn try_to_put(
        &self,
        pen: &Pen<'_>,
        entry: &JournalEntry,
        steps: &[Step<'_>],
        reserved: Option<(&Ticket, &state::Answer)>,
        noted: &mut Option<NotedWrite>,
    ) -> Result<Option<Arc<Moment>>, Undone> {
        let ready = self.preparation().ready(steps)?;
        if ready.is_nothing() {
            if let Some(noted) = noted.take() {
                noted.unmade();
            }
            return Ok(None);
        }
        match noted {
            Some(noted) => noted.change(&ready.as_noted())?,
            None => *noted = Some(self.app.state.note(entry, &ready.as_noted(), reserved)?),
        }
        let (ready, moment) = pen.write(&ready.paths(), || ready.put())?;
        if let Some(noted) = noted.take() {
            noted.made();
        }
        ready.watch_over();
        Ok(Some(moment))
    }

    /// A name in a folder that no file has.
    pub fn free_name(
        &self,
        folder: &str,
        stem: &str,
        extension: &str,
    ) -> Result<SitePath, ApiError> {
        let folder = SitePath::parse(folder).ok_or_else(|| ApiError::failed("no such folder"))?;
        Ok(edit::free_name(
            self.app.live.root(),
            &folder,
            stem,
            extension,
        )?)
    }

    /// The step that changes a file, which becomes another one where its body is sent in a format that
    /// has another extension, and the path it has then.
    pub fn rewrite<'s>(
        &self,
        path: &SitePath,
        extension: Option<&str>,
        check: Check,
        edit: impl Fn(&str) -> Result<String, ApiError> + 's,
    ) -> Result<(Step<'s>, SitePath), ApiError> {
        match extension {
            Some(extension) if extension != path.extension() => {
                self.convert(path, extension, check, edit)
            }
            _ => Ok((Step::change(path, check, edit), path.clone())),
        }
    }

    /// The step that makes a file one with another extension, and the path it has then.
    pub fn convert<'s>(
        &self,
        path: &SitePath,
        extension: &str,
        check: Check,
        edit: impl Fn(&str) -> Result<String, ApiError> + 's,
    ) -> Result<(Step<'s>, SitePath), ApiError> {
        let root = self.app.live.root();
        let to = with_extension(path, extension)
            .filter(|to| !to.on_disk(root).exists())
            .ok_or_else(|| {
                ApiError::conflict(format!(
                    "a file that ends in .{extension} lies beside {path}"
                ))
            })?;
        Ok((Step::convert(path, &to, check, edit), to))
    }

    /// Refuses a text that the site could not be built from. What was wrong before is no reason.
    pub fn check(
        &self,
        path: &SitePath,
        old: Option<&str>,
        new: &str,
        check: Check,
    ) -> Result<(), ApiError> {
        self.preparation().check(path, old, new, check)
    }

    fn preparation(&self) -> Preparation<'_> {
        Preparation {
            root: self.app.live.root(),
            config: &self.before.site.snapshot.config,
        }
    }

    /// The journal's entry of a write.
    pub fn entry(&self, subject: &str, path: Option<&SitePath>) -> JournalEntry {
        let by = self.by.clone();
        JournalEntry {
            time: Timestamp::now(),
            operation: by.operation,
            subject: subject.to_owned(),
            path: path.map(ToString::to_string),
            key_id: by.key_id,
            causation: by.causation,
            correlation: by.correlation,
        }
    }
}

/// Takes back what was noted of a write that did not happen.
fn not_made(noted: Option<NotedWrite>, error: ApiError) -> ApiError {
    if let Some(noted) = noted {
        noted.unmade();
    }
    error
}

fn with_extension(path: &SitePath, extension: &str) -> Option<SitePath> {
    let folder = path
        .parent()
        .map_or(String::new(), |folder| format!("{folder}/"));
    SitePath::parse(&format!("{folder}{}.{extension}", path.stem()))
}
