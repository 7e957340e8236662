//! The tables of the index, and their SQL but for the search itself.

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, params};

use super::catalog::{Catalog, Entry, Row};
use super::document::{Document, Kind, Status};
use super::query::Field;
use super::tokens::{Spellings, beginnings, tokens};

/// The version of the index file. Raise it when the tables change, or what [`tokens`] puts into them.
const VERSION: i64 = 3;

/// `words` holds tokens alone, by row, those of `once` once a document: beginnings and spellings. Texts lie apart, so that reading all `documents` is quick. Much
/// is gathered in memory before a merge, which makes the first indexing faster.
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
        let mut once = beginnings(&content);
        spellings.push_tokens(&title, &content, &mut once);
        Self { document, title, content, once }
    }
}

/// Takes a document out of every table.
pub(super) fn remove_document(connection: &Connection, row: Row) -> rusqlite::Result<()> {
    for table in ["documents WHERE row", "texts WHERE row", "words WHERE rowid"] {
        let sql = format!("DELETE FROM {table} = ?1");
        connection.prepare_cached(&sql)?.execute([row])?;
    }
    Ok(())
}

/// Puts a document into every table, in place of what its row held.
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

/// Makes a connection ready, and the tables when there are none; answers what they hold.
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

/// Makes one piece of the pieces that batches of documents left, so that a word is looked up once.
pub(super) fn join(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch("INSERT INTO words (words) VALUES ('optimize')")
}

/// Makes an empty database of whatever the file holds, also while others have it open.
pub(super) fn empty(connection: &Connection) -> rusqlite::Result<()> {
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_RESET_DATABASE, true)?;
    let emptied = connection.execute_batch("VACUUM");
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_RESET_DATABASE, false)?;
    emptied
}

/// A number that changes when another process writes.
pub(super) fn data_version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))
}

/// Whether another process holds the database.
pub(super) fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
}

/// Whether the file is no sound database.
pub(super) fn is_damage(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}
