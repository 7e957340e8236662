//! Prepares a table for new rows, and inserts the rows.

use jiff::Timestamp;
use rusqlite::types::Value;
use rusqlite::{CachedStatement, Connection, ErrorCode};

use super::catalog::{self, Kind, Table, quoted, rows_of};
use crate::error::{Fault, Reason};
use crate::name::{TableId, TableName};
use crate::types::{Field, Type};

/// What to do with the existing rows of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disposition {
    /// The table must be empty.
    Empty,
    /// The existing rows and the schema are removed.
    Truncate,
    /// The existing rows are kept.
    Append,
}

/// The table that receives rows, and how to prepare it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub table: TableName,
    /// Whether to create the table if it does not exist.
    pub create: bool,
    /// What to do with existing rows.
    pub disposition: Disposition,
    /// Whether to add missing columns to the table when rows are appended.
    pub adds_columns: bool,
    /// The time when the table is removed. Used only if the table is created.
    pub expires: Option<Timestamp>,
}

impl Target {
    /// Creates a target. Its table is created if it does not exist.
    pub fn new(table: TableName, disposition: Disposition) -> Self {
        Self { table, create: true, disposition, adds_columns: false, expires: None }
    }
}

/// A table that is being filled within a transaction. Other connections see the new rows after the
/// transaction is committed.
#[derive(Debug)]
pub struct TableWriter {
    at: String,
    id: i64,
    /// The table, which can have more columns than the rows to insert.
    pub table: Table,
    /// The final name of the table. Until the table is renamed, an existing table with this name
    /// can be read.
    name: TableName,
    /// The columns of the rows to insert.
    fields: Vec<Field>,
}

impl TableWriter {
    /// Prepares a table for rows with these columns. Returns an error if the target does not allow
    /// this.
    pub fn begin(
        connection: &Connection,
        at: &str,
        target: &Target,
        fields: &[Field],
        now: Timestamp,
    ) -> Result<Self, Fault> {
        let name = &target.table;
        let found = catalog::find(connection, at, name, now)?;
        if let Some(Table { kind: Kind::View { .. } | Kind::Live, .. }) = &found {
            return Err(Fault::invalid(format!(
                "{name} is a view or live table: rows cannot be written to it"
            )));
        }
        let table = match (found, target.disposition) {
            (None, _) if !target.create => {
                return Err(Fault::not_found(format!(
                    "table not found: {name}; set createDisposition to CREATE_IF_NEEDED to create it"
                )));
            }
            (None, _) => new(connection, at, target, fields, now)?,
            (Some(table), Disposition::Empty) if table.rows != Some(0) => {
                return Err(Fault::new(
                    Reason::Duplicate,
                    format!("{name} already has rows, but writeDisposition is WRITE_EMPTY"),
                ));
            }
            (Some(table), Disposition::Truncate) => {
                let mut made = new(connection, at, &temporary_target(target)?, fields, now)?;
                made.facts = table.facts;
                made.expires = table.expires;
                made
            }
            (Some(table), Disposition::Empty) if table.fields.is_empty() => {
                catalog::remove(connection, at, name)?;
                new(connection, at, target, fields, now)?
            }
            (Some(table), Disposition::Append | Disposition::Empty) => {
                adapt_columns(connection, at, target, table, fields)?
            }
        };
        let Kind::Stored { id } = table.kind else {
            return Err(Fault::invalid(format!(
                "{name} is a view or live table: rows cannot be written to it"
            )));
        };
        Ok(Self { at: at.to_owned(), id, table, name: name.clone(), fields: fields.to_vec() })
    }

    /// Returns the start of an INSERT statement, such as `INSERT INTO "d1"."t5" ("a", "b")`.
    pub fn insert_into(&self) -> String {
        let columns: Vec<String> = self.fields.iter().map(|field| quoted(&field.name)).collect();
        let columns = if columns.is_empty() { "\"\"".to_owned() } else { columns.join(", ") };
        format!("INSERT INTO {} ({columns})", rows_of(&self.at, self.id))
    }

