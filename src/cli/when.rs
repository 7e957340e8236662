//! Parses times and durations from the command line.

use jiff::tz::TimeZone;
use jiff::{Span, Timestamp};

use source::dates;

/// Parses a time, or a duration from now.
pub fn ahead(text: &str, now: Timestamp) -> Result<Timestamp, String> {
    moment(text, |span| now.to_zoned(TimeZone::UTC).checked_add(span))
}

/// Parses a time, or a duration before now.
pub fn ago(text: &str, now: Timestamp) -> Result<Timestamp, String> {
    moment(text, |span| now.to_zoned(TimeZone::UTC).checked_sub(span))
}

/// Parses a time or a duration. A day lasts 24 hours. A time without an offset is in the local time
/// zone.
fn moment(
    text: &str,
    count: impl FnOnce(Span) -> Result<jiff::Zoned, jiff::Error>,
) -> Result<Timestamp, String> {
    if let Ok(time) = dates::parse(text, &TimeZone::system()) {
        return Ok(time);
    }
    text.parse::<Span>()
        .ok()
        .filter(|span| !span.is_negative())
        .and_then(|span| count(span).ok())
        .map(|time| time.timestamp())
        .ok_or_else(|| {
            format!("invalid time {text:?}: write a time (2026-12-31T18:00:00Z, 2026-12-31) or a duration (30d, 12h, 90m, 2w)")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_durations_are_parsed_and_other_texts_are_errors() {
        let now: Timestamp = "2026-04-01T12:00:00Z".parse().unwrap();
        for (text, then, before) in [
            ("30d", "2026-05-01T12:00:00Z", "2026-03-02T12:00:00Z"),
            ("12h", "2026-04-02T00:00:00Z", "2026-04-01T00:00:00Z"),
            ("90m", "2026-04-01T13:30:00Z", "2026-04-01T10:30:00Z"),
            ("2w", "2026-04-15T12:00:00Z", "2026-03-18T12:00:00Z"),
            ("2026-12-31T18:00:00Z", "2026-12-31T18:00:00Z", "2026-12-31T18:00:00Z"),
            ("2026-12-31T18:00:00+02:00", "2026-12-31T16:00:00Z", "2026-12-31T16:00:00Z"),
        ] {
            assert_eq!(ahead(text, now).unwrap().to_string(), then, "{text}");
            assert_eq!(ago(text, now).unwrap().to_string(), before, "{text}");
        }
        assert!(ahead("2026-12-31", now).is_ok());
        for text in ["", "30", "d", "-3d", "3d ago", "tomorrow", "90000y", "2026-02-30"] {
            let error = ahead(text, now).unwrap_err();
            assert!(error.contains("30d"), "{error}");
        }
    }
}
