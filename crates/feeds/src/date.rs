//! Parses the dates in feeds: RFC 822, RFC 3339, W3C's profile of ISO 8601, and common deviations
//! in many languages.

mod months;

use jiff::civil::{Date, DateTime, Time};
use jiff::tz::{Offset, TimeZone};
use jiff::{Timestamp, ToSpan};

use months::month;

/// Names of time zones that occur in feeds, with their offsets from UTC in minutes. Many of them
/// are not in RFC 822.
const ZONES: [(&str, i32); 41] = [
    ("ut", 0),
    ("utc", 0),
    ("gmt", 0),
    ("z", 0),
    ("wet", 0),
    ("west", 60),
    ("bst", 60),
    ("cet", 60),
    ("mez", 60),
    ("cest", 120),
    ("mesz", 120),
    ("sast", 120),
    ("eet", 120),
    ("eest", 180),
    ("msk", 180),
    ("trt", 180),
    ("pkt", 300),
    ("ist", 330),
    ("wib", 420),
    ("hkt", 480),
    ("sgt", 480),
    ("awst", 480),
    ("jst", 540),
    ("kst", 540),
    ("acst", 570),
    ("aest", 600),
    ("aedt", 660),
    ("nzst", 720),
    ("nzdt", 780),
    ("nst", -210),
    ("brt", -180),
    ("art", -180),
    ("ast", -240),
    ("est", -300),
    ("edt", -240),
    ("cst", -360),
    ("cdt", -300),
    ("mst", -420),
    ("mdt", -360),
    ("pst", -480),
    ("pdt", -420),
];

/// Years in which an item can be published. Databases and programs use the years 0, 1 and -1 for a
/// missing date.
const YEARS: std::ops::RangeInclusive<i16> = 1000..=9998;

/// Maximum offset from UTC, in minutes. No time zone has ever had a larger offset.
const MAX_OFFSET: i32 = 18 * 60;

/// A parsed date, and the name of its time zone if the zone is unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedDate {
    /// The point in time that the date specifies.
    pub moment: Timestamp,
    /// Name of the time zone, if it is unknown. The time is then interpreted as UTC.
    pub unknown_zone: Option<String>,
}

/// Parses a date. A date without a zone is in UTC, and a date without a time is at midnight.
pub fn parse(text: &str) -> Option<Timestamp> {
    read(text, None).map(|read| read.moment)
}

/// Parses a date. Month names are matched in English first, then in `language` (an RFC 5646 tag),
/// then in all other known languages.
pub fn read(text: &str, language: Option<&str>) -> Option<ParsedDate> {
    let text = normalize_date(text.trim());
    let read = match text.parse::<Timestamp>() {
        Ok(moment) => ParsedDate { moment, unknown_zone: None },
        Err(_) => parse_parts(&text, language)?,
    };
    let year = Offset::UTC.to_datetime(read.moment).year();
    YEARS.contains(&year).then_some(read)
}

fn parse_parts(text: &str, language: Option<&str>) -> Option<ParsedDate> {
    let parts = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '،' | '、'));
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let (date, rest) = date(&parts, language)?;
    let clock = Clock::read(&rest)?;
    let moment = DateTime::from_parts(date, clock.time)
        .checked_add(i64::from(clock.is_next_day).days())
        .ok()?
        .to_zoned(TimeZone::fixed(clock.offset))
        .ok()?;
    Some(ParsedDate { moment: moment.timestamp(), unknown_zone: clock.unknown_zone })
}

/// Converts digits of several scripts to ASCII, and rewrites East Asian dates such as `2026年3月2日`
/// with hyphens.
fn normalize_date(text: &str) -> String {
    const ZEROS: [u32; 4] = [0x660, 0x6f0, 0x966, 0xff10];
    let digit = |c: char| {
        let zero = ZEROS.iter().find(|zero| (**zero..**zero + 10).contains(&u32::from(c)))?;
        char::from_digit(u32::from(c) - zero, 10)
    };
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '年' | '月' | '년' | '월' => out.push('-'),
            '日' | '일' => out.push(' '),
            // Drops the spaces in a date such as `2026년 3월 2일`.
            ' ' if out.ends_with('-') => {}
            c => out.push(digit(c).unwrap_or(c)),
        }
    }
    out
}

