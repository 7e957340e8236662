//! Opens the database, and runs reads and writes on it.

use std::error::Error;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use rusqlite::types::{FromSql, Type};
use rusqlite::{Connection, OpenFlags, Row, Transaction, TransactionBehavior};

use super::in_flight::InFlight;
use super::key::EnvironmentKey;
use super::{KeyError, StateError};
use local::local_folder;

/// Maximum time that a write waits for other processes.
pub(super) const LOCK_TIMEOUT: Duration = Duration::from_secs(10);

/// The length of one wait for another process. After that, other threads of this process get a
/// turn.
const WAIT_SLICE: Duration = Duration::from_millis(20);

/// The period after a timeout in which later writes wait only briefly. Otherwise, each write in the
/// queue would wait for the full timeout.
const NO_WAIT_AFTER_TIMEOUT: Duration = Duration::from_secs(1);

/// The SQL that upgrades a database from version n to version n + 1. Released SQL never changes.
const MIGRATIONS: [&str; 11] = [
    include_str!("schema-1.sql"),
    include_str!("schema-2.sql"),
    include_str!("schema-3.sql"),
    include_str!("schema-4.sql"),
    include_str!("schema-5.sql"),
    include_str!("schema-6.sql"),
    include_str!("schema-7.sql"),
    include_str!("schema-8.sql"),
    include_str!("schema-9.sql"),
    include_str!("schema-10.sql"),
    include_str!("schema-11.sql"),
];

/// The state of one site. A clone refers to the same state.
#[derive(Clone)]
pub struct State {
    /// The site's root, or `None` for a state in memory.
    pub(super) root: Option<Arc<Path>>,
    writer: Arc<Mutex<Connection>>,
    /// A second connection, for looking up keys while a commit waits for the disk.
    reader: Arc<Mutex<Connection>>,
    pub(super) creations: InFlight,
    pub(super) deliveries: InFlight,
    pub(super) uploads: InFlight,
    pub(super) environment: Option<Arc<EnvironmentKey>>,
    lock_timeout: Duration,
    /// The time when a write last timed out while it waited for another process.
    last_timeout: Arc<Mutex<Option<Instant>>>,
    /// The results of recorded writes that could not be saved yet. They are saved with the next
    /// change to the database.
    ended: Arc<Mutex<Vec<WriteResult>>>,
}

/// The result of a recorded write. Contains the id of its journal entry.
#[derive(Debug, Clone, Copy)]
pub(super) enum WriteResult {
    Made(i64),
    /// The write was not made. Its journal entry must be removed.
    Unmade(i64),
}

impl State {
    /// Opens the state of the site at `root`. Creates `.feedwright/` and the database if they are
    /// missing. Only their owner can read these files, and git ignores them.
    pub fn open(root: &Path) -> Result<Self, StateError> {
        let folder = local_folder(root).map_err(StateError::Folder)?;
        let _one_at_a_time = lock(&folder.join("state.lock"));
        let file = folder.join("state.sqlite");
        make_file(&file).map_err(StateError::Folder)?;
        let mut writer = connect(&file)?;
        migrate(&mut writer)?;
        writer.busy_timeout(WAIT_SLICE)?;
        let reader = connect(&file)?;
        reader.pragma_update(None, "query_only", true)?;
        let (writer, reader) = (Mutex::new(writer), Mutex::new(reader));
        Ok(Self { root: Some(root.into()), ..Self::of(Arc::new(writer), Arc::new(reader)) })
    }

    /// Creates an empty state in memory, for a server that only shows a site.
    pub fn in_memory() -> Result<Self, StateError> {
        let mut connection = Connection::open_in_memory()?;
        migrate(&mut connection)?;
        let connection = Arc::new(Mutex::new(connection));
        Ok(Self::of(Arc::clone(&connection), connection))
    }

    fn of(writer: Arc<Mutex<Connection>>, reader: Arc<Mutex<Connection>>) -> Self {
        Self {
            root: None,
            writer,
            reader,
            creations: InFlight::default(),
            deliveries: InFlight::default(),
            uploads: InFlight::default(),
            environment: None,
            lock_timeout: LOCK_TIMEOUT,
            last_timeout: Arc::default(),
            ended: Arc::default(),
        }
    }

    /// Sets the maximum wait for another program that has locked the database. Use a short time if
    /// a client waits for the answer.
    #[must_use]
    pub fn with_lock_timeout(mut self, lock_timeout: Duration) -> Self {
        self.lock_timeout = lock_timeout;
        self
    }

