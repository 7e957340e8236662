//! Formats dates and times with a format string that contains `%` elements.
//!
//! jiff's `strtime` formats most elements. This module implements the elements that jiff lacks
//! (`%J`, and elements with `%E` or `%O`), or formats differently: `%c`, `%x`, `%Q`, `%Z`, `%C`,
//! years (`%Y`, `%F`, `%G`) and offsets (`%z`). In this module, years are not padded with zeros,
//! and offsets have no seconds.

use jiff::civil::{Date, DateTime};

use super::moment::micros;
use super::parts::midnight;
use crate::sql::functions::declare::{Function, call};
use crate::sql::functions::scalar_call::Text;

/// The type of the value to format, which determines the allowed elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Date,
    DateTime,
    Time,
    Timestamp,
}

/// An element of a format, or a literal character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    Literal(char),
    /// An element with a single letter, such as `%Y`, `%EY` or `%Oe`.
    Plain(char),
    /// `%E4Y`: a year with exactly four digits.
    FourDigitYear,
    /// `%Ez`: an offset such as `+02:00`.
    ColonOffset,
    /// `%E3S`: seconds with this number of decimals. `None` for `%E*S`, with as many decimals as
    /// necessary.
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
            format(c.text(0)?, Date::constant(1970, 1, 1).to_datetime(c.time(1)?), 0, Kind::Time)
        })
        .checked(0, |text| check(text, Kind::Time)),
        call("FORMAT_TIMESTAMP(STRING, TIMESTAMP[, STRING]) -> STRING", |c| {
            let moment = c.moment(1, 2)?;
            format(c.text(0)?, moment.local, moment.offset, Kind::Timestamp)
        })
        .checked(0, |text| check(text, Kind::Timestamp)),
    ]
}

/// Returns an error if a format contains an element that is unknown or not allowed for this type of
/// value.
pub(super) fn check(format: &str, kind: Kind) -> Result<(), String> {
    elements(format, kind).try_for_each(|element| element.map(drop))
}

/// Splits a format into its elements.
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
        let known = found.ok_or_else(|| format!("Invalid format: %{name} is unknown"));
        Some(known.and_then(|(element, _)| check_allowed(element, name, kind)))
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

fn check_allowed(element: Element, name: &str, kind: Kind) -> Result<Element, String> {
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
        'Z' | 'z' | 's' => ("DATE, TIME and DATETIME", &[Kind::Date, Kind::Time, Kind::DateTime]),
        '%' | 'n' | 't' => ("", &[]),
        _ => ("TIME", &[Kind::Time]),
    };
    if refused.contains(&kind) {
        Err(format!("Invalid format: %{name} is not allowed for {of}"))
    } else {
        Ok(element)
    }
}

/// Returns the longer format that an element abbreviates.
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
        text.push(&format_element(element?, local, offset, kind)?)?;
    }
    Ok(text.finish())
}

fn format_element(
    element: Element,
    local: DateTime,
    offset: i32,
    kind: Kind,
) -> Result<String, String> {
    let element = match element {
        Element::Literal(character) => return Ok(character.to_string()),
        Element::ColonOffset => return Ok(offset_text(offset, ":")),
        Element::FourDigitYear => "%Y".to_owned(),
        Element::Seconds(None) => "%S%.f".to_owned(),
        Element::Seconds(Some(0)) => "%S".to_owned(),
        Element::Seconds(Some(digits)) => format!("%S%.{digits}f"),
        Element::Plain(plain) => match expansion(plain) {
            Some(longer) => return self::format(longer, local, offset, kind),
            None => return Ok(plain_text(plain, local, offset)),
        },
    };
    Ok(local.strftime(&element).to_string())
}

fn plain_text(element: char, local: DateTime, offset: i32) -> String {
    let date = local.date();
    let week = date.iso_week_date();
    match element {
        'C' => format!("{:02}", date.year() / 100),
        'G' => week.year().to_string(),
        'J' => format!(
            "{:03}",
            (i64::from(week.week()) - 1) * 7 + i64::from(week.weekday().to_monday_one_offset())
        ),
        'Q' => ((date.month() - 1) / 3 + 1).to_string(),
        's' => (micros(local).div_euclid(1_000_000) - i64::from(offset)).to_string(),
        'Y' => date.year().to_string(),
        'Z' => zone_text(offset),
        'z' => offset_text(offset, ""),
        other => local.strftime(&format!("%{other}")).to_string(),
    }
}

fn offset_text(offset: i32, separator: &str) -> String {
    let sign = if offset < 0 { '-' } else { '+' };
    let minutes = offset.abs() / 60;
    format!("{sign}{:02}{separator}{:02}", minutes / 60, minutes % 60)
}

/// Returns the name of a time zone with this offset, such as `UTC`, `UTC-8` or `UTC+5:30`.
fn zone_text(offset: i32) -> String {
    let sign = if offset < 0 { '-' } else { '+' };
    let minutes = offset.abs() / 60;
    match (minutes / 60, minutes % 60) {
        (0, 0) => "UTC".to_owned(),
        (hours, 0) => format!("UTC{sign}{hours}"),
        (hours, minutes) => format!("UTC{sign}{hours}:{minutes:02}"),
    }
}
