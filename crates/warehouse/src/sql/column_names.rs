//! Resolves column names, in scopes from the innermost query to the outermost.

use std::collections::BTreeSet;

use sqlparser::ast::Ident;

use super::arrays::{member, struct_value};
use super::bind_error::{BindError, BindResult, Located};
use super::binder::{Binder, suggestion};
use super::expression::Expression;
use super::scope::{Alias, Clause, Column, EnclosingCall, Relation, Scope, UngroupedColumn};

/// What a name in a scope refers to: a column, or the rows of a table.
enum NameMeaning {
    Column(Column),
    Row(Relation),
}

impl Scope {
    fn columns(&self, name: &str) -> Vec<NameMeaning> {
        let merged = self.merged.iter();
        let own = self
            .relations
            .iter()
            .flat_map(|relation| relation.columns.iter().chain(&relation.extra_columns));
        merged
            .chain(own.filter(|column| !column.is_merged))
            .filter(|column| column.has_name(name))
            .map(|column| NameMeaning::Column(column.clone()))
            .collect()
    }

    fn rows(&self, name: &str) -> Vec<NameMeaning> {
        let called = self.relations.iter().filter(|relation| relation.has_name(name));
        called.map(|relation| NameMeaning::Row(relation.clone())).collect()
    }

    fn alias(&self, name: &str) -> Option<&Alias> {
        self.aliases.iter().find(|alias| alias.name.eq_ignore_ascii_case(name))
    }
}

