//! Reads typed fields out of a [`Table`]: a wrong type is an error, an unknown key a warning that
//! names the nearest known one. Everything wrong with a file is found in one pass.

use std::cell::{Cell, RefCell};
use std::io;
use std::ops::Range;
use std::path::Path;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::dates;
use super::disk::{Asked, Disk};
use super::front_matter::{self, FrontMatter};
use super::load::{SHORTEN, not_utf8};
use super::reference::{self, Problem, Reference};
use super::value::{Entry, Node, Table, Value};
use crate::model::{Config, Diagnostic, FileReport, MediaFile, Severity, SitePath, Source, url};

/// Keys that people write for others, and what to do in place of each.
pub type Guesses = &'static [(&'static [&'static str], &'static str)];

/// A key of a table that nobody asked for. What it is meant to be is known when the whole file is read.
struct Unknown {
    key: String,
    span: Range<usize>,
    /// What stands before it in messages: `podcast.`.
    prefix: String,
    /// The key of its table that it is like.
    near: Option<&'static str>,
}

/// A file that is being read, and what was found wrong with it so far.
pub struct Reader<'a> {
    /// The file.
    pub source: Source<'a>,
    /// How the site is built.
    pub config: &'a Config,
    disk: Disk<'a>,
    found: RefCell<FileReport>,
    /// Keys of tables inside the file's own one that nobody asked for.
    unknown: RefCell<Vec<Unknown>>,
    media: RefCell<Vec<MediaFile>>,
    depends: Cell<u64>,
}

