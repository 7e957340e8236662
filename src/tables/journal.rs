//! `site.journal`: changes that programs made to the site.

use std::collections::HashMap;

use warehouse::{Fault, Type};

use super::column::{Column, column, fields, instant, maybe, number, required, text};
use super::rows::Rows;
use super::{Live, SiteTables};
use state::{ENVIRONMENT_KEY, JournalEntry, JournalQuery};

pub(super) const TABLE: Live = Live {
    name: "journal",
    about: "Every write of the APIs and of hooks, the oldest first.",
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
        required("number", Integer, "Its place, from 1.", |row: &Row<'_>| number(Some(row.at + 1))),
        required("time", Timestamp, "When it was done, to the millisecond.", |row| {
            instant(Some(row.entry.time))
        }),
        required("operation", String, "What was done, such as createItem.", |row| {
            text(&row.entry.operation)
        }),
        required(
            "subject",
            String,
            "What it was done to: the id of an item, a Page or a Site File, or the name of what else it was.",
            |row| text(&row.entry.subject),
        ),
        column("path", String, "The file that was written, from the site folder.", |row| {
            maybe(row.entry.path.as_deref())
        }),
        required("key_id", String, "The id of the key that did it.", |row| text(&row.entry.key_id)),
        column("key_name", String, "The name of that key; NULL where it was no key.", |row| {
            maybe(row.key)
        }),
        column(
            "causation",
            String,
            "The id of the event that made it happen, as the caller said.",
            |row| maybe(row.entry.causation.as_deref()),
        ),
        column(
            "correlation",
            String,
            "The id of the workflow it belongs to, as the caller said.",
            |row| maybe(row.entry.correlation.as_deref()),
        ),
    ]
}
