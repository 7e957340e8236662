//! Binds ORDER BY and LIMIT.

use std::borrow::Cow;
use std::fmt;

use sqlparser::ast::{
    Expr, LimitClause, Offset, OffsetRows, OrderBy, OrderByExpr, OrderByKind, OrderByOptions,
    OrderBySort,
};

use super::bind_error::{BindError, BindResult};
use super::binder::Binder;
use super::coercion::check_comparable;
use super::expression::Expression;
use super::nan;
use crate::types::Type;

impl Binder<'_> {
    /// Binds the ORDER BY clause of a window or an aggregate. Returns an empty string if there is
    /// no such clause.
    pub(super) fn inner_order(&mut self, order: &[OrderByExpr]) -> BindResult<String> {
        let mut terms = Vec::with_capacity(order.len());
        for term in order {
            let OrderByExpr { expr, options, with_fill: None } = term else {
                return Err(BindError::at("WITH FILL is not supported", term));
            };
            let bound = self.expr(expr)?;
            check_comparable(bound.of.as_ref(), "ORDER BY")
                .map_err(|message| BindError::at(message, expr))?;
            terms.push(sorted(&bound, guard_bare_integer(&bound.sql), options)?);
        }
        Ok(match terms.as_slice() {
            [] => String::new(),
            terms => format!("ORDER BY {}", terms.join(", ")),
        })
    }

    /// Binds LIMIT and OFFSET. Returns an empty string if neither is present.
    pub(super) fn limit(&mut self, clause: Option<&LimitClause>) -> BindResult<String> {
        match clause {
            None => Ok(String::new()),
            Some(LimitClause::LimitOffset { limit, offset, limit_by }) if limit_by.is_empty() => {
                let limit = limit.as_ref().map(|limit| self.count(limit)).transpose()?;
                let offset = match offset {
                    None => None,
                    Some(Offset { value, rows: OffsetRows::None }) => Some(self.count(value)?),
                    Some(Offset { value, .. }) => {
                        return Err(BindError::at(
                            "ROWS is not supported after OFFSET: remove it",
                            value,
                        ));
                    }
                };
                Ok(match (limit, offset) {
                    (None, None) => String::new(),
                    (Some(limit), None) => format!(" LIMIT {limit}"),
                    (None, Some(offset)) => format!(" LIMIT -1 OFFSET {offset}"),
                    (Some(limit), Some(offset)) => format!(" LIMIT {limit} OFFSET {offset}"),
                })
            }
            Some(LimitClause::OffsetCommaLimit { offset, .. }) => Err(BindError::at(
                "a comma is not supported in LIMIT: write LIMIT count OFFSET skipped",
                offset,
            )),
            Some(LimitClause::LimitOffset { .. }) => {
                Err("LIMIT BY is not supported: use ROW_NUMBER and QUALIFY".into())
            }
        }
    }

    /// Binds a number of rows, which must be a non-negative integer literal or parameter.
    pub(super) fn count(&mut self, expr: &Expr) -> BindResult<u64> {
        let bind_error =
            || BindError::at("must be a non-negative integer literal or parameter", expr);
        let bound = match expr {
            Expr::Value(_) | Expr::Identifier(_) | Expr::Nested(_) | Expr::UnaryOp { .. } => {
                self.expr(expr)?
            }
            _ => return Err(bind_error()),
        };
        let count = match (&bound.of, self.value_of(&bound.sql)) {
            (Some(Type::Integer), Some(rusqlite::types::Value::Integer(count))) => Some(*count),
            (Some(Type::Integer), None) => bound.sql.parse().ok(),
            _ => None,
        };
        count.and_then(|count: i64| u64::try_from(count).ok()).ok_or_else(bind_error)
    }
}

/// Returns the terms of a query's ORDER BY.
pub(super) fn terms(order: &OrderBy) -> BindResult<&[OrderByExpr]> {
    match order {
        OrderBy { kind: OrderByKind::Expressions(terms), interpolate: None } => Ok(terms),
        OrderBy { kind: OrderByKind::All(_), .. } => {
            Err(BindError::at("ORDER BY ALL is not supported: list the columns", order))
        }
        OrderBy { interpolate: Some(_), .. } => {
            Err(BindError::at("INTERPOLATE is not supported", order))
        }
    }
}

/// Returns the SQL for the direction of a term, such as ` DESC NULLS FIRST`. The defaults are the
/// same in BigQuery and SQLite, because both sort NULLs as the smallest values.
pub(super) fn direction(options: &OrderByOptions) -> BindResult<&'static str> {
    let OrderByOptions { sort, nulls_first } = options;
    Ok(match (sort, nulls_first) {
        (Some(OrderBySort::Using(_)), _) => return Err("USING is not supported in ORDER BY".into()),
        (None | Some(OrderBySort::Asc), None | Some(true)) => "",
        (None | Some(OrderBySort::Asc), Some(false)) => " NULLS LAST",
        (Some(OrderBySort::Desc), None | Some(false)) => " DESC",
        (Some(OrderBySort::Desc), Some(true)) => " DESC NULLS FIRST",
    })
}

/// Returns one or two ORDER BY terms that sort by a value. `sql` is the SQL that refers to the
/// value.
pub(super) fn sorted(
    value: &Expression,
    sql: impl fmt::Display,
    options: &OrderByOptions,
) -> BindResult<String> {
    let way = direction(options)?;
    let is_descending = matches!(options.sort, Some(OrderBySort::Desc));
    let nulls_are_greatest = options.nulls_first.is_some_and(|first| first == is_descending);
    Ok(match nan::rank(value, nulls_are_greatest) {
        Some(rank) => {
            let ranked = if is_descending { " DESC" } else { "" };
            format!("{rank}{ranked}, {sql}{way}")
        }
        None => format!("{sql}{way}"),
    })
}

/// Returns SQL for a term of ORDER BY or GROUP BY that is not a bare integer, which SQLite would
/// treat as a column number. SQLite also simplifies `x AND FALSE` to a bare integer.
pub(super) fn guard_bare_integer(sql: &str) -> Cow<'_, str> {
    let digits = sql.trim_matches(|c: char| matches!(c, '(' | ')' | '-' | '+' | ' '));
    match digits.bytes().all(|c| c.is_ascii_digit()) {
        true => "NULL".into(),
        false if sql.contains(" AND ") => format!("coalesce({sql}, NULL)").into(),
        false => sql.into(),
    }
}
