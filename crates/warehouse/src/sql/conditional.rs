//! Binds conditional expressions: CASE, IF, COALESCE, IFNULL, NULLIF.

use sqlparser::ast::{CaseWhen, Expr};

use super::bind_error::{BindError, BindResult};
use super::binder::Binder;
use super::coercion;
use super::expression::Expression;
use super::nan;
use crate::types::Type;

impl Binder<'_> {
    pub(super) fn case(
        &mut self,
        operand: Option<&Expr>,
        branches: &[CaseWhen],
        otherwise: Option<&Expr>,
    ) -> BindResult<Expression> {
        let mut conditions = Vec::with_capacity(branches.len() + 1);
        let mut results = Vec::with_capacity(branches.len() + 1);
        if let Some(operand) = operand {
            conditions.push(self.expr(operand)?);
        }
        for CaseWhen { condition, result } in branches {
            conditions.push(match operand {
                Some(_) => self.expr(condition)?,
                None => self.typed(condition, &Type::Boolean)?,
            });
            results.push(self.expr(result)?);
        }
        if let Some(otherwise) = otherwise {
            results.push(self.expr(otherwise)?);
        }
        let near = |message: String| match branches.first() {
            Some(branch) => BindError::at(message, &branch.result),
            None => message.into(),
        };
        let (conditions, compared) = coercion::unify(conditions).map_err(near)?;
        coercion::check_comparable(compared.as_ref(), "CASE")?;
        let (results, of) = coercion::unify(results).map_err(near)?;
        let mut conditions = conditions;
        if let (Some(_), Some((first, others))) = (operand, conditions.split_first_mut()) {
            first.sql = nan::for_equality(first, &others.iter().collect::<Vec<_>>());
        }
        Ok(Expression {
            sql: case_sql(operand.is_some(), &conditions, &results),
            of,
            literal: None,
        })
    }

    /// Binds a conditional function such as IF. Returns `None` for any other function.
    pub(super) fn conditional(
        &mut self,
        name: &str,
        arguments: &[&Expr],
    ) -> Option<BindResult<Expression>> {
        Some(match (name, arguments) {
            ("IF", [test, then, otherwise]) => self.if_else(test, then, otherwise),
            ("COALESCE", [_, ..]) | ("IFNULL", [_, _]) => self.coalesce(arguments),
            ("NULLIF", [value, other]) => self.null_if(value, other),
            ("IF", _) => Err("IF requires a condition and two values".into()),
            ("COALESCE", _) => Err("COALESCE requires at least one value".into()),
            ("IFNULL" | "NULLIF", _) => Err(format!("{name} requires two values").into()),
            _ => return None,
        })
    }

    fn if_else(&mut self, test: &Expr, then: &Expr, otherwise: &Expr) -> BindResult<Expression> {
        let test = self.typed(test, &Type::Boolean)?;
        let values = vec![self.expr(then)?, self.expr(otherwise)?];
        let (values, of) =
            coercion::unify(values).map_err(|message| BindError::at(message, then))?;
        Ok(Expression { sql: case_sql(false, &[test], &values), of, literal: None })
    }

    fn coalesce(&mut self, values: &[&Expr]) -> BindResult<Expression> {
        let bound = values.iter().map(|value| self.expr(value)).collect::<BindResult<Vec<_>>>()?;
        let (mut bound, of) = coercion::unify(bound)?;
        if bound.len() > 900 {
            return Err("COALESCE supports at most 900 values".into());
        }
        if bound.len() == 1 {
            return Ok(bound.remove(0));
        }
        let sql: Vec<String> = bound.into_iter().map(|value| value.sql).collect();
        Ok(Expression { sql: format!("COALESCE({})", sql.join(", ")), of, literal: None })
    }

    fn null_if(&mut self, value: &Expr, other: &Expr) -> BindResult<Expression> {
        let values = vec![self.expr(value)?, self.expr(other)?];
        let (values, of) =
            coercion::unify(values).map_err(|message| BindError::at(message, value))?;
        coercion::check_comparable(of.as_ref(), "NULLIF")?;
        let [value, other] = values.as_slice() else {
            return Err("NULLIF requires two values".into());
        };
        let tested = nan::for_equality(value, &[other]);
        Ok(Expression {
            sql: if tested == value.sql {
                format!("NULLIF({tested}, {})", other.sql)
            } else {
                format!("(CASE WHEN {tested} = {} THEN NULL ELSE {} END)", other.sql, value.sql)
            },
            of,
            literal: None,
        })
    }
}

/// Returns the SQL of a CASE expression. If `has_operand` is true, the first condition is the
/// operand. A result without a condition is the value of ELSE.
fn case_sql(has_operand: bool, conditions: &[Expression], results: &[Expression]) -> String {
    let mut sql = String::from("CASE");
    let (operand, conditions) = conditions.split_at(usize::from(has_operand));
    for operand in operand {
        sql.extend([" ", &operand.sql]);
    }
    for (condition, result) in conditions.iter().zip(results) {
        sql.extend([" WHEN ", &condition.sql, " THEN ", &result.sql]);
    }
    for otherwise in &results[conditions.len().min(results.len())..] {
        sql.extend([" ELSE ", &otherwise.sql]);
    }
    format!("({sql} END)")
}
