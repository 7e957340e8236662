//! Binds SELECT and its clauses.

use sqlparser::ast::{
    Distinct, Expr, LimitClause, OrderBy, OrderByExpr, Select, SelectFlavor, Value, ValueTableMode,
    ValueWithSpan,
};

use super::arrays::struct_value;
use super::bind_error::{BindError, BindResult};
use super::binder::Binder;
use super::coercion::check_comparable;
use super::expression::Expression;
use super::order::{guard_bare_integer, sorted, terms};
use super::scope::{Clause, Output, Rows, Scope, output_sql};
use super::select_list::BoundEntry;

/// The clauses of a SELECT, in SQLite's SQL.
#[derive(Default)]
struct Clauses {
    from: String,
    filter: Option<String>,
    keys: Vec<String>,
    having: Option<String>,
    qualify: Option<String>,
    order: Vec<String>,
    limit: String,
    is_distinct: bool,
}

impl Binder<'_> {
    pub(super) fn select(
        &mut self,
        select: &Select,
        order: Option<&OrderBy>,
        limit: Option<&LimitClause>,
    ) -> BindResult<Rows> {
        refuse(select).map_err(|bind_error| bind_error.near(select))?;
        self.scopes.push(Scope::default());
        let bound = self.clauses(select, order, limit);
        let scope = self.scopes.pop();
        let (items, clauses) = bound.map_err(|bind_error| bind_error.near(select))?;
        let is_computed = scope.is_some_and(|scope| scope.aggregates + scope.calls_over > 0)
            || !clauses.keys.is_empty();
        let is_plain = clauses.order.is_empty() && clauses.limit.is_empty();
        let columns = items
            .iter()
            .map(|item| Output {
                name: item.name.clone(),
                of: item.value.of.clone(),
                literal: item.value.literal.clone(),
            })
            .collect();
        Ok(Rows { sql: select_sql(&items, &clauses), columns, is_plain, is_computed })
    }

    fn clauses(
        &mut self,
        select: &Select,
        order: Option<&OrderBy>,
        limit: Option<&LimitClause>,
    ) -> BindResult<(Vec<BoundEntry>, Clauses)> {
        let mut clauses = Clauses {
            is_distinct: is_distinct(select)?,
            from: self.from(&select.from)?,
            ..Clauses::default()
        };
        self.scope().clause = Clause::Where;
        clauses.filter =
            select.selection.as_ref().map(|filter| self.condition(filter)).transpose()?;
        let list = self.items(&select.projection)?;
        self.scope().ungrouped.clear();
        self.scope().clause = Clause::GroupBy;
        clauses.keys = self.keys(&select.group_by, &list)?;
        let scope = self.scope();
        scope.keys.clone_from(&clauses.keys);
        scope.ungrouped.clear();
        scope.clause = Clause::Select;
        self.name_windows(&select.named_window)?;
        let mut items = Vec::with_capacity(list.len());
        let mut aliases = Vec::with_capacity(list.len());
        for item in &list {
            let (item, alias) = self.aliased(item)?;
            items.push(item);
            aliases.extend(alias);
        }
        self.scope().aliases = aliases;
        if select.value_table_mode == Some(ValueTableMode::AsStruct) {
            let fields = items.into_iter().map(|item| (item.name, item.value)).collect();
            items = vec![BoundEntry { name: None, value: struct_value(fields)? }];
        }
        let in_list = self.scope().aggregates;
        self.scope().clause = Clause::Having;
        clauses.having = select.having.as_ref().map(|having| self.condition(having)).transpose()?;
        self.scope().clause = Clause::Qualify;
        clauses.qualify =
            select.qualify.as_ref().map(|qualify| self.condition(qualify)).transpose()?;
        let before_order = self.scope().aggregates;
        self.scope().clause = Clause::OrderBy;
        let values: Vec<Expression> = items.iter().map(|item| item.value.clone()).collect();
        for term in order.map(terms).transpose()?.into_iter().flatten() {
            clauses.order.push(self.order_term(term, &values, clauses.is_distinct)?);
        }
        clauses.limit = self.limit(limit)?;
        self.check_groups(&clauses, select, in_list, before_order)?;
        if clauses.is_distinct {
            for item in &items {
                check_comparable(item.value.of.as_ref(), "SELECT DISTINCT")?;
            }
        }
        Ok((items, clauses))
    }

    /// Returns an error if a column can have several values in a group.
    fn check_groups(
        &mut self,
        clauses: &Clauses,
        select: &Select,
        in_list: usize,
        before_order: usize,
    ) -> BindResult<()> {
        let scope = self.scope();
        let is_grouped = !clauses.keys.is_empty() || scope.aggregates > 0;
        if let (true, Some(ungrouped)) = (is_grouped, scope.ungrouped.first()) {
            let message = format!(
                "{} is neither grouped nor aggregated: add it to GROUP BY, or use ANY_VALUE",
                ungrouped.name
            );
            return Err(BindError::place(message, ungrouped.at));
        }
        if let (Some(having), true) = (&select.having, clauses.keys.is_empty() && in_list == 0) {
            return Err(BindError::at(
                "HAVING requires GROUP BY or an aggregate in the SELECT list: use WHERE to filter rows",
                having,
            ));
        }
        if let (Some(qualify), true) =
            (&select.qualify, clauses.keys.is_empty() && in_list == 0 && before_order > 0)
        {
            return Err(BindError::at(
                "an aggregate in QUALIFY requires GROUP BY or an aggregate in the SELECT list",
                qualify,
            ));
        }
        if before_order == 0 && clauses.keys.is_empty() && scope.aggregates > 0 {
            Err("an aggregate in ORDER BY requires GROUP BY or an aggregate in the SELECT list"
                .into())
        } else {
            Ok(())
        }
    }

    /// Binds a term of a query's ORDER BY.
    pub(super) fn order_term(
        &mut self,
        term: &OrderByExpr,
        items: &[Expression],
        is_distinct: bool,
    ) -> BindResult<String> {
        let OrderByExpr { expr, options, with_fill: None } = term else {
            return Err(BindError::at("WITH FILL is not supported", term));
        };
        let place = match expr {
            Expr::Value(ValueWithSpan { value: Value::Number(digits, _), span: _ }) => {
                let place =
                    digits.parse::<usize>().ok().filter(|place| (1..=items.len()).contains(place));
                Some(place.ok_or_else(|| {
                    BindError::at(
                        format!("ORDER BY {digits}: the SELECT list has {} columns", items.len()),
                        expr,
                    )
                })?)
            }
            _ => None,
        };
        let (sql, value) = match place {
            Some(place) => (place.to_string(), items[place - 1].clone()),
            None => {
                let bound = self.expr(expr)?;
                let place = items.iter().position(|item| item.sql == bound.sql);
                let sql = match place {
                    Some(place) => (place + 1).to_string(),
                    None if is_distinct => {
                        return Err(BindError::at(
                            "ORDER BY of SELECT DISTINCT supports only expressions in the SELECT list",
                            expr,
                        ));
                    }
                    None => guard_bare_integer(&bound.sql).into_owned(),
                };
                (sql, bound)
            }
        };
        check_comparable(value.of.as_ref(), "ORDER BY")
            .map_err(|message| BindError::at(message, expr))?;
        sorted(&value, sql, options).map_err(|bind_error| bind_error.near(expr))
    }
}

