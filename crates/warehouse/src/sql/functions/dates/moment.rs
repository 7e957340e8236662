//! Instants, and their local times in a zone.

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::{AmbiguousOffset, Offset, TimeZone};
use jiff::{SignedDuration, Timestamp};

const EPOCH: DateTime = DateTime::constant(1970, 1, 1, 0, 0, 0, 0);
const SECOND: i64 = 1_000_000;

/// An instant as a local time with its offset.
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

    /// Creates a moment in a zone from microseconds since 1970.
    pub(crate) fn in_zone(at: i64, zone: &Zone) -> Result<Self, String> {
        let offset = zone.offset(at);
        let local = civil(at.saturating_add(i64::from(offset) * SECOND))?;
        Ok(Self { local, offset })
    }

    /// Returns the microseconds since 1970.
    pub(crate) fn micros(self) -> i64 {
        micros(self.local) - i64::from(self.offset) * SECOND
    }
}

/// Returns the local date and time this many microseconds after the start of 1970 in the same zone.
pub(super) fn civil(micros: i64) -> Result<DateTime, String> {
    let moved = EPOCH.checked_add(SignedDuration::from_micros(micros));
    moved.ok().filter(|moved| (1..=9999).contains(&moved.year())).ok_or_else(out_of_range)
}

/// Returns the microseconds from the start of 1970 to this date and time, both as local times.
pub(super) fn micros(local: DateTime) -> i64 {
    i64::try_from(local.duration_since(EPOCH).as_micros()).unwrap_or(i64::MAX)
}

/// Returns the day this many days after 1970-01-01.
pub(super) fn day(days: i64) -> Result<Date, String> {
    let micros = days.checked_mul(86_400 * SECOND);
    Ok(civil(micros.ok_or_else(out_of_range)?)?.date())
}

/// Returns the number of days from 1970-01-01 to this day.
pub(super) fn days(date: Date) -> i64 {
    micros(date.to_datetime(Time::midnight())).div_euclid(86_400 * SECOND)
}

/// Converts microseconds to a time of day.
pub(super) fn time_of(micros: i64) -> Result<Time, String> {
    Ok(civil(micros.rem_euclid(86_400 * SECOND))?.time())
}

/// Returns the microseconds from midnight to this time.
pub(super) fn since_midnight(time: Time) -> i64 {
    micros(EPOCH.date().to_datetime(time))
}

pub(super) fn out_of_range() -> String {
    "the result must be in the years 1 to 9999".to_owned()
}

#[derive(Debug, Clone)]
pub(crate) struct Zone(TimeZone);

impl Zone {
    /// Parses a zone name (`Europe/Berlin`, `UTC`) or an offset (`+2`, `-08:00`).
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

    /// Returns the zone's offset from UTC at an instant, in seconds.
    fn offset(&self, micros: i64) -> i32 {
        // jiff's range of instants ends one day before the end of the year 9999. No zone changes
        // its offset on that day.
        let instant = Timestamp::from_microsecond(micros).unwrap_or(if micros < 0 {
            Timestamp::MIN
        } else {
            Timestamp::MAX
        });
        self.0.to_offset(instant).seconds()
    }

    /// Converts a local time to an instant. If the local time occurs twice, this is the first
    /// occurrence. If it is skipped, this is the instant of the zone's change.
    pub(crate) fn instant(&self, local: DateTime) -> Result<i64, String> {
        let at = |offset: Offset| micros(local) - i64::from(offset.seconds()) * SECOND;
        let found = match self.0.to_ambiguous_timestamp(local).offset() {
            AmbiguousOffset::Unambiguous { offset } => at(offset),
            AmbiguousOffset::Fold { before, .. } => at(before),
            AmbiguousOffset::Gap { before, .. } => self.last_change(at(before)),
        };
        civil(found).map(|_| found)
    }

    /// Returns the last instant up to `until` at which the zone's offset changed.
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

/// Parses an offset from UTC into seconds: `+2`, `-08`, `+05:30`, `+0530`. The maximum is 14 hours.
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
