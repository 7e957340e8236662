//! Calls the method that binds each kind of expression.

use sqlparser::ast::{
    ArrayElemTypeDef, BinaryOperator, CastKind, CeilFloorKind, DataType, DateTimeField, Expr,
    ExtractSyntax, Interval, TrimWhereField,
};

use super::bind_error::{BindError, BindResult};
use super::binder::Binder;
use super::expression::{Argument, Expression, Part};
use super::functions;
use super::types::type_of;
use crate::types::Type;

impl Binder<'_> {
    /// Binds an expression of any kind. Other code must call [`Binder::expr`], which also checks
    /// limits.
    pub(super) fn any_expr(&mut self, expr: &Expr) -> BindResult<Expression> {
        match expr {
            Expr::Identifier(name) => self.path(std::slice::from_ref(name)),
            Expr::CompoundIdentifier(path) => self.path(path),
            Expr::CompoundFieldAccess { root, access_chain } => self.access(root, access_chain),
            Expr::Value(value) => self.value(value),
            Expr::TypedString(typed) => self.typed_string(typed),
            Expr::Nested(inner) => self.expr(inner),
            Expr::BinaryOp { .. } => self.operators(expr),
            Expr::UnaryOp { op, expr } => self.unary(*op, expr),
            Expr::IsTrue(_)
            | Expr::IsNotTrue(_)
            | Expr::IsFalse(_)
            | Expr::IsNotFalse(_)
            | Expr::IsNull(_)
            | Expr::IsNotNull(_)
            | Expr::IsUnknown(_)
            | Expr::IsNotUnknown(_) => self.is(expr),
            Expr::IsDistinctFrom(a, b) => self.distinct_from(a, b, "IS NOT"),
            Expr::IsNotDistinctFrom(a, b) => self.distinct_from(a, b, "IS"),
            Expr::Between { expr, negated, low, high } => self.between(expr, *negated, low, high),
            Expr::InList { expr, list, negated } => self.in_list(expr, list, *negated),
            Expr::InSubquery { expr, subquery, negated } => self.in_query(expr, subquery, *negated),
            Expr::InUnnest { expr, array_expr, negated } => {
                self.in_array(expr, array_expr, *negated)
            }
            Expr::Like { negated, any, expr, pattern, escape_char: None } => {
                self.like(expr, pattern, *negated, *any)
            }
            Expr::Exists { subquery, negated } => self.exists(subquery, *negated),
            Expr::Subquery(query) => self.scalar_query(query),
            Expr::Case { case_token: _, end_token: _, operand, conditions, else_result } => {
                self.case(operand.as_deref(), conditions, else_result.as_deref())
            }
            Expr::Cast { kind, expr, data_type, format: None } => self.cast(kind, expr, data_type),
            Expr::Cast { format: Some(_), .. } => {
                Err("CAST with FORMAT is not supported: use functions such as FORMAT_DATE and PARSE_DATE"
                    .into())
            }
            Expr::Function(function) => self.call(function),
            Expr::Array(array) => self.array(array),
            Expr::Struct { values, fields } => self.struct_literal(values, fields),
            Expr::Extract { field, syntax: ExtractSyntax::From, expr } => self.extract(field, expr),
            other => self.special_call(other),
        }
    }

    /// Binds calls that the parser represents as special expressions, such as CEIL.
    fn special_call(&mut self, expr: &Expr) -> BindResult<Expression> {
        match expr {
            Expr::Ceil { expr, field: CeilFloorKind::DateTimeField(DateTimeField::NoDateTime) } => {
                self.function("CEIL", &[expr])
            }
            Expr::Floor {
                expr,
                field: CeilFloorKind::DateTimeField(DateTimeField::NoDateTime),
            } => self.function("FLOOR", &[expr]),
            Expr::Substring {
                expr,
                substring_from: Some(from),
                substring_for,
                special: _,
                shorthand: _,
            } => {
                let mut arguments: Vec<&Expr> = vec![expr, from];
                arguments.extend(substring_for.as_deref());
                self.function("SUBSTR", &arguments)
            }
            Expr::Trim { trim_where, trim_what: None, expr, trim_characters } => {
                let name = match trim_where {
                    None | Some(TrimWhereField::Both) => "TRIM",
                    Some(TrimWhereField::Leading) => "LTRIM",
                    Some(TrimWhereField::Trailing) => "RTRIM",
                };
                let mut arguments: Vec<&Expr> = vec![expr];
                arguments.extend(trim_characters.iter().flatten());
                self.function(name, &arguments)
            }
            Expr::Interval(_) => {
                Err("INTERVAL is only allowed as an argument: write DATE_ADD(day, INTERVAL 1 MONTH)".into())
            }
            Expr::AtTimeZone { .. } => {
                Err("AT TIME ZONE is only allowed in EXTRACT: use DATETIME(timestamp, 'zone')".into())
            }
            Expr::Tuple(_) => {
                Err("lists of values in parentheses are not supported here: compare each value separately"
                    .into())
            }
            Expr::Named { name, .. } => {
                Err(BindError::at("AS is only allowed in SELECT and in STRUCT(…)", name))
            }
            Expr::Wildcard(_) | Expr::QualifiedWildcard(..) => {
                Err("* is only allowed in SELECT and in COUNT(*)".into())
            }
            other => Err(format!("{} is not supported", excerpt(&other.to_string())).into()),
        }
    }

    /// Binds a call to a scalar function whose arguments are all values.
    pub(super) fn function(&mut self, name: &str, arguments: &[&Expr]) -> BindResult<Expression> {
        let arguments = arguments
            .iter()
            .map(|argument| self.expr(argument).map(Argument::Value))
            .collect::<BindResult<Vec<_>>>()?;
        scalar(name, &arguments)
    }

    fn cast(&mut self, kind: &CastKind, expr: &Expr, to: &DataType) -> BindResult<Expression> {
        let is_safe = match kind {
            CastKind::Cast => false,
            CastKind::SafeCast => true,
            CastKind::TryCast => return Err("TRY_CAST is not supported: write SAFE_CAST".into()),
            CastKind::DoubleColon => return Err(":: is not supported: write CAST(… AS …)".into()),
        };
        if let (Expr::Array(array), DataType::Array(ArrayElemTypeDef::AngleBracket(of))) =
            (expr, to)
        {
            return self.typed_array(array, &type_of(of)?);
        }
        let to = type_of(to)?;
        let value = self.expr(expr)?;
        Ok(if super::coercion::fits(&value, &to) && value.literal.is_none() {
            super::coercion::coerce(value, &to)?
        } else {
            functions::cast(&value, &to, is_safe)?
        })
    }

    fn extract(&mut self, field: &DateTimeField, expr: &Expr) -> BindResult<Expression> {
        let part = part_of(field)?;
        let (value, zone) = match expr {
            Expr::AtTimeZone { timestamp, time_zone } => {
                (timestamp.as_ref(), Some(time_zone.as_ref()))
            }
            value => (value, None),
        };
        let mut arguments = vec![Argument::Part(part), Argument::Value(self.expr(value)?)];
        if let Some(zone) = zone {
            arguments.push(Argument::Value(self.expr(zone)?));
        }
        scalar("EXTRACT", &arguments)
    }

    /// Binds an argument such as `INTERVAL 3 DAY`.
    pub(super) fn interval(&mut self, interval: &Interval) -> BindResult<Argument> {
        let Interval {
            value,
            leading_field: Some(field),
            leading_precision: None,
            last_field: None,
            fractional_seconds_precision: None,
        } = interval
        else {
            return Err(
                "an INTERVAL requires a number and one date part: write INTERVAL 3 DAY".into()
            );
        };
        let count = self.typed(value, &Type::Integer)?;
        Ok(Argument::Interval(count, part_of(field)?))
    }

    /// Binds a sum or difference such as `date + INTERVAL 1 DAY`.
    pub(super) fn shifted(
        &mut self,
        value: Expression,
        op: &BinaryOperator,
        interval: &Interval,
    ) -> BindResult<Expression> {
        let interval = self.interval(interval)?;
        shift(value, op, interval)
    }
}

