//! A file that is being read: collects the files it names or depends on, and what is wrong with it.

mod references;

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use front_matter::FrontMatter;
use jiff::Timestamp;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::UNKNOWN;
use crate::disk::Disk;
use crate::key_advice::{Instead, KeyAdvice};
use crate::notation::Notation;
use crate::stamp::Asked;
use highlight::code_cache::CodeCache;
use model::{
    Bodies, BodyPlace, Config, ContentLink, Diagnostic, FileReport, Fix, MediaFile, Rule, Severity,
    SitePath, Source,
};

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

/// A file that is being read, and what was found wrong with it so far.
pub struct Reader<'a> {
    pub source: Source<'a>,
    pub config: &'a Config,
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
    /// What reads bodies of this site again, and the hash of this file.
    bodies: Option<(Arc<dyn Bodies>, u64)>,
}

impl<'a> Reader<'a> {
    /// Starts reading a file of the site at `root`.
    pub fn new(source: Source<'a>, config: &'a Config, root: &'a Path) -> Self {
        Self::on(Disk::new(root), source, config)
    }

    /// What is known of code.
    pub fn code(&self) -> Option<&'a CodeCache> {
        self.disk.code()
    }

    /// Starts reading a file whose text was read from `disk`.
    pub fn on(disk: Disk<'a>, source: Source<'a>, config: &'a Config) -> Self {
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
            bodies: None,
        }
    }

    /// Reports every wrong value as an error, for a text that a program writes.
    pub fn strict(self) -> Self {
        Self { is_strict: true, ..self }
    }

    /// Reads values of which a wrong one costs itself and not the build: its errors become warnings, except where an
    /// address would harm readers.
    pub fn leniently<T>(&self, read: impl FnOnce() -> T) -> T {
        let before = self.is_lenient.replace(!self.is_strict);
        let value = read();
        self.is_lenient.set(before);
        value
    }

    /// Leaves the file's body to `bodies`, which will read it again. `file_hash` is the hash of the file.
    pub fn with_bodies(self, bodies: Arc<dyn Bodies>, file_hash: u64) -> Self {
        Self { bodies: Some((bodies, file_hash)), ..self }
    }

    /// Where the body of this file stands, and what will read it there again.
    pub fn place_of_body(
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
    pub fn fingerprint(&self) -> u64 {
        self.depends.get()
    }

    /// The files that were looked for while this one was read, found or not.
    pub fn take_asked(&self) -> Vec<Asked> {
        self.disk.take_asked()
    }

    fn depends_on(&self, what: &[u8]) {
        self.depends.set(xxh3_64_with_seed(what, self.depends.get()));
    }

    /// What is in a folder of the site.
    pub fn entries(&self, folder: &SitePath) -> Vec<SitePath> {
        self.disk.entries(folder)
    }

    /// The text of another file of the site, on which this one depends from now on. None if it cannot be
    /// read; its faults are reported elsewhere.
    pub fn text_of(&self, path: &SitePath) -> Option<String> {
        let is_there = self.disk.is_file(path) && self.disk.is_inside(path);
        let bytes = self.disk.read(path).ok().filter(|_| is_there)?;
        self.depends_on(&bytes);
        String::from_utf8(bytes).ok()
    }

    /// When the file was last written, to the second.
    pub fn written(&self) -> Timestamp {
        self.disk.written(self.source.path)
    }

    /// How this file writes keys.
    pub fn notation(&self) -> Notation {
        Notation::of(self.source)
    }

    /// The file's front matter. None, with its errors reported, where it cannot be read.
    pub fn front_matter(&self) -> Option<FrontMatter> {
        match self.source.front_matter() {
            Ok(front) => Some(front),
            Err(errors) => {
                errors.into_iter().for_each(|error| self.report(error));
                None
            }
        }
    }

    /// Reports an error at a place of the file.
    pub fn error(&self, span: &Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        self.tell(None, span, || (message.into(), help.into(), None));
    }

    /// Reports an error without quoting the line, which may hold a secret: reports go to terminals and logs.
    pub fn unquoted_error(&self, span: &Range<usize>, message: String, help: impl Into<String>) {
        self.report(Diagnostic {
            source_line: None,
            source_start: None,
            ..Diagnostic::error(message).at(self.source, span.start).help(help)
        });
    }

    /// Reports a warning at a place of the file.
    pub fn warning(
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
    pub fn tell(
        &self,
        rule: Option<Rule>,
        span: &Range<usize>,
        words: impl FnOnce() -> (String, String, Option<Fix>),
    ) {
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
            Diagnostic { fix: fix.map(Box::new), ..diagnostic }
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

    /// Warns of unknown keys of inner tables. `is_outer` finds the keys of the file's own table.
    pub(super) fn tell_unknown(&self, is_outer: impl Fn(&str) -> bool, advice: KeyAdvice) {
        for unknown in self.unknown.take() {
            self.tell(Some(Rule::UnknownKey), &unknown.span, || {
                let UnknownKey { key, prefix, .. } = &unknown;
                // What is said of the file's own keys fits tables that stand right in it.
                let is_near = prefix.matches('.').count() == 1;
                let of_file = || Instead::of(key, advice).filter(|_| is_near);
                let instead = |instead: Instead| instead.remedy(self.notation());
                let help = match (unknown.instead, unknown.near) {
                    (Some(own), _) => instead(own),
                    _ if is_outer(key) => self.belongs_outside(key, prefix),
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

    pub fn report(&self, diagnostic: Diagnostic) {
        let severity = diagnostic.severity;
        self.found.borrow_mut().add(severity, || diagnostic);
    }

    /// The errors and warnings, and the files of the site that were named, each once.
    pub fn finish(self) -> (Vec<Diagnostic>, Vec<MediaFile>) {
        self.tell_unknown(|_| false, &[]);
        let mut media = self.media.into_inner();
        media.sort();
        media.dedup();
        let found = self.found.into_inner();
        (found.finish(self.source.path.as_str()), media)
    }
}
