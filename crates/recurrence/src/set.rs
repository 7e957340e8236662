//! Parses the lines that define an event's recurrence: RRULE, EXRULE, RDATE and EXDATE (RFC 5545,
//! section 3.8.5).

use std::ops::Range;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, Timestamp};

use super::parse::until;
use super::rule::{End, Rule, Until};
use super::rule_times::last_time_of_count;
use super::time::EventTime;

/// Maximum total number of RDATE and EXDATE values in a series.
const MAX_DATES: usize = 5000;

/// The recurrence of an event, parsed from its lines.
#[derive(Debug, Clone, PartialEq)]
pub struct Recurrence {
    /// Rules that add times (RRULE).
    pub(super) rules: Vec<Rule>,
    /// Rules that exclude times (EXRULE). RFC 5545 no longer defines EXRULE, but calendar programs
    /// still read it.
    pub(super) except_rules: Vec<Rule>,
    /// Individual times to add (RDATE), in ascending order.
    pub(super) dates: Vec<EventTime>,
    /// Start and end of each period (`RDATE;VALUE=PERIOD`), in ascending order.
    periods: Vec<(Timestamp, EventTime)>,
    /// Individual times to exclude (EXDATE), in ascending order.
    pub(super) except_dates: Vec<Timestamp>,
    /// For each entry of `rules`, the rule's last time if the rule has COUNT.
    pub(super) last: Vec<Option<Timestamp>>,
    /// For each entry of `except_rules`, the rule's last time if the rule has COUNT.
    pub(super) except_last: Vec<Option<Timestamp>>,
    /// The lines, with rules in normalized form.
    lines: Vec<String>,
}

/// An error in a line of a recurrence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct LineError {
    /// Index of the line, counted from 0.
    pub line: usize,
    /// Byte range of the error in the line.
    pub range: Range<usize>,
    /// Description of the problem, as a sentence without a subject. The caller adds the name of the
    /// lines' field as the subject.
    pub message: String,
    /// Advice on how to fix the problem.
    pub help: &'static str,
}

