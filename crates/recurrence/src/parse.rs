//! Parses rules: splits a rule into parts, parses their values, and rejects invalid combinations.

use std::ops::{Range, RangeInclusive};

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

use super::rule::{End, Frequency, NthWeekday, Rule, Until, WEEKDAYS};

/// Maximum length of a rule in bytes.
const MAX_RULE_LENGTH: usize = 2048;

/// An error in the text of a recurrence rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct RuleError {
    /// Byte range of the error in the rule.
    pub range: Range<usize>,
    /// Description of the problem, as a sentence without a subject (`has COUNT twice`). The caller
    /// adds the name of the rule's field as the subject.
    pub message: String,
    /// Advice on how to fix the problem.
    pub help: &'static str,
}

const EXAMPLE: &str = "write it like FREQ=WEEKLY;INTERVAL=2;BYDAY=MO (RFC 5545)";

/// A part of a rule: its name in upper case, its value, and its byte range.
struct Part<'t> {
    name: String,
    value: &'t str,
    range: Range<usize>,
}

impl Part<'_> {
    fn fault(&self, message: impl Into<String>, help: &'static str) -> RuleError {
        RuleError { range: self.range.clone(), message: message.into(), help }
    }
}

impl Rule {
    /// Parses a rule such as `FREQ=WEEKLY;BYDAY=MO`, ignoring case.
    ///
    /// # Errors
    ///
    /// Returns an error if `text` is not a valid rule of RFC 5545, or is longer than 2,048 bytes.
    pub fn parse(text: &str) -> Result<Self, RuleError> {
        let whole = |message: &str, help| RuleError {
            range: 0..text.len(),
            message: message.to_owned(),
            help,
        };
        if text.len() > MAX_RULE_LENGTH {
            return Err(whole("is longer than 2048 bytes", "shorten it"));
        }
        let parts = split(text)?;
        let find = |name: &str| parts.iter().find(|part| part.name == name);
        let Some(frequency) = find("FREQ") else {
            return Err(whole(
                "has no frequency",
                "start it with FREQ=DAILY, WEEKLY, MONTHLY or YEARLY",
            ));
        };
        let list = |name: &str, range: RangeInclusive<i16>| match find(name) {
            Some(part) => numbers(part, range),
            None => Ok(Vec::new()),
        };
        let rule = Self {
            frequency: read_frequency(frequency)?,
            interval: find("INTERVAL").map_or(Ok(1), count)?,
            end: read_end(find("COUNT"), find("UNTIL"))?,
            seconds: list("BYSECOND", 0..=60)?,
            minutes: list("BYMINUTE", 0..=59)?,
            hours: list("BYHOUR", 0..=23)?,
            days: find("BYDAY").map_or(Ok(Vec::new()), weekdays)?,
            month_days: list("BYMONTHDAY", -31..=31)?,
            year_days: list("BYYEARDAY", -366..=366)?,
            weeks: list("BYWEEKNO", -53..=53)?,
            months: list("BYMONTH", 1..=12)?,
            positions: list("BYSETPOS", -366..=366)?,
            week_start: find("WKST").map_or(Ok(jiff::civil::Weekday::Monday), |part| {
                let day = weekday(part, part.value)?;
                match day.nth {
                    None => Ok(day.weekday),
                    Some(_) => {
                        Err(part.fault("has a WKST with a number", "write only a weekday: WKST=SU"))
                    }
                }
            })?,
        };
        check(&rule, &parts)?;
        Ok(rule)
    }
}

fn split(text: &str) -> Result<Vec<Part<'_>>, RuleError> {
    const NAMES: [&str; 14] = [
        "FREQ", "UNTIL", "COUNT", "INTERVAL", "BYSECOND", "BYMINUTE", "BYHOUR", "BYDAY",
        "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYMONTH", "BYSETPOS", "WKST",
    ];
    let mut parts: Vec<Part<'_>> = Vec::new();
    let mut at = 0;
    for written in text.split(';') {
        let range = at..at + written.len();
        at = range.end + 1;
        // Some programs end a rule with a semicolon.
        if written.is_empty() && range.end == text.len() && !parts.is_empty() {
            break;
        }
        let (name, value) = written.split_once('=').unwrap_or((written, ""));
        let part = Part { name: name.trim().to_ascii_uppercase(), value: value.trim(), range };
        if matches!(part.name.as_str(), "RSCALE" | "SKIP") {
            return Err(part.fault(
                format!("uses another calendar system ({}, RFC 7529)", part.name),
                "write it for the Gregorian calendar, without RSCALE and SKIP",
            ));
        }
        if part.value.is_empty() || !NAMES.contains(&part.name.as_str()) {
            return Err(part.fault(format!("has an invalid part: {name:?}"), EXAMPLE));
        }
        if parts.iter().any(|other| other.name == part.name) {
            return Err(part.fault(format!("has {} twice", part.name), "remove one of the two"));
        }
        parts.push(part);
    }
    Ok(parts)
}