    /// Adds a key that has every scope and the id [`ENVIRONMENT_KEY`](super::ENVIRONMENT_KEY). Its
    /// secret is the value of an environment variable such as `FEEDWRIGHT_API_KEY`, and must
    /// consist of visible ASCII characters. The key is not stored, and cannot be rotated or
    /// revoked.
    pub fn with_environment_key(mut self, secret: &str, now: Timestamp) -> Result<Self, KeyError> {
        self.environment = Some(Arc::new(EnvironmentKey::new(secret, now)?));
        Ok(self)
    }

    pub(super) fn read<T>(
        &self,
        query: impl FnOnce(&Connection) -> Result<T, StateError>,
    ) -> Result<T, StateError> {
        query(&lock_connection(&self.reader))
    }

    /// Makes a change in one transaction. Returns when the change is on the disk. If the change
    /// fails, the transaction is rolled back.
    pub(super) fn write<T>(
        &self,
        change: impl FnOnce(&Transaction<'_>) -> Result<T, StateError>,
    ) -> Result<T, StateError> {
        let last_timeout = *lock_connection(&self.last_timeout);
        let is_vain = last_timeout.is_some_and(|since| since.elapsed() < NO_WAIT_AFTER_TIMEOUT);
        let lock_timeout = if is_vain { WAIT_SLICE } else { self.lock_timeout };
        let written = self.write_within(lock_timeout, change);
        if written.as_ref().is_err_and(StateError::is_busy) {
            // Only a write that waited for the full time starts the period of brief waits.
            if !is_vain {
                *lock_connection(&self.last_timeout) = Some(Instant::now());
            }
        } else {
            *lock_connection(&self.last_timeout) = None;
        }
        written
    }

    /// Like [`write`](Self::write), but always waits for the full time. Use it for changes that
    /// must not be lost and that no client waits for.
    pub(super) fn write_waiting<T>(
        &self,
        change: impl FnOnce(&Transaction<'_>) -> Result<T, StateError>,
    ) -> Result<T, StateError> {
        self.write_within(LOCK_TIMEOUT, change)
    }

    /// Like [`write`](Self::write), but waits at most [`WAIT_SLICE`] for another process.
    pub(super) fn write_now<T>(
        &self,
        change: impl FnOnce(&Transaction<'_>) -> Result<T, StateError>,
    ) -> Result<T, StateError> {
        self.write_within(Duration::ZERO, change)
    }

    /// Repeats a write while another process has the database locked, and lets other threads of
    /// this process write in between.
    fn write_within<T>(
        &self,
        lock_timeout: Duration,
        change: impl FnOnce(&Transaction<'_>) -> Result<T, StateError>,
    ) -> Result<T, StateError> {
        let latest = Instant::now() + lock_timeout;
        let mut change = Some(change);
        loop {
            match self.try_to_write(&mut change) {
                Err(error) if error.is_busy() && change.is_some() && Instant::now() < latest => {
                    thread::sleep(WAIT_SLICE / 4);
                }
                written => return written,
            }
        }
    }

    /// Tries once to make a change. Leaves `change` in its option if the transaction could not
    /// begin, so that the caller can try again.
    fn try_to_write<T>(
        &self,
        change: &mut Option<impl FnOnce(&Transaction<'_>) -> Result<T, StateError>>,
    ) -> Result<T, StateError> {
        let mut writer = lock_connection(&self.writer);
        // An immediate transaction can wait for another writer. Other transactions fail when they
        // first write.
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let mut ended = lock_connection(&self.ended);
        for write in ended.iter() {
            apply_result(&transaction, *write)?;
        }
        let change = change
            .take()
            .ok_or_else(|| StateError::Damaged("a change was applied twice".into()))?;
        let done = change(&transaction)?;
        transaction.commit()?;
        ended.clear();
        Ok(done)
    }

    /// Makes a change without waiting for other processes or for the disk. The change is skipped if
    /// another process is writing, and a power cut may undo it.
    fn write_unsynced(
        &self,
        change: impl FnOnce(&Transaction<'_>) -> Result<(), StateError>,
    ) -> Result<(), StateError> {
        let mut writer = lock_connection(&self.writer);
        writer.busy_timeout(Duration::ZERO)?;
        writer.pragma_update(None, "synchronous", "normal")?;
        let written = (|| {
            let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
            change(&transaction)?;
            Ok(transaction.commit()?)
        })();
        writer.pragma_update(None, "synchronous", "full")?;
        writer.busy_timeout(WAIT_SLICE)?;
        written
    }

    /// Saves the result of a write. If that fails, the result is saved with the next change.
    pub(super) fn save_result(&self, write: WriteResult) -> Result<(), StateError> {
        lock_connection(&self.ended).push(write);
        self.write(|_| Ok(()))
    }

    /// Like [`save_result`](Self::save_result), without waiting for other processes or the disk.
    pub(super) fn save_result_unsynced(&self, write: WriteResult) {
        let noted = self.write_unsynced(|state| apply_result(state, write));
        if noted.is_err() {
            lock_connection(&self.ended).push(write);
        }
    }
}

fn apply_result(state: &Transaction<'_>, write: WriteResult) -> Result<(), StateError> {
    let (WriteResult::Made(number) | WriteResult::Unmade(number)) = write;
    if matches!(write, WriteResult::Unmade(_)) {
        // The write was not made, so its stored answer must not be repeated.
        state.execute(
            "DELETE FROM reservations WHERE key = (SELECT reservation FROM intents WHERE journal = ?1)",
            [number],
        )?;
        state.execute("DELETE FROM journal WHERE id = ?1", [number])?;
    }
    let mut statement = state.prepare_cached("DELETE FROM intents WHERE journal = ?1")?;
    statement.execute([number])?;
    Ok(())
}

/// Locks a connection even if a thread panicked while it held the lock. SQLite has rolled back the
/// transaction of that thread, so the connection is usable.
fn lock_connection<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Creates the database as an empty file, unless it exists. SQLite creates its other files with the
/// same permissions.
fn make_file(file: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(file) {
        Ok(_) => file.parent().map_or(Ok(()), sync),
        // Do not open an existing file: closing it again would release the locks of this process's
        // connections.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => restrict_to_owner(file),
        Err(error) => Err(error),
    }
}

/// Removes the permissions of other users, which copying or restoring the file may have added.
fn restrict_to_owner(file: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if fs::metadata(file)?.permissions().mode() & 0o077 != 0 {
            return fs::set_permissions(file, fs::Permissions::from_mode(0o600));
        }
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

/// Flushes a folder. A new file name survives a power cut only if its folder is flushed.
fn sync(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Locks out other processes while the database is opened, because only one process at a time can
/// enable the write-ahead log. Returns `None` if the file system does not support locks.
fn lock(path: &Path) -> Option<File> {
    let file = File::options().create(true).append(true).open(path).ok()?;
    file.lock().ok()?;
    Some(file)
}

fn connect(file: &Path) -> Result<Connection, StateError> {
    // With the default flags, SQLite would read a path that begins with `file:` as a URI.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(LOCK_TIMEOUT)?;
    connection.pragma_update(None, "synchronous", "full")?;
    // Without this setting, a flush on macOS only reaches the disk's cache. The setting has no
    // effect on other systems.
    connection.pragma_update(None, "fullfsync", true)?;
    Ok(connection)
}

/// Upgrades a database of an earlier version to the current one.
fn migrate(connection: &mut Connection) -> Result<(), StateError> {
    let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let steps = usize::try_from(found)
        .ok()
        .and_then(|found| MIGRATIONS.get(found..))
        .ok_or(StateError::Newer { found })?;
    if !steps.is_empty() {
        let transaction = connection.transaction()?;
        for (version, step) in (found + 1..).zip(steps) {
            transaction.execute_batch(step)?;
            transaction.pragma_update(None, "user_version", version)?;
        }
        transaction.commit()?;
    }
    // On a file system without shared memory, SQLite keeps the rollback journal, which is slower
    // but equally safe.
    connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
    Ok(())
}

/// Converts a time to the database's format.
pub(super) fn millis(time: Timestamp) -> i64 {
    time.as_millisecond()
}

pub(super) fn time(row: &Row<'_>, column: &str) -> rusqlite::Result<Timestamp> {
    parsed(row, column, |ms: i64| Timestamp::from_millisecond(ms))
}

/// Reads a column that may be null.
pub(super) fn optional<T>(
    row: &Row<'_>,
    column: &str,
    read: impl FnOnce(&Row<'_>, &str) -> rusqlite::Result<T>,
) -> rusqlite::Result<Option<T>> {
    match row.get_ref(column)?.data_type() {
        Type::Null => Ok(None),
        _ => read(row, column).map(Some),
    }
}

pub(super) fn parsed<S: FromSql, T, E: Into<Box<dyn Error + Send + Sync>>>(
    row: &Row<'_>,
    column: &str,
    parse: impl FnOnce(S) -> Result<T, E>,
) -> rusqlite::Result<T> {
    parse(row.get(column)?).map_err(|error| {
        let index = row.as_ref().column_index(column).unwrap_or_default();
        rusqlite::Error::FromSqlConversionFailure(index, Type::Text, error.into())
    })
}
