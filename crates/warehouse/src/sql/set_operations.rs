//! Binds UNION, EXCEPT and INTERSECT, with their ORDER BY and LIMIT.

use sqlparser::ast::{LimitClause, OrderBy, SetExpr, SetOperator, SetQuantifier};

use super::bind_error::BindResult;
use super::binder::Binder;
use super::coercion::{check_comparable, coerce, common};
use super::expression::Expression;
use super::order::terms;
use super::scope::{Clause, Column, Output, Relation, Rows, Scope, column_list, output_sql};

impl Binder<'_> {
    /// Binds UNION, EXCEPT and INTERSECT from left to right. Does not use recursion, because the
    /// depth of the tree is the number of set operators.
    pub(super) fn set_operation(&mut self, body: &SetExpr) -> BindResult<Rows> {
        let mut chain = Vec::new();
        let mut first = body;
        while let SetExpr::SetOperation { left, op, set_quantifier, right } = first {
            chain.push((operator(*op, *set_quantifier)?, right.as_ref()));
            first = left;
        }
        chain.reverse();
        if chain.iter().any(|(operator, _)| *operator != chain[0].0) {
            return Err("Different set operations cannot be used in the same query without parentheses for grouping".into());
        }
        let mut parts = vec![("", self.operand(first)?)];
        for (operator, right) in chain {
            parts.push((operator, self.operand(right)?));
        }
        combine_queries(parts).map_err(|bind_error| bind_error.near(body))
    }

    /// Adds ORDER BY and LIMIT to the rows of a set operation.
    pub(super) fn ordered(
        &mut self,
        rows: Rows,
        order: Option<&OrderBy>,
        limit: Option<&LimitClause>,
    ) -> BindResult<Rows> {
        let alias = self.new_alias();
        let columns: Vec<Column> = rows
            .columns
            .iter()
            .enumerate()
            .map(|(at, output)| Column::of_query(output, &alias, at))
            .collect();
        self.scopes.push(Scope {
            relations: vec![Relation { columns, ..Relation::default() }],
            clause: Clause::OrderBy,
            ..Scope::default()
        });
        let bound = self.order_of_rows(order, limit);
        let scope = self.scopes.pop().unwrap_or_default();
        let ends = bound?;
        if scope.aggregates + scope.calls_over > 0 {
            return Err(
                "ORDER BY after a set operation supports only columns: compute other values in a subquery"
                    .into(),
            );
        }
        Ok(Rows {
            sql: format!(
                "SELECT {} FROM ({}) AS {alias}{ends}",
                column_list(&rows.columns, &alias),
                rows.sql
            ),
            is_plain: false,
            ..rows
        })
    }

    fn order_of_rows(
        &mut self,
        order: Option<&OrderBy>,
        limit: Option<&LimitClause>,
    ) -> BindResult<String> {
        let relations = self.scope().relations.iter();
        let items: Vec<Expression> = relations
            .flat_map(|relation| &relation.columns)
            .map(|column| column.value.clone())
            .collect();
        let mut sql = Vec::new();
        for term in order.map(terms).transpose()?.into_iter().flatten() {
            sql.push(self.order_term(term, &items, false)?);
        }
        let limit = self.limit(limit)?;
        Ok(match sql.as_slice() {
            [] => limit,
            terms => format!(" ORDER BY {}{limit}", terms.join(", ")),
        })
    }
}

pub(super) fn operator(op: SetOperator, quantifier: SetQuantifier) -> BindResult<&'static str> {
    Ok(match (op, quantifier) {
        (SetOperator::Union, SetQuantifier::All) => "UNION ALL",
        (SetOperator::Union, SetQuantifier::Distinct) => "UNION",
        (SetOperator::Except, SetQuantifier::Distinct) => "EXCEPT",
        (SetOperator::Intersect, SetQuantifier::Distinct) => "INTERSECT",
        (SetOperator::Union, SetQuantifier::None) => {
            return Err("UNION requires ALL or DISTINCT after it".into());
        }
        (
            SetOperator::Except | SetOperator::Intersect,
            SetQuantifier::None | SetQuantifier::All,
        ) => {
            return Err(format!("{op} requires DISTINCT after it").into());
        }
        (SetOperator::Minus, _) => {
            return Err("MINUS is not supported: write EXCEPT DISTINCT".into());
        }
        (_, quantifier) => {
            return Err(format!(
                "{quantifier} is not supported: list the columns in the same order"
            )
            .into());
        }
    })
}

/// Combines several queries. Each column is converted to the common type of this column in all
/// queries.
pub(super) fn combine_queries(parts: Vec<(&str, Rows)>) -> BindResult<Rows> {
    let Some(((_, first), others)) = parts.split_first() else {
        return Err("a set operation requires two queries".into());
    };
    if let Some((_, other)) =
        others.iter().find(|(_, other)| other.columns.len() != first.columns.len())
    {
        return Err(format!("Queries in a set operation have mismatched column count; query 1 has {} and another {}", first.columns.len(), other.columns.len()).into());
    }
    let is_all = others.iter().all(|(operator, _)| *operator == "UNION ALL");
    let mut columns = first.columns.clone();
    for (at, column) in columns.iter_mut().enumerate() {
        let values: Vec<Expression> =
            parts.iter().map(|(_, rows)| value(&rows.columns[at], at)).collect();
        column.of = common(&values)
            .map_err(|message| format!("column {} of a set operation: {message}", at + 1))?;
        column.literal = None;
        if !is_all {
            check_comparable(column.of.as_ref(), "a set operation with DISTINCT")?;
        }
    }
    let is_computed = parts.iter().any(|(_, rows)| rows.is_computed);
    let mut sql = String::new();
    for (operator, rows) in parts {
        if !operator.is_empty() {
            sql.extend([" ", operator, " "]);
        }
        sql.push_str(&converted_sql(rows, &columns)?);
        super::binder::check_length(sql.len())?;
    }
    Ok(Rows { sql, columns, is_plain: is_all, is_computed })
}

fn value(column: &Output, at: usize) -> Expression {
    Expression { sql: output_sql(at), of: column.of.clone(), literal: column.literal.clone() }
}

/// Returns SQL that converts the columns of a query to the types of these columns.
fn converted_sql(rows: Rows, columns: &[Output]) -> BindResult<String> {
    let mut is_same = true;
    let mut values = Vec::with_capacity(columns.len());
    for (at, (from, to)) in rows.columns.iter().zip(columns).enumerate() {
        let value = value(from, at);
        let same = value.sql.clone();
        let value = match &to.of {
            Some(of) => coerce(value, of)?,
            None => value,
        };
        is_same &= value.sql == same;
        values.push(format!("{} AS {same}", value.sql));
    }
    Ok(if is_same && rows.is_plain {
        rows.sql
    } else {
        format!("SELECT {} FROM ({})", values.join(", "), rows.sql)
    })
}
