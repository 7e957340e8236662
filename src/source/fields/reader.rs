//! A file that is being read. The reader collects the files that this file refers to or depends on,
//! and the problems found.

mod references;

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::hash::Hash;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use front_matter::FrontMatter;
use jiff::Timestamp;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64, xxh3_64_with_seed};

use super::UNKNOWN_KEY_HELP;
use crate::defaults;
use crate::disk::Disk;
use crate::key_advice::{KeyAdvice, KeyReplacement};
use crate::notation::Notation;
use crate::stamp::Lookup;
use highlight::code_cache::CodeCache;
use model::defaults::DEFAULT;
use model::{
    Bodies, BodyLocation, Config, ContentLink, Diagnostic, FileReport, Fix, MediaFile, Rule,
    Severity, SitePath, Source,
};

/// An unknown key. Its meaning is determined after the whole file is read.
pub(super) struct UnknownKey {
    pub key: String,
    pub span: Range<usize>,
    /// The prefix of the key in messages, such as `podcast.`.
    pub prefix: String,
    /// The known key of the same table with the most similar spelling.
    pub near: Option<&'static str>,
    /// The advice on replacing the key, if there is any.
    pub replacement: Option<KeyReplacement>,
}

/// A file that is being read, and the problems found so far.
pub struct Reader<'a> {
    pub source: Source<'a>,
    pub config: &'a Config,
    disk: Disk<'a>,
    found: RefCell<FileReport>,
    /// Unknown keys of inner tables.
    unknown: RefCell<Vec<UnknownKey>>,
    media: RefCell<Vec<MediaFile>>,
    /// Public paths that front matter refers to.
    links: RefCell<Vec<ContentLink>>,
    /// The media files whose problems were already reported.
    examined: RefCell<HashSet<SitePath>>,
    depends: Cell<u64>,
    /// Whether wrong values are left out with a warning, see [`Reader::with_lenient_values`].
    is_lenient: Cell<bool>,
    /// Whether a wrong value is an error even within [`Reader::with_lenient_values`].
    is_strict: bool,
    /// Whether the HTML of a Markdown body has a comment before each block: the line of the body in
    /// which the block starts (`<!--line 3-->`). The editor's preview finds the edited block by it.
    pub has_line_marks: bool,
    /// Whether a relative path is an error.
    pub(super) refuses_relative_paths: bool,
    /// The reader that rereads bodies of this site, and the hash of this file.
    bodies: Option<(Arc<dyn Bodies>, u64)>,
}

impl<'a> Reader<'a> {
    /// Starts reading a file of the site at `root`.
    pub fn new(source: Source<'a>, config: &'a Config, root: &'a Path) -> Self {
        Self::on(Disk::new(root), source, config)
    }

