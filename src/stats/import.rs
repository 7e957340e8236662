//! Imports logs into the dataset `site`. Each log is imported completely or not at all.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Read};
use std::path::Path;

use jiff::Timestamp;
use rusqlite::{Connection, Statement, params};
use warehouse::store::Store;
use warehouse::{Control, DatasetId, Fault};

use super::agents::MAX_AGENT_LENGTH;
use super::dictionary::Dictionary;
use super::episodes::Episodes;
use super::listener::Listeners;
use super::log::{self, Format, Line, Lines, Method, Parser, Reason, Request};
use super::path::canonical;
use model::Category;

/// Maximum number of unreadable lines that are reported for each log.
const MAX_COMPLAINTS: usize = 5;
/// Maximum length of a stored path, in bytes.
const MAX_PATH_LENGTH: usize = 1024;
/// The memory that SQLite can use for sorting, in KiB.
const SORT_MEMORY_KIB: i64 = 48 * 1024;
/// A temporary table that contains the requests in a log until the whole log has been read. SQLite
/// stores the table in a file, and deletes the file when the connection is closed.
const UNSORTED: &str = "
    PRAGMA temp_store = FILE;
    CREATE TEMP TABLE unsorted (
      path INTEGER, listener INTEGER, time INTEGER, line INTEGER, status INTEGER, method INTEGER,
      bytes INTEGER, agent INTEGER
    )";
const INSERT: &str = "INSERT INTO temp.unsorted VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
/// Inserts the requests in sorted order, so that SQLite writes each page of the table only once.
const SORT: &str = "
    INSERT INTO main.log_requests (path, listener, time, log, line, status, method, bytes, agent)
    SELECT path, listener, time, ?1, line, status, method, bytes, agent FROM temp.unsorted
    ORDER BY path, listener, time, line";
/// Number of lines between two checks for cancellation.
const LINES_PER_CHECK: u64 = 4096;

/// The result of importing a log.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imported {
    pub lines: u64,
    /// The number of stored requests. Only requests for media files are stored.
    pub kept: u64,
    /// The number of requests that were not stored, because they are not for media files.
    pub skipped: u64,
    /// The number of lines that could not be read.
    pub bad: u64,
    /// The first unreadable lines.
    pub unreadable_lines: Vec<UnreadableLine>,
    /// The number of lines at the start of the log that had already been imported.
    pub known: u64,
    /// Whether the last line is incomplete. An incomplete line is imported by the next import.
    pub is_unfinished: bool,
    /// The times of the first and the last stored request, in microseconds since 1970.
    pub span: Option<(i64, i64)>,
}

/// A line that could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableLine {
    /// The line number, starting at 1.
    pub line: u64,
    pub reason: &'static str,
}

/// Reads a plain or gzip log with the given name, and stores its requests for media files. Skips
/// lines at the start that have already been imported, even if the log had a different name at that
/// time.
///
/// Returns an error if the log cannot be read, or if more than half of its new lines cannot be
/// read. In that case, nothing is stored.
pub fn import(
    store: &Store,
    name: &str,
    log: impl Read + Send,
    format: Option<Format>,
    episodes: &Episodes,
    control: &Control,
) -> Result<Imported, Fault> {
    let listeners = Listeners::open(store.folder())?;
    let unreadable = |error: io::Error| Fault::invalid(format!("{name}: {error}")).at(name);
    let (input, is_packed) = log::input(log).map_err(unreadable)?;
    // Standard input never grows after its end. The same applies to a compressed log.
    let is_finished = is_packed || name == "-";
    let mut lines = Lines::new(input);
    let format = match format {
        Some(format) => format,
        None => Format::detect(lines.peek().map_err(unreadable)?),
    };
    store.write(&DatasetId::site(), control, |transaction| {
        let mut import = Import::new(transaction, listeners, episodes, control)?;
        let mut parser = Parser::new(format);
        loop {
            match lines.next_line().map_err(unreadable)? {
                None => break,
                Some(Line::Whole(line)) => import.line(&mut parser, line)?,
                Some(Line::TooLong) => import.bad("the line is longer than 64 KiB"),
                Some(Line::Unfinished(line)) if is_finished => {
                    import.line(&mut parser, line)?;
                    lines.accept_unfinished();
                }
                Some(Line::Unfinished(_)) => {
                    import.done.is_unfinished = true;
                    break;
                }
            }
            if let Some(log) = import.known.find(lines.offset(), || lines.fingerprint()) {
                import.restart_count(log)?;
            }
            if lines.number().is_multiple_of(LINES_PER_CHECK) {
                control.check()?;
            }
        }
        control.check()?;
        import.finish(name, lines.offset(), lines.fingerprint())
    })
}

