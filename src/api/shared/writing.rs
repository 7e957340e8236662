//! Writes the changes that clients request. A writer acquires the write lock before it reads the
//! site, and releases it after the newest moment (the snapshot that the server serves) includes the
//! write. Writes therefore never overlap, and no write overwrites a change that the writer has not
//! read.
//!
//! 1. `steps` describe how each file changes. `preparation` does everything that can fail because
//!    the disk is full.
//! 2. The state records the write. Until this point nothing has changed, and every failure is an
//!    error for the client.
//! 3. The files are put in place while no request reads the site.
//!
//! Nothing after these steps changes the client's answer.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use super::preparation::{Preparation, WriteFailure};
use super::steps::{Check, Step};
use super::{ApiError, SiteUrls};
use edit::transaction::IncomingFile;
use edit::{self, KnownText, LanguagePlace, Replaced};
use model::{ContentFolder, SitePath};
use server::{App, Moment, WriteLock};
use state::{self, FileStep, JournalEntry, RecordedWrite, Ticket};

/// Maximum number of attempts if the author saves files during the edit.
const MAX_ATTEMPTS: usize = 15;

/// Waiting time before the next attempt while a file is being saved.
const RETRY_DELAY: Duration = Duration::from_millis(20);

pub struct Writing<'a> {
    pub app: &'a App,
    /// The site before the write, including everything that was saved before the write began.
    pub before: Arc<Moment>,
    /// The site with all shows before the write.
    pub whole: Arc<Moment>,
    by: Writer,
    /// The show whose content is written. None means the whole site.
    show: Option<String>,
    /// The write lock. None if nothing will be written.
    write_lock: Option<WriteLock<'a>>,
}

/// The client that writes and the cause of the write, for the journal.
#[derive(Debug, Clone)]
pub struct Writer {
    /// The operation, such as `updateItem`.
    pub operation: String,
    /// The id of the key or app.
    pub key_id: String,
    /// The id of the event that caused the write, as sent by the client.
    pub causation: Option<String>,
    /// The id of the workflow that the write belongs to, as sent by the client.
    pub correlation: Option<String>,
}

/// Returns the moment of a show alone, or the whole moment without a show.
pub fn of_show(moment: &Arc<Moment>, show: Option<&str>) -> Result<Arc<Moment>, ApiError> {
    moment.of_show(show).ok_or_else(|| ApiError::not_found("this show no longer exists"))
}

impl<'a> Writing<'a> {
    /// Prepares a dry run. A dry run needs no write lock, so another write can run at the same
    /// time.
    pub fn only_look(app: &'a App, before: Arc<Moment>, by: Writer) -> Self {
        Self { app, whole: Arc::clone(&before), before, by, show: None, write_lock: None }
    }

    pub fn begin(app: &'a App, by: Writer) -> Self {
        let write_lock = app.live.lock_writes();
        let before = write_lock.catch_up();
        let whole = Arc::clone(&before);
        Self { app, before, whole, by, show: None, write_lock: Some(write_lock) }
    }

    /// Reads a file again, even if the operating system has not reported a change yet. Does nothing
    /// in a dry run. Returns an error if the show no longer exists.
    pub fn reread(self, path: &SitePath) -> Result<Self, ApiError> {
        let Some(write_lock) = &self.write_lock else {
            return Ok(self);
        };
        self.app.live.touch(path.clone());
        let whole = write_lock.catch_up();
        let before = of_show(&whole, self.show.as_deref())?;
        Ok(Self { before, whole, ..self })
    }

    /// Limits the write to a show. Returns an error if the show no longer exists.
    pub fn in_show(self, show: Option<&str>) -> Result<Self, ApiError> {
        let before = of_show(&self.before, show)?;
        Ok(Self { before, show: show.map(str::to_owned), ..self })
    }

    /// Limits the write to the show that has a file, if a show has it.
    pub fn in_show_of(self, file: &SitePath) -> Result<Self, ApiError> {
        match ContentFolder::of(file.as_str()).show() {
            Some(show) if self.show.is_none() => self.in_show(Some(show)),
            _ => Ok(self),
        }
    }

