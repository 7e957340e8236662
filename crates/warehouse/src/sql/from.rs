//! FROM: tables, views, queries, arrays, and how they are joined.

use std::rc::Rc;

use sqlparser::ast::{
    Ident, Join, JoinConstraint, JoinOperator, ObjectName, Query, Statement, TableAlias,
    TableFactor, TableWithJoins,
};

use super::Source;
use super::arrays;
use super::binder::Binder;
use super::coercion;
use super::expression::Expression;
use super::parse::parse;
use super::query::Rows;
use super::scope::{Column, Relation, quoted};
use super::wrong::{Bound, Wrong, type_name};
use crate::error::{Fault, Reason};
use crate::name::TableName;
use crate::types::{Field, Type};

/// Most views that are read one through the other.
const DEEPEST_VIEWS: usize = 16;

impl Binder<'_> {
    /// The SQL of a FROM clause. What it names is in scope after it.
    pub(super) fn from(&mut self, tables: &[TableWithJoins]) -> Bound<String> {
        let mut parts = Vec::with_capacity(tables.len());
        for (at, TableWithJoins { relation, joins }) in tables.iter().enumerate() {
            let turns = |join: &Join| {
                matches!(
                    join.join_operator,
                    JoinOperator::Right(_)
                        | JoinOperator::RightOuter(_)
                        | JoinOperator::FullOuter(_)
                )
            };
            if at > 0 && joins.iter().any(turns) {
                return Err(Wrong::at(
                    "RIGHT and FULL JOIN cannot follow a comma: write CROSS JOIN, or join in a subquery",
                    relation,
                ));
            }
            parts.push(self.joined(relation, joins)?);
        }
        Ok(parts.join(" CROSS JOIN "))
    }

    fn joined(&mut self, relation: &TableFactor, joins: &[Join]) -> Bound<String> {
        let mut sql = self.factor(relation)?;
        for join in joins {
            let Join {
                relation,
                global: false,
                join_operator,
            } = join
            else {
                return Err(Wrong::at("GLOBAL has no place in a join", join));
            };
            let (words, constraint) = operator(join_operator).map_err(|wrong| wrong.near(join))?;
            let before = self.scope().relations.len();
            let right = self.factor(relation)?;
            if right.starts_with("json_each") && matches!(words, "RIGHT JOIN" | "FULL JOIN") {
                return Err(Wrong::at(
                    "an array can be joined with CROSS, INNER and LEFT JOIN only",
                    join,
                ));
            }
            let on = self
                .constraint(constraint, words, before)
                .map_err(|wrong| wrong.near(join))?;
            sql = format!("{sql} {words} {right}{on}");
        }
        Ok(sql)
    }

    fn constraint(
        &mut self,
        constraint: &JoinConstraint,
        words: &str,
        before: usize,
    ) -> Bound<String> {
        match (constraint, words) {
            (JoinConstraint::Natural, _) => {
                Err("NATURAL JOIN is not supported: name the columns in USING".into())
            }
            (JoinConstraint::None, "CROSS JOIN") => Ok(String::new()),
            (_, "CROSS JOIN") => Err("CROSS JOIN takes no condition: write JOIN … ON".into()),
            (JoinConstraint::None, _) => {
                // An array that belongs to the row is joined to it without a condition.
                let is_array = self
                    .scope()
                    .relations
                    .last()
                    .is_some_and(|relation| relation.whole.is_some());
                match is_array {
                    true => Ok(" ON 1".into()),
                    false => {
                        Err(format!("{words} needs ON or USING; CROSS JOIN takes none").into())
                    }
                }
            }
            (JoinConstraint::On(condition), _) => Ok(format!(" ON {}", self.condition(condition)?)),
            (JoinConstraint::Using(names), _) => self.using(names, words, before),
        }
    }

    /// `USING`: columns that are equal, and one.
    fn using(&mut self, names: &[ObjectName], words: &str, before: usize) -> Bound<String> {
        let mut tests = Vec::with_capacity(names.len());
        for name in names {
            let ident = single(name)?;
            let at = self.scopes.len() - 1;
            let left = self.shared(ident, 0, before)?;
            let right = self.shared(ident, before, usize::MAX)?;
            let (a, b) = (self.take(at, &left, ident), self.take(at, &right, ident));
            let (values, of) =
                coercion::unify(vec![a, b]).map_err(|message| Wrong::at(message, ident))?;
            coercion::comparable(of.as_ref(), "USING")
                .map_err(|message| Wrong::at(message, ident))?;
            let [a, b] = values.as_slice() else {
                return Err("USING compares two columns".into());
            };
            tests.push(format!("{} = {}", a.sql, b.sql));
            let value = match words {
                "RIGHT JOIN" => b.clone(),
                "FULL JOIN" => Expression {
                    sql: format!("COALESCE({}, {})", a.sql, b.sql),
                    ..a.clone()
                },
                _ => a.clone(),
            };
            let merged = Column {
                name: left.name.clone(),
                value,
                origin: None,
                is_merged: false,
            };
            let scope = self.scope();
            scope
                .merged
                .retain(|column| !column.is_called(&ident.value));
            scope.merged.push(merged);
            for relation in &mut scope.relations {
                for column in &mut relation.columns {
                    column.is_merged |= column.is_called(&ident.value);
                }
            }
        }
        Ok(format!(" ON {}", tests.join(" AND ")))
    }

    /// The column of this name among some relations.
    fn shared(&mut self, name: &Ident, from: usize, to: usize) -> Bound<Column> {
        let scope = self.scope();
        if from == 0
            && let Some(merged) = scope
                .merged
                .iter()
                .find(|column| column.is_called(&name.value))
        {
            return Ok(merged.clone());
        }
        let relations = scope
            .relations
            .iter()
            .skip(from)
            .take(to.saturating_sub(from));
        let mut found = relations
            .flat_map(|relation| &relation.columns)
            .filter(|column| column.is_called(&name.value));
        match (found.next(), found.next()) {
            (Some(column), None) => Ok(column.clone()),
            (Some(_), Some(_)) => Err(Wrong::at(
                format!("Column {} in USING clause is ambiguous", name.value),
                name,
            )),
            (None, _) => Err(Wrong::at(
                format!(
                    "Column {} in USING clause not found on both sides of the join",
                    name.value
                ),
                name,
            )),
        }
    }

    fn factor(&mut self, factor: &TableFactor) -> Bound<String> {
        match factor {
            TableFactor::Table {
                name,
                alias,
                args: None,
                with_hints,
                version: None,
                with_ordinality: false,
                partitions,
                json_path: None,
                sample: None,
                index_hints,
            } if with_hints.is_empty() && partitions.is_empty() && index_hints.is_empty() => {
                self.table(name, alias.as_ref())
            }
            TableFactor::Table {
                name,
                version,
                sample,
                ..
            } => Err(Wrong::at(
                match (version, sample) {
                    (Some(_), _) => "tables keep no versions: leave out FOR SYSTEM_TIME",
                    (_, Some(_)) => {
                        "TABLESAMPLE is not supported: WHERE RAND() and LIMIT bound the rows"
                    }
                    _ => "a table is named, with an alias at most",
                },
                name,
            )),
            TableFactor::Derived {
                lateral: false,
                subquery,
                alias,
                sample: None,
            } => {
                let rows = self.aside(subquery)?;
                let name = alias.as_ref().map(table_alias).transpose()?;
                self.rows(rows, name)
            }
            TableFactor::UNNEST {
                alias,
                array_exprs,
                with_offset,
                with_offset_alias,
                with_ordinality: false,
            } => {
                let [array] = array_exprs.as_slice() else {
                    return Err(Wrong::at(
                        "UNNEST takes one array: join several by their offsets",
                        factor,
                    ));
                };
                let array_value = self.expr(array)?;
                let name = alias.as_ref().map(table_alias).transpose()?;
                let offset = with_offset.then(|| {
                    with_offset_alias
                        .as_ref()
                        .map_or("offset", |alias| &alias.value)
                });
                self.array_rows(&array_value, name, offset)
                    .map_err(|wrong| wrong.near(array))
            }
            TableFactor::NestedJoin {
                table_with_joins,
                alias: None,
            } => {
                let TableWithJoins { relation, joins } = table_with_joins.as_ref();
                match joins.is_empty() {
                    true => self.factor(relation),
                    false => Ok(format!("({})", self.joined(relation, joins)?)),
                }
            }
            TableFactor::Pivot { .. } | TableFactor::Unpivot { .. } => Err(Wrong::at(
                "PIVOT and UNPIVOT are not supported: use COUNTIF and SUM(IF(…)), or UNION ALL",
                factor,
            )),
            other => Err(Wrong::at(
                format!(
                    "{} is not supported in FROM",
                    super::exprs::cut(&other.to_string())
                ),
                other,
            )),
        }
    }

    /// A query in FROM: it does not see the tables beside it.
    fn aside(&mut self, query: &Query) -> Bound<Rows> {
        let scope = self.scope();
        let beside = (
            std::mem::take(&mut scope.relations),
            std::mem::take(&mut scope.merged),
        );
        let rows = self.query(query);
        let scope = self.scope();
        (scope.relations, scope.merged) = beside;
        rows
    }

    fn rows(&mut self, rows: Rows, name: Option<String>) -> Bound<String> {
        let alias = self.fresh();
        let columns = rows.columns.iter().enumerate();
        let columns = columns
            .map(|(at, output)| Column::of_query(output, &alias, at))
            .collect();
        self.add(Relation {
            name,
            columns,
            ..Relation::default()
        })?;
        Ok(format!("({}) AS {alias}", rows.sql))
    }

    fn add(&mut self, relation: Relation) -> Bound<()> {
        let scope = self.scope();
        if let Some(name) = &relation.name
            && scope.relations.iter().any(|known| known.is_called(name))
        {
            return Err(format!("Duplicate table alias {name} in the same FROM clause").into());
        }
        scope.relations.push(relation);
        Ok(())
    }

    fn table(&mut self, name: &ObjectName, alias: Option<&TableAlias>) -> Bound<String> {
        let idents = idents(name)?;
        let called = alias.map(table_alias).transpose()?;
        let implied = idents.last().map(|ident| ident.value.clone());
        let name_of = called.clone().or(implied);
        self.table_rows(&idents, called, name_of)
            .map_err(|wrong| wrong.near(name))
    }

    fn table_rows(
        &mut self,
        idents: &[Ident],
        called: Option<String>,
        name: Option<String>,
    ) -> Bound<String> {
        if let [only] = idents
            && let Some(at) = self
                .named
                .iter()
                .rposition(|known| known.name.eq_ignore_ascii_case(&only.value))
        {
            return self.named_rows(at, name);
        }
        let first = idents
            .first()
            .map(|ident| ident.value.as_str())
            .unwrap_or_default();
        let is_array = idents.len() > 1
            && self
                .scope()
                .relations
                .iter()
                .any(|relation| relation.is_called(first));
        if is_array {
            let array = self.path(idents)?;
            return self.array_rows(&array, called.or(name), None);
        }
        let table = self.table_name(idents)?;
        match self.catalog.find(&table)? {
            None => Err(self.no_table(&table)),
            Some(Source::Table { sql, fields }) => {
                self.reads.entry(table.clone()).or_default();
                let alias = self.fresh();
                self.add(Relation {
                    name,
                    columns: columns_of(&table, &fields, &alias),
                    ..Relation::default()
                })?;
                Ok(format!("{sql} AS {alias}"))
            }
            Some(Source::View { query }) => {
                let rows = self.view(&table, &query)?;
                self.rows(rows, name)
            }
        }
    }

    fn no_table(&self, table: &TableName) -> Wrong {
        let project = &self.session.project;
        Fault::not_found(format!("Not found: Table {project}:{table} was not found")).into()
    }

    /// A query that WITH named.
    fn named_rows(&mut self, at: usize, name: Option<String>) -> Bound<String> {
        let level = self.level;
        let known = &mut self.named[at];
        if let Some(recursion) = &mut known.recursion {
            recursion.uses += 1;
            if recursion.uses > 1 || recursion.level != level {
                return Err(format!(
                    "{} can name itself once, in the FROM of its last part, not in a subquery",
                    known.name
                )
                .into());
            }
        }
        let known = known.clone();
        let alias = self.fresh();
        let columns = known.columns.iter().enumerate();
        let columns = columns
            .map(|(at, output)| Column::of_query(output, &alias, at))
            .collect();
        self.add(Relation {
            name,
            columns,
            ..Relation::default()
        })?;
        Ok(format!("{} AS {alias}", known.sql))
    }

    /// The name of a table, its dataset and project filled in.
    pub(super) fn table_name(&self, idents: &[Ident]) -> Bound<TableName> {
        let parts: Vec<&str> = idents.iter().map(|ident| ident.value.as_str()).collect();
        let is_of_schema = |part: &&str| part.eq_ignore_ascii_case("INFORMATION_SCHEMA");
        if parts.iter().rev().skip(1).any(is_of_schema) {
            return Err(
                "INFORMATION_SCHEMA is not there: ask the API for datasets and tables".into(),
            );
        }
        let (dataset, table) =
            match parts.as_slice() {
                [table] => match &self.dataset {
                    Some(dataset) => (dataset.as_str(), *table),
                    None => return Err(format!(
                        "Table \"{table}\" must be qualified with a dataset (e.g. dataset.table)"
                    )
                    .into()),
                },
                [dataset, table] => (*dataset, *table),
                [project, dataset, table] => {
                    self.check_project(project)?;
                    (*dataset, *table)
                }
                _ => {
                    return Err(
                        "a table is named project.dataset.table, dataset.table or table".into(),
                    );
                }
            };
        TableName::parse(dataset, table).map_err(query_fault)
    }

    /// Err where a project is another.
    pub(super) fn check_project(&self, project: &str) -> Bound<()> {
        let own = &self.session.project;
        match project == own {
            true => Ok(()),
            false => Err(format!("there is no project {project:?} here, only {own:?}").into()),
        }
    }

    /// The rows of a view, which sees nothing of the statement that reads it.
    fn view(&mut self, name: &TableName, query: &str) -> Bound<Rows> {
        if self.views.len() == DEEPEST_VIEWS || self.views.contains(name) {
            return Err(format!(
                "the view {name} is read through itself, or through more than {DEEPEST_VIEWS} views"
            )
            .into());
        }
        let around = (
            std::mem::take(&mut self.scopes),
            std::mem::take(&mut self.named),
        );
        let dataset = self.dataset.replace(name.dataset.clone());
        self.views.push(name.clone());
        let rows = parse(query).and_then(|parsed| match parsed.statement {
            Statement::Query(query) => self.query(&query),
            _ => Err("it is no query".into()),
        });
        self.views.pop();
        self.dataset = dataset;
        (self.scopes, self.named) = around;
        rows.map_err(|wrong| wrong.in_view(name))
    }

    /// The elements of an array as rows.
    fn array_rows(
        &mut self,
        array: &Expression,
        name: Option<String>,
        offset: Option<&str>,
    ) -> Bound<String> {
        let Some(Type::Array(of)) = &array.of else {
            return Err(format!(
                "Values referenced in UNNEST must be arrays. UNNEST contains expression of type {}",
                type_name(array.of.as_ref())
            )
            .into());
        };
        let alias = self.fresh();
        let whole = arrays::element(&alias, of)?;
        let column = |name: Option<String>, value: Expression| Column {
            name,
            value,
            origin: None,
            is_merged: false,
        };
        let mut columns = Vec::new();
        for field in arrays::fields_of(of) {
            let value = arrays::member(whole.clone(), &field.name)?;
            columns.push(column(Some(field.name.clone()), value));
        }
        if !matches!(**of, Type::Struct(_)) {
            columns.push(column(name.clone(), whole.clone()));
        }
        let beside = offset.map(|offset| {
            column(
                Some(offset.to_owned()),
                Expression::new(format!("{alias}.\"key\""), Type::Integer),
            )
        });
        self.add(Relation {
            name,
            columns,
            whole: Some(whole),
            beside: beside.into_iter().collect(),
        })?;
        Ok(format!("json_each({}) AS {alias}", array.sql))
    }
}

