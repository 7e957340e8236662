//! Parses dates in formats that other generators support, but feedwright does not.

use jiff::civil::{Date, DateTime};
use jiff::fmt::strtime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

use source::dates;

const DAYS: [&str; 11] = [
    "%Y-%m-%d", "%Y/%m/%d", "%d %b %Y", "%d %B %Y", "%b %d %Y", "%B %d %Y", "%d-%b-%Y", "%d.%m.%Y",
    "%Y.%m.%d", "%Y %b %d", "%Y%m%d",
];
const CLOCKS: [&str; 10] = [
    "", " %H:%M:%S%.f", "T%H:%M:%S%.f", "t%H:%M:%S%.f", " %H:%M", "T%H:%M", " %I:%M:%S %p",
    " %I:%M %p", " %I:%M%p", " %I %p",
];
const OFFSETS: [&str; 4] = ["", " %z", "%z", " %:z"];
/// The date formats of C and Ruby, which end with the year.
const YEAR_LAST: [&str; 2] = ["%b %d %H:%M:%S %Y", "%b %d %H:%M:%S %z %Y"];

/// Parses a date. A date without an offset is in the time zone `zone`.
pub fn instant(written: &str, zone: &TimeZone) -> Option<Timestamp> {
    if let Ok(at) = dates::parse(written, zone) {
        return Some(at);
    }
    let text = normalized(written);
    let combined = DAYS.iter().flat_map(|day| {
        CLOCKS.iter().flat_map(move |clock| {
            OFFSETS.iter().map(move |offset| format!("{day}{clock}{offset}"))
        })
    });
    let mut forms = combined.chain(YEAR_LAST.map(str::to_owned));
    forms.find_map(|form| {
        let parts = strtime::parse(&form, &text).ok()?;
        if form.contains('z') {
            return parts.to_timestamp().ok();
        }
        let at = match parts.to_datetime() {
            Ok(at) => at,
            Err(_) => parts.to_date().ok()?.at(0, 0, 0, 0),
        };
        Some(at.to_zoned(zone.clone()).ok()?.timestamp())
    })
}

/// Converts a date to the format that front matter uses, with an offset.
pub fn moment(written: &str, zone: &TimeZone) -> Option<String> {
    let at = instant(written, zone)?.to_zoned(zone.clone());
    if at.offset().is_zero() {
        return Some(at.timestamp().to_string());
    }
    Some(at.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string())
}

/// Returns the date and time of day in the author's time zone.
pub fn civil(written: &str, zone: &TimeZone) -> Option<DateTime> {
    let clock = written.get(..19).and_then(dates::clock);
    let day = || Some(written.get(..10).and_then(dates::day)?.at(0, 0, 0, 0));
    let parsed = || Some(Zoned::new(instant(written, zone)?, zone.clone()).datetime());
    clock.or_else(day).or_else(parsed)
}

/// Parses the date at the start of a file name by Jekyll's rules, such as `2020-6-4-walk` or
/// `20-06-04-walk`. Returns the date, and the rest of the name.
pub fn short_day(name: &str) -> Option<(String, &str)> {
    let mut parts = name.splitn(4, '-');
    let mut number = |least: usize, most: usize| {
        let part = parts.next()?;
        let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
        let fits = (least..=most).contains(&part.len());
        (is_number && fits).then(|| part.parse::<i16>().ok())?
    };
    let (year, month, day) = (number(2, 4)?, number(1, 2)?, number(1, 2)?);
    let rest = parts.next()?;
    // Ruby's rule for two-digit years.
    let year = match year {
        0..69 if !name.starts_with("00") => year + 2000,
        69..100 => year + 1900,
        year => year,
    };
    let day = Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()?;
    Some((day.to_string(), rest))
}

/// Removes weekdays, commas and the suffixes of ordinal numbers, and replaces the name of a time
/// zone with a numeric offset.
fn normalized(written: &str) -> String {
    const WEEKDAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let spaced = written.replace(',', " ");
    let mut words: Vec<String> = spaced.split_whitespace().map(str::to_owned).collect();
    if let Some(first) = words.first() {
        let first = first.to_lowercase();
        let is_name = first.chars().all(|c| c.is_ascii_alphabetic() || c == '.');
        if is_name && WEEKDAYS.iter().any(|day| first.starts_with(day)) {
            words.remove(0);
        }
    }
    for word in &mut words {
        let number = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let is_ordinal = matches!(&word[number.len()..], "st" | "nd" | "rd" | "th");
        if is_ordinal && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) {
            *word = number.to_owned();
        }
    }
    let is_offset = |word: &str| {
        word.strip_prefix(['+', '-'])
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let named = words.last().map(|last| last.to_ascii_uppercase());
    match named.as_deref().unwrap_or_default() {
        "UTC" | "GMT" | "Z" if words.len() > 1 => {
            words.pop();
            if !words.last().is_some_and(|word| is_offset(word)) {
                words.push("+0000".to_owned());
            }
        }
        // Go appends the name of the time zone to the offset.
        name if name.len() <= 5
            && name.chars().all(|c| c.is_ascii_alphabetic())
            && words.len() > 1
            && is_offset(&words[words.len() - 2]) =>
        {
            words.pop();
        }
        _ => {}
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn date_formats_of_generators_are_read() {
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        for (text, utc) in [
            ("2020-6-4", "2020-06-03T22:00:00Z"),
            ("2020/06/04 10:00", "2020-06-04T08:00:00Z"),
            ("June 4, 2020", "2020-06-03T22:00:00Z"),
            ("4 Jun 2020", "2020-06-03T22:00:00Z"),
            ("June 4th, 2020 9:05 PM", "2020-06-04T19:05:00Z"),
            ("Thu Jun  4 10:00:00 2020", "2020-06-04T08:00:00Z"),
            ("Thu Jun 04 10:00:00 -0700 2020", "2020-06-04T17:00:00Z"),
            ("2020-06-04 10:00:00 +0000 UTC", "2020-06-04T10:00:00Z"),
            ("2020-06-04 10:00:00.5 +0200 CEST", "2020-06-04T08:00:00.5Z"),
            ("2020-06-04 10:00:00 UTC", "2020-06-04T10:00:00Z"),
            ("Thursday, 4 June 2020 10:00", "2020-06-04T08:00:00Z"),
        ] {
            let read = instant(text, &zone).map(|at| at.to_string());
            assert_eq!(read.as_deref(), Some(utc), "{text}");
        }
        for text in ["", "some day", "1. Januar 2038", "2020-13-01", "git Last Modified"] {
            assert_eq!(instant(text, &zone), None, "{text}");
        }
    }

    #[test]
    fn names_may_begin_with_short_days() {
        let day = |name| short_day(name).map(|(day, rest)| format!("{day} {rest}"));
        assert_eq!(day("2020-6-4-walk").as_deref(), Some("2020-06-04 walk"));
        assert_eq!(day("20-06-04-a-b").as_deref(), Some("2020-06-04 a-b"));
        assert_eq!(day("99-12-31-old").as_deref(), Some("1999-12-31 old"));
        for name in ["2020-06-walk", "2020-13-01-x", "walk", "2020-06-04", "2020-06-004-x"] {
            assert_eq!(day(name), None, "{name}");
        }
    }
}
