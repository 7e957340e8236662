//! The connection on which one statement runs.

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

/// Maximum size of a value, in bytes: 64 MiB. It limits how much an aggregate can collect.
const LONGEST_VALUE: i32 = 64 * 1024 * 1024;
/// Maximum length of the SQL generated for a statement, in bytes: 4 MiB.
const LONGEST_SQL: i32 = 4 * 1024 * 1024;
/// KiB that SQLite may cache of each file, and that a sort may hold before it spills to disk: 32
/// MiB.
const CACHE: i32 = 32 * 1024;
/// Maximum heap of SQLite in this process, in bytes: 2 GiB. A statement that needs more fails.
/// Without this limit, a thousand aggregates within their own limits would use all memory.
const MOST_HEAP: i64 = 2 * 1024 * 1024 * 1024;
/// Maximum number of datasets in one statement: as many as SQLite attaches (`SQLITE_MAX_ATTACHED`).
const MOST_DATASETS: usize = 10;

/// An in-memory connection with attached datasets.
pub(super) struct Workspace<'a> {
    pub connection: Connection,
    store: &'a Store,
    attached: RefCell<BTreeMap<DatasetId, String>>,
    confined: Confined,
}

impl<'a> Workspace<'a> {
    /// Opens a connection whose work `control` can end.
    pub(super) fn open(store: &'a Store, control: &Control) -> Result<Self, Fault> {
        let confined = Confined::default();
        let connection = connect(control, &confined).map_err(Fault::internal)?;
        sql::register(&connection).map_err(Fault::internal)?;
        Ok(Self { connection, store, attached: RefCell::default(), confined })
    }

    /// Attaches a dataset and returns its schema name. None if the dataset does not exist.
    pub(super) fn attach(&self, dataset: &DatasetId) -> Result<Option<String>, Fault> {
        if let Some(name) = self.attached.borrow().get(dataset) {
            return Ok(Some(name.clone()));
        }
        let Some(file) = self.store.file(dataset) else {
            return Ok(None);
        };
        let count = self.attached.borrow().len();
        if count == MOST_DATASETS {
            return Err(Fault::new(
                Reason::InvalidQuery,
                format!(
                    "a statement can use at most {MOST_DATASETS} datasets, including the dataset of its result"
                ),
            ));
        }
        let name = format!("d{}", count + 1);
        let file = file
            .to_str()
            .ok_or_else(|| Fault::internal("the path of the site folder is not valid UTF-8"))?;
        self.connection
            .execute(&format!("ATTACH ?1 AS {name}"), [file])
            .and_then(|_| self.connection.pragma_update(Some(&name), "cache_size", -CACHE))
            .map_err(Fault::internal)?;
        self.attached.borrow_mut().insert(dataset.clone(), name.clone());
        Ok(Some(name))
    }

    /// Restricts the connection to reading and to writing this dataset.
    pub(super) fn confine(&self, writes: &DatasetId) {
        let writes = self.attached.borrow().get(writes).cloned();
        *held(&self.confined) = Some(writes.unwrap_or_default());
    }

    /// Lifts the restriction of [`confine`](Self::confine), for the program's own statements.
    pub(super) fn release(&self) {
        *held(&self.confined) = None;
    }
}

/// The schema name of the only dataset that the connection may write. None if it may write all.
type Confined = Arc<Mutex<Option<String>>>;

fn held(confined: &Confined) -> MutexGuard<'_, Option<String>> {
    confined.lock().unwrap_or_else(PoisonError::into_inner)
}

fn authorize(context: &AuthContext<'_>, confined: &Confined) -> Authorization {
    let confined = held(confined);
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

fn connect(control: &Control, confined: &Confined) -> rusqlite::Result<Connection> {
    // Attached files are opened with the same flags, so the in-memory flag must not be set.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(":memory:", flags)?;
    // An unknown column name is an error. By default, SQLite takes it as a string.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST_VALUE)?;
    connection.set_limit(Limit::SQLITE_LIMIT_SQL_LENGTH, LONGEST_SQL)?;
    connection.busy_timeout(std::time::Duration::from_secs(30))?;
    // The amount of memory for a sort is the cache size of the main database.
    connection.pragma_update(None, "cache_size", -CACHE)?;
    connection.pragma_update(Some("temp"), "cache_size", -CACHE)?;
    connection.pragma_update(None, "temp_store", "file")?;
    connection.pragma_update_and_check(None, "hard_heap_limit", MOST_HEAP, |_| Ok(()))?;
    control.watch(&mut connection)?;
    let confined = Arc::clone(confined);
    connection.authorizer(Some(move |context: AuthContext<'_>| authorize(&context, &confined)))?;
    Ok(connection)
}

/// Returns the SQL name of a temporary table.
pub(super) fn temporary(name: &str) -> String {
    format!("temp.{}", quoted(name))
}
