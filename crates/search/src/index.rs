//! The index: a SQLite database with the words of every document, and a catalog of all documents in
//! memory.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockWriteGuard};

use rayon::prelude::*;
use rusqlite::Connection;

use super::catalog::{Catalog, Entry, Row};
use super::document::{Document, Kind};
use super::row_cache::RowCache;
use super::tables::{
    Words, data_version, empty, is_busy, is_damage, join, load, prepare, remove_document,
    write_document,
};

/// Maximum number of documents that `sync` indexes in one transaction.
const BATCH_SIZE: usize = 2000;

/// The reason why an index could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The index's folder or file cannot be created.
    #[error("the folder of the search index cannot be created: {0}")]
    Folder(std::io::Error),
    /// An error that SQLite reported.
    #[error("the search index cannot be read or written: {0}")]
    Database(#[from] rusqlite::Error),
}

/// Numbers of documents that a [`sync`](Index::sync) changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SyncCounts {
    /// Documents that were added, or indexed again because their fingerprints differ.
    pub written: usize,
    /// Documents that were removed because they are no longer listed.
    pub removed: usize,
}

/// Makes an index readable only by its owner, because it contains drafts. SQLite creates its other
/// files with the permissions of this file.
#[cfg(unix)]
fn restrict_permissions(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
    let file = std::fs::OpenOptions::new().append(true).create(true).mode(0o600).open(path)?;
    file.set_permissions(std::fs::Permissions::from_mode(0o600))
}

#[cfg(not(unix))]
fn restrict_permissions(_: &Path) -> std::io::Result<()> {
    Ok(())
}

/// A full-text index of documents. Any number of threads can use it: only one thread writes at a
/// time, and searches do not wait for it.
#[derive(Debug)]
pub struct Index {
    /// Path of the database file. `None` for an index in memory, which has a single connection.
    path: Option<PathBuf>,
    writer: Mutex<Writer>,
    readers: Mutex<Vec<(Connection, RowCache)>>,
    pub(super) catalog: RwLock<Catalog>,
}

#[derive(Debug)]
struct Writer {
    connection: Connection,
    /// SQLite's counter, which changes when another process writes.
    data_version: i64,
}