/// A log that is being imported.
struct Import<'c> {
    connection: &'c Connection,
    control: &'c Control,
    known: ImportedLogs,
    paths: Dictionary<'c>,
    agents: Dictionary<'c>,
    insert: Statement<'c>,
    listeners: Listeners,
    episodes: &'c Episodes,
    /// The stored log that starts with the same lines, if there is one.
    log: Option<i64>,
    done: Imported,
}

impl<'c> Import<'c> {
    fn new(
        connection: &'c Connection,
        listeners: Listeners,
        episodes: &'c Episodes,
        control: &'c Control,
    ) -> Result<Self, Fault> {
        let explain = |error| control.explain(&error);
        connection.execute_batch(include_str!("schema.sql")).map_err(explain)?;
        connection.execute_batch(UNSORTED).map_err(explain)?;
        connection.pragma_update(None, "cache_size", -SORT_MEMORY_KIB).map_err(explain)?;
        Ok(Self {
            connection,
            control,
            known: ImportedLogs::read(connection).map_err(explain)?,
            paths: Dictionary::paths(connection),
            agents: Dictionary::agents(connection),
            insert: connection.prepare(INSERT).map_err(explain)?,
            listeners,
            episodes,
            log: None,
            done: Imported::default(),
        })
    }

    fn line(&mut self, parser: &mut Parser, line: &[u8]) -> Result<(), Fault> {
        match parser.parse(&String::from_utf8_lossy(line)) {
            Err(reason) => self.bad(reason),
            Ok(None) => self.done.lines += 1,
            Ok(Some(request)) => {
                self.done.lines += 1;
                match self.path(&request) {
                    Some(path) => self.store_request(&request, &path)?,
                    None => self.done.skipped += 1,
                }
            }
        }
        Ok(())
    }

    fn bad(&mut self, reason: Reason) {
        self.done.lines += 1;
        self.done.bad += 1;
        if self.done.unreadable_lines.len() < MAX_COMPLAINTS {
            let line = self.done.known + self.done.lines;
            self.done.unreadable_lines.push(UnreadableLine { line, reason });
        }
    }

    /// Returns the path of a request for a media file, or `None` for any other request.
    fn path<'r>(&self, request: &'r Request<'_>) -> Option<Cow<'r, str>> {
        let path = canonical(&request.target, self.episodes.base_path())?;
        let is_media = || {
            let category = Category::of_media_type(&media_facts::media_type(Path::new(&*path)));
            matches!(category, Category::Audio | Category::Video)
        };
        (path.len() <= MAX_PATH_LENGTH && (self.episodes.has(&path) || is_media())).then_some(path)
    }

    fn store_request(&mut self, request: &Request<'_>, path: &str) -> Result<(), Fault> {
        let agent = request.agent.as_deref().map(|agent| {
            let end = agent.floor_char_boundary(MAX_AGENT_LENGTH);
            &agent[..end]
        });
        let number = agent.map(|agent| self.agents.number(agent)).transpose()?;
        let method = match request.method {
            Method::Get => 0,
            Method::Head => 1,
            Method::Other => 2,
        };
        let bytes = request.bytes.map(|bytes| i64::try_from(bytes).unwrap_or(i64::MAX));
        let row = params![
            self.paths.number(path)?,
            self.listeners.number(&request.address, agent),
            request.time,
            i64::try_from(self.done.known + self.done.lines).map_err(Fault::internal)?,
            request.status,
            method,
            bytes,
            number,
        ];
        let written = self.insert.execute(row);
        written.map_err(|error| self.control.explain(&error))?;
        self.done.kept += 1;
        let (first, last) = self.done.span.unwrap_or((request.time, request.time));
        self.done.span = Some((first.min(request.time), last.max(request.time)));
        Ok(())
    }

