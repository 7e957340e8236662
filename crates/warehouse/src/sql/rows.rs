//! Statements that change rows: INSERT, UPDATE, DELETE, TRUNCATE TABLE.

use sqlparser::ast::{
    Assignment, AssignmentTarget, Delete, Expr, FromTable, Ident, Insert, ObjectName, Query,
    SetExpr, TableAlias, TableFactor, TableObject, TableWithJoins, Truncate, TruncateTableTarget,
    Update, Values,
};

use super::Source;
use super::binder::{Binder, did_you_mean};
use super::coercion::coerce;
use super::expression::Expression;
use super::from::{columns_of, idents, single, table_alias};
use super::literals;
use super::plan::{Change, ChangeKind};
use super::scope::{Clause, Relation, Scope, quoted};
use super::statements::{array_sql, finished};
use super::wrong::{Bound, Wrong};
use crate::error::Fault;
use crate::name::TableName;
use crate::types::{Field, Type};

/// A table whose rows are changed.
struct Target {
    name: TableName,
    sql: String,
    fields: Vec<Field>,
}

impl Target {
    /// A column, and its place.
    fn field(&self, name: &Ident) -> Bound<(usize, &Field)> {
        let found = self
            .fields
            .iter()
            .enumerate()
            .find(|(_, field)| field.is_called(&name.value));
        found.ok_or_else(|| {
            let hint = did_you_mean(
                &name.value,
                self.fields.iter().map(|field| field.name.as_str()),
            );
            Wrong::at(
                format!(
                    "Column {} is not present in table {}{hint}",
                    name.value, self.name
                ),
                name,
            )
        })
    }
}

