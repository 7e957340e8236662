//! The settings of a load job: `configuration.load`.

use jiff::tz::TimeZone;
use serde_json::Value;

use super::{Origin, TypedFields, layout};
use crate::grants::Grants;
use warehouse::engine::check_writable;
use warehouse::files::Address;
use warehouse::load::{Csv, Encoding, Format, Options, Updates};
use warehouse::store::{Disposition, Facts, Target};
use warehouse::{Fault, Field, schema};

#[derive(Debug, Clone)]
pub struct LoadWork {
    /// The addresses of the files. Empty if the data was sent with the job.
    pub addresses: Vec<Address>,
    /// The target and settings of the load.
    pub options: Options,
    /// The metadata of the table, if the job creates it.
    pub facts: Facts,
}

/// Maximum number of `sourceUris` in a job.
const MAX_SOURCE_URIS: usize = 10_000;

impl LoadWork {
    pub fn read(fields: &TypedFields<'_>, origin: Origin<'_>) -> Result<Self, Fault> {
        refuse_unsupported(fields)?;
        let Some(table) = fields.table("destinationTable", origin.project)? else {
            return Err(
                fields.invalid_field("destinationTable", "missing: specify the table to load into")
            );
        };
        check_writable(&table.dataset)?;
        let target = Target {
            create: fields.creates_table()?,
            ..Target::new(table, fields.disposition(Disposition::Append)?)
        };
        let mut options = Options::new(target, format(fields)?);
        options.fields = columns(fields)?;
        options.autodetect = fields.flag("autodetect")?.unwrap_or(false);
        options.updates = updates(fields)?;
        options.ignore_unknown = fields.flag("ignoreUnknownValues")?.unwrap_or(false);
        options.max_bad_rows = count(fields, "maxBadRecords")?.unwrap_or(0);
        options.zone = zone(fields)?;
        Ok(Self { addresses: addresses(fields, origin)?, options, facts: facts(fields)? })
    }

    /// Returns an error if the key's grants do not permit the job.
    pub fn check(&self, grants: Grants) -> Result<(), Fault> {
        Grants::require_grant(grants.writes_tables, "load data into a table")?;
        if self.addresses.is_empty() {
            Ok(())
        } else {
            Grants::require_grant(grants.reads_files, "read files")
        }
    }
}

/// Returns an error for unsupported options that would change the result. Options for unsupported
/// formats are ignored.
fn refuse_unsupported(fields: &TypedFields<'_>) -> Result<(), Fault> {
    fields.check_unused(
        &["referenceFileSchemaUri", "reservation", "schemaInlineFormat"],
        &[],
        &["useAvroLogicalTypes", "copyFilesOnly"],
    )?;
    fields.members("parquetOptions")?;
    for list in ["decimalTargetTypes", "projectionFields"] {
        fields.list(list)?;
    }
    let refused = [
        ("dateFormat", "write dates as 2026-11-21"),
        ("datetimeFormat", "write datetimes as 2026-11-21T07:05:00"),
        ("timeFormat", "write times as 07:05:00"),
        ("timestampFormat", "write timestamps as 2026-11-21 07:05:00 UTC"),
        ("destinationEncryptionConfiguration", "tables are not encrypted"),
        ("hivePartitioningOptions", "columns cannot be created from paths"),
        ("schemaInline", "set the columns in schema.fields"),
        ("jsonExtension", "load the features of a GeoJSON file as NEWLINE_DELIMITED_JSON"),
    ];
    for (name, remedy) in refused {
        let is_empty = match fields.value(name) {
            None => true,
            Some(Value::String(text)) => text.is_empty(),
            Some(Value::Object(members)) => members.is_empty(),
            Some(_) => false,
        };
        if !is_empty {
            return Err(fields.invalid_field(name, &format!("not supported: {remedy}")));
        }
    }
    if fields.flag("createSession")? == Some(true) {
        return Err(fields.invalid_field("createSession", "sessions are not supported"));
    }
    match fields.text("fileSetSpecType")? {
        Some("FILE_SET_SPEC_TYPE_NEW_LINE_DELIMITED_MANIFEST") => Err(fields.invalid_field(
            "fileSetSpecType",
            "file lists are not supported; list the files in sourceUris, with * for several files",
        )),
        _ => Ok(()),
    }
}

