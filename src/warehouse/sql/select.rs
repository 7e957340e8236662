//! SELECT.

use sqlparser::ast::{
    AccessExpr, Distinct, ExceptSelectItem, Expr, GroupByExpr, Ident, LimitClause, OrderBy,
    OrderByExpr, ReplaceSelectElement, ReplaceSelectItem, Select, SelectFlavor, SelectItem,
    SelectItemQualifiedWildcardKind, Value, ValueTableMode, ValueWithSpan,
    WildcardAdditionalOptions,
};

use super::binder::{Binder, did_you_mean};
use super::coercion::comparable;
use super::expression::Expression;
use super::from::idents;
use super::names::struct_value;
use super::order::{direction, steady, terms};
use super::query::Rows;
use super::scope::{Alias, Clause, Column, Loose, Output, Scope, output_sql};
use super::wrong::{Bound, Wrong};
use crate::warehouse::types::Type;

/// Most columns of a query. SQLite takes 2,000 terms.
const MOST_COLUMNS: usize = 1900;

/// An entry of the SELECT list, `*` written out.
enum Item<'s> {
    Expr(&'s Expr, Option<String>),
    Column(Column, &'s WildcardAdditionalOptions),
    /// A field of `SELECT x.*`, and the columns it is taken from.
    Field(Expression, Option<String>, Vec<Loose>),
}

/// An entry of the SELECT list, bound.
struct Bind {
    name: Option<String>,
    value: Expression,
}

/// The clauses of a SELECT, in SQLite's words.
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
    pub fn select(
        &mut self,
        select: &Select,
        order: Option<&OrderBy>,
        limit: Option<&LimitClause>,
    ) -> Bound<Rows> {
        refuse(select).map_err(|wrong| wrong.near(select))?;
        self.scopes.push(Scope::default());
        let bound = self.clauses(select, order, limit);
        let scope = self.scopes.pop();
        let (items, clauses) = bound.map_err(|wrong| wrong.near(select))?;
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
        Ok(Rows {
            sql: said(&items, &clauses),
            columns,
            is_plain,
            is_computed,
        })
    }

    fn clauses(
        &mut self,
        select: &Select,
        order: Option<&OrderBy>,
        limit: Option<&LimitClause>,
    ) -> Bound<(Vec<Bind>, Clauses)> {
        let mut clauses = Clauses {
            is_distinct: is_distinct(select)?,
            from: self.from(&select.from)?,
            ..Clauses::default()
        };
        self.scope().clause = Clause::Where;
        clauses.filter = select
            .selection
            .as_ref()
            .map(|filter| self.condition(filter))
            .transpose()?;
        let list = self.items(&select.projection)?;
        self.scope().loose.clear();
        self.scope().clause = Clause::GroupBy;
        clauses.keys = self.keys(&select.group_by, &list)?;
        let scope = self.scope();
        scope.keys.clone_from(&clauses.keys);
        scope.loose.clear();
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
            let fields = items
                .into_iter()
                .map(|item| (item.name, item.value))
                .collect();
            items = vec![Bind {
                name: None,
                value: struct_value(fields)?,
            }];
        }
        let in_list = self.scope().aggregates;
        self.scope().clause = Clause::Having;
        clauses.having = select
            .having
            .as_ref()
            .map(|having| self.condition(having))
            .transpose()?;
        self.scope().clause = Clause::Qualify;
        clauses.qualify = select
            .qualify
            .as_ref()
            .map(|qualify| self.condition(qualify))
            .transpose()?;
        let before_order = self.scope().aggregates;
        self.scope().clause = Clause::OrderBy;
        let values: Vec<Expression> = items.iter().map(|item| item.value.clone()).collect();
        for term in order.map(terms).transpose()?.into_iter().flatten() {
            clauses
                .order
                .push(self.order_term(term, &values, clauses.is_distinct)?);
        }
        clauses.limit = self.limit(limit)?;
        self.check_groups(&clauses, select, in_list, before_order)?;
        if clauses.is_distinct {
            for item in &items {
                comparable(item.value.of.as_ref(), "SELECT DISTINCT")?;
            }
        }
        Ok((items, clauses))
    }

    /// Err where a column has no one value for a group.
    fn check_groups(
        &mut self,
        clauses: &Clauses,
        select: &Select,
        in_list: usize,
        before_order: usize,
    ) -> Bound<()> {
        let scope = self.scope();
        let is_grouped = !clauses.keys.is_empty() || scope.aggregates > 0;
        if let (true, Some(loose)) = (is_grouped, scope.loose.first()) {
            let message = format!(
                "{} is neither grouped nor aggregated: add it to GROUP BY, or take ANY_VALUE of it",
                loose.name
            );
            return Err(Wrong::place(message, loose.at));
        }
        if let (Some(having), true) = (&select.having, clauses.keys.is_empty() && in_list == 0) {
            return Err(Wrong::at(
                "HAVING needs GROUP BY or an aggregate in the SELECT list: WHERE filters rows",
                having,
            ));
        }
        if let (Some(qualify), true) = (
            &select.qualify,
            clauses.keys.is_empty() && in_list == 0 && before_order > 0,
        ) {
            return Err(Wrong::at(
                "an aggregate in QUALIFY needs GROUP BY or an aggregate in the SELECT list",
                qualify,
            ));
        }
        match before_order == 0 && clauses.keys.is_empty() && scope.aggregates > 0 {
            true => Err(
                "an aggregate in ORDER BY needs GROUP BY or an aggregate in the SELECT list".into(),
            ),
            false => Ok(()),
        }
    }

    /// The SELECT list, `*` written out.
    fn items<'s>(&mut self, projection: &'s [SelectItem]) -> Bound<Vec<Item<'s>>> {
        let mut items = Vec::with_capacity(projection.len());
        for item in projection {
            match item {
                SelectItem::UnnamedExpr(expr) => items.push(Item::Expr(expr, implied_name(expr))),
                SelectItem::ExprWithAlias { expr, alias } => {
                    items.push(Item::Expr(expr, Some(alias_name(alias)?)))
                }
                SelectItem::ExprWithAliases { expr, .. } => {
                    return Err(Wrong::at("a value has one alias", expr));
                }
                SelectItem::Wildcard(options) => {
                    let columns = self.all_columns().map_err(|wrong| wrong.near(item))?;
                    let columns = columns
                        .into_iter()
                        .map(|column| Item::Column(column, options))
                        .collect();
                    items.extend(starred(columns, options)?);
                }
                SelectItem::QualifiedWildcard(kind, options) => {
                    let columns = self
                        .qualified(kind, options)
                        .map_err(|wrong| wrong.near(item))?;
                    items.extend(starred(columns, options)?);
                }
            }
            if items.len() > MOST_COLUMNS {
                return Err(Wrong::at(
                    format!("a query gives at most {MOST_COLUMNS} columns"),
                    item,
                ));
            }
        }
        match items.is_empty() {
            true => Err("SELECT needs at least one column".into()),
            false => Ok(items),
        }
    }

    fn all_columns(&mut self) -> Bound<Vec<Column>> {
        let scope = self.scope();
        if scope.relations.is_empty() {
            return Err("SELECT * must have a FROM clause".into());
        }
        let own = scope
            .relations
            .iter()
            .flat_map(|relation| relation.columns.iter().chain(&relation.beside));
        let own = own.filter(|column| !column.is_merged);
        Ok(scope.merged.iter().chain(own).cloned().collect())
    }

    fn qualified<'s>(
        &mut self,
        kind: &'s SelectItemQualifiedWildcardKind,
        options: &'s WildcardAdditionalOptions,
    ) -> Bound<Vec<Item<'s>>> {
        if let SelectItemQualifiedWildcardKind::ObjectName(name) = kind {
            let names = idents(name)?;
            let scope = self.scope();
            if let [only] = names.as_slice()
                && let Some(relation) = scope
                    .relations
                    .iter()
                    .find(|relation| relation.is_called(&only.value))
            {
                return Ok(relation
                    .columns
                    .iter()
                    .map(|column| Item::Column(column.clone(), options))
                    .collect());
            }
            let mark = self.scope().loose.len();
            let value = self.path(&names)?;
            return fields(value, self.scope().loose.split_off(mark));
        }
        match kind {
            SelectItemQualifiedWildcardKind::Expr(expr) => {
                let mark = self.scope().loose.len();
                let value = self.expr(expr)?;
                fields(value, self.scope().loose.split_off(mark))
            }
            SelectItemQualifiedWildcardKind::ObjectName(_) => Ok(Vec::new()),
        }
    }

    fn item(&mut self, item: &Item) -> Bound<Bind> {
        let (name, value) = match item {
            Item::Expr(expr, name) => (name.clone(), self.expr(expr)?),
            Item::Column(column, options) => {
                let at = self.scopes.len() - 1;
                (
                    column.name.clone(),
                    self.take(at, column, &options.wildcard_token.0),
                )
            }
            Item::Field(value, name, loose) => {
                let scope = self.scope();
                let keys = &scope.keys;
                let loose = loose.iter().filter(|column| !keys.contains(&column.sql));
                scope.loose.extend(loose.cloned());
                (name.clone(), value.clone())
            }
        };
        Ok(Bind { name, value })
    }

    /// One item, and as one that others refer to by its name.
    fn aliased(&mut self, item: &Item) -> Bound<(Bind, Option<Alias>)> {
        let scope = self.scope();
        let met = (scope.aggregates, scope.calls_over);
        let bound = self.item(item)?;
        let scope = self.scope();
        let alias = bound.name.clone().map(|name| Alias {
            name,
            value: bound.value.clone(),
            has_aggregate: scope.aggregates > met.0,
            has_window: scope.calls_over > met.1,
        });
        Ok((bound, alias))
    }

    /// What rows are grouped by.
    fn keys(&mut self, group_by: &GroupByExpr, items: &[Item]) -> Bound<Vec<String>> {
        let exprs = match group_by {
            GroupByExpr::All(modifiers) if modifiers.is_empty() => return self.all_keys(items),
            GroupByExpr::Expressions(exprs, modifiers) if modifiers.is_empty() => exprs,
            other => {
                return Err(Wrong::at(
                    "WITH ROLLUP, CUBE and TOTALS are not supported: UNION ALL the groupings",
                    other,
                ));
            }
        };
        let mut keys = Vec::with_capacity(exprs.len());
        for expr in exprs {
            let key = self.key(expr, items).map_err(|wrong| wrong.near(expr))?;
            comparable(key.of.as_ref(), "GROUP BY").map_err(|message| Wrong::at(message, expr))?;
            keys.push(key.sql);
        }
        Ok(keys)
    }

    fn key(&mut self, expr: &Expr, items: &[Item]) -> Bound<Expression> {
        let found = match expr {
            Expr::Value(ValueWithSpan {
                value: Value::Number(digits, _),
                span: _,
            }) => {
                let place = digits
                    .parse::<usize>()
                    .ok()
                    .and_then(|place| place.checked_sub(1));
                let found = place.and_then(|place| items.get(place));
                Some(found.ok_or_else(|| {
                    format!(
                        "GROUP BY {digits}: the SELECT list has {} columns",
                        items.len()
                    )
                })?)
            }
            Expr::Value(_) => return Err("Cannot GROUP BY literal values".into()),
            Expr::Rollup(_) | Expr::Cube(_) | Expr::GroupingSets(_) => {
                return Err(
                    "ROLLUP, CUBE and GROUPING SETS are not supported: UNION ALL the groupings"
                        .into(),
                );
            }
            Expr::Identifier(name) if !self.is_column(name) => {
                items.iter().find(|item| item.is_called(name))
            }
            _ => None,
        };
        match found {
            Some(item) => Ok(self.item(item)?.value),
            None => self.expr(expr),
        }
    }

    fn is_column(&mut self, name: &Ident) -> bool {
        let scope = self.scope();
        let own = scope
            .relations
            .iter()
            .flat_map(|relation| relation.columns.iter().chain(&relation.beside));
        own.chain(&scope.merged)
            .any(|column| column.is_called(&name.value))
    }

    /// `GROUP BY ALL`: what has columns outside of aggregates.
    fn all_keys(&mut self, items: &[Item]) -> Bound<Vec<String>> {
        let met = (self.scope().aggregates, self.scope().calls_over);
        self.scope().clause = Clause::Select;
        let mut keys = Vec::new();
        for item in items {
            self.scope().loose.clear();
            let before = (self.scope().aggregates, self.scope().calls_over);
            let value = self.item(item)?.value;
            let scope = self.scope();
            let is_computed = (scope.aggregates, scope.calls_over) != before;
            if !scope.loose.is_empty() && !is_computed {
                comparable(value.of.as_ref(), "GROUP BY")?;
                keys.push(value.sql);
            }
        }
        (self.scope().aggregates, self.scope().calls_over) = met;
        Ok(keys)
    }

    /// A term of the ORDER BY of a query.
    pub fn order_term(
        &mut self,
        term: &OrderByExpr,
        items: &[Expression],
        is_distinct: bool,
    ) -> Bound<String> {
        let OrderByExpr {
            expr,
            options,
            with_fill: None,
        } = term
        else {
            return Err(Wrong::at("WITH FILL is not supported", term));
        };
        let way = direction(options).map_err(|wrong| wrong.near(expr))?;
        let place = match expr {
            Expr::Value(ValueWithSpan {
                value: Value::Number(digits, _),
                span: _,
            }) => {
                let place = digits
                    .parse::<usize>()
                    .ok()
                    .filter(|place| (1..=items.len()).contains(place));
                Some(place.ok_or_else(|| {
                    Wrong::at(
                        format!(
                            "ORDER BY {digits}: the SELECT list has {} columns",
                            items.len()
                        ),
                        expr,
                    )
                })?)
            }
            _ => None,
        };
        let (sql, of) = match place {
            Some(place) => (place.to_string(), items[place - 1].of.clone()),
            None => {
                let bound = self.expr(expr)?;
                let place = items.iter().position(|item| item.sql == bound.sql);
                let sql = match place {
                    Some(place) => (place + 1).to_string(),
                    None if is_distinct => {
                        return Err(Wrong::at(
                            "ORDER BY of SELECT DISTINCT takes what the SELECT list has",
                            expr,
                        ));
                    }
                    None => steady(&bound.sql).into_owned(),
                };
                (sql, bound.of)
            }
        };
        comparable(of.as_ref(), "ORDER BY").map_err(|message| Wrong::at(message, expr))?;
        Ok(format!("{sql}{way}"))
    }
}

