//! Formats dates, durations and other values as text.

use std::borrow::Cow;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::fmt::{rfc2822, temporal};
use jiff::tz::TimeZone;

use model::calendar::EventTime;
pub use model::excerpt::excerpt;
use model::is_playlist;

/// Formats a time as RFC 3339 in UTC with milliseconds: `2026-11-20T09:30:00.000Z`.
pub fn rfc3339(time: Timestamp) -> String {
    const PRINTER: temporal::DateTimePrinter = temporal::DateTimePrinter::new().precision(Some(3));
    PRINTER.timestamp_to_string(&time)
}

/// Formats a day, or a time as RFC 3339 with the offset of its time zone.
pub fn iso_8601(time: &EventTime) -> String {
    match time {
        EventTime::Day(day) => day.to_string(),
        EventTime::Moment(moment) => moment.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
    }
}

/// Formats a date for people, in the site's time zone: `Fri Nov 20 2026`.
pub fn short_date(time: Timestamp, zone: &TimeZone) -> String {
    short_day(zone.to_datetime(time).date())
}

/// Formats a day for people: `Fri Nov 20 2026`.
pub fn short_day(day: Date) -> String {
    day.strftime("%a %b %d %Y").to_string()
}

/// Formats seconds as `00:21:02`.
pub fn hhmmss(seconds: f64) -> String {
    let whole = whole_seconds(seconds);
    format!("{:02}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60)
}

/// Formats seconds as Normal Play Time (RFC 2326, section 3.6): `00:21:02`, `00:21:02.500`.
pub fn play_time(seconds: f64) -> String {
    let rounded = (seconds * 1000.0).round() / 1000.0;
    match (rounded.fract() * 1000.0).round() {
        0.0 => hhmmss(rounded),
        milliseconds => format!("{}.{milliseconds:03}", hhmmss(rounded)),
    }
}

/// Formats seconds for people: `21:02`, `1:21:02`.
pub fn clock(seconds: f64) -> String {
    let whole = whole_seconds(seconds);
    match whole / 3600 {
        0 => format!("{}:{:02}", whole / 60, whole % 60),
        hours => format!("{hours}:{:02}:{:02}", whole / 60 % 60, whole % 60),
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn whole_seconds(seconds: f64) -> u64 {
    seconds.max(0.0).floor() as u64
}

/// Returns a short name of a media type for people: `PDF`, `MP3`, `HLS`.
pub fn type_text(mime_type: &str, name: &str) -> String {
    if is_playlist(mime_type) {
        return "HLS".into();
    }
    let extension = name
        .rsplit_once('.')
        .map(|(_, extension)| extension)
        .filter(|extension| (2..=5).contains(&extension.len()));
    extension.unwrap_or_else(|| mime_type.rsplit('/').next().unwrap_or(mime_type)).to_uppercase()
}

/// Replaces `{{current_year}}` in a string with the year. Accepts every spelling of the tag that
/// Mustache allows.
pub fn fill_year(text: &str, year: i16) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("{{") {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        match strip_year_tag(rest) {
            Some(after) => {
                out.push_str(&year.to_string());
                rest = after;
            }
            None => {
                out.push('{');
                rest = &rest[1..];
            }
        }
    }
    out.push_str(rest);
    out
}

/// Returns the text after a leading `{{current_year}}` tag.
fn strip_year_tag(text: &str) -> Option<&str> {
    let tag = text.strip_prefix("{{")?;
    let (tag, end) = match tag.strip_prefix('{') {
        Some(tag) => (tag, "}}}"),
        None => {
            let tag = tag.trim_start();
            (tag.strip_prefix('&').unwrap_or(tag), "}}")
        }
    };
    let name = tag.trim_start().strip_prefix("current_year")?;
    name.trim_start().strip_prefix(end)
}

/// Escapes plain text as HTML. Feed readers treat an item's `description` as HTML.
pub fn html_of_text(text: &str) -> Cow<'_, str> {
    if !text.bytes().any(|byte| matches!(byte, b'&' | b'<' | b'>')) {
        return text.into();
    }
    let html = text.replace('&', "&amp;").replace('<', "&lt;");
    html.replace('>', "&gt;").into()
}

/// Formats a date as in RFC 822, with a four-digit year and in GMT. Returns an empty string for
/// years before 0, which the format cannot express.
pub fn rfc_822(time: Timestamp) -> String {
    const PRINTER: rfc2822::DateTimePrinter = rfc2822::DateTimePrinter::new();
    PRINTER.timestamp_to_rfc9110_string(&time).unwrap_or_default()
}

/// Returns the reading time of a text in minutes, rounded to the nearest minute. It assumes 230
/// words a minute, or 500 characters a minute in scripts without spaces between words.
pub fn reading_minutes(text: &str) -> u64 {
    const WORDS: u64 = 230;
    const CHARACTERS: u64 = 500;
    let (mut words, mut characters) = (0, 0);
    // Characters of unspaced scripts start with byte 0xe3 or higher in UTF-8. In a text without
    // such bytes, words are counted by their first bytes.
    if text.bytes().fold(0, u8::max) < 0xe3 {
        return (count_spaced_words(text.as_bytes()) + WORDS / 2) / WORDS;
    }
    for part in text.split_whitespace() {
        let dense = part.chars().filter(|one| is_unspaced_script(*one)).count();
        characters += dense as u64;
        let has_others = dense == 0 || part.chars().any(|one| one.is_ascii_alphanumeric());
        words += u64::from(has_others);
    }
    (words * CHARACTERS + characters * WORDS + WORDS * CHARACTERS / 2) / (WORDS * CHARACTERS)
}

/// Counts words in blocks, with a single byte as the counter, so that the compiler can vectorize
/// the loop.
fn count_spaced_words(text: &[u8]) -> u64 {
    let is_space = |byte: u8| byte <= b' ';
    let first = text.first().is_some_and(|byte| !is_space(*byte));
    let blocks = text.chunks(128).zip(text.get(1..).unwrap_or_default().chunks(128));
    let starts = blocks.map(|(before, at)| {
        let starts = before.iter().zip(at);
        let starts = starts.map(|(before, at)| u8::from(is_space(*before) & !is_space(*at)));
        u64::from(starts.fold(0_u8, u8::wrapping_add))
    });
    u64::from(first) + starts.sum::<u64>()
}

/// Returns whether a character belongs to a script without spaces between words: Chinese or
/// Japanese.
fn is_unspaced_script(one: char) -> bool {
    matches!(one, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Returns whether a language is written from right to left.
pub fn is_right_to_left(language: &str) -> bool {
    let mut parts = language.split(['-', '_']);
    let primary = parts.next().unwrap_or_default().to_ascii_lowercase();
    let script = parts.find(|part| part.len() == 4);
    match script.map(str::to_ascii_lowercase).as_deref() {
        Some("arab" | "hebr" | "thaa" | "syrc" | "nkoo" | "adlm" | "rohg") => true,
        Some(_) => false,
        None => matches!(
            primary.as_str(),
            "ar" | "he" | "fa" | "ur" | "ps" | "sd" | "ug" | "yi" | "dv" | "ckb" | "arc" | "nqo"
        ),
    }
}

#[cfg(test)]
mod tests {

    use super::*;

    #[test]
    fn reading_time_counts_words_and_unspaced_characters() {
        assert_eq!(reading_minutes(""), 0);
        assert_eq!(reading_minutes(&"word ".repeat(114)), 0);
        assert_eq!(reading_minutes(&"word ".repeat(115)), 1);
        assert_eq!(reading_minutes(&"слово ".repeat(460)), 2);
        assert_eq!(reading_minutes(&"字".repeat(1500)), 3);
        assert_eq!(reading_minutes(&format!("{} {}", "字".repeat(500), "a ".repeat(230))), 2);
    }

    #[test]
    fn durations_and_types_are_formatted_for_readers() {
        assert_eq!(hhmmss(1262.9), "00:21:02");
        assert_eq!(clock(62.0), "1:02");
        assert_eq!(clock(3725.0), "1:02:05");
    }

    #[test]
    fn dates_are_rfc_3339_in_utc() {
        for (time, text) in [
            ("2020-10-09T06:30:38+02:00", "2020-10-09T04:30:38.000Z"),
            ("2024-02-29T23:59:59.9999Z", "2024-02-29T23:59:59.999Z"),
            ("0999-12-31T00:00:00Z", "0999-12-31T00:00:00.000Z"),
            ("1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.500Z"),
        ] {
            assert_eq!(rfc3339(time.parse().unwrap()), text);
        }
    }

    #[test]
    fn dates_are_rfc_822_in_gmt() {
        for (time, text) in [
            ("2020-10-09T06:30:38+02:00", "Fri, 09 Oct 2020 04:30:38 GMT"),
            ("2024-02-29T23:59:59.999Z", "Thu, 29 Feb 2024 23:59:59 GMT"),
            ("0999-12-31T00:00:00Z", "Tue, 31 Dec 0999 00:00:00 GMT"),
            ("1969-12-31T23:59:59Z", "Wed, 31 Dec 1969 23:59:59 GMT"),
        ] {
            assert_eq!(rfc_822(time.parse().unwrap()), text);
        }
    }
}
