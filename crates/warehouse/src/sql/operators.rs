//! Binds operators, comparisons, and subqueries in expressions.

use sqlparser::ast::{BinaryOperator, Expr, Query, UnaryOperator, Value, ValueWithSpan};

use super::arrays;
use super::bind_error::{BindError, BindResult, type_name};
use super::binder::Binder;
use super::coercion::{self, check_comparable, coerce};
use super::expression::{Argument, Expression, Part};
use super::expression_kinds::{scalar, shift};
use super::literals;
use super::nan;
use super::scope::{Output, output_sql};
use crate::types::Type;

/// Creates an expression of type BOOL.
pub(super) fn condition(sql: String) -> Expression {
    Expression::new(sql, Type::Boolean)
}

fn not(negated: bool) -> &'static str {
    if negated { "NOT " } else { "" }
}

impl Binder<'_> {
    /// Binds binary operators from left to right. Does not use recursion, because the depth of the
    /// tree of `a + b + c + …` is the number of operators.
    pub(super) fn operators(&mut self, expr: &Expr) -> BindResult<Expression> {
        let mut chain = Vec::new();
        let mut first = expr;
        while let Expr::BinaryOp { left, op, right } = first {
            chain.push((op, right.as_ref()));
            first = left;
        }
        let mark = self.scope().ungrouped.len();
        let mut value = self.expr(first)?;
        while let Some((op, right)) = chain.pop() {
            value = match right {
                Expr::Interval(interval) => self.shifted(value, op, interval),
                right => self.expr(right).and_then(|right| binary(op, value, right)),
            }
            .map_err(|bind_error| bind_error.near(first))?;
            super::binder::check_length(value.sql.len())?;
            self.discard_grouped_columns(mark, &value.sql);
        }
        Ok(value)
    }

    pub(super) fn unary(&mut self, op: UnaryOperator, operand: &Expr) -> BindResult<Expression> {
        if let (
            UnaryOperator::Minus,
            Expr::Value(ValueWithSpan { value: Value::Number(digits, false), span: _ }),
        ) = (op, operand)
        {
            return literals::number(digits, true);
        }
        let value = self.expr(operand)?;
        let (sign, of) = match (op, &value.of) {
            (UnaryOperator::Not, None | Some(Type::Boolean)) => ("NOT ", Type::Boolean),
            (UnaryOperator::Minus, None | Some(Type::Integer)) => ("-", Type::Integer),
            (UnaryOperator::Minus, Some(Type::Float)) => {
                return Ok(Expression::new(nan::negated(&value), Type::Float));
            }
            (UnaryOperator::Plus, Some(Type::Integer | Type::Float)) => return Ok(value),
            (UnaryOperator::BitwiseNot, Some(Type::Integer)) => ("~", Type::Integer),
            (op, of) => {
                return Err(format!(
                    "No matching signature for operator {op} for argument type {}",
                    type_name(of.as_ref())
                )
                .into());
            }
        };
        Ok(Expression::new(format!("({sign}{})", value.sql), of))
    }

    pub(super) fn is(&mut self, expr: &Expr) -> BindResult<Expression> {
        let (operand, test) = match expr {
            Expr::IsNull(operand) => (operand, "IS NULL"),
            Expr::IsNotNull(operand) => (operand, "IS NOT NULL"),
            Expr::IsUnknown(operand) => (operand, "IS NULL"),
            Expr::IsNotUnknown(operand) => (operand, "IS NOT NULL"),
            Expr::IsTrue(operand) => (operand, "IS 1"),
            Expr::IsNotTrue(operand) => (operand, "IS NOT 1"),
            Expr::IsFalse(operand) => (operand, "IS 0"),
            Expr::IsNotFalse(operand) => (operand, "IS NOT 0"),
            _ => return Err("unsupported IS condition".into()),
        };
        let value = match test {
            "IS NULL" | "IS NOT NULL" => self.expr(operand)?,
            _ => self.typed(operand, &Type::Boolean)?,
        };
        Ok(condition(format!("({} {test})", value.sql)))
    }

    pub(super) fn distinct_from(
        &mut self,
        a: &Expr,
        b: &Expr,
        test: &str,
    ) -> BindResult<Expression> {
        let (a, b) = unify_operands("IS DISTINCT FROM", self.expr(a)?, self.expr(b)?)?;
        Ok(condition(format!("({} {test} {})", a.sql, b.sql)))
    }

    pub(super) fn between(
        &mut self,
        value: &Expr,
        negated: bool,
        low: &Expr,
        high: &Expr,
    ) -> BindResult<Expression> {
        let values = vec![self.expr(value)?, self.expr(low)?, self.expr(high)?];
        let (values, of) =
            coercion::unify(values).map_err(|message| BindError::at(message, value))?;
        check_comparable(of.as_ref(), "BETWEEN")?;
        let [value, low, high] = values.as_slice() else {
            return Err("BETWEEN requires three operands".into());
        };
        let sql = nan::between(value, low, high);
        Ok(condition(format!("({}{sql})", not(negated))))
    }

    pub(super) fn in_list(
        &mut self,
        value: &Expr,
        list: &[Expr],
        negated: bool,
    ) -> BindResult<Expression> {
        if list.is_empty() {
            return Err("IN requires at least one value".into());
        }
        let mut values = vec![self.expr(value)?];
        for item in list {
            values.push(self.expr(item)?);
        }
        let (values, of) =
            coercion::unify(values).map_err(|message| BindError::at(message, value))?;
        check_comparable(of.as_ref(), "IN")?;
        let Some((first, rest)) = values.split_first() else {
            return Err("IN requires at least one value".into());
        };
        let first = nan::for_equality(first, &rest.iter().collect::<Vec<_>>());
        let rest: Vec<&str> = rest.iter().map(|value| value.sql.as_str()).collect();
        Ok(condition(format!("({first} {}IN ({}))", not(negated), rest.join(", "))))
    }

    pub(super) fn in_query(
        &mut self,
        value: &Expr,
        query: &Query,
        negated: bool,
    ) -> BindResult<Expression> {
        let value = self.expr(value)?;
        let rows = self.query(query)?;
        let column = single(&rows.columns, "IN")?;
        let alias = self.new_alias();
        let (value, column) = unify_operands("IN", value, of_column(column, &alias))?;
        Ok(condition(format!(
            "({} {}IN (SELECT {} FROM ({}) AS {alias}))",
            nan::for_equality(&value, &[&column]),
            not(negated),
            column.sql,
            rows.sql
        )))
    }

    pub(super) fn in_array(
        &mut self,
        value: &Expr,
        array: &Expr,
        negated: bool,
    ) -> BindResult<Expression> {
        let value = self.expr(value)?;
        let array = self.expr(array)?;
        let Some(Type::Array(of)) = &array.of else {
            return Err(
                format!("UNNEST requires an array, not {}", type_name(array.of.as_ref())).into()
            );
        };
        let alias = self.new_alias();
        let (value, element) = unify_operands("IN UNNEST", value, arrays::element(&alias, of)?)?;
        Ok(condition(format!(
            "({} {}IN (SELECT {} FROM json_each({}) AS {alias}))",
            nan::for_equality(&value, &[&element]),
            not(negated),
            element.sql,
            array.sql
        )))
    }

    pub(super) fn like(
        &mut self,
        text: &Expr,
        pattern: &Expr,
        negated: bool,
        any: bool,
    ) -> BindResult<Expression> {
        let patterns = match (any, pattern) {
            (true, Expr::Tuple(patterns)) => patterns.as_slice(),
            (true, Expr::Nested(pattern)) => std::slice::from_ref(pattern.as_ref()),
            (true, _) => return Err("LIKE ANY requires patterns in parentheses".into()),
            (false, pattern) => std::slice::from_ref(pattern),
        };
        let value = self.expr(text)?;
        let of = match &value.of {
            Some(Type::Bytes) => {
                return Err("LIKE is not supported for BYTES: use CONTAINS_SUBSTR or TO_HEX".into());
            }
            _ => Type::String,
        };
        let value = coerce(value, &of).map_err(|message| BindError::at(message, text))?;
        if patterns.len() > 1 && value.sql.len() > 10_000 {
            return Err("the left side of LIKE ANY is too long: compute it in a subquery".into());
        }
        let mut tests = Vec::with_capacity(patterns.len());
        for pattern in patterns {
            tests.push(format!("fw_like({}, {})", value.sql, self.typed(pattern, &of)?.sql));
        }
        let tests = tests.join(" OR ");
        Ok(condition(format!("({}({tests}))", not(negated))))
    }

    pub(super) fn exists(&mut self, query: &Query, negated: bool) -> BindResult<Expression> {
        let rows = self.query(query)?;
        Ok(condition(format!("({}EXISTS ({}))", not(negated), rows.sql)))
    }

    /// Binds a query that is used as a single value. More than one row is an error.
    pub(super) fn scalar_query(&mut self, query: &Query) -> BindResult<Expression> {
        let rows = self.query(query)?;
        let column = single(&rows.columns, "a scalar subquery")?;
        Ok(Expression {
            sql: format!(
                "(SELECT fw_only(COUNT(*), MIN({0})) FROM (SELECT {0} FROM ({1}) LIMIT 2))",
                output_sql(0),
                rows.sql
            ),
            of: column.of.clone(),
            literal: None,
        })
    }
}

