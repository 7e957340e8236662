//! Queries: WITH, set operations, and what orders and bounds their rows.

use sqlparser::ast::{
    Cte, LimitClause, OrderBy, Query, SetExpr, SetOperator, SetQuantifier, TableAlias, With,
};

use super::binder::{Binder, Named, Recursion};
use super::coercion::{coerce, common, comparable};
use super::expression::Expression;
use super::order::terms;
use super::scope::{Clause, Column, Output, Relation, Scope, output_sql};
use super::wrong::{Bound, Wrong};

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

impl Binder<'_> {
    pub(super) fn query(&mut self, query: &Query) -> Bound<Rows> {
        self.nested(|binder| binder.whole_query(query))
            .map_err(|wrong| wrong.near(query))
    }

    fn whole_query(&mut self, query: &Query) -> Bound<Rows> {
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
            return Err("pipes are not supported: write SELECT … FROM … WHERE …".into());
        }
        let is_plain = fetch.is_none()
            && locks.is_empty()
            && for_clause.is_none()
            && settings.is_none()
            && format_clause.is_none();
        if !is_plain {
            return Err(
                "FETCH, FOR, SETTINGS and FORMAT have no place in a query: LIMIT bounds its rows"
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
        Ok(Rows {
            sql: prefix + &rows.sql,
            is_plain: rows.is_plain && is_bare,
            ..rows
        })
    }

    fn body(
        &mut self,
        body: &SetExpr,
        order: Option<&OrderBy>,
        limit: Option<&LimitClause>,
    ) -> Bound<Rows> {
        let rows = match body {
            SetExpr::Select(select) => return self.select(select, order, limit),
            body => self.operand(body)?,
        };
        match (order, limit) {
            (None, None) => Ok(rows),
            _ => self.ordered(rows, order, limit),
        }
    }

    fn operand(&mut self, body: &SetExpr) -> Bound<Rows> {
        match body {
            SetExpr::Select(select) => self.select(select, None, None),
            SetExpr::Query(query) => {
                let rows = self.query(query)?;
                Ok(if rows.is_plain { rows } else { wrapped(rows) })
            }
            SetExpr::SetOperation { .. } => self.nested(|binder| binder.set_operation(body)),
            SetExpr::Values(_) => Err(
                "VALUES stands only in INSERT: SELECT … UNION ALL SELECT …, or UNNEST([…])".into(),
            ),
            SetExpr::Table(_) => Err("write SELECT * FROM the table".into()),
            SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) | SetExpr::Merge(_) => {
                Err("a statement that changes rows cannot stand in a query, nor after WITH".into())
            }
        }
    }

    /// UNION, EXCEPT and INTERSECT, from the left: a chain is as deep as it is long.
    fn set_operation(&mut self, body: &SetExpr) -> Bound<Rows> {
        let mut chain = Vec::new();
        let mut first = body;
        while let SetExpr::SetOperation {
            left,
            op,
            set_quantifier,
            right,
        } = first
        {
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
        united(parts).map_err(|wrong| wrong.near(body))
    }

    /// Rows of a set operation, in an order.
    fn ordered(
        &mut self,
        rows: Rows,
        order: Option<&OrderBy>,
        limit: Option<&LimitClause>,
    ) -> Bound<Rows> {
        let alias = self.fresh();
        let columns: Vec<Column> = rows
            .columns
            .iter()
            .enumerate()
            .map(|(at, output)| Column::of_query(output, &alias, at))
            .collect();
        self.scopes.push(Scope {
            relations: vec![Relation {
                columns,
                ..Relation::default()
            }],
            clause: Clause::OrderBy,
            ..Scope::default()
        });
        let bound = self.order_of_rows(&rows, order, limit);
        let scope = self.scopes.pop().unwrap_or_default();
        let ends = bound?;
        if scope.aggregates + scope.calls_over > 0 {
            return Err(
                "ORDER BY after a set operation takes the columns only: compute in a subquery"
                    .into(),
            );
        }
        Ok(Rows {
            sql: format!(
                "SELECT {} FROM ({}) AS {alias}{ends}",
                listed(&rows.columns, &alias),
                rows.sql
            ),
            is_plain: false,
            ..rows
        })
    }

    fn order_of_rows(
        &mut self,
        rows: &Rows,
        order: Option<&OrderBy>,
        limit: Option<&LimitClause>,
    ) -> Bound<String> {
        let items: Vec<Expression> = rows
            .columns
            .iter()
            .map(|column| Expression {
                sql: String::new(),
                of: column.of.clone(),
                literal: None,
            })
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

    fn with(&mut self, with: &With) -> Bound<String> {
        let With {
            with_token: _,
            recursive,
            cte_tables,
        } = with;
        let first = self.named.len();
        let mut written = Vec::with_capacity(cte_tables.len());
        for cte in cte_tables {
            let Cte {
                alias,
                query,
                from: None,
                materialized: None,
                closing_paren_token: _,
            } = cte
            else {
                return Err(Wrong::at(
                    "WITH takes a name, AS and a query in parentheses",
                    cte,
                ));
            };
            let TableAlias {
                explicit: _,
                name,
                columns,
                at: None,
            } = alias
            else {
                return Err(Wrong::at(
                    "WITH takes a name, AS and a query in parentheses",
                    cte,
                ));
            };
            if !columns.is_empty() {
                return Err(Wrong::at(
                    "name the columns in the query: SELECT … AS name",
                    name,
                ));
            }
            if self.named[first..]
                .iter()
                .any(|known| known.name.eq_ignore_ascii_case(&name.value))
            {
                return Err(Wrong::at(
                    format!("Duplicate alias {} for WITH subquery", name.value),
                    name,
                ));
            }
            let sql = self.fresh();
            let rows = match (recursive, query.body.as_ref()) {
                (
                    true,
                    SetExpr::SetOperation {
                        op: SetOperator::Union,
                        ..
                    },
                ) => self.recursive(&name.value, &sql, query)?,
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

    /// A query whose last part may name itself.
    fn recursive(&mut self, name: &str, sql: &str, query: &Query) -> Bound<Rows> {
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
        let SetExpr::SetOperation {
            left,
            op,
            set_quantifier,
            right,
        } = body.as_ref()
        else {
            return self.query(query);
        };
        if !locks.is_empty() || !pipe_operators.is_empty() {
            return self.query(query);
        }
        let operator = operator(*op, *set_quantifier)?;
        self.nested(|binder| {
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
                return united(vec![("", base), (operator, step)]);
            }
            let is_same = base.columns.len() == step.columns.len()
                && base.columns.iter().zip(&step.columns).all(|(a, b)| b.of.is_none() || a.of == b.of);
            if !is_same || !step.is_plain || step.is_computed {
                return Err(format!("the part of {name} that names itself has to be a plain SELECT of the same types as the part before it").into());
            }
            united(vec![("", base), (operator, step)])
        })
    }
}

fn operator(op: SetOperator, quantifier: SetQuantifier) -> Bound<&'static str> {
    Ok(match (op, quantifier) {
        (SetOperator::Union, SetQuantifier::All) => "UNION ALL",
        (SetOperator::Union, SetQuantifier::Distinct) => "UNION",
        (SetOperator::Except, SetQuantifier::Distinct) => "EXCEPT",
        (SetOperator::Intersect, SetQuantifier::Distinct) => "INTERSECT",
        (SetOperator::Union, SetQuantifier::None) => {
            return Err("UNION needs ALL or DISTINCT after it".into());
        }
        (
            SetOperator::Except | SetOperator::Intersect,
            SetQuantifier::None | SetQuantifier::All,
        ) => {
            return Err(format!("{op} needs DISTINCT after it").into());
        }
        (SetOperator::Minus, _) => return Err("MINUS is called EXCEPT DISTINCT here".into()),
        (_, quantifier) => {
            return Err(format!(
                "{quantifier} is not supported: name the columns in the same order"
            )
            .into());
        }
    })
}

/// The columns of a query with this alias, under their names.
pub(super) fn listed(columns: &[Output], alias: &str) -> String {
    let columns: Vec<String> = (0..columns.len())
        .map(output_sql)
        .map(|column| format!("{alias}.{column} AS {column}"))
        .collect();
    columns.join(", ")
}

fn wrapped(rows: Rows) -> Rows {
    Rows {
        sql: format!("SELECT * FROM ({})", rows.sql),
        is_plain: true,
        ..rows
    }
}

/// Several queries as one, their columns of types that are common to them.
fn united(parts: Vec<(&str, Rows)>) -> Bound<Rows> {
    let Some(((_, first), others)) = parts.split_first() else {
        return Err("a set operation has two sides".into());
    };
    if let Some((_, other)) = others
        .iter()
        .find(|(_, other)| other.columns.len() != first.columns.len())
    {
        return Err(format!("Queries in a set operation have mismatched column count; query 1 has {} and another {}", first.columns.len(), other.columns.len()).into());
    }
    let is_all = others.iter().all(|(operator, _)| *operator == "UNION ALL");
    let mut columns = first.columns.clone();
    for (at, column) in columns.iter_mut().enumerate() {
        let values: Vec<Expression> = parts
            .iter()
            .map(|(_, rows)| value(&rows.columns[at], at))
            .collect();
        column.of = common(&values)
            .map_err(|message| format!("column {} of a set operation: {message}", at + 1))?;
        column.literal = None;
        if !is_all {
            comparable(column.of.as_ref(), "a set operation with DISTINCT")?;
        }
    }
    let is_computed = parts.iter().any(|(_, rows)| rows.is_computed);
    let mut sql = String::new();
    for (operator, rows) in parts {
        if !operator.is_empty() {
            sql.extend([" ", operator, " "]);
        }
        sql.push_str(&converted(rows, &columns)?);
        super::binder::check_length(sql.len())?;
    }
    Ok(Rows {
        sql,
        columns,
        is_plain: is_all,
        is_computed,
    })
}

fn value(column: &Output, at: usize) -> Expression {
    Expression {
        sql: output_sql(at),
        of: column.of.clone(),
        literal: column.literal.clone(),
    }
}

/// The SQL of rows whose columns are of these types.
pub(super) fn converted(rows: Rows, columns: &[Output]) -> Bound<String> {
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
