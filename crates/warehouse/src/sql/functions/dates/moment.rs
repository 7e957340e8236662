//! Timestamps, and their local times in a time zone.

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::{AmbiguousOffset, Offset, TimeZone};
use jiff::{SignedDuration, Timestamp};

const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);
const SECOND: i64 = 1_000_000;

/// A timestamp, as a local time with its offset from UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Moment {
    pub(crate) local: DateTime,
    /// The offset from UTC in seconds. Zones ahead of UTC are positive.
    pub(crate) offset: i32,
}

impl Moment {
    /// Creates a moment in UTC from microseconds since 1970.
    pub(crate) fn utc(micros: i64) -> Result<Self, String> {
        Ok(Self { local: civil(micros)?, offset: 0 })
    }

    /// Creates a moment in a time zone from microseconds since 1970.
    pub(crate) fn in_zone(at: i64, zone: &Zone) -> Result<Self, String> {
        let offset = zone.offset(at);
        let local = civil(at.saturating_add(i64::from(offset) * SECOND))?;
        Ok(Self { local, offset })
    }

    /// Returns the timestamp as microseconds since 1970.
    pub(crate) fn micros(self) -> i64 {
        micros(self.local) - i64::from(self.offset) * SECOND
    }
}

/// Converts microseconds since 1970-01-01 00:00:00 to a date and time, ignoring time zones.
pub(super) fn civil(micros: i64) -> Result<DateTime, String> {
    let moved = EPOCH.checked_add(SignedDuration::from_micros(micros));
    moved.ok().filter(|moved| (1..=9999).contains(&moved.year())).ok_or_else(out_of_range)
}

/// Converts a date and time to microseconds since 1970-01-01 00:00:00, ignoring time zones.
pub(super) fn micros(local: DateTime) -> i64 {
    i64::try_from(local.duration_since(EPOCH).as_micros()).unwrap_or(i64::MAX)
}

/// Converts a number of days since 1970-01-01 to a date.
pub(super) fn day(days: i64) -> Result<Date, String> {
    let micros = days.checked_mul(86_400 * SECOND);
    Ok(civil(micros.ok_or_else(out_of_range)?)?.date())
}

/// Converts a date to the number of days since 1970-01-01.
pub(super) fn days(date: Date) -> i64 {
    micros(date.to_datetime(Time::midnight())).div_euclid(86_400 * SECOND)
}

/// Converts microseconds to a time of day, ignoring whole days.
pub(super) fn time_of(micros: i64) -> Result<Time, String> {
    Ok(civil(micros.rem_euclid(86_400 * SECOND))?.time())
}

/// Converts a time of day to microseconds since midnight.
pub(super) fn since_midnight(time: Time) -> i64 {
    micros(EPOCH.date().to_datetime(time))
}

pub(super) fn out_of_range() -> String {
    "the result must be between the years 1 and 9999".to_owned()
}

#[derive(Debug, Clone)]
pub(crate) struct Zone(TimeZone);

impl Zone {
    /// Parses the name of a time zone (`Europe/Berlin`, `UTC`) or an offset from UTC (`+2`,
    /// `-08:00`).
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        if let Some(offset) = read_offset(text) {
            let offset = Offset::from_seconds(offset).map_err(|_| invalid(text))?;
            return Ok(Self(TimeZone::fixed(offset)));
        }
        match text {
            "Z" | "z" => Ok(Self(TimeZone::UTC)),
            name if name.eq_ignore_ascii_case("UTC") => Ok(Self(TimeZone::UTC)),
            name => TimeZone::get(name).map(Self).map_err(|_| invalid(name)),
        }
    }

    /// Returns the time zone's offset from UTC at a point in time, in seconds.
    fn offset(&self, micros: i64) -> i32 {
        // The last timestamp that jiff supports is one day before the end of the year 9999. No time
        // zone changes its offset on that day.
        let instant = Timestamp::from_microsecond(micros).unwrap_or(if micros < 0 {
            Timestamp::MIN
        } else {
            Timestamp::MAX
        });
        self.0.to_offset(instant).seconds()
    }

    /// Converts a local time to a timestamp. If the local time occurs twice, the first occurrence
    /// is used. If the local time is skipped, the time of the clock change is used.
    pub(crate) fn instant(&self, local: DateTime) -> Result<i64, String> {
        let at = |offset: Offset| micros(local) - i64::from(offset.seconds()) * SECOND;
        let found = match self.0.to_ambiguous_timestamp(local).offset() {
            AmbiguousOffset::Unambiguous { offset } => at(offset),
            AmbiguousOffset::Fold { before, .. } => at(before),
            AmbiguousOffset::Gap { before, .. } => self.last_change(at(before)),
        };
        civil(found).map(|_| found)
    }

    /// Returns the time of the last change of the time zone's offset up to `until`.
    fn last_change(&self, until: i64) -> i64 {
        let change = Timestamp::from_microsecond(until.saturating_add(1))
            .ok()
            .and_then(|until| self.0.preceding(until).next());
        change.map_or(until, |change| change.timestamp().as_microsecond())
    }
}

fn invalid(zone: &str) -> String {
    format!("Invalid time zone: {zone}")
}

/// Parses an offset from UTC such as `+2`, `-08`, `+05:30` or `+0530`, of at most 14 hours. Returns
/// the offset in seconds.
pub(super) fn read_offset(text: &str) -> Option<i32> {
    let (sign, digits) = match text.split_at_checked(1)? {
        ("+", digits) => (1, digits),
        ("-", digits) => (-1, digits),
        _ => return None,
    };
    let (hours, minutes) = match digits.split_once(':') {
        Some(pair) => pair,
        None if digits.len() == 4 => digits.split_at_checked(2)?,
        None => (digits, "0"),
    };
    let number = |text: &str| {
        let is_number = matches!(text.len(), 1 | 2) && text.bytes().all(|b| b.is_ascii_digit());
        is_number.then(|| text.parse::<i32>().ok())?
    };
    let seconds = number(hours)? * 3600 + number(minutes).filter(|minutes| *minutes < 60)? * 60;
    (seconds <= 14 * 3600).then_some(sign * seconds)
}
