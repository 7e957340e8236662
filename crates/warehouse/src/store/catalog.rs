//! The catalog in a dataset's file: the dataset and its tables. `at` is the connection's name of the file,
//! `main` or the name that it was attached as.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::{Fault, Reason};
use crate::name::{DatasetId, TableId, TableName};
use crate::schema;
use crate::types::Field;

/// The description, name and labels of a dataset or table, and when it was made and changed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Facts {
    pub description: Option<String>,
    pub friendly_name: Option<String>,
    pub labels: BTreeMap<String, String>,
    /// The partitioning and clustering of a table, as its author wrote them. They have no effect here.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub layout: Map<String, Value>,
    /// When it was made, Unix milliseconds.
    pub created: i64,
    /// When it was changed last, Unix milliseconds.
    pub modified: i64,
}

impl Facts {
    /// The facts of something that is made now.
    pub fn new(now: Timestamp) -> Self {
        Self { created: now.as_millisecond(), modified: now.as_millisecond(), ..Self::default() }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dataset {
    pub id: DatasetId,
    /// Its description, labels and times.
    pub facts: Facts,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub name: TableName,
    /// How its rows come to be.
    pub kind: Kind,
    pub fields: Vec<Field>,
    /// How many rows it has. None where counting them means making them.
    pub rows: Option<u64>,
    /// Its description, labels and times.
    pub facts: Facts,
    /// When it is removed; never where there is none.
    pub expires: Option<Timestamp>,
}

/// How the rows of a table come to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Rows in the file of its dataset.
    Stored {
        /// Its number there: its rows are in `t<id>`.
        id: i64,
    },
    /// The rows of a statement.
    View {
        /// The statement, in the warehouse's SQL.
        query: String,
    },
    /// They are made whenever a statement reads them: a live table.
    Live,
}

impl Table {
    /// A table that is not stored yet.
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

/// A name as SQLite's SQL writes it.
pub fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// SQLite's name of the rows of a stored table.
pub fn rows_of(at: &str, id: i64) -> String {
    format!("{}.\"t{id}\"", quoted(at))
}

/// The dataset of a file.
pub(super) fn dataset(connection: &Connection, at: &str, id: &DatasetId) -> Result<Dataset, Fault> {
    let sql = format!("SELECT facts FROM {}.dataset", quoted(at));
    let facts: String =
        connection.query_row(&sql, [], |row| row.get(0)).map_err(Fault::internal)?;
    Ok(Dataset { id: id.clone(), facts: serde_json::from_str(&facts).map_err(Fault::internal)? })
}

/// Changes the facts of a dataset.
pub(super) fn set_dataset(connection: &Connection, at: &str, facts: &Facts) -> Result<(), Fault> {
    let sql = format!("UPDATE {}.dataset SET facts = ?1", quoted(at));
    let facts = serde_json::to_string(facts).map_err(Fault::internal)?;
    connection.execute(&sql, [facts]).map_err(Fault::internal)?;
    Ok(())
}

const COLUMNS: &str = "id, name, fields, view, rows, facts, expires";

/// The table or view with this name. None where there is none, or its time is over.
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

/// Every table and view, by name.
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

/// Makes a table without rows, or a view, and answers it as stored. Err where its name is taken.
pub(crate) fn create(
    connection: &Connection,
    at: &str,
    table: Table,
    now: Timestamp,
) -> Result<Table, Fault> {
    if find(connection, at, &table.name, now)?.is_some() {
        return Err(Fault::new(
            Reason::Duplicate,
            format!("there is a table {} already", table.name),
        ));
    }
    // An expired table may have the name.
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
    // SQLite has no table without columns.
    let columns = if columns.is_empty() { "\"\" INTEGER".to_owned() } else { columns.join(", ") };
    let sql = format!("CREATE TABLE {} ({columns}) STRICT", rows_of(at, id));
    connection.execute(&sql, []).map_err(Fault::internal)?;
    Ok(Table { kind: Kind::Stored { id }, ..table })
}

fn column(field: &Field) -> String {
    let required = if field.is_required { " NOT NULL" } else { "" };
    format!("{} {}{required}", quoted(&field.name), field.of.affinity())
}

/// Gives a stored table more columns at its end, which are NULL in the rows that are there.
pub fn add_columns(
    connection: &Connection,
    at: &str,
    table: &mut Table,
    more: &[Field],
) -> Result<(), Fault> {
    let Kind::Stored { id } = table.kind else {
        return Err(Fault::invalid(format!("{} is no table of rows", table.name)));
    };
    for field in more {
        let sql = format!("ALTER TABLE {} ADD COLUMN {}", rows_of(at, id), column(field));
        connection.execute(&sql, []).map_err(Fault::internal)?;
        table.fields.push(field.clone());
    }
    save(connection, at, table)
}

/// Changes the entry of a table: its schema as JSON, number of rows, facts and expiry. The columns that hold
/// its rows stay as they are.
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

/// Removes a table or view with its rows, and answers whether there was one.
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

/// Renames a table. No table may have the new name.
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

/// Notes that a job's writes are in this dataset, in the transaction that writes them. From then on `applied`
/// tells the outcome of the job.
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

/// The outcome of a job whose writes are in this dataset. None where it wrote nothing here.
pub(super) fn applied(
    connection: &Connection,
    at: &str,
    job: &str,
) -> Result<Option<String>, Fault> {
    let sql = format!("SELECT outcome FROM {}.applied WHERE job = ?1", quoted(at));
    connection.query_row(&sql, [job], |row| row.get(0)).optional().map_err(Fault::internal)
}