impl Recurrence {
    /// Parses the lines of an event that starts at `start`. The prefix `RRULE:` of a rule is
    /// optional.
    ///
    /// # Errors
    ///
    /// Returns an error for the first line that is invalid according to RFC 5545, or does not match
    /// the start.
    pub fn parse<'t>(
        lines: impl IntoIterator<Item = &'t str>,
        start: &EventTime,
    ) -> Result<Self, LineError> {
        let mut recurrence = Self {
            rules: Vec::new(),
            except_rules: Vec::new(),
            dates: Vec::new(),
            periods: Vec::new(),
            except_dates: Vec::new(),
            last: Vec::new(),
            except_last: Vec::new(),
            lines: Vec::new(),
        };
        for (line, text) in lines.into_iter().enumerate() {
            recurrence.take(text, start).map_err(|fault| LineError { line, ..fault })?;
            if recurrence.dates.len() + recurrence.except_dates.len() > MAX_DATES {
                let message = format!("has more than {MAX_DATES} dates");
                return Err(LineError {
                    line,
                    ..fault(0..text.len(), message, "write a rule instead")
                });
            }
        }
        recurrence.dates.sort_by_key(EventTime::key);
        recurrence.periods.sort_by_key(|(start, _)| *start);
        recurrence.except_dates.sort_unstable();
        Ok(recurrence)
    }

    /// Returns the lines in iCalendar format, such as `RRULE:FREQ=WEEKLY`.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Returns the rules that add times (RRULE).
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// Returns the rules that exclude times (EXRULE).
    pub fn except_rules(&self) -> &[Rule] {
        &self.except_rules
    }

    /// Returns the individual times to add (RDATE), in ascending order.
    pub fn dates(&self) -> &[EventTime] {
        &self.dates
    }

    /// Returns the end of the occurrence that starts at `start`, if a period (`RDATE;VALUE=PERIOD`)
    /// specifies the end (RFC 5545, section 3.8.5.2).
    pub fn period_end(&self, start: &EventTime) -> Option<&EventTime> {
        let found = self.periods.binary_search_by_key(&start.key(), |(start, _)| *start);
        found.ok().map(|at| &self.periods[at].1)
    }

    /// Returns the length of the longest period.
    pub fn longest_period(&self) -> Option<SignedDuration> {
        let lengths = self.periods.iter();
        lengths.map(|(start, end)| end.key().duration_since(*start)).max()
    }

    /// Returns the individual times to exclude (EXDATE), in ascending order. A whole day is
    /// represented by midnight UTC.
    pub fn except_dates(&self) -> &[Timestamp] {
        &self.except_dates
    }

    fn take(&mut self, text: &str, start: &EventTime) -> Result<(), LineError> {
        const EXAMPLE: &str =
            "write it like RRULE:FREQ=WEEKLY;BYDAY=MO, or EXDATE:20261225T190000Z";
        // A line without a property name is the value of an RRULE.
        let (head, value) = match split_line(text) {
            Some(parts) => parts,
            None if text.to_ascii_uppercase().starts_with("FREQ=") => ("RRULE", text),
            None => {
                return Err(fault(
                    0..text.len(),
                    "has a line that is neither a rule nor a date",
                    EXAMPLE,
                ));
            }
        };
        let at = text.len() - value.len();
        let mut parameters = outside_quotes(head, ';');
        let name = parameters.next().unwrap_or_default().trim().to_ascii_uppercase();
        let is_rule = matches!(name.as_str(), "RRULE" | "EXRULE");
        match name.as_str() {
            "RRULE" | "EXRULE" => {
                let rule = rule(value, at, start)?;
                self.lines.push(format!("{name}:{rule}"));
                let last = last_time_of_count(&rule, start);
                let (rules, lasts) = match name.as_str() {
                    "RRULE" => (&mut self.rules, &mut self.last),
                    _ => (&mut self.except_rules, &mut self.except_last),
                };
                rules.push(rule);
                lasts.push(last);
            }
            "RDATE" | "EXDATE" => {
                let form = DateFormat::read(parameters.clone(), head.len())?;
                let range = at..at + value.len();
                let fault = |(message, help)| fault(range.clone(), message, help);
                for date in value.split(',').map(str::trim) {
                    if name == "EXDATE" {
                        self.except_dates.push(form.time(date, start).map_err(fault)?.key());
                        continue;
                    }
                    let (time, end) = form.time_or_period(date, start).map_err(fault)?;
                    self.periods.extend(end.map(|end| (time.key(), end)));
                    self.dates.push(time);
                }
                self.lines.push(text.trim().to_owned());
            }
            _ => {
                let message = format!("has a line that is neither a rule nor a date: {name:?}");
                return Err(fault(0..head.len(), message, EXAMPLE));
            }
        }
        if is_rule && parameters.next().is_some() {
            Err(fault(0..head.len(), "has a rule with parameters, which are not allowed", EXAMPLE))
        } else {
            Ok(())
        }
    }
}

/// Splits a line into its name (with parameters) and its value.
fn split_line(text: &str) -> Option<(&str, &str)> {
    let head = outside_quotes(text, ':').next()?;
    Some((head, text.get(head.len() + 1..)?))
}

/// Splits a string at separators outside quotes (RFC 5545, section 3.1).
fn outside_quotes(text: &str, separator: char) -> impl Iterator<Item = &str> + Clone {
    let mut quoted = false;
    text.split(move |c| {
        quoted ^= c == '"';
        c == separator && !quoted
    })
}

fn fault(range: Range<usize>, message: impl Into<String>, help: &'static str) -> LineError {
    LineError { line: 0, range, message: message.into(), help }
}

/// Parses a rule and checks that its UNTIL matches the start. UNTIL must be a day if the start is a
/// day, and otherwise a time in UTC (RFC 5545, section 3.3.10).
fn rule(value: &str, at: usize, start: &EventTime) -> Result<Rule, LineError> {
    let rule = Rule::parse(value).map_err(|error| {
        let range = error.range.start + at..error.range.end + at;
        fault(range, error.message, error.help)
    })?;
    let range = at..at + value.len();
    match (rule.end, start) {
        (End::Until(Until::Instant(_) | Until::Local(_)), EventTime::Day(_)) => Err(fault(
            range,
            "ends at a time, but the event starts on a day",
            "write UNTIL as a day: UNTIL=20261231",
        )),
        (End::Until(Until::Day(_)), EventTime::Moment(_)) => Err(fault(
            range,
            "ends on a date without a time, but the event starts at a time",
            "write UNTIL as a time in UTC: UNTIL=20261231T235959Z",
        )),
        (End::Until(Until::Local(_)), EventTime::Moment(_)) => Err(fault(
            range,
            "ends at a time without a time zone",
            "write UNTIL in UTC, with a Z at the end: UNTIL=20261231T235959Z",
        )),
        _ => Ok(rule),
    }
}