impl Item<'_> {
    fn name(&self) -> Option<&str> {
        match self {
            Self::Expr(_, name) | Self::Field(_, name, _) => name.as_deref(),
            Self::Column(column, _) => column.name.as_deref(),
        }
    }

    fn is_called(&self, name: &Ident) -> bool {
        self.name()
            .is_some_and(|known| known.eq_ignore_ascii_case(&name.value))
    }
}

fn fields<'s>(value: Expression, loose: Vec<Loose>) -> Bound<Vec<Item<'s>>> {
    let Some(Type::Struct(fields)) = value.of.clone() else {
        return Err(".* needs a table or a STRUCT before it".into());
    };
    let item = |field: &crate::warehouse::types::Field| {
        super::arrays::member(value.clone(), &field.name)
            .map(|value| Item::Field(value, Some(field.name.clone()), loose.clone()))
    };
    fields.iter().map(item).collect()
}

/// What `*` stands for, less EXCEPT and with REPLACE.
fn starred<'s>(
    mut items: Vec<Item<'s>>,
    options: &'s WildcardAdditionalOptions,
) -> Bound<Vec<Item<'s>>> {
    let WildcardAdditionalOptions {
        wildcard_token: _,
        opt_ilike: None,
        opt_exclude: None,
        opt_except,
        opt_replace,
        opt_rename: None,
        opt_alias: None,
    } = options
    else {
        return Err(Wrong::at("* takes EXCEPT and REPLACE only", options));
    };
    if let Some(ExceptSelectItem {
        first_element,
        additional_elements,
    }) = opt_except
    {
        for name in std::iter::once(first_element).chain(additional_elements) {
            let had = items.len();
            let known: Vec<String> = items
                .iter()
                .filter_map(|item| item.name().map(str::to_owned))
                .collect();
            items.retain(|item| !item.is_called(name));
            if items.len() == had {
                let hint = did_you_mean(&name.value, known.iter().map(String::as_str));
                return Err(Wrong::at(
                    format!(
                        "Column {} in SELECT * EXCEPT list does not exist{hint}",
                        name.value
                    ),
                    name,
                ));
            }
        }
    }
    if let Some(ReplaceSelectItem { items: replaced }) = opt_replace {
        for element in replaced {
            let ReplaceSelectElement {
                expr,
                column_name,
                as_keyword: _,
            } = element.as_ref();
            let Some(found) = items.iter_mut().find(|item| item.is_called(column_name)) else {
                return Err(Wrong::at(
                    format!(
                        "Column {} in SELECT * REPLACE list does not exist",
                        column_name.value
                    ),
                    column_name,
                ));
            };
            *found = Item::Expr(expr, found.name().map(str::to_owned));
        }
    }
    Ok(items)
}