fn single<'o>(columns: &'o [Output], what: &str) -> BindResult<&'o Output> {
    match columns {
        [column] => Ok(column),
        columns => {
            Err(format!("{what} requires a query with one column, not {}", columns.len()).into())
        }
    }
}

fn of_column(column: &Output, alias: &str) -> Expression {
    Expression { sql: format!("{alias}.{}", output_sql(0)), of: column.of.clone(), literal: None }
}

fn unify_operands(
    operator: &str,
    a: Expression,
    b: Expression,
) -> BindResult<(Expression, Expression)> {
    let of = coercion::common([&a, &b]).map_err(|_| mismatch(operator, &a, &b))?;
    let Some(of) = of else {
        return Ok((a, b));
    };
    check_comparable(Some(&of), operator)?;
    Ok((coerce(a, &of)?, coerce(b, &of)?))
}

fn mismatch(operator: &str, a: &Expression, b: &Expression) -> BindError {
    format!(
        "No matching signature for operator {operator} for argument types: {}, {}",
        type_name(a.of.as_ref()),
        type_name(b.of.as_ref())
    )
    .into()
}

/// Binds a binary operator.
fn binary(op: &BinaryOperator, a: Expression, b: Expression) -> BindResult<Expression> {
    use BinaryOperator as Op;
    match op {
        Op::Eq | Op::NotEq | Op::Lt | Op::LtEq | Op::Gt | Op::GtEq => {
            let (a, b) = unify_operands(&op.to_string(), a, b)?;
            Ok(condition(nan::comparison(op, &a, &b)))
        }
        Op::And | Op::Or => match (&a.of, &b.of) {
            (None | Some(Type::Boolean), None | Some(Type::Boolean)) => {
                Ok(condition(format!("({} {op} {})", a.sql, b.sql)))
            }
            _ => Err(mismatch(&op.to_string(), &a, &b)),
        },
        Op::Plus | Op::Minus | Op::Multiply | Op::Divide => arithmetic(op, a, b),
        Op::StringConcat => concatenation(a, b),
        Op::BitwiseAnd
        | Op::BitwiseOr
        | Op::BitwiseXor
        | Op::PGBitwiseShiftLeft
        | Op::PGBitwiseShiftRight => bits(op, a, b),
        Op::Modulo => Err("% is not supported: write MOD(a, b)".into()),
        other => Err(format!("the operator {other} is not supported").into()),
    }
}

