//! Binds the FROM clause, with tables, views, queries, arrays and joins.

use std::rc::Rc;

use sqlparser::ast::{
    Ident, Join, JoinOperator, ObjectName, Query, Statement, TableAlias, TableFactor,
    TableWithJoins,
};

use super::CatalogEntry;
use super::arrays;
use super::bind_error::{BindError, BindResult, type_name};
use super::binder::Binder;
use super::expression::Expression;
use super::parse::parse;
use super::scope::{Column, Relation, Rows, quoted};
use super::table_names::{idents, table_alias};
use crate::error::Fault;
use crate::name::TableName;
use crate::types::{Field, Type};

/// Maximum nesting depth of views that read other views.
const MAX_VIEW_DEPTH: usize = 16;

impl Binder<'_> {
    /// Returns the SQL of a FROM clause, and adds its tables to the scope.
    pub(super) fn from(&mut self, tables: &[TableWithJoins]) -> BindResult<String> {
        let mut parts = Vec::with_capacity(tables.len());
        for (at, TableWithJoins { relation, joins }) in tables.iter().enumerate() {
            let turns = |join: &Join| {
                matches!(
                    join.join_operator,
                    JoinOperator::Right(_)
                        | JoinOperator::RightOuter(_)
                        | JoinOperator::FullOuter(_)
                )
            };
            if at > 0 && joins.iter().any(turns) {
                return Err(BindError::at(
                    "RIGHT and FULL JOIN cannot follow a comma: write CROSS JOIN, or join in a subquery",
                    relation,
                ));
            }
            parts.push(self.joined(relation, joins)?);
        }
        Ok(parts.join(" CROSS JOIN "))
    }

    pub(super) fn factor(&mut self, factor: &TableFactor) -> BindResult<String> {
        match factor {
            TableFactor::Table {
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
            } if with_hints.is_empty() && partitions.is_empty() && index_hints.is_empty() => {
                self.table(name, alias.as_ref())
            }
            TableFactor::Table { name, version, sample, .. } => Err(BindError::at(
                match (version, sample) {
                    (Some(_), _) => "table versions are not supported: remove FOR SYSTEM_TIME",
                    (_, Some(_)) => "TABLESAMPLE is not supported: use WHERE RAND() < … or LIMIT",
                    _ => "unsupported clause after the table: write only the table and an alias",
                },
                name,
            )),
            TableFactor::Derived { lateral: false, subquery, alias, sample: None } => {
                let rows = self.bind_subquery(subquery)?;
                let name = alias.as_ref().map(table_alias).transpose()?;
                self.rows(rows, name)
            }
            TableFactor::UNNEST {
                alias,
                array_exprs,
                with_offset,
                with_offset_alias,
                with_ordinality: false,
            } => {
                let [array] = array_exprs.as_slice() else {
                    return Err(BindError::at(
                        "UNNEST supports only one array: join several arrays by their offsets",
                        factor,
                    ));
                };
                let array_value = self.expr(array)?;
                let name = alias.as_ref().map(table_alias).transpose()?;
                let offset = with_offset
                    .then(|| with_offset_alias.as_ref().map_or("offset", |alias| &alias.value));
                self.array_rows(&array_value, name, offset)
                    .map_err(|bind_error| bind_error.near(array))
            }
            TableFactor::NestedJoin { table_with_joins, alias: None } => {
                let TableWithJoins { relation, joins } = table_with_joins.as_ref();
                if joins.is_empty() {
                    self.factor(relation)
                } else {
                    Ok(format!("({})", self.joined(relation, joins)?))
                }
            }
            TableFactor::Pivot { .. } | TableFactor::Unpivot { .. } => Err(BindError::at(
                "PIVOT and UNPIVOT are not supported: use COUNTIF and SUM(IF(…)), or UNION ALL",
                factor,
            )),
            other => Err(BindError::at(
                format!(
                    "{} is not supported in FROM",
                    super::expression_kinds::excerpt(&other.to_string())
                ),
                other,
            )),
        }
    }

    /// Binds a query in FROM. The query cannot refer to other tables of the same FROM clause.
    fn bind_subquery(&mut self, query: &Query) -> BindResult<Rows> {
        let scope = self.scope();
        let extra_columns =
            (std::mem::take(&mut scope.relations), std::mem::take(&mut scope.merged));
        let rows = self.query(query);
        let scope = self.scope();
        (scope.relations, scope.merged) = extra_columns;
        rows
    }

    fn rows(&mut self, rows: Rows, name: Option<String>) -> BindResult<String> {
        let alias = self.new_alias();
        let columns = rows.columns.iter().enumerate();
        let columns = columns.map(|(at, output)| Column::of_query(output, &alias, at)).collect();
        self.add(Relation { name, columns, ..Relation::default() })?;
        Ok(format!("({}) AS {alias}", rows.sql))
    }

    fn add(&mut self, relation: Relation) -> BindResult<()> {
        let scope = self.scope();
        if let Some(name) = &relation.name
            && scope.relations.iter().any(|known| known.has_name(name))
        {
            return Err(format!("Duplicate table alias {name} in the same FROM clause").into());
        }
        scope.relations.push(relation);
        Ok(())
    }

    fn table(&mut self, name: &ObjectName, alias: Option<&TableAlias>) -> BindResult<String> {
        let idents = idents(name)?;
        let called = alias.map(table_alias).transpose()?;
        let implied = idents.last().map(|ident| ident.value.clone());
        let name_of = called.clone().or(implied);
        self.table_rows(&idents, called, name_of).map_err(|bind_error| bind_error.near(name))
    }

    fn table_rows(
        &mut self,
        idents: &[Ident],
        called: Option<String>,
        name: Option<String>,
    ) -> BindResult<String> {
        if let [only] = idents
            && let Some(at) =
                self.named.iter().rposition(|known| known.name.eq_ignore_ascii_case(&only.value))
        {
            return self.named_rows(at, name);
        }
        let first = idents.first().map(|ident| ident.value.as_str()).unwrap_or_default();
        let is_array = idents.len() > 1
            && self.scope().relations.iter().any(|relation| relation.has_name(first));
        if is_array {
            let array = self.path(idents)?;
            return self.array_rows(&array, called.or(name), None);
        }
        let table = self.table_name(idents)?;
        match self.catalog.find(&table)? {
            None => Err(self.no_table(&table)),
            Some(CatalogEntry::Table { sql, fields }) => {
                self.reads.entry(table.clone()).or_default();
                let alias = self.new_alias();
                self.add(Relation {
                    name,
                    columns: columns_of(&table, &fields, &alias),
                    ..Relation::default()
                })?;
                Ok(format!("{sql} AS {alias}"))
            }
            Some(CatalogEntry::View { query }) => {
                let rows = self.view(&table, &query)?;
                self.rows(rows, name)
            }
        }
    }

    fn no_table(&self, table: &TableName) -> BindError {
        let project = &self.session.project;
        Fault::not_found(format!("Not found: Table {project}:{table} was not found")).into()
    }

    /// Binds a reference to a named query in WITH.
    fn named_rows(&mut self, at: usize, name: Option<String>) -> BindResult<String> {
        let level = self.level;
        let known = &mut self.named[at];
        if let Some(recursion) = &mut known.recursion {
            recursion.uses += 1;
            if recursion.uses > 1 || recursion.level != level {
                return Err(format!(
                    "{} can refer to itself only once, in the FROM of its last part and not in a subquery",
                    known.name
                )
                .into());
            }
        }
        let known = known.clone();
        let alias = self.new_alias();
        let columns = known.columns.iter().enumerate();
        let columns = columns.map(|(at, output)| Column::of_query(output, &alias, at)).collect();
        self.add(Relation { name, columns, ..Relation::default() })?;
        Ok(format!("{} AS {alias}", known.sql))
    }

    /// Binds a view. The view's query cannot refer to names in the statement that reads the view.
    fn view(&mut self, name: &TableName, query: &str) -> BindResult<Rows> {
        if self.views.len() == MAX_VIEW_DEPTH || self.views.contains(name) {
            return Err(format!(
                "the view {name} reads itself, or is nested in more than {MAX_VIEW_DEPTH} views"
            )
            .into());
        }
        let around = (std::mem::take(&mut self.scopes), std::mem::take(&mut self.named));
        let dataset = self.dataset.replace(name.dataset.clone());
        self.views.push(name.clone());
        let rows = parse(query).and_then(|parsed| match parsed.statement {
            Statement::Query(query) => self.query(&query),
            _ => Err("the statement is not a query".into()),
        });
        self.views.pop();
        self.dataset = dataset;
        (self.scopes, self.named) = around;
        rows.map_err(|bind_error| bind_error.in_view(name))
    }

    /// Binds an array whose elements are read as rows (UNNEST).
    fn array_rows(
        &mut self,
        array: &Expression,
        name: Option<String>,
        offset: Option<&str>,
    ) -> BindResult<String> {
        let Some(Type::Array(of)) = &array.of else {
            return Err(format!(
                "Values referenced in UNNEST must be arrays. UNNEST contains expression of type {}",
                type_name(array.of.as_ref())
            )
            .into());
        };
        let alias = self.new_alias();
        let whole = arrays::element(&alias, of)?;
        let column = |name: Option<String>, value: Expression| Column {
            name,
            value,
            origin: None,
            is_merged: false,
        };
        let mut columns = Vec::new();
        for field in arrays::fields_of(of) {
            let value = arrays::member(whole.clone(), &field.name)?;
            columns.push(column(Some(field.name.clone()), value));
        }
        if !matches!(**of, Type::Struct(_)) {
            columns.push(column(name.clone(), whole.clone()));
        }
        let extra_columns = offset.map(|offset| {
            column(
                Some(offset.to_owned()),
                Expression::new(format!("{alias}.\"key\""), Type::Integer),
            )
        });
        self.add(Relation {
            name,
            columns,
            whole: Some(whole),
            extra_columns: extra_columns.into_iter().collect(),
        })?;
        Ok(format!("json_each({}) AS {alias}", array.sql))
    }
}

/// Returns the columns of a table. `alias` is the table's alias in the SQL.
pub(super) fn columns_of(table: &TableName, fields: &[Field], alias: &str) -> Vec<Column> {
    let table = Rc::new(table.clone());
    let column = |field: &Field| Column {
        name: Some(field.name.clone()),
        value: Expression::new(format!("{alias}.{}", quoted(&field.name)), field.of.clone()),
        origin: Some((Rc::clone(&table), field.name.clone())),
        is_merged: false,
    };
    fields.iter().map(column).collect()
}
