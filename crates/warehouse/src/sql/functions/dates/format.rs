//! Dates and times in a format of `%` elements.

use jiff::civil::{Date, DateTime};

use super::moment::micros;
use super::parts::{midnight, week_of_year};
use crate::sql::functions::declare::{Function, call};
use crate::sql::functions::scalar_call::Text;

pub(super) const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
pub(super) const WEEKDAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];

/// What a format is used for. It decides which elements it can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Date,
    DateTime,
    Time,
    Timestamp,
}

/// A piece of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    Literal(char),
    /// `%Y`, `%EY`, `%Oe`.
    Plain(char),
    /// `%E4Y`: exactly four digits.
    FourDigitYear,
    /// `%Ez`: `+02:00`.
    ColonOffset,
    /// `%E3S`, or `%E*S` with as many digits as there are.
    Seconds(Option<usize>),
}

pub(super) fn functions() -> Vec<Function> {
    vec![
        call("FORMAT_DATE(STRING, DATE) -> STRING", |c| {
            format(c.text(0)?, midnight(c.date(1)?), 0, Kind::Date)
        })
        .checked(0, |text| check(text, Kind::Date)),
        call("FORMAT_DATETIME(STRING, DATETIME) -> STRING", |c| {
            format(c.text(0)?, c.datetime(1)?, 0, Kind::DateTime)
        })
        .checked(0, |text| check(text, Kind::DateTime)),
        call("FORMAT_TIME(STRING, TIME) -> STRING", |c| {
            format(
                c.text(0)?,
                Date::constant(1970, 1, 1).to_datetime(c.time(1)?),
                0,
                Kind::Time,
            )
        })
        .checked(0, |text| check(text, Kind::Time)),
        call(
            "FORMAT_TIMESTAMP(STRING, TIMESTAMP[, STRING]) -> STRING",
            |c| {
                let moment = c.moment(1, 2)?;
                format(c.text(0)?, moment.local, moment.offset, Kind::Timestamp)
            },
        )
        .checked(0, |text| check(text, Kind::Timestamp)),
    ]
}

/// Whether a format has only elements that a kind of value has.
pub(super) fn check(format: &str, kind: Kind) -> Result<(), String> {
    elements(format, kind).try_for_each(|element| element.map(drop))
}

/// The pieces of a format.
pub(super) fn elements(format: &str, kind: Kind) -> impl Iterator<Item = Result<Element, String>> {
    let mut rest = format;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        rest = &rest[first.len_utf8()..];
        if first != '%' {
            return Some(Ok(Element::Literal(first)));
        }
        let found = element(rest);
        let length = found.map_or(rest.len(), |(_, length)| length);
        let (name, after) = rest.split_at(length);
        rest = after;
        let known = found.ok_or_else(|| format!("Invalid format: %{name} is not known"));
        Some(known.and_then(|(element, _)| allowed(element, name, kind)))
    })
}

fn element(rest: &str) -> Option<(Element, usize)> {
    let bytes = rest.as_bytes();
    match bytes {
        [b'E', b'4', b'Y', ..] => Some((Element::FourDigitYear, 3)),
        [b'E', b'z', ..] => Some((Element::ColonOffset, 2)),
        [b'E', b'*', b'S', ..] => Some((Element::Seconds(None), 3)),
        [b'E', digit @ b'0'..=b'9', b'S', ..] => {
            Some((Element::Seconds(Some(usize::from(digit - b'0'))), 3))
        }
        [b'E' | b'O', plain, ..] if is_known(*plain) => {
            Some((Element::Plain(char::from(*plain)), 2))
        }
        [plain, ..] if is_known(*plain) => Some((Element::Plain(char::from(*plain)), 1)),
        _ => None,
    }
}

fn is_known(element: u8) -> bool {
    b"%AaBbhCcDdeFGgHIJjklMmnPpQRSsTtUuVWwXxYyZz".contains(&element)
}

fn allowed(element: Element, name: &str, kind: Kind) -> Result<Element, String> {
    let plain = match element {
        Element::Literal(_) => return Ok(element),
        Element::Plain(plain) => plain,
        Element::FourDigitYear => 'Y',
        Element::ColonOffset => 'z',
        Element::Seconds(_) => 'S',
    };
    let (of, refused): (&str, &[Kind]) = match plain {
        'H' | 'I' | 'k' | 'l' | 'M' | 'P' | 'p' | 'R' | 'S' | 'T' | 'X' => ("DATE", &[Kind::Date]),
        'c' => ("DATE and TIME", &[Kind::Date, Kind::Time]),
        'Z' | 'z' | 's' => (
            "DATE, TIME and DATETIME",
            &[Kind::Date, Kind::Time, Kind::DateTime],
        ),
        '%' | 'n' | 't' => ("", &[]),
        _ => ("TIME", &[Kind::Time]),
    };
    match refused.contains(&kind) {
        true => Err(format!("Invalid format: %{name} is not allowed for {of}")),
        false => Ok(element),
    }
}

