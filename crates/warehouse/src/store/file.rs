//! Creates, opens and removes the file of a dataset.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use crate::error::{Fault, Reason};
use crate::name::DatasetId;

/// Maximum time that a write waits for a write by another process.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

/// Returns the path of a dataset's file.
pub(super) fn path(folder: &Path, dataset: &DatasetId) -> PathBuf {
    folder.join(format!("{dataset}.sqlite"))
}

/// Opens a dataset's file. Returns `None` if the dataset does not exist.
pub(super) fn open(folder: &Path, dataset: &DatasetId) -> Result<Option<Connection>, Fault> {
    let file = path(folder, dataset);
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    match Connection::open_with_flags(&file, flags) {
        Ok(connection) => {
            set_up(&connection).map_err(Fault::internal)?;
            Ok(Some(connection))
        }
        Err(_) if !file.exists() => Ok(None),
        Err(error) => Err(Fault::internal(error)),
    }
}

/// Creates a dataset. The file gets its final name when it is complete. Returns an error if the
/// dataset exists.
pub(super) fn create(folder: &Path, dataset: &DatasetId, facts: &str) -> Result<(), Fault> {
    let file = path(folder, dataset);
    if file.exists() {
        return Err(exists(dataset));
    }
    let unnamed = tempfile_in(folder)?;
    let done = fill(&unnamed, facts, "wal").and_then(|()| {
        // Uses a link instead of a rename. If two writers create the same dataset, the second link
        // fails.
        fs::hard_link(&unnamed, &file).map_err(|error| match error.kind() {
            std::io::ErrorKind::AlreadyExists => exists(dataset),
            _ => Fault::internal(error),
        })
    });
    let _ = fs::remove_file(&unnamed);
    done
}

/// Creates a dataset that can be lost in a power failure. Replaces an existing dataset with the
/// same name.
pub(super) fn create_temporary(
    folder: &Path,
    dataset: &DatasetId,
    facts: &str,
) -> Result<(), Fault> {
    let unnamed = tempfile_in(folder)?;
    let done = fill(&unnamed, facts, "off")
        .and_then(|()| fs::rename(&unnamed, path(folder, dataset)).map_err(Fault::internal));
    if done.is_err() {
        let _ = fs::remove_file(&unnamed);
    }
    done
}

fn exists(dataset: &DatasetId) -> Fault {
    Fault::new(Reason::Duplicate, format!("the dataset {dataset} already exists"))
}

fn tempfile_in(folder: &Path) -> Result<PathBuf, Fault> {
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(Fault::internal)?;
    let name = format!(".new-{:016x}", u64::from_ne_bytes(random));
    Ok(folder.join(name))
}

fn fill(file: &Path, facts: &str, journal: &str) -> Result<(), Fault> {
    let made = (|| {
        let connection = Connection::open(file)?;
        // Allows SQLite to free the space of dropped tables without rewriting the whole file.
        connection.pragma_update(None, "auto_vacuum", "incremental")?;
        connection.pragma_update_and_check(None, "journal_mode", journal, |_| Ok(()))?;
        if journal == "off" {
            connection.pragma_update(None, "synchronous", "off")?;
        }
        connection.execute_batch(include_str!("schema.sql"))?;
        connection.execute("INSERT INTO dataset (facts) VALUES (?1)", [facts])?;
        connection.pragma_update(None, "user_version", 1)?;
        connection.close().map_err(|(_, error)| error)
    })();
    made.map_err(Fault::internal)
}

/// Removes a dataset's file and the files that SQLite creates next to it.
pub(super) fn remove(folder: &Path, dataset: &DatasetId) -> Result<(), Fault> {
    let file = path(folder, dataset);
    fs::remove_file(&file).map_err(Fault::internal)?;
    for ending in ["-wal", "-shm"] {
        let mut beside = file.clone().into_os_string();
        beside.push(ending);
        let _ = fs::remove_file(beside);
    }
    Ok(())
}

fn set_up(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY_TIMEOUT)?;
    connection.pragma_update(None, "synchronous", "full")?;
    Ok(())
}
