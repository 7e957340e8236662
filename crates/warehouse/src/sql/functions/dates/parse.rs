//! Parses dates and times with a format string that contains `%` elements.
//!
//! Missing parts of the date and time are taken from 1970-01-01 00:00:00. jiff's `strtime` is
//! unsuitable for parsing, because its formats differ. It does not support `%E4Y`, `%Ez`, `%E3S`,
//! `%J` and `%Oe`, rejects `%c`, `%x` and `%Z`, parses `%Q` as a time zone, and does not report
//! where the text stops matching the format.

use jiff::civil::{Date, DateTime, ISOWeekDate, Time, Weekday};

use super::format::{Element, Kind, check, elements, expansion};
use super::moment::{Zone, civil, day, days, micros, out_of_range, read_offset};
use super::text::{digits, fraction};
use super::{canonical_date, canonical_datetime, canonical_time};
use crate::sql::functions::declare::{Function, call};
use crate::sql::functions::scalar_call::ScalarCall;

const MONTHS: [&str; 12] = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
];
const WEEKDAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

pub(super) fn functions() -> Vec<Function> {
    vec![
        call("PARSE_DATE(STRING, STRING) -> DATE", |c| {
            Ok(canonical_date(read(c, Kind::Date)?.local()?.date()))
        })
        .checked(0, |text| check(text, Kind::Date)),
        call("PARSE_DATETIME(STRING, STRING) -> DATETIME", |c| {
            Ok(canonical_datetime(read(c, Kind::DateTime)?.local()?))
        })
        .checked(0, |text| check(text, Kind::DateTime)),
        call("PARSE_TIME(STRING, STRING) -> TIME", |c| {
            Ok(canonical_time(read(c, Kind::Time)?.time()?))
        })
        .checked(0, |text| check(text, Kind::Time)),
        call("PARSE_TIMESTAMP(STRING, STRING[, STRING]) -> TIMESTAMP", timestamp)
            .checked(0, |text| check(text, Kind::Timestamp)),
    ]
}

fn timestamp(call: &ScalarCall) -> Result<i64, String> {
    let fields = read(call, Kind::Timestamp)?;
    if let Some(seconds) = fields.epoch {
        let micros = seconds.checked_mul(1_000_000).ok_or_else(out_of_range)?;
        return civil(micros).map(|_| micros);
    }
    let local = fields.local()?;
    match (&fields.zone, fields.offset) {
        (_, Some(offset)) => {
            let instant = micros(local) - i64::from(offset) * 1_000_000;
            civil(instant).map(|_| instant)
        }
        (Some(zone), None) => zone.instant(local),
        (None, None) => call.instant(local, 2),
    }
}

/// The values parsed from the elements of a format.
#[derive(Debug, Default)]
struct ParsedElements {
    year: Option<i64>,
    century: Option<i64>,
    year_of_century: Option<i64>,
    month: Option<i64>,
    day: Option<i64>,
    day_of_year: Option<i64>,
    iso_year: Option<i64>,
    iso_week: Option<i64>,
    /// The week of the year, and the day on which weeks start (0 is Sunday).
    week: Option<(i64, i64)>,
    /// The day of the week. 0 is Sunday.
    weekday: Option<i64>,
    hour: i64,
    is_twelve_hours: bool,
    is_afternoon: bool,
    minute: i64,
    second: i64,
    nanos: i32,
    offset: Option<i32>,
    zone: Option<Zone>,
    epoch: Option<i64>,
}

fn read(call: &ScalarCall, kind: Kind) -> Result<ParsedElements, String> {
    let (format, text) = (call.text(0)?, call.text(1)?);
    let mut fields = ParsedElements::default();
    let mut rest = text.trim_start();
    fields.read(format, &mut rest, kind)?;
    if rest.trim_start().is_empty() { Ok(fields) } else { Err(mismatch(rest)) }
}

fn mismatch(rest: &str) -> String {
    let shown: String = rest.chars().take(40).collect();
    format!("Failed to parse input string at {shown:?}")
}

impl ParsedElements {
    fn read(&mut self, format: &str, rest: &mut &str, kind: Kind) -> Result<(), String> {
        for element in elements(format, kind) {
            let element = element?;
            if let Element::Plain(plain) = element
                && let Some(longer) = expansion(plain)
            {
                self.read(longer, rest, kind)?;
                continue;
            }
            let before = *rest;
            self.element(element, rest).ok_or_else(|| mismatch(before))?;
        }
        Ok(())
    }

