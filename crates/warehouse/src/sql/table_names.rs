//! Names of tables and their aliases, as statements write them.

use sqlparser::ast::{Ident, ObjectName, TableAlias};

use super::binder::Binder;
use super::wrong::{Bound, Wrong};
use crate::error::{Fault, Reason};
use crate::name::TableName;

impl Binder<'_> {
    /// The name of a table, its dataset and project filled in.
    pub(super) fn table_name(&self, idents: &[Ident]) -> Bound<TableName> {
        let parts: Vec<&str> = idents.iter().map(|ident| ident.value.as_str()).collect();
        let is_of_schema = |part: &&str| part.eq_ignore_ascii_case("INFORMATION_SCHEMA");
        if parts.iter().rev().skip(1).any(is_of_schema) {
            return Err(
                "INFORMATION_SCHEMA is not there: ask the API for datasets and tables".into()
            );
        }
        let (dataset, table) = match parts.as_slice() {
            [table] => {
                match &self.dataset {
                    Some(dataset) => (dataset.as_str(), *table),
                    None => return Err(format!(
                        "Table \"{table}\" must be qualified with a dataset (e.g. dataset.table)"
                    )
                    .into()),
                }
            }
            [dataset, table] => (*dataset, *table),
            [project, dataset, table] => {
                self.check_project(project)?;
                (*dataset, *table)
            }
            _ => {
                return Err("a table is named project.dataset.table, dataset.table or table".into());
            }
        };
        TableName::parse(dataset, table).map_err(query_fault)
    }

    /// Err where a name has another project than the statement's.
    pub(super) fn check_project(&self, project: &str) -> Bound<()> {
        let own = &self.session.project;
        if project == own {
            Ok(())
        } else {
            Err(format!("there is no project {project:?} here, only {own:?}").into())
        }
    }
}

/// A fault of a name, as one of the query.
pub(super) fn query_fault(fault: Fault) -> Wrong {
    Fault { reason: Reason::InvalidQuery, ..fault }.into()
}

/// The parts of a name.
pub(super) fn idents(name: &ObjectName) -> Bound<Vec<Ident>> {
    let idents = name.0.iter().map(|part| part.as_ident().cloned());
    idents.collect::<Option<_>>().ok_or_else(|| Wrong::at("a name is needed here", name))
}

/// The one part of a name.
pub(super) fn single(name: &ObjectName) -> Bound<&Ident> {
    match name.0.as_slice() {
        [part] => part.as_ident().ok_or_else(|| Wrong::at("a name is needed here", name)),
        _ => Err(Wrong::at("the name of a column is needed here, without its table", name)),
    }
}

/// The name that an alias gives.
pub(super) fn table_alias(alias: &TableAlias) -> Bound<String> {
    let TableAlias { explicit: _, name, columns, at: None } = alias else {
        return Err(Wrong::at("AT has no place after an alias", &alias.name));
    };
    if columns.is_empty() && name.quote_style.is_none_or(|quote| quote == '`') {
        Ok(name.value.clone())
    } else {
        Err(Wrong::at(
            "an alias is a name, or a name in backticks; columns are named in the query",
            name,
        ))
    }
}
