//! Published items by year, for the archive.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use jiff::Timestamp;
use jiff::civil::Date;

use super::Snapshot;

/// The published items of a year, in the site's time zone.
#[derive(Debug)]
pub struct Year {
    /// The year, or `None` for items without a date.
    pub year: Option<i16>,
    /// Indices of the items in `published`.
    pub items: Vec<usize>,
}

impl Snapshot {
    /// Returns all years that have items, newest first. Items without a date come last.
    pub fn years(&self) -> Vec<Year> {
        let mut years: BTreeMap<Reverse<Option<i16>>, Vec<usize>> = BTreeMap::new();
        // Neighbouring items nearly always have the same year. Comparing with a known year is
        // cheaper than computing the year.
        let mut known: Option<(i16, Range<Timestamp>)> = None;
        for (at, entry) in self.published.iter().enumerate() {
            let year = entry.item.date_published.map(|date| {
                if let Some((year, _)) = known.as_ref().filter(|(_, span)| span.contains(&date)) {
                    return *year;
                }
                let year = self.config.timezone.to_datetime(date).year();
                known = self.span_of(year).map(|span| (year, span));
                year
            });
            years.entry(Reverse(year)).or_default().push(at);
        }
        let years = years.into_iter();
        years.map(|(Reverse(year), items)| Year { year, items }).collect()
    }

    /// Returns whether any published item is from the given year.
    pub fn has_year(&self, year: i16) -> bool {
        let Some(span) = self.span_of(year) else {
            return false;
        };
        let mut dates = self.published.iter().map(|entry| entry.item.date_published);
        dates.any(|date| date.is_some_and(|date| span.contains(&date)))
    }

    fn span_of(&self, year: i16) -> Option<Range<Timestamp>> {
        let start = |year| {
            let day = Date::new(year, 1, 1).ok()?;
            let start = day.to_zoned(self.config.timezone.clone()).ok()?;
            Some(start.timestamp())
        };
        Some(start(year)?..start(year.checked_add(1)?)?)
    }
}
