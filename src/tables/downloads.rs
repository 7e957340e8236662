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
        required("item_id", String, "The id of the item.", |row: &Download<'_>| {
            text(&row.episode.item_id)
        }),
        required("title", String, "The title of the item.", |row| text(&row.episode.title)),
        required("date", Date, "The day of the download, in UTC.", |row| {
            day(time(row).map(|time| time.to_zoned(TimeZone::UTC).date()))
        }),
        required(
            "time",
            Type::Timestamp,
            "The time of the request that counts as the download.",
            |row| instant(time(row)),
        ),
        required("app", String, "The name of the app, or Unknown.", |row| text(row.agent.app)),
        required(
            "device",
            String,
            "The device: phone, tablet, computer, speaker, watch, car, tv or unknown.",
            |row| text(row.agent.device.as_str()),
        ),
        required("os", String, "The name of the operating system, or Unknown.", |row| {
            text(row.agent.system)
        }),
        required("path", String, "The public path of the file.", |row| text(row.path)),
        required(
            "listener",
            Integer,
            "A keyed hash of the listener's IP address and user agent.",
            |row| number(Some(row.listener)),
        ),
        required(
            "bytes",
            Integer,
            "The number of bytes sent, including requests in the next 24 hours.",
            |row| number(Some(row.bytes)),
        ),
    ]
}
