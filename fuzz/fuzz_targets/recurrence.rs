//! Rules and lines are untrusted text: no input panics or takes long, errors point into the text, a rule is
//! read as it is written, and occurrences ascend.
//!
//! The first line is the start's time of day in minutes and its zone, each other one a line of a recurrence.
#![no_main]

use recurrence::{EventTime, Recurrence, Rule};
use jiff::ToSpan;
use jiff::civil::date;
use jiff::tz::TimeZone;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let (first, lines) = text.split_once('\n').unwrap_or(("", text));
    for line in lines.lines() {
        match Rule::parse(line) {
            Ok(rule) => assert_eq!(Rule::parse(&rule.to_string()).as_ref(), Ok(&rule)),
            Err(error) => assert!(line.get(error.range.clone()).is_some(), "{error:?}"),
        }
    }
    let start = start(first);
    let Ok(recurrence) = Recurrence::parse(lines.lines(), &start) else {
        return;
    };
    let instant = |time: &EventTime| time.instant(&TimeZone::UTC);
    let times: Vec<_> = recurrence.occurrences(&start).take(30).collect();
    assert!(times.is_sorted_by(|one, other| instant(one) < instant(other)));
    for time in &times {
        let next = recurrence.occurrences_from(&start, instant(time)).next();
        assert_eq!(next.as_ref(), Some(time));
    }
});

/// `90 Europe/Berlin`; a day without time when it is none.
fn start(text: &str) -> EventTime {
    let day = date(2026, 3, 28);
    let timed = || {
        let (minutes, zone) = text.split_once(' ')?;
        let civil = day.at(0, 0, 0, 0) + i64::from(minutes.parse::<u16>().ok()?).minutes();
        Some(EventTime::Moment(civil.in_tz(zone).ok()?))
    };
    timed().unwrap_or(EventTime::Day(day))
}
