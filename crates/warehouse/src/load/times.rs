//! Parses dates, times and timestamps in common formats.
//!
//! A date is written as `2026-11-21` or `2026/11/21`, with one or two digits for month and day. A
//! time is written as `07:05`, `7:05:00` or `07:05:00.25`. A `T` or a space separates date and
//! time. A timestamp can end with a time zone: `Z`, `UTC`, `+02`, `+02:00` or `Europe/Paris`. Years
//! range from 1 to 9999. The precision is one microsecond.

use std::fmt::Write as _;

use jiff::civil;
use jiff::tz::TimeZone;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Date {
    year: u16,
    month: u8,
    day: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Time {
    hour: u8,
    minute: u8,
    second: u8,
    micros: u32,
}

/// The time zone at the end of a timestamp.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Zone {
    /// No time zone.
    None,
    /// An offset from UTC, in seconds. Zones ahead of UTC are positive.
    Offset(i32),
    /// A named time zone.
    Named(TimeZone),
}

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;

pub(super) fn date(text: &str) -> Option<Date> {
    let mut rest = text.as_bytes();
    let date = take_date(&mut rest)?;
    rest.is_empty().then_some(date)
}

/// Parses a time of day.
pub(super) fn time(text: &str) -> Option<Time> {
    let mut rest = text.as_bytes();
    let time = take_time(&mut rest)?;
    rest.is_empty().then_some(time)
}

/// Parses a date and time without a time zone. The time is midnight if it is missing.
pub(super) fn datetime(text: &str) -> Option<(Date, Time)> {
    let (date, time, rest) = moment(text)?;
    rest.is_empty().then_some((date, time))
}

/// Parses a timestamp: a date with an optional time and an optional time zone.
pub(super) fn instant(text: &str) -> Option<(Date, Time, Zone)> {
    let (date, time, rest) = moment(text)?;
    Some((date, time, zone(std::str::from_utf8(rest).ok()?)?))
}

/// Converts a timestamp to microseconds since 1970-01-01T00:00:00Z. A timestamp without a time zone
/// is interpreted in `default`.
pub(super) fn micros(date: Date, time: Time, zone: &Zone, default: &TimeZone) -> Option<i64> {
    let local = date.days() * DAY + time.micros();
    let micros = match zone {
        Zone::Offset(seconds) => local - i64::from(*seconds) * SECOND,
        Zone::None if *default == TimeZone::UTC => local,
        Zone::None => in_zone(date, time, default)?,
        Zone::Named(zone) => in_zone(date, time, zone)?,
    };
    is_instant(micros).then_some(micros)
}

/// Returns whether a timestamp is in the years 1 to 9999.
pub(super) fn is_instant(micros: i64) -> bool {
    (-62_135_596_800 * SECOND..253_402_300_800 * SECOND).contains(&micros)
}

fn in_zone(date: Date, time: Time, zone: &TimeZone) -> Option<i64> {
    let small = |n: u8| i8::try_from(n).ok();
    let local = civil::DateTime::new(
        i16::try_from(date.year).ok()?,
        small(date.month)?,
        small(date.day)?,
        small(time.hour)?,
        small(time.minute)?,
        small(time.second)?,
        i32::try_from(time.micros * 1000).ok()?,
    )
    .ok()?;
    Some(zone.to_timestamp(local).ok()?.as_microsecond())
}

impl Date {
    /// Returns the number of days since 1970-01-01.
    fn days(self) -> i64 {
        // Years are counted from March, so that the leap day is the last day of a year.
        let shifted = i64::from(self.year) - i64::from(self.month <= 2);
        let month = (i64::from(self.month) + 9) % 12;
        let of_year = (153 * month + 2) / 5 + i64::from(self.day) - 1;
        let (era, year) = (shifted.div_euclid(400), shifted.rem_euclid(400));
        era * 146_097 + year * 365 + year / 4 - year / 100 + of_year - 719_468
    }

    /// Appends the date in its stored form: `2026-11-21`.
    pub(super) fn write(self, out: &mut String) {
        let _ = write!(out, "{:04}-{:02}-{:02}", self.year, self.month, self.day);
    }
}

impl Time {
    fn micros(self) -> i64 {
        let minutes = i64::from(self.hour) * 60 + i64::from(self.minute);
        (minutes * 60 + i64::from(self.second)) * SECOND + i64::from(self.micros)
    }

    /// Appends the time in its stored form: `07:05:00`, with a fraction if it is not zero.
    pub(super) fn write(self, out: &mut String) {
        let _ = write!(out, "{:02}:{:02}:{:02}", self.hour, self.minute, self.second);
        if self.micros != 0 {
            let _ = write!(out, ".{:06}", self.micros);
            out.truncate(out.trim_end_matches('0').len());
        }
    }
}

fn moment(text: &str) -> Option<(Date, Time, &[u8])> {
    let mut rest = text.as_bytes();
    let date = take_date(&mut rest)?;
    let time = match rest {
        [b'T' | b't' | b' ', b'0'..=b'9', ..] => {
            rest = &rest[1..];
            take_time(&mut rest)?
        }
        _ => Time::default(),
    };
    Some((date, time, rest))
}

