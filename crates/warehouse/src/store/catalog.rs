//! The catalog in a dataset's file, which contains the metadata of the dataset and its tables. The
//! parameter `at` is the schema name of the file in the connection: `main`, or the name of the
//! attached file.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::{Fault, Reason};
use crate::name::{DatasetId, TableId, TableName};
use crate::schema;
use crate::types::Field;

/// Metadata of a dataset or table, such as its description, labels and creation time.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    pub description: Option<String>,
    pub friendly_name: Option<String>,
    pub labels: BTreeMap<String, String>,
    /// The partitioning and clustering that the table's author specified. The warehouse ignores
    /// them.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub layout: Map<String, Value>,
    /// The time of creation, in Unix milliseconds.
    pub created: i64,
    /// The time of the last change, in Unix milliseconds.
    pub modified: i64,
}

impl Facts {
    /// Creates metadata for a dataset or table that is created at this time.
    pub fn new(now: Timestamp) -> Self {
        Self { created: now.as_millisecond(), modified: now.as_millisecond(), ..Self::default() }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dataset {
    pub id: DatasetId,
    /// The dataset's metadata.
    pub facts: Facts,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub name: TableName,
    /// The source of the table's rows.
    pub kind: Kind,
    pub fields: Vec<Field>,
    /// Number of rows. `None` for a view or live table, because its rows must be produced to be
    /// counted.
    pub rows: Option<u64>,
    /// The table's metadata.
    pub facts: Facts,
    /// The time when the table is removed. `None` means never.
    pub expires: Option<Timestamp>,
}

/// The source of a table's rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Rows that are stored in the dataset's file.
    Stored {
        /// The table's number in the file. The rows are in the SQLite table `t<id>`.
        id: i64,
    },
    /// A view. Its rows are the result of a query.
    View {
        /// The query, in the warehouse's SQL dialect.
        query: String,
    },
    /// A live table. Its rows are produced when a statement reads them.
    Live,
}

impl Table {
    /// Creates an entry for a table that does not exist yet.
    pub fn new(name: TableName, fields: Vec<Field>, now: Timestamp) -> Self {
        Self {
            name,
            kind: Kind::Stored { id: 0 },
            fields,
            rows: Some(0),
            facts: Facts::new(now),
            expires: None,
        }
    }
}

/// Quotes a name for SQLite's SQL.
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Returns the name of the SQLite table that contains the rows of a stored table.
pub fn rows_of(at: &str, id: i64) -> String {
    format!("{}.\"t{id}\"", quoted(at))
}

/// Reads the metadata of a dataset.
pub(super) fn dataset(connection: &Connection, at: &str, id: &DatasetId) -> Result<Dataset, Fault> {
    let sql = format!("SELECT facts FROM {}.dataset", quoted(at));
    let facts: String =
        connection.query_row(&sql, [], |row| row.get(0)).map_err(Fault::internal)?;
    Ok(Dataset { id: id.clone(), facts: serde_json::from_str(&facts).map_err(Fault::internal)? })
}

/// Replaces the metadata of a dataset.
pub(super) fn set_dataset(connection: &Connection, at: &str, facts: &Facts) -> Result<(), Fault> {
    let sql = format!("UPDATE {}.dataset SET facts = ?1", quoted(at));
    let facts = serde_json::to_string(facts).map_err(Fault::internal)?;
    connection.execute(&sql, [facts]).map_err(Fault::internal)?;
    Ok(())
}

const COLUMNS: &str = "id, name, fields, view, rows, facts, expires";

/// Returns the table or view with this name, or `None` if it does not exist or has expired.
pub fn find(
    connection: &Connection,
    at: &str,
    name: &TableName,
    now: Timestamp,
) -> Result<Option<Table>, Fault> {
    let sql = format!(
        "SELECT {COLUMNS} FROM {}.tables WHERE name = ?1 AND ifnull(expires > ?2, 1)",
        quoted(at)
    );
    let read = |row: &Row<'_>| Ok(read(row, &name.dataset));
    connection
        .query_row(&sql, params![name.table.as_str(), now.as_millisecond()], read)
        .optional()
        .map_err(Fault::internal)?
        .transpose()
}

/// Returns every table and view, sorted by name.
pub(super) fn tables(
    connection: &Connection,
    at: &str,
    dataset: &DatasetId,
    now: Timestamp,
) -> Result<Vec<Table>, Fault> {
    let sql = format!(
        "SELECT {COLUMNS} FROM {}.tables WHERE ifnull(expires > ?1, 1) ORDER BY name",
        quoted(at)
    );
    let mut statement = connection.prepare(&sql).map_err(Fault::internal)?;
    statement
        .query_map([now.as_millisecond()], |row| Ok(read(row, dataset)))
        .map_err(Fault::internal)?
        .map(|row| row.map_err(Fault::internal)?)
        .collect()
}

fn read(row: &Row<'_>, dataset: &DatasetId) -> Result<Table, Fault> {
    let parts = (|| {
        Ok::<_, rusqlite::Error>((
            row.get::<_, i64>(0)?,
            row.get::<_, String>(1)?,
            row.get::<_, String>(2)?,
            row.get::<_, Option<String>>(3)?,
            row.get::<_, i64>(4)?,
            row.get::<_, String>(5)?,
            row.get::<_, Option<i64>>(6)?,
        ))
    })();
    let (id, name, fields, view, rows, facts, expires) = parts.map_err(Fault::internal)?;
    let fields = serde_json::from_str(&fields).map_err(Fault::internal)?;
    Ok(Table {
        name: TableName { dataset: dataset.clone(), table: TableId::parse(&name)? },
        rows: view.is_none().then(|| u64::try_from(rows).unwrap_or(0)),
        kind: match view {
            Some(query) => Kind::View { query },
            None => Kind::Stored { id },
        },
        fields: schema::from_json(&fields, "fields")?,
        facts: serde_json::from_str(&facts).map_err(Fault::internal)?,
        expires: expires.and_then(|ms| Timestamp::from_millisecond(ms).ok()),
    })
}

/// Creates an empty table or a view, and returns its entry. Returns an error if the name is in use.
pub(crate) fn create(
    connection: &Connection,
    at: &str,
    table: Table,
    now: Timestamp,
) -> Result<Table, Fault> {
    if find(connection, at, &table.name, now)?.is_some() {
        return Err(Fault::new(
            Reason::Duplicate,
            format!("the table {} already exists", table.name),
        ));
    }
    // Removes an expired table with this name, if there is one.
    remove(connection, at, &table.name)?;
    let sql = format!(
        "INSERT INTO {}.tables (name, fields, rows, facts) VALUES (?1, '[]', 0, '{{}}')",
        quoted(at)
    );
    connection.execute(&sql, [table.name.table.as_str()]).map_err(Fault::internal)?;
    let id = connection.last_insert_rowid();
    let table = Table { rows: Some(0), ..table };
    save(connection, at, &table)?;
    if matches!(table.kind, Kind::View { .. }) {
        return Ok(Table { rows: None, ..table });
    }
    let columns: Vec<String> = table.fields.iter().map(column).collect();
    // SQLite does not support tables without columns.
    let columns = if columns.is_empty() { "\"\" INTEGER".to_owned() } else { columns.join(", ") };
    let sql = format!("CREATE TABLE {} ({columns}) STRICT", rows_of(at, id));
    connection.execute(&sql, []).map_err(Fault::internal)?;
    Ok(Table { kind: Kind::Stored { id }, ..table })
}

fn column(field: &Field) -> String {
    let required = if field.is_required { " NOT NULL" } else { "" };
    format!("{} {}{required}", quoted(&field.name), field.of.affinity())
}

/// Appends columns to a stored table. In existing rows, the new columns are NULL.
pub fn add_columns(
    connection: &Connection,
    at: &str,
    table: &mut Table,
    more: &[Field],
) -> Result<(), Fault> {
    let Kind::Stored { id } = table.kind else {
        return Err(Fault::invalid(format!(
            "{} is a view or live table: columns cannot be added to it",
            table.name
        )));
    };
    for field in more {
        let sql = format!("ALTER TABLE {} ADD COLUMN {}", rows_of(at, id), column(field));
        connection.execute(&sql, []).map_err(Fault::internal)?;
        table.fields.push(field.clone());
    }
    save(connection, at, table)
}

/// Replaces the catalog entry of a table: the schema, number of rows, metadata and expiry. Does not
/// change the SQLite table that contains the rows.
pub fn save(connection: &Connection, at: &str, table: &Table) -> Result<(), Fault> {
    let view = match &table.kind {
        Kind::View { query } => Some(query.as_str()),
        _ => None,
    };
    let sql = format!(
        "UPDATE {}.tables SET fields = ?2, rows = ?3, facts = ?4, expires = ?5, view = ?6 WHERE name = ?1",
        quoted(at)
    );
    connection
        .execute(
            &sql,
            params![
                table.name.table.as_str(),
                schema::to_json(&table.fields).to_string(),
                i64::try_from(table.rows.unwrap_or(0)).unwrap_or(i64::MAX),
                serde_json::to_string(&table.facts).map_err(Fault::internal)?,
                table.expires.map(Timestamp::as_millisecond),
                view,
            ],
        )
        .map_err(Fault::internal)?;
    Ok(())
}

/// Removes a table or view, including its rows. Returns whether it existed.
pub(crate) fn remove(connection: &Connection, at: &str, name: &TableName) -> Result<bool, Fault> {
    let sql =
        format!("DELETE FROM {}.tables WHERE name = ?1 RETURNING id, view IS NULL", quoted(at));
    let removed: Option<(i64, bool)> = connection
        .query_row(&sql, [name.table.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
        .map_err(Fault::internal)?;
    if let Some((id, true)) = removed {
        let sql = format!("DROP TABLE {}", rows_of(at, id));
        connection.execute(&sql, []).map_err(Fault::internal)?;
    }
    Ok(removed.is_some())
}

/// Renames a table. The new name must not be in use.
pub(super) fn rename(
    connection: &Connection,
    at: &str,
    from: &TableName,
    to: &TableName,
) -> Result<(), Fault> {
    let sql = format!("UPDATE {}.tables SET name = ?2 WHERE name = ?1", quoted(at));
    connection.execute(&sql, [from.table.as_str(), to.table.as_str()]).map_err(Fault::internal)?;
    Ok(())
}

/// Records the outcome of a job in this dataset, in the same transaction as the job's changes.
/// Afterwards, `applied` returns this outcome.
pub fn note_applied(
    connection: &Connection,
    at: &str,
    job: &str,
    outcome: &str,
    now: Timestamp,
) -> Result<(), Fault> {
    let sql = format!(
        "INSERT OR REPLACE INTO {}.applied (job, outcome, at) VALUES (?1, ?2, ?3)",
        quoted(at)
    );
    connection
        .execute(&sql, params![job, outcome, now.as_millisecond()])
        .map_err(Fault::internal)?;
    Ok(())
}

/// Returns the outcome of a job that changed this dataset, or `None` if the job did not change it.
pub(super) fn applied(
    connection: &Connection,
    at: &str,
    job: &str,
) -> Result<Option<String>, Fault> {
    let sql = format!("SELECT outcome FROM {}.applied WHERE job = ?1", quoted(at));
    connection.query_row(&sql, [job], |row| row.get(0)).optional().map_err(Fault::internal)
}
