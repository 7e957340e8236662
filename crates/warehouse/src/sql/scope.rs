//! The tables, columns and aliases that are visible in a part of a query.

use std::rc::Rc;

use sqlparser::tokenizer::Location;

use super::expression::Expression;
use crate::name::TableName;
use crate::types::Type;

/// A column of a query's result. In SQLite, the columns have the names `"$1"`, `"$2"` and so on.
#[derive(Debug, Clone)]
pub(super) struct Output {
    /// The column's name, or `None` if the column has no name.
    pub name: Option<String>,
    /// The column's type. `None` if the column is always NULL.
    pub of: Option<Type>,
    /// The text of the string literal, if the column is always the same literal.
    pub literal: Option<String>,
}

/// Returns the SQLite name of a query's column. `at` is the column's index, counted from 0.
pub(super) fn output_sql(at: usize) -> String {
    format!("\"${}\"", at + 1)
}

/// Returns SQL that selects all columns of the query with this alias, and keeps their names.
pub(super) fn column_list(columns: &[Output], alias: &str) -> String {
    let columns: Vec<String> = (0..columns.len())
        .map(output_sql)
        .map(|column| format!("{alias}.{column} AS {column}"))
        .collect();
    columns.join(", ")
}

/// A bound query. In SQLite, its columns have the names `"$1"`, `"$2"` and so on.
#[derive(Debug)]
pub(super) struct Rows {
    pub sql: String,
    pub columns: Vec<Output>,
    /// Whether the SQL can be an operand of UNION without being wrapped in another query.
    pub is_plain: bool,
    /// Whether the query uses aggregates or window functions.
    pub is_computed: bool,
}

/// Quotes a name for SQLite's SQL.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A column that a query can refer to.
#[derive(Debug, Clone)]
pub(super) struct Column {
    /// The column's name, or `None` if only `*` can select the column.
    pub name: Option<String>,
    pub value: Expression,
    /// The column's table, and the column's name as spelled in the table.
    pub origin: Option<(Rc<TableName>, String)>,
    /// Whether `USING` merged the column with a column of another table.
    pub is_merged: bool,
}

impl Column {
    pub(super) fn of_query(output: &Output, alias: &str, at: usize) -> Self {
        Self {
            name: output.name.clone(),
            value: Expression {
                sql: format!("{alias}.{}", output_sql(at)),
                of: output.of.clone(),
                // An outer join can make the column NULL.
                literal: None,
            },
            origin: None,
            is_merged: false,
        }
    }

    pub(super) fn has_name(&self, name: &str) -> bool {
        self.name.as_ref().is_some_and(|known| known.eq_ignore_ascii_case(name))
    }
}

/// A table, query or array that is a source of rows.
#[derive(Debug, Clone, Default)]
pub(super) struct Relation {
    /// The name or alias, or `None` if the relation has no name.
    pub name: Option<String>,
    pub columns: Vec<Column>,
    /// The whole row as a single value, if the rows are the elements of an array.
    pub whole: Option<Expression>,
    /// Columns that `name.*` does not include, such as the offset of an array element. A plain `*`
    /// includes these columns.
    pub extra_columns: Vec<Column>,
}

impl Relation {
    pub(super) fn has_name(&self, name: &str) -> bool {
        self.name.as_ref().is_some_and(|known| known.eq_ignore_ascii_case(name))
    }
}

/// The clause that is being bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Clause {
    #[default]
    From,
    Where,
    GroupBy,
    Select,
    Having,
    Qualify,
    OrderBy,
}

impl Clause {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::From => "FROM",
            Self::Where => "WHERE",
            Self::GroupBy => "GROUP BY",
            Self::Select => "SELECT",
            Self::Having => "HAVING",
            Self::Qualify => "QUALIFY",
            Self::OrderBy => "ORDER BY",
        }
    }

    pub(super) fn allows_aggregates(self) -> bool {
        matches!(self, Self::Select | Self::Having | Self::Qualify | Self::OrderBy)
    }

    pub(super) fn allows_windows(self) -> bool {
        matches!(self, Self::Select | Self::Qualify | Self::OrderBy)
    }
}

/// The kind of call that contains the expression being bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum EnclosingCall {
    #[default]
    Nothing,
    Aggregate,
    Window,
}

/// A column of the `SELECT` list that other clauses can refer to by name.
#[derive(Debug, Clone)]
pub(super) struct Alias {
    pub name: String,
    pub value: Expression,
    pub has_aggregate: bool,
    pub has_window: bool,
}

/// A column that is used outside aggregates.
#[derive(Debug, Clone)]
pub(super) struct UngroupedColumn {
    pub name: String,
    pub sql: String,
    pub at: Location,
}

/// A window in SQLite's SQL.
#[derive(Debug, Clone, Default)]
pub(super) struct Window {
    pub partition: String,
    pub order: String,
    pub frame: String,
}

/// The names that are visible in a `SELECT`, and the state of binding the `SELECT`.
#[derive(Debug, Default)]
pub(super) struct Scope {
    /// The tables, queries and arrays in the FROM clause.
    pub relations: Vec<Relation>,
    /// The columns that `USING` has merged.
    pub merged: Vec<Column>,
    /// The aliases of the `SELECT` list. Empty while other clauses cannot refer to them yet.
    pub aliases: Vec<Alias>,
    /// The SQL of the GROUP BY keys.
    pub keys: Vec<String>,
    /// The columns that are used outside aggregates and are not in `keys`.
    pub ungrouped: Vec<UngroupedColumn>,
    pub windows: Vec<(String, Window)>,
    pub clause: Clause,
    pub enclosing_call: EnclosingCall,
    /// Number of aggregates bound so far.
    pub aggregates: usize,
    /// Number of window function calls bound so far.
    pub calls_over: usize,
    /// Number of column references to this query (`own`) and to enclosing queries (`outer`).
    pub own: usize,
    pub outer: usize,
}

impl Scope {
    /// Returns every name in the scope, for suggestions.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.relations
            .iter()
            .flat_map(|relation| {
                let columns = relation.columns.iter().chain(&relation.extra_columns);
                columns.filter_map(|column| column.name.as_deref()).chain(relation.name.as_deref())
            })
            .chain(self.aliases.iter().map(|alias| alias.name.as_str()))
    }
}
