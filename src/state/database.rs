//! The database: how it is opened, and how it is read and written.

use std::error::Error;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::types::{FromSql, Type};
use rusqlite::{Connection, OpenFlags, Row, Transaction, TransactionBehavior};

use super::in_flight::InFlight;
use super::key::EnvironmentKey;
use super::{KeyError, StateError};

/// How long a write waits for another process's.
const PATIENCE: Duration = Duration::from_secs(10);

/// What makes a database of version n one of n + 1. A step that was released never changes.
const STEPS: [&str; 4] = [
    include_str!("schema-1.sql"),
    include_str!("schema-2.sql"),
    include_str!("schema-3.sql"),
    include_str!("schema-4.sql"),
];

/// The state of one site. A clone is another handle of the same.
#[derive(Clone)]
pub struct State {
    writer: Arc<Mutex<Connection>>,
    /// Keys are looked up while a commit waits for the disk.
    reader: Arc<Mutex<Connection>>,
    pub(super) creations: InFlight,
    pub(super) deliveries: InFlight,
    pub(super) uploads: InFlight,
    pub(super) environment: Option<Arc<EnvironmentKey>>,
}

impl State {
    /// Opens the state of the site at `root`, and makes `.feedwright/` and the database where they
    /// are missing: readable by their owner alone, and ignored by git.
    pub fn open(root: &Path) -> Result<Self, StateError> {
        let folder = local_folder(root).map_err(StateError::Folder)?;
        let _one_at_a_time = lock(&folder.join("state.lock"));
        let file = folder.join("state.sqlite");
        make_file(&file).map_err(StateError::Folder)?;
        let mut writer = connect(&file)?;
        update(&mut writer)?;
        let reader = connect(&file)?;
        reader.pragma_update(None, "query_only", true)?;
        Ok(Self {
            writer: Arc::new(Mutex::new(writer)),
            reader: Arc::new(Mutex::new(reader)),
            creations: InFlight::default(),
            deliveries: InFlight::default(),
            uploads: InFlight::default(),
            environment: None,
        })
    }

    /// A state of nothing, which is kept nowhere: that of a server that only shows a site.
    pub fn in_memory() -> Result<Self, StateError> {
        let mut connection = Connection::open_in_memory()?;
        update(&mut connection)?;
        let connection = Arc::new(Mutex::new(connection));
        Ok(Self {
            writer: Arc::clone(&connection),
            reader: connection,
            creations: InFlight::default(),
            deliveries: InFlight::default(),
            uploads: InFlight::default(),
            environment: None,
        })
    }

    /// Takes one more key, with every scope: the one whose secret an environment variable such as
    /// `FEEDWRIGHT_API_KEY` holds. Its id is [`ENVIRONMENT_KEY`](super::ENVIRONMENT_KEY). It is not
    /// stored, cannot be rotated or revoked, and must be visible ASCII characters.
    pub fn with_environment_key(mut self, secret: &str, now: Timestamp) -> Result<Self, KeyError> {
        self.environment = Some(Arc::new(EnvironmentKey::new(secret, now)?));
        Ok(self)
    }

    pub(super) fn read<T>(
        &self,
        look: impl FnOnce(&Connection) -> Result<T, StateError>,
    ) -> Result<T, StateError> {
        look(&hold(&self.reader))
    }

    /// Makes a change as one transaction, and returns when it is on the disk. An error undoes it.
    pub(super) fn write<T>(
        &self,
        change: impl FnOnce(&Transaction<'_>) -> Result<T, StateError>,
    ) -> Result<T, StateError> {
        let mut writer = hold(&self.writer);
        // Immediate: one that begins as a reader cannot wait for a writer, it fails.
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let done = change(&transaction)?;
        transaction.commit()?;
        Ok(done)
    }
}

/// A thread that panicked has left its transaction undone, so the connection is good.
fn hold(connection: &Mutex<Connection>) -> MutexGuard<'_, Connection> {
    connection.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The folder of a site's local state, `.feedwright/`, which is made where it is missing: readable by its owner
/// alone, and ignored by git.
pub fn local_folder(root: &Path) -> io::Result<PathBuf> {
    let folder = root.join(".feedwright");
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    match builder.create(&folder) {
        Ok(()) => sync(root)?,
        Err(_) if folder.is_dir() => {}
        Err(error) => return Err(error),
    }
    let ignore = folder.join(".gitignore");
    if !ignore.exists() {
        fs::write(ignore, "*\n")?;
    }
    Ok(folder)
}

/// Makes an empty file, which is an empty database. SQLite gives its other files the same mode.
fn make_file(file: &Path) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(file) {
        Ok(_) => file.parent().map_or(Ok(()), sync),
        // It is not opened: to close it again would end the locks of this process's connections.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => close_to_others(file),
        Err(error) => Err(error),
    }
}

/// A copy or a backup may have lost the mode.
fn close_to_others(file: &Path) -> io::Result<()> {
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

/// What a folder lists lasts through a power cut only when the folder is flushed.
fn sync(folder: &Path) -> io::Result<()> {
    match cfg!(unix) {
        true => File::open(folder)?.sync_all(),
        false => Ok(()),
    }
}

/// Keeps others waiting that open the database: two cannot switch it to a write-ahead log at once.
/// None where the disk has no locks.
fn lock(path: &Path) -> Option<File> {
    let file = File::options().create(true).append(true).open(path).ok()?;
    file.lock().ok()?;
    Some(file)
}

fn connect(file: &Path) -> Result<Connection, StateError> {
    // Not the default flags: with them a path that begins with `file:` is read as an address.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(file, flags)?;
    connection.busy_timeout(PATIENCE)?;
    connection.pragma_update(None, "synchronous", "full")?;
    // Elsewhere than on macOS it does nothing; there a flush without it stops at the disk's cache.
    connection.pragma_update(None, "fullfsync", true)?;
    Ok(connection)
}

/// Brings a database of an earlier version to this one.
fn update(connection: &mut Connection) -> Result<(), StateError> {
    let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let steps = usize::try_from(found)
        .ok()
        .and_then(|found| STEPS.get(found..))
        .ok_or(StateError::Newer { found })?;
    if !steps.is_empty() {
        let transaction = connection.transaction()?;
        for (version, step) in (found + 1..).zip(steps) {
            transaction.execute_batch(step)?;
            transaction.pragma_update(None, "user_version", version)?;
        }
        transaction.commit()?;
    }
    // A disk without shared memory keeps the old journal: slower, and as safe.
    connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))?;
    Ok(())
}

/// A time as the database keeps it.
pub(super) fn millis(time: Timestamp) -> i64 {
    time.as_millisecond()
}

/// A time of a row.
pub(super) fn time(row: &Row<'_>, column: &str) -> rusqlite::Result<Timestamp> {
    parsed(row, column, |ms: i64| Timestamp::from_millisecond(ms))
}

/// A column that may be empty.
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

/// A column as what it stands for.
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