    /// Returns the cache of highlighted code.
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
            has_line_marks: false,
            refuses_relative_paths: false,
            bodies: None,
        }
    }

    /// Makes every wrong value an error. Used for content written by programs, such as API clients.
    pub fn strict(self) -> Self {
        Self { is_strict: true, ..self }
    }

    /// Makes every relative path an error. Used for values that apply to files in several folders.
    pub fn without_relative_paths(self) -> Self {
        Self { refuses_relative_paths: true, ..self }
    }

    /// Runs `read` so that a wrong value is left out with a warning and does not stop the build. An
    /// address that would harm readers is still an error.
    pub fn with_lenient_values<T>(&self, read: impl FnOnce() -> T) -> T {
        let before = self.is_lenient.replace(!self.is_strict);
        let value = read();
        self.is_lenient.set(before);
        value
    }

    /// Sets the reader that reads the file's body again when the body is needed. `file_hash` is the
    /// hash of the file.
    pub fn with_bodies(self, bodies: Arc<dyn Bodies>, file_hash: u64) -> Self {
        Self { bodies: Some((bodies, file_hash)), ..self }
    }

    /// Returns the location of this file's body, and the reader that will reread the body.
    pub fn place_of_body(
        &self,
        start: usize,
        scope: &str,
    ) -> Option<(&Arc<dyn Bodies>, BodyLocation)> {
        let (bodies, file_hash) = self.bodies.as_ref()?;
        let place = BodyLocation {
            file: self.source.path.clone(),
            start,
            scope: scope.to_owned(),
            file_hash: *file_hash,
            stored: None,
        };
        Some((bodies, place))
    }

    /// Returns a hash that changes if the file is moved, or if data from a referenced file changes.
    pub fn fingerprint(&self) -> u64 {
        self.depends.get()
    }

    /// Takes the paths that were looked up while this file was read, whether they exist or not.
    pub fn take_lookups(&self) -> Vec<Lookup> {
        self.disk.take_lookups()
    }

    fn add_dependency(&self, what: &[u8]) {
        self.depends.set(xxh3_64_with_seed(what, self.depends.get()));
    }

    /// Returns the site's folder.
    pub fn root(&self) -> &'a Path {
        self.disk.root()
    }

    /// Returns the entries of a folder of the site.
    pub fn entries(&self, folder: &SitePath) -> Vec<SitePath> {
        self.disk.entries(folder)
    }

    /// Returns the text of another file of the site, and adds that file to the dependencies of this
    /// file. Returns `None` if that file cannot be read; its problems are reported elsewhere.
    pub fn text_of(&self, path: &SitePath) -> Option<String> {
        let is_there = self.disk.is_file(path) && self.disk.is_inside(path);
        let bytes = self.disk.read(path).ok().filter(|_| is_there)?;
        self.add_dependency(&bytes);
        String::from_utf8(bytes).ok()
    }

    /// Returns the time when the file was last written, to the second.
    pub fn written(&self) -> Timestamp {
        self.disk.written(self.source.path)
    }

    /// Returns the key notation of this file.
    pub fn notation(&self) -> Notation {
        Notation::of(self.source)
    }

    /// Returns the file's front matter. Reports the errors and returns `None` if the front matter
    /// cannot be parsed.
    pub fn front_matter(&self) -> Option<FrontMatter> {
        match self.source.front_matter() {
            Ok(front) => Some(front),
            Err(errors) => {
                errors.into_iter().for_each(|error| self.report(error));
                None
            }
        }
    }

    /// Returns the file's front matter with the defaults of its folder.
    pub fn front_matter_with_defaults(&self) -> Option<FrontMatter> {
        let mut front = self.front_matter()?;
        if let Some(defaults) =
            self.config.defaults.of_file(&self.config.languages, self.source.path)
        {
            let mut hash = Xxh3Default::new();
            defaults.hash(&mut hash);
            self.add_dependency(&hash.digest().to_le_bytes());
            defaults::apply(defaults, &mut front.table);
        }
        Some(front)
    }

    /// Reports an error at a position in the file.
    pub fn error(&self, span: &Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        self.report_with(None, span, || (message.into(), help.into(), None));
    }

    /// Reports an error without quoting the line, because the line may contain a secret and reports
    /// are printed to terminals and logs.
    pub fn unquoted_error(&self, span: &Range<usize>, message: String, help: impl Into<String>) {
        if *span == DEFAULT {
            return;
        }
        self.report(Diagnostic {
            source_line: None,
            source_start: None,
            ..Diagnostic::error(message).at(self.source, span.start).help(help)
        });
    }

    /// Reports a warning at a position in the file.
    pub fn warning(
        &self,
        rule: Rule,
        span: &Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.report_with(Some(rule), span, || (message.into(), help.into(), None));
    }

    /// Reports a warning for `rule`, or an error if there is no rule, at a position in the file.
    /// `words` returns the message, the help and the fix. It is called only if the maximum number
    /// of reports has not been reached.
    pub fn report_with(
        &self,
        rule: Option<Rule>,
        span: &Range<usize>,
        words: impl FnOnce() -> (String, String, Option<Fix>),
    ) {
        if *span == DEFAULT {
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
            Diagnostic { fix: fix.map(Box::new), ..diagnostic }
        });
    }

    /// Keeps an unknown key until the whole file is read. Once the maximum number of keys is
    /// reached, further keys are only counted.
    pub(super) fn record_unknown(&self, unknown: impl FnOnce() -> UnknownKey) {
        let mut kept = self.unknown.borrow_mut();
        if kept.len() < FileReport::MAX_PER_FILE {
            kept.push(unknown());
        } else {
            self.report_with(Some(Rule::UnknownKey), &(0..0), || {
                let UnknownKey { key, prefix, .. } = unknown();
                let message = format!("unknown key `{prefix}{key}`");
                (message, UNKNOWN_KEY_HELP.to_owned(), None)
            });
        }
    }

    /// Warns about unknown keys in inner tables. `is_outer` returns whether a key belongs to the
    /// file's top-level table.
    pub(super) fn warn_unknown(&self, is_outer: impl Fn(&str) -> bool, advice: KeyAdvice) {
        for unknown in self.unknown.take() {
            self.report_with(Some(Rule::UnknownKey), &unknown.span, || {
                let UnknownKey { key, prefix, .. } = &unknown;
                // The advice for top-level keys applies in tables directly below the top level, but
                // not in deeper tables.
                let is_near = prefix.matches('.').count() == 1;
                let of_file = || KeyReplacement::of(key, advice).filter(|_| is_near);
                let replacement = |replacement: KeyReplacement| replacement.remedy(self.notation());
                let help = match (unknown.replacement, unknown.near) {
                    (Some(own), _) => replacement(own),
                    _ if is_outer(key) => self.misplaced_help(key, prefix),
                    (None, Some(near)) => format!("did you mean `{near}`?"),
                    (None, None) => {
                        of_file().map_or_else(|| UNKNOWN_KEY_HELP.to_owned(), replacement)
                    }
                };
                (format!("unknown key `{prefix}{key}`"), help, None)
            });
        }
    }

    /// Returns the help for a top-level key that was written inside another table. In TOML, a table
    /// continues until the next header.
    pub(super) fn misplaced_help(&self, key: &str, prefix: &str) -> String {
        let table = prefix.split('.').next().unwrap_or_default();
        if self.notation().is_toml() {
            format!(
                "move `{key}` above the first line in brackets: all keys below [{table}] belong to `{table}`"
            )
        } else {
            format!("move `{key}` out of `{table}`, to the top level")
        }
    }

    pub fn report(&self, diagnostic: Diagnostic) {
        let severity = diagnostic.severity;
        self.found.borrow_mut().add(severity, || diagnostic);
    }

    /// Returns the errors and warnings, and the referenced files of the site without duplicates.
    pub fn finish(self) -> (Vec<Diagnostic>, Vec<MediaFile>) {
        self.warn_unknown(|_| false, &[]);
        let mut media = self.media.into_inner();
        media.sort();
        media.dedup();
        let found = self.found.into_inner();
        (found.finish(self.source.path.as_str()), media)
    }
}
