//! Binds all supported kinds of statements. For other kinds, the error suggests an alternative.

use sqlparser::ast::{ObjectName, ObjectType, Query, SchemaName, Statement as Written};

use super::bind_error::{BindError, BindResult};
use super::binder::Binder;
use super::coercion;
use super::expression::Expression;
use super::expression_kinds::excerpt;
use super::plan::{Query as Planned, Statement};
use super::scope::{Output, Rows, output_sql};
use super::table_names::{idents, query_fault};
use crate::name::DatasetId;
use crate::schema::check_name;
use crate::types::{Field, Type};

impl Binder<'_> {
    /// Binds a parsed statement. `text` is the statement's source.
    pub(super) fn statement(&mut self, written: &Written, text: &str) -> BindResult<Statement> {
        match written {
            Written::Query(query) => self.query_plan(query).map(Statement::Query),
            Written::Insert(insert) => self.insert(insert).map(Statement::Change),
            Written::Update(update) => self.update(update).map(Statement::Change),
            Written::Delete(delete) => self.delete(delete).map(Statement::Change),
            Written::Truncate(truncate) => self.truncate(truncate).map(Statement::Change),
            Written::CreateTable(table) => self.create_table(table),
            Written::CreateView(view) => self.create_view(view, text),
            Written::CreateSchema {
                schema_name,
                or_replace: false,
                if_not_exists,
                with: None,
                options: None,
                default_collate_spec: None,
                clone: None,
            } => {
                let SchemaName::Simple(name) = schema_name else {
                    return Err("CREATE SCHEMA supports only a name".into());
                };
                let dataset = self.dataset_of(name)?;
                Ok(Statement::CreateSchema { dataset, if_not_exists: *if_not_exists })
            }
            Written::CreateSchema { .. } => {
                Err("CREATE SCHEMA supports only IF NOT EXISTS and a name".into())
            }
            Written::Drop {
                object_type,
                if_exists,
                names,
                cascade,
                restrict,
                purge: false,
                temporary: false,
                table: None,
            } => self.drop(*object_type, names, *if_exists, *cascade, *restrict),
            other => {
                let words: Vec<String> =
                    other.to_string().split_whitespace().take(2).map(str::to_owned).collect();
                Err(format!(
                    "{} is not supported; use SELECT, INSERT, UPDATE, DELETE, TRUNCATE TABLE, or CREATE or DROP with TABLE, VIEW or SCHEMA",
                    excerpt(&words.join(" "))
                ).into())
            }
        }
    }

    /// Binds a query that returns rows.
    pub(super) fn query_plan(&mut self, query: &Query) -> BindResult<Planned> {
        let rows = self.query(query)?;
        let columns = fields(&rows)?;
        let sql = final_sql(rows, &columns)?;
        self.query_of(sql, columns)
    }

    /// Binds a query that fills a new table with these columns.
    pub(super) fn query_plan_as(&mut self, query: &Query, fields: &[Field]) -> BindResult<Planned> {
        let rows = self.query(query)?;
        if rows.columns.len() != fields.len() {
            return Err(format!(
                "the table has {} columns, but the query returns {}",
                fields.len(),
                rows.columns.len()
            )
            .into());
        }
        let sql = final_sql(rows, fields)?;
        self.query_of(sql, fields.to_vec())
    }

    fn drop(
        &mut self,
        kind: ObjectType,
        names: &[ObjectName],
        if_exists: bool,
        cascade: bool,
        restrict: bool,
    ) -> BindResult<Statement> {
        let [name] = names else {
            return Err("DROP supports only one name: start a job for each name".into());
        };
        match kind {
            ObjectType::Table | ObjectType::View if !cascade && !restrict => Ok(Statement::Drop {
                table: self
                    .table_name(&idents(name)?)
                    .map_err(|bind_error| bind_error.near(name))?,
                is_view: kind == ObjectType::View,
                if_exists,
            }),
            ObjectType::Schema => {
                Ok(Statement::DropSchema { dataset: self.dataset_of(name)?, if_exists, cascade })
            }
            _ => Err(BindError::at(
                "unsupported DROP: use DROP TABLE, DROP VIEW or DROP SCHEMA [CASCADE]",
                name,
            )),
        }
    }

    fn dataset_of(&mut self, name: &ObjectName) -> BindResult<DatasetId> {
        let parts = idents(name)?;
        let dataset = match parts.as_slice() {
            [dataset] => dataset,
            [project, dataset] => {
                self.check_project(&project.value).map_err(|bind_error| bind_error.near(name))?;
                dataset
            }
            _ => {
                return Err(BindError::at(
                    "a dataset must be written as project.dataset or dataset",
                    name,
                ));
            }
        };
        DatasetId::parse(&dataset.value).map_err(|fault| query_fault(fault).near(name))
    }
}

/// Returns the columns of a query's result. Unnamed columns get the names `f0_`, `f1_` and so on.
fn fields(rows: &Rows) -> BindResult<Vec<Field>> {
    let mut fields: Vec<Field> = Vec::with_capacity(rows.columns.len());
    let mut unnamed = 0;
    for Output { name, of, literal: _ } in &rows.columns {
        let name = name.clone().unwrap_or_else(|| {
            unnamed += 1;
            format!("f{}_", unnamed - 1)
        });
        check_name(&name)?;
        if fields.iter().any(|known| known.has_name(&name)) {
            return Err(format!("Duplicate column names in the result are not supported: {name}; rename one of them with AS").into());
        }
        fields.push(Field::new(name, of.clone().unwrap_or(Type::Integer)));
    }
    Ok(fields)
}

/// Returns SQL that converts the columns of a query to the types of these fields. A NULL array
/// becomes an empty array.
pub(super) fn final_sql(rows: Rows, fields: &[Field]) -> BindResult<String> {
    let mut is_same = true;
    let mut values = Vec::with_capacity(fields.len());
    for (at, (column, field)) in rows.columns.iter().zip(fields).enumerate() {
        let same = output_sql(at);
        let value = Expression {
            sql: same.clone(),
            of: column.of.clone(),
            literal: column.literal.clone(),
        };
        let value = coercion::coerce(value, &field.of)
            .map_err(|message| format!("column {}: {message}", field.name))?;
        let value = array_sql(value.sql, &field.of);
        is_same &= value == same;
        values.push(format!("{value} AS {same}"));
    }
    Ok(if is_same { rows.sql } else { format!("SELECT {} FROM ({})", values.join(", "), rows.sql) })
}

/// Returns the SQL of a value to store. A NULL array becomes an empty array.
pub(super) fn array_sql(sql: String, of: &Type) -> String {
    match of {
        Type::Array(_) => format!("COALESCE({sql}, '[]')"),
        _ => sql,
    }
}
