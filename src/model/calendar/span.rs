//! The start and end of an event.

use jiff::SignedDuration;

use super::EventTime;

/// Duration of an event that starts at a time and has no end.
const DEFAULT_DURATION: SignedDuration = SignedDuration::from_hours(1);

/// The start and end of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventSpan {
    /// The first day, or the start time.
    pub start: EventTime,
    /// The day after the last day, or the end time. It is later than the start, and is a day if the
    /// start is a day. None if the author wrote no end.
    pub end: Option<EventTime>,
}

impl EventSpan {
    /// Returns the end of the event. An event without an end lasts a day, or an hour if it starts
    /// at a time.
    pub fn closed(&self) -> EventTime {
        self.end.clone().unwrap_or_else(|| match &self.start {
            EventTime::Day(day) => EventTime::Day(day.tomorrow().unwrap_or(*day)),
            EventTime::Moment(start) => EventTime::Moment(
                start.checked_add(DEFAULT_DURATION).unwrap_or_else(|_| start.clone()),
            ),
        })
    }

    /// Returns a span with a different start and the same duration. All events of a series have the
    /// duration of the first event (RFC 5545, section 3.8.5.3), either in days or as an exact time.
    pub fn with_start(&self, start: EventTime) -> Self {
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
