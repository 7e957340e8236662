//! Comparison with python-dateutil on random rules. `tests/independent/recurrence.py` generates the
//! table of expected results.

use jiff::civil::{Date, DateTime};
use recurrence::{EventTime, Recurrence};

const TABLE: &str = include_str!("independent.txt");

#[test]
fn occurrences_match_python_dateutil() {
    let wrong: Vec<String> = TABLE.lines().filter_map(describe_difference).collect();
    let edge_cases = TABLE.lines().count();
    assert!(wrong.is_empty(), "{} of {edge_cases}:\n{}", wrong.len(), wrong.join("\n"));
}

/// Compares a line of the table with the crate's result. Returns a description of the difference,
/// if there is one. A line contains a time zone, a start, a rule and the times after the start, and
/// ends with `.` if the series ends there, or with `+` otherwise.
fn describe_difference(line: &str) -> Option<String> {
    let words: Vec<&str> = line.split(' ').collect();
    let [zone, start, rule, times @ .., end] = words.as_slice() else {
        panic!("{line}");
    };
    let at = match *zone {
        "-" => EventTime::Day(Date::strptime("%Y%m%d", start).unwrap()),
        _ => {
            let civil = DateTime::strptime("%Y%m%dT%H%M%S", start).unwrap();
            EventTime::Moment(civil.in_tz(zone).unwrap())
        }
    };
    let rule = format!("RRULE:{rule}");
    let recurrence = Recurrence::parse([rule.as_str()], &at).unwrap();
    // A line that ends with `.` must have no further times, so one more time is requested.
    let asked = times.len() + 1 + usize::from(*end == ".");
    let found: Vec<String> =
        recurrence.occurrences(&at).take(asked).map(|time| format_stamp(&time)).collect();
    let is_right = found.first().is_some_and(|first| first == start) && found[1..] == *times;
    (!is_right).then(|| format!("{line}\n  ours: {}", found.join(" ")))
}

fn format_stamp(time: &EventTime) -> String {
    match time {
        EventTime::Day(date) => date.strftime("%Y%m%d").to_string(),
        EventTime::Moment(time) => time.strftime("%Y%m%dT%H%M%S").to_string(),
    }
}
