//! Iterates over the times of a single rule, up to its UNTIL or COUNT.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, TimeZone};

use super::rule::{End, Rule, Until};
use super::time::EventTime;
use super::times::Times;

/// Maximum effective value of COUNT. Times are counted one by one, so a larger COUNT would take too
/// long.
const MAX_COUNT: u32 = 1_000_000;

/// Returns the last time of a rule that has COUNT. Returns `None` for other rules.
pub(super) fn last_time_of_count(rule: &Rule, start: &EventTime) -> Option<Timestamp> {
    let is_counted = matches!(rule.end, End::Count(_));
    let times = || RuleTimes::new(rule, None, start, Timestamp::MIN);
    let last = is_counted.then(|| times().last()).flatten();
    last.map(|time| time.key())
}

/// An iterator over the times of a single rule, up to the rule's end.
pub(super) struct RuleTimes {
    start: EventTime,
    times: Times,
    end: End,
    counted: u32,
    /// The rule's last time, if the rule has COUNT and the last time is already known. The times
    /// are then not counted again.
    last: Option<Timestamp>,
    /// Time zone of the start, or `None` if the start is a whole day.
    zone: Option<TimeZone>,
}

impl RuleTimes {
    pub(super) fn new(
        rule: &Rule,
        last: Option<Timestamp>,
        start: &EventTime,
        from: Timestamp,
    ) -> Self {
        let zone = match start {
            EventTime::Day(_) => None,
            EventTime::Moment(moment) => Some(moment.time_zone().clone()),
        };
        let civil = start.civil();
        let is_counted = matches!(rule.end, End::Count(_)) && last.is_none();
        let from = if is_counted || from <= start.key() {
            civil
        } else {
            from.to_zoned(zone.clone().unwrap_or(TimeZone::UTC)).datetime()
        };
        let times = Times::new(rule, civil, from);
        // COUNT includes the start even if the rule does not produce it (RFC 5545, section 3.3.10).
        let gives_start = !is_counted || times.clone().next() == Some(civil);
        Self {
            start: start.clone(),
            times,
            end: rule.end,
            counted: u32::from(!gives_start),
            last,
            zone,
        }
    }

    /// Returns the first time at which the zone's clock shows `civil`. Returns `None` if the clock
    /// skips `civil`, because a rule has no occurrence then (RFC 5545, section 3.3.10).
    fn time(&self, civil: DateTime) -> Option<EventTime> {
        let Some(zone) = &self.zone else {
            return Some(EventTime::Day(civil.date()));
        };
        let ambiguous = zone.to_ambiguous_zoned(civil);
        match ambiguous.offset() {
            AmbiguousOffset::Gap { .. } => None,
            _ => ambiguous.compatible().ok().map(EventTime::Moment),
        }
    }

    fn is_within(&self, time: &EventTime) -> bool {
        if let Some(last) = self.last {
            return time.key() <= last;
        }
        match self.end {
            End::Never => true,
            End::Count(count) => self.counted < count.min(MAX_COUNT),
            End::Until(Until::Day(day)) => time.civil().date() <= day,
            End::Until(Until::Local(last)) => time.civil() <= last,
            End::Until(Until::Instant(last)) => time.key() <= last,
        }
    }
}

impl Iterator for RuleTimes {
    type Item = EventTime;

    fn next(&mut self) -> Option<EventTime> {
        loop {
            let civil = self.times.next()?;
            // Returns the start itself, because the start can be the second of two moments with the
            // same local time.
            let time = if civil == self.start.civil() {
                Some(self.start.clone())
            } else {
                self.time(civil).filter(|time| time.key() > self.start.key())
            };
            let Some(time) = time else { continue };
            if !self.is_within(&time) {
                return None;
            }
            self.counted = self.counted.saturating_add(1);
            return Some(time);
        }
    }
}