impl Binder<'_> {
    fn target(&mut self, name: &ObjectName) -> Bound<Target> {
        let table = self
            .table_name(&idents(name)?)
            .map_err(|wrong| wrong.near(name))?;
        match self
            .catalog
            .find(&table)
            .map_err(|fault| Wrong::from(fault).near(name))?
        {
            Some(Source::Table { sql, fields }) => Ok(Target {
                name: table,
                sql,
                fields,
            }),
            Some(Source::View { .. }) => Err(Wrong::at(
                format!("{table} is a view: change the tables that it reads"),
                name,
            )),
            None => {
                let project = &self.session.project;
                Err(Wrong::from(Fault::not_found(format!(
                    "Not found: Table {project}:{table} was not found"
                )))
                .near(name))
            }
        }
    }

    fn change(&self, kind: ChangeKind, table: TableName, sql: String) -> Bound<Change> {
        super::binder::short(sql.len())?;
        Ok(Change {
            kind,
            table,
            sql,
            parameters: self.parameters(),
        })
    }

    pub(super) fn insert(&mut self, insert: &Insert) -> Bound<Change> {
        let (name, columns, source) = insert_parts(insert)?;
        let target = self.target(name)?;
        let mut chosen: Vec<usize> = Vec::new();
        for column in columns {
            let (at, field) = target.field(single(column)?)?;
            if chosen.contains(&at) {
                return Err(Wrong::at(
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
            return Err(Wrong::at(
                format!(
                    "Required column {} has no value: name it and give one",
                    field.name
                ),
                name,
            ));
        }
        let arrays: Vec<&str> = missing
            .iter()
            .filter(|field| matches!(field.of, Type::Array(_)))
            .map(|field| field.name.as_str())
            .collect();
        let fields: Vec<Field> = chosen.iter().map(|at| target.fields[*at].clone()).collect();
        let names = fields
            .iter()
            .map(|field| field.name.as_str())
            .chain(arrays.iter().copied());
        let names: Vec<String> = names.map(quoted).collect();
        let rows = match source.body.as_ref() {
            SetExpr::Values(values) => {
                plain(source)?;
                self.values(values, &fields, arrays.len())?
            }
            _ => self.inserted_query(source, &fields, arrays.len())?,
        };
        let sql = format!("INSERT INTO {} ({}) {rows}", target.sql, names.join(", "));
        self.change(ChangeKind::Insert, target.name, sql)
    }

    fn inserted_query(&mut self, query: &Query, fields: &[Field], arrays: usize) -> Bound<String> {
        let rows = self.query(query)?;
        if rows.columns.len() != fields.len() {
            return Err(Wrong::at(
                count_message(fields.len(), rows.columns.len()),
                query,
            ));
        }
        let sql = finished(rows, fields).map_err(|wrong| wrong.near(query))?;
        // Whatever comes, SQLite is not to take what follows it for a clause of INSERT.
        Ok(format!(
            "SELECT *{} FROM ({sql}) WHERE 1",
            ", '[]'".repeat(arrays)
        ))
    }

    fn values(&mut self, values: &Values, fields: &[Field], arrays: usize) -> Bound<String> {
        let Values {
            explicit_row: false,
            value_keyword: false,
            rows,
        } = values
        else {
            return Err("write VALUES (…), (…)".into());
        };
        self.scopes.push(Scope {
            clause: Clause::From,
            ..Scope::default()
        });
        let bound = rows
            .iter()
            .map(|row| self.row_of_values(&row.content, fields, arrays))
            .collect::<Bound<Vec<_>>>();
        self.scopes.pop();
        let rows = bound?;
        if rows.is_empty() {
            return Err("VALUES needs at least one row".into());
        }
        Ok(format!("VALUES {}", rows.join(", ")))
    }

    fn row_of_values(&mut self, row: &[Expr], fields: &[Field], arrays: usize) -> Bound<String> {
        let Some(first) = row.first() else {
            return Err("a row has no values".into());
        };
        if row.len() != fields.len() {
            return Err(Wrong::at(count_message(fields.len(), row.len()), first));
        }
        let mut values = Vec::with_capacity(row.len() + arrays);
        for (value, field) in row.iter().zip(fields) {
            values.push(self.assigned(value, field)?);
        }
        values.extend((0..arrays).map(|_| "'[]'".to_owned()));
        Ok(format!("({})", values.join(", ")))
    }

    /// A value that a column is given.
    fn assigned(&mut self, value: &Expr, field: &Field) -> Bound<String> {
        let bound = match value {
            Expr::Identifier(name)
                if name.quote_style.is_none() && name.value.eq_ignore_ascii_case("DEFAULT") =>
            {
                literals::null()
            }
            other => self.expr(other)?,
        };
        if field.is_required && bound.sql == "NULL" {
            return Err(Wrong::at(
                format!("Required column {} cannot be NULL", field.name),
                value,
            ));
        }
        let message = mismatch(field, &bound);
        let bound = coerce(bound, &field.of)
            .map_err(|why| Wrong::at(format!("{message}: {why}"), value))?;
        Ok(array_sql(bound.sql, &field.of))
    }

    /// The columns of a table whose rows are changed, in scope.
    fn in_table<T>(
        &mut self,
        target: &Target,
        alias: Option<String>,
        bind: impl FnOnce(&mut Self, &str) -> Bound<T>,
    ) -> Bound<T> {
        let sql = self.fresh();
        let name = alias.unwrap_or_else(|| target.name.table.as_str().to_owned());
        self.scopes.push(Scope {
            relations: vec![Relation {
                name: Some(name),
                columns: columns_of(&target.name, &target.fields, &sql),
                ..Relation::default()
            }],
            clause: Clause::Where,
            ..Scope::default()
        });
        let bound = bind(self, &sql);
        self.scopes.pop();
        bound
    }

    pub(super) fn update(&mut self, update: &Update) -> Bound<Change> {
        let Update {
            update_token: _,
            optimizer_hints,
            table,
            assignments,
            from: None,
            selection,
            returning: None,
            output: None,
            or: None,
            order_by,
            limit: None,
        } = update
        else {
            return Err(Wrong::at(
                "UPDATE takes SET and WHERE only: read other tables in subqueries",
                update,
            ));
        };
        if !optimizer_hints.is_empty() || !order_by.is_empty() {
            return Err(Wrong::at("UPDATE takes SET and WHERE only", update));
        }
        let (name, alias) = changed_table(std::slice::from_ref(table))?;
        let target = self.target(name)?;
        let filter = required(selection.as_ref(), "UPDATE", name)?;
        let sql = self.in_table(&target, alias, |binder, table| {
            let mut set: Vec<String> = Vec::with_capacity(assignments.len());
            for Assignment {
                target: column,
                value,
            } in assignments
            {
                let AssignmentTarget::ColumnName(column) = column else {
                    return Err(Wrong::at("SET takes column = value, one by one", value));
                };
                let (_, field) = target.field(last_of(column)?)?;
                let start = format!("{} = ", quoted(&field.name));
                if set.iter().any(|known| known.starts_with(&start)) {
                    return Err(Wrong::at(
                        format!("Column {} is set twice", field.name),
                        column,
                    ));
                }
                set.push(format!("{start}{}", binder.assigned(value, field)?));
            }
            let filter = binder.condition(filter)?;
            Ok(format!(
                "UPDATE {} AS {table} SET {} WHERE {filter}",
                target.sql,
                set.join(", ")
            ))
        })?;
        self.change(ChangeKind::Update, target.name, sql)
    }

    pub(super) fn delete(&mut self, delete: &Delete) -> Bound<Change> {
        let Delete {
            delete_token: _,
            optimizer_hints,
            tables,
            from,
            using: None,
            selection,
            returning: None,
            output: None,
            order_by,
            limit: None,
        } = delete
        else {
            return Err(Wrong::at(
                "DELETE takes FROM and WHERE only: read other tables in subqueries",
                delete,
            ));
        };
        if !optimizer_hints.is_empty() || !order_by.is_empty() || !tables.is_empty() {
            return Err(Wrong::at("DELETE takes FROM and WHERE only", delete));
        }
        let (FromTable::WithFromKeyword(from) | FromTable::WithoutKeyword(from)) = from;
        let (name, alias) = changed_table(from)?;
        let target = self.target(name)?;
        let filter = required(selection.as_ref(), "DELETE", name)?;
        let sql = self.in_table(&target, alias, |binder, table| {
            Ok(format!(
                "DELETE FROM {} AS {table} WHERE {}",
                target.sql,
                binder.condition(filter)?
            ))
        })?;
        self.change(ChangeKind::Delete, target.name, sql)
    }

    pub(super) fn truncate(&mut self, truncate: &Truncate) -> Bound<Change> {
        let Truncate {
            table_names,
            partitions: None,
            table: true,
            if_exists: false,
            identity: None,
            cascade: None,
            on_cluster: None,
        } = truncate
        else {
            return Err("TRUNCATE TABLE takes the name of a table only".into());
        };
        let [
            TruncateTableTarget {
                name,
                only: false,
                has_asterisk: false,
            },
        ] = table_names.as_slice()
        else {
            return Err("TRUNCATE TABLE takes the name of one table".into());
        };
        let target = self.target(name)?;
        let sql = format!("DELETE FROM {} WHERE 1", target.sql);
        self.change(ChangeKind::Truncate, target.name, sql)
    }
}

fn mismatch(field: &Field, value: &Expression) -> String {
    let of = super::wrong::type_name(value.of.as_ref());
    format!(
        "Value of type {of} cannot be assigned to {}, which has type {}",
        field.name, field.of
    )
}

fn count_message(columns: usize, values: usize) -> String {
    format!("Inserted row has wrong column count; Has {values}, expected {columns}")
}

/// The last part of the name of a column in SET. A field of a struct cannot be set by itself.
fn last_of(name: &ObjectName) -> Bound<&Ident> {
    single(name).map_err(|_| {
        Wrong::at(
            "SET takes the names of columns: set a STRUCT as a whole",
            name,
        )
    })
}

fn required<'e>(filter: Option<&'e Expr>, statement: &str, name: &ObjectName) -> Bound<&'e Expr> {
    filter.ok_or_else(|| {
        Wrong::at(
            format!("{statement} must have a WHERE clause; WHERE true takes every row"),
            name,
        )
    })
}

