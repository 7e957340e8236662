//! Dates as authors write them.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::fmt::strtime;
use jiff::tz::TimeZone;

/// Reads a date: RFC 3339, the same with a space, with or without seconds and offset
/// (`2026-11-20 09:30 +0100`), a date alone (midnight), or RFC 2822. Without an offset it is of `zone`.
pub fn parse(text: &str, zone: &TimeZone) -> Result<Timestamp, String> {
    let text = text.trim();
    if let Ok(time) = text.parse::<Timestamp>() {
        return Ok(time);
    }
    if let Ok(time) = text.parse::<jiff::Zoned>() {
        return Ok(time.timestamp());
    }
    for format in [
        "%Y-%m-%d %H:%M:%S %z",
        "%Y-%m-%d %H:%M:%S%z",
        "%Y-%m-%d %H:%M %z",
        "%Y-%m-%d %H:%M %:z",
        "%Y-%m-%d %H:%M%:z",
        "%Y-%m-%dT%H:%M%:z",
        "%Y-%m-%dT%H:%M:%S%z",
        "%Y-%m-%d %H:%M:%S %:z",
    ] {
        if let Ok(time) = strtime::parse(format, text).and_then(|parts| parts.to_timestamp()) {
            return Ok(time);
        }
    }
    if let Some(utc) = text
        .strip_suffix(['Z', 'z'])
        .and_then(|text| text.trim_end().parse::<DateTime>().ok())
    {
        return civil(utc, &TimeZone::UTC);
    }
    if text.len() == "2026-11-20".len()
        && let Ok(date) = text.parse::<Date>()
    {
        return civil(date.at(0, 0, 0, 0), zone);
    }
    if let Ok(time) = text.parse::<DateTime>() {
        return civil(time, zone);
    }
    jiff::fmt::rfc2822::parse(text)
        .map(|time| time.timestamp())
        .map_err(|_| format!("{text:?}"))
}

fn civil(time: DateTime, zone: &TimeZone) -> Result<Timestamp, String> {
    time.to_zoned(zone.clone())
        .map(|time| time.timestamp())
        .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_that_authors_and_other_generators_write_are_read() {
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
            assert_eq!(
                parse(text, &zone).map(|time| time.to_string()),
                Ok(utc.into()),
                "{text}"
            );
        }
        for text in ["", "tomorrow", "2026-13-01", "2026-02-30", "20.11.2026"] {
            assert!(parse(text, &zone).is_err(), "{text}");
        }
    }
}
