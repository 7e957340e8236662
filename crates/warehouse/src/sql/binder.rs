//! The state of binding a statement.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::types::Value;
use sqlparser::ast::Expr;
use sqlparser::tokenizer::Location;
use strsim::damerau_levenshtein;

use super::expression::Expression;
use super::plan::Query;
use super::scope::{Output, Scope};
use super::wrong::{Bound, Wrong};
use super::{Catalog, Parameter, Parameters, Session};
use crate::name::{DatasetId, TableName};
use crate::types::Type;

/// Maximum size of the SQL generated for an expression or query, in bytes: 2 MiB, which is half of
/// the limit that is set for SQLite.
const LONGEST: usize = 2 * 1024 * 1024;
/// Maximum number of queries in a statement. The queries of a view count each time the view is
/// read.
const MOST_QUERIES: usize = 1000;
/// Maximum nesting depth of expressions and queries.
const DEEPEST: usize = 90;

/// Maximum length of a name for which a similar name is suggested, in bytes. The comparison needs
/// memory for each pair of characters.
const LONGEST_NAME: usize = 100;
/// Maximum number of names to compare when a similar name is suggested.
const MOST_NAMES: usize = 1000;

/// A query that `WITH` names.
#[derive(Debug, Clone)]
pub(super) struct Named {
    pub name: String,
    pub sql: String,
    pub columns: Vec<Output>,
    /// The place where a recursive query may refer to itself: at this nesting level, and only once.
    pub recursion: Option<Recursion>,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Recursion {
    pub level: usize,
    pub uses: usize,
}

/// The state of binding a statement. A separate file binds each kind of its parts.
pub(super) struct Binder<'a> {
    pub session: &'a Session,
    pub catalog: &'a dyn Catalog,
    /// The dataset for tables that are named without one.
    pub dataset: Option<DatasetId>,
    /// The tables that the statement reads, each with its columns.
    pub reads: BTreeMap<TableName, BTreeSet<String>>,
    /// The scopes of names, from the outermost query to the innermost.
    pub scopes: Vec<Scope>,
    /// The queries in `WITH` clauses. The innermost comes last.
    pub named: Vec<Named>,
    /// The views that are being read, each within the previous view.
    pub views: Vec<TableName>,
    /// Number of enclosing queries.
    pub level: usize,
    values: Vec<Value>,
    places: BTreeMap<usize, usize>,
    /// The position of each `?`, in the order of the text.
    marks: Vec<Location>,
    aliases: usize,
    queries: usize,
    depth: usize,
}

