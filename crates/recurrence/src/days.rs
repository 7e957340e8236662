//! The days that a rule selects.

use jiff::civil::{Date, Weekday};

use super::rule::{Frequency, NthWeekday, Rule};

/// The parts of a rule that select days. Missing parts are derived from the start of the series.
#[derive(Debug, Clone)]
pub(crate) struct Days {
    frequency: Frequency,
    months: Vec<i16>,
    weeks: Vec<i16>,
    year_days: Vec<i16>,
    month_days: Vec<i16>,
    weekdays: Vec<NthWeekday>,
    week_start: Weekday,
}

impl Days {
    /// Takes the parts that select days from a rule, and derives missing parts from the start of
    /// the series (RFC 5545, section 3.3.10).
    pub fn of(rule: &Rule, start: Date) -> Self {
        let mut days = Self {
            frequency: rule.frequency,
            months: rule.months.clone(),
            weeks: rule.weeks.clone(),
            year_days: rule.year_days.clone(),
            month_days: rule.month_days.clone(),
            weekdays: rule.days.clone(),
            week_start: rule.week_start,
        };
        let own_weekday = NthWeekday { nth: None, weekday: start.weekday() };
        let names_days =
            !(days.year_days.is_empty() && days.month_days.is_empty() && days.weekdays.is_empty());
        match rule.frequency {
            _ if names_days => {}
            Frequency::Yearly if !days.weeks.is_empty() => days.weekdays.push(own_weekday),
            Frequency::Yearly => {
                if days.months.is_empty() {
                    days.months.push(i16::from(start.month()));
                }
                days.month_days.push(i16::from(start.day()));
            }
            Frequency::Monthly => days.month_days.push(i16::from(start.day())),
            Frequency::Weekly => days.weekdays.push(own_weekday),
            _ => {}
        }
        days
    }

    /// Returns whether the rule can select days in this month.
    pub fn has_month(&self, month: i8) -> bool {
        self.months.is_empty() || self.months.contains(&i16::from(month))
    }

    /// Returns the first day of a year's first week, and the number of days in all its weeks.
    /// Returns `None` unless the rule selects weeks by number. All days of a week belong to the
    /// year of its week number.
    pub fn weeks_of(&self, year: i16) -> Option<(Date, i16)> {
        if self.weeks.is_empty() {
            return None;
        }
        // January 4 is always in week 1.
        let fourth = Date::new(year, 1, 4).ok()?;
        let back = i64::from(fourth.weekday().since(self.week_start));
        let first = fourth.checked_sub(jiff::Span::new().days(back)).ok()?;
        let (_, weeks) = week_of(fourth, self.week_start);
        Some((first, weeks * 7))
    }

    /// Returns the year that a day belongs to. If the rule selects weeks by number, this is the
    /// year of the day's week.
    pub fn year_of(&self, day: Date) -> i16 {
        if self.weeks.is_empty() {
            day.year()
        } else {
            middle_of_week(day, self.week_start).map_or(day.year(), Date::year)
        }
    }

    /// Returns whether the rule selects a day.
    pub fn has(&self, day: Date) -> bool {
        self.has_month(day.month())
            && contains_position(
                &self.month_days,
                i16::from(day.day()),
                i16::from(day.days_in_month()),
            )
            && contains_position(&self.year_days, day.day_of_year(), day.days_in_year())
            && self.has_week(day)
            && self.has_weekday(day)
    }

    fn has_week(&self, day: Date) -> bool {
        if self.weeks.is_empty() {
            return true;
        }
        let (week, weeks) = week_of(day, self.week_start);
        contains_position(&self.weeks, week, weeks)
    }

    fn has_weekday(&self, day: Date) -> bool {
        let of_year = self.frequency == Frequency::Yearly && self.months.is_empty();
        let (at, length) = if of_year {
            (day.day_of_year(), day.days_in_year())
        } else {
            (i16::from(day.day()), i16::from(day.days_in_month()))
        };
        let is_it = |wanted: &NthWeekday| {
            wanted.weekday == day.weekday()
                && wanted.nth.is_none_or(|nth| {
                    if nth > 0 { nth == (at - 1) / 7 + 1 } else { -nth == (length - at) / 7 + 1 }
                })
        };
        self.weekdays.is_empty() || self.weekdays.iter().any(is_it)
    }
}

/// Returns whether a list selects the number `at`, in a range from 1 to `of`. Negative entries
/// count back from `of`: -1 selects `of`. An empty list selects every number.
fn contains_position(list: &[i16], at: i16, of: i16) -> bool {
    list.is_empty() || list.contains(&at) || list.contains(&(at - of - 1))
}

/// Returns the week number of a day, and the number of weeks in the year that the week belongs to.
/// Week 1 is the first week with at least four days in the year.
fn week_of(day: Date, week_start: Weekday) -> (i16, i16) {
    let Some(middle) = middle_of_week(day, week_start) else {
        return (0, 0);
    };
    let week = (middle.day_of_year() - 1) / 7 + 1;
    let left = (middle.days_in_year() - middle.day_of_year()) / 7;
    (week, week + left)
}

/// Returns the fourth day of the week that contains `day`. The week belongs to that day's year.
fn middle_of_week(day: Date, week_start: Weekday) -> Option<Date> {
    let ahead = 3 - i64::from(day.weekday().since(week_start));
    day.checked_add(jiff::Span::new().days(ahead)).ok()
}
