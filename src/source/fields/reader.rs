//! A file that is being read: collects the files it names or depends on, and what is wrong with it.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use front_matter::FrontMatter;
use jiff::Timestamp;
use serde_json::json;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::UNKNOWN;
use super::watch::Watch;
use crate::model::StandsFor;
use crate::model::{
    Bodies, BodyPlace, Config, ContentLink, Diagnostic, FileReport, Fix, Image, MediaFile, Rule,
    Severity, SitePath, Source, folded,
};
use crate::source::code_cache::CodeCache;
use crate::source::disk::Disk;
use crate::source::key_advice::{Instead, KeyAdvice};
use crate::source::notation::Notation;
use crate::source::reference::{self, Local, Problem, Reference};
use crate::source::stamp::Asked;
use crate::source::text::{SHORTEN, not_utf8};

/// An unknown key. What it was meant to be is decided when the whole file is read.
pub(super) struct UnknownKey {
    pub key: String,
    pub span: Range<usize>,
    /// What stands before it in messages: `podcast.`.
    pub prefix: String,
    /// The known key of its table that it resembles.
    pub near: Option<&'static str>,
    /// What its table says of it.
    pub instead: Option<Instead>,
}

/// How a file uses another file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// It is the value of a front matter key.
    Named,
    /// The text links to it.
    Linked,
    /// The text shows it.
    Shown,
}

/// A file that is being read, and what was found wrong with it so far.
pub struct Reader<'a> {
    pub(crate) source: Source<'a>,
    pub(crate) config: &'a Config,
    disk: Disk<'a>,
    found: RefCell<FileReport>,
    /// Unknown keys of inner tables.
    unknown: RefCell<Vec<UnknownKey>>,
    media: RefCell<Vec<MediaFile>>,
    /// Public paths that front matter names.
    links: RefCell<Vec<ContentLink>>,
    /// The media whose faults were reported.
    examined: RefCell<HashSet<SitePath>>,
    depends: Cell<u64>,
    /// Whether wrong values are left out with a warning, see [`leniently`](Self::leniently).
    is_lenient: Cell<bool>,
    /// Whether a wrong value is an error wherever it is.
    is_strict: bool,
    /// What is asked of a table, where someone wants to know.
    pub(super) watch: Option<RefCell<Watch>>,
    /// What reads bodies of this site again, and the hash of this file.
    bodies: Option<(Arc<dyn Bodies>, u64)>,
}

impl<'a> Reader<'a> {
    /// Starts reading a file of the site at `root`.
    pub fn new(source: Source<'a>, config: &'a Config, root: &'a Path) -> Self {
        Self::on(Disk::new(root), source, config)
    }