impl<'a> Binder<'a> {
    pub(super) fn new(
        session: &'a Session,
        catalog: &'a dyn Catalog,
        marks: Vec<Location>,
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
            marks,
            aliases: 0,
            queries: 0,
            depth: 0,
        }
    }

    /// Returns an alias that is unique in the statement.
    pub(super) fn fresh(&mut self) -> String {
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

    /// Counts a query, and increases the nesting level while `bind` runs.
    pub(super) fn nested<T>(&mut self, bind: impl FnOnce(&mut Self) -> Bound<T>) -> Bound<T> {
        self.queries += 1;
        if self.queries > MOST_QUERIES {
            return Err(format!(
                "a statement can have at most {MOST_QUERIES} queries, including the queries of its views"
            )
            .into());
        }
        self.level += 1;
        let bound = self.deeper(bind);
        self.level -= 1;
        bound
    }

    fn deeper<T>(&mut self, bind: impl FnOnce(&mut Self) -> Bound<T>) -> Bound<T> {
        if self.depth == DEEPEST {
            return Err("the statement is nested too deeply: move parts of it to WITH".into());
        }
        self.depth += 1;
        let bound = bind(self);
        self.depth -= 1;
        bound
    }

    /// Binds an expression in the innermost scope.
    pub(super) fn expr(&mut self, expr: &Expr) -> Bound<Expression> {
        let mark = self.scope().loose.len();
        let bound = self
            .deeper(|binder| binder.any_expr(expr))
            .and_then(|bound| check_length(bound.sql.len()).map(|()| bound))
            .map_err(|wrong| wrong.near(expr))?;
        self.settle(mark, &bound.sql);
        Ok(bound)
    }

    /// Discards the ungrouped columns recorded since `mark` if their expression is a GROUP BY key.
    pub(super) fn settle(&mut self, mark: usize, sql: &str) {
        let scope = self.scope();
        if scope.loose.len() > mark && scope.keys.iter().any(|key| key == sql) {
            scope.loose.truncate(mark);
        }
    }

    pub(super) fn typed(&mut self, expr: &Expr, of: &Type) -> Bound<Expression> {
        let bound = self.expr(expr)?;
        super::coercion::coerce(bound, of).map_err(|message| Wrong::at(message, expr))
    }

    /// Binds the condition of a clause.
    pub(super) fn condition(&mut self, expr: &Expr) -> Bound<String> {
        let clause = self.scope().clause.name();
        let bound = self.expr(expr)?;
        match &bound.of {
            None | Some(Type::Boolean) => Ok(bound.sql),
            Some(of) => Err(Wrong::at(
                format!("{clause} clause should return type BOOL, but returns {of}"),
                expr,
            )),
        }
    }

    /// Returns the parameter for the `?` at this position. The position is needed because clauses
    /// are not bound in their written order.
    pub(super) fn positional(&mut self, here: Location) -> Bound<Expression> {
        self.no_parameters_in_views()?;
        let at = self.marks.binary_search(&here).map_err(|_| "a ? is not allowed here")?;
        let session = self.session;
        match &session.parameters {
            Parameters::Positional(list) => {
                let parameter = list.get(at).ok_or_else(|| {
                    format!("too few parameters for the ? in the statement: only {} given", list.len())
                })?;
                Ok(self.parameter(at, parameter))
            }
            Parameters::Named(_) => {
                Err("the parameters have names: write @name instead of ?, or give positional parameters".into())
            }
            Parameters::None => Err("the parameters are missing: give a value for each ?".into()),
        }
    }

    /// Returns a parameter that is written `@name`.
    pub(super) fn named_parameter(&mut self, name: &str) -> Bound<Expression> {
        self.no_parameters_in_views()?;
        let session = self.session;
        let Parameters::Named(list) = &session.parameters else {
            return Err(
                format!("Query parameter '{name}' not found: give it a name and a value").into()
            );
        };
        let found = list.iter().position(|(known, _)| known.eq_ignore_ascii_case(name));
        match found.and_then(|at| Some((at, list.get(at)?))) {
            Some((at, (_, parameter))) => Ok(self.parameter(at, parameter)),
            None => {
                let known = list.iter().map(|(known, _)| known.as_str());
                Err(format!("Query parameter '{name}' not found{}", did_you_mean(name, known))
                    .into())
            }
        }
    }

    fn no_parameters_in_views(&self) -> Bound<()> {
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

    /// Returns the values of the parameters that were named so far.
    pub(super) fn parameters(&self) -> Vec<Value> {
        self.values.clone()
    }

    /// Returns the value of a parameter, given its SQL.
    pub(super) fn value_of(&self, sql: &str) -> Option<&Value> {
        let place: usize = sql.strip_prefix('?')?.parse().ok()?;
        self.values.get(place.checked_sub(1)?)
    }

    pub(super) fn query_of(&self, sql: String, columns: Vec<crate::types::Field>) -> Bound<Query> {
        check_length(sql.len())?;
        Ok(Query { sql, parameters: self.parameters(), columns })
    }
}

/// Returns an error if the SQL is too long.
pub(super) fn check_length(bytes: usize) -> Bound<()> {
    if bytes <= LONGEST {
        Ok(())
    } else {
        Err("the statement is too long: move repeated parts to WITH".into())
    }
}

/// Returns `; Did you mean …?` if a known name is similar.
pub(super) fn did_you_mean<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> String {
    if name.len() >= LONGEST_NAME {
        return String::new();
    }
    let name = name.to_lowercase();
    let nearest = known
        .filter(|known| known.len() < LONGEST_NAME)
        .take(MOST_NAMES)
        .map(|known| (damerau_levenshtein(&name, &known.to_lowercase()), known))
        .filter(|(edits, known)| *edits <= 1 + known.len() / 4)
        .min();
    nearest.map_or(String::new(), |(_, near)| format!("; Did you mean {near}?"))
}
