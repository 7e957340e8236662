//! The arguments and clauses of a function call, such as DISTINCT and ORDER BY.

use sqlparser::ast::{
    DuplicateTreatment, Expr, FunctionArg, FunctionArgExpr, FunctionArgumentClause,
    FunctionArgumentList, HavingBound, NullTreatment, OrderByExpr,
};

use super::aggregates::Nulls;
use super::bind_error::{BindError, BindResult};

/// A function call, split into its arguments and clauses.
#[derive(Default)]
pub(super) struct FunctionCall<'e> {
    /// The function's name, in upper case.
    pub name: String,
    pub arguments: Vec<&'e Expr>,
    /// Whether the argument is `*`.
    pub is_of_rows: bool,
    pub is_distinct: bool,
    pub nulls: Option<Nulls>,
    pub order: &'e [OrderByExpr],
    pub limit: Option<&'e Expr>,
    pub having: Option<&'e HavingBound>,
}

impl<'e> FunctionCall<'e> {
    pub(super) fn read(
        name: String,
        list: &'e FunctionArgumentList,
        after: Option<&NullTreatment>,
    ) -> BindResult<Self> {
        let FunctionArgumentList { duplicate_treatment, args, clauses } = list;
        let mut call = Self {
            name,
            is_distinct: *duplicate_treatment == Some(DuplicateTreatment::Distinct),
            nulls: after.map(nulls),
            ..Self::default()
        };
        for argument in args {
            match argument {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => call.arguments.push(expr),
                FunctionArg::Unnamed(FunctionArgExpr::Wildcard) => call.is_of_rows = true,
                FunctionArg::Named { name, .. } => {
                    return Err(BindError::at(
                        "named arguments are not supported: pass the arguments in order",
                        name,
                    ));
                }
                _ => return Err(format!("unsupported argument of {}", call.name).into()),
            }
        }
        for clause in clauses {
            match clause {
                FunctionArgumentClause::IgnoreOrRespectNulls(treatment) => {
                    call.nulls = Some(nulls(treatment))
                }
                FunctionArgumentClause::OrderBy(order) => call.order = order,
                FunctionArgumentClause::Limit(limit) => call.limit = Some(limit),
                FunctionArgumentClause::Having(having) => call.having = Some(having),
                other => return Err(format!("{other} is not supported in a call").into()),
            }
        }
        Ok(call)
    }

    /// Returns whether the call has no clauses and no `*` argument.
    pub(super) fn is_plain(&self) -> bool {
        !self.is_of_rows
            && !self.is_distinct
            && self.nulls.is_none()
            && self.order.is_empty()
            && self.limit.is_none()
            && self.having.is_none()
    }
}

fn nulls(treatment: &NullTreatment) -> Nulls {
    match treatment {
        NullTreatment::IgnoreNulls => Nulls::Ignored,
        NullTreatment::RespectNulls => Nulls::Respected,
    }
}