    /// Restarts the count after lines that were imported before as part of a stored log.
    fn restart_count(&mut self, log: i64) -> Result<(), Fault> {
        self.log = Some(log);
        self.done = Imported { known: self.done.known + self.done.lines, ..Imported::default() };
        let forgotten = self.connection.execute("DELETE FROM temp.unsorted", []);
        forgotten.map_err(|error| self.control.explain(&error))?;
        Ok(())
    }

    fn finish(self, name: &str, length: u64, fingerprint: u128) -> Result<Imported, Fault> {
        let Imported { lines, bad, .. } = self.done;
        if bad * 2 > request_lines(&self.done) {
            return Err(unreadable(name, &self.done));
        }
        if lines > 0 {
            self.write(name, length, fingerprint).map_err(|error| self.control.explain(&error))?;
        }
        Ok(self.done)
    }

    fn write(&self, name: &str, length: u64, fingerprint: u128) -> rusqlite::Result<()> {
        let now = Timestamp::now().as_millisecond();
        let log = match self.log {
            Some(log) => log,
            None => {
                let sql =
                    "INSERT INTO logs (name, length, fingerprint, imported) VALUES (?1, 0, '', 0)";
                self.connection.execute(sql, [name])?;
                self.connection.last_insert_rowid()
            }
        };
        self.connection.execute(
            "UPDATE logs SET length = ?2, fingerprint = ?3, imported = ?4 WHERE id = ?1",
            params![
                log,
                i64::try_from(length).unwrap_or(i64::MAX),
                format!("{fingerprint:032x}"),
                now
            ],
        )?;
        self.connection.execute(SORT, [log])?;
        Ok(())
    }
}

/// Returns the number of lines that contain a request or cannot be read. Empty lines and directives
/// are not counted.
fn request_lines(done: &Imported) -> u64 {
    done.kept + done.skipped + done.bad
}

fn unreadable(name: &str, done: &Imported) -> Fault {
    let first = done.unreadable_lines.first().map_or(String::new(), |complaint| {
        format!(": {name}:{}: {}", complaint.line, complaint.reason)
    });
    Fault::invalid(format!(
        "{} of {} lines cannot be read{first}; nothing was imported. \
         Set the format of the log with `--format`: combined, json or w3c",
        done.bad,
        request_lines(done)
    ))
    .at(name)
}

/// The logs imported so far, by length. Each has a fingerprint and an id.
struct ImportedLogs(HashMap<u64, Vec<(String, i64)>>);

impl ImportedLogs {
    fn read(connection: &Connection) -> rusqlite::Result<Self> {
        let mut known: HashMap<u64, Vec<(String, i64)>> = HashMap::new();
        let mut logs = connection.prepare("SELECT length, fingerprint, id FROM logs")?;
        let mut rows = logs.query([])?;
        while let Some(row) = rows.next()? {
            let length: i64 = row.get(0)?;
            let same = known.entry(length.unsigned_abs()).or_default();
            same.push((row.get(1)?, row.get(2)?));
        }
        Ok(Self(known))
    }

    /// Returns the id of the log that had this length and this fingerprint when it was imported.
    fn find(&self, length: u64, fingerprint: impl FnOnce() -> u128) -> Option<i64> {
        let same = self.0.get(&length)?;
        let fingerprint = format!("{:032x}", fingerprint());
        let found = same.iter().find(|(known, _)| *known == fingerprint);
        found.map(|(_, log)| *log)
    }
}
