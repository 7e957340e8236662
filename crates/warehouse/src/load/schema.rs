//! Merges the columns of the rows to load with the columns of the table.

use rusqlite::Connection;

use super::{Options, Updates};
use crate::error::Fault;
use crate::store::{self, Kind, Table, quoted, rows_of};
use crate::types::{Field, Type};

/// The columns of the rows to load, and the resulting columns of the table.
#[derive(Debug)]
pub(super) struct MergedColumns {
    /// The columns of the rows, in order.
    pub fields: Vec<Field>,
    /// The columns of the table after the load.
    table: Vec<Field>,
}

/// Merges columns with the columns of a table that keeps its rows. Detected columns get the table's
/// types.
pub(super) fn merge(
    given: &[Field],
    is_detected: bool,
    table: &Table,
    options: &Options,
) -> Result<MergedColumns, Fault> {
    let merge = ColumnMerge { updates: options.updates, is_detected };
    let mut known = table.fields.clone();
    let mut fields = Vec::with_capacity(given.len());
    let wrong = |message: String| Fault::invalid(format!("{}: {message}", table.name));
    for field in given {
        let merged = match known.iter_mut().find(|known| known.has_name(&field.name)) {
            Some(known) => {
                *known = merge.field(known, field).map_err(wrong)?;
                known.clone()
            }
            None => merge.new_field(field).map_err(wrong)?,
        };
        fields.push(merged);
    }
    for known in &mut known {
        let is_missing = !given.iter().any(|field| field.has_name(&known.name));
        if known.is_required && is_missing && options.updates.relaxes {
            known.is_required = false;
        }
    }
    Ok(MergedColumns { fields, table: known })
}

impl MergedColumns {
    /// Makes existing columns nullable where needed. New columns are added later, when the rows are
    /// inserted.
    pub(super) fn apply(&self, connection: &Connection, mut table: Table) -> Result<(), Fault> {
        let Kind::Stored { id } = table.kind else {
            return Ok(());
        };
        if table.fields == self.table {
            return Ok(());
        }
        for (before, after) in table.fields.iter().zip(&self.table) {
            if before.is_required && !after.is_required {
                let sql = format!(
                    "ALTER TABLE {} ALTER COLUMN {} DROP NOT NULL",
                    rows_of("main", id),
                    quoted(&before.name)
                );
                connection.execute(&sql, []).map_err(Fault::internal)?;
            }
        }
        table.fields.clone_from(&self.table);
        store::save(connection, "main", &table)
    }
}

#[derive(Clone, Copy)]
struct ColumnMerge {
    updates: Updates,
    is_detected: bool,
}

impl ColumnMerge {
    fn field(self, known: &Field, given: &Field) -> Result<Field, String> {
        let name = &known.name;
        let is_required = match (known.is_required, given.is_required) {
            (true, false) if self.is_detected => true,
            (true, false) if self.updates.relaxes => false,
            (true, false) => {
                return Err(format!(
                    "the column {name:?} is REQUIRED; add ALLOW_FIELD_RELAXATION to schemaUpdateOptions to make it NULLABLE"
                ));
            }
            (false, true) => {
                return Err(format!("the column {name:?} is NULLABLE, and cannot become REQUIRED"));
            }
            (same, _) => same,
        };
        Ok(Field { of: self.of(name, &known.of, &given.of)?, is_required, ..known.clone() })
    }

    fn of(self, name: &str, known: &Type, given: &Type) -> Result<Type, String> {
        match (known, given) {
            (Type::Array(known), Type::Array(given)) => {
                Ok(Type::Array(Box::new(self.of(name, known, given)?)))
            }
            (Type::Struct(known), Type::Struct(given)) => {
                let mut merged = known.clone();
                for field in given {
                    match merged.iter_mut().find(|known| known.has_name(&field.name)) {
                        Some(known) => *known = self.field(known, field)?,
                        None => merged.push(self.new_field(field)?),
                    }
                }
                Ok(Type::Struct(merged))
            }
            (known, given) if known == given => Ok(known.clone()),
            (Type::Array(_) | Type::Struct(_), _) | (_, Type::Array(_) | Type::Struct(_)) => {
                Err(mismatch(name, known, given))
            }
            // The table's type takes precedence over a type that was detected from a few rows.
            (known, _) if self.is_detected => Ok(known.clone()),
            _ => Err(mismatch(name, known, given)),
        }
    }

    fn new_field(self, field: &Field) -> Result<Field, String> {
        let name = &field.name;
        match (self.updates.adds, field.is_required) {
            (true, false) => Ok(field.clone()),
            (true, true) => Err(format!(
                "the new column {name:?} cannot be REQUIRED: existing rows have no value for it"
            )),
            (false, _) => Err(format!(
                "unknown column {name:?}; add ALLOW_FIELD_ADDITION to schemaUpdateOptions to create it"
            )),
        }
    }
}

fn mismatch(name: &str, known: &Type, given: &Type) -> String {
    format!("the column {name:?} has the type {known}, not {given}")
}
