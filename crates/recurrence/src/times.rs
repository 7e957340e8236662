//! Iterates over the local times of a single rule, in ascending order.

use std::collections::VecDeque;

use jiff::Span;
use jiff::civil::{Date, DateTime, Time};

use super::days::Days;
use super::rule::{Frequency, Rule};

/// Number of consecutive empty periods after which the iteration stops: 270 years for days.
/// Realistic rules have shorter gaps, at most 40 years for February 29 on a specific weekday.
/// Skipping such a gap takes milliseconds.
const MAX_EMPTY_PERIODS: u32 = 100_000;

/// An iterator over the local times of a rule from its start on. Ignores UNTIL and COUNT.
#[derive(Debug, Clone)]
pub(crate) struct Times {
    start: DateTime,
    frequency: Frequency,
    interval: i64,
    days: Days,
    hours: Vec<i16>,
    minutes: Vec<i16>,
    seconds: Vec<i16>,
    /// The times of day on every selected day, in ascending order. Empty if the periods are shorter
    /// than a day.
    times_in_day: Vec<Time>,
    positions: Vec<i16>,
    week_start: jiff::civil::Weekday,
    /// Index of the next period, counted in intervals from the start's period.
    next: i64,
    /// Times that have been found but not returned.
    found: VecDeque<DateTime>,
    /// Selected days that follow the times in `found`. The days are expanded to times one by one,
    /// because a year can contain millions of times.
    days_left: VecDeque<Date>,
    /// The first day whose times are returned.
    first: Date,
    has_ended: bool,
}

impl Times {
    /// Creates an iterator over the times of a rule. The iterator can skip times before `from`.
    pub fn new(rule: &Rule, start: DateTime, from: DateTime) -> Self {
        // Missing parts are derived from the start (RFC 5545, section 3.3.10).
        let or_start = |list: &[i16], own: i8, of: Frequency| {
            if list.is_empty() && rule.frequency > of { vec![i16::from(own)] } else { sorted(list) }
        };
        let mut times = Self {
            start,
            frequency: rule.frequency,
            interval: i64::from(rule.interval),
            days: Days::of(rule, start.date()),
            hours: or_start(&rule.hours, start.hour(), Frequency::Hourly),
            minutes: or_start(&rule.minutes, start.minute(), Frequency::Minutely),
            // A leap second is treated as second 59.
            seconds: or_start(&rule.seconds, start.second(), Frequency::Secondly)
                .into_iter()
                .map(|second| second.min(59))
                .collect(),
            positions: rule.positions.clone(),
            week_start: rule.week_start,
            next: 0,
            times_in_day: Vec::new(),
            found: VecDeque::new(),
            days_left: VecDeque::new(),
            // Includes the day before `from`: if the clock is set back at midnight, a later time
            // can have an earlier date.
            first: start.date().max(from.date().yesterday().unwrap_or(start.date())),
            has_ended: false,
        };
        if rule.frequency >= Frequency::Daily {
            times.times_in_day = times.times_of_day();
        }
        // Starts one period earlier, because a week or the positions of BYSETPOS can extend into
        // the period that contains `from`.
        times.next = (times.number(from) / times.interval - 1).max(0);
        times
    }

    /// Returns the number of periods from the start's period to the period that contains `at`,
    /// ignoring INTERVAL.
    fn number(&self, at: DateTime) -> i64 {
        let days =
            |from: Date, to: Date| from.until(to).map_or(0, |span| i64::from(span.get_days()));
        let seconds = |at: DateTime| {
            let day = days(self.start.date(), at.date());
            let time = at.time();
            let (hour, minute) = (i64::from(time.hour()), i64::from(time.minute()));
            ((day * 24 + hour) * 60 + minute) * 60 + i64::from(time.second())
        };
        let (years, months) = (
            i64::from(at.year()) - i64::from(self.start.year()),
            i64::from(at.month()) - i64::from(self.start.month()),
        );
        match self.frequency {
            Frequency::Yearly => {
                let year = |at: DateTime| i64::from(self.days.year_of(at.date()));
                year(at) - year(self.start)
            }
            Frequency::Monthly => years * 12 + months,
            Frequency::Weekly => days(self.week(self.start.date()), self.week(at.date())) / 7,
            Frequency::Daily => days(self.start.date(), at.date()),
            Frequency::Hourly => seconds(at).div_euclid(3600) - i64::from(self.start.hour()),
            Frequency::Minutely => {
                let own = i64::from(self.start.hour()) * 60 + i64::from(self.start.minute());
                seconds(at).div_euclid(60) - own
            }
            Frequency::Secondly => seconds(at) - seconds(self.start),
        }
    }

