//! Dates as feeds write them: RFC 822 and its habits, RFC 3339, W3C's, and what people made of them.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::{Offset, TimeZone};

/// Names of zones that feeds use beside those of RFC 822, in hours from UTC.
const ZONES: [(&str, i32); 26] = [
    ("ut", 0),
    ("utc", 0),
    ("gmt", 0),
    ("z", 0),
    ("wet", 0),
    ("west", 1),
    ("bst", 1),
    ("cet", 1),
    ("mez", 1),
    ("cest", 2),
    ("mesz", 2),
    ("eet", 2),
    ("eest", 3),
    ("msk", 3),
    ("jst", 9),
    ("kst", 9),
    ("aest", 10),
    ("aedt", 11),
    ("est", -5),
    ("edt", -4),
    ("cst", -6),
    ("cdt", -5),
    ("mst", -7),
    ("mdt", -6),
    ("pst", -8),
    ("pdt", -7),
];

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// The moment that a date names. Without a zone it is of UTC, without a time it is midnight.
pub fn parse(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(time) = text.parse::<Timestamp>() {
        return Some(time);
    }
    let parts = text.split(|c: char| c.is_whitespace() || c == ',');
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let (date, rest) = date(&parts)?;
    let (time, zone) = time_and_zone(&rest)?;
    let moment = DateTime::from_parts(date, time)
        .to_zoned(TimeZone::fixed(zone))
        .ok()?;
    Some(moment.timestamp())
}

/// The day, and what stands beside it.
fn date<'t>(parts: &[&'t str]) -> Option<(Date, Vec<&'t str>)> {
    let numeric = parts.iter().position(|part| iso(part).is_some());
    if let Some(at) = numeric {
        let (date, behind) = iso(parts[at])?;
        let rest = [behind].into_iter().chain(parts[at + 1..].iter().copied());
        return Some((date, rest.filter(|part| !part.is_empty()).collect()));
    }
    // `6-Sep-2010`, `6 September 2010`, `September 6 2010`, `6/Sep/10`.
    // A time may stand before the year, as C's `asctime` has it.
    let words = parts.iter().filter(|part| !part.contains(':'));
    let words = words.flat_map(|part| part.split(['-', '/']));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let at = words.iter().position(|word| month(word).is_some())?;
    let number = |at: usize| -> Option<i16> {
        let digits = words
            .get(at)?
            .trim_end_matches(|c: char| c.is_alphabetic() || c == '.');
        digits.parse().ok()
    };
    let before = at.checked_sub(1).and_then(number);
    let (day, year) = match before {
        Some(day) => (day, number(at + 1)?),
        None => (number(at + 1)?, number(at + 2)?),
    };
    // RFC 2822, section 4.3.
    let year = match year {
        0..50 => year + 2000,
        50..1000 => year + 1900,
        year => year,
    };
    let date = Date::new(year, month(words[at])?, i8::try_from(day).ok()?).ok()?;
    let rest = parts
        .iter()
        .copied()
        .filter(|part| part.contains(':') || is_half_of_day(part) || is_zone(part));
    Some((date, rest.collect()))
}

/// `2010-09-06`, `2010/9/6`, `20100906`, and what stands behind its `T`.
fn iso(part: &str) -> Option<(Date, &str)> {
    let (day, behind) = part.split_once(['T', 't']).unwrap_or((part, ""));
    if let [y, m, d] = day.split(['-', '/', '.']).collect::<Vec<_>>()[..]
        && y.len() == 4
    {
        let date = Date::new(y.parse().ok()?, m.parse().ok()?, d.parse().ok()?);
        return Some((date.ok()?, behind));
    }
    let is_short = day.len() == 8 && day.bytes().all(|byte| byte.is_ascii_digit());
    let date = is_short.then(|| {
        Date::new(
            day[..4].parse().ok()?,
            day[4..6].parse().ok()?,
            day[6..].parse().ok()?,
        )
        .ok()
    });
    Some((date??, behind))
}

fn month(word: &str) -> Option<i8> {
    let word = word.to_lowercase();
    let start = word.get(..3)?;
    let at = MONTHS.iter().position(|month| *month == start)?;
    // `Mayor` is no month, `Sept.` and `September` are.
    (word.len() <= 10).then(|| i8::try_from(at + 1).ok())?
}

fn is_zone(part: &str) -> bool {
    let is_offset = part.starts_with(['+', '-'])
        && part.len() > 1
        && part[1..]
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b':');
    is_offset || zone(part).is_some() && !part.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_half_of_day(part: &str) -> bool {
    ["am", "pm", "a.m.", "p.m."].contains(&&*part.to_ascii_lowercase())
}

fn time_and_zone(parts: &[&str]) -> Option<(Time, Offset)> {
    let mut time = Time::midnight();
    let mut offset = Offset::UTC;
    for part in parts {
        let lower = part.to_ascii_lowercase();
        if let Some(zone) = zone(part) {
            offset = zone;
        } else if is_half_of_day(part) {
            let hours = if lower.starts_with('p') { 12 } else { 0 };
            time = Time::new(time.hour() % 12 + hours, time.minute(), time.second(), 0).ok()?;
        } else if part.contains(':') {
            // Its zone may stand at the end of a time.
            let end = part
                .find(|c: char| !(c.is_ascii_digit() || c == ':' || c == '.'))
                .unwrap_or(part.len());
            let (clock, behind) = part.split_at(end);
            time = clock_of(clock)?;
            offset = zone(behind).unwrap_or(offset);
        }
    }
    Some((time, offset))
}

fn clock_of(text: &str) -> Option<Time> {
    let mut numbers = text.split(':');
    let hour: i8 = numbers.next()?.parse().ok()?;
    let minute = numbers.next()?.parse().ok()?;
    let second = numbers.next().unwrap_or("0");
    let second: i8 = second.split('.').next()?.parse().ok()?;
    // A leap second, and the midnight at the end of a day.
    Time::new(hour % 24, minute, second.min(59), 0).ok()
}

fn zone(text: &str) -> Option<Offset> {
    let lower = text.to_ascii_lowercase();
    let lower = lower
        .strip_prefix("gmt")
        .filter(|rest| !rest.is_empty())
        .unwrap_or(&lower);
    if let Some((_, hours)) = ZONES.iter().find(|(name, _)| *name == lower) {
        return Offset::from_seconds(hours * 3600).ok();
    }
    let (sign, digits) = match lower.split_at_checked(1)? {
        ("+", digits) => (1, digits),
        ("-", digits) => (-1, digits),
        _ => return None,
    };
    let digits = digits.replace(':', "");
    let number: i32 = digits.parse().ok()?;
    let (hours, minutes) = if digits.len() > 2 {
        (number / 100, number % 100)
    } else {
        (number, 0)
    };
    Offset::from_seconds(sign * (hours * 3600 + minutes * 60)).ok()
}
