//! When an event is.

use std::fmt;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, Zoned};

/// How long an event takes whose author left its end open.
const OPEN_END: SignedDuration = SignedDuration::from_hours(1);

/// When an event starts or ends: a whole day, or a moment in a zone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventTime {
    /// A day, whatever the zone of who looks at it.
    Day(Date),
    /// A moment, and the zone whose clock it follows.
    Moment(Zoned),
}

impl EventTime {
    /// Whether it is a whole day.
    pub fn is_day(&self) -> bool {
        matches!(self, Self::Day(_))
    }

    /// The instant it is at; a day begins at midnight in `zone`.
    pub fn instant(&self, zone: &TimeZone) -> Timestamp {
        match self {
            Self::Moment(moment) => moment.timestamp(),
            Self::Day(day) => day
                .to_zoned(zone.clone())
                .map(|start| start.timestamp())
                // Days at the very ends of time have no midnight in some zones.
                .unwrap_or_else(|_| match *day < Date::constant(0, 1, 1) {
                    true => Timestamp::MIN,
                    false => Timestamp::MAX,
                }),
        }
    }

    /// The form in which it tells an instance from others of its series: `20261120`, or
    /// `20261120T083000Z` in UTC (RFC 5545, section 3.3.5).
    pub fn compact(&self) -> impl fmt::Display {
        match self {
            Self::Day(day) => day.strftime("%Y%m%d").to_string(),
            Self::Moment(moment) => {
                let utc = moment.timestamp().to_zoned(TimeZone::UTC);
                utc.strftime("%Y%m%dT%H%M%SZ").to_string()
            }
        }
    }
}

/// When an event starts and ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventSpan {
    /// The first day, or when it starts.
    pub start: EventTime,
    /// The day after the last, or when it ends: of the kind of the start, and later. None where its
    /// author left it open.
    pub end: Option<EventTime>,
}

impl EventSpan {
    /// When it ends, be it that nothing says so: after a day, or an hour.
    pub fn closed(&self) -> EventTime {
        self.end.clone().unwrap_or_else(|| match &self.start {
            EventTime::Day(day) => EventTime::Day(day.tomorrow().unwrap_or(*day)),
            EventTime::Moment(start) => EventTime::Moment(
                start
                    .checked_add(OPEN_END)
                    .unwrap_or_else(|_| start.clone()),
            ),
        })
    }

    /// The same span from another start. In a series each is as long as the first (RFC 5545,
    /// section 3.8.5.3): days in days, times to the second.
    pub fn moved_to(&self, start: EventTime) -> Self {
        let end = self
            .end
            .as_ref()
            .and_then(|end| match (&self.start, end, &start) {
                (EventTime::Day(first), EventTime::Day(end), EventTime::Day(day)) => {
                    let days = first.until(*end).ok()?;
                    Some(EventTime::Day(day.checked_add(days).ok()?))
                }
                (EventTime::Moment(first), EventTime::Moment(end), EventTime::Moment(start)) => {
                    let long = end.timestamp().duration_since(first.timestamp());
                    let end_in = end.time_zone().clone();
                    let moved = start.checked_add(long).ok()?;
                    Some(EventTime::Moment(moved.with_time_zone(end_in)))
                }
                _ => None,
            });
        Self { start, end }
    }
}