    /// Parses an element from the start of `rest`. Returns `None` if the text does not match.
    fn element(&mut self, element: Element, rest: &mut &str) -> Option<()> {
        match element {
            Element::Literal(space) if space.is_whitespace() => *rest = rest.trim_start(),
            Element::Literal(character) => *rest = rest.strip_prefix(character)?,
            Element::FourDigitYear => self.year = Some(digits(rest, 4, 4)?),
            Element::ColonOffset => self.offset = Some(offset(rest)?),
            Element::Seconds(_) => {
                self.second = digits(rest, 1, 2)?;
                if let Some(after) = rest.strip_prefix('.') {
                    *rest = after;
                    self.nanos = fraction(rest)?;
                }
            }
            Element::Plain(plain) if "AaBbhZzPps%nt".contains(plain) => self.word(plain, rest)?,
            Element::Plain(plain) => self.number(plain, rest)?,
        }
        Some(())
    }

    fn word(&mut self, element: char, rest: &mut &str) -> Option<()> {
        match element {
            'A' | 'a' => self.weekday = Some(parse_name(&WEEKDAYS, rest)?),
            'B' | 'b' | 'h' => self.month = Some(parse_name(&MONTHS, rest)? + 1),
            'P' | 'p' => {
                self.is_afternoon = parse_name(&["AM", "PM"], rest)? == 1;
            }
            'Z' => {
                let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
                let (name, after) = rest.split_at(end);
                self.zone = Some(Zone::read(name).ok()?);
                *rest = after;
            }
            'z' => self.offset = Some(offset(rest)?),
            's' => {
                let sign = if rest.starts_with('-') { -1 } else { 1 };
                *rest = rest.strip_prefix('-').unwrap_or(rest);
                self.epoch = Some(sign * digits(rest, 1, 15)?);
            }
            '%' => *rest = rest.strip_prefix('%')?,
            _ => *rest = rest.trim_start(),
        }
        Some(())
    }

    fn number(&mut self, element: char, rest: &mut &str) -> Option<()> {
        if matches!(element, 'e' | 'k' | 'l') {
            *rest = rest.trim_start();
        }
        let (max_digits, min_digits, highest) = match element {
            'Y' | 'G' => (4, 1, 9999),
            'j' | 'J' => (3, 1, 371),
            'C' | 'g' | 'y' => (2, 0, 99),
            'd' | 'e' => (2, 1, 31),
            'm' => (2, 1, 12),
            'H' | 'k' => (2, 0, 23),
            'I' | 'l' => (2, 1, 12),
            'M' | 'S' => (2, 0, 59),
            'U' | 'W' => (2, 0, 53),
            'V' => (2, 1, 53),
            'Q' => (1, 1, 4),
            'u' => (1, 1, 7),
            'w' => (1, 0, 6),
            _ => return None,
        };
        let value =
            digits(rest, 1, max_digits).filter(|value| (min_digits..=highest).contains(value))?;
        match element {
            'Y' => self.year = Some(value),
            'G' => self.iso_year = Some(value),
            'g' => self.iso_year = Some(short_year(value)),
            'j' => self.day_of_year = Some(value),
            'J' => (self.iso_week, self.weekday) = (Some((value - 1) / 7 + 1), Some(value % 7)),
            'C' => self.century = Some(value),
            'y' => self.year_of_century = Some(value),
            'd' | 'e' => self.day = Some(value),
            'm' => self.month = Some(value),
            'H' | 'k' => (self.hour, self.is_twelve_hours) = (value, false),
            'I' | 'l' => (self.hour, self.is_twelve_hours) = (value % 12, true),
            'M' => self.minute = value,
            'S' => self.second = value,
            'U' => self.week = Some((value, 0)),
            'W' => self.week = Some((value, 1)),
            'V' => self.iso_week = Some(value),
            'Q' => self.month = Some(value * 3 - 2),
            'u' => self.weekday = Some(value % 7),
            _ => self.weekday = Some(value),
        }
        Some(())
    }

