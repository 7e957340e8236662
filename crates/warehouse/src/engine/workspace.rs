//! The SQLite connection for running a single statement.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::config::DbConfig;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags};

use crate::control::Control;
use crate::error::{Fault, Reason};
use crate::name::DatasetId;
use crate::sql;
use crate::store::{Store, quoted};

/// Maximum size of a value, in bytes: 64 MiB. This limits how much an aggregate can collect.
const MAX_VALUE_BYTES: i32 = 64 * 1024 * 1024;
/// Maximum length of the SQL generated for a statement, in bytes: 4 MiB.
const MAX_SQL_BYTES: i32 = 4 * 1024 * 1024;
/// Maximum size of SQLite's cache for each file, in KiB: 32 MiB. A sort that needs more memory
/// spills to disk.
const CACHE_KIB: i32 = 32 * 1024;
/// Maximum heap size of SQLite in this process, in bytes: 2 GiB. A statement that needs more fails.
/// Without this limit, a thousand aggregates could use all memory, although each stays within its
/// own limit.
const MAX_HEAP_BYTES: i64 = 2 * 1024 * 1024 * 1024;
/// Maximum number of datasets in one statement: SQLite's limit on attached databases
/// (`SQLITE_MAX_ATTACHED`).
const MAX_DATASETS: usize = 10;

/// An in-memory connection with attached datasets.
pub(super) struct Workspace<'a> {
    pub connection: Connection,
    store: &'a Store,
    attached: RefCell<BTreeMap<DatasetId, String>>,
    confined: WritableSchema,
}

impl<'a> Workspace<'a> {
    /// Opens a connection. `control` can interrupt its statements.
    pub(super) fn open(store: &'a Store, control: &Control) -> Result<Self, Fault> {
        let confined = WritableSchema::default();
        let connection = connect(control, &confined).map_err(Fault::internal)?;
        sql::register(&connection).map_err(Fault::internal)?;
        Ok(Self { connection, store, attached: RefCell::default(), confined })
    }

    /// Attaches a dataset and returns its schema name. Returns `None` if the dataset does not
    /// exist.
    pub(super) fn attach(&self, dataset: &DatasetId) -> Result<Option<String>, Fault> {
        if let Some(name) = self.attached.borrow().get(dataset) {
            return Ok(Some(name.clone()));
        }
        let Some(file) = self.store.file(dataset) else {
            return Ok(None);
        };
        let count = self.attached.borrow().len();
        if count == MAX_DATASETS {
            return Err(Fault::new(
                Reason::InvalidQuery,
                format!(
                    "a statement can use at most {MAX_DATASETS} datasets, including the dataset of its result"
                ),
            ));
        }
        let name = format!("d{}", count + 1);
        let file = file
            .to_str()
            .ok_or_else(|| Fault::internal("the path of the site folder is not valid UTF-8"))?;
        self.connection
            .execute(&format!("ATTACH ?1 AS {name}"), [file])
            .and_then(|_| self.connection.pragma_update(Some(&name), "cache_size", -CACHE_KIB))
            .map_err(Fault::internal)?;
        self.attached.borrow_mut().insert(dataset.clone(), name.clone());
        Ok(Some(name))
    }

    /// Restricts the connection to reading, and to writing rows of this dataset.
    pub(super) fn confine(&self, writes: &DatasetId) {
        let writes = self.attached.borrow().get(writes).cloned();
        *lock_writable(&self.confined) = Some(writes.unwrap_or_default());
    }

    /// Lifts the restriction of [`confine`](Self::confine), so that the crate can run its own
    /// statements.
    pub(super) fn release(&self) {
        *lock_writable(&self.confined) = None;
    }
}

/// The schema name of the only dataset that the connection can write to. `None` means no
/// restriction.
type WritableSchema = Arc<Mutex<Option<String>>>;

fn lock_writable(confined: &WritableSchema) -> MutexGuard<'_, Option<String>> {
    confined.lock().unwrap_or_else(PoisonError::into_inner)
}

fn authorize(context: &AuthContext<'_>, confined: &WritableSchema) -> Authorization {
    let confined = lock_writable(confined);
    let Some(writes) = confined.as_deref() else {
        return Authorization::Allow;
    };
    let is_allowed = match context.action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => true,
        AuthAction::Function { function_name } => {
            !function_name.eq_ignore_ascii_case("load_extension")
        }
        AuthAction::Insert { .. } | AuthAction::Update { .. } | AuthAction::Delete { .. } => {
            context.database_name == Some(writes)
        }
        _ => false,
    };
    if is_allowed { Authorization::Allow } else { Authorization::Deny }
}

fn connect(control: &Control, confined: &WritableSchema) -> rusqlite::Result<Connection> {
    // Attached files are opened with the same flags, so `SQLITE_OPEN_MEMORY` must not be set.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(":memory:", flags)?;
    // Makes an unknown column name in double quotes an error. By default, SQLite treats it as a
    // string.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, MAX_VALUE_BYTES)?;
    connection.set_limit(Limit::SQLITE_LIMIT_SQL_LENGTH, MAX_SQL_BYTES)?;
    connection.busy_timeout(std::time::Duration::from_secs(30))?;
    // The cache size of the main database also limits the memory for a sort.
    connection.pragma_update(None, "cache_size", -CACHE_KIB)?;
    connection.pragma_update(Some("temp"), "cache_size", -CACHE_KIB)?;
    connection.pragma_update(None, "temp_store", "file")?;
    connection.pragma_update_and_check(None, "hard_heap_limit", MAX_HEAP_BYTES, |_| Ok(()))?;
    control.watch(&mut connection)?;
    let confined = Arc::clone(confined);
    connection.authorizer(Some(move |context: AuthContext<'_>| authorize(&context, &confined)))?;
    Ok(connection)
}

/// Returns the SQL name of a temporary table.
pub(super) fn temporary(name: &str) -> String {
    format!("temp.{}", quoted(name))
}
