//! Converts the names of tables and aliases in statements.

use sqlparser::ast::{Ident, ObjectName, TableAlias};

use super::bind_error::{BindError, BindResult};
use super::binder::Binder;
use crate::error::{Fault, Reason};
use crate::name::TableName;

impl Binder<'_> {
    /// Returns the full name of a table. If the dataset is missing, uses the default dataset.
    pub(super) fn table_name(&self, idents: &[Ident]) -> BindResult<TableName> {
        let parts: Vec<&str> = idents.iter().map(|ident| ident.value.as_str()).collect();
        let is_of_schema = |part: &&str| part.eq_ignore_ascii_case("INFORMATION_SCHEMA");
        if parts.iter().rev().skip(1).any(is_of_schema) {
            return Err(
                "INFORMATION_SCHEMA is not supported: list datasets and tables with the API".into(),
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
                        "a table must be written as project.dataset.table, dataset.table or table"
                            .into(),
                    );
                }
            };
        TableName::parse(dataset, table).map_err(query_fault)
    }

    /// Returns an error if a name's project is not the project of the session.
    pub(super) fn check_project(&self, project: &str) -> BindResult<()> {
        let own = &self.session.project;
        if project == own {
            Ok(())
        } else {
            Err(format!("unknown project {project:?}: use the project of the request, {own:?}")
                .into())
        }
    }
}

/// Converts a fault about a name to an invalid query error.
pub(super) fn query_fault(fault: Fault) -> BindError {
    Fault { reason: Reason::InvalidQuery, ..fault }.into()
}

/// Returns the parts of a dotted name.
pub(super) fn idents(name: &ObjectName) -> BindResult<Vec<Ident>> {
    let idents = name.0.iter().map(|part| part.as_ident().cloned());
    idents.collect::<Option<_>>().ok_or_else(|| BindError::at("a name is required here", name))
}

/// Returns the only part of a name, or an error if the name has several parts.
pub(super) fn single(name: &ObjectName) -> BindResult<&Ident> {
    match name.0.as_slice() {
        [part] => part.as_ident().ok_or_else(|| BindError::at("a name is required here", name)),
        _ => Err(BindError::at("a column name without its table is required here", name)),
    }
}

/// Returns the name of a table alias.
pub(super) fn table_alias(alias: &TableAlias) -> BindResult<String> {
    let TableAlias { explicit: _, name, columns, at: None } = alias else {
        return Err(BindError::at("AT is not supported after an alias", &alias.name));
    };
    if columns.is_empty() && name.quote_style.is_none_or(|quote| quote == '`') {
        Ok(name.value.clone())
    } else {
        Err(BindError::at(
            "an alias must be a name, optionally in backticks; rename columns in the query",
            name,
        ))
    }
}