fn read_frequency(part: &Part<'_>) -> Result<Frequency, RuleError> {
    let name = part.value.to_ascii_uppercase();
    let found = Frequency::ALL.iter().find(|(_, own)| *own == name);
    found.map(|(frequency, _)| *frequency).ok_or_else(|| {
        part.fault(
            format!("has an unknown frequency: {:?}", part.value),
            "write DAILY, WEEKLY, MONTHLY or YEARLY; or HOURLY, MINUTELY or SECONDLY",
        )
    })
}

fn article(name: &str) -> &'static str {
    if name.starts_with('I') { "an" } else { "a" }
}

/// Parses a positive integer without a sign.
fn count(part: &Part<'_>) -> Result<u32, RuleError> {
    let digits = part.value.bytes().all(|byte| byte.is_ascii_digit());
    let number = part.value.parse().ok().filter(|number| digits && *number > 0);
    number.ok_or_else(|| {
        part.fault(
            format!(
                "has {} {} that is not a positive whole number",
                article(&part.name),
                part.name
            ),
            "write digits",
        )
    })
}

fn read_end(number: Option<&Part<'_>>, last: Option<&Part<'_>>) -> Result<End, RuleError> {
    match (number, last) {
        (Some(number), Some(_)) => {
            Err(number.fault("has both COUNT and UNTIL", "remove one of the two"))
        }
        (Some(number), None) => count(number).map(End::Count),
        (None, Some(last)) => until(last.value).map(End::Until).ok_or_else(|| {
            last.fault(
                format!("has an invalid UNTIL: {:?}", last.value),
                "write a day like 20261231, or a time in UTC like 20261231T220000Z",
            )
        }),
        (None, None) => Ok(End::Never),
    }
}

/// Parses a date or a date with a time, in the formats of RFC 5545 (sections 3.3.4 and 3.3.5).
pub(crate) fn until(text: &str) -> Option<Until> {
    let upper = text.to_ascii_uppercase();
    let (local, is_utc) = match upper.strip_suffix('Z') {
        Some(local) => (local, true),
        None => (upper.as_str(), false),
    };
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    match local.split_once('T') {
        None if local.len() == 8 && digits(local) && !is_utc => {
            Date::strptime("%Y%m%d", local).ok().map(Until::Day)
        }
        Some((day, time)) if day.len() == 8 && time.len() == 6 && digits(day) && digits(time) => {
            let civil = DateTime::strptime("%Y%m%dT%H%M%S", local).ok()?;
            if is_utc {
                // Some programs write the end of the year 9999 to mean "no end". `Timestamp` cannot
                // represent that time.
                let instant = civil.to_zoned(TimeZone::UTC).map(|time| time.timestamp());
                Some(Until::Instant(instant.unwrap_or(Timestamp::MAX)))
            } else {
                Some(Until::Local(civil))
            }
        }
        _ => None,
    }
}

/// Parses a list of integers within a range. 0 is allowed only if the range starts at 0.
fn numbers(part: &Part<'_>, range: RangeInclusive<i16>) -> Result<Vec<i16>, RuleError> {
    let mut found: Vec<i16> = Vec::new();
    for text in part.value.split(',') {
        let number = text.trim().parse::<i16>().ok();
        let fits = |number: &i16| range.contains(number) && (*number != 0 || *range.start() == 0);
        let Some(number) = number.filter(fits) else {
            let from = match *range.start() {
                start if start < 0 => format!("{start} to -1 or 1"),
                start => start.to_string(),
            };
            return Err(part.fault(
                format!("has an invalid {}: {text:?} must be {from} to {}", part.name, range.end()),
                "change the number, or remove the part",
            ));
        };
        if !found.contains(&number) {
            found.push(number);
        }
    }
    Ok(found)
}

