//! `site.journal`: changes that programs made to the site.

use std::collections::HashMap;

use warehouse::{Fault, Type};

use super::column::{Column, column, fields, instant, number, optional_text, required, text};
use super::rows::Rows;
use super::{Live, SiteTables};
use state::{ENVIRONMENT_KEY, JournalEntry, JournalQuery};

pub(super) const TABLE: Live = Live {
    name: "journal",
    about: "Every change made by APIs and hooks, oldest first.",
    fields: || fields(columns()),
    fill,
};

struct Row<'a> {
    at: usize,
    entry: JournalEntry,
    key: Option<&'a str>,
}

fn fill(site: &SiteTables<'_>, into: &Rows<'_>) -> Result<(), Fault> {
    let entries = site.state.journal(JournalQuery::default());
    let keys = site.state.keys().map_err(Fault::internal)?;
    let names: HashMap<&str, &str> = keys
        .iter()
        .map(|key| (key.id.as_str(), key.name.as_str()))
        .chain([(ENVIRONMENT_KEY, ENVIRONMENT_KEY)])
        .collect();
    let entries = entries.map_err(Fault::internal)?.into_iter().enumerate();
    let rows = entries.map(|(at, entry)| Row {
        at,
        key: names.get(entry.key_id.as_str()).copied(),
        entry,
    });
    into.write(columns(), rows)
}

fn columns<'a>() -> Vec<Column<Row<'a>>> {
    use Type::{Integer, String, Timestamp};
    vec![
        required("number", Integer, "Number of the change, from 1.", |row: &Row<'_>| {
            number(Some(row.at + 1))
        }),
        required("time", Timestamp, "Time of the change, to the millisecond.", |row| {
            instant(Some(row.entry.time))
        }),
        required("operation", String, "Operation, such as createItem.", |row| {
            text(&row.entry.operation)
        }),
        required(
            "subject",
            String,
            "Id of the changed item, page or site file, or another name.",
            |row| text(&row.entry.subject),
        ),
        column("path", String, "Path of the changed file.", |row| {
            optional_text(row.entry.path.as_deref())
        }),
        required("key_id", String, "Id of the API key.", |row| text(&row.entry.key_id)),
        column("key_name", String, "Name of the API key, if one made the change.", |row| {
            optional_text(row.key)
        }),
        column(
            "causation",
            String,
            "Id of the event that caused the change, as set by the caller.",
            |row| optional_text(row.entry.causation.as_deref()),
        ),
        column("correlation", String, "Id of the workflow, as set by the caller.", |row| {
            optional_text(row.entry.correlation.as_deref())
        }),
    ]
}
