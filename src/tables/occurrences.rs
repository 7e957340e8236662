//! `site.occurrences`: every time at which an event takes place, with each instance of a series.

use jiff::SignedDuration;

use super::column::fields;
use super::events::{Row, series, time_columns};
use super::{Live, SiteTables};

pub(super) const TABLE: Live = Live {
    name: "occurrences",
    about: "Every event of every calendar, with each instance of a series, from one year ago to one year ahead; at most 10,000 per series.",
    fields: || fields(time_columns()),
    fill: |site, into| into.write(time_columns(), rows(site)),
};

/// Maximum time between now and a listed occurrence, in the past or the future.
const LISTED_PERIOD: SignedDuration = SignedDuration::from_hours(24 * 366);

/// Maximum number of occurrences of one series: a series may recur every second.
const MAX_OCCURRENCES: usize = 10_000;

fn rows<'a>(site: &SiteTables<'a>) -> impl Iterator<Item = Row<'a>> {
    let from = site.now.saturating_sub(LISTED_PERIOD).unwrap_or(site.now);
    let until = site.now.saturating_add(LISTED_PERIOD).unwrap_or(site.now);
    series(site).flat_map(move |(site, calendar, series)| {
        let found = series.between(calendar.zone(), from, until, MAX_OCCURRENCES, &|_| true);
        found.into_iter().map(move |occurrence| Row { site, calendar, series, occurrence })
    })
}
