//! The settings of an export job: `configuration.extract`.

use super::load::delimiter;
use super::{Origin, TypedFields};
use crate::grants::Grants;
use warehouse::export::{Compression, Format, Options};
use warehouse::files::Address;
use warehouse::{Fault, TableName};

#[derive(Debug, Clone)]
pub struct ExtractWork {
    pub table: TableName,
    /// The destination and format of the files.
    pub options: Options,
}

impl ExtractWork {
    pub fn read(fields: &TypedFields<'_>, origin: Origin<'_>) -> Result<Self, Fault> {
        if fields.has("sourceModel") {
            return Err(fields.invalid_field("sourceModel", "models are not supported"));
        }
        fields.check_unused(&[], &[], &["useAvroLogicalTypes"])?;
        let Some(table) = fields.table("sourceTable", origin.project)? else {
            return Err(fields.invalid_field("sourceTable", "missing: specify the table to export"));
        };
        let mut options = Options::new(address(fields)?, format(fields)?);
        options.compression = compression(fields)?;
        Ok(Self { table, options })
    }

    /// Returns an error if the key's grants do not permit the job.
    pub fn check(&self, grants: Grants) -> Result<(), Fault> {
        Grants::require_grant(grants.reads_tables, "read tables")?;
        Grants::require_grant(grants.writes_files, "write files")
    }
}

/// Reads the address in `destinationUris`, which must have one entry, or in `destinationUri`.
fn address(fields: &TypedFields<'_>) -> Result<Address, Fault> {
    let list = fields.list("destinationUris")?;
    let (name, text) = match (list, fields.text("destinationUri")?) {
        ([one], _) => ("destinationUris", one.as_str().unwrap_or_default()),
        ([], Some(one)) => ("destinationUri", one),
        _ => {
            return Err(fields.invalid_field(
                "destinationUris",
                "must be one address; use * in the address to write several files",
            ));
        }
    };
    Address::parse(text).map_err(|fault| fault.at(fields.place(name)))
}

fn format(fields: &TypedFields<'_>) -> Result<Format, Fault> {
    match fields.text("destinationFormat")?.unwrap_or("CSV") {
        "" | "CSV" => Ok(Format::Csv {
            delimiter: delimiter(fields)?.unwrap_or(b','),
            header: fields.flag("printHeader")?.unwrap_or(true),
        }),
        "NEWLINE_DELIMITED_JSON" => Ok(Format::Json),
        other => Err(fields.invalid_field(
            "destinationFormat",
            &format!("{other} is not supported; use CSV or NEWLINE_DELIMITED_JSON"),
        )),
    }
}

fn compression(fields: &TypedFields<'_>) -> Result<Compression, Fault> {
    match fields.text("compression")?.unwrap_or("NONE") {
        "" | "NONE" => Ok(Compression::None),
        "GZIP" => Ok(Compression::Gzip),
        other => Err(fields
            .invalid_field("compression", &format!("{other} is not supported; use NONE or GZIP"))),
    }
}
