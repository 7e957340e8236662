//! Stores datasets and their tables. Each dataset is a file `<dataset>.sqlite` in the warehouse's
//! folder.
//!
//! Each change to a dataset is a transaction in its file. Even if the program crashes, the change
//! is applied completely or not at all. During a change, readers see the previous state.

mod catalog;
mod file;
mod filling;
mod rows;
mod write_lock;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;
use rusqlite::{Connection, Transaction, TransactionBehavior};

pub use catalog::{
    Dataset, Facts, Kind, Table, add_columns, find, note_applied, quoted, rows_of, save,
};
pub(crate) use catalog::{create, remove};
pub(crate) use filling::explain;
pub use filling::{Disposition, TableWriter, Target, insert};
pub use rows::{Page, Room, Start, types};
pub use write_lock::WriteLock;

use super::control::Control;
use super::error::{Fault, Reason};
use super::name::{DatasetId, TableName};

/// The stored tables of a warehouse. Clones share the same tables.
#[derive(Debug, Clone)]
pub struct Store {
    folder: PathBuf,
    /// The write lock of each dataset. SQLite allows only one writer per file, so the writers in
    /// this process wait for the lock.
    writers: Arc<Mutex<HashMap<DatasetId, Arc<AtomicBool>>>>,
}

/// The interval at which a waiting writer tries to take the lock and checks whether it has been
/// cancelled.
const LOCK_POLL_INTERVAL: Duration = Duration::from_millis(5);

impl Store {
    /// Opens the warehouse in this folder. Creates the folder and the dataset `site` if they do not
    /// exist.
    pub fn open(folder: &Path) -> Result<Self, Fault> {
        fs::create_dir_all(folder).map_err(Fault::internal)?;
        let store = Self { folder: folder.to_owned(), writers: Arc::default() };
        match store.create_dataset(&DatasetId::site(), &Facts::new(Timestamp::now())) {
            Err(fault) if fault.reason != Reason::Duplicate => Err(fault),
            _ => Ok(store),
        }
    }

    /// Returns the folder of the warehouse's files.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the file of a dataset, or `None` if the dataset does not exist.
    pub fn file(&self, dataset: &DatasetId) -> Option<PathBuf> {
        Some(file::path(&self.folder, dataset)).filter(|file| file.is_file())
    }

    /// Returns every dataset that is not hidden, sorted by name. The description of a dataset whose
    /// file is damaged contains the error.
    pub fn datasets(&self) -> Result<Vec<Dataset>, Fault> {
        let mut ids: Vec<DatasetId> = fs::read_dir(&self.folder)
            .map_err(Fault::internal)?
            .filter_map(|entry| {
                let name = entry.ok()?.file_name();
                let id = DatasetId::parse(name.to_str()?.strip_suffix(".sqlite")?).ok()?;
                (!id.is_hidden()).then_some(id)
            })
            .collect();
        ids.sort();
        let found = ids.iter().filter_map(|id| match self.dataset(id) {
            Err(fault) => Some(damaged(id, &fault)),
            Ok(dataset) => dataset,
        });
        Ok(found.collect())
    }

    /// Returns a dataset, or `None` if it does not exist.
    pub fn dataset(&self, id: &DatasetId) -> Result<Option<Dataset>, Fault> {
        match file::open(&self.folder, id)? {
            Some(connection) => catalog::dataset(&connection, "main", id).map(Some),
            None => Ok(None),
        }
    }

    /// Creates a dataset. Returns an error if the dataset exists.
    pub fn create_dataset(&self, id: &DatasetId, facts: &Facts) -> Result<(), Fault> {
        let facts = serde_json::to_string(facts).map_err(Fault::internal)?;
        file::create(&self.folder, id, &facts)
    }

    /// Creates the hidden dataset for the result of a job.
    pub fn create_result(&self, id: &DatasetId) -> Result<(), Fault> {
        let facts =
            serde_json::to_string(&Facts::new(Timestamp::now())).map_err(Fault::internal)?;
        file::create_temporary(&self.folder, id, &facts)
    }

    /// Removes results of jobs, and incomplete files that a killed process left behind, if they are
    /// older than `older_than`.
    pub fn sweep(&self, older_than: Duration) -> Result<(), Fault> {
        for entry in fs::read_dir(&self.folder).map_err(Fault::internal)?.flatten() {
            let name = entry.file_name();
            let name = name.to_str().unwrap_or_default();
            let is_old = entry
                .metadata()
                .and_then(|facts| facts.modified())
                .is_ok_and(|time| time.elapsed().is_ok_and(|age| age >= older_than));
            if is_old && (name.starts_with('_') || name.starts_with(".new-")) {
                let _ = fs::remove_file(entry.path());
            }
        }
        Ok(())
    }

    /// Changes the metadata of a dataset.
    pub fn update_dataset(
        &self,
        id: &DatasetId,
        change: impl FnOnce(&mut Dataset) -> Result<(), Fault>,
    ) -> Result<Dataset, Fault> {
        self.write(id, &Control::default(), |transaction| {
            let mut dataset = catalog::dataset(transaction, "main", id)?;
            change(&mut dataset)?;
            dataset.facts.modified = Timestamp::now().as_millisecond();
            catalog::set_dataset(transaction, "main", &dataset.facts)?;
            Ok(dataset)
        })
    }

