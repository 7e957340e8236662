//! A connection for one statement.

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

/// Most bytes of a value: 64 MiB. It bounds what an aggregate can gather.
const LONGEST_VALUE: i32 = 64 * 1024 * 1024;
/// Most bytes of the SQL that a statement becomes: 4 MiB.
const LONGEST_SQL: i32 = 4 * 1024 * 1024;
/// KiB that SQLite may cache of each file, and that a sort may hold before it goes to the disk: 32 MiB.
const CACHE: i32 = 32 * 1024;
/// Most bytes that SQLite may hold in this process: 2 GiB. A statement that wants more fails; a statement of a
/// thousand aggregates within their bound would take all the machine has.
const MOST_HEAP: i64 = 2 * 1024 * 1024 * 1024;
/// Most datasets of one statement: what SQLite attaches (`SQLITE_MAX_ATTACHED`).
const MOST_DATASETS: usize = 10;

/// A connection in memory, with datasets attached to it.
pub(super) struct Workspace<'a> {
    pub connection: Connection,
    store: &'a Store,
    attached: RefCell<BTreeMap<DatasetId, String>>,
    confined: Confined,
}

impl<'a> Workspace<'a> {
    /// A connection whose work `control` ends.
    pub(super) fn open(store: &'a Store, control: &Control) -> Result<Self, Fault> {
        let confined = Confined::default();
        let connection = connect(control, &confined).map_err(Fault::internal)?;
        sql::register(&connection).map_err(Fault::internal)?;
        Ok(Self { connection, store, attached: RefCell::default(), confined })
    }

    /// The name of a dataset on the connection. None where there is no such dataset.
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
                    "a statement can name at most {MOST_DATASETS} datasets, its result among them"
                ),
            ));
        }
        let name = format!("d{}", count + 1);
        let file =
            file.to_str().ok_or_else(|| Fault::internal("the path of the site is no UTF-8"))?;
        self.connection
            .execute(&format!("ATTACH ?1 AS {name}"), [file])
            .and_then(|_| self.connection.pragma_update(Some(&name), "cache_size", -CACHE))
            .map_err(Fault::internal)?;
        self.attached.borrow_mut().insert(dataset.clone(), name.clone());
        Ok(Some(name))
    }

    /// From now on the connection writes nothing but this dataset, and does nothing but read and write.
    pub(super) fn confine(&self, writes: &DatasetId) {
        let writes = self.attached.borrow().get(writes).cloned();
        *held(&self.confined) = Some(writes.unwrap_or_default());
    }

    /// Ends what [`confine`](Self::confine) began: the program's own statements follow.
    pub(super) fn release(&self) {
        *held(&self.confined) = None;
    }
}

/// The connection's name of the only dataset that it may write. None while it may write all.
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
    // Files that are attached are opened in the same way: the flag for memory would be theirs too.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(":memory:", flags)?;
    // A name that is no column is an error, not a text.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DML, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DQS_DDL, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LONGEST_VALUE)?;
    connection.set_limit(Limit::SQLITE_LIMIT_SQL_LENGTH, LONGEST_SQL)?;
    connection.busy_timeout(std::time::Duration::from_secs(30))?;
    // How much a sort holds is what the main database may cache.
    connection.pragma_update(None, "cache_size", -CACHE)?;
    connection.pragma_update(Some("temp"), "cache_size", -CACHE)?;
    connection.pragma_update(None, "temp_store", "file")?;
    connection.pragma_update_and_check(None, "hard_heap_limit", MOST_HEAP, |_| Ok(()))?;
    control.watch(&mut connection)?;
    let confined = Arc::clone(confined);
    connection.authorizer(Some(move |context: AuthContext<'_>| authorize(&context, &confined)))?;
    Ok(connection)
}

/// The connection's name of a temporary table.
pub(super) fn temporary(name: &str) -> String {
    format!("temp.{}", quoted(name))
}
