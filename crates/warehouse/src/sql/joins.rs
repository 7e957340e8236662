//! Binds joins, with their types, conditions and `USING` columns.

use sqlparser::ast::{Ident, Join, JoinConstraint, JoinOperator, ObjectName, TableFactor};

use super::bind_error::{BindError, BindResult};
use super::binder::Binder;
use super::coercion;
use super::expression::Expression;
use super::nan;
use super::scope::Column;
use super::table_names::single;

impl Binder<'_> {
    pub(super) fn joined(&mut self, relation: &TableFactor, joins: &[Join]) -> BindResult<String> {
        let mut sql = self.factor(relation)?;
        for join in joins {
            let Join { relation, global: false, join_operator } = join else {
                return Err(BindError::at("GLOBAL is not supported in a join: remove it", join));
            };
            let (words, constraint) =
                operator(join_operator).map_err(|bind_error| bind_error.near(join))?;
            let before = self.scope().relations.len();
            let right = self.factor(relation)?;
            if right.starts_with("json_each") && matches!(words, "RIGHT JOIN" | "FULL JOIN") {
                return Err(BindError::at(
                    "an array can only be joined with CROSS, INNER or LEFT JOIN",
                    join,
                ));
            }
            let on = self
                .constraint(constraint, words, before)
                .map_err(|bind_error| bind_error.near(join))?;
            sql = format!("{sql} {words} {right}{on}");
        }
        Ok(sql)
    }

    fn constraint(
        &mut self,
        constraint: &JoinConstraint,
        words: &str,
        before: usize,
    ) -> BindResult<String> {
        match (constraint, words) {
            (JoinConstraint::Natural, _) => {
                Err("NATURAL JOIN is not supported: list the columns in USING".into())
            }
            (JoinConstraint::None, "CROSS JOIN") => Ok(String::new()),
            (_, "CROSS JOIN") => Err("CROSS JOIN cannot have a condition: write JOIN … ON".into()),
            (JoinConstraint::None, _) => {
                // An array of the left row is joined without a condition.
                let is_array =
                    self.scope().relations.last().is_some_and(|relation| relation.whole.is_some());
                if is_array {
                    Ok(" ON 1".into())
                } else {
                    Err(format!("{words} requires ON or USING; only CROSS JOIN has no condition")
                        .into())
                }
            }
            (JoinConstraint::On(condition), _) => Ok(format!(" ON {}", self.condition(condition)?)),
            (JoinConstraint::Using(names), _) => self.using(names, words, before),
        }
    }

    /// Binds `USING`. Each named column must be equal in both tables, and becomes a single merged
    /// column.
    fn using(&mut self, names: &[ObjectName], words: &str, before: usize) -> BindResult<String> {
        let mut tests = Vec::with_capacity(names.len());
        for name in names {
            let ident = single(name)?;
            let at = self.scopes.len() - 1;
            let left = self.shared_column(ident, 0, before)?;
            let right = self.shared_column(ident, before, usize::MAX)?;
            let (a, b) = (self.take(at, &left, ident), self.take(at, &right, ident));
            let (values, of) =
                coercion::unify(vec![a, b]).map_err(|message| BindError::at(message, ident))?;
            coercion::check_comparable(of.as_ref(), "USING")
                .map_err(|message| BindError::at(message, ident))?;
            let [a, b] = values.as_slice() else {
                return Err("USING compares two columns".into());
            };
            tests.push(format!("{} = {}", nan::for_equality(a, &[b]), b.sql));
            let value = match words {
                "RIGHT JOIN" => b.clone(),
                "FULL JOIN" => {
                    Expression { sql: format!("COALESCE({}, {})", a.sql, b.sql), ..a.clone() }
                }
                _ => a.clone(),
            };
            let merged = Column { name: left.name.clone(), value, origin: None, is_merged: false };
            let scope = self.scope();
            scope.merged.retain(|column| !column.has_name(&ident.value));
            scope.merged.push(merged);
            for relation in &mut scope.relations {
                for column in &mut relation.columns {
                    column.is_merged |= column.has_name(&ident.value);
                }
            }
        }
        Ok(format!(" ON {}", tests.join(" AND ")))
    }

    /// Returns the column with this name in a range of the FROM clause's tables.
    fn shared_column(&mut self, name: &Ident, from: usize, to: usize) -> BindResult<Column> {
        let scope = self.scope();
        if from == 0
            && let Some(merged) = scope.merged.iter().find(|column| column.has_name(&name.value))
        {
            return Ok(merged.clone());
        }
        let relations = scope.relations.iter().skip(from).take(to.saturating_sub(from));
        let mut found = relations
            .flat_map(|relation| &relation.columns)
            .filter(|column| column.has_name(&name.value));
        match (found.next(), found.next()) {
            (Some(column), None) => Ok(column.clone()),
            (Some(_), Some(_)) => Err(BindError::at(
                format!("Column {} in USING clause is ambiguous", name.value),
                name,
            )),
            (None, _) => Err(BindError::at(
                format!(
                    "Column {} in USING clause not found on both sides of the join",
                    name.value
                ),
                name,
            )),
        }
    }
}

fn operator(operator: &JoinOperator) -> BindResult<(&'static str, &JoinConstraint)> {
    Ok(match operator {
        JoinOperator::Join(constraint) | JoinOperator::Inner(constraint) => {
            ("INNER JOIN", constraint)
        }
        JoinOperator::Left(constraint) | JoinOperator::LeftOuter(constraint) => {
            ("LEFT JOIN", constraint)
        }
        JoinOperator::Right(constraint) | JoinOperator::RightOuter(constraint) => {
            ("RIGHT JOIN", constraint)
        }
        JoinOperator::FullOuter(constraint) => ("FULL JOIN", constraint),
        JoinOperator::CrossJoin(constraint) => ("CROSS JOIN", constraint),
        _ => return Err("unsupported join: use INNER, LEFT, RIGHT, FULL or CROSS JOIN".into()),
    })
}
