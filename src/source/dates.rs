//! Parsers of dates as authors write them.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::fmt::strtime;
use jiff::tz::TimeZone;

use model::rfc3339;

/// Parses a date. The accepted forms are RFC 3339, RFC 3339 with a space and with or without
/// seconds and offset (`2026-11-20 09:30 +0100`), a date alone (midnight), and RFC 2822. A date
/// without an offset is in `zone`.
pub fn parse(text: &str, zone: &TimeZone) -> Result<Timestamp, String> {
    if let Some(time) = instant(text) {
        return Ok(time);
    }
    let read = day(text).map(|day| day.at(0, 0, 0, 0)).or(clock(text));
    civil(read.ok_or_else(|| format!("{:?}", text.trim()))?, zone)
}

/// Parses a time with an offset, in any form that [`parse`] accepts.
pub fn instant(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if rfc3339::offset_of(text).is_some_and(|offset| !rfc3339::is_offset(offset)) {
        return None;
    }
    if let Ok(time) = text.parse::<Timestamp>() {
        return Some(time);
    }
    if let Ok(time) = text.parse::<jiff::Zoned>() {
        return Some(time.timestamp());
    }
    for format in [
        "%Y-%m-%d %H:%M:%S %z", "%Y-%m-%d %H:%M:%S%z", "%Y-%m-%d %H:%M %z", "%Y-%m-%d %H:%M %:z",
        "%Y-%m-%d %H:%M%:z", "%Y-%m-%dT%H:%M%:z", "%Y-%m-%dT%H:%M:%S%z", "%Y-%m-%d %H:%M:%S %:z",
    ] {
        let Ok(parts) = strtime::parse(format, text) else {
            continue;
        };
        if parts.offset().is_none_or(rfc3339::is_offset)
            && let Ok(time) = parts.to_timestamp()
        {
            return Some(time);
        }
    }
    if let Some(utc) = text.strip_suffix(['Z', 'z']).and_then(clock) {
        return civil(utc, &TimeZone::UTC).ok();
    }
    let mail = jiff::fmt::rfc2822::parse(text);
    mail.ok().filter(|time| rfc3339::is_offset(time.offset())).map(|time| time.timestamp())
}

/// Parses a day: `2026-11-20`.
pub fn day(text: &str) -> Option<Date> {
    let text = text.trim();
    let is_whole = text.len() == "2026-11-20".len();
    text.parse().ok().filter(|_| is_whole)
}

/// Parses a local time: `2026-11-20T09:30`, with `T` or a space, with or without seconds.
pub fn clock(text: &str) -> Option<DateTime> {
    // jiff ignores an offset, and a zone in brackets, even if the zone is unknown.
    let text = Some(text.trim()).filter(|text| !text.ends_with(']'))?;
    let is_local = rfc3339::offset_of(text).is_none();
    text.parse().ok().filter(|_| is_local)
}

fn civil(time: DateTime, zone: &TimeZone) -> Result<Timestamp, String> {
    time.to_zoned(zone.clone()).map(|time| time.timestamp()).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_authors_and_other_generators_are_parsed() {
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        for (text, utc) in [
            ("2026-11-20T09:30:00Z", "2026-11-20T09:30:00Z"),
            ("2026-11-20T09:30:00.250+01:00", "2026-11-20T08:30:00.25Z"),
            ("2026-11-20", "2026-11-19T23:00:00Z"),
            ("2026-07-20 09:30", "2026-07-20T07:30:00Z"),
            ("2026-11-20 09:30:00 +0200", "2026-11-20T07:30:00Z"),
            ("2026-11-20T09:30+02:00", "2026-11-20T07:30:00Z"),
            ("2026-11-20 09:30 +02:00", "2026-11-20T07:30:00Z"),
            ("2026-11-20 09:30+02:00", "2026-11-20T07:30:00Z"),
            ("2026-11-20T09:30Z", "2026-11-20T09:30:00Z"),
            ("Fri, 09 Oct 2020 04:30:38 GMT", "2020-10-09T04:30:38Z"),
        ] {
            assert_eq!(parse(text, &zone).map(|time| time.to_string()), Ok(utc.into()), "{text}");
        }
        for text in [
            "", "tomorrow", "2026-13-01", "2026-02-30", "20.11.2026", "2026-11-20T09:30+99:00",
            "2026-11-20T09:30+1", "2026-11-20T09:30:00+24:00", "2026-11-20T09:30:00-25:59",
            "2026-11-20T09:30+24:00", "2026-11-20 09:30 +2400", "2026-11-20 09:30:00 -24:30",
            "2026-11-20T09:30:00+24:00[+24:00]", "Fri, 09 Oct 2020 04:30:38 +2400",
            "2026-11-20T09:30[Nowhere/Else]",
        ] {
            assert!(parse(text, &zone).is_err(), "{text}");
        }
    }
}