/// Adds an interval to a date or time, or subtracts the interval.
pub(super) fn shift(
    value: Expression,
    op: &BinaryOperator,
    by: Argument,
) -> BindResult<Expression> {
    let direction = match op {
        BinaryOperator::Plus => "ADD",
        BinaryOperator::Minus => "SUB",
        other => return Err(format!("{other} is not defined for INTERVAL").into()),
    };
    let family = match &value.of {
        Some(of @ (Type::Date | Type::DateTime | Type::Timestamp | Type::Time)) => of.schema_name(),
        _ => {
            return Err(
                "an INTERVAL can only be added to a DATE, TIME, DATETIME or TIMESTAMP".into()
            );
        }
    };
    scalar(&format!("{family}_{direction}"), &[Argument::Value(value), by])
}

pub(super) fn scalar(name: &str, arguments: &[Argument]) -> BindResult<Expression> {
    match functions::scalar(name, arguments) {
        Some(called) => Ok(called?),
        None => Err(format!("Function not found: {name}").into()),
    }
}

fn part_of(field: &DateTimeField) -> BindResult<Part> {
    let name = field.to_string();
    Part::parse(&name).ok_or_else(|| {
        format!("unknown date part {}; use a date part such as YEAR, QUARTER, MONTH, WEEK, ISOWEEK, DAY, HOUR, MINUTE or SECOND", excerpt(&name)).into()
    })
}

/// Truncates text for an error message.
pub(super) fn excerpt(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
