//! Binds statements that change the rows of a table: UPDATE, DELETE, TRUNCATE TABLE.

use sqlparser::ast::{
    Assignment, AssignmentTarget, Delete, Expr, FromTable, Ident, ObjectName, TableAlias,
    TableFactor, TableWithJoins, Truncate, TruncateTableTarget, Update,
};

use super::CatalogEntry;
use super::bind_error::{BindError, BindResult};
use super::binder::{Binder, suggestion};
use super::coercion::coerce;
use super::expression::Expression;
use super::from::columns_of;
use super::literals;
use super::plan::{Change, ChangeKind};
use super::scope::{Clause, Relation, Scope, quoted};
use super::statements::array_sql;
use super::table_names::{idents, single, table_alias};
use crate::error::Fault;
use crate::name::TableName;
use crate::types::Field;

/// The table whose rows a statement changes.
pub(super) struct ChangedTable {
    pub(super) name: TableName,
    pub(super) sql: String,
    pub(super) fields: Vec<Field>,
}

impl ChangedTable {
    /// Returns the column with this name, and its index.
    pub(super) fn field(&self, name: &Ident) -> BindResult<(usize, &Field)> {
        let found = self.fields.iter().enumerate().find(|(_, field)| field.has_name(&name.value));
        found.ok_or_else(|| {
            let hint = suggestion(&name.value, self.fields.iter().map(|field| field.name.as_str()));
            BindError::at(
                format!("Column {} is not present in table {}{hint}", name.value, self.name),
                name,
            )
        })
    }
}

