//! Times with an offset from UTC, in the format of RFC 3339.

use jiff::Timestamp;
use jiff::fmt::temporal::Pieces;
use jiff::tz::Offset;

/// Parses a date and time with an offset. The maximum offset is 23:59 (RFC 3339, section 5.6); jiff
/// accepts larger offsets.
pub fn instant(text: &str) -> Option<Timestamp> {
    let time = text.parse().ok()?;
    offset_of(text).is_none_or(is_offset).then_some(time)
}

/// Returns the offset of a date and time.
pub fn offset_of(text: &str) -> Option<Offset> {
    Pieces::parse(text).ok()?.to_numeric_offset()
}

/// Returns whether RFC 3339 can represent an offset: whole minutes, less than a day.
pub fn is_offset(offset: Offset) -> bool {
    let seconds = offset.seconds();
    seconds.abs() < 86_400 && seconds % 60 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_is_shorter_than_a_day() {
        for (offset, is_valid) in [
            ("Z", true),
            ("+00:00", true),
            ("+23:59", true),
            ("-23:59", true),
            ("+24:00", false),
            ("-24:00", false),
            ("+24:01", false),
            ("+25:59", false),
            ("-25:59", false),
            ("+01:00:30", false),
            ("+01:60", false),
            ("", false),
        ] {
            let text = format!("2026-11-20T09:30:00{offset}");
            assert_eq!(instant(&text).is_some(), is_valid, "{text}");
        }
    }
}