fn is_distinct(select: &Select) -> BindResult<bool> {
    match &select.distinct {
        None | Some(Distinct::All) => Ok(false),
        Some(Distinct::Distinct) => Ok(true),
        Some(Distinct::On(_)) => {
            Err("DISTINCT ON is not supported: use ROW_NUMBER and QUALIFY".into())
        }
    }
}

/// Returns an error if a SELECT has clauses that only other dialects support.
fn refuse(select: &Select) -> BindResult<()> {
    let Select {
        select_token: _,
        optimizer_hints,
        distinct: _,
        select_modifiers,
        top,
        top_before_distinct: _,
        projection: _,
        exclude,
        into,
        from: _,
        lateral_views,
        prewhere,
        selection: _,
        connect_by,
        group_by: _,
        cluster_by,
        distribute_by,
        sort_by,
        having: _,
        named_window: _,
        qualify: _,
        window_before_qualify: _,
        value_table_mode,
        flavor,
    } = select;
    if *flavor != SelectFlavor::Standard {
        return Err("a query must begin with SELECT: write SELECT * FROM …".into());
    }
    if !matches!(value_table_mode, None | Some(ValueTableMode::AsStruct)) {
        return Err("unsupported SELECT AS: use SELECT AS STRUCT".into());
    }
    let is_standard = optimizer_hints.is_empty()
        && select_modifiers.is_none()
        && top.is_none()
        && exclude.is_none()
        && into.is_none()
        && lateral_views.is_empty()
        && prewhere.is_none()
        && connect_by.is_empty()
        && cluster_by.is_empty()
        && distribute_by.is_empty()
        && sort_by.is_empty();
    if is_standard {
        Ok(())
    } else {
        Err("unsupported clause in SELECT: use only FROM, WHERE, GROUP BY, HAVING, QUALIFY, WINDOW, ORDER BY and LIMIT".into())
    }
}