    /// Returns the first day of the week that contains `day`.
    fn week(&self, day: Date) -> Date {
        let back = i64::from(day.weekday().since(self.week_start));
        day.checked_sub(Span::new().days(back)).unwrap_or(day)
    }

    /// Finds the times of the next period. Returns `None` after the last representable period.
    fn period(&mut self) -> Option<()> {
        let number = self.next.checked_mul(self.interval)?;
        self.next += 1;
        let mut set = Vec::new();
        match self.frequency {
            Frequency::Yearly => {
                let own = self.days.year_of(self.start.date());
                let year = i16::try_from(i64::from(own) + number).ok()?;
                if let Some((first, days)) = self.days.weeks_of(year) {
                    self.add_days(first, Some(days), &mut set);
                } else {
                    for month in (1..=12).filter(|month| self.days.has_month(*month)) {
                        self.add_days(Date::new(year, month, 1).ok()?, None, &mut set);
                    }
                }
            }
            Frequency::Monthly => {
                let months = i64::from(self.start.year()) * 12 + i64::from(self.start.month()) - 1;
                let month = months.checked_add(number)?;
                let year = i16::try_from(month.div_euclid(12)).ok()?;
                let month = i8::try_from(month.rem_euclid(12) + 1).ok()?;
                self.add_days(Date::new(year, month, 1).ok()?, None, &mut set);
            }
            Frequency::Weekly => {
                let first = add_days_to(self.week(self.start.date()), number.checked_mul(7)?)?;
                self.add_days(first, Some(7), &mut set);
            }
            Frequency::Daily => {
                self.add_days(add_days_to(self.start.date(), number)?, Some(1), &mut set)
            }
            _ => {
                let mut set = Vec::new();
                self.add_part_of_day(number, &mut set)?;
                if self.positions.is_empty() {
                    self.found.extend(set);
                } else {
                    let chosen = self.selected_positions(set.len());
                    self.found.extend(chosen.into_iter().map(|at| set[at]));
                }
                return Some(());
            }
        }
        if self.positions.is_empty() {
            self.days_left.extend(set);
        } else {
            let in_day = self.times_in_day.len();
            let chosen = self.selected_positions(set.len() * in_day);
            let time = |at: usize| set[at / in_day].to_datetime(self.times_in_day[at % in_day]);
            self.found.extend(chosen.into_iter().map(time));
        }
        Some(())
    }

    fn times_of_day(&self) -> Vec<Time> {
        let mut times_in_day = Vec::new();
        for hour in &self.hours {
            for minute in &self.minutes {
                let of_minute = |second: &i16| time(*hour, *minute, *second);
                times_in_day.extend(self.seconds.iter().filter_map(of_minute));
            }
        }
        times_in_day.dedup();
        times_in_day
    }

    /// Adds the selected days among `count` days from `first` on. If `count` is `None`, uses the
    /// number of days in the month of `first`.
    fn add_days(&self, first: Date, count: Option<i16>, set: &mut Vec<Date>) {
        let count = count.unwrap_or_else(|| i16::from(first.days_in_month()));
        for at in 0..count {
            let Some(day) = add_days_to(first, i64::from(at)) else {
                return;
            };
            if self.days.has(day) {
                set.push(day);
            }
        }
    }

    fn add_minutes(&self, day: Date, hour: i16, minutes: &[i16], set: &mut Vec<DateTime>) {
        for minute in minutes {
            for second in &self.seconds {
                set.extend(time(hour, *minute, *second).map(|time| day.to_datetime(time)));
            }
        }
    }

