//! Binds calls to scalar functions, aggregates, and functions that return the current time.

use sqlparser::ast::{Expr, Function, FunctionArguments, HavingBound, HavingBoundKind};

use super::aggregates::{self, AggregateCall};
use super::bind_error::{BindError, BindResult};
use super::binder::{Binder, suggestion};
use super::call_clauses::FunctionCall;
use super::expression::{Argument, Expression, Part};
use super::expression_kinds::scalar;
use super::functions;
use super::scope::EnclosingCall;
use super::windows;
use crate::types::Type;

impl Binder<'_> {
    pub(super) fn call(&mut self, function: &Function) -> BindResult<Expression> {
        let Function {
            name,
            uses_odbc_syntax,
            parameters,
            args,
            within_group,
            filter,
            null_treatment,
            over,
        } = function;
        let written = name.to_string().replace('`', "");
        if *uses_odbc_syntax || *parameters != FunctionArguments::None || !within_group.is_empty() {
            return Err(format!("unsupported syntax in the call to {written}").into());
        }
        if filter.is_some() {
            return Err("FILTER is not supported: use COUNTIF, or IF inside the aggregate".into());
        }
        let upper = written.to_ascii_uppercase();
        let call = match args {
            FunctionArguments::Subquery(query) if upper == "ARRAY" && over.is_none() => {
                return self.array_of_query(query);
            }
            FunctionArguments::Subquery(_) => {
                return Err(format!(
                    "{upper} does not support a query as an argument: put the query in a second pair of parentheses"
                )
                .into());
            }
            FunctionArguments::None => FunctionCall { name: upper, ..FunctionCall::default() },
            FunctionArguments::List(list) => {
                FunctionCall::read(upper, list, null_treatment.as_ref())?
            }
        };
        if windows::is_window_function(&call.name) {
            return self.window_call(&call, over.as_ref());
        }
        if is_aggregate(&call.name) {
            return self.aggregate(&call, over.as_ref());
        }
        if over.is_some() {
            return Err(format!("{} is not a window function: remove OVER", call.name).into());
        }
        self.plain_call(&call)
    }

    fn plain_call(&mut self, call: &FunctionCall) -> BindResult<Expression> {
        let name = call.name.as_str();
        if !call.is_plain() {
            return Err(format!(
                "{name} is not an aggregate function: remove DISTINCT, ORDER BY, LIMIT, NULLS and *"
            )
            .into());
        }
        if let Some(bound) = self.conditional(name, &call.arguments) {
            return bound;
        }
        if let Some(bound) = self.current(name, &call.arguments) {
            return bound;
        }
        let mut arguments = Vec::with_capacity(call.arguments.len());
        for (at, argument) in call.arguments.iter().enumerate() {
            arguments.push(match argument {
                Expr::Interval(interval) => {
                    self.interval(interval).map_err(|bind_error| bind_error.near(*argument))?
                }
                other => match part(name, at, other) {
                    Some(part) => Argument::Part(part),
                    None => Argument::Value(self.expr(other)?),
                },
            });
        }
        match functions::scalar(name, &arguments) {
            Some(bound) => Ok(bound?),
            None => Err(unknown(name)),
        }
    }

    /// Binds functions that return the current time. The time is the same throughout a statement.
    fn current(&mut self, name: &str, arguments: &[&Expr]) -> Option<BindResult<Expression>> {
        let family = match name {
            "CURRENT_TIMESTAMP" => "TIMESTAMP",
            "CURRENT_DATE" => "DATE",
            "CURRENT_DATETIME" => "DATETIME",
            "CURRENT_TIME" => "TIME",
            _ => return None,
        };
        let now = self.session.now.as_microsecond();
        let mut values =
            vec![Argument::Value(Expression::new(format!("({now})"), Type::Timestamp))];
        for argument in arguments {
            match self.expr(argument) {
                Ok(zone) => values.push(Argument::Value(zone)),
                Err(bind_error) => return Some(Err(bind_error)),
            }
        }
        Some(match (family, arguments) {
            ("TIMESTAMP", [_, ..]) => Err("CURRENT_TIMESTAMP does not support arguments".into()),
            (family, _) => scalar(family, &values),
        })
    }

    /// Binds an aggregate, with or without an `OVER` clause.
    fn aggregate(
        &mut self,
        call: &FunctionCall,
        over: Option<&sqlparser::ast::WindowType>,
    ) -> BindResult<Expression> {
        let scope = self.scope();
        let (enclosing_call, clause) = (scope.enclosing_call, scope.clause);
        let within = match (over, enclosing_call) {
            (None, EnclosingCall::Aggregate) => return Err("an aggregate cannot be an argument of an aggregate: compute the inner one in a subquery".into()),
            (None, _) if !clause.allows_aggregates() => {
                return Err(format!("Aggregate function {} not allowed in {} clause", call.name, clause.name()).into());
            }
            (None, _) => {
                scope.aggregates += 1;
                EnclosingCall::Aggregate
            }
            (Some(_), _) => EnclosingCall::Window,
        };
        let window = over.map(|over| self.over(over)).transpose()?;
        if window.is_some() && (call.is_distinct || !call.order.is_empty() || call.limit.is_some())
        {
            return Err(format!("{} with OVER does not support DISTINCT, ORDER BY or LIMIT: compute it in a subquery with GROUP BY", call.name).into());
        }
        let scope = self.scope();
        let named = (std::mem::take(&mut scope.own), std::mem::take(&mut scope.outer));
        scope.enclosing_call = within;
        let bound = self.aggregate_of(call, window.as_deref());
        let scope = self.scope();
        scope.enclosing_call = enclosing_call;
        let is_of_others = scope.outer > 0 && scope.own == 0;
        scope.own += named.0;
        scope.outer += named.1;
        if is_of_others && bound.is_ok() {
            Err(format!(
                "{} uses only columns of an outer query: compute it in the outer query",
                call.name
            )
            .into())
        } else {
            bound
        }
    }

    fn aggregate_of(
        &mut self,
        call: &FunctionCall,
        window: Option<&str>,
    ) -> BindResult<Expression> {
        let mut arguments = Vec::with_capacity(call.arguments.len() + 1);
        for argument in &call.arguments {
            arguments.push(self.expr(argument)?);
        }
        let name = match (call.name.as_str(), call.having) {
            (name, None) => name,
            ("ANY_VALUE", Some(HavingBound(kind, by))) => {
                arguments.push(self.expr(by)?);
                match kind {
                    HavingBoundKind::Max => "MAX_BY",
                    HavingBoundKind::Min => "MIN_BY",
                }
            }
            (name, Some(_)) => {
                return Err(format!("{name} does not support HAVING: use MAX_BY or MIN_BY").into());
            }
        };
        if call.is_of_rows && (name != "COUNT" || !arguments.is_empty() || call.is_distinct) {
            return Err(format!("{name} does not support *: only COUNT(*) does").into());
        }
        if name == "COUNT" && arguments.is_empty() && !call.is_of_rows {
            return Err("COUNT requires * or a value".into());
        }
        let order = self.inner_order(call.order)?;
        let limit = match call.limit {
            Some(limit) => Some(self.count(limit)?),
            None => None,
        };
        let called = AggregateCall {
            name,
            arguments: &arguments,
            is_distinct: call.is_distinct,
            order: &order,
            limit,
            nulls: call.nulls,
        };
        let Some(made) = aggregates::aggregate(&called) else {
            return Err(unknown(name));
        };
        let made = made?;
        let over = match window {
            Some(_) if !made.can_be_windowed => {
                return Err(format!(
                    "{name} is not supported with OVER: compute it in a subquery with GROUP BY"
                )
                .into());
            }
            Some(window) => format!(" OVER ({window})"),
            None => String::new(),
        };
        Ok(Expression::new(made.sql(&over), made.of))
    }
}

