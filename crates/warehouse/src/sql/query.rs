//! Binds queries: WITH, set operations, ORDER BY and LIMIT.

use sqlparser::ast::{Cte, LimitClause, OrderBy, Query, SetExpr, SetOperator, TableAlias, With};

use super::bind_error::{BindError, BindResult};
use super::binder::{Binder, Named, Recursion};
use super::scope::{Output, Rows, output_sql};
use super::set_operations::{combine_queries, operator};

impl Binder<'_> {
    pub(super) fn query(&mut self, query: &Query) -> BindResult<Rows> {
        self.with_nested_query(|binder| binder.whole_query(query))
            .map_err(|bind_error| bind_error.near(query))
    }

    fn whole_query(&mut self, query: &Query) -> BindResult<Rows> {
        let Query {
            with,
            body,
            order_by,
            limit_clause,
            fetch,
            locks,
            for_clause,
            settings,
            format_clause,
            pipe_operators,
        } = query;
        if !pipe_operators.is_empty() {
            return Err("pipe syntax is not supported: write SELECT … FROM … WHERE …".into());
        }
        let is_plain = fetch.is_none()
            && locks.is_empty()
            && for_clause.is_none()
            && settings.is_none()
            && format_clause.is_none();
        if !is_plain {
            return Err(
                "FETCH, FOR, SETTINGS and FORMAT are not supported in a query: use LIMIT to limit its rows"
                    .into(),
            );
        }
        let known = self.named.len();
        let prefix = match with {
            Some(with) => self.with(with)?,
            None => String::new(),
        };
        let rows = self.body(body, order_by.as_ref(), limit_clause.as_ref());
        self.named.truncate(known);
        let rows = rows?;
        let is_bare = prefix.is_empty() && order_by.is_none() && limit_clause.is_none();
        super::binder::check_length(rows.sql.len() + prefix.len())?;
        Ok(Rows { sql: prefix + &rows.sql, is_plain: rows.is_plain && is_bare, ..rows })
    }

    fn body(
        &mut self,
        body: &SetExpr,
        order: Option<&OrderBy>,
        limit: Option<&LimitClause>,
    ) -> BindResult<Rows> {
        let rows = match body {
            SetExpr::Select(select) => return self.select(select, order, limit),
            body => self.operand(body)?,
        };
        match (order, limit) {
            (None, None) => Ok(rows),
            _ => self.ordered(rows, order, limit),
        }
    }

    pub(super) fn operand(&mut self, body: &SetExpr) -> BindResult<Rows> {
        match body {
            SetExpr::Select(select) => self.select(select, None, None),
            SetExpr::Query(query) => {
                let rows = self.query(query)?;
                Ok(if rows.is_plain { rows } else { wrap(rows) })
            }
            SetExpr::SetOperation { .. } => self.with_nested_query(|binder| binder.set_operation(body)),
            SetExpr::Values(_) => {
                Err("VALUES is only allowed in INSERT: write SELECT … UNION ALL SELECT …, or UNNEST([…])"
                    .into())
            }
            SetExpr::Table(_) => Err("TABLE is not supported as a query: write SELECT * FROM the table".into()),
            SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) | SetExpr::Merge(_) => {
                Err("a statement that changes rows is not allowed in a query or after WITH".into())
            }
        }
    }

    fn with(&mut self, with: &With) -> BindResult<String> {
        let With { with_token: _, recursive, cte_tables } = with;
        let first = self.named.len();
        let mut written = Vec::with_capacity(cte_tables.len());
        for cte in cte_tables {
            let Cte { alias, query, from: None, materialized: None, closing_paren_token: _ } = cte
            else {
                return Err(BindError::at("unsupported WITH: write WITH name AS (SELECT …)", cte));
            };
            let TableAlias { explicit: _, name, columns, at: None } = alias else {
                return Err(BindError::at("unsupported WITH: write WITH name AS (SELECT …)", cte));
            };
            if !columns.is_empty() {
                return Err(BindError::at(
                    "column names must be in the query: write SELECT … AS name",
                    name,
                ));
            }
            if self.named[first..].iter().any(|known| known.name.eq_ignore_ascii_case(&name.value))
            {
                return Err(BindError::at(
                    format!("Duplicate alias {} for WITH subquery", name.value),
                    name,
                ));
            }
            let sql = self.new_alias();
            let rows = match (recursive, query.body.as_ref()) {
                (true, SetExpr::SetOperation { op: SetOperator::Union, .. }) => {
                    self.recursive(&name.value, &sql, query)?
                }
                _ => self.query(query)?,
            };
            let columns: Vec<String> = (0..rows.columns.len()).map(output_sql).collect();
            written.push(format!("{sql}({}) AS ({})", columns.join(", "), rows.sql));
            self.named.push(Named {
                name: name.value.clone(),
                sql,
                columns: rows.columns,
                recursion: None,
            });
        }
        let recursive = if *recursive { "RECURSIVE " } else { "" };
        Ok(format!("WITH {recursive}{} ", written.join(", ")))
    }

    /// Binds a recursive query. The right operand of its set operation can refer to the query
    /// itself.
    fn recursive(&mut self, name: &str, sql: &str, query: &Query) -> BindResult<Rows> {
        let Query {
            with: None,
            body,
            order_by: None,
            limit_clause: None,
            fetch: None,
            locks,
            for_clause: None,
            settings: None,
            format_clause: None,
            pipe_operators,
        } = query
        else {
            return self.query(query);
        };
        let SetExpr::SetOperation { left, op, set_quantifier, right } = body.as_ref() else {
            return self.query(query);
        };
        if !locks.is_empty() || !pipe_operators.is_empty() {
            return self.query(query);
        }
        let operator = operator(*op, *set_quantifier)?;
        self.with_nested_query(|binder| {
            let base = binder.operand(left)?;
            binder.named.push(Named {
                name: name.to_owned(),
                sql: sql.to_owned(),
                columns: base.columns.iter().cloned().map(|column| Output { literal: None, ..column }).collect(),
                recursion: Some(Recursion { level: binder.level, uses: 0 }),
            });
            let step = binder.operand(right);
            let itself = binder.named.pop();
            let step = step?;
            let uses = itself.and_then(|itself| itself.recursion).map_or(0, |recursion| recursion.uses);
            if uses == 0 {
                return combine_queries(vec![("", base), (operator, step)]);
            }
            let is_same = base.columns.len() == step.columns.len()
                && base.columns.iter().zip(&step.columns).all(|(a, b)| b.of.is_none() || a.of == b.of);
            if !is_same || !step.is_plain || step.is_computed {
                return Err(format!("the recursive part of {name} must be a plain SELECT with the same column types as the part before it").into());
            }
            combine_queries(vec![("", base), (operator, step)])
        })
    }
}

fn wrap(rows: Rows) -> Rows {
    Rows { sql: format!("SELECT * FROM ({})", rows.sql), is_plain: true, ..rows }
}