fn arithmetic(op: &BinaryOperator, a: Expression, b: Expression) -> BindResult<Expression> {
    let is_date = |of: &Option<Type>| *of == Some(Type::Date);
    match (op, is_date(&a.of), is_date(&b.of)) {
        (BinaryOperator::Minus, true, true) => {
            return Err(
                "subtracting a DATE from a DATE is not supported: write DATE_DIFF(a, b, DAY)"
                    .into(),
            );
        }
        (BinaryOperator::Plus | BinaryOperator::Minus, true, false)
            if b.of == Some(Type::Integer) =>
        {
            return shift(a, op, Argument::Interval(b, Part::Day));
        }
        (BinaryOperator::Plus, false, true) if a.of == Some(Type::Integer) => {
            return shift(b, op, Argument::Interval(a, Part::Day));
        }
        _ => {}
    }
    let is_number = |of: &Option<Type>| matches!(of, None | Some(Type::Integer | Type::Float));
    if !is_number(&a.of) || !is_number(&b.of) {
        return Err(mismatch(&op.to_string(), &a, &b));
    }
    if *op == BinaryOperator::Divide {
        return Ok(Expression::new(format!("fw_divide({}, {})", a.sql, b.sql), Type::Float));
    }
    let of = if [&a.of, &b.of].contains(&&Some(Type::Float)) { Type::Float } else { Type::Integer };
    let sql = match nan::arithmetic(op, &a, &b) {
        Some(function) => format!("{function}({}, {})", a.sql, b.sql),
        None => format!("({} {op} {})", a.sql, b.sql),
    };
    Ok(Expression::new(sql, of))
}

fn concatenation(a: Expression, b: Expression) -> BindResult<Expression> {
    match (&a.of, &b.of) {
        (None | Some(Type::String), None | Some(Type::String)) => {
            Ok(Expression::new(format!("({} || {})", a.sql, b.sql), Type::String))
        }
        (Some(Type::Array(_)), _) | (_, Some(Type::Array(_))) => {
            scalar("ARRAY_CONCAT", &[Argument::Value(a), Argument::Value(b)])
        }
        (Some(Type::Bytes), _) | (_, Some(Type::Bytes)) => {
            scalar("CONCAT", &[Argument::Value(a), Argument::Value(b)])
        }
        _ => Err(mismatch("||", &a, &b)),
    }
}

fn bits(op: &BinaryOperator, a: Expression, b: Expression) -> BindResult<Expression> {
    let is_integer = |of: &Option<Type>| matches!(of, None | Some(Type::Integer));
    if !is_integer(&a.of) || !is_integer(&b.of) {
        return Err(mismatch(&op.to_string(), &a, &b));
    }
    let sql = match op {
        BinaryOperator::BitwiseAnd | BinaryOperator::BitwiseOr => {
            format!("({} {op} {})", a.sql, b.sql)
        }
        BinaryOperator::BitwiseXor => format!("fw_xor({}, {})", a.sql, b.sql),
        // In SQLite, `>>` preserves the sign. In BigQuery, it does not.
        BinaryOperator::PGBitwiseShiftRight => format!("fw_shift({}, {}, 0)", a.sql, b.sql),
        _ => format!("fw_shift({}, {}, 1)", a.sql, b.sql),
    };
    Ok(Expression::new(sql, Type::Integer))
}
