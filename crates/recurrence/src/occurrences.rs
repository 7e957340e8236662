//! The times of a series: those of its rules and dates, without the excluded ones.

use std::iter::Peekable;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, TimeZone};

use super::rule::{End, Rule, Until};
use super::set::Recurrence;
use super::time::EventTime;
use super::times::Times;

/// The largest COUNT that is followed: the times are counted one by one, once.
const MOST_COUNTED: u32 = 1_000_000;

/// How many times in a row may be excluded before a series counts as ended.
const MOST_EXCLUDED: u32 = 20_000;

/// The times of a series in order, each once. There may be no last one, but each step ends.
pub struct Occurrences<'r> {
    added: Vec<Peekable<Box<dyn Iterator<Item = EventTime> + 'r>>>,
    excluded: Vec<ExcludedBy<'r>>,
    excluded_dates: &'r [Timestamp],
    from: Timestamp,
}

impl Recurrence {
    /// The times of a series that starts at `start`, which is the first of them (RFC 5545, section
    /// 3.8.5.3) unless an EXDATE takes it away.
    pub fn occurrences<'r>(&'r self, start: &EventTime) -> Occurrences<'r> {
        self.occurrences_from(start, Timestamp::MIN)
    }

    /// The times of the series from `from` on; a day begins at midnight in UTC. However far that is from
    /// the start, it costs the same. `start` is the one that the lines were [parsed](Self::parse) with.
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
                .map(|(rule, last)| ExcludedBy::new(rule, *last, start))
                .collect(),
            excluded_dates: &self.except_dates,
            from,
        }
    }

    /// Whether the start is a time of one of the rules, as RFC 5545 asks; true where there is no rule.
    pub fn is_synchronized(&self, start: &EventTime) -> bool {
        let gives_start = |rule: &Rule| {
            let mut times = Times::new(rule, start.civil(), start.civil());
            times.next() == Some(start.civil())
        };
        self.rules.is_empty() || self.rules.iter().any(gives_start)
    }
}

/// The last time of a rule with COUNT. None for other rules.
pub(super) fn last_counted(rule: &Rule, start: &EventTime) -> Option<Timestamp> {
    let is_counted = matches!(rule.end, End::Count(_));
    let times = || RuleTimes::new(rule, None, start, Timestamp::MIN);
    let last = is_counted.then(|| times().last()).flatten();
    last.map(|time| time.key())
}

impl Iterator for Occurrences<'_> {
    type Item = EventTime;

    fn next(&mut self) -> Option<EventTime> {
        let mut in_a_row = 0;
        while in_a_row < MOST_EXCLUDED {
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

/// The times of an EXRULE, asked about in ascending order.
struct ExcludedBy<'r> {
    rule: &'r Rule,
    /// The last time of a rule with COUNT.
    last: Option<Timestamp>,
    start: EventTime,
    times: RuleTimes,
    next: Option<Timestamp>,
}

impl<'r> ExcludedBy<'r> {
    fn new(rule: &'r Rule, last: Option<Timestamp>, start: &EventTime) -> Self {
        let mut times = RuleTimes::new(rule, last, start, Timestamp::MIN);
        Self { rule, last, start: start.clone(), next: times.next().map(|time| time.key()), times }
    }

    /// Whether a time is excluded. It is later than those that were asked about before.
    fn has(&mut self, time: &EventTime) -> bool {
        let key = time.key();
        // Jumps, since a rule of seconds would take millions of steps from one year to the next.
        if self.next.is_some_and(|next| next < key) {
            self.times = RuleTimes::new(self.rule, self.last, &self.start, key);
        }
        while self.next.is_some_and(|next| next < key) {
            self.next = self.times.next().map(|time| time.key());
        }
        self.next == Some(key)
    }
}

/// The times of one rule up to its end.
struct RuleTimes {
    start: EventTime,
    times: Times,
    end: End,
    counted: u32,
    /// The last time of a rule with COUNT, where it is known: then nothing is counted again.
    last: Option<Timestamp>,
    /// None for days.
    zone: Option<TimeZone>,
}

impl RuleTimes {
    fn new(rule: &Rule, last: Option<Timestamp>, start: &EventTime, from: Timestamp) -> Self {
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
        // The start counts even where the rule does not give it (RFC 5545, section 3.3.10, COUNT).
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

    /// The time at which the zone's clock reads `civil`. None in an hour that the clock skips, where a rule
    /// has no time (RFC 5545, section 3.3.10).
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
            End::Count(count) => self.counted < count.min(MOST_COUNTED),
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
            // Where the clock repeats an hour, the start may be in the second.
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
