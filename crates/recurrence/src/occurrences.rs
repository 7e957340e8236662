//! Iterates over the occurrences of a series: the times of its rules and dates, without the
//! excluded times.

use std::iter::Peekable;

use jiff::Timestamp;

use super::rule::Rule;
use super::rule_times::RuleTimes;
use super::set::Recurrence;
use super::time::EventTime;
use super::times::Times;

/// Number of consecutive excluded times after which the iteration stops.
const MAX_EXCLUDED: u32 = 20_000;

/// An iterator over the occurrences of a series, in ascending order and without duplicates. The
/// iterator can be infinite, but finds each occurrence in limited time.
pub struct Occurrences<'r> {
    added: Vec<Peekable<Box<dyn Iterator<Item = EventTime> + 'r>>>,
    excluded: Vec<ExclusionRule<'r>>,
    excluded_dates: &'r [Timestamp],
    from: Timestamp,
}

impl Recurrence {
    /// Returns the occurrences of a series that starts at `start`. The start is the first
    /// occurrence (RFC 5545, section 3.8.5.3), unless an EXDATE or EXRULE excludes it.
    pub fn occurrences<'r>(&'r self, start: &EventTime) -> Occurrences<'r> {
        self.occurrences_from(start, Timestamp::MIN)
    }

    /// Returns the occurrences of the series from `from` on. A whole day starts at midnight UTC.
    /// The cost does not depend on the time between the start and `from`. `start` must be the start
    /// that was passed to [`parse`](Self::parse).
    pub fn occurrences_from<'r>(&'r self, start: &EventTime, from: Timestamp) -> Occurrences<'r> {
        type Source<'r> = Box<dyn Iterator<Item = EventTime> + 'r>;
        let of_rule = |(rule, last): (&'r Rule, &Option<Timestamp>)| -> Source<'r> {
            Box::new(RuleTimes::new(rule, *last, start, from))
        };
        let mut added: Vec<Source<'r>> =
            vec![Box::new(std::iter::once(start.clone())), Box::new(self.dates.iter().cloned())];
        added.extend(self.rules.iter().zip(&self.last).map(of_rule));
        Occurrences {
            added: added.into_iter().map(Iterator::peekable).collect(),
            excluded: self
                .except_rules
                .iter()
                .zip(&self.except_last)
                .map(|(rule, last)| ExclusionRule::new(rule, *last, start))
                .collect(),
            excluded_dates: &self.except_dates,
            from,
        }
    }

    /// Returns whether one of the rules produces the start, as RFC 5545 requires. Returns true if
    /// there are no rules.
    pub fn is_synchronized(&self, start: &EventTime) -> bool {
        let gives_start = |rule: &Rule| {
            let mut times = Times::new(rule, start.civil(), start.civil());
            times.next() == Some(start.civil())
        };
        self.rules.is_empty() || self.rules.iter().any(gives_start)
    }
}

impl Iterator for Occurrences<'_> {
    type Item = EventTime;

    fn next(&mut self) -> Option<EventTime> {
        let mut in_a_row = 0;
        while in_a_row < MAX_EXCLUDED {
            let peeked = self.added.iter_mut().filter_map(|source| source.peek());
            let next = peeked.min_by_key(|time| time.key())?.clone();
            let key = next.key();
            for source in &mut self.added {
                while source.next_if(|time| time.key() == key).is_some() {}
            }
            if key < self.from {
                continue;
            }
            let by_date = self.excluded_dates.binary_search(&key).is_ok();
            if !by_date && !self.excluded.iter_mut().any(|rule| rule.has(&next)) {
                return Some(next);
            }
            in_a_row += 1;
        }
        None
    }
}

/// The times that an EXRULE excludes. Times must be checked in ascending order.
struct ExclusionRule<'r> {
    rule: &'r Rule,
    /// The rule's last time, if the rule has COUNT.
    last: Option<Timestamp>,
    start: EventTime,
    times: RuleTimes,
    next: Option<Timestamp>,
}

impl<'r> ExclusionRule<'r> {
    fn new(rule: &'r Rule, last: Option<Timestamp>, start: &EventTime) -> Self {
        let mut times = RuleTimes::new(rule, last, start, Timestamp::MIN);
        Self { rule, last, start: start.clone(), next: times.next().map(|time| time.key()), times }
    }

    /// Returns whether a time is excluded. Each time must be later than the time of the previous
    /// call.
    fn has(&mut self, time: &EventTime) -> bool {
        let key = time.key();
        // Jumps ahead, because a rule with FREQ=SECONDLY could need millions of steps to reach
        // `key`.
        if self.next.is_some_and(|next| next < key) {
            self.times = RuleTimes::new(self.rule, self.last, &self.start, key);
        }
        while self.next.is_some_and(|next| next < key) {
            self.next = self.times.next().map(|time| time.key());
        }
        self.next == Some(key)
    }
}