fn is_aggregate(name: &str) -> bool {
    let call = AggregateCall {
        name,
        arguments: &[],
        is_distinct: false,
        order: "",
        limit: None,
        nulls: None,
    };
    aggregates::aggregate(&call).is_some()
}

fn unknown(name: &str) -> BindError {
    let name: String = name.chars().take(100).collect();
    let listed = functions::names();
    let aggregates = aggregates::NAMES.iter().copied();
    let known = listed.iter().map(|listed| listed.name).chain(aggregates);
    format!("Function not found: {name}{}", suggestion(&name, known)).into()
}

/// Parses an argument as a date part, if the function expects a date part at this position.
fn part(function: &str, at: usize, argument: &Expr) -> Option<Part> {
    let function = function.strip_prefix("SAFE.").unwrap_or(function);
    let (family, work) = function.rsplit_once('_')?;
    let place = match (family, work) {
        ("DATE" | "DATETIME" | "TIMESTAMP" | "TIME", "TRUNC") | ("LAST", "DAY") => 1,
        ("DATE" | "DATETIME" | "TIMESTAMP" | "TIME", "DIFF") => 2,
        _ => return None,
    };
    match argument {
        Expr::Identifier(name) if at == place => Part::parse(&name.value),
        Expr::Function(function) if at == place => Part::parse(&function.to_string()),
        _ => None,
    }
}
