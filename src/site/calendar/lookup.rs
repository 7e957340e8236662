//! Finds one occurrence by its id.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::{CalendarEntry, Occurrence};

impl CalendarEntry {
    /// Returns the occurrence with this [id](Occurrence::id): a single event, a changed instance of
    /// a series, or an occurrence from the series' rule.
    pub fn occurrence(&self, id: &str) -> Option<Occurrence> {
        let zone = &self.calendar.time_zone;
        if let Some(single) = self.find(id).and_then(|series| series.single()) {
            return Some(single);
        }
        let (series, original) = id.rsplit_once('_')?;
        let series = self.find(series)?;
        let is_it = |occurrence: &Occurrence| occurrence.id() == id;
        if let Some(changed_instances) = series.changed_instances().find(is_it) {
            return Some(changed_instances);
        }
        let at = instant(original, zone)?;
        let second = SignedDuration::from_secs(1);
        let (from, until) = (at.checked_sub(second).ok()?, at.checked_add(second).ok()?);
        let found = series.between_where(zone, (from, until), 1, &|_| true, is_it);
        found.into_iter().next()
    }
}

/// Parses the [compact](model::calendar::EventTime::compact) form of a time.
fn instant(compact: &str, zone: &TimeZone) -> Option<Timestamp> {
    if let Ok(civil) = DateTime::strptime("%Y%m%dT%H%M%SZ", compact) {
        return Some(civil.to_zoned(TimeZone::UTC).ok()?.timestamp());
    }
    let day = Date::strptime("%Y%m%d", compact).ok()?;
    Some(day.to_zoned(zone.clone()).ok()?.timestamp())
}