fn addresses(fields: &TypedFields<'_>, origin: Origin<'_>) -> Result<Vec<Address>, Fault> {
    let list = fields.list("sourceUris")?;
    match (list.is_empty(), origin.has_data) {
        (true, false) => {
            return Err(fields.invalid_field(
                "sourceUris",
                "missing: list the files to load, or upload data with the job",
            ));
        }
        (false, true) => {
            return Err(fields.invalid_field(
                "sourceUris",
                "must be empty, because data was uploaded with the job",
            ));
        }
        _ => {}
    }
    if list.len() > MAX_SOURCE_URIS {
        return Err(fields.invalid_field(
            "sourceUris",
            &format!("must have at most {MAX_SOURCE_URIS} addresses"),
        ));
    }
    list.iter()
        .map(|address| {
            let text = address.as_str().unwrap_or_default();
            Address::parse(text).map_err(|fault| fault.at(fields.place("sourceUris")))
        })
        .collect()
}

fn columns(fields: &TypedFields<'_>) -> Result<Option<Vec<Field>>, Fault> {
    let given = fields.members("schema")?;
    let columns = given.iter().find(|(name, _)| *name == "fields");
    match columns.map(|(_, columns)| *columns) {
        None | Some(Value::Null) => Ok(None),
        Some(list) => {
            let columns = schema::from_json(list, &format!("{}.fields", fields.place("schema")))?;
            Ok(Some(columns).filter(|columns| !columns.is_empty()))
        }
    }
}

fn updates(fields: &TypedFields<'_>) -> Result<Updates, Fault> {
    let mut updates = Updates::default();
    for option in fields.list("schemaUpdateOptions")? {
        match option.as_str() {
            Some("ALLOW_FIELD_ADDITION") => updates.adds = true,
            Some("ALLOW_FIELD_RELAXATION") => updates.relaxes = true,
            _ => {
                return Err(fields.invalid_field(
                    "schemaUpdateOptions",
                    &format!(
                        "must be one of ALLOW_FIELD_ADDITION, ALLOW_FIELD_RELAXATION, not {option}"
                    ),
                ));
            }
        }
    }
    Ok(updates)
}

fn count(fields: &TypedFields<'_>, name: &str) -> Result<Option<u64>, Fault> {
    fields
        .integer(name)?
        .map(|number| {
            u64::try_from(number).map_err(|_| fields.invalid_field(name, "must be at least 0"))
        })
        .transpose()
}

fn zone(fields: &TypedFields<'_>) -> Result<TimeZone, Fault> {
    match fields.text("timeZone")?.filter(|name| !name.is_empty()) {
        None | Some("UTC") => Ok(TimeZone::UTC),
        Some(name) => TimeZone::get(name).map_err(|_| {
            fields.invalid_field(
                "timeZone",
                &format!("unknown time zone {name:?}; use a name such as Europe/Paris"),
            )
        }),
    }
}

fn facts(fields: &TypedFields<'_>) -> Result<Facts, Fault> {
    let layout = layout::read(fields, None)?;
    if !fields.has("destinationTableProperties") {
        return Ok(Facts { layout, ..Facts::default() });
    }
    let given = fields.object("destinationTableProperties")?;
    let text = |name: &str| Ok::<_, Fault>(given.text(name)?.map(str::to_owned));
    Ok(Facts {
        description: text("description")?,
        friendly_name: text("friendlyName")?,
        labels: super::labels(&given)?,
        layout,
        ..Facts::default()
    })
}