/// The name that a value has without an alias: that of its column or field.
pub fn implied_name(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Identifier(name) => Some(name.value.clone()).filter(|name| !name.starts_with('@')),
        Expr::CompoundIdentifier(path) => path.last().map(|name| name.value.clone()),
        Expr::CompoundFieldAccess { access_chain, .. } => match access_chain.last() {
            Some(AccessExpr::Dot(Expr::Identifier(name))) => Some(name.value.clone()),
            _ => None,
        },
        Expr::Nested(inner) => implied_name(inner),
        _ => None,
    }
}

fn alias_name(alias: &Ident) -> Bound<String> {
    match alias.quote_style {
        None | Some('`') => Ok(alias.value.clone()),
        Some(_) => Err(Wrong::at(
            "an alias is a name, or a name in backticks",
            alias,
        )),
    }
}

fn is_distinct(select: &Select) -> Bound<bool> {
    match &select.distinct {
        None | Some(Distinct::All) => Ok(false),
        Some(Distinct::Distinct) => Ok(true),
        Some(Distinct::On(_)) => {
            Err("DISTINCT ON is not supported: use ROW_NUMBER and QUALIFY".into())
        }
    }
}

/// Err where a SELECT has a clause of another dialect.
fn refuse(select: &Select) -> Bound<()> {
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
        return Err("a query begins with SELECT: write SELECT * FROM …".into());
    }
    if !matches!(value_table_mode, None | Some(ValueTableMode::AsStruct)) {
        return Err("of SELECT AS only SELECT AS STRUCT is supported".into());
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
    match is_standard {
        true => Ok(()),
        false => Err("the SELECT has a clause of another dialect: there are FROM, WHERE, GROUP BY, HAVING, QUALIFY, WINDOW, ORDER BY and LIMIT".into()),
    }
}

/// The SQL of a SELECT.
fn said(items: &[Bind], clauses: &Clauses) -> String {
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
            rest(clauses),
            clauses.limit
        );
    };
    // SQLite has no QUALIFY: a query around this one filters, and orders by what this one computes.
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
        rest(clauses),
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

/// From FROM to HAVING.
fn rest(clauses: &Clauses) -> String {
    let mut sql = String::new();
    if !clauses.from.is_empty() {
        sql.extend([" FROM ", &clauses.from]);
    }
    if let Some(filter) = &clauses.filter {
        sql.extend([" WHERE ", filter]);
    }
    if !clauses.keys.is_empty() {
        let keys: Vec<_> = clauses.keys.iter().map(|key| steady(key)).collect();
        sql.extend([" GROUP BY ", &keys.join(", ")]);
    }
    if let Some(having) = &clauses.having {
        sql.extend([" HAVING ", having]);
    }
    sql
}