/// Parses a duration in weeks, days, hours, minutes and seconds (RFC 5545, section 3.3.6).
fn length(text: &str) -> Option<Span> {
    let days = text.trim_start_matches('+').strip_prefix(['P', 'p'])?;
    let days = days.split(['T', 't']).next()?;
    let has_months = days.contains(['M', 'm', 'Y', 'y']);
    text.parse().ok().filter(|_| !has_months)
}

/// The parameters of an RDATE or EXDATE line: the time zone (TZID) and the value type (VALUE).
struct DateFormat {
    zone: Option<TimeZone>,
    value: String,
}

impl DateFormat {
    fn read<'t>(parameters: impl Iterator<Item = &'t str>, head: usize) -> Result<Self, LineError> {
        let mut form = Self { zone: None, value: String::new() };
        for parameter in parameters {
            let (name, value) = parameter.split_once('=').unwrap_or((parameter, ""));
            let value = value.trim().trim_matches('"');
            match name.trim().to_ascii_uppercase().as_str() {
                "TZID" => match TimeZone::get(value) {
                    Ok(zone) => form.zone = Some(zone),
                    Err(_) => {
                        let message = format!("has an unknown time zone: {value:?}");
                        let help =
                            "write a zone of the IANA time zone database: TZID=Europe/Berlin";
                        return Err(fault(0..head, message, help));
                    }
                },
                "VALUE" => form.value = value.to_ascii_uppercase(),
                other if other.starts_with("X-") => {}
                other => {
                    let message = format!("has dates with an unknown parameter: {other:?}");
                    return Err(fault(0..head, message, "use only TZID and VALUE"));
                }
            }
        }
        match form.value.as_str() {
            "" | "DATE" | "DATE-TIME" | "PERIOD" => Ok(form),
            other => Err(fault(
                0..head,
                format!("has dates with an unknown VALUE: {other:?}"),
                "write DATE, DATE-TIME or PERIOD",
            )),
        }
    }

    /// Parses a time, or the start and end of a period: `start/end` or `start/duration` (RFC 5545,
    /// section 3.3.9).
    fn time_or_period(
        &self,
        text: &str,
        start: &EventTime,
    ) -> Result<(EventTime, Option<EventTime>), (String, &'static str)> {
        let Some((from, to)) = text.split_once('/').filter(|_| self.value == "PERIOD") else {
            return Ok((self.time(text, start)?, None));
        };
        let from = self.time(from.trim(), start)?;
        let end = match length(to.trim()) {
            Some(length) => match &from {
                EventTime::Moment(moment) => moment.checked_add(length).ok().map(EventTime::Moment),
                EventTime::Day(_) => None,
            },
            None => Some(self.time(to.trim(), start)?),
        };
        match end.filter(|end| end.key() > from.key()) {
            Some(end) => Ok((from, Some(end))),
            None => Err((
                format!("has a period that does not end after its start: {text:?}"),
                "write its start, and its end or duration, like 20261231T190000Z/PT5H",
            )),
        }
    }

    /// Parses a value of the same kind as the start, a day or a time. Converts a time to the
    /// start's time zone.
    fn time(&self, text: &str, start: &EventTime) -> Result<EventTime, (String, &'static str)> {
        let Some(read) = until(text) else {
            return Err((
                format!("has an invalid date: {text:?}"),
                "write a day like 20261231, or a time like 20261231T200000 or 20261231T190000Z",
            ));
        };
        match (read, start) {
            (Until::Day(day), EventTime::Day(_)) => Ok(EventTime::Day(day)),
            (Until::Instant(instant), EventTime::Moment(_)) => {
                Ok(start.at(instant, &TimeZone::UTC))
            }
            (Until::Local(civil), EventTime::Moment(own)) => {
                let zone = self.zone.as_ref().unwrap_or_else(|| own.time_zone());
                // A skipped local time uses the UTC offset before the change. For a repeated local
                // time, the first moment is used (RFC 5545, section 3.3.5).
                civil
                    .to_zoned(zone.clone())
                    .map(|time| start.at(time.timestamp(), zone))
                    .map_err(|_| (format!("has a date out of range: {text:?}"), "change it"))
            }
            (Until::Day(_), EventTime::Moment(_)) => Err((
                format!("has a date without a time, but the event starts at a time: {text:?}"),
                "add the time, like 20261231T200000",
            )),
            (_, EventTime::Day(_)) => Err((
                format!("has a time, but the event starts on a day: {text:?}"),
                "write only the day, like 20261231, with VALUE=DATE",
            )),
        }
    }
}