impl Binder<'_> {
    /// Binds a name or a dotted path, such as a column of a table or a field of a column.
    pub(super) fn path(&mut self, path: &[Ident]) -> BindResult<Expression> {
        let Some((first, rest)) = path.split_first() else {
            return Err("a name is missing".into());
        };
        if let Some(name) = parameter_name(first)? {
            let bound = self.named_parameter(name).map_err(|bind_error| bind_error.near(first))?;
            return self.fields(bound, rest);
        }
        for at in (0..self.scopes.len()).rev() {
            if let Some(bound) = self.path_in(at, first, rest)? {
                return Ok(bound);
            }
        }
        Err(self.unknown(path, first))
    }

    /// Binds a path whose first name is looked up in a single scope. Returns `None` if the scope
    /// does not contain this name.
    fn path_in(
        &mut self,
        at: usize,
        first: &Ident,
        rest: &[Ident],
    ) -> BindResult<Option<Expression>> {
        let name = &first.value;
        let scope = &self.scopes[at];
        let is_ordered = scope.clause == Clause::OrderBy;
        let is_last = at + 1 == self.scopes.len();
        let is_first = is_ordered && is_last && scope.enclosing_call == EnclosingCall::Nothing;
        if is_first && let Some(bound) = self.alias(at, first)? {
            return self.fields(bound, rest).map(Some);
        }
        let scope = &self.scopes[at];
        let (columns, rows) = (scope.columns(name), scope.rows(name));
        let mut found = match rest.is_empty() {
            true if columns.is_empty() => rows,
            true => columns,
            false if rows.is_empty() => columns,
            false => rows,
        };
        let bound = match (found.pop(), found.is_empty()) {
            (Some(_), false) => {
                return Err(BindError::at(
                    format!("Column name {name} is ambiguous: write its table before it"),
                    first,
                ));
            }
            (Some(NameMeaning::Column(column)), true) => {
                let value = self.take(at, &column, first);
                self.fields(value, rest)?
            }
            (Some(NameMeaning::Row(relation)), true) => self.row(at, &relation, first, rest)?,
            (None, _) => match self.alias(at, first)? {
                Some(bound) => self.fields(bound, rest)?,
                None => return Ok(None),
            },
        };
        Ok(Some(bound))
    }

    /// Returns the expression that has this alias in the `SELECT` list.
    fn alias(&mut self, at: usize, name: &Ident) -> BindResult<Option<Expression>> {
        let scope = &self.scopes[at];
        let Some(alias) = scope.alias(&name.value) else {
            return Ok(None);
        };
        let is_wrong = match scope.enclosing_call {
            EnclosingCall::Nothing => alias.has_window && !scope.clause.allows_windows(),
            EnclosingCall::Aggregate => alias.has_aggregate || alias.has_window,
            EnclosingCall::Window => alias.has_window,
        };
        if is_wrong || at + 1 != self.scopes.len() {
            Err(BindError::at(
                format!(
                    "{} is the result of an aggregate or window function: it cannot be used here",
                    name.value
                ),
                name,
            ))
        } else {
            Ok(Some(alias.value.clone()))
        }
    }

    /// Records that a column is used, and returns the column's expression.
    pub(super) fn take(&mut self, at: usize, column: &Column, named: &impl Located) -> Expression {
        if let Some((table, spelled)) = &column.origin {
            let columns: &mut BTreeSet<String> = self.reads.entry((**table).clone()).or_default();
            columns.insert(spelled.clone());
        }
        let last = self.scopes.len() - 1;
        let is_own = at == last;
        self.scopes[last].own += usize::from(is_own);
        self.scopes[last].outer += usize::from(!is_own);
        let scope = &mut self.scopes[at];
        if scope.enclosing_call != EnclosingCall::Aggregate
            && !scope.keys.contains(&column.value.sql)
        {
            scope.ungrouped.push(UngroupedColumn {
                name: column.name.clone().unwrap_or_default(),
                sql: column.value.sql.clone(),
                at: named.place(),
            });
        }
        column.value.clone()
    }

    /// Binds a path that starts with the name of a table.
    fn row(
        &mut self,
        at: usize,
        relation: &Relation,
        named: &Ident,
        rest: &[Ident],
    ) -> BindResult<Expression> {
        let Some((name, fields)) = rest.split_first() else {
            return self.whole(at, relation, named);
        };
        let columns = relation.columns.iter().chain(&relation.extra_columns);
        let mut called = columns.filter(|column| column.has_name(&name.value));
        match (called.next(), called.next()) {
            (Some(column), None) => {
                let value = self.take(at, column, name);
                self.fields(value, fields)
            }
            (Some(_), Some(_)) => Err(BindError::at(
                format!(
                    "Column name {} is ambiguous: there are several columns with this name in {}",
                    name.value, named.value
                ),
                name,
            )),
            (None, _) => {
                let known = relation.columns.iter().filter_map(|column| column.name.as_deref());
                let hint = suggestion(&name.value, known);
                Err(BindError::at(
                    format!("Name {} not found inside {}{hint}", name.value, named.value),
                    name,
                ))
            }
        }
    }

    /// Returns an expression for a whole row: a struct of its columns, or the element of an array.
    fn whole(&mut self, at: usize, relation: &Relation, named: &Ident) -> BindResult<Expression> {
        if let Some(whole) = &relation.whole {
            let column = Column {
                name: relation.name.clone(),
                value: whole.clone(),
                origin: None,
                is_merged: false,
            };
            return Ok(self.take(at, &column, named));
        }
        let mut fields = Vec::new();
        for column in &relation.columns {
            let value = self.take(at, column, named);
            fields.push((column.name.clone(), value));
        }
        struct_value(fields).map_err(|bind_error| bind_error.near(named))
    }

    /// Returns a nested field of a value. Each name in the path is a field of the previous value.
    pub(super) fn fields(&mut self, value: Expression, path: &[Ident]) -> BindResult<Expression> {
        path.iter().try_fold(value, |value, name| {
            member(value, &name.value).map_err(|bind_error| bind_error.near(name))
        })
    }

    fn unknown(&self, path: &[Ident], first: &Ident) -> BindError {
        let known = self.scopes.iter().rev().flat_map(Scope::names);
        let hint = suggestion(&first.value, known);
        match path.len() {
            1 => BindError::at(format!("Unrecognized name: {}{hint}", first.value), first),
            _ => BindError::at(
                format!("Unrecognized name: {} in {}{hint}", first.value, join_path(path)),
                first,
            ),
        }
    }
}

/// Returns the parameter's name if an identifier is a parameter such as `@name`.
fn parameter_name(ident: &Ident) -> BindResult<Option<&str>> {
    match (ident.quote_style, ident.value.strip_prefix('@')) {
        (None, Some(name)) if name.starts_with('@') => {
            Err(BindError::at("system variables are not supported", ident))
        }
        (None, Some("")) => Err(BindError::at("a parameter name is missing after @", ident)),
        (None, name) => Ok(name),
        (Some(_), _) => Ok(None),
    }
}

fn join_path(path: &[Ident]) -> String {
    let names: Vec<&str> = path.iter().map(|ident| ident.value.as_str()).collect();
    names.join(".")
}
