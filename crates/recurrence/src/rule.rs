//! Recurrence rules, and their conversion to text.

use std::fmt;

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Weekday};
use jiff::tz::TimeZone;

/// The unit of a rule's periods (FREQ).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Frequency {
    Secondly,
    Minutely,
    Hourly,
    Daily,
    Weekly,
    Monthly,
    Yearly,
}

impl Frequency {
    pub(super) const ALL: [(Self, &str); 7] = [
        (Self::Secondly, "SECONDLY"),
        (Self::Minutely, "MINUTELY"),
        (Self::Hourly, "HOURLY"),
        (Self::Daily, "DAILY"),
        (Self::Weekly, "WEEKLY"),
        (Self::Monthly, "MONTHLY"),
        (Self::Yearly, "YEARLY"),
    ];
}

/// The latest time at which a rule can have an occurrence (UNTIL), inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    Day(Date),
    /// A local time in the time zone of the start.
    Local(DateTime),
    /// A time in UTC.
    Instant(Timestamp),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The rule has no end.
    Never,
    /// The rule ends after this number of occurrences (COUNT).
    Count(u32),
    Until(Until),
}

/// A weekday in BYDAY. With `nth`, only the nth such weekday of the month or year, counted from the
/// end if `nth` is negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NthWeekday {
    pub nth: Option<i16>,
    pub weekday: Weekday,
}

/// A recurrence rule (RFC 5545, section 3.3.10). `Display` writes the rule in a normalized form,
/// regardless of the order and case of the parsed text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Unit of the periods (FREQ).
    pub frequency: Frequency,
    /// INTERVAL, at least 1. For example, 2 means every second period.
    pub interval: u32,
    /// End of the rule (COUNT or UNTIL).
    pub end: End,
    pub(super) seconds: Vec<i16>,
    pub(super) minutes: Vec<i16>,
    pub(super) hours: Vec<i16>,
    pub(super) days: Vec<NthWeekday>,
    pub(super) month_days: Vec<i16>,
    pub(super) year_days: Vec<i16>,
    pub(super) weeks: Vec<i16>,
    pub(super) months: Vec<i16>,
    pub(super) positions: Vec<i16>,
    pub(super) week_start: Weekday,
}

/// Abbreviations of the weekdays, starting with Monday.
pub(crate) const WEEKDAYS: [(&str, Weekday); 7] = [
    ("MO", Weekday::Monday),
    ("TU", Weekday::Tuesday),
    ("WE", Weekday::Wednesday),
    ("TH", Weekday::Thursday),
    ("FR", Weekday::Friday),
    ("SA", Weekday::Saturday),
    ("SU", Weekday::Sunday),
];

fn name(weekday: Weekday) -> &'static str {
    WEEKDAYS[usize::from(weekday.to_monday_zero_offset().unsigned_abs()) % 7].0
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frequency = Frequency::ALL.iter().find(|(own, _)| *own == self.frequency);
        write!(f, "FREQ={}", frequency.map_or("", |(_, name)| name))?;
        match self.end {
            End::Never => {}
            End::Count(count) => write!(f, ";COUNT={count}")?,
            End::Until(until) => write!(f, ";UNTIL={until}")?,
        }
        if self.interval != 1 {
            write!(f, ";INTERVAL={}", self.interval)?;
        }
        let numbers = [
            ("BYMONTH", &self.months),
            ("BYWEEKNO", &self.weeks),
            ("BYYEARDAY", &self.year_days),
            ("BYMONTHDAY", &self.month_days),
        ];
        for (part, list) in numbers {
            write_list(f, part, list.iter())?;
        }
        write_list(f, "BYDAY", self.days.iter())?;
        let numbers = [
            ("BYHOUR", &self.hours),
            ("BYMINUTE", &self.minutes),
            ("BYSECOND", &self.seconds),
            ("BYSETPOS", &self.positions),
        ];
        for (part, list) in numbers {
            write_list(f, part, list.iter())?;
        }
        if self.week_start != Weekday::Monday {
            write!(f, ";WKST={}", name(self.week_start))?;
        }
        Ok(())
    }
}

fn write_list<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    part: &str,
    list: impl Iterator<Item = T>,
) -> fmt::Result {
    for (at, value) in list.enumerate() {
        match at {
            0 => write!(f, ";{part}={value}")?,
            _ => write!(f, ",{value}")?,
        }
    }
    Ok(())
}

impl fmt::Display for NthWeekday {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(nth) = self.nth {
            write!(f, "{nth}")?;
        }
        f.write_str(name(self.weekday))
    }
}

impl fmt::Display for Until {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Day(day) => write!(f, "{}", day.strftime("%Y%m%d")),
            Self::Local(time) => write!(f, "{}", time.strftime("%Y%m%dT%H%M%S")),
            Self::Instant(time) => {
                let utc = time.to_zoned(TimeZone::UTC);
                write!(f, "{}", utc.strftime("%Y%m%dT%H%M%SZ"))
            }
        }
    }
}
