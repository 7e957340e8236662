//! `site.downloads`: every download of an episode, counted at query time.

use jiff::Timestamp;
use jiff::tz::TimeZone;
use warehouse::{DatasetId, Fault, Type};

use super::column::{Column, day, fields, instant, number, required, text};
use super::rows::Rows;
use super::{Live, SiteTables};
use stats::{Download, Episodes, downloads, open};

pub(super) const TABLE: Live = Live {
    name: "downloads",
    about: "Every episode download in the imported access logs, counted by IAB guidelines.",
    fields: || fields(columns()),
    fill,
};

fn fill(site: &SiteTables<'_>, into: &Rows<'_>) -> Result<(), Fault> {
    let Some(file) = site.store.file(&DatasetId::site()) else {
        return Ok(());
    };
    let mut logs = open(&file)?;
    into.control.watch(&mut logs).map_err(Fault::internal)?;
    let episodes = Episodes::of(site.snapshot, site.root);
    into.write_each(columns(), |write| {
        downloads(&logs, "main", episodes.all(), into.control, write)
    })
}

fn time(download: &Download<'_>) -> Option<Timestamp> {
    Timestamp::from_microsecond(download.time).ok()
}

fn columns<'a>() -> Vec<Column<Download<'a>>> {
    use Type::{Date, Integer, String};
    vec![
        required("item_id", String, "Id of the item.", |row: &Download<'_>| {
            text(&row.episode.item_id)
        }),
        required("title", String, "Title of the item.", |row| text(&row.episode.title)),
        required("date", Date, "Day of the download, in UTC.", |row| {
            day(time(row).map(|time| time.to_zoned(TimeZone::UTC).date()))
        }),
        required(
            "time",
            Type::Timestamp,
            "Time of the request that counts as the download.",
            |row| instant(time(row)),
        ),
        required("app", String, "Name of the app, or Unknown.", |row| text(row.agent.app)),
        required(
            "device",
            String,
            "Device: phone, tablet, computer, speaker, watch, car, tv or unknown.",
            |row| text(row.agent.device.as_str()),
        ),
        required("os", String, "Name of the operating system, or Unknown.", |row| {
            text(row.agent.system)
        }),
        required("path", String, "Public path of the file.", |row| text(row.path)),
        required(
            "listener",
            Integer,
            "Keyed hash of the listener's IP address and user agent.",
            |row| number(Some(row.listener)),
        ),
        required(
            "bytes",
            Integer,
            "Number of bytes sent, including requests in the next 24 hours.",
            |row| number(Some(row.bytes)),
        ),
    ]
}
