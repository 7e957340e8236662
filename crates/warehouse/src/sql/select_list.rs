//! Binds the SELECT list, and expands `*`.

use sqlparser::ast::{
    ExceptSelectItem, Expr, Ident, ReplaceSelectElement, ReplaceSelectItem, SelectItem,
    SelectItemQualifiedWildcardKind, WildcardAdditionalOptions,
};

use super::arrays::{implied_name, member};
use super::bind_error::{BindError, BindResult};
use super::binder::{Binder, suggestion};
use super::expression::Expression;
use super::scope::{Alias, Column, UngroupedColumn};
use super::table_names::idents;
use crate::types::Type;

/// Maximum number of columns in a query. SQLite's limit is 2,000 columns.
const MAX_COLUMNS: usize = 1900;

/// An entry of the SELECT list, after expanding `*`.
pub(super) enum SelectEntry<'s> {
    Expr(&'s Expr, Option<String>),
    Column(Column, &'s WildcardAdditionalOptions),
    /// A field from `SELECT x.*`, and the ungrouped columns that `x` uses.
    Field(Expression, Option<String>, Vec<UngroupedColumn>),
}

/// A bound entry of the SELECT list.
pub(super) struct BoundEntry {
    pub name: Option<String>,
    pub value: Expression,
}

impl Binder<'_> {
    /// Returns the entries of the SELECT list, after expanding `*`.
    pub(super) fn items<'s>(
        &mut self,
        projection: &'s [SelectItem],
    ) -> BindResult<Vec<SelectEntry<'s>>> {
        let mut items = Vec::with_capacity(projection.len());
        for item in projection {
            match item {
                SelectItem::UnnamedExpr(expr) => {
                    items.push(SelectEntry::Expr(expr, implied_name(expr)))
                }
                SelectItem::ExprWithAlias { expr, alias } => {
                    items.push(SelectEntry::Expr(expr, Some(alias_name(alias)?)))
                }
                SelectItem::ExprWithAliases { expr, .. } => {
                    return Err(BindError::at("a value can have only one alias", expr));
                }
                SelectItem::Wildcard(options) => {
                    let columns = self.all_columns().map_err(|bind_error| bind_error.near(item))?;
                    let columns = columns
                        .into_iter()
                        .map(|column| SelectEntry::Column(column, options))
                        .collect();
                    items.extend(expand_star(columns, options)?);
                }
                SelectItem::QualifiedWildcard(kind, options) => {
                    let columns = self
                        .qualified(kind, options)
                        .map_err(|bind_error| bind_error.near(item))?;
                    items.extend(expand_star(columns, options)?);
                }
            }
            if items.len() > MAX_COLUMNS {
                return Err(BindError::at(
                    format!("a query can return at most {MAX_COLUMNS} columns"),
                    item,
                ));
            }
        }
        if items.is_empty() { Err("SELECT requires at least one column".into()) } else { Ok(items) }
    }

    fn all_columns(&mut self) -> BindResult<Vec<Column>> {
        let scope = self.scope();
        if scope.relations.is_empty() {
            return Err("SELECT * must have a FROM clause".into());
        }
        let own = scope
            .relations
            .iter()
            .flat_map(|relation| relation.columns.iter().chain(&relation.extra_columns));
        let own = own.filter(|column| !column.is_merged);
        Ok(scope.merged.iter().chain(own).cloned().collect())
    }

    fn qualified<'s>(
        &mut self,
        kind: &'s SelectItemQualifiedWildcardKind,
        options: &'s WildcardAdditionalOptions,
    ) -> BindResult<Vec<SelectEntry<'s>>> {
        if let SelectItemQualifiedWildcardKind::ObjectName(name) = kind {
            let names = idents(name)?;
            let scope = self.scope();
            if let [only] = names.as_slice()
                && let Some(relation) =
                    scope.relations.iter().find(|relation| relation.has_name(&only.value))
            {
                return Ok(relation
                    .columns
                    .iter()
                    .map(|column| SelectEntry::Column(column.clone(), options))
                    .collect());
            }
            let mark = self.scope().ungrouped.len();
            let value = self.path(&names)?;
            return fields(value, self.scope().ungrouped.split_off(mark));
        }
        match kind {
            SelectItemQualifiedWildcardKind::Expr(expr) => {
                let mark = self.scope().ungrouped.len();
                let value = self.expr(expr)?;
                fields(value, self.scope().ungrouped.split_off(mark))
            }
            SelectItemQualifiedWildcardKind::ObjectName(_) => Ok(Vec::new()),
        }
    }

    pub(super) fn item(&mut self, item: &SelectEntry) -> BindResult<BoundEntry> {
        let (name, value) = match item {
            SelectEntry::Expr(expr, name) => (name.clone(), self.expr(expr)?),
            SelectEntry::Column(column, options) => {
                let at = self.scopes.len() - 1;
                (column.name.clone(), self.take(at, column, &options.wildcard_token.0))
            }
            SelectEntry::Field(value, name, ungrouped) => {
                let scope = self.scope();
                let keys = &scope.keys;
                let ungrouped = ungrouped.iter().filter(|column| !keys.contains(&column.sql));
                scope.ungrouped.extend(ungrouped.cloned());
                (name.clone(), value.clone())
            }
        };
        Ok(BoundEntry { name, value })
    }

    /// Binds an entry. Also returns the alias by which other clauses can refer to the entry.
    pub(super) fn aliased(
        &mut self,
        item: &SelectEntry,
    ) -> BindResult<(BoundEntry, Option<Alias>)> {
        let scope = self.scope();
        let met = (scope.aggregates, scope.calls_over);
        let bound = self.item(item)?;
        let scope = self.scope();
        let alias = bound.name.clone().map(|name| Alias {
            name,
            value: bound.value.clone(),
            has_aggregate: scope.aggregates > met.0,
            has_window: scope.calls_over > met.1,
        });
        Ok((bound, alias))
    }
}