/// The one table of UPDATE and DELETE.
fn changed_table(tables: &[TableWithJoins]) -> Bound<(&ObjectName, Option<String>)> {
    let wrong = || Wrong::from("rows of one table are changed: read other tables in subqueries");
    let [TableWithJoins { relation, joins }] = tables else {
        return Err(wrong());
    };
    let TableFactor::Table {
        name,
        alias,
        args: None,
        with_hints,
        version: None,
        with_ordinality: false,
        partitions,
        json_path: None,
        sample: None,
        index_hints,
    } = relation
    else {
        return Err(wrong());
    };
    if !joins.is_empty()
        || !with_hints.is_empty()
        || !partitions.is_empty()
        || !index_hints.is_empty()
    {
        return Err(wrong());
    }
    let alias: Option<&TableAlias> = alias.as_ref();
    Ok((name, alias.map(table_alias).transpose()?))
}

/// Err where VALUES stand among other clauses.
fn plain(source: &Query) -> Bound<()> {
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
    match is_plain {
        true => Ok(()),
        false => Err(Wrong::at(
            "VALUES (…), (…) stand alone: insert a SELECT instead",
            source,
        )),
    }
}

/// The table, columns and source of an INSERT that has nothing else.
fn insert_parts(insert: &Insert) -> Bound<(&ObjectName, &[ObjectName], &Query)> {
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
        return Err(Wrong::at(
            "INSERT takes a table, columns, and VALUES or a query",
            insert,
        ));
    };
    let is_plain = optimizer_hints.is_empty()
        && assignments.is_empty()
        && after_columns.is_empty()
        && multi_table_into_clauses.is_empty()
        && multi_table_when_clauses.is_empty();
    match is_plain {
        true => Ok((name, columns, source)),
        false => Err(Wrong::at(
            "INSERT takes a table, columns, and VALUES or a query",
            insert,
        )),
    }
}