/// Finds the calendar date among the parts. Returns the date and the remaining parts.
fn date<'t>(parts: &[&'t str], language: Option<&str>) -> Option<(Date, Vec<&'t str>)> {
    let numeric = parts.iter().position(|part| parse_iso_date(part).is_some());
    if let Some(at) = numeric {
        let (date, behind) = parse_iso_date(parts[at])?;
        let before = parts[..at].iter().copied();
        let rest = before.chain([behind]).chain(parts[at + 1..].iter().copied());
        return Some((date, rest.filter(|part| !part.is_empty()).collect()));
    }
    // Handles dates such as `6-Sep-2010`, `6 September 2010`, `September 6 2010`,
    // `2 de marzo de 2026` and `2026. márc. 2.`. The time may come before the year, as in the
    // output of C's `asctime`.
    let words = parts.iter().filter(|part| !part.contains(':'));
    let words = words.flat_map(|part| part.split(['-', '/']));
    let month = |word: &str| month(word, language);
    let says =
        |word: &&str| word.starts_with(|c: char| c.is_ascii_digit()) || month(word).is_some();
    let words: Vec<&str> = words.filter(says).collect();
    // A day of the week may look like a month (`mar.` is Tuesday in French), but it comes before
    // the month.
    let mut months = words.iter().enumerate().rev();
    let date = months.find_map(|(at, word)| day_of(&words, at, month(word)?))?;
    let rest = parts
        .iter()
        .copied()
        .filter(|part| part.contains(':') || parse_meridiem(part).is_some() || is_zone(part));
    Some((date, rest.collect()))
}

/// Returns the date whose month name is the word at index `at`.
fn day_of(words: &[&str], at: usize, month: i8) -> Option<Date> {
    let number = |at: usize| -> Option<(i16, usize)> {
        let digits = words.get(at)?;
        let digits = digits.trim_end_matches(|c: char| c.is_alphabetic() || matches!(c, '.' | 'º'));
        Some((digits.parse().ok()?, digits.len()))
    };
    let before = at.checked_sub(1).and_then(number);
    let (day, (year, digits)) = match before {
        // The year comes first, as in `2026. márc. 2.`
        Some(year @ (32.., 4)) => (number(at + 1)?.0, year),
        Some((day, _)) => (day, number(at + 1)?),
        None => (number(at + 1)?.0, number(at + 2)?),
    };
    // Years of up to three digits follow RFC 2822, section 4.3.
    let year = match (digits, year) {
        (1..=2, ..50) => year + 2000,
        (1..=3, _) => year + 1900,
        _ => year,
    };
    Date::new(year, month, i8::try_from(day).ok()?).ok()
}

/// Parses `2010-09-06`, `2010/9/6` or `20100906`. Returns the date and the text after its `T`.
fn parse_iso_date(part: &str) -> Option<(Date, &str)> {
    let (day, behind) = part.split_once(['T', 't']).unwrap_or((part, ""));
    if let [y, m, d] = day.split(['-', '/', '.']).collect::<Vec<_>>()[..]
        && y.len() == 4
    {
        let date = Date::new(y.parse().ok()?, m.parse().ok()?, d.parse().ok()?);
        return Some((date.ok()?, behind));
    }
    let is_short = day.len() == 8 && day.bytes().all(|byte| byte.is_ascii_digit());
    let date = is_short.then(|| {
        Date::new(day[..4].parse().ok()?, day[4..6].parse().ok()?, day[6..].parse().ok()?).ok()
    });
    Some((date??, behind))
}

fn is_zone(part: &str) -> bool {
    let is_offset = part.starts_with(['+', '-'])
        && part.len() > 1
        && part[1..].bytes().all(|byte| byte.is_ascii_digit() || byte == b':');
    is_offset || zone(part).is_some() || may_be_zone(part)
}

