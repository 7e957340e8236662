//! The state of binding a statement.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::types::Value;
use sqlparser::ast::Expr;
use sqlparser::tokenizer::Location;
use strsim::damerau_levenshtein;

use super::bind_error::{BindError, BindResult};
use super::expression::Expression;
use super::plan::Query;
use super::scope::{Output, Scope};
use super::{Catalog, Parameter, Parameters, Session};
use crate::name::{DatasetId, TableName};
use crate::types::Type;

/// Maximum size of the SQL generated for an expression or query, in bytes: 2 MiB, half of the limit
/// for SQLite.
const MAX_SQL_BYTES: usize = 2 * 1024 * 1024;
/// Maximum number of queries in a statement, including the queries of each view every time the view
/// is read.
const MAX_QUERIES: usize = 1000;
/// Maximum nesting depth of expressions and queries.
const MAX_DEPTH: usize = 90;

/// Length limit in bytes for names that are compared to suggest a similar name. The comparison
/// needs memory for each pair of characters.
const MAX_COMPARED_NAME: usize = 100;
/// Maximum number of names to compare when a similar name is suggested.
const MAX_COMPARED_NAMES: usize = 1000;

/// A named query in a `WITH` clause.
#[derive(Debug, Clone)]
pub(super) struct Named {
    pub name: String,
    pub sql: String,
    pub columns: Vec<Output>,
    /// The nesting level at which a recursive query can refer to itself, and the number of such
    /// references.
    pub recursion: Option<Recursion>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Recursion {
    pub level: usize,
    pub uses: usize,
}

/// The state of binding a statement. Other files add methods that bind specific parts of a
/// statement.
pub(super) struct Binder<'a> {
    pub session: &'a Session,
    pub catalog: &'a dyn Catalog,
    /// The dataset of tables whose names do not include a dataset.
    pub dataset: Option<DatasetId>,
    /// The tables and columns that the statement reads.
    pub reads: BTreeMap<TableName, BTreeSet<String>>,
    /// The scopes of names, from the outermost query to the innermost.
    pub scopes: Vec<Scope>,
    /// The queries of `WITH` clauses, the innermost last.
    pub named: Vec<Named>,
    /// The views that are being bound, each used by the previous view.
    pub views: Vec<TableName>,
    /// Number of enclosing queries.
    pub level: usize,
    values: Vec<Value>,
    places: BTreeMap<usize, usize>,
    /// The location of each `?`, in text order.
    placeholder_locations: Vec<Location>,
    aliases: usize,
    queries: usize,
    depth: usize,
}

impl<'a> Binder<'a> {
    pub(super) fn new(
        session: &'a Session,
        catalog: &'a dyn Catalog,
        placeholder_locations: Vec<Location>,
    ) -> Self {
        Self {
            session,
            catalog,
            dataset: session.dataset.clone(),
            reads: BTreeMap::new(),
            scopes: Vec::new(),
            named: Vec::new(),
            views: Vec::new(),
            level: 0,
            values: Vec::new(),
            places: BTreeMap::new(),
            placeholder_locations,
            aliases: 0,
            queries: 0,
            depth: 0,
        }
    }

    /// Returns an alias that is unique in the statement.
    pub(super) fn new_alias(&mut self) -> String {
        self.aliases += 1;
        format!("t{}", self.aliases)
    }

    /// Returns the innermost scope.
    pub(super) fn scope(&mut self) -> &mut Scope {
        if self.scopes.is_empty() {
            self.scopes.push(Scope::default());
        }
        let last = self.scopes.len() - 1;
        &mut self.scopes[last]
    }

    /// Calls `bind` for a nested query: counts the query, and increases the nesting level during
    /// the call.
    pub(super) fn with_nested_query<T>(
        &mut self,
        bind: impl FnOnce(&mut Self) -> BindResult<T>,
    ) -> BindResult<T> {
        self.queries += 1;
        if self.queries > MAX_QUERIES {
            return Err(format!(
                "a statement can have at most {MAX_QUERIES} queries, including the queries of its views"
            )
            .into());
        }
        self.level += 1;
        let bound = self.with_deeper_expression(bind);
        self.level -= 1;
        bound
    }

    fn with_deeper_expression<T>(
        &mut self,
        bind: impl FnOnce(&mut Self) -> BindResult<T>,
    ) -> BindResult<T> {
        if self.depth == MAX_DEPTH {
            return Err("the statement is nested too deeply: move parts of it to WITH".into());
        }
        self.depth += 1;
        let bound = bind(self);
        self.depth -= 1;
        bound
    }

    /// Binds an expression in the innermost scope.
    pub(super) fn expr(&mut self, expr: &Expr) -> BindResult<Expression> {
        let mark = self.scope().ungrouped.len();
        let bound = self
            .with_deeper_expression(|binder| binder.any_expr(expr))
            .and_then(|bound| check_length(bound.sql.len()).map(|()| bound))
            .map_err(|bind_error| bind_error.near(expr))?;
        self.discard_grouped_columns(mark, &bound.sql);
        Ok(bound)
    }

