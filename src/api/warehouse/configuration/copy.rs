//! The settings of a copy job: `configuration.copy`.

use jiff::Timestamp;
use serde_json::Value;

use super::{Origin, TypedFields};
use crate::grants::Grants;
use model::rfc3339;
use warehouse::engine::check_writable;
use warehouse::store::{Disposition, Target};
use warehouse::{Fault, TableName};

#[derive(Debug, Clone)]
pub struct CopyWork {
    pub sources: Vec<TableName>,
    pub target: Target,
}

const MAX_TABLES: usize = 1200;

impl CopyWork {
    pub fn read(fields: &TypedFields<'_>, origin: Origin<'_>) -> Result<Self, Fault> {
        if let Some(other) = fields
            .text("operationType")?
            .filter(|kind| !matches!(*kind, "" | "COPY" | "OPERATION_TYPE_UNSPECIFIED"))
        {
            return Err(fields
                .invalid_field("operationType", &format!("{other} is not supported; use COPY")));
        }
        let is_encrypted =
            |value: &Value| value.as_object().is_none_or(|members| !members.is_empty());
        if fields.value("destinationEncryptionConfiguration").is_some_and(is_encrypted) {
            return Err(fields.invalid_field(
                "destinationEncryptionConfiguration",
                "not supported: tables are not encrypted",
            ));
        }
        let Some(table) = fields.table("destinationTable", origin.project)? else {
            return Err(
                fields.invalid_field("destinationTable", "missing: specify the table to copy to")
            );
        };
        check_writable(&table.dataset)?;
        Ok(Self {
            sources: sources(fields, origin)?,
            target: Target {
                create: fields.creates_table()?,
                expires: expires(fields)?,
                ..Target::new(table, fields.disposition(Disposition::Empty)?)
            },
        })
    }

    /// Returns an error if the key's grants do not permit the job.
    pub fn check(&self, grants: Grants) -> Result<(), Fault> {
        Grants::require_grant(grants.reads_tables, "read tables")?;
        Grants::require_grant(grants.writes_tables, "copy to a table")
    }
}

/// Reads `sourceTables` or `sourceTable`.
fn sources(fields: &TypedFields<'_>, origin: Origin<'_>) -> Result<Vec<TableName>, Fault> {
    let one = fields.table("sourceTable", origin.project)?;
    let list = fields.list("sourceTables")?;
    if one.is_some() != list.is_empty() || list.len() > MAX_TABLES {
        return Err(fields.invalid_field(
            "sourceTables",
            &format!("list 1 to {MAX_TABLES} tables to copy, or set sourceTable, but not both"),
        ));
    }
    let listed = list.iter().enumerate().map(|(at, json)| {
        let place = format!("sourceTables[{at}]");
        let holder = serde_json::json!({ "table": json });
        let found =
            TypedFields::of(&holder, &fields.place(&place))?.table("table", origin.project)?;
        found.ok_or_else(|| fields.invalid_field(&place, "must be a table"))
    });
    one.into_iter().map(Ok).chain(listed).collect()
}

fn expires(fields: &TypedFields<'_>) -> Result<Option<Timestamp>, Fault> {
    let name = "destinationExpirationTime";
    match fields.text(name)?.filter(|text| !text.is_empty()) {
        None => Ok(None),
        Some(text) => rfc3339::instant(text).map(Some).ok_or_else(|| {
            fields.invalid_field(name, "must be a time such as 2026-11-21T07:05:00Z")
        }),
    }
}
