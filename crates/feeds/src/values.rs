//! Parses the values of feeds: durations, lengths, numbers, dates, languages. Invalid and
//! impossible values are skipped and reported.

use jiff::{SignedDuration, Timestamp};

use crate::date;

/// Maximum duration in seconds: a week. Durations in milliseconds, written by mistake, exceed it.
const MAX_DURATION: f64 = 7.0 * 24.0 * 3600.0;

/// Maximum size of a file in bytes: a tebibyte.
const MAX_FILE_BYTES: u64 = 1 << 40;

/// Messages about an entry: values that could not be read, and content that was left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InvalidValues(Vec<String>);

impl InvalidValues {
    pub fn push(&mut self, field: &str, value: &str, what: &str) {
        const MAX_SHOWN_CHARS: usize = 100;
        let shown: String = value.chars().take(MAX_SHOWN_CHARS).collect();
        self.report(format!("{field} {shown:?} is not a valid {what}; it was left out"));
    }

    /// Adds a message about the entry.
    pub fn report(&mut self, message: impl Into<String>) {
        let message = message.into();
        if !self.0.contains(&message) {
            self.0.push(message);
        }
    }

    pub fn messages(&self) -> &[String] {
        &self.0
    }

    /// Parses a date, in which the month name may be in `language`. Reports invalid dates and
    /// unknown time zones.
    pub fn date(&mut self, field: &str, text: &str, language: Option<&str>) -> Option<Timestamp> {
        if text.trim().is_empty() {
            return None;
        }
        let Some(read) = date::read(text, language) else {
            self.push(field, text, "date");
            return None;
        };
        if let Some(zone) = read.unknown_zone {
            let message = format!(
                "{field} {text:?} has the unknown time zone {zone}; its time was read as UTC"
            );
            self.0.push(message);
        }
        Some(read.moment)
    }

    /// Parses a duration, in seconds. Zero means that the duration is unknown.
    pub fn seconds(&mut self, field: &str, text: &str) -> Option<f64> {
        let read = seconds(text);
        if read.is_none() && !text.trim().is_empty() {
            self.push(field, text, "duration");
        }
        read.filter(|seconds| *seconds > 0.0)
    }

    /// Parses the length of a file, in bytes. Many feeds use 0 for an unknown length.
    pub fn length(&mut self, field: &str, text: &str) -> Option<u64> {
        let digits = text.replace([',', ' ', '\u{a0}'], "");
        let read = digits.parse().ok().filter(|length| *length <= MAX_FILE_BYTES);
        if read.is_none() && !digits.is_empty() {
            self.push(field, text, "file size in bytes");
        }
        read.filter(|length| *length > 0)
    }

    /// Parses the number of a season or an episode.
    pub fn number(&mut self, field: &str, text: &str) -> Option<u32> {
        let text = text.trim();
        let whole = text.strip_suffix(".0").unwrap_or(text);
        let read = whole.parse().ok().filter(|number| *number > 0);
        if read.is_none() && !text.is_empty() {
            self.push(field, text, "number above 0");
        }
        read
    }

    /// Parses a language tag (RFC 5646). `en_US` becomes `en-US`. Reports invalid tags.
    pub fn language(&mut self, field: &str, text: &str) -> Option<String> {
        let read = language(text);
        if read.is_none() && !text.trim().is_empty() {
            self.push(field, text, "language tag such as en or pt-BR");
        }
        read
    }
}

/// Returns a language tag (RFC 5646) for a string with hyphens or underscores.
pub fn language(text: &str) -> Option<String> {
    // `de_DE.UTF-8` and `ca_ES@valencia` are POSIX locales.
    let tag = text.trim().split(['.', '@']).next()?.replace('_', "-");
    let mut parts = tag.split('-');
    let is_primary = |part: &str| {
        (2..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphabetic())
    };
    let is_part = |part: &str| {
        (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    (parts.next().is_some_and(is_primary) && parts.all(is_part)).then_some(tag)
}

/// Parses a duration such as `5025`, `1:23:45`, `83:45`, `PT1H23M45S` or `1h 23m 45s`. Returns it
/// in seconds.
///
/// With more than two colons, the numbers after the third are ignored, as in Apple Podcasts.
pub fn seconds(text: &str) -> Option<f64> {
    let text = text.trim();
    let is_clock = text.bytes().all(|byte| byte.is_ascii_digit() || b":., ".contains(&byte));
    let total = match is_clock {
        true => clock(text)?,
        false => text.parse::<SignedDuration>().ok()?.as_secs_f64(),
    };
    (0.0..=MAX_DURATION).contains(&total).then_some(total)
}

fn clock(text: &str) -> Option<f64> {
    let parts: Vec<&str> = text.split(':').map(str::trim).take(3).collect();
    let (last, larger) = parts.split_last()?;
    let mut total = 0.0;
    for part in larger {
        total = next(total, part.parse::<u32>().ok()?.into())?;
    }
    next(total, last.replace(',', ".").parse().ok()?)
}

/// Converts `total` to the next smaller unit and adds `part`. `part` must be less than 60, unless
/// `total` is 0.
fn next(total: f64, part: f64) -> Option<f64> {
    (part < 60.0 || total == 0.0).then_some(total * 60.0 + part)
}