fn weekdays(part: &Part<'_>) -> Result<Vec<NthWeekday>, RuleError> {
    let mut found = Vec::new();
    for text in part.value.split(',') {
        let day = weekday(part, text.trim())?;
        if !found.contains(&day) {
            found.push(day);
        }
    }
    Ok(found)
}

fn weekday(part: &Part<'_>, text: &str) -> Result<NthWeekday, RuleError> {
    let upper = text.to_ascii_uppercase();
    let at = upper.len().saturating_sub(2);
    let split = upper.is_char_boundary(at).then(|| upper.split_at(at));
    let read = split.and_then(|(nth, name)| {
        let (_, weekday) = WEEKDAYS.iter().find(|(own, _)| *own == name)?;
        let nth = match nth {
            "" => None,
            nth => Some(nth.parse::<i16>().ok().filter(|nth| *nth != 0 && nth.abs() <= 53)?),
        };
        Some(NthWeekday { nth, weekday: *weekday })
    });
    read.ok_or_else(|| {
        part.fault(
            format!("has an invalid weekday: {text:?}"),
            "write MO, TU, WE, TH, FR, SA or SU; in a month or year, 2MO is the second Monday and -1FR the last Friday",
        )
    })
}

/// Rejects combinations of parts that RFC 5545 does not allow (section 3.3.10).
fn check(rule: &Rule, parts: &[Part<'_>]) -> Result<(), RuleError> {
    let fault = |name: &str, message: &str, help| {
        let part = parts.iter().find(|part| part.name == name);
        let range = part.map_or(0..0, |part| part.range.clone());
        Err(RuleError { range, message: message.to_owned(), help })
    };
    let frequency = rule.frequency;
    let is_long = matches!(frequency, Frequency::Monthly | Frequency::Yearly);
    let has_nth = rule.days.iter().any(|day| day.nth.is_some());
    if has_nth && !is_long {
        let help = "remove the number, or write FREQ=MONTHLY or YEARLY";
        return fault("BYDAY", "has numbered weekdays, which require FREQ=MONTHLY or YEARLY", help);
    }
    if has_nth && !rule.weeks.is_empty() {
        let help = "remove the number, or remove BYWEEKNO";
        return fault("BYDAY", "has numbered weekdays, which BYWEEKNO does not allow", help);
    }
    let month_has = |day: &NthWeekday| day.nth.is_none_or(|nth| nth.abs() <= 5);
    if frequency == Frequency::Monthly && !rule.days.iter().all(month_has) {
        let help = "write a number from 1 to 5, or from -5 to -1";
        return fault("BYDAY", "has a weekday number that no month reaches", help);
    }
    if !rule.weeks.is_empty() && frequency != Frequency::Yearly {
        let help = "write FREQ=YEARLY, or remove BYWEEKNO";
        return fault("BYWEEKNO", "has BYWEEKNO, which requires FREQ=YEARLY", help);
    }
    let no_year_days = [Frequency::Daily, Frequency::Weekly, Frequency::Monthly];
    if !rule.year_days.is_empty() && no_year_days.contains(&frequency) {
        let help = "write FREQ=YEARLY, or remove BYYEARDAY";
        return fault(
            "BYYEARDAY",
            "has BYYEARDAY, which FREQ=DAILY, WEEKLY and MONTHLY do not allow",
            help,
        );
    }
    if !rule.month_days.is_empty() && frequency == Frequency::Weekly {
        let help = "write FREQ=MONTHLY, or remove BYMONTHDAY";
        return fault("BYMONTHDAY", "has BYMONTHDAY, which FREQ=WEEKLY does not allow", help);
    }
    let is_by = |part: &Part<'_>| part.name.starts_with("BY") && part.name != "BYSETPOS";
    if !rule.positions.is_empty() && !parts.iter().any(is_by) {
        let help = "add BYDAY or another BY part, or remove BYSETPOS";
        return fault("BYSETPOS", "has BYSETPOS, which requires another BY part", help);
    }
    Ok(())
}