/// What an element stands for that is several.
pub(super) fn expansion(plain: char) -> Option<&'static str> {
    Some(match plain {
        'c' => "%a %b %e %T %Y",
        'D' | 'x' => "%m/%d/%y",
        'F' => "%Y-%m-%d",
        'R' => "%H:%M",
        'T' | 'X' => "%H:%M:%S",
        _ => return None,
    })
}

fn format(format: &str, local: DateTime, offset: i32, kind: Kind) -> Result<String, String> {
    let mut text = Text::default();
    for element in elements(format, kind) {
        text.push(&formatted(element?, local, offset, kind)?)?;
    }
    Ok(text.finish())
}

fn formatted(element: Element, local: DateTime, offset: i32, kind: Kind) -> Result<String, String> {
    Ok(match element {
        Element::Literal(character) => character.to_string(),
        Element::FourDigitYear => format!("{:04}", local.year()),
        Element::ColonOffset => offset_text(offset, ":"),
        Element::Seconds(digits) => seconds(local, digits),
        Element::Plain(plain) => match expansion(plain) {
            Some(longer) => self::format(longer, local, offset, kind)?,
            None => plain_text(plain, local, offset),
        },
    })
}

fn plain_text(element: char, local: DateTime, offset: i32) -> String {
    let date = local.date();
    let (hour, week) = (local.hour(), date.iso_week_date());
    let twelve = if hour % 12 == 0 { 12 } else { hour % 12 };
    let weekday = date.weekday();
    let day_name = name(&WEEKDAYS, weekday.to_sunday_zero_offset());
    let month_name = name(&MONTHS, date.month() - 1);
    match element {
        'A' => day_name.to_owned(),
        'a' => day_name[..3].to_owned(),
        'B' => month_name.to_owned(),
        'b' | 'h' => month_name[..3].to_owned(),
        'C' => format!("{:02}", date.year() / 100),
        'd' => format!("{:02}", date.day()),
        'e' => format!("{:2}", date.day()),
        'G' => week.year().to_string(),
        'g' => format!("{:02}", week.year().rem_euclid(100)),
        'H' => format!("{hour:02}"),
        'I' => format!("{twelve:02}"),
        'J' => format!(
            "{:03}",
            (i64::from(week.week()) - 1) * 7 + i64::from(weekday.to_monday_one_offset())
        ),
        'j' => format!("{:03}", date.day_of_year()),
        'k' => format!("{hour:2}"),
        'l' => format!("{twelve:2}"),
        'M' => format!("{:02}", local.minute()),
        'm' => format!("{:02}", date.month()),
        'n' => "\n".to_owned(),
        'P' => (if hour < 12 { "am" } else { "pm" }).to_owned(),
        'p' => (if hour < 12 { "AM" } else { "PM" }).to_owned(),
        'Q' => ((date.month() - 1) / 3 + 1).to_string(),
        'S' => format!("{:02}", local.second()),
        's' => (micros(local).div_euclid(1_000_000) - i64::from(offset)).to_string(),
        't' => "\t".to_owned(),
        'U' => format!("{:02}", week_of_year(date, 0)),
        'u' => weekday.to_monday_one_offset().to_string(),
        'V' => format!("{:02}", week.week()),
        'W' => format!("{:02}", week_of_year(date, 1)),
        'w' => weekday.to_sunday_zero_offset().to_string(),
        'Y' => date.year().to_string(),
        'y' => format!("{:02}", date.year() % 100),
        'Z' => zone_text(offset),
        'z' => offset_text(offset, ""),
        other => other.to_string(),
    }
}

fn name(names: &[&'static str], at: i8) -> &'static str {
    usize::try_from(at)
        .ok()
        .and_then(|at| names.get(at))
        .copied()
        .unwrap_or("   ")
}

fn seconds(local: DateTime, digits: Option<usize>) -> String {
    let fraction = format!("{:09}", local.subsec_nanosecond());
    let fraction = match digits {
        Some(digits) => &fraction[..digits],
        None => fraction.trim_end_matches('0'),
    };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("{:02}{point}{fraction}", local.second())
}

fn offset_text(offset: i32, separator: &str) -> String {
    let sign = if offset < 0 { '-' } else { '+' };
    let minutes = offset.abs() / 60;
    format!("{sign}{:02}{separator}{:02}", minutes / 60, minutes % 60)
}

/// `UTC`, `UTC-8`, `UTC+5:30`.
fn zone_text(offset: i32) -> String {
    let sign = if offset < 0 { '-' } else { '+' };
    let minutes = offset.abs() / 60;
    match (minutes / 60, minutes % 60) {
        (0, 0) => "UTC".to_owned(),
        (hours, 0) => format!("UTC{sign}{hours}"),
        (hours, minutes) => format!("UTC{sign}{hours}:{minutes:02}"),
    }
}