    /// Removes a dataset. Returns an error if the dataset has tables and `with_tables` is false.
    pub fn remove_dataset(&self, id: &DatasetId, with_tables: bool) -> Result<(), Fault> {
        let _lock = self.lock(id, &Control::default())?;
        if !with_tables && !self.tables(id)?.is_empty() {
            return Err(Fault::new(
                Reason::InUse,
                format!("the dataset {id} has tables; set deleteContents=true to remove them too"),
            ));
        }
        match self.file(id) {
            Some(_) => file::remove(&self.folder, id),
            None => Err(no_dataset(id)),
        }
    }

    /// Returns every stored table and view of a dataset, sorted by name.
    pub fn tables(&self, dataset: &DatasetId) -> Result<Vec<Table>, Fault> {
        let connection = self.connect(dataset)?;
        catalog::tables(&connection, "main", dataset, Timestamp::now())
    }

    /// Returns a stored table or view, or `None` if it does not exist. Returns an error if the
    /// dataset does not exist.
    pub fn table(&self, name: &TableName) -> Result<Option<Table>, Fault> {
        let connection = self.connect(&name.dataset)?;
        catalog::find(&connection, "main", name, Timestamp::now())
    }

    /// Creates an empty table or a view. Returns an error if its name is in use.
    pub fn create_table(&self, table: Table) -> Result<Table, Fault> {
        let dataset = table.name.dataset.clone();
        self.write(&dataset, &Control::default(), |transaction| {
            catalog::create(transaction, "main", table, Timestamp::now())
        })
    }

    /// Changes the catalog entry of a table, but not its rows. `change` can add columns with
    /// [`add_columns`].
    pub fn update_table(
        &self,
        name: &TableName,
        change: impl FnOnce(&Connection, &mut Table) -> Result<(), Fault>,
    ) -> Result<Table, Fault> {
        self.write(&name.dataset, &Control::default(), |transaction| {
            let now = Timestamp::now();
            let mut table =
                catalog::find(transaction, "main", name, now)?.ok_or_else(|| no_table(name))?;
            change(transaction, &mut table)?;
            table.facts.modified = now.as_millisecond();
            catalog::save(transaction, "main", &table)?;
            Ok(table)
        })
    }

    /// Removes a table or view.
    pub fn remove_table(&self, name: &TableName) -> Result<(), Fault> {
        let removed = self.write(&name.dataset, &Control::default(), |transaction| {
            catalog::remove(transaction, "main", name)
        })?;
        if removed { Ok(()) } else { Err(no_table(name)) }
    }

    /// Returns the outcome of a job that changed a dataset, or `None` if the job did not change it.
    pub fn applied(&self, dataset: &DatasetId, job: &str) -> Result<Option<String>, Fault> {
        catalog::applied(&self.connect(dataset)?, "main", job)
    }

    /// Returns rows of a stored table, in insertion order. `columns` contains the indexes of the
    /// columns to return, and `most` is the maximum number of rows.
    pub fn rows(
        &self,
        table: &Table,
        columns: &[usize],
        start: Start,
        most: usize,
    ) -> Result<Page, Fault> {
        rows::page(&self.connect(&table.name.dataset)?, table, columns, start, most)
    }

    /// Changes a dataset in one transaction, which is rolled back if `work` returns an error. Waits
    /// for other writers of the dataset until `control` stops the work.
    pub fn write<T>(
        &self,
        dataset: &DatasetId,
        control: &Control,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        let _lock = self.lock(dataset, control)?;
        let mut connection = self.connect(dataset)?;
        control.watch(&mut connection).map_err(Fault::internal)?;
        let transaction = connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(|error| control.explain(&error))?;
        let done = work(&transaction)?;
        transaction.commit().map_err(|error| control.explain(&error))?;
        // Returns the space of deleted data to the file system.
        let _ = connection.execute_batch("PRAGMA incremental_vacuum");
        Ok(done)
    }

    /// Locks a dataset against other writers in this process.
    pub fn lock(&self, dataset: &DatasetId, control: &Control) -> Result<WriteLock, Fault> {
        let lock = {
            let mut writers = self.writers.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(writers.entry(dataset.clone()).or_default())
        };
        loop {
            if let Some(held) = WriteLock::try_take(&lock) {
                return Ok(held);
            }
            control.check()?;
            std::thread::sleep(LOCK_POLL_INTERVAL);
        }
    }

    fn connect(&self, dataset: &DatasetId) -> Result<Connection, Fault> {
        file::open(&self.folder, dataset)?.ok_or_else(|| no_dataset(dataset))
    }
}

/// Returns an entry for a dataset that cannot be read, so that other datasets are still listed.
fn damaged(id: &DatasetId, fault: &Fault) -> Dataset {
    let mut facts = Facts::new(Timestamp::UNIX_EPOCH);
    facts.description = Some(format!("the file {id}.sqlite cannot be read: {fault}"));
    Dataset { id: id.clone(), facts }
}

/// Returns the fault for a dataset that does not exist.
pub(crate) fn no_dataset(id: &DatasetId) -> Fault {
    Fault::not_found(format!("dataset not found: {id}"))
}

/// Returns the fault for a table that does not exist.
pub fn no_table(name: &TableName) -> Fault {
    Fault::not_found(format!("table not found: {name}"))
}
