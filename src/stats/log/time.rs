//! Parses the times in logs.

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::Offset;
use jiff::{Timestamp, ToSpan};

const MONTHS: [&[u8]; 12] = [
    b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec",
];

/// The range of plausible times: the years 2000 to 2199, in microseconds since 1970. Other times do
/// not occur in logs.
const PLAUSIBLE: std::ops::Range<i64> = 946_684_800_000_000..7_258_118_400_000_000;

/// Parses a time in the common log format, such as `21/Nov/2026:07:05:00 +0100`. Returns
/// microseconds since 1970.
pub(super) fn parse_common(text: &str) -> Option<i64> {
    let text = text.as_bytes();
    let (date, rest) = text.split_at_checked(text.iter().position(|byte| *byte == b':')?)?;
    let mut parts = date.split(|byte| *byte == b'/');
    let day = number(parts.next()?)?;
    let name = parts.next()?.to_ascii_lowercase();
    let month = MONTHS.iter().position(|month| *month == name)?;
    let year = number(parts.next()?)?;
    let [b':', h1, h2, b':', m1, m2, b':', s1, s2, rest @ ..] = rest else {
        return None;
    };
    let date =
        Date::new(year.try_into().ok()?, i8::try_from(month).ok()? + 1, day.try_into().ok()?);
    let part = |a: &u8, b: &u8| i8::try_from(number(&[*a, *b])?).ok();
    // A leap second is treated as the last second of its minute.
    let time = Time::new(part(h1, h2)?, part(m1, m2)?, part(s1, s2)?.min(59), 0);
    let offset = match rest {
        [] | [b' ', b'Z'] => 0,
        [b' ', sign @ (b'+' | b'-'), h1, h2, m1, m2] => {
            let seconds = i32::from(part(h1, h2)?) * 3600 + i32::from(part(m1, m2)?) * 60;
            if *sign == b'-' { -seconds } else { seconds }
        }
        _ => return None,
    };
    instant(date.ok()?.to_datetime(time.ok()?), offset)
}

/// Parses a time in any format that is used in logs: RFC 3339 and similar formats, the common log
/// format, and seconds, milliseconds, microseconds or nanoseconds since 1970. A time without an
/// offset is in UTC. Returns microseconds since 1970.
pub(super) fn any(text: &str) -> Option<i64> {
    let text = text.trim_matches(['[', ']', ' ']);
    if let Some(micros) = since_1970(text) {
        return PLAUSIBLE.contains(&micros).then_some(micros);
    }
    if text.as_bytes().get(2) == Some(&b'/') {
        return parse_common(text);
    }
    if text.len() > 10
        && let Ok(time) = text.parse::<Timestamp>()
    {
        return plausible(time);
    }
    // The offset is missing, or has no colon (ISO 8601 basic format).
    let split = text.len().checked_sub(5).filter(|at| *at > 10);
    if let Some(at) = split
        && let Some((head, tail)) = text.split_at_checked(at)
        && tail.starts_with(['+', '-'])
        && !head.ends_with(':')
    {
        let (hours, minutes) = tail.split_at_checked(3)?;
        return plausible(format!("{head}{hours}:{minutes}").parse().ok()?);
    }
    // A date without a time of day is invalid.
    instant(text.parse().ok().filter(|_| text.len() > 10)?, 0)
}

/// Parses a number of seconds or smaller units since 1970. The unit is derived from the size of the
/// number.
fn since_1970(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(fraction) {
        return None;
    }
    let whole: i64 = whole.parse().ok()?;
    let fraction: i64 = format!("{:0<6.6}", fraction).parse().ok()?;
    match whole {
        0..100_000_000_000 => whole.checked_mul(1_000_000)?.checked_add(fraction),
        100_000_000_000..100_000_000_000_000 => Some(whole * 1000 + fraction / 1000),
        100_000_000_000_000..100_000_000_000_000_000 => Some(whole),
        _ => Some(whole / 1000),
    }
}

fn instant(time: DateTime, offset_seconds: i32) -> Option<i64> {
    let utc = Offset::UTC.to_timestamp(time).ok()?;
    plausible(utc.checked_sub(i64::from(offset_seconds).seconds()).ok()?)
}

fn plausible(time: Timestamp) -> Option<i64> {
    Some(time.as_microsecond()).filter(|time| PLAUSIBLE.contains(time))
}

fn number(digits: &[u8]) -> Option<u16> {
    (!digits.is_empty() && digits.len() <= 4).then_some(())?;
    digits.iter().try_fold(0u16, |sum, digit| {
        let digit = digit.is_ascii_digit().then(|| u16::from(digit - b'0'))?;
        Some(sum * 10 + digit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_times_have_many_notations() {
        let moment = 1_795_245_000_000_000;
        for text in [
            "21/Nov/2026:07:10:00 +0000", "[21/Nov/2026:12:40:00 +0530]",
            "20/nov/2026:23:10:00 -0800", "2026-11-21T07:10:00Z", "2026-11-21T07:10:00.000+00:00",
            "2026-11-21T08:10:00+0100", "2026-11-21 07:10:00", "1795245000", "1795245000.000",
            "1795245000000", "1795245000000000", "1795245000000000000",
        ] {
            assert_eq!(any(text), Some(moment), "{text}");
        }
        assert_eq!(any("1795245000.25"), Some(moment + 250_000));
        assert_eq!(any("1795245000000.5"), Some(moment + 500));
        assert_eq!(
            parse_common("30/Jun/2026:23:59:60 +0000"),
            parse_common("30/Jun/2026:23:59:59 +0000")
        );
    }

    #[test]
    fn invalid_times_are_none() {
        for text in [
            "", "-", "21/Foo/2026:07:10:00 +0000", "31/Feb/2026:07:10:00 +0000",
            "21/Nov/2026:24:10:00 +0000", "21/Nov/2026:07:10:00 +00",
            "21/Nov/20260:07:10:00 +0000", "21/Nov/1926:07:10:00 +0000", "2026-11-21",
            "2026-13-21T00:00:00Z", "-1795245000", "12", "99999999999999999999", "1e9",
            "ä/ö/üüüü:07:10:00", "2026-11-21T07:10:ü+000",
        ] {
            assert_eq!(any(text), None, "{text}");
        }
    }
}
