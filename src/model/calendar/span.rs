//! When an event starts and ends.

use jiff::SignedDuration;

use super::EventTime;

/// How long an event takes that starts at a time and has no end.
const OPEN_END: SignedDuration = SignedDuration::from_hours(1);

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
    /// When it ends. Without an end of its own it takes a day, or an hour where it starts at a time.
    pub fn closed(&self) -> EventTime {
        self.end.clone().unwrap_or_else(|| match &self.start {
            EventTime::Day(day) => EventTime::Day(day.tomorrow().unwrap_or(*day)),
            EventTime::Moment(start) => {
                EventTime::Moment(start.checked_add(OPEN_END).unwrap_or_else(|_| start.clone()))
            }
        })
    }

    /// The same span from another start. In a series each is as long as the first (RFC 5545,
    /// section 3.8.5.3): days in days, times to the second.
    pub fn moved_to(&self, start: EventTime) -> Self {
        let end = self.end.as_ref().and_then(|end| match (&self.start, end, &start) {
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
