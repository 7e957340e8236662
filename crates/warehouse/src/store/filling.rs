//! Fills a table with rows: prepares the table, and inserts them one by one.

use jiff::Timestamp;
use rusqlite::types::Value;
use rusqlite::{CachedStatement, Connection, ErrorCode};

use super::catalog::{self, Kind, Table, quoted, rows_of};
use crate::error::{Fault, Reason};
use crate::name::{TableId, TableName};
use crate::types::{Field, Type};

/// What happens to the rows that a table has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disposition {
    /// The table must have none.
    Empty,
    /// They are removed, and so is the schema.
    Truncate,
    /// They stay.
    Append,
}

/// Where rows are to go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub table: TableName,
    /// Whether it is made where there is none.
    pub create: bool,
    /// What happens to the rows it has.
    pub disposition: Disposition,
    /// Whether columns that the table lacks are added to it, where rows are appended.
    pub adds_columns: bool,
    /// When it is removed; only for a table that is made.
    pub expires: Option<Timestamp>,
}

impl Target {
    /// A table that is made where there is none.
    pub fn new(table: TableName, disposition: Disposition) -> Self {
        Self { table, create: true, disposition, adds_columns: false, expires: None }
    }
}

/// A table that is ready to be filled, in a transaction: nobody sees any of it before that ends.
#[derive(Debug)]
pub struct Filling {
    at: String,
    id: i64,
    /// The table. It may have more columns than the rows to come.
    pub table: Table,
    /// The name that it gets in the end: until then the table of that name is there, and can be read.
    name: TableName,
    /// The columns that rows to come have, as they were given.
    fields: Vec<Field>,
}

impl Filling {
    /// Makes a table ready for rows with these columns. Err where the target does not allow it.
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
            return Err(Fault::invalid(format!("{name} is a view, which takes no rows")));
        }
        let table = match (found, target.disposition) {
            (None, _) if !target.create => {
                return Err(Fault::not_found(format!(
                    "there is no table {name}, and createDisposition says not to make one"
                )));
            }
            (None, _) => new(connection, at, target, fields, now)?,
            (Some(table), Disposition::Empty) if table.rows != Some(0) => {
                return Err(Fault::new(
                    Reason::Duplicate,
                    format!("{name} has rows, and writeDisposition is WRITE_EMPTY"),
                ));
            }
            (Some(table), Disposition::Truncate) => {
                let mut made = new(connection, at, &beside(target)?, fields, now)?;
                made.facts = table.facts;
                made.expires = table.expires;
                made
            }
            (Some(table), Disposition::Empty) if table.fields.is_empty() => {
                catalog::remove(connection, at, name)?;
                new(connection, at, target, fields, now)?
            }
            (Some(table), Disposition::Append | Disposition::Empty) => {
                fit(connection, at, target, table, fields)?
            }
        };
        let Kind::Stored { id } = table.kind else {
            return Err(Fault::invalid(format!("{name} takes no rows")));
        };
        Ok(Self { at: at.to_owned(), id, table, name: name.clone(), fields: fields.to_vec() })
    }

    /// The start of a statement that inserts rows: `INSERT INTO "d1"."t5" ("a", "b")`.
    pub fn insert_into(&self) -> String {
        let columns: Vec<String> = self.fields.iter().map(|field| quoted(&field.name)).collect();
        let columns = if columns.is_empty() { "\"\"".to_owned() } else { columns.join(", ") };
        format!("INSERT INTO {} ({columns})", rows_of(&self.at, self.id))
    }

    /// A statement that inserts one row; [`insert`] runs it.
    pub fn statement<'c>(&self, connection: &'c Connection) -> Result<CachedStatement<'c>, Fault> {
        let values: Vec<String> = (1..=self.fields.len().max(1)).map(|n| format!("?{n}")).collect();
        let sql = format!("{} VALUES ({})", self.insert_into(), values.join(", "));
        connection.prepare_cached(&sql).map_err(Fault::internal)
    }

    /// Notes how many rows were added. The transaction is the caller's to end.
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

/// Inserts a row, its values as [`Type`] says that they are kept.
pub fn insert(statement: &mut CachedStatement<'_>, row: &[Value]) -> Result<(), Fault> {
    statement.execute(rusqlite::params_from_iter(row)).map(|_| ()).map_err(|error| explain(&error))
}

/// Why a row was refused.
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

/// The target under a name that nobody sees, since it exists within the transaction only.
fn beside(target: &Target) -> Result<Target, Fault> {
    let mut beside = target.clone();
    beside.table.table = TableId::parse(&format!("_new_{}", target.table.table))?;
    Ok(beside)
}

/// Changes a table that has rows so that it takes rows with other columns.
fn fit(
    connection: &Connection,
    at: &str,
    target: &Target,
    mut table: Table,
    fields: &[Field],
) -> Result<Table, Fault> {
    let wrong = |message: String| Fault::invalid(format!("{}: {message}", target.table));
    let mut more = Vec::new();
    for field in fields {
        match table.fields.iter().find(|known| known.is_called(&field.name)) {
            Some(known) if !takes(&known.of, &field.of) => {
                return Err(wrong(format!(
                    "the column {:?} is of type {}, not {}",
                    known.name, known.of, field.of
                )));
            }
            Some(_) => {}
            None if target.adds_columns => more.push(Field { is_required: false, ..field.clone() }),
            None => {
                return Err(wrong(format!(
                    "there is no column {:?}; schemaUpdateOptions can allow to add it",
                    field.name
                )));
            }
        }
    }
    let missing = table.fields.iter().find(|known| {
        known.is_required && !fields.iter().any(|field| field.is_called(&known.name))
    });
    if let Some(missing) = missing {
        return Err(wrong(format!("the required column {:?} is missing", missing.name)));
    }
    catalog::add_columns(connection, at, &mut table, &more)?;
    Ok(table)
}

/// Whether a column takes values of a type as they are kept.
fn takes(column: &Type, value: &Type) -> bool {
    column == value || (*column == Type::Float && *value == Type::Integer)
}