fn format(fields: &TypedFields<'_>) -> Result<Format, Fault> {
    match fields.text("sourceFormat")?.unwrap_or("CSV") {
        "" | "CSV" => csv(fields).map(Format::Csv),
        "NEWLINE_DELIMITED_JSON" => match encoding(fields)? {
            Encoding::Utf8 => Ok(Format::Json),
            Encoding::Latin1 => Err(fields.invalid_field("encoding", "must be UTF-8 for JSON")),
        },
        other => Err(fields.invalid_field(
            "sourceFormat",
            &format!("{other} is not supported; use CSV or NEWLINE_DELIMITED_JSON"),
        )),
    }
}

fn csv(fields: &TypedFields<'_>) -> Result<Csv, Fault> {
    let default = Csv::default();
    let flag = |name: &str| Ok::<_, Fault>(fields.flag(name)?.unwrap_or(false));
    let skip = count(fields, "skipLeadingRows")?;
    let columns = ["SOURCE_COLUMN_MATCH_UNSPECIFIED", "POSITION", "NAME"];
    let by_name = fields.keyword("sourceColumnMatch", &columns)? == Some("NAME");
    if by_name && skip == Some(0) {
        return Err(fields.invalid_field(
            "skipLeadingRows",
            "must be at least 1, because columns are matched by the header",
        ));
    }
    Ok(Csv {
        delimiter: delimiter(fields)?,
        quote: match fields.text("quote")? {
            None => default.quote,
            Some("") => None,
            Some(text) => Some(character(fields, "quote", text)?),
        },
        quoted_newlines: flag("allowQuotedNewlines")?,
        jagged: flag("allowJaggedRows")?,
        null_markers: null_markers(fields)?.unwrap_or(default.null_markers),
        skip: if by_name { skip.or(Some(1)) } else { skip },
        by_name,
        encoding: encoding(fields)?,
        control_characters: flag("preserveAsciiControlCharacters")?,
    })
}

fn null_markers(fields: &TypedFields<'_>) -> Result<Option<Vec<String>>, Fault> {
    let list = fields.list("nullMarkers")?;
    let one = fields.text("nullMarker")?;
    match (one, list.is_empty()) {
        (Some(_), false) => {
            Err(fields.invalid_field("nullMarkers", "set nullMarker or nullMarkers, not both"))
        }
        (one, true) => Ok(one.map(|marker| vec![marker.to_owned()])),
        (None, false) => {
            let text = |marker: &Value| marker.as_str().map(str::to_owned);
            let markers: Option<Vec<String>> = list.iter().map(text).collect();
            markers
                .map(Some)
                .ok_or_else(|| fields.invalid_field("nullMarkers", "must be a list of strings"))
        }
    }
}

/// Reads `fieldDelimiter`: a character or the name of a character.
pub fn delimiter(fields: &TypedFields<'_>) -> Result<Option<u8>, Fault> {
    match fields.text("fieldDelimiter")? {
        None | Some("") => Ok(None),
        Some("\\t" | "tab") => Ok(Some(b'\t')),
        Some(text) => character(fields, "fieldDelimiter", text).map(Some),
    }
}

fn character(fields: &TypedFields<'_>, name: &str, text: &str) -> Result<u8, Fault> {
    match *text.as_bytes() {
        [byte] if byte.is_ascii() && !matches!(byte, b'\r' | b'\n' | 0) => Ok(byte),
        _ => Err(fields.invalid_field(name, &format!("must be one ASCII character, not {text:?}"))),
    }
}

fn encoding(fields: &TypedFields<'_>) -> Result<Encoding, Fault> {
    match fields.text("encoding")?.unwrap_or_default() {
        text if text.is_empty() || text.eq_ignore_ascii_case("UTF-8") => Ok(Encoding::Utf8),
        text if text.eq_ignore_ascii_case("ISO-8859-1") => Ok(Encoding::Latin1),
        text => Err(fields.invalid_field(
            "encoding",
            &format!("{text:?} is not supported; use UTF-8 or ISO-8859-1"),
        )),
    }
}