impl<'a> Reader<'a> {
    /// Starts reading a file of the site at `root`.
    pub fn new(source: Source<'a>, config: &'a Config, root: &'a Path) -> Self {
        Self::on(Disk::new(root), source, config)
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
            depends: Cell::new(xxh3_64(source.path.as_str().as_bytes())),
        }
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
        self.depends
            .set(xxh3_64_with_seed(what, self.depends.get()));
    }

    /// What a reference in this file leads to. A file of the site is published from now on; one
    /// that is missing or outside the site is an error.
    pub fn reference(&self, text: &str, span: &Range<usize>) -> Option<Reference> {
        match reference::resolve(&self.disk, self.source.path, text, self.config) {
            Ok(Reference::Local(local)) => {
                for problem in &local.facts.problems {
                    self.warning(
                        span,
                        format!("{}: {problem}", local.file.source),
                        "what could not be read is left out; write it beside the file's name",
                    );
                }
                if let Some(own) = self.disk.own_spelling(&local.file.source) {
                    let message = format!("{} is another spelling of a file", local.file.source);
                    self.warning(span, message, reference::is_called(&own));
                }
                self.depends_on(format!("{local:?}").as_bytes());
                self.media.borrow_mut().push(local.file.clone());
                Some(Reference::Local(local))
            }
            Ok(remote) => Some(remote),
            Err(problem) => {
                self.error(span, problem.message, problem.help);
                None
            }
        }
    }

    /// An address that is kept as it was written; none, with an error, where it would act on who
    /// follows it.
    pub fn harmless(&self, address: String, span: &Range<usize>) -> Option<String> {
        match reference::refused(&address) {
            None => Some(address),
            Some(problem) => {
                self.error(span, problem.message, problem.help);
                None
            }
        }
    }

    /// The file of the site that a relative path in this file names.
    pub fn locate(&self, path: &str) -> Result<SitePath, Problem> {
        reference::locate(&self.disk, self.source.path, path)
    }

    /// Whether an HTML file lies in the folder of an item's or a Page's `index` file: then it is a medium.
    pub fn is_beside_index(&self, file: &SitePath) -> bool {
        if file.extension() != "html" || file.file_name() == "index.html" {
            return false;
        }
        let mut folder = file.parent();
        while let Some(path) = folder.filter(|path| *path != "content") {
            let index = ["md", "html"]
                .map(|extension| SitePath::parse(&format!("{path}/index.{extension}")));
            if index.iter().flatten().any(|index| self.disk.is_file(index)) {
                return true;
            }
            folder = path.rsplit_once('/').map(|(parent, _)| parent);
        }
        false
    }

    /// The text of a file of the site that a relative path in this file names. From now on it counts
    /// among the files this one depends on; one that is missing, outside the site or not UTF-8 is an error.
    pub fn text_beside(&self, path: &str, span: &Range<usize>) -> Option<(SitePath, String)> {
        let read = || {
            let source = self.locate(path)?;
            let bytes = self
                .disk
                .read(&source)
                .map_err(|error| match error.kind() {
                    io::ErrorKind::FileTooLarge => Problem {
                        message: format!("{source} is larger than 16 MiB"),
                        help: SHORTEN.into(),
                    },
                    _ => Problem {
                        message: format!("{source} cannot be read: {error}"),
                        help: "check that it is a readable file".into(),
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
            Err(Problem { message, help }) => {
                self.error(span, message, help);
                None
            }
        }
    }

    /// The text of another file of the site, which this one depends on from now on. None where it
    /// cannot be read; what is wrong with it is said elsewhere.
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

    /// The file's front matter. None, with its errors reported, where it cannot be read.
    pub fn front_matter(&self) -> Option<FrontMatter> {
        match front_matter::parse(self.source) {
            Ok(front) => Some(front),
            Err(errors) => {
                errors.into_iter().for_each(|error| self.report(error));
                None
            }
        }
    }

    /// Reports an error at a place of the file.
    pub fn error(&self, span: &Range<usize>, message: impl Into<String>, help: impl Into<String>) {
        self.tell(Severity::Error, span, || (message.into(), help.into()));
    }

    /// Reports a warning at a place of the file.
    pub fn warning(
        &self,
        span: &Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.tell(Severity::Warning, span, || (message.into(), help.into()));
    }

    /// Reports something at a place of the file. `words` are asked for the message and the remedy where
    /// there is room for them.
    fn tell(
        &self,
        severity: Severity,
        span: &Range<usize>,
        words: impl FnOnce() -> (String, String),
    ) {
        self.found.borrow_mut().add(severity, || {
            let (message, help) = words();
            let diagnostic = match severity {
                Severity::Error => Diagnostic::error(message),
                Severity::Warning => Diagnostic::warning(message),
            };
            diagnostic.at(self.source, span.start).help(help)
        });
    }

    /// Keeps a key for when the whole file is read; what would not be told is only counted.
    fn keep_unknown(&self, unknown: impl FnOnce() -> Unknown) {
        let mut kept = self.unknown.borrow_mut();
        match kept.len() < FileReport::MOST {
            true => kept.push(unknown()),
            false => self.tell(Severity::Warning, &(0..0), || {
                let Unknown { key, prefix, .. } = unknown();
                (format!("unknown key `{prefix}{key}`"), UNKNOWN.to_owned())
            }),
        }
    }

    /// Warns of the keys of inner tables that nobody asked for. `outer` are the keys of the file's own table.
    fn tell_unknown(&self, outer: &[&'static str], guesses: Guesses) {
        for unknown in self.unknown.take() {
            self.tell(Severity::Warning, &unknown.span, || {
                let Unknown { key, prefix, .. } = &unknown;
                let help = match unknown.near {
                    _ if outer.contains(&key.as_str()) => self.belongs_outside(key, prefix),
                    Some(near) => format!("did you mean `{near}`?"),
                    None => guess(guesses, key).unwrap_or(UNKNOWN).to_owned(),
                };
                (format!("unknown key `{prefix}{key}`"), help)
            });
        }
    }

    /// What to do about a key of the file's own table that stands in another: in TOML a table goes on
    /// up to the next.
    fn belongs_outside(&self, key: &str, prefix: &str) -> String {
        let table = prefix.split('.').next().unwrap_or_default();
        let is_toml = self.source.path.extension() == "toml"
            || self
                .source
                .text
                .trim_start_matches('\u{feff}')
                .starts_with("+++");
        match is_toml {
            true => format!(
                "`{key}` is no key of `{table}`: move it above the first line in brackets, as what stands below [{table}] belongs to that table"
            ),
            false => format!("`{key}` is no key of `{table}`: move it out of there, to the top"),
        }
    }

    /// Reports something.
    pub fn report(&self, diagnostic: Diagnostic) {
        let severity = diagnostic.severity;
        self.found.borrow_mut().add(severity, || diagnostic);
    }

    /// What was found wrong, and the files of the site that were named, each once.
    pub fn finish(self) -> (Vec<Diagnostic>, Vec<MediaFile>) {
        self.tell_unknown(&[], &[]);
        let mut media = self.media.into_inner();
        media.sort();
        media.dedup();
        let found = self.found.into_inner();
        (found.finish(self.source.path.as_str()), media)
    }
}

/// The fields of one table. Each key that is asked for counts as known.
pub struct Fields<'r, 'a> {
    /// The file.
    pub reader: &'r Reader<'a>,
    table: &'r Table,
    /// What the table is called in messages: empty, or `podcast.`.
    prefix: String,
    known: RefCell<Vec<&'static str>>,
    /// Keys that have to be there and are not, where another is like them, and where to say so.
    missing: RefCell<Vec<(&'static str, Range<usize>)>>,
    guesses: Cell<Guesses>,
    lenient: Cell<bool>,
}

/// What to do about a key that is like none.
const UNKNOWN: &str = "it is ignored; the documentation lists the keys that are known";

fn guess(guesses: Guesses, key: &str) -> Option<&'static str> {
    let found = guesses.iter().find(|(keys, _)| keys.contains(&key));
    found.map(|(_, help)| *help)
}

/// Whether what is written is a mistyped key, or another word for it.
fn is_meant(written: &str, key: &str, guesses: Guesses) -> bool {
    nearest(written, &[key]).is_some()
        || guess(guesses, written).is_some_and(|help| help == format!("write `{key}`"))
}

impl<'r, 'a> Fields<'r, 'a> {
    /// Starts reading a table. `prefix` is what stands before its keys in messages (`podcast.`).
    pub fn new(reader: &'r Reader<'a>, table: &'r Table, prefix: impl Into<String>) -> Self {
        Self {
            reader,
            table,
            prefix: prefix.into(),
            known: RefCell::default(),
            missing: RefCell::default(),
            guesses: Cell::default(),
            lenient: Cell::new(false),
        }
    }

    /// The value of a key, unless it is null or left out.
    pub fn node(&self, key: &'static str) -> Option<&'r Node> {
        self.known.borrow_mut().push(key);
        self.table.get(key).filter(|node| node.value != Value::Null)
    }

    /// A key's name in messages.
    pub fn name(&self, key: &str) -> String {
        format!("{}{key}", self.prefix)
    }

    /// A text.
    pub fn string(&self, key: &'static str) -> Option<String> {
        self.node(key).and_then(|node| self.as_string(key, node))
    }

    /// A text that is not empty and at most `max` characters long.
    pub fn text(&self, key: &'static str, max: usize) -> Option<String> {
        let node = self.node(key)?;
        let text = self.as_string(key, node)?;
        let length = text.chars().count();
        if length > max {
            self.reader.error(
                &node.span,
                format!(
                    "`{}` has {length} characters, and may have {max}",
                    self.name(key)
                ),
                "shorten it",
            );
        }
        (!text.trim().is_empty()).then_some(text)
    }

    /// A text that has to be there and not empty.
    pub fn required_text(
        &self,
        key: &'static str,
        max: usize,
        place: &Range<usize>,
    ) -> Option<String> {
        let value = self.text(key, max);
        if value.is_none()
            && !self.table.entries.iter().any(|entry| {
                entry.key == key && !matches!(entry.node.value, Value::Null | Value::String(_))
            })
            && !self.is_misnamed(key, place, &[])
        {
            self.tell_absent(key, place);
        }
        value
    }

    /// Whether a key that is missing is there under a name that is like it, or that `guesses` take for
    /// it. [`finish`](Self::finish) says so then.
    pub fn is_misnamed(&self, key: &'static str, place: &Range<usize>, guesses: Guesses) -> bool {
        let mut entries = self.table.entries.iter();
        let is_misnamed = entries.any(|entry| is_meant(&entry.key, key, guesses));
        if is_misnamed {
            self.missing.borrow_mut().push((key, place.clone()));
        }
        is_misnamed
    }

    /// True or false.
    pub fn bool(&self, key: &'static str) -> Option<bool> {
        let node = self.node(key)?;
        match node.value.bare() {
            Value::Bool(flag) => Some(*flag),
            other => self.wrong(key, node, "true or false", other),
        }
    }

    /// A whole number of a range.
    pub fn integer(&self, key: &'static str, range: std::ops::RangeInclusive<i64>) -> Option<i64> {
        let node = self.node(key)?;
        let number = match node.value.bare() {
            Value::Integer(number) => *number,
            other => return self.wrong(key, node, "a whole number", other),
        };
        if !range.contains(&number) {
            self.reader.error(
                &node.span,
                format!(
                    "`{}` is {number}, and has to be from {} to {}",
                    self.name(key),
                    range.start(),
                    range.end()
                ),
                "change the number",
            );
            return None;
        }
        Some(number)
    }

    /// A number, finite.
    pub fn number(&self, key: &'static str) -> Option<f64> {
        let node = self.node(key)?;
        match node.value.bare() {
            #[allow(clippy::cast_precision_loss)]
            Value::Integer(number) => Some(*number as f64),
            Value::Float(number) if number.is_finite() => Some(*number),
            other => self.wrong(key, node, "a number", other),
        }
    }

    /// A date and time; without an offset it is of the site's time zone.
    pub fn date(&self, key: &'static str) -> Option<Timestamp> {
        self.date_in(key, &self.reader.config.timezone)
    }

    /// A date and time; without an offset it is of this time zone.
    pub fn date_in(&self, key: &'static str, zone: &TimeZone) -> Option<Timestamp> {
        let node = self.node(key)?;
        let text = self.as_string(key, node)?;
        match dates::parse(&text, zone) {
            Ok(time) => Some(time),
            Err(why) => {
                self.reader.error(
                    &node.span,
                    format!("`{}` is no date: {why}", self.name(key)),
                    "write it like 2026-11-20T09:30:00Z, 2026-11-20 09:30 or 2026-11-20",
                );
                None
            }
        }
    }

    /// An `http:` or `https:` URL.
    pub fn http_url(&self, key: &'static str) -> Option<String> {
        let node = self.node(key)?;
        let text = self.as_string(key, node)?;
        if text.is_empty() {
            return None;
        }
        if !url::is_http(&text) {
            self.reader.error(
                &node.span,
                format!("`{}` is no URL: {text:?}", self.name(key)),
                "write the whole address, starting with https:// or http://",
            );
            return None;
        }
        Some(text)
    }

    /// A list of texts; one text alone is a list of one.
    pub fn strings(&self, key: &'static str) -> Vec<String> {
        let Some(node) = self.node(key) else {
            return Vec::new();
        };
        match &node.value {
            Value::List(list) => list
                .iter()
                .filter(|node| node.value != Value::Null)
                .filter_map(|node| self.as_string(key, node))
                .collect(),
            _ => self.as_string(key, node).into_iter().collect(),
        }
    }

    /// The elements of a list; anything else alone is a list of one.
    pub fn list(&self, key: &'static str) -> &'r [Node] {
        match self.node(key) {
            None => &[],
            Some(Node {
                value: Value::List(list),
                ..
            }) => list,
            Some(node) => std::slice::from_ref(node),
        }
    }

    /// A table, read by `read`.
    pub fn table<T>(
        &self,
        key: &'static str,
        read: impl FnOnce(&Fields<'r, 'a>) -> T,
    ) -> Option<T> {
        let node = self.node(key)?;
        match &node.value {
            Value::Table(table) => Some(self.within(key, table, read)),
            other => self.wrong(key, node, "a table", other),
        }
    }

    /// Reads a table found in a list or beside a text under `key`.
    pub fn within<T>(
        &self,
        key: &str,
        table: &'r Table,
        read: impl FnOnce(&Fields<'r, 'a>) -> T,
    ) -> T {
        let fields = Fields::new(self.reader, table, format!("{}{key}.", self.prefix));
        let value = read(&fields);
        fields.finish();
        value
    }

    /// A node as text; anything else is an error.
    pub fn as_string(&self, key: &str, node: &Node) -> Option<String> {
        match &node.value {
            Value::String(text) | Value::Plain(_, text) => Some(text.clone()),
            other => self.wrong(key, node, "a text", other),
        }
    }

    /// Reports a wrong type.
    pub fn wrong<T>(&self, key: &str, node: &Node, expected: &str, found: &Value) -> Option<T> {
        let example = match expected {
            "a text" if matches!(found, Value::List(_) | Value::Table(_)) => {
                "write one text, in quotes"
            }
            "a text" => "put it in quotes",
            "true or false" => "write true or false, without quotes",
            "a whole number" | "a number" => "write digits, without quotes",
            "a list" => "write it like [\"one\", \"two\"]",
            _ => "see the reference of this key in the documentation",
        };
        self.reader.error(
            &node.span,
            format!(
                "`{}` has to be {expected}, and is {}",
                self.name(key),
                found.kind()
            ),
            example,
        );
        None
    }

    /// A text out of a fixed set of names.
    pub fn choice<T>(
        &self,
        key: &'static str,
        names: &[&str],
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        self.choice_of(key, self.node(key)?, names, parse)
    }

    /// A node as a text out of a fixed set of names.
    pub fn choice_of<T>(
        &self,
        key: &str,
        node: &Node,
        names: &[&str],
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let text = self.as_string(key, node)?;
        let parsed = parse(&text);
        if parsed.is_none() {
            let help = match nearest(&text, names) {
                Some(near) => format!("did you mean \"{near}\"? It can be {}", names.join(", ")),
                None => format!("it can be {}", names.join(", ")),
            };
            self.reader.error(
                &node.span,
                format!("`{}` cannot be {text:?}", self.name(key)),
                help,
            );
        }
        parsed
    }

    /// The first that can be read of several spellings of a key. All of them count as known.
    pub fn first_of<T>(
        &self,
        keys: &[&'static str],
        read: impl Fn(&'static str) -> Option<T>,
    ) -> Option<T> {
        self.ignore(keys);
        keys.iter().find_map(|key| read(key))
    }

    /// Counts keys as known without reading them.
    pub fn ignore(&self, keys: &[&'static str]) {
        self.known.borrow_mut().extend(keys);
    }

    /// Lets unknown keys pass without a warning.
    pub fn allow_unknown(&self) {
        self.lenient.set(true);
    }

    /// Says what is meant by keys that people write for others.
    pub fn guesses(&self, guesses: Guesses) {
        self.guesses.set(guesses);
    }

    /// Warns of the keys nobody asked for, and reports those that are missing.
    pub fn finish(self) {
        let known = self.known.borrow();
        let is_unknown = |entry: &&Entry| !known.contains(&entry.key.as_str());
        let mut missing = self.missing.take();
        for entry in self.table.entries.iter().filter(is_unknown) {
            // One mistake: what is missing is there under a mistyped name.
            let guesses = self.guesses.get();
            let like = |(key, _): &(&str, Range<usize>)| is_meant(&entry.key, key, guesses);
            match missing.iter().position(like) {
                Some(at) => self.tell_missing(missing.swap_remove(at).0, entry),
                None if self.lenient.get() => {}
                None if self.prefix.is_empty() => self.tell_unknown(entry, &known),
                None => self.reader.keep_unknown(|| Unknown {
                    key: entry.key.clone(),
                    span: entry.key_span.clone(),
                    prefix: self.prefix.clone(),
                    near: nearest(&entry.key, &known),
                }),
            }
        }
        for (key, place) in missing {
            self.tell_absent(key, &place);
        }
        if self.prefix.is_empty() {
            self.reader.tell_unknown(&known, self.guesses.get());
        }
    }

    fn tell_absent(&self, key: &str, place: &Range<usize>) {
        let message = format!("`{}` is missing", self.name(key));
        self.reader.error(place, message, format!("add `{key}`"));
    }

    fn tell_missing(&self, key: &str, entry: &Entry) {
        let message = format!(
            "`{}` is missing, and `{}` is no known key",
            self.name(key),
            entry.key
        );
        let help = format!("did you mean `{key}`?");
        self.reader.error(&entry.key_span, message, help);
    }

    fn tell_unknown(&self, entry: &Entry, known: &[&'static str]) {
        self.reader.tell(Severity::Warning, &entry.key_span, || {
            let near = || nearest(&entry.key, known).map(|near| format!("did you mean `{near}`?"));
            let help = guess(self.guesses.get(), &entry.key)
                .map(str::to_owned)
                .or_else(near)
                .unwrap_or_else(|| UNKNOWN.to_owned());
            (format!("unknown key `{}`", self.name(&entry.key)), help)
        });
    }
}

/// The known name that is nearest to a mistyped one.
pub fn nearest<'n>(text: &str, names: &[&'n str]) -> Option<&'n str> {
    // What is much longer is near none, and to find that out takes memory for each pair of characters.
    const LONGEST: usize = 200;
    if text.len() > LONGEST {
        return None;
    }
    names
        .iter()
        .map(|name| {
            (
                strsim::damerau_levenshtein(&text.to_lowercase(), &name.to_lowercase()),
                *name,
            )
        })
        .filter(|(distance, name)| *distance <= 1 + name.len() / 4)
        .min()
        .map(|(_, name)| name)
}
