//! `site.requests`: the requests recorded in access logs, from which downloads are counted.

use jiff::Timestamp;
use warehouse::{DatasetId, Fault, Type};

use super::column::{Column, column, fields, instant, number, optional_text, required, text};
use super::rows::Rows;
use super::{Live, SiteTables};
use stats::{StoredRequest, open, requests};

pub(super) const TABLE: Live = Live {
    name: "requests",
    about: "Every request for media in the imported access logs.",
    fields: || fields(columns()),
    fill,
};

fn fill(site: &SiteTables<'_>, into: &Rows<'_>) -> Result<(), Fault> {
    let Some(file) = site.store.file(&DatasetId::site()) else {
        return Ok(());
    };
    let mut logs = open(&file)?;
    into.control.watch(&mut logs).map_err(Fault::internal)?;
    into.write_each(columns(), |write| requests(&logs, "main", into.control, write))
}

fn columns() -> Vec<Column<StoredRequest>> {
    use Type::{Integer, String};
    vec![
        required("time", Type::Timestamp, "Time of the request.", |row: &StoredRequest| {
            instant(Timestamp::from_microsecond(row.time).ok())
        }),
        column("method", String, "GET or HEAD; NULL for other methods.", |row| {
            optional_text(row.method)
        }),
        required("path", String, "Public path of the file.", |row| text(&row.path)),
        required("status", Integer, "The HTTP status of the response.", |row| {
            number(Some(row.status))
        }),
        column("bytes", Integer, "Number of bytes sent, if logged.", |row| number(row.bytes)),
        required(
            "listener",
            Integer,
            "Keyed hash of the client's IP address and user agent.",
            |row| number(Some(row.listener)),
        ),
        column("agent", String, "User agent, if logged.", |row| {
            optional_text(row.agent.as_deref())
        }),
        required("log", String, "Name of the log.", |row| text(&row.log)),
        required("line", Integer, "Request's line number in the log.", |row| {
            number(Some(row.line))
        }),
    ]
}
