//! Starts and ends of events.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

/// The start or end of an event: a whole day, or a moment in a time zone.
#[derive(Debug, Clone)]
pub enum EventTime {
    /// A day, the same in every time zone.
    Day(Date),
    /// A moment in a time zone. The time zone determines the local times of a series.
    Moment(Zoned),
}

/// Compares the moment and the time zone. The same moment in two time zones counts as two different
/// times, because a series follows the local time of its zone.
impl PartialEq for EventTime {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Day(day), Self::Day(other)) => day == other,
            (Self::Moment(moment), Self::Moment(other)) => {
                let (zone, others) = (moment.time_zone(), other.time_zone());
                let has_name = zone.iana_name().is_some();
                let is_named_so = has_name && zone.iana_name() == others.iana_name();
                moment.timestamp() == other.timestamp() && (is_named_so || zone == others)
            }
            _ => false,
        }
    }
}

impl Eq for EventTime {}

impl EventTime {
    /// Returns whether the time is a whole day.
    pub fn is_day(&self) -> bool {
        matches!(self, Self::Day(_))
    }

    /// Returns the time as an instant. For a day, returns midnight in `zone`.
    pub fn instant(&self, zone: &TimeZone) -> Timestamp {
        match self {
            Self::Moment(moment) => moment.timestamp(),
            Self::Day(day) => day.to_zoned(zone.clone()).map_or_else(
                // The first and last representable days have no midnight in some zones.
                |_| {
                    if *day < Date::constant(0, 1, 1) { Timestamp::MIN } else { Timestamp::MAX }
                },
                |start| start.timestamp(),
            ),
        }
    }

    /// Formats the time to identify an occurrence of a series: as `20261120`, or as
    /// `20261120T083000Z` in UTC (RFC 5545, section 3.3.5).
    pub fn compact(&self) -> String {
        match self {
            Self::Day(day) => day.strftime("%Y%m%d").to_string(),
            Self::Moment(moment) => {
                let utc = moment.timestamp().to_zoned(TimeZone::UTC);
                utc.strftime("%Y%m%dT%H%M%SZ").to_string()
            }
        }
    }

    /// Returns a key that sorts the times of a series in the same order as their
    /// [compact](Self::compact) form. The key is faster to compute.
    pub fn rank(&self) -> (i64, bool) {
        (self.key().as_second(), !self.is_day())
    }

    /// Returns the local date and time, without the zone. For a day, returns midnight.
    pub fn civil(&self) -> DateTime {
        match self {
            Self::Day(day) => day.at(0, 0, 0, 0),
            Self::Moment(moment) => moment.datetime(),
        }
    }

    /// Converts an instant to a day in `zone` if this time is a day. Otherwise converts the instant
    /// to a moment in the time zone of this time.
    pub fn at(&self, instant: Timestamp, zone: &TimeZone) -> Self {
        match self {
            Self::Day(_) => Self::Day(instant.to_zoned(zone.clone()).date()),
            Self::Moment(moment) => Self::Moment(instant.to_zoned(moment.time_zone().clone())),
        }
    }

    /// Returns the instant that determines the order of the times in a series.
    pub(super) fn key(&self) -> Timestamp {
        self.instant(&TimeZone::UTC)
    }
}