    fn local(&self) -> Result<DateTime, String> {
        Ok(self.date()?.to_datetime(self.time()?))
    }

    fn time(&self) -> Result<Time, String> {
        let hour = self.hour + if self.is_twelve_hours && self.is_afternoon { 12 } else { 0 };
        let part = |value| i8::try_from(value).map_err(|_| out_of_range());
        Time::new(part(hour)?, part(self.minute)?, part(self.second)?, self.nanos)
            .map_err(|error| error.to_string())
    }

    fn year(&self) -> i64 {
        match (self.year, self.century, self.year_of_century) {
            (Some(year), ..) => year,
            (None, Some(century), year) => century * 100 + year.unwrap_or(0),
            (None, None, Some(year)) => short_year(year),
            (None, None, None) => 1970,
        }
    }

    /// Computes the date from the most specific values that were parsed.
    fn date(&self) -> Result<Date, String> {
        let year = i16::try_from(self.year()).map_err(|_| out_of_range())?;
        let first = first_of(year, 1)?;
        if let Some(day_of_year) = self.day_of_year {
            let found = day(days(first) + day_of_year - 1)?;
            return same_year(found, year);
        }
        if let Some(week) = self.iso_week {
            let year = self.iso_year.and_then(|year| i16::try_from(year).ok()).unwrap_or(year);
            let weekday = i8::try_from(self.weekday.unwrap_or(1)).unwrap_or(1);
            let weekday =
                Weekday::from_sunday_zero_offset(weekday).map_err(|error| error.to_string())?;
            let week = i8::try_from(week).map_err(|_| out_of_range())?;
            let found = ISOWeekDate::new(year, week, weekday);
            return day(days(
                found.map_err(|_| format!("the year {year} has no week {week}"))?.date(),
            ));
        }
        if let Some((week, begin)) = self.week {
            let of_first = i64::from(first.weekday().to_sunday_zero_offset());
            let first_begin = (begin - of_first).rem_euclid(7);
            let into = (self.weekday.unwrap_or(begin) - begin).rem_euclid(7);
            return same_year(day(days(first) + first_begin + (week - 1) * 7 + into)?, year);
        }
        let month = i8::try_from(self.month.unwrap_or(1)).map_err(|_| out_of_range())?;
        let of_month = self.day.unwrap_or(1);
        let first = first_of(year, month)?;
        if of_month <= i64::from(first.days_in_month()) {
            day(days(first) + of_month - 1)
        } else {
            Err(format!("{year:04}-{month:02} has no day {of_month}"))
        }
    }
}

fn first_of(year: i16, month: i8) -> Result<Date, String> {
    let first = Date::new(year, month, 1).ok().filter(|date| date.year() >= 1);
    first.ok_or_else(out_of_range)
}

fn same_year(found: Date, year: i16) -> Result<Date, String> {
    if found.year() == year {
        Ok(found)
    } else {
        Err(format!("the year {year} does not have this day"))
    }
}

/// Converts a two-digit year to a year from 1969 to 2068.
fn short_year(value: i64) -> i64 {
    value + if value < 69 { 2000 } else { 1900 }
}

/// Parses one of these names, in full or abbreviated to three letters. Returns the index of the
/// name.
fn parse_name(names: &[&str], rest: &mut &str) -> Option<i64> {
    let starts =
        |word: &str| rest.get(..word.len()).is_some_and(|text| text.eq_ignore_ascii_case(word));
    let (at, length) = names.iter().enumerate().find_map(|(at, name)| {
        let short = name.get(..3).unwrap_or(name);
        [*name, short].into_iter().find(|word| starts(word)).map(|word| (at, word.len()))
    })?;
    *rest = &rest[length..];
    i64::try_from(at).ok()
}

/// Parses an offset from UTC such as `+0200`, `+02:00` or `Z`.
fn offset(rest: &mut &str) -> Option<i32> {
    if let Some(after) = rest.strip_prefix(['Z', 'z']) {
        *rest = after;
        return Some(0);
    }
    let is_part = |c: char| c.is_ascii_digit() || c == ':';
    let digits = rest.get(1..)?;
    let end = 1 + digits.find(|c| !is_part(c)).unwrap_or(digits.len());
    let (text, after) = rest.split_at(end);
    *rest = after;
    read_offset(text)
}