impl Index {
    /// Opens the index in a file, and creates the file if it is missing. Empties a file that is
    /// damaged or has another version, because the index is derived data. Call [`sync`](Self::sync)
    /// to fill it.
    ///
    /// # Errors
    ///
    /// Fails when the file or its folder cannot be created, or when another process keeps the file
    /// locked.
    pub fn open(path: &Path) -> Result<Self, IndexError> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(IndexError::Folder)?;
        }
        restrict_permissions(path).map_err(IndexError::Folder)?;
        Self::new(Connection::open(path)?, Some(path.to_path_buf()))
    }

    /// Creates an empty index in memory, which lives as long as this value.
    ///
    /// # Errors
    ///
    /// Fails when SQLite has no memory for the index.
    pub fn in_memory() -> Result<Self, IndexError> {
        Self::new(Connection::open_in_memory()?, None)
    }

    fn new(connection: Connection, path: Option<PathBuf>) -> Result<Self, IndexError> {
        let catalog = match prepare(&connection) {
            Err(error) if is_busy(&error) => return Err(error.into()),
            Err(_) => {
                empty(&connection)?;
                prepare(&connection)?
            }
            Ok(catalog) => catalog,
        };
        let data_version = data_version(&connection)?;
        Ok(Self {
            path,
            writer: Mutex::new(Writer { connection, data_version }),
            readers: Mutex::default(),
            catalog: RwLock::new(catalog),
        })
    }

    /// Makes the index contain exactly the listed documents, each given by kind, id and
    /// fingerprint.
    ///
    /// Calls `document` on several threads, for each document whose fingerprint differs from the
    /// indexed fingerprint. A document is skipped if `document` returns None for it.
    ///
    /// # Errors
    ///
    /// Fails when the index cannot be written. A damaged index is emptied and filled again first.
    pub fn sync<'a>(
        &self,
        listed: impl IntoIterator<Item = (Kind, &'a str, u64)>,
        document: impl Fn(Kind, &str) -> Option<Document> + Sync,
    ) -> Result<SyncCounts, IndexError> {
        let listed: Vec<_> = listed.into_iter().collect();
        match self.sync_listed(&listed, &document) {
            Err(error) if is_damage(&error) => {
                self.clear()?;
                self.sync_listed(&listed, &document)
            }
            synced => synced,
        }
        .map_err(IndexError::from)
    }

    fn sync_listed(
        &self,
        listed: &[(Kind, &str, u64)],
        document: &(impl Fn(Kind, &str) -> Option<Document> + Sync),
    ) -> rusqlite::Result<SyncCounts> {
        let mut writer = self.writer();
        self.refresh(&mut writer)?;
        let Differences { to_write, to_remove } = self.differences(listed);
        let to_remove: Vec<_> = to_remove.iter().map(|(kind, id)| (*kind, &**id)).collect();
        let mut synced = SyncCounts { written: 0, removed: to_remove.len() };
        if !to_remove.is_empty() {
            self.write(&mut writer, &[], &to_remove)?;
        }
        for batch in to_write.chunks(BATCH_SIZE) {
            let documents: Vec<Document> =
                batch.par_iter().filter_map(|&(kind, id)| document(kind, id)).collect();
            let words: Vec<_> = documents.par_iter().map(Words::new).collect();
            self.write(&mut writer, &words, &[])?;
            synced.written += words.len();
        }
        if to_write.len() > BATCH_SIZE {
            join(&writer.connection)?;
        }
        Ok(synced)
    }

    fn differences<'a>(&self, listed: &[(Kind, &'a str, u64)]) -> Differences<'a> {
        let catalog = self.catalog.read().unwrap_or_else(PoisonError::into_inner);
        let mut to_write = Vec::new();
        let mut kept = vec![false; catalog.next_row() as usize];
        for &(kind, id, fingerprint) in listed {
            let row = catalog.row(kind, id);
            let entry = row.and_then(|row| catalog.entry(row));
            if entry.is_none_or(|entry| entry.fingerprint != fingerprint) {
                to_write.push((kind, id));
            }
            if let Some(row) = row {
                kept[row as usize] = true;
            }
        }
        let to_remove = catalog
            .entries()
            .filter(|&(row, _)| !kept[row as usize])
            .map(|(_, entry)| (entry.kind, entry.id.clone()))
            .collect();
        Differences { to_write, to_remove }
    }

    /// Indexes new or changed documents and removes others, in one transaction. Documents in
    /// `removed` that are not in the index are ignored.
    ///
    /// # Errors
    ///
    /// Fails when the index cannot be written. In that case, the index is unchanged.
    pub fn update(&self, changed: &[Document], removed: &[(Kind, &str)]) -> Result<(), IndexError> {
        let words: Vec<_> = changed.iter().map(Words::new).collect();
        Ok(self.write(&mut self.writer(), &words, removed)?)
    }

    /// Empties the index, even a damaged one. Call [`sync`](Self::sync) to fill it again.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be written.
    pub fn clear(&self) -> Result<(), IndexError> {
        let mut writer = self.writer();
        empty(&writer.connection)?;
        let emptied = prepare(&writer.connection)?;
        writer.data_version = data_version(&writer.connection)?;
        *self.catalog_mut() = emptied;
        Ok(())
    }

    /// Returns whether another process may have written to the index since this value last wrote to
    /// it. If so, call [`sync`](Self::sync), because the content of the index is unknown.
    pub fn has_external_changes(&self) -> bool {
        let writer = self.writer();
        let now = data_version(&writer.connection);
        now.is_ok_and(|now| now != writer.data_version)
    }

    /// Reloads the catalog if another process has written.
    fn refresh(&self, writer: &mut Writer) -> rusqlite::Result<()> {
        let data_version = data_version(&writer.connection)?;
        if data_version != writer.data_version {
            let changed = load(&writer.connection)?;
            *self.catalog_mut() = changed;
            writer.data_version = data_version;
        }
        Ok(())
    }

    fn write(
        &self,
        writer: &mut Writer,
        changed: &[Words<'_>],
        removed: &[(Kind, &str)],
    ) -> rusqlite::Result<()> {
        writer.connection.execute_batch("BEGIN IMMEDIATE")?;
        let written = self.refresh(writer).and_then(|()| {
            let changes = self.write_rows(&writer.connection, changed, removed)?;
            writer.connection.execute_batch("COMMIT")?;
            Ok(changes)
        });
        match written {
            Ok(changes) => {
                let mut catalog = self.catalog_mut();
                for (row, entry) in changes {
                    match entry {
                        Some(entry) => catalog.insert(row, entry),
                        None => catalog.remove(row),
                    }
                }
                Ok(())
            }
            Err(error) => {
                // SQLite may already have rolled back. In that case this statement fails, which is
                // fine.
                let _ = writer.connection.execute_batch("ROLLBACK");
                Err(error)
            }
        }
    }

    /// Writes and removes rows. Returns the changes for the catalog, with `None` for each removed
    /// row.
    fn write_rows(
        &self,
        connection: &Connection,
        changed: &[Words<'_>],
        removed: &[(Kind, &str)],
    ) -> rusqlite::Result<Vec<(Row, Option<Entry>)>> {
        let catalog = self.catalog.read().unwrap_or_else(PoisonError::into_inner);
        let mut changes = Vec::with_capacity(changed.len() + removed.len());
        let removed = removed.iter().filter_map(|(kind, id)| catalog.row(*kind, id));
        for row in removed {
            remove_document(connection, row)?;
            changes.push((row, None));
        }
        let mut next = catalog.next_row();
        let mut added = HashMap::new();
        for words in changed {
            let Document { kind, id, .. } = words.document;
            let row = catalog.row(*kind, id).unwrap_or_else(|| {
                *added.entry((*kind, id)).or_insert_with(|| {
                    next += 1;
                    next - 1
                })
            });
            changes.push((row, Some(write_document(connection, row, words)?)));
        }
        Ok(changes)
    }

    /// Calls `read` with a connection that no other thread uses, in one transaction. So `read` sees
    /// a concurrent write completely or not at all.
    pub(super) fn read<T>(
        &self,
        read: impl FnOnce(&Connection, &mut RowCache) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        let Some(path) = &self.path else {
            return read(&self.writer().connection, &mut RowCache::default());
        };
        let idle = self.readers().pop();
        let (connection, mut known) = match idle {
            Some(reader) => reader,
            None => (Connection::open(path)?, RowCache::default()),
        };
        let transaction = connection.unchecked_transaction()?;
        known.clear_if_changed(&transaction)?;
        let found = read(&transaction, &mut known);
        transaction.finish()?;
        self.readers().push((connection, known));
        found
    }

    fn writer(&self) -> MutexGuard<'_, Writer> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn readers(&self) -> MutexGuard<'_, Vec<(Connection, RowCache)>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn catalog_mut(&self) -> RwLockWriteGuard<'_, Catalog> {
        self.catalog.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The documents to write and to remove, so that the index matches a list of documents.
struct Differences<'a> {
    to_write: Vec<(Kind, &'a str)>,
    to_remove: Vec<(Kind, String)>,
}