/// The columns of a table with this alias.
pub(super) fn columns_of(table: &TableName, fields: &[Field], alias: &str) -> Vec<Column> {
    let table = Rc::new(table.clone());
    let column = |field: &Field| Column {
        name: Some(field.name.clone()),
        value: Expression::new(format!("{alias}.{}", quoted(&field.name)), field.of.clone()),
        origin: Some((Rc::clone(&table), field.name.clone())),
        is_merged: false,
    };
    fields.iter().map(column).collect()
}

/// A fault of a name, as one of the query.
pub(super) fn query_fault(fault: Fault) -> Wrong {
    Fault {
        reason: Reason::InvalidQuery,
        ..fault
    }
    .into()
}

/// The parts of a name.
pub(super) fn idents(name: &ObjectName) -> Bound<Vec<Ident>> {
    let idents = name.0.iter().map(|part| part.as_ident().cloned());
    idents
        .collect::<Option<_>>()
        .ok_or_else(|| Wrong::at("a name is needed here", name))
}

/// The one part of a name.
pub(super) fn single(name: &ObjectName) -> Bound<&Ident> {
    match name.0.as_slice() {
        [part] => part
            .as_ident()
            .ok_or_else(|| Wrong::at("a name is needed here", name)),
        _ => Err(Wrong::at(
            "the name of a column is needed here, without its table",
            name,
        )),
    }
}

/// The name that an alias gives.
pub(super) fn table_alias(alias: &TableAlias) -> Bound<String> {
    let TableAlias {
        explicit: _,
        name,
        columns,
        at: None,
    } = alias
    else {
        return Err(Wrong::at("AT has no place after an alias", &alias.name));
    };
    match columns.is_empty() && name.quote_style.is_none_or(|quote| quote == '`') {
        true => Ok(name.value.clone()),
        false => Err(Wrong::at(
            "an alias is a name, or a name in backticks; columns are named in the query",
            name,
        )),
    }
}

fn operator(operator: &JoinOperator) -> Bound<(&'static str, &JoinConstraint)> {
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
        _ => return Err("there are INNER, LEFT, RIGHT, FULL and CROSS JOIN".into()),
    })
}
