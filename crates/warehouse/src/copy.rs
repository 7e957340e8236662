//! Copies rows of stored tables into another table.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rusqlite::{Connection, Transaction};

use super::control::Control;
use super::error::Fault;
use super::name::{DatasetId, TableName};
use super::store::{self, Kind, Store, Table, TableWriter, Target, quoted, rows_of};
use super::types::{Field, Type};

/// Maximum number of datasets in one copy: SQLite's limit on attached databases
/// (`SQLITE_MAX_ATTACHED`, 10), plus the target dataset.
const MAX_DATASETS: usize = 11;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CopySummary {
    /// Number of rows that were copied.
    pub rows: u64,
}

/// Copies the rows of several tables into another table, in the given order and in one transaction.
/// All tables must have the same columns. `done` is called before the transaction is committed, and
/// can write to the same transaction.
pub fn copy(
    store: &Store,
    sources: &[TableName],
    target: &Target,
    control: &Control,
    done: impl FnOnce(&Transaction<'_>, &CopySummary) -> Result<(), Fault>,
) -> Result<CopySummary, Fault> {
    let dataset = &target.table.dataset;
    let names = schema_names(sources, dataset)?;
    store.write(dataset, control, |transaction| {
        attach(transaction, store, &names)?;
        let now = Timestamp::now();
        let tables = sources
            .iter()
            .map(|source| find(transaction, schema_name(&names, source), source, now))
            .collect::<Result<Vec<Table>, Fault>>()?;
        let fields = common_columns(&tables)?;
        let filling = TableWriter::begin(transaction, "main", target, fields, now)?;
        let mut rows = 0;
        for table in &tables {
            let sql = select(&filling, table, schema_name(&names, &table.name))?;
            rows += transaction.execute(&sql, []).map_err(|error| control.explain(&error))?;
        }
        let rows = u64::try_from(rows).map_err(Fault::internal)?;
        filling.finish(transaction, rows, Timestamp::now())?;
        let copied = CopySummary { rows };
        done(transaction, &copied)?;
        Ok(copied)
    })
}

/// Returns each dataset's schema name in the connection.
fn schema_names(
    sources: &[TableName],
    written: &DatasetId,
) -> Result<BTreeMap<DatasetId, String>, Fault> {
    if sources.is_empty() {
        return Err(Fault::invalid(
            "source tables are missing: specify at least one table to copy",
        ));
    }
    let mut names = BTreeMap::from([(written.clone(), "main".to_owned())]);
    for source in sources {
        let next = format!("d{}", names.len());
        names.entry(source.dataset.clone()).or_insert(next);
    }
    if names.len() > MAX_DATASETS {
        Err(Fault::invalid(format!("a copy can use tables from at most {MAX_DATASETS} datasets")))
    } else {
        Ok(names)
    }
}

fn schema_name<'n>(names: &'n BTreeMap<DatasetId, String>, table: &TableName) -> &'n str {
    names.get(&table.dataset).map_or("main", String::as_str)
}

fn attach(
    connection: &Connection,
    store: &Store,
    names: &BTreeMap<DatasetId, String>,
) -> Result<(), Fault> {
    for (dataset, name) in names.iter().filter(|(_, name)| *name != "main") {
        let file = store.file(dataset).ok_or_else(|| store::no_dataset(dataset))?;
        let file = file
            .to_str()
            .ok_or_else(|| Fault::internal("the path of the site folder is not valid UTF-8"))?;
        connection
            .execute(&format!("ATTACH ?1 AS {}", quoted(name)), [file])
            .map_err(Fault::internal)?;
    }
    Ok(())
}

fn find(
    connection: &Connection,
    at: &str,
    name: &TableName,
    now: Timestamp,
) -> Result<Table, Fault> {
    let table = store::find(connection, at, name, now)?.ok_or_else(|| store::no_table(name))?;
    match table.kind {
        Kind::Stored { .. } => Ok(table),
        Kind::View { .. } | Kind::Live => Err(Fault::invalid(format!(
            "{name} is a view or live table without stored rows: copy the result of a query with CREATE TABLE … AS SELECT"
        ))),
    }
}

/// Returns the columns that all tables share, or an error if the tables have different columns.
fn common_columns(tables: &[Table]) -> Result<&[Field], Fault> {
    let Some((first, others)) = tables.split_first() else {
        return Ok(&[]);
    };
    for other in others {
        let fits = |(one, two): (&Field, &Field)| {
            one.has_name(&two.name)
                && one.is_required == two.is_required
                && is_same(&one.of, &two.of)
        };
        let is_like = first.fields.len() == other.fields.len()
            && first.fields.iter().zip(&other.fields).all(fits);
        if !is_like {
            return Err(Fault::invalid(format!(
                "{} and {} have different columns: they cannot be copied into one table",
                first.name, other.name
            )));
        }
    }
    Ok(&first.fields)
}

/// Returns whether two types have the same values. For nested fields, compares only names and
/// types.
fn is_same(one: &Type, other: &Type) -> bool {
    match (one, other) {
        (Type::Array(one), Type::Array(other)) => is_same(one, other),
        (Type::Struct(one), Type::Struct(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .zip(other)
                    .all(|(one, other)| one.name == other.name && is_same(&one.of, &other.of))
        }
        _ => one == other,
    }
}

/// Returns the SQL statement that copies the rows of a table.
fn select(filling: &TableWriter, table: &Table, at: &str) -> Result<String, Fault> {
    let Kind::Stored { id } = table.kind else {
        return Err(store::no_table(&table.name));
    };
    let columns: Vec<String> = table.fields.iter().map(|field| quoted(&field.name)).collect();
    let columns = if columns.is_empty() { "NULL".to_owned() } else { columns.join(", ") };
    let (into, from) = (filling.insert_into(), rows_of(at, id));
    Ok(format!("{into} SELECT {columns} FROM {from} ORDER BY _rowid_"))
}
