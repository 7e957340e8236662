//! `site.occurrences`: every time at which an event takes place, with each instance of a series.

use jiff::SignedDuration;

use super::column::fields;
use super::events::{Row, series, times};
use super::{Live, SiteTables};

pub(super) const TABLE: Live = Live {
    name: "occurrences",
    about: "Every event of every calendar, with each instance of a series, from one year ago to one year ahead; at most 10,000 per series.",
    fields: || fields(times()),
    fill: |site, into| into.write(times(), rows(site)),
};

/// How far before and after the present occurrences are listed.
const REACH: SignedDuration = SignedDuration::from_hours(24 * 366);

/// Maximum number of occurrences of one series: a series may recur every second.
const MOST: usize = 10_000;

fn rows<'a>(site: &SiteTables<'a>) -> impl Iterator<Item = Row<'a>> {
    let from = site.now.saturating_sub(REACH).unwrap_or(site.now);
    let until = site.now.saturating_add(REACH).unwrap_or(site.now);
    series(site).flat_map(move |(site, calendar, series)| {
        let found = series.between(calendar.zone(), from, until, MOST, &|_| true);
        found.into_iter().map(move |occurrence| Row { site, calendar, series, occurrence })
    })
}