    /// Discards the ungrouped columns recorded since `mark` if the expression that contains them is
    /// a GROUP BY key.
    pub(super) fn discard_grouped_columns(&mut self, mark: usize, sql: &str) {
        let scope = self.scope();
        if scope.ungrouped.len() > mark && scope.keys.iter().any(|key| key == sql) {
            scope.ungrouped.truncate(mark);
        }
    }

    pub(super) fn typed(&mut self, expr: &Expr, of: &Type) -> BindResult<Expression> {
        let bound = self.expr(expr)?;
        super::coercion::coerce(bound, of).map_err(|message| BindError::at(message, expr))
    }

    /// Binds the condition of a clause.
    pub(super) fn condition(&mut self, expr: &Expr) -> BindResult<String> {
        let clause = self.scope().clause.name();
        let bound = self.expr(expr)?;
        match &bound.of {
            None | Some(Type::Boolean) => Ok(bound.sql),
            Some(of) => Err(BindError::at(
                format!("{clause} clause should return type BOOL, but returns {of}"),
                expr,
            )),
        }
    }

    /// Returns the parameter for the `?` at this location. The location is needed because clauses
    /// are not bound in the order in which they are written.
    pub(super) fn positional_parameter(&mut self, location: Location) -> BindResult<Expression> {
        self.reject_parameters_in_views()?;
        let at = self
            .placeholder_locations
            .binary_search(&location)
            .map_err(|_| "a ? is not allowed here")?;
        let session = self.session;
        match &session.parameters {
            Parameters::Positional(list) => {
                let parameter = list.get(at).ok_or_else(|| {
                    format!("too few parameters for the ? in the statement: only {} given", list.len())
                })?;
                Ok(self.parameter(at, parameter))
            }
            Parameters::Named(_) => {
                Err("the parameters have names: write @name instead of ?, or pass positional parameters".into())
            }
            Parameters::None => Err("the parameters are missing: pass a value for each ?".into()),
        }
    }

    /// Returns the parameter for `@name`.
    pub(super) fn named_parameter(&mut self, name: &str) -> BindResult<Expression> {
        self.reject_parameters_in_views()?;
        let session = self.session;
        let Parameters::Named(list) = &session.parameters else {
            return Err(format!(
                "Query parameter '{name}' not found: pass a parameter with this name"
            )
            .into());
        };
        let found = list.iter().position(|(known, _)| known.eq_ignore_ascii_case(name));
        match found.and_then(|at| Some((at, list.get(at)?))) {
            Some((at, (_, parameter))) => Ok(self.parameter(at, parameter)),
            None => {
                let known = list.iter().map(|(known, _)| known.as_str());
                Err(format!("Query parameter '{name}' not found{}", suggestion(name, known)).into())
            }
        }
    }

    fn reject_parameters_in_views(&self) -> BindResult<()> {
        if self.views.is_empty() { Ok(()) } else { Err("a view cannot use parameters".into()) }
    }

    fn parameter(&mut self, at: usize, parameter: &Parameter) -> Expression {
        let count = self.values.len();
        let place = *self.places.entry(at).or_insert(count);
        if place == count {
            self.values.push(parameter.value.clone());
        }
        let literal = match (&parameter.of, &parameter.value) {
            (Type::String, Value::Text(text)) => Some(text.clone()),
            _ => None,
        };
        Expression { sql: format!("?{}", place + 1), of: Some(parameter.of.clone()), literal }
    }

    /// Returns the values of all parameters used so far.
    pub(super) fn parameters(&self) -> Vec<Value> {
        self.values.clone()
    }

    /// Returns the value of a parameter, given its SQL.
    pub(super) fn value_of(&self, sql: &str) -> Option<&Value> {
        let place: usize = sql.strip_prefix('?')?.parse().ok()?;
        self.values.get(place.checked_sub(1)?)
    }

    pub(super) fn query_of(
        &self,
        sql: String,
        columns: Vec<crate::types::Field>,
    ) -> BindResult<Query> {
        check_length(sql.len())?;
        Ok(Query { sql, parameters: self.parameters(), columns })
    }
}

/// Returns an error if the SQL is too long.
pub(super) fn check_length(bytes: usize) -> BindResult<()> {
    if bytes <= MAX_SQL_BYTES {
        Ok(())
    } else {
        Err("the statement is too long: move repeated parts to WITH".into())
    }
}

/// Returns `; Did you mean …?` if a known name is similar.
pub(super) fn suggestion<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> String {
    if name.len() >= MAX_COMPARED_NAME {
        return String::new();
    }
    let name = name.to_lowercase();
    let nearest = known
        .filter(|known| known.len() < MAX_COMPARED_NAME)
        .take(MAX_COMPARED_NAMES)
        .map(|known| (damerau_levenshtein(&name, &known.to_lowercase()), known))
        .filter(|(edits, known)| *edits <= 1 + known.len() / 4)
        .min();
    nearest.map_or(String::new(), |(_, near)| format!("; Did you mean {near}?"))
}