fn select_sql(items: &[BoundEntry], clauses: &Clauses) -> String {
    let values = items
        .iter()
        .enumerate()
        .map(|(at, item)| format!("{} AS {}", item.value.sql, output_sql(at)));
    let mut values: Vec<String> = values.collect();
    let distinct = if clauses.is_distinct { "DISTINCT " } else { "" };
    let Some(qualify) = &clauses.qualify else {
        let order = ordered(&clauses.order);
        return format!(
            "SELECT {distinct}{}{}{order}{}",
            values.join(", "),
            from_to_having(clauses),
            clauses.limit
        );
    };
    // SQLite has no QUALIFY. So an outer query filters the rows, and sorts them by values that the
    // inner query computes.
    let listed: Vec<String> = (0..items.len()).map(output_sql).collect();
    values.push(format!("{qualify} AS \"$q\""));
    let mut order = Vec::with_capacity(clauses.order.len());
    for (at, term) in clauses.order.iter().enumerate() {
        if term.starts_with(|c: char| c.is_ascii_digit()) {
            order.push(term.clone());
            continue;
        }
        let way = [" DESC NULLS FIRST", " NULLS LAST", " DESC"]
            .into_iter()
            .find(|way| term.ends_with(way))
            .unwrap_or_default();
        let value = &term[..term.len() - way.len()];
        values.push(format!("{value} AS \"$o{at}\""));
        order.push(format!("\"$o{at}\"{way}"));
    }
    format!(
        "SELECT {distinct}{} FROM (SELECT {}{}) WHERE \"$q\"{}{}",
        listed.join(", "),
        values.join(", "),
        from_to_having(clauses),
        ordered(&order),
        clauses.limit
    )
}

fn ordered(terms: &[String]) -> String {
    match terms {
        [] => String::new(),
        terms => format!(" ORDER BY {}", terms.join(", ")),
    }
}

/// Returns the SQL of the clauses from FROM to HAVING.
fn from_to_having(clauses: &Clauses) -> String {
    let mut sql = String::new();
    if !clauses.from.is_empty() {
        sql.extend([" FROM ", &clauses.from]);
    }
    if let Some(filter) = &clauses.filter {
        sql.extend([" WHERE ", filter]);
    }
    if !clauses.keys.is_empty() {
        let keys: Vec<_> = clauses.keys.iter().map(|key| guard_bare_integer(key)).collect();
        sql.extend([" GROUP BY ", &keys.join(", ")]);
    }
    if let Some(having) = &clauses.having {
        sql.extend([" HAVING ", having]);
    }
    sql
}
