//! Binds GROUP BY.

use sqlparser::ast::{Expr, GroupByExpr, Ident, Value, ValueWithSpan};

use super::bind_error::{BindError, BindResult};
use super::binder::Binder;
use super::coercion::check_comparable;
use super::expression::Expression;
use super::scope::Clause;
use super::select_list::SelectEntry;

impl Binder<'_> {
    /// Binds the GROUP BY keys, and returns their SQL.
    pub(super) fn keys(
        &mut self,
        group_by: &GroupByExpr,
        items: &[SelectEntry],
    ) -> BindResult<Vec<String>> {
        let exprs = match group_by {
            GroupByExpr::All(modifiers) if modifiers.is_empty() => return self.all_keys(items),
            GroupByExpr::Expressions(exprs, modifiers) if modifiers.is_empty() => exprs,
            other => {
                return Err(BindError::at(
                    "WITH ROLLUP, CUBE and TOTALS are not supported: combine the groupings with UNION ALL",
                    other,
                ));
            }
        };
        let mut keys = Vec::with_capacity(exprs.len());
        for expr in exprs {
            let key = self.key(expr, items).map_err(|bind_error| bind_error.near(expr))?;
            check_comparable(key.of.as_ref(), "GROUP BY")
                .map_err(|message| BindError::at(message, expr))?;
            keys.push(key.sql);
        }
        Ok(keys)
    }

    fn key(&mut self, expr: &Expr, items: &[SelectEntry]) -> BindResult<Expression> {
        let found = match expr {
            Expr::Value(ValueWithSpan { value: Value::Number(digits, _), span: _ }) => {
                let place = digits.parse::<usize>().ok().and_then(|place| place.checked_sub(1));
                let found = place.and_then(|place| items.get(place));
                Some(found.ok_or_else(|| {
                    format!("GROUP BY {digits}: the SELECT list has {} columns", items.len())
                })?)
            }
            Expr::Value(_) => return Err("Cannot GROUP BY literal values".into()),
            Expr::Rollup(_) | Expr::Cube(_) | Expr::GroupingSets(_) => {
                return Err(
                    "ROLLUP, CUBE and GROUPING SETS are not supported: combine the groupings with UNION ALL"
                        .into(),
                );
            }
            Expr::Identifier(name) if !self.is_column(name) => {
                items.iter().find(|item| item.has_name(name))
            }
            _ => None,
        };
        match found {
            Some(item) => Ok(self.item(item)?.value),
            None => self.expr(expr),
        }
    }

    fn is_column(&mut self, name: &Ident) -> bool {
        let scope = self.scope();
        let own = scope
            .relations
            .iter()
            .flat_map(|relation| relation.columns.iter().chain(&relation.extra_columns));
        own.chain(&scope.merged).any(|column| column.has_name(&name.value))
    }

    /// Binds `GROUP BY ALL`. The keys are all SELECT entries that use columns and no aggregates or
    /// window functions.
    fn all_keys(&mut self, items: &[SelectEntry]) -> BindResult<Vec<String>> {
        let met = (self.scope().aggregates, self.scope().calls_over);
        self.scope().clause = Clause::Select;
        let mut keys = Vec::new();
        for item in items {
            self.scope().ungrouped.clear();
            let before = (self.scope().aggregates, self.scope().calls_over);
            let value = self.item(item)?.value;
            let scope = self.scope();
            let is_computed = (scope.aggregates, scope.calls_over) != before;
            if !scope.ungrouped.is_empty() && !is_computed {
                check_comparable(value.of.as_ref(), "GROUP BY")?;
                keys.push(value.sql);
            }
        }
        (self.scope().aggregates, self.scope().calls_over) = met;
        Ok(keys)
    }
}