    /// Adds the times of a period that is an hour, a minute or a second. If the rule does not
    /// select the period's day, hour or minute, skips to the first period after that day, hour or
    /// minute.
    fn add_part_of_day(&mut self, number: i64, set: &mut Vec<DateTime>) -> Option<()> {
        let own = self.start.time();
        let (hour, minute) = (i64::from(own.hour()), i64::from(own.minute()));
        let (times_in_day, first) = match self.frequency {
            Frequency::Hourly => (24, hour),
            Frequency::Minutely => (24 * 60, hour * 60 + minute),
            _ => (24 * 3600, (hour * 60 + minute) * 60 + i64::from(own.second())),
        };
        let at = first.checked_add(number)?;
        let day = add_days_to(self.start.date(), at.div_euclid(times_in_day))?;
        let of_hour = times_in_day / 24;
        let in_day = at.rem_euclid(times_in_day);
        let has = |list: &[i16], value: i64| {
            list.is_empty() || i16::try_from(value).is_ok_and(|value| list.contains(&value))
        };
        let in_hour = in_day % of_hour;
        let of_minute = (of_hour / 60).max(1);
        // Number of periods until the end of the day, hour or minute that is not selected.
        let skip = if !self.days.has(day) {
            times_in_day - in_day
        } else if !has(&self.hours, in_day / of_hour) {
            of_hour - in_hour
        } else if of_hour > 1 && !has(&self.minutes, in_hour / of_minute) {
            of_minute - in_hour % of_minute
        } else {
            0
        };
        if skip > 0 {
            let target = number.checked_add(skip)?;
            // Rounds up to the next multiple of the interval.
            self.next = target.checked_add(self.interval - 1)?.div_euclid(self.interval);
            return Some(());
        }
        let hour = i16::try_from(in_day / of_hour).ok()?;
        let minute = i16::try_from(in_hour / of_minute).ok()?;
        match self.frequency {
            Frequency::Hourly => self.add_minutes(day, hour, &self.minutes, set),
            Frequency::Minutely => self.add_minutes(day, hour, &[minute], set),
            _ => {
                let second = in_hour % of_minute;
                if has(&self.seconds, second) {
                    let time = time(hour, minute, i16::try_from(second).ok()?)?;
                    set.push(day.to_datetime(time));
                }
            }
        }
        Some(())
    }

    /// Returns the indexes that BYSETPOS selects from a set of `count` times, in ascending order.
    fn selected_positions(&self, count: usize) -> Vec<usize> {
        let mut chosen: Vec<usize> = self
            .positions
            .iter()
            .filter_map(|position| {
                let at = usize::from(position.unsigned_abs());
                if *position > 0 {
                    Some(at - 1).filter(|at| *at < count)
                } else {
                    count.checked_sub(at)
                }
            })
            .collect();
        chosen.sort_unstable();
        chosen.dedup();
        chosen
    }
}

impl Iterator for Times {
    type Item = DateTime;

    fn next(&mut self) -> Option<DateTime> {
        let mut fruitless = 0;
        loop {
            // The first period can contain times before the start.
            while let Some(time) = self.found.pop_front() {
                if time >= self.start {
                    return Some(time);
                }
            }
            if let Some(day) = self.days_left.pop_front() {
                if day >= self.first {
                    let times = self.times_in_day.iter().map(|time| day.to_datetime(*time));
                    self.found.extend(times);
                }
                continue;
            }
            fruitless += 1;
            self.has_ended |= fruitless > MAX_EMPTY_PERIODS || self.period().is_none();
            if self.has_ended {
                return None;
            }
        }
    }
}

fn add_days_to(day: Date, days: i64) -> Option<Date> {
    let days = Span::new().try_days(days).ok()?;
    day.checked_add(days).ok()
}

fn time(hour: i16, minute: i16, second: i16) -> Option<Time> {
    let small = |value: i16| i8::try_from(value).ok();
    Time::new(small(hour)?, small(minute)?, small(second)?, 0).ok()
}

fn sorted(list: &[i16]) -> Vec<i16> {
    let mut list = list.to_vec();
    list.sort_unstable();
    list
}
