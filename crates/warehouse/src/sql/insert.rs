//! Binds INSERT statements, with rows from VALUES or a query.

use sqlparser::ast::{Expr, Insert, ObjectName, Query, SetExpr, TableObject, Values};

use super::bind_error::{BindError, BindResult};
use super::binder::Binder;
use super::plan::{Change, ChangeKind};
use super::scope::{Clause, Scope, quoted};
use super::statements::final_sql;
use super::table_names::single;
use crate::types::{Field, Type};

impl Binder<'_> {
    pub(super) fn insert(&mut self, insert: &Insert) -> BindResult<Change> {
        let (name, columns, source) = insert_parts(insert)?;
        let target = self.target(name)?;
        let mut chosen: Vec<usize> = Vec::new();
        for column in columns {
            let (at, field) = target.field(single(column)?)?;
            if chosen.contains(&at) {
                return Err(BindError::at(
                    format!("Column {} is inserted twice", field.name),
                    column,
                ));
            }
            chosen.push(at);
        }
        if columns.is_empty() {
            chosen = (0..target.fields.len()).collect();
        }
        let missing: Vec<&Field> = (0..target.fields.len())
            .filter(|at| !chosen.contains(at))
            .map(|at| &target.fields[at])
            .collect();
        if let Some(field) = missing.iter().find(|field| field.is_required) {
            return Err(BindError::at(
                format!("Required column {} has no value: add the column and a value", field.name),
                name,
            ));
        }
        let arrays: Vec<&str> = missing
            .iter()
            .filter(|field| matches!(field.of, Type::Array(_)))
            .map(|field| field.name.as_str())
            .collect();
        let fields: Vec<Field> = chosen.iter().map(|at| target.fields[*at].clone()).collect();
        let names = fields.iter().map(|field| field.name.as_str()).chain(arrays.iter().copied());
        let names: Vec<String> = names.map(quoted).collect();
        let rows = match source.body.as_ref() {
            SetExpr::Values(values) => {
                check_plain_values(source)?;
                self.values(values, &fields, arrays.len())?
            }
            _ => self.inserted_query(source, &fields, arrays.len())?,
        };
        let sql = format!("INSERT INTO {} ({}) {rows}", target.sql, names.join(", "));
        self.change(ChangeKind::Insert, target.name, sql)
    }

    fn inserted_query(
        &mut self,
        query: &Query,
        fields: &[Field],
        arrays: usize,
    ) -> BindResult<String> {
        let rows = self.query(query)?;
        if rows.columns.len() != fields.len() {
            return Err(BindError::at(count_message(fields.len(), rows.columns.len()), query));
        }
        let sql = final_sql(rows, fields).map_err(|bind_error| bind_error.near(query))?;
        // Ends with WHERE, so that SQLite cannot mistake the end of the query for a clause of
        // INSERT.
        Ok(format!("SELECT *{} FROM ({sql}) WHERE 1", ", '[]'".repeat(arrays)))
    }

    fn values(&mut self, values: &Values, fields: &[Field], arrays: usize) -> BindResult<String> {
        let Values { explicit_row: false, value_keyword: false, rows } = values else {
            return Err("unsupported syntax in VALUES: write VALUES (…), (…)".into());
        };
        self.scopes.push(Scope { clause: Clause::From, ..Scope::default() });
        let bound = rows
            .iter()
            .map(|row| self.row_of_values(&row.content, fields, arrays))
            .collect::<BindResult<Vec<_>>>();
        self.scopes.pop();
        let rows = bound?;
        if rows.is_empty() {
            return Err("VALUES requires at least one row".into());
        }
        Ok(format!("VALUES {}", rows.join(", ")))
    }

    fn row_of_values(
        &mut self,
        row: &[Expr],
        fields: &[Field],
        arrays: usize,
    ) -> BindResult<String> {
        let Some(first) = row.first() else {
            return Err("a row has no values".into());
        };
        if row.len() != fields.len() {
            return Err(BindError::at(count_message(fields.len(), row.len()), first));
        }
        let mut values = Vec::with_capacity(row.len() + arrays);
        for (value, field) in row.iter().zip(fields) {
            values.push(self.assigned(value, field)?);
        }
        values.extend((0..arrays).map(|_| "'[]'".to_owned()));
        Ok(format!("({})", values.join(", ")))
    }
}

fn count_message(columns: usize, values: usize) -> String {
    format!("Inserted row has wrong column count; Has {values}, expected {columns}")
}

/// Returns an error if the query has any clauses other than VALUES.
fn check_plain_values(source: &Query) -> BindResult<()> {
    let Query {
        with,
        body: _,
        order_by,
        limit_clause,
        fetch,
        locks,
        for_clause,
        settings,
        format_clause,
        pipe_operators,
    } = source;
    let is_plain = with.is_none()
        && order_by.is_none()
        && limit_clause.is_none()
        && fetch.is_none()
        && locks.is_empty()
        && for_clause.is_none()
        && settings.is_none()
        && format_clause.is_none()
        && pipe_operators.is_empty();
    if is_plain {
        Ok(())
    } else {
        Err(BindError::at(
            "VALUES cannot be combined with other clauses: insert a SELECT instead",
            source,
        ))
    }
}

/// Returns the table, columns and source of an INSERT statement, or an error if the statement has
/// other clauses.
fn insert_parts(insert: &Insert) -> BindResult<(&ObjectName, &[ObjectName], &Query)> {
    let Insert {
        insert_token: _,
        optimizer_hints,
        or: None,
        ignore: false,
        into: _,
        table: TableObject::TableName(name),
        table_alias: None,
        columns,
        overwrite: false,
        source: Some(source),
        assignments,
        partitioned: None,
        after_columns,
        has_table_keyword: false,
        on: None,
        returning: None,
        output: None,
        replace_into: false,
        priority: None,
        insert_alias: None,
        settings: None,
        format_clause: None,
        multi_table_insert_type: None,
        multi_table_into_clauses,
        multi_table_when_clauses,
        multi_table_else_clause: None,
    } = insert
    else {
        return Err(BindError::at(
            "INSERT supports only a table, columns, and VALUES or a query",
            insert,
        ));
    };
    let is_plain = optimizer_hints.is_empty()
        && assignments.is_empty()
        && after_columns.is_empty()
        && multi_table_into_clauses.is_empty()
        && multi_table_when_clauses.is_empty();
    if is_plain {
        Ok((name, columns, source))
    } else {
        Err(BindError::at("INSERT supports only a table, columns, and VALUES or a query", insert))
    }
}