impl Binder<'_> {
    pub(super) fn target(&mut self, name: &ObjectName) -> BindResult<ChangedTable> {
        let table = self.table_name(&idents(name)?).map_err(|bind_error| bind_error.near(name))?;
        match self.catalog.find(&table).map_err(|fault| BindError::from(fault).near(name))? {
            Some(CatalogEntry::Table { sql, fields }) => {
                Ok(ChangedTable { name: table, sql, fields })
            }
            Some(CatalogEntry::View { .. }) => Err(BindError::at(
                format!("{table} is a view: change the tables that the view reads"),
                name,
            )),
            None => {
                let project = &self.session.project;
                Err(BindError::from(Fault::not_found(format!(
                    "Not found: Table {project}:{table} was not found"
                )))
                .near(name))
            }
        }
    }

    pub(super) fn change(
        &self,
        kind: ChangeKind,
        table: TableName,
        sql: String,
    ) -> BindResult<Change> {
        super::binder::check_length(sql.len())?;
        Ok(Change { kind, table, sql, parameters: self.parameters() })
    }

    /// Binds a value that is assigned to a column.
    pub(super) fn assigned(&mut self, value: &Expr, field: &Field) -> BindResult<String> {
        let bound = match value {
            Expr::Identifier(name)
                if name.quote_style.is_none() && name.value.eq_ignore_ascii_case("DEFAULT") =>
            {
                literals::null()
            }
            other => self.expr(other)?,
        };
        if field.is_required && bound.sql == "NULL" {
            return Err(BindError::at(
                format!("Required column {} cannot be NULL", field.name),
                value,
            ));
        }
        let message = mismatch(field, &bound);
        let bound = coerce(bound, &field.of)
            .map_err(|why| BindError::at(format!("{message}: {why}"), value))?;
        Ok(array_sql(bound.sql, &field.of))
    }

    /// Calls `bind` with the columns of the changed table in scope.
    fn in_table<T>(
        &mut self,
        target: &ChangedTable,
        alias: Option<String>,
        bind: impl FnOnce(&mut Self, &str) -> BindResult<T>,
    ) -> BindResult<T> {
        let sql = self.new_alias();
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

    pub(super) fn update(&mut self, update: &Update) -> BindResult<Change> {
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
            return Err(BindError::at(
                "UPDATE supports only SET and WHERE: read other tables in subqueries",
                update,
            ));
        };
        if !optimizer_hints.is_empty() || !order_by.is_empty() {
            return Err(BindError::at("UPDATE supports only SET and WHERE", update));
        }
        let (name, alias) = changed_table(std::slice::from_ref(table))?;
        let target = self.target(name)?;
        let filter = required(selection.as_ref(), "UPDATE", name)?;
        let sql = self.in_table(&target, alias, |binder, table| {
            let mut set: Vec<String> = Vec::with_capacity(assignments.len());
            for Assignment { target: column, value } in assignments {
                let AssignmentTarget::ColumnName(column) = column else {
                    return Err(BindError::at("SET supports only column = value: write a separate assignment for each column", value));
                };
                let (_, field) = target.field(last_of(column)?)?;
                let start = format!("{} = ", quoted(&field.name));
                if set.iter().any(|known| known.starts_with(&start)) {
                    return Err(BindError::at(format!("Column {} is set twice", field.name), column));
                }
                set.push(format!("{start}{}", binder.assigned(value, field)?));
            }
            let filter = binder.condition(filter)?;
            Ok(format!("UPDATE {} AS {table} SET {} WHERE {filter}", target.sql, set.join(", ")))
        })?;
        self.change(ChangeKind::Update, target.name, sql)
    }

    pub(super) fn delete(&mut self, delete: &Delete) -> BindResult<Change> {
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
            return Err(BindError::at(
                "DELETE supports only FROM and WHERE: read other tables in subqueries",
                delete,
            ));
        };
        if !optimizer_hints.is_empty() || !order_by.is_empty() || !tables.is_empty() {
            return Err(BindError::at("DELETE supports only FROM and WHERE", delete));
        }
        let (FromTable::WithFromKeyword(from) | FromTable::WithoutKeyword(from)) = from;
        let (name, alias) = changed_table(from)?;
        let target = self.target(name)?;
        let filter = required(selection.as_ref(), "DELETE", name)?;
        let sql = self.in_table(&target, alias, |binder, table| {
            Ok(format!("DELETE FROM {} AS {table} WHERE {}", target.sql, binder.condition(filter)?))
        })?;
        self.change(ChangeKind::Delete, target.name, sql)
    }

    pub(super) fn truncate(&mut self, truncate: &Truncate) -> BindResult<Change> {
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
            return Err("TRUNCATE TABLE supports only a table name".into());
        };
        let [TruncateTableTarget { name, only: false, has_asterisk: false }] =
            table_names.as_slice()
        else {
            return Err("TRUNCATE TABLE requires exactly one table name".into());
        };
        let target = self.target(name)?;
        let sql = format!("DELETE FROM {} WHERE 1", target.sql);
        self.change(ChangeKind::Truncate, target.name, sql)
    }
}

fn mismatch(field: &Field, value: &Expression) -> String {
    let of = super::bind_error::type_name(value.of.as_ref());
    format!("Value of type {of} cannot be assigned to {}, which has type {}", field.name, field.of)
}

/// Returns the name of a column in SET. A path to a field of a struct is an error.
fn last_of(name: &ObjectName) -> BindResult<&Ident> {
    single(name)
        .map_err(|_| BindError::at("SET requires column names: set the entire STRUCT", name))
}

fn required<'e>(
    filter: Option<&'e Expr>,
    statement: &str,
    name: &ObjectName,
) -> BindResult<&'e Expr> {
    filter.ok_or_else(|| {
        BindError::at(
            format!("{statement} must have a WHERE clause; write WHERE true to include every row"),
            name,
        )
    })
}

/// Returns the name and alias of the table that an UPDATE or DELETE statement changes.
fn changed_table(tables: &[TableWithJoins]) -> BindResult<(&ObjectName, Option<String>)> {
    let bind_error = || {
        BindError::from("a statement can change only one table: read other tables in subqueries")
    };
    let [TableWithJoins { relation, joins }] = tables else {
        return Err(bind_error());
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
        return Err(bind_error());
    };
    if !joins.is_empty()
        || !with_hints.is_empty()
        || !partitions.is_empty()
        || !index_hints.is_empty()
    {
        return Err(bind_error());
    }
    let alias: Option<&TableAlias> = alias.as_ref();
    Ok((name, alias.map(table_alias).transpose()?))
}