    pub fn own(&self) -> SiteUrls<'_> {
        SiteUrls { root: self.app.live.root(), config: &self.before.site.snapshot.config }
    }

    /// Runs these steps and publishes the next [`Moment`]. `subject` and `path` are for the
    /// journal.
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

    /// Works like [`write`](Self::write), for a creation with a reserved idempotency key. Also
    /// stores the answer.
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

    /// Works like [`write`](Self::write), but does nothing if no file changes. Returns whether any
    /// file changed.
    pub fn write_if_changed(
        &self,
        subject: &str,
        path: &SitePath,
        steps: &[Step<'_>],
    ) -> Result<bool, ApiError> {
        let entry = self.entry(subject, Some(path));
        Ok(self.put(&entry, steps, None)?.is_some())
    }

    /// Moves an uploaded file to its path. No file exists at this path yet.
    pub fn keep(&self, subject: &str, path: &SitePath, file: IncomingFile) -> Result<(), ApiError> {
        let write_lock = self.write_lock()?;
        let step = FileStep { path: path.to_string(), before: None, text: None };
        let intent =
            self.app.state.record_write(&self.entry(subject, Some(path)), &[step], None)?;
        match write_lock.write(std::slice::from_ref(path), || file.keep()) {
            Ok(_) => {
                intent.confirm();
                Ok(())
            }
            Err(error) => {
                intent.discard();
                Err(error.into())
            }
        }
    }

    fn write_lock(&self) -> Result<&WriteLock<'a>, ApiError> {
        let nothing = || ApiError::failed("a dry run cannot write");
        self.write_lock.as_ref().ok_or_else(nothing)
    }

    /// Runs the steps. Returns None if no file changes.
    fn put(
        &self,
        entry: &JournalEntry,
        steps: &[Step<'_>],
        reserved: Option<(&Ticket, &state::Answer)>,
    ) -> Result<Option<Arc<Moment>>, ApiError> {
        let write_lock = self.write_lock()?;
        let mut intent = None;
        let mut saving = String::new();
        for _ in 0..MAX_ATTEMPTS {
            match self.try_steps(write_lock, entry, steps, reserved, &mut intent) {
                Ok(done) => return Ok(done),
                Err(WriteFailure::All(replaced, path)) => {
                    saving = path.to_string();
                    if replaced == Replaced::Open {
                        std::thread::sleep(RETRY_DELAY);
                    }
                }
                Err(WriteFailure::Failed(error)) => return Err(discard_noted(intent, error)),
                // The server completes the write at its next start.
                Err(WriteFailure::Not(error)) => return Err(error),
            }
        }
        let error = ApiError::conflict(format!(
            "{saving} is being saved by someone else; nothing was written: try again"
        ));
        Err(discard_noted(intent, error))
    }

    fn try_steps(
        &self,
        write_lock: &WriteLock<'_>,
        entry: &JournalEntry,
        steps: &[Step<'_>],
        reserved: Option<(&Ticket, &state::Answer)>,
        intent: &mut Option<RecordedWrite>,
    ) -> Result<Option<Arc<Moment>>, WriteFailure> {
        let ready = self.preparation().ready(steps)?;
        if ready.changes_nothing() {
            if let Some(intent) = intent.take() {
                intent.discard();
            }
            return Ok(None);
        }
        match intent {
            Some(intent) => intent.change(&ready.recorded_steps())?,
            None => {
                *intent =
                    Some(self.app.state.record_write(entry, &ready.recorded_steps(), reserved)?)
            }
        }
        let (ready, moment) = write_lock.write(&ready.paths(), || ready.put())?;
        if let Some(intent) = intent.take() {
            intent.confirm();
        }
        ready.watch_for_saves();
        Ok(Some(moment.of_show(self.show.as_deref()).unwrap_or(moment)))
    }

    /// Returns an unused path in a folder.
    pub fn free_name(
        &self,
        folder: &str,
        stem: &str,
        extension: &str,
    ) -> Result<SitePath, ApiError> {
        let folder =
            SitePath::parse(folder).ok_or_else(|| ApiError::failed("invalid folder path"))?;
        Ok(edit::free_name(self.app.live.root(), &folder, stem, extension)?)
    }

    /// Returns an unused path for a new item or page in a language. `folder` is `content/items` or
    /// `content/pages`. The path does not make the text a translation of another text.
    pub fn free_text_name(
        &self,
        folder: &str,
        language: Option<&str>,
        (stem, extension): (&str, &str),
    ) -> Result<SitePath, ApiError> {
        let (root, snapshot) = (self.app.live.root(), &self.before.site.snapshot);
        let folder =
            SitePath::parse(folder).ok_or_else(|| ApiError::failed("invalid folder path"))?;
        let languages = &snapshot.config.languages;
        let place = LanguagePlace::of(root, languages, (&folder, extension), language);
        let texts: HashSet<&str> = self.texts().map(|text| text.path).collect();
        let is_taken = |path: &SitePath| {
            languages.of_file(path).is_some_and(|(_, text)| texts.contains(&*text))
        };
        let name = (stem, &*place.extension);
        Ok(edit::free_name_except(root, &place.folder, name, is_taken)?)
    }

    /// Returns the path of a new translation of a file into a language of the site.
    pub fn translation_path(
        &self,
        original: &SitePath,
        language: &str,
        extension: &str,
    ) -> Result<SitePath, ApiError> {
        let (root, snapshot) = (self.app.live.root(), &self.before.site.snapshot);
        let wanted = (original, language);
        let languages = &snapshot.config.languages;
        if language.is_empty() && !languages.others.is_empty() {
            return Err(ApiError::bad("language: is required for a translation"));
        }
        let path = edit::translation_path(root, languages, wanted, self.texts());
        let path = path.map_err(|fault| {
            let message = format!("language: {}", fault.message);
            if fault.exists { ApiError::conflict(message) } else { ApiError::bad(message) }
        })?;
        let stem = path.as_str().strip_suffix(&*path.extension()).unwrap_or_default();
        SitePath::parse(&format!("{stem}{extension}"))
            .ok_or_else(|| ApiError::failed("the path of the translation is invalid"))
    }

    /// Rejects the language of a text after a change if the site already has the text in it.
    pub fn check_language_free(
        &self,
        file: &SitePath,
        language: Option<&str>,
    ) -> Result<(), ApiError> {
        let languages = &self.before.site.snapshot.config.languages;
        let others = self.texts().filter(|text| text.file != file.as_str());
        match edit::existing_translation(languages, (file, languages.index(language)), others) {
            Some(message) => Err(ApiError::conflict(format!("language: {message}"))),
            None => Ok(()),
        }
    }

    fn texts(&self) -> impl Iterator<Item = KnownText<'_>> {
        let snapshot = &self.before.site.snapshot;
        let items = snapshot.entries.iter().map(|entry| &*entry.item);
        KnownText::all(items, snapshot.pages.iter().map(|entry| &*entry.page))
    }

    /// Returns the step that changes a file, and the path of the file after the change. If the
    /// format of the body changes, the extension of the file changes, too.
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

    /// Returns the step that changes a file and its extension, and the path of the file after the
    /// change.
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
                    "a .{extension} file with the same name already exists next to {path}"
                ))
            })?;
        Ok((Step::convert(path, &to, check, edit), to))
    }

    /// Rejects new content of a file if the site could not be built with it. Ignores errors that
    /// the old content already had.
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
        Preparation { root: self.app.live.root(), config: &self.before.site.snapshot.config }
    }

    /// Returns the journal entry of a write.
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

/// Removes the record of the write, because the write did not happen.
fn discard_noted(intent: Option<RecordedWrite>, error: ApiError) -> ApiError {
    if let Some(intent) = intent {
        intent.discard();
    }
    error
}

fn with_extension(path: &SitePath, extension: &str) -> Option<SitePath> {
    let folder = path.parent().map_or(String::new(), |folder| format!("{folder}/"));
    SitePath::parse(&format!("{folder}{}.{extension}", path.stem()))
}
