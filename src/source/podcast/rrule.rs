//! `updateFrequency.rrule`: a recurrence rule of RFC 5545 section 3.3.10.

use crate::source::dates;
use crate::source::fields::Fields;

const PARTS: [&str; 14] = [
    "FREQ",
    "UNTIL",
    "COUNT",
    "INTERVAL",
    "BYSECOND",
    "BYMINUTE",
    "BYHOUR",
    "BYDAY",
    "BYMONTHDAY",
    "BYYEARDAY",
    "BYWEEKNO",
    "BYMONTH",
    "BYSETPOS",
    "WKST",
];

const FREQUENCIES: [&str; 7] = [
    "SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY",
];

/// What is wrong with a rule, and what to do.
type Fault = (String, &'static str);

/// Reads a rule as it is written, when apps can follow it.
pub fn read(fields: &Fields<'_, '_>) -> Option<String> {
    let text = fields.text("rrule", 1024)?;
    let node = fields.node("rrule")?;
    match check(&text, fields) {
        Ok(()) => Some(text),
        Err((message, help)) => {
            let name = fields.name("rrule");
            fields
                .reader
                .error(&node.span, format!("`{name}` {message}"), help);
            None
        }
    }
}

fn check(text: &str, fields: &Fields<'_, '_>) -> Result<(), Fault> {
    let fail = |message: String, help| Err((message, help));
    let parts: Vec<(&str, &str)> = text
        .split(';')
        .map(|part| part.split_once('=').unwrap_or((part, "")))
        .collect();
    let value_of = |name| {
        parts
            .iter()
            .find(|(key, _)| *key == name)
            .map(|part| part.1)
    };
    let is_unknown = |(key, value): &&(&str, &str)| value.is_empty() || !PARTS.contains(key);
    if let Some((key, _)) = parts.iter().find(is_unknown) {
        return fail(
            format!("has a part that is no recurrence rule: {key:?}"),
            "write it like FREQ=WEEKLY;INTERVAL=2;BYDAY=MO (RFC 5545)",
        );
    }
    if !value_of("FREQ").is_some_and(|value| FREQUENCIES.contains(&value)) {
        return fail(
            "has no frequency".into(),
            "start it with FREQ=DAILY, WEEKLY, MONTHLY or YEARLY",
        );
    }
    for name in ["COUNT", "INTERVAL"] {
        let is_count = |value: &str| value.parse::<u32>().is_ok_and(|number| number > 0);
        if value_of(name).is_some_and(|value| !is_count(value)) {
            return fail(
                format!("has a {name} that is no number from 1 on"),
                "write digits",
            );
        }
    }
    check_end(value_of("COUNT"), value_of("UNTIL"), fields)
}

/// A rule ends by a count, which needs a start, or by a date.
fn check_end(
    count: Option<&str>,
    until: Option<&str>,
    fields: &Fields<'_, '_>,
) -> Result<(), Fault> {
    match (count, until) {
        (Some(_), Some(_)) => Err(("ends in two ways".into(), "keep either COUNT or UNTIL")),
        (Some(_), None) if fields.node("dtstart").is_none() => Err((
            "counts from no date".into(),
            "add `dtstart`, the date that COUNT counts from",
        )),
        (None, Some(until)) if !is_until(until, fields) => Err((
            format!("ends at no date: {until:?}"),
            "write UNTIL=20261231T000000Z or UNTIL=2026-12-31",
        )),
        _ => Ok(()),
    }
}

/// RFC 5545 writes `20231231T000000Z`; the podcast specification's own example the extended form.
fn is_until(text: &str, fields: &Fields<'_, '_>) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    let is_basic = matches!(digits, 8 | 14)
        && text
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, 'T' | 'Z'));
    is_basic || dates::parse(text, &fields.reader.config.timezone).is_ok()
}
