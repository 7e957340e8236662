//! The tables, columns and aliases that names can mean in a part of a query.

use std::rc::Rc;

use sqlparser::tokenizer::Location;

use super::expression::Expression;
use crate::name::TableName;
use crate::types::Type;

/// A column of a query's rows. In SQLite these are `"$1"`, `"$2"`, …
#[derive(Debug, Clone)]
pub(super) struct Output {
    /// Its name. None where it has none.
    pub name: Option<String>,
    /// Its type. None where it is always NULL.
    pub of: Option<Type>,
    /// Its text, where it is always the same literal.
    pub literal: Option<String>,
}

/// SQLite's name of a query's column, counted from 0.
pub(super) fn output_sql(at: usize) -> String {
    format!("\"${}\"", at + 1)
}

/// The columns of a query with this alias, under their names.
pub(super) fn listed(columns: &[Output], alias: &str) -> String {
    let columns: Vec<String> = (0..columns.len())
        .map(output_sql)
        .map(|column| format!("{alias}.{column} AS {column}"))
        .collect();
    columns.join(", ")
}

/// A bound query. Its columns are `"$1"`, `"$2"`, … in SQLite.
#[derive(Debug)]
pub(super) struct Rows {
    pub sql: String,
    pub columns: Vec<Output>,
    /// Whether it can stand as it is beside UNION.
    pub is_plain: bool,
    /// Whether it computes over groups or windows.
    pub is_computed: bool,
}

/// A name as SQLite's SQL has it.
pub(super) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A column that can be named.
#[derive(Debug, Clone)]
pub(super) struct Column {
    /// Its name. None where only `*` reaches it.
    pub name: Option<String>,
    pub value: Expression,
    /// The table that it belongs to, and its name as that table spells it.
    pub origin: Option<(Rc<TableName>, String)>,
    /// Whether `USING` merged it with a column of another table.
    pub is_merged: bool,
}

impl Column {
    pub(super) fn of_query(output: &Output, alias: &str, at: usize) -> Self {
        Self {
            name: output.name.clone(),
            value: Expression {
                sql: format!("{alias}.{}", output_sql(at)),
                of: output.of.clone(),
                // A join can make it NULL.
                literal: None,
            },
            origin: None,
            is_merged: false,
        }
    }

    pub(super) fn is_called(&self, name: &str) -> bool {
        self.name.as_ref().is_some_and(|known| known.eq_ignore_ascii_case(name))
    }
}

/// A table, a query or an array that rows come from.
#[derive(Debug, Clone, Default)]
pub(super) struct Relation {
    /// Its name. None where it has none.
    pub name: Option<String>,
    pub columns: Vec<Column>,
    /// Its row as one value, where rows are single values: the elements of an array.
    pub whole: Option<Expression>,
    /// Columns that `*` leaves out: the offset of an element.
    pub beside: Vec<Column>,
}

impl Relation {
    pub(super) fn is_called(&self, name: &str) -> bool {
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

    pub(super) fn takes_aggregates(self) -> bool {
        matches!(self, Self::Select | Self::Having | Self::Qualify | Self::OrderBy)
    }

    pub(super) fn takes_windows(self) -> bool {
        matches!(self, Self::Select | Self::Qualify | Self::OrderBy)
    }
}

/// What an expression is an argument of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Inside {
    #[default]
    Nothing,
    Aggregate,
    Window,
}

/// A column of the `SELECT` list that other clauses refer to by its name.
#[derive(Debug, Clone)]
pub(super) struct Alias {
    pub name: String,
    pub value: Expression,
    pub has_aggregate: bool,
    pub has_window: bool,
}

/// A column that is named outside of aggregates.
#[derive(Debug, Clone)]
pub(super) struct UngroupedColumn {
    pub name: String,
    pub sql: String,
    pub at: Location,
}

/// A window, in SQLite's SQL.
#[derive(Debug, Clone, Default)]
pub(super) struct Window {
    pub partition: String,
    pub order: String,
    pub frame: String,
}

/// What names mean in one `SELECT`.
#[derive(Debug, Default)]
pub(super) struct Scope {
    /// What its rows come from.
    pub relations: Vec<Relation>,
    /// The columns that several of them share: `USING`.
    pub merged: Vec<Column>,
    /// What the `SELECT` list names, where that can be referred to.
    pub aliases: Vec<Alias>,
    /// What its rows are grouped by.
    pub keys: Vec<String>,
    /// The columns outside of aggregates that are none of `keys`.
    pub loose: Vec<UngroupedColumn>,
    pub windows: Vec<(String, Window)>,
    pub clause: Clause,
    pub inside: Inside,
    /// How many aggregates were met.
    pub aggregates: usize,
    /// How many calls over windows were met.
    pub calls_over: usize,
    /// How many columns of its own were named, and how many of queries around it.
    pub own: usize,
    pub outer: usize,
}

impl Scope {
    /// Every name that could be meant.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.relations
            .iter()
            .flat_map(|relation| {
                let columns = relation.columns.iter().chain(&relation.beside);
                columns.filter_map(|column| column.name.as_deref()).chain(relation.name.as_deref())
            })
            .chain(self.aliases.iter().map(|alias| alias.name.as_str()))
    }
}
