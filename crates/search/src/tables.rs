//! The tables of the index, and all of its SQL except the search itself.

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, params};

use super::catalog::{Catalog, Entry, Row};
use super::document::{Document, Kind, Status};
use super::query::Field;
use super::tokens::{Spellings, prefixes, tokens};

/// Version of the index file. Increase it when the tables or the output of [`tokens`] change.
const VERSION: i64 = 3;

/// The SQL that creates the tables. `words` holds only tokens, by row. Its column `once` holds the
/// tokens that occur once per document: prefixes and spellings. `texts` is a separate table, so
/// that reading all `documents` is fast. A large hash table and rare merges speed up the first
/// indexing.
const SCHEMA: &str = "
    CREATE TABLE documents (
        row INTEGER PRIMARY KEY,
        kind INTEGER NOT NULL,
        id TEXT NOT NULL,
        title TEXT NOT NULL,
        status INTEGER NOT NULL,
        date_published_ms INTEGER,
        fingerprint INTEGER NOT NULL,
        UNIQUE (kind, id)
    );
    CREATE TABLE texts (row INTEGER PRIMARY KEY, text TEXT NOT NULL);
    CREATE VIRTUAL TABLE words USING fts5 (
        title, content, once,
        content = '', contentless_delete = 1, tokenize = 'ascii'
    );
    INSERT INTO words (words, rank) VALUES ('hashsize', 67108864), ('automerge', 8);
";

/// A document with its tokens.
pub(super) struct Words<'a> {
    pub document: &'a Document,
    title: String,
    content: String,
    once: String,
}

impl<'a> Words<'a> {
    pub fn new(document: &'a Document) -> Self {
        let mut spellings = Spellings::default();
        let title = tokens(&document.title, Field::Title, &mut spellings);
        let content = tokens(&document.text, Field::Content, &mut spellings);
        let mut once = prefixes(&content);
        spellings.push_tokens(&title, &content, &mut once);
        Self { document, title, content, once }
    }
}

/// Removes a document from every table.
pub(super) fn remove_document(connection: &Connection, row: Row) -> rusqlite::Result<()> {
    for table in ["documents WHERE row", "texts WHERE row", "words WHERE rowid"] {
        let sql = format!("DELETE FROM {table} = ?1");
        connection.prepare_cached(&sql)?.execute([row])?;
    }
    Ok(())
}

/// Writes a document to every table, and replaces the document previously in its row.
pub(super) fn write_document(
    connection: &Connection,
    row: Row,
    words: &Words<'_>,
) -> rusqlite::Result<Entry> {
    let document = words.document;
    connection
        .prepare_cached("INSERT OR REPLACE INTO documents VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")?
        .execute(params![
            row,
            document.kind as u8,
            document.id,
            document.title,
            document.status as u8,
            document.date_published_ms,
            document.fingerprint.cast_signed(),
        ])?;
    connection
        .prepare_cached("INSERT OR REPLACE INTO texts VALUES (?1, ?2)")?
        .execute(params![row, document.text])?;
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO words (rowid, title, content, once) VALUES (?1, ?2, ?3, ?4)",
        )?
        .execute(params![row, words.title, words.content, words.once])?;
    Ok(Entry {
        kind: document.kind,
        id: document.id.clone(),
        title: document.title.clone(),
        status: document.status,
        date_published_ms: document.date_published_ms,
        fingerprint: document.fingerprint,
    })
}

/// Prepares a connection, and creates the tables if they are missing. Returns the catalog of the
/// documents.
pub(super) fn prepare(connection: &Connection) -> rusqlite::Result<Catalog> {
    connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;")?;
    let version = |connection: &Connection| {
        connection.query_row("PRAGMA user_version", [], |row| row.get::<_, i64>(0))
    };
    match version(connection)? {
        VERSION => {}
        0 => connection.execute_batch(&format!(
            "BEGIN IMMEDIATE; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;"
        ))?,
        _ => return Err(rusqlite::Error::InvalidQuery),
    }
    load(connection)
}

impl Kind {
    fn from_number(number: u8) -> Option<Self> {
        [Self::Item, Self::Page].into_iter().nth(number.into())
    }
}

impl Status {
    fn from_number(number: u8) -> Option<Self> {
        [Self::Published, Self::Unlisted, Self::Unpublished].into_iter().nth(number.into())
    }
}

pub(super) fn load(connection: &Connection) -> rusqlite::Result<Catalog> {
    let mut catalog = Catalog::default();
    let mut statement = connection.prepare(
        "SELECT row, kind, id, title, status, date_published_ms, fingerprint FROM documents",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (kind, status) = (row.get(1)?, row.get(4)?);
        let (Some(kind), Some(status)) = (Kind::from_number(kind), Status::from_number(status))
        else {
            return Err(rusqlite::Error::InvalidQuery);
        };
        let entry = Entry {
            kind,
            id: row.get(2)?,
            title: row.get(3)?,
            status,
            date_published_ms: row.get(5)?,
            fingerprint: row.get::<_, i64>(6)?.cast_unsigned(),
        };
        catalog.insert(row.get(0)?, entry);
    }
    Ok(catalog)
}

/// Merges the index segments that were created by writing documents in batches. Each word then
/// needs only one look-up.
pub(super) fn join(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch("INSERT INTO words (words) VALUES ('optimize')")
}

/// Replaces the content of the file with an empty database, even while other connections have the
/// file open.
pub(super) fn empty(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_RESET_DATABASE, true)?;
    let emptied = connection.execute_batch("VACUUM");
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_RESET_DATABASE, false)?;
    emptied
}

/// Returns a number that changes when another connection writes.
pub(super) fn data_version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))
}

/// Returns whether another process has locked the database.
pub(super) fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// Returns whether the file is damaged or not a SQLite database.
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}