    /// Returns a statement that inserts a row. [`insert`] runs this statement.
    pub fn statement<'c>(&self, connection: &'c Connection) -> Result<CachedStatement<'c>, Fault> {
        let values: Vec<String> = (1..=self.fields.len().max(1)).map(|n| format!("?{n}")).collect();
        let sql = format!("{} VALUES ({})", self.insert_into(), values.join(", "));
        connection.prepare_cached(&sql).map_err(Fault::internal)
    }

    /// Records the number of added rows, and gives the table its final name. The caller must commit
    /// the transaction.
    pub fn finish(
        mut self,
        connection: &Connection,
        added: u64,
        now: Timestamp,
    ) -> Result<Table, Fault> {
        self.table.rows = self.table.rows.map(|rows| rows + added);
        self.table.facts.modified = now.as_millisecond();
        catalog::save(connection, &self.at, &self.table)?;
        if self.table.name != self.name {
            catalog::remove(connection, &self.at, &self.name)?;
            catalog::rename(connection, &self.at, &self.table.name, &self.name)?;
            self.table.name = self.name;
        }
        Ok(self.table)
    }
}

/// Inserts a row. The values must be in the stored form that [`Type`] describes.
pub fn insert(statement: &mut CachedStatement<'_>, row: &[Value]) -> Result<(), Fault> {
    statement.execute(rusqlite::params_from_iter(row)).map(|_| ()).map_err(|error| explain(&error))
}

/// Converts SQLite's error for a rejected row to a fault.
pub(crate) fn explain(error: &rusqlite::Error) -> Fault {
    if error.sqlite_error_code() != Some(ErrorCode::ConstraintViolation) {
        return Fault::internal(error);
    }
    let text = error.to_string();
    if text.contains("NOT NULL") {
        Fault::invalid(format!("a required column has no value: {text}"))
    } else {
        Fault::invalid(format!("a value is out of the range of its column: {text}"))
    }
}

fn new(
    connection: &Connection,
    at: &str,
    target: &Target,
    fields: &[Field],
    now: Timestamp,
) -> Result<Table, Fault> {
    let mut table = Table::new(target.table.clone(), fields.to_vec(), now);
    table.expires = target.expires;
    catalog::create(connection, at, table, now)
}

/// Returns the target with a temporary table name, which exists only within the transaction.
fn temporary_target(target: &Target) -> Result<Target, Fault> {
    let mut temporary_target = target.clone();
    temporary_target.table.table = TableId::parse(&format!("_new_{}", target.table.table))?;
    Ok(temporary_target)
}

/// Checks that a table accepts rows with these columns, and adds missing columns if the target
/// allows this.
fn adapt_columns(
    connection: &Connection,
    at: &str,
    target: &Target,
    mut table: Table,
    fields: &[Field],
) -> Result<Table, Fault> {
    let wrong = |message: String| Fault::invalid(format!("{}: {message}", target.table));
    let mut more = Vec::new();
    for field in fields {
        match table.fields.iter().find(|known| known.has_name(&field.name)) {
            Some(known) if !accepts_type(&known.of, &field.of) => {
                return Err(wrong(format!(
                    "the column {:?} has the type {}, not {}",
                    known.name, known.of, field.of
                )));
            }
            Some(_) => {}
            None if target.adds_columns => more.push(Field { is_required: false, ..field.clone() }),
            None => {
                return Err(wrong(format!(
                    "unknown column {:?}; add ALLOW_FIELD_ADDITION to schemaUpdateOptions to create it",
                    field.name
                )));
            }
        }
    }
    let missing = table
        .fields
        .iter()
        .find(|known| known.is_required && !fields.iter().any(|field| field.has_name(&known.name)));
    if let Some(missing) = missing {
        return Err(wrong(format!("the required column {:?} is missing", missing.name)));
    }
    catalog::add_columns(connection, at, &mut table, &more)?;
    Ok(table)
}

/// Returns whether a column accepts stored values of another type without conversion.
fn accepts_type(column: &Type, value: &Type) -> bool {
    column == value || (*column == Type::Float && *value == Type::Integer)
}
