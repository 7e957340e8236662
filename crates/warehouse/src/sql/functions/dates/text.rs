//! Formats and parses dates and times: in their stored form, and as in CAST.

use jiff::civil::{Date, DateTime, Time};

use super::moment::{self, Moment, Zone};

/// Formats a DATE, in its stored form and for CAST.
pub(crate) fn canonical_date(date: Date) -> String {
    date.to_string()
}

/// Formats a TIME in its stored form, without trailing zeros in the fraction.
pub(crate) fn canonical_time(time: Time) -> String {
    let mut text = whole_seconds(time);
    let micros = time.subsec_nanosecond() / 1000;
    if micros != 0 {
        text.push_str(format!(".{micros:06}").trim_end_matches('0'));
    }
    text
}

/// Formats a DATETIME in its stored form.
pub(crate) fn canonical_datetime(local: DateTime) -> String {
    format!("{}T{}", local.date(), canonical_time(local.time()))
}

/// Formats a TIME for CAST, with zero, three or six decimals.
pub(crate) fn readable_time(time: Time) -> String {
    let text = whole_seconds(time);
    match time.subsec_nanosecond() / 1000 {
        0 => text,
        micros if micros % 1000 == 0 => format!("{text}.{:03}", micros / 1000),
        micros => format!("{text}.{micros:06}"),
    }
}

/// Formats a DATETIME for CAST.
pub(crate) fn readable_datetime(local: DateTime) -> String {
    format!("{} {}", local.date(), readable_time(local.time()))
}

/// Formats a TIMESTAMP for CAST. The offset is written in hours, and minutes unless they are zero.
pub(crate) fn readable_timestamp(moment: Moment) -> String {
    let sign = if moment.offset < 0 { '-' } else { '+' };
    let minutes = moment.offset.abs() / 60;
    let mut text = format!("{}{sign}{:02}", readable_datetime(moment.local), minutes / 60);
    if minutes % 60 != 0 {
        text.push_str(&format!(":{:02}", minutes % 60));
    }
    text
}

/// Formats a timestamp in UTC as in RFC 3339.
pub(crate) fn rfc3339(utc: Moment) -> String {
    format!("{}T{}Z", utc.local.date(), readable_time(utc.local.time()))
}

fn whole_seconds(time: Time) -> String {
    format!("{:02}:{:02}:{:02}", time.hour(), time.minute(), time.second())
}

/// Parses a DATE such as `2026-11-21` or `2026-1-5`.
pub(crate) fn read_date(text: &str) -> Result<Date, String> {
    let mut rest = text.trim();
    date(&mut rest).filter(|_| rest.is_empty()).ok_or_else(|| invalid("date", text))
}

/// Parses a TIME such as `7:05:00.25`.
pub(crate) fn read_time(text: &str) -> Result<Time, String> {
    let mut rest = text.trim();
    time(&mut rest).filter(|_| rest.is_empty()).ok_or_else(|| invalid("time", text))
}

/// Parses a DATETIME: a date with an optional time.
pub(crate) fn read_datetime(text: &str) -> Result<DateTime, String> {
    let mut rest = text.trim();
    datetime(&mut rest).filter(|_| rest.is_empty()).ok_or_else(|| invalid("datetime", text))
}

/// Parses a TIMESTAMP: a date with an optional time and time zone. The default time zone is UTC.
pub(crate) fn read_timestamp(text: &str) -> Result<i64, String> {
    let (local, zone) = read_local(text)?;
    match zone {
        Some(zone) => zone.instant(local),
        None => Ok(moment::micros(local)),
    }
}

/// Parses the text of a TIMESTAMP. Returns the local time, and the time zone if there is one.
pub(crate) fn read_local(text: &str) -> Result<(DateTime, Option<Zone>), String> {
    let mut rest = text.trim();
    let local = datetime(&mut rest).ok_or_else(|| invalid("timestamp", text))?;
    let is_named = rest.starts_with(' ');
    let zone = match rest.trim_start() {
        "" => None,
        name if is_named || name.starts_with(['+', '-']) || name.eq_ignore_ascii_case("z") => {
            Some(Zone::read(name)?)
        }
        _ => return Err(invalid("timestamp", text)),
    };
    Ok((local, zone))
}

fn invalid(kind: &str, text: &str) -> String {
    let shown: String = text.chars().take(80).collect();
    format!("Invalid {kind}: '{shown}'")
}

fn datetime(rest: &mut &str) -> Option<DateTime> {
    let date = date(rest)?;
    let mut after = *rest;
    let time = if after.starts_with([' ', 'T', 't']) {
        after = &after[1..];
        time(&mut after)
    } else {
        None
    };
    if time.is_some() {
        *rest = after;
    }
    Some(date.to_datetime(time.unwrap_or(Time::midnight())))
}

fn date(rest: &mut &str) -> Option<Date> {
    let year = digits(rest, 4, 4)?;
    let month = after("-", rest).and_then(|()| digits(rest, 1, 2))?;
    let day = after("-", rest).and_then(|()| digits(rest, 1, 2))?;
    let date =
        Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, i8::try_from(day).ok()?);
    date.ok().filter(|date| date.year() >= 1)
}

/// Parses a time, with optional seconds.
fn time(rest: &mut &str) -> Option<Time> {
    let hour = digits(rest, 1, 2)?;
    let minute = after(":", rest).and_then(|()| digits(rest, 1, 2))?;
    let (mut second, mut nanos) = (0, 0);
    if after(":", rest).is_some() {
        second = digits(rest, 1, 2)?;
        if after(".", rest).is_some() {
            nanos = fraction(rest)?;
        }
    }
    Time::new(
        i8::try_from(hour).ok()?,
        i8::try_from(minute).ok()?,
        i8::try_from(second).ok()?,
        nanos,
    )
    .ok()
}

/// Parses up to nine digits after a decimal point. Returns nanoseconds, truncated to whole
/// microseconds.
pub(super) fn fraction(rest: &mut &str) -> Option<i32> {
    let before = rest.len();
    let value = digits(rest, 0, 9)?;
    let digits = u32::try_from(before - rest.len()).ok()?;
    let nanos = value * 10_i64.pow(9 - digits);
    i32::try_from(nanos / 1000 * 1000).ok()
}

fn after(word: &str, rest: &mut &str) -> Option<()> {
    *rest = rest.strip_prefix(word)?;
    Some(())
}

/// Parses a number with at least `min_digits` and at most `max_digits` digits.
pub(super) fn digits(rest: &mut &str, min_digits: usize, max_digits: usize) -> Option<i64> {
    let bytes = rest.bytes().take(max_digits);
    let count = bytes.take_while(u8::is_ascii_digit).count();
    let (digits, after) = rest.split_at(count);
    let value = (count >= min_digits)
        .then(|| digits.bytes().fold(0, |sum, digit| sum * 10 + i64::from(digit - b'0')))?;
    *rest = after;
    Some(value)
}