impl SelectEntry<'_> {
    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Self::Expr(_, name) | Self::Field(_, name, _) => name.as_deref(),
            Self::Column(column, _) => column.name.as_deref(),
        }
    }

    pub(super) fn has_name(&self, name: &Ident) -> bool {
        self.name().is_some_and(|known| known.eq_ignore_ascii_case(&name.value))
    }
}

fn fields<'s>(
    value: Expression,
    ungrouped: Vec<UngroupedColumn>,
) -> BindResult<Vec<SelectEntry<'s>>> {
    let Some(Type::Struct(fields)) = value.of.clone() else {
        return Err(".* requires a table or a STRUCT before it".into());
    };
    let item = |field: &crate::types::Field| {
        member(value.clone(), &field.name)
            .map(|value| SelectEntry::Field(value, Some(field.name.clone()), ungrouped.clone()))
    };
    fields.iter().map(item).collect()
}

/// Applies EXCEPT and REPLACE to the columns of `*`.
fn expand_star<'s>(
    mut items: Vec<SelectEntry<'s>>,
    options: &'s WildcardAdditionalOptions,
) -> BindResult<Vec<SelectEntry<'s>>> {
    let WildcardAdditionalOptions {
        wildcard_token: _,
        opt_ilike: None,
        opt_exclude: None,
        opt_except,
        opt_replace,
        opt_rename: None,
        opt_alias: None,
    } = options
    else {
        return Err(BindError::at("* supports only EXCEPT and REPLACE", options));
    };
    if let Some(ExceptSelectItem { first_element, additional_elements }) = opt_except {
        for name in std::iter::once(first_element).chain(additional_elements) {
            let had = items.len();
            let known: Vec<String> =
                items.iter().filter_map(|item| item.name().map(str::to_owned)).collect();
            items.retain(|item| !item.has_name(name));
            if items.len() == had {
                let hint = suggestion(&name.value, known.iter().map(String::as_str));
                return Err(BindError::at(
                    format!("Column {} in SELECT * EXCEPT list does not exist{hint}", name.value),
                    name,
                ));
            }
        }
    }
    if let Some(ReplaceSelectItem { items: replaced }) = opt_replace {
        for element in replaced {
            let ReplaceSelectElement { expr, column_name, as_keyword: _ } = element.as_ref();
            let Some(found) = items.iter_mut().find(|item| item.has_name(column_name)) else {
                return Err(BindError::at(
                    format!("Column {} in SELECT * REPLACE list does not exist", column_name.value),
                    column_name,
                ));
            };
            *found = SelectEntry::Expr(expr, found.name().map(str::to_owned));
        }
    }
    Ok(items)
}

fn alias_name(alias: &Ident) -> BindResult<String> {
    match alias.quote_style {
        None | Some('`') => Ok(alias.value.clone()),
        Some(_) => Err(BindError::at("an alias must be a name, optionally in backticks", alias)),
    }
}