/// Returns whether a word looks like the name of a time zone.
fn may_be_zone(part: &str) -> bool {
    (3..=5).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Returns true for p.m., false for a.m., and None for any other word.
fn parse_meridiem(part: &str) -> Option<bool> {
    match &*part.to_lowercase() {
        "am" | "a.m." | "午前" | "上午" | "오전" => Some(false),
        "pm" | "p.m." | "午後" | "下午" | "오후" => Some(true),
        _ => None,
    }
}

/// A time of day.
struct Clock {
    time: Time,
    offset: Offset,
    /// Whether the time was `24:00`, which means midnight at the end of the day.
    is_next_day: bool,
    unknown_zone: Option<String>,
}

impl Clock {
    fn read(parts: &[&str]) -> Option<Self> {
        let mut clock = Self {
            time: Time::midnight(),
            offset: Offset::UTC,
            is_next_day: false,
            unknown_zone: None,
        };
        let mut is_afternoon = None;
        let (mut has_time, mut has_zone) = (false, false);
        for part in parts {
            if let Some(zone) = zone(part) {
                (clock.offset, has_zone) = (zone, true);
            } else if let Some(half) = parse_meridiem(part) {
                is_afternoon = Some(half);
            } else if part.contains(':') && part.starts_with(|c: char| c.is_ascii_digit()) {
                has_time = true;
                let behind = clock.parse_time(part)?;
                if let Some(half) = parse_meridiem(behind) {
                    is_afternoon = Some(half);
                } else if let Some(zone) = zone(behind) {
                    (clock.offset, has_zone) = (zone, true);
                } else if !behind.is_empty() {
                    clock.unknown_zone = Some(behind.to_owned());
                }
            } else if has_time && is_zone(part) {
                clock.unknown_zone = Some((*part).to_owned());
            }
        }
        if let Some(is_afternoon) = is_afternoon {
            let (time, half) = (clock.time, if is_afternoon { 12 } else { 0 });
            clock.time =
                Time::new(time.hour() % 12 + half, time.minute(), time.second(), 0).ok()?;
        }
        clock.unknown_zone = clock.unknown_zone.filter(|_| !has_zone);
        Some(clock)
    }

    /// Parses `9:00`, `09:00:00.25` or `24:00`. Returns the text after the time.
    fn parse_time<'t>(&mut self, part: &'t str) -> Option<&'t str> {
        let end = part
            .find(|c: char| !(c.is_ascii_digit() || c == ':' || c == '.'))
            .unwrap_or(part.len());
        let (clock, behind) = part.split_at(end);
        let mut numbers = clock.split(':');
        let hour: i8 = numbers.next()?.parse().ok()?;
        let minute: i8 = numbers.next()?.parse().ok()?;
        let second = numbers.next().unwrap_or("0");
        let second: i8 = second.split('.').next()?.parse().ok()?;
        self.is_next_day = (hour, minute, second) == (24, 0, 0);
        let hour = if self.is_next_day { 0 } else { hour };
        // A leap second is treated as the second before it.
        let second = if second == 60 { 59 } else { second };
        self.time = Time::new(hour, minute, second, 0).ok()?;
        Some(behind)
    }
}

fn zone(text: &str) -> Option<Offset> {
    let lower = text.to_ascii_lowercase();
    let named = ["gmt", "utc"].iter().find_map(|name| lower.strip_prefix(name));
    let lower = named.filter(|rest| !rest.is_empty()).unwrap_or(&lower);
    let mut zones = ZONES.iter();
    if let Some((_, minutes)) = zones.find(|(name, _)| *name == lower) {
        return Offset::from_seconds(minutes * 60).ok();
    }
    let (sign, digits) = match lower.split_at_checked(1)? {
        ("+", digits) => (1, digits),
        ("-", digits) => (-1, digits),
        _ => return None,
    };
    let digits = digits.replace(':', "");
    let number: i32 = digits.parse().ok()?;
    let (hours, minutes) =
        if digits.len() > 2 { (number / 100, number % 100) } else { (number, 0) };
    let minutes = sign * (hours * 60 + minutes);
    (minutes.abs() <= MAX_OFFSET && digits.len() <= 4)
        .then(|| Offset::from_seconds(minutes * 60).ok())?
}