fn take_date(rest: &mut &[u8]) -> Option<Date> {
    let year = take_number(rest, 4, 4)?;
    let separator = *rest.first().filter(|byte| matches!(byte, b'-' | b'/'))?;
    *rest = &rest[1..];
    let month = take_number(rest, 1, 2)?;
    take_byte(rest, separator)?;
    let day = take_number(rest, 1, 2)?;
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let longest = match month {
        2 => 28 + u32::from(is_leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    (year > 0 && (1..=longest).contains(&day)).then_some(Date {
        year: u16::try_from(year).ok()?,
        month: u8::try_from(month).ok()?,
        day: u8::try_from(day).ok()?,
    })
}

fn take_time(rest: &mut &[u8]) -> Option<Time> {
    let hour = take_number(rest, 1, 2)?;
    take_byte(rest, b':')?;
    let minute = take_number(rest, 1, 2)?;
    let mut time = Time {
        hour: u8::try_from(hour).ok()?,
        minute: u8::try_from(minute).ok()?,
        ..Time::default()
    };
    if take_byte(rest, b':').is_some() {
        time.second = u8::try_from(take_number(rest, 1, 2)?).ok()?;
        if take_byte(rest, b'.').is_some() {
            time.micros = take_fraction(rest)?;
        }
    }
    (time.hour < 24 && time.minute < 60 && time.second < 60).then_some(time)
}

/// Parses the digits after the decimal point and converts them to microseconds. Digits after the
/// sixth must be zeros.
fn take_fraction(rest: &mut &[u8]) -> Option<u32> {
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (fraction, after) = rest.split_at(digits);
    *rest = after;
    let (kept, cut) = fraction.split_at(digits.min(6));
    let is_whole = (1..=12).contains(&digits) && cut.iter().all(|&byte| byte == b'0');
    let number = kept.iter().fold(0, |sum, &byte| sum * 10 + u32::from(byte - b'0'));
    is_whole.then(|| number * 10_u32.pow(6 - u32::try_from(kept.len()).unwrap_or(6)))
}

/// Parses a number with at least `min_digits` and at most `max_digits` digits.
fn take_number(rest: &mut &[u8], min_digits: usize, max_digits: usize) -> Option<u32> {
    let digits = rest.iter().take(max_digits).take_while(|byte| byte.is_ascii_digit()).count();
    if digits < min_digits {
        return None;
    }
    let (number, after) = rest.split_at(digits);
    *rest = after;
    Some(number.iter().fold(0, |sum, &byte| sum * 10 + u32::from(byte - b'0')))
}

fn take_byte(rest: &mut &[u8], byte: u8) -> Option<()> {
    let after = rest.strip_prefix(&[byte])?;
    *rest = after;
    Some(())
}

fn zone(text: &str) -> Option<Zone> {
    let name = text.trim_start_matches(' ');
    match name {
        "" => Some(Zone::None),
        "Z" | "z" | "UTC" => Some(Zone::Offset(0)),
        _ if name.starts_with(['+', '-']) => offset(name).map(Zone::Offset),
        // A space must separate the name of a time zone from the time.
        _ if name.len() < text.len() => named_zone(name).map(Zone::Named),
        _ => None,
    }
}

pub(super) fn named_zone(name: &str) -> Option<TimeZone> {
    match name {
        "UTC" => Some(TimeZone::UTC),
        _ => TimeZone::get(name).ok(),
    }
}

/// Parses a UTC offset such as `+2`, `+02`, `+02:00` or `+0200`. Returns the offset in seconds.
fn offset(text: &str) -> Option<i32> {
    let (sign, digits) = match text.as_bytes() {
        [b'+', digits @ ..] => (1, digits),
        [b'-', digits @ ..] => (-1, digits),
        _ => return None,
    };
    let mut rest = digits;
    let hours = take_number(&mut rest, 1, 2)?;
    let minutes = match rest {
        [] => 0,
        _ => {
            let _ = take_byte(&mut rest, b':');
            take_number(&mut rest, 2, 2)?
        }
    };
    let is_offset = rest.is_empty() && hours <= 14 && minutes < 60;
    let seconds = i32::try_from(hours * 3600 + minutes * 60).ok()?;
    is_offset.then_some(sign * seconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Option<i64> {
        let (date, time, zone) = instant(text)?;
        micros(date, time, &zone, &TimeZone::UTC)
    }

    #[test]
    fn instants_are_parsed_in_every_format() {
        let at = Some(1_795_244_700_000_000);
        for text in [
            "2026-11-21 07:05:00", "2026/11/21 7:05", "2026-11-21T07:05:00Z",
            "2026-11-21 07:05:00 UTC", "2026-11-21 09:05:00+02", "2026-11-21T09:05:00.000+02:00",
            "2026-11-21 01:35:00 -0530", "2026-11-21 08:05:00 Europe/Paris",
        ] {
            assert_eq!(read(text), at, "{text}");
        }
        assert_eq!(read("0001-01-01"), Some(-62_135_596_800_000_000));
        assert_eq!(read("9999-12-31 23:59:59.999999"), Some(253_402_300_799_999_999));
        for wrong in [
            "", "2026", "2026-02-29", "0000-01-01", "2026-13-01", "2026-11-21 24:00:00",
            "2026-11-21 07:05:60", "2026-11-21 07:05:00.1234567", "2026-11-21T", "2026-11-21/07",
            "2026-11/21", "0001-01-01 00:00:00+01:00", "2026-11-21 07:05:00 Nowhere",
            "2026-11-21x",
        ] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn days_match_another_calendar_library(days in -719_162_i32..2_932_896) {
            let other = civil::date(1970, 1, 1).checked_add(jiff::Span::new().days(days)).unwrap();
            prop_assert_eq!(date(&other.to_string()).unwrap().days(), i64::from(days));
        }

        #[test]
        fn any_text_is_parsed_without_panic(text in "[0-9:/TZ .+-]{0,30}|.*") {
            let _ = (read(&text), time(&text), datetime(&text));
        }
    }
}