    /// What is known of code.
    pub(crate) fn code(&self) -> Option<&'a CodeCache> {
        self.disk.code()
    }

    /// Starts reading a file whose text was read from `disk`.
    pub(crate) fn on(disk: Disk<'a>, source: Source<'a>, config: &'a Config) -> Self {
        Self {
            source,
            config,
            disk,
            found: RefCell::default(),
            unknown: RefCell::default(),
            media: RefCell::default(),
            links: RefCell::default(),
            examined: RefCell::default(),
            depends: Cell::new(xxh3_64(source.path.as_str().as_bytes())),
            is_lenient: Cell::new(false),
            is_strict: false,
            watch: None,
            bodies: None,
        }
    }

    /// Notes what is asked of the table that is marked.
    pub(crate) fn watching(self) -> Self {
        Self {
            watch: Some(RefCell::default()),
            ..self
        }
    }

    /// Reports every wrong value as an error, for a text that a program writes.
    pub(crate) fn strict(self) -> Self {
        Self {
            is_strict: true,
            ..self
        }
    }

    /// Reads values of which a wrong one costs itself and not the build: its errors become warnings, except where an
    /// address would harm readers.
    pub(crate) fn leniently<T>(&self, read: impl FnOnce() -> T) -> T {
        let before = self.is_lenient.replace(!self.is_strict);
        let value = read();
        self.is_lenient.set(before);
        value
    }

    pub(super) fn note(&self, note: impl FnOnce(&mut Watch)) {
        if let Some(watch) = &self.watch {
            note(&mut watch.borrow_mut());
        }
    }

    /// What was asked of the table that is marked.
    pub(crate) fn take_watch(&self) -> Watch {
        self.watch.as_ref().map(RefCell::take).unwrap_or_default()
    }

    /// Leaves the file's body to `bodies`, which will read it again. `file_hash` is the hash of the file.
    pub(crate) fn with_bodies(self, bodies: Arc<dyn Bodies>, file_hash: u64) -> Self {
        Self {
            bodies: Some((bodies, file_hash)),
            ..self
        }
    }

    /// Where the body of this file stands, and what will read it there again.
    pub(crate) fn place_of_body(
        &self,
        start: usize,
        scope: &str,
    ) -> Option<(&Arc<dyn Bodies>, BodyPlace)> {
        let (bodies, file_hash) = self.bodies.as_ref()?;
        let place = BodyPlace {
            file: self.source.path.clone(),
            start,
            scope: scope.to_owned(),
            file_hash: *file_hash,
        };
        Some((bodies, place))
    }

    /// Changes whenever the file is moved, or anything that was read from a file it names changes.
    pub(crate) fn fingerprint(&self) -> u64 {
        self.depends.get()
    }

    /// The files that were looked for while this one was read, found or not.
    pub(crate) fn take_asked(&self) -> Vec<Asked> {
        self.disk.take_asked()
    }

    fn depends_on(&self, what: &[u8]) {
        self.depends
            .set(xxh3_64_with_seed(what, self.depends.get()));
    }

    /// Resolves a reference in this file's front matter. A file of the site is published from then on. A missing
    /// file, a file outside the site and a damaged picture are errors.
    pub(crate) fn reference(&self, text: &str, span: &Range<usize>) -> Option<Reference> {
        let found = self.publish(text, span, Use::Named);
        let is_path = text.starts_with('/') && !text.starts_with("//");
        // A file below `/media/` that does not exist is an error already.
        if is_path && !text.starts_with("/media/") && matches!(found, Some(Reference::Remote(_))) {
            let link = ContentLink::to_path(text, span.start);
            self.links.borrow_mut().push(link);
        }
        found
    }

    /// The public paths named so far. They are checked when the whole site is read.
    pub(crate) fn take_links(&self) -> Vec<ContentLink> {
        self.links.take()
    }

    /// [`reference`](Self::reference) in a text, where a damaged file is a warning.
    pub(crate) fn linked(&self, text: &str, span: &Range<usize>) -> Option<Reference> {
        self.publish(text, span, Use::Linked)
    }

    /// [`linked`](Self::linked), to what a text shows in place.
    pub(crate) fn shown(&self, text: &str, span: &Range<usize>) -> Option<Reference> {
        self.publish(text, span, Use::Shown)
    }

    /// Reports the faults of a media file, once for each file that names it.
    fn report_media(&self, local: &Local, span: &Range<usize>, is_named: bool) {
        let (source, facts) = (&local.file.source, &local.facts);
        if facts.damage.is_none() && facts.problems.is_empty()
            || !self.examined.borrow_mut().insert(source.clone())
        {
            return;
        }
        if let Some(damage) = &facts.damage {
            let (message, help) = (format!("{source} is {damage}"), "replace the file");
            // A recording may be a placeholder that is replaced before its episode is public.
            match is_named && facts.media_type.starts_with("image/") {
                true => self.error(span, message, help),
                false => self.warning(Rule::Media, span, message, help),
            }
        }
        for problem in &facts.problems {
            let help = match problem.starts_with("sizes: ") {
                true => "it is published unchanged; save it again with another program",
                false => "the missing value is left out; add it next to the file's name",
            };
            let message = format!("{source}: {problem}");
            self.warning(Rule::Media, span, message, help);
        }
    }

    fn publish(&self, text: &str, span: &Range<usize>, used: Use) -> Option<Reference> {
        match reference::resolve(&self.disk, self.source.path, text, self.config) {
            Ok(Reference::Local(local)) => {
                self.report_media(&local, span, used == Use::Named);
                if let Some(own) = self.disk.own_spelling(&local.file.source) {
                    let message = format!("{} is another spelling of a file", local.file.source);
                    self.warning(
                        Rule::NameCase,
                        span,
                        message,
                        reference::spelling_help(&own),
                    );
                }
                let Local { file, url, facts } = &local;
                let read = json!([file.source, file.path, url, &**facts]);
                self.depends_on(read.to_string().as_bytes());
                self.media.borrow_mut().push(MediaFile {
                    is_only_shown: used == Use::Shown && file.still.is_some(),
                    is_value: used == Use::Named && !self.is_lenient.get(),
                    ..file.clone()
                });
                Some(Reference::Local(local))
            }
            Ok(Reference::Stored { url, facts }) => {
                self.depends_on(json!([url, &*facts]).to_string().as_bytes());
                Some(Reference::Stored { url, facts })
            }
            Ok(remote) => Some(remote),
            Err(problem) => {
                self.refuse(text, span, problem);
                None
            }
        }
    }

    /// Reports why a reference leads nowhere.
    pub(crate) fn refuse(&self, text: &str, span: &Range<usize>, problem: Problem) {
        let found = problem.found.as_ref();
        let fix = found.and_then(|found| respelled(text, found, span.start));
        let is_lenient = self.is_lenient.get();
        self.is_lenient.set(is_lenient && !problem.is_harmful);
        self.tell(None, span, || (problem.message, problem.help, fix));
        self.is_lenient.set(is_lenient);
    }

    /// Notes what one of the site's pictures is the artwork of.
    pub(crate) fn stands_for(&self, image: Option<&Image>, what: StandsFor) {
        let is_it = |file: &&mut MediaFile| {
            image.is_some_and(|image| self.config.media_url(&file.path) == image.url)
        };
        for file in self.media.borrow_mut().iter_mut().filter(is_it) {
            file.stands_for = file.stands_for.or(what);
        }
    }

    /// An address as it was written. None, with an error, if its scheme could harm a reader.
    pub(crate) fn harmless(&self, address: String, span: &Range<usize>) -> Option<String> {
        match reference::refused(&address) {
            None => Some(address),
            Some(problem) => {
                self.error(span, problem.message, problem.help);
                None
            }
        }
    }

    /// The file of the site that a relative path in this file names.
    pub(crate) fn locate(&self, path: &str) -> Result<SitePath, Problem> {
        reference::locate(&self.disk, self.source.path, path)
    }

    /// The address of a file that a relative path names, which is not here and lies elsewhere.
    pub(crate) fn stored(&self, path: &str) -> Option<String> {
        let found = reference::stored_from(&self.disk, self.source.path, path, self.config);
        found.map(|found| found.url().to_owned())
    }

    /// Whether a file is published at `/media/` and this path.
    pub(crate) fn is_published(&self, path: &str) -> bool {
        reference::published_at(&self.disk, path).is_some()
    }

    /// Whether an HTML file lies in the folder of an item's or a Page's `index` file: then it is a medium.
    pub(crate) fn is_beside_index(&self, file: &SitePath) -> bool {
        self.disk.is_beside_index(file)
    }

    /// The text of a file of the site that a relative path in this file names. From now on it counts
    /// among the files this one depends on; one that is missing, outside the site or not UTF-8 is an error.
    pub(crate) fn text_beside(
        &self,
        path: &str,
        span: &Range<usize>,
    ) -> Option<(SitePath, String)> {
        let read = || {
            let source = self.locate(path)?;
            reference::check_publishable(&self.disk, &source)?;
            let bytes = self
                .disk
                .read(&source)
                .map_err(|error| match error.kind() {
                    io::ErrorKind::FileTooLarge => Problem {
                        message: format!("{source} is larger than 16 MiB"),
                        help: SHORTEN.into(),
                        found: None,
                        is_harmful: false,
                    },
                    _ => Problem {
                        message: format!("{source} cannot be read: {error}"),
                        help: "check that it is a readable file".into(),
                        found: None,
                        is_harmful: false,
                    },
                })?;
            Ok((source, bytes))
        };
        match read() {
            Ok((source, bytes)) => {
                let text = match String::from_utf8(bytes) {
                    Ok(text) => text,
                    Err(error) => {
                        let valid = error.utf8_error().valid_up_to();
                        self.report(not_utf8(&source, error.as_bytes(), valid));
                        return None;
                    }
                };
                let file = reference::publish(source.clone());
                self.depends_on(text.as_bytes());
                self.media.borrow_mut().push(file);
                Some((source, text))
            }
            Err(problem) => {
                self.refuse(path, span, problem);
                None
            }
        }
    }

    /// What is in a folder of the site.
    pub(crate) fn entries(&self, folder: &SitePath) -> Vec<SitePath> {
        self.disk.entries(folder)
    }

    /// The text of another file of the site, on which this one depends from now on. None if it cannot be
    /// read; its faults are reported elsewhere.
    pub(crate) fn text_of(&self, path: &SitePath) -> Option<String> {
        let is_there = self.disk.is_file(path) && self.disk.is_inside(path);
        let bytes = self.disk.read(path).ok().filter(|_| is_there)?;
        self.depends_on(&bytes);
        String::from_utf8(bytes).ok()
    }

    /// When the file was last written, to the second.
    pub(crate) fn written(&self) -> Timestamp {
        self.disk.written(self.source.path)
    }

    /// How this file writes keys.
    pub(crate) fn notation(&self) -> Notation {
        Notation::of(self.source)
    }

    /// The file's front matter. None, with its errors reported, where it cannot be read.
    pub(crate) fn front_matter(&self) -> Option<FrontMatter> {
        match self.source.front_matter() {
            Ok(front) => Some(front),
            Err(errors) => {
                errors.into_iter().for_each(|error| self.report(error));
                None
            }
        }
    }

    /// Reports an error at a place of the file.
    pub(crate) fn error(
        &self,
        span: &Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.tell(None, span, || (message.into(), help.into(), None));
    }

    /// Reports a warning at a place of the file.
    pub(crate) fn warning(
        &self,
        rule: Rule,
        span: &Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.tell(Some(rule), span, || (message.into(), help.into(), None));
    }

    /// Reports a warning of a rule, or else an error, at a place of the file. `words` makes the message and the help; it is only called
    /// if there is room for one more report.
    pub(in crate::source) fn tell(
        &self,
        rule: Option<Rule>,
        span: &Range<usize>,
        words: impl FnOnce() -> (String, String, Option<Fix>),
    ) {
        if self.watch.is_some() {
            // It is asked what it knows, thousands of times: nobody reads what it tells.
            return;
        }
        let rule = rule.or(self.is_lenient.get().then_some(Rule::ChapterTime));
        let severity = match rule {
            Some(_) => Severity::Warning,
            None => Severity::Error,
        };
        self.found.borrow_mut().add(severity, || {
            let (message, help, fix) = words();
            let diagnostic = match rule {
                Some(rule) => Diagnostic::warning(rule, message),
                None => Diagnostic::error(message),
            };
            let diagnostic = diagnostic.at(self.source, span.start).help(help);
            Diagnostic {
                fix: fix.map(Box::new),
                ..diagnostic
            }
        });
    }

    /// Keeps an unknown key until the whole file is read; those past the limit are only counted.
    pub(super) fn keep_unknown(&self, unknown: impl FnOnce() -> UnknownKey) {
        let mut kept = self.unknown.borrow_mut();
        if kept.len() < FileReport::MOST {
            kept.push(unknown());
        } else {
            self.tell(Some(Rule::UnknownKey), &(0..0), || {
                let UnknownKey { key, prefix, .. } = unknown();
                let message = format!("unknown key `{prefix}{key}`");
                (message, UNKNOWN.to_owned(), None)
            });
        }
    }

    /// Warns of unknown keys of inner tables. `outer` are the keys of the file's own table.
    pub(super) fn tell_unknown(&self, outer: &[&'static str], advice: KeyAdvice) {
        for unknown in self.unknown.take() {
            self.tell(Some(Rule::UnknownKey), &unknown.span, || {
                let UnknownKey { key, prefix, .. } = &unknown;
                // What is said of the file's own keys fits tables that stand right in it.
                let is_near = prefix.matches('.').count() == 1;
                let of_file = || Instead::of(key, advice).filter(|_| is_near);
                let instead = |instead: Instead| instead.remedy(self.notation());
                let help = match (unknown.instead, unknown.near) {
                    (Some(own), _) => instead(own),
                    _ if outer.contains(&key.as_str()) => self.belongs_outside(key, prefix),
                    (None, Some(near)) => format!("did you mean `{near}`?"),
                    (None, None) => of_file().map_or_else(|| UNKNOWN.to_owned(), instead),
                };
                (format!("unknown key `{prefix}{key}`"), help, None)
            });
        }
    }

    /// Help for a key of the outer table that was written inside another one: in TOML a table goes on up to
    /// the next header.
    pub(super) fn belongs_outside(&self, key: &str, prefix: &str) -> String {
        let table = prefix.split('.').next().unwrap_or_default();
        if self.notation().is_toml() {
            format!(
                "`{key}` is no key of `{table}`: move it above the first line in brackets, as what stands below [{table}] belongs to that table"
            )
        } else {
            format!("`{key}` is no key of `{table}`: move it out of there, to the top")
        }
    }

    /// Reports something.
    pub(crate) fn report(&self, diagnostic: Diagnostic) {
        let severity = diagnostic.severity;
        self.found.borrow_mut().add(severity, || diagnostic);
    }

    /// The errors and warnings, and the files of the site that were named, each once.
    pub fn finish(self) -> (Vec<Diagnostic>, Vec<MediaFile>) {
        self.tell_unknown(&[], &[]);
        let mut media = self.media.into_inner();
        media.sort();
        media.dedup();
        let found = self.found.into_inner();
        (found.finish(self.source.path.as_str()), media)
    }
}

/// A reference with the names that files have. None where it is more than names that differ in case.
fn respelled(text: &str, found: &SitePath, at: usize) -> Option<Fix> {
    let mut own = found.as_str().rsplit('/');
    let mut parts = Vec::new();
    for part in text.rsplit('/') {
        let is_name = !matches!(part, "" | "." | "..");
        let own = own
            .next()
            .filter(|own| is_name && folded(part) == folded(own));
        parts.push(own.unwrap_or(part));
    }
    parts.reverse();
    let to = parts.join("/");
    (to != text).then(|| Fix::Respell {
        at,
        from: text.to_owned(),
        to,
    })
}
