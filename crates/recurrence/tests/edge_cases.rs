//! Tests of difficult cases, with expected dates that were worked out by hand.

use jiff::Timestamp;
use recurrence::{EventTime, Recurrence};

fn start(text: &str) -> EventTime {
    match text.len() {
        10 => EventTime::Day(text.parse().unwrap()),
        _ => EventTime::Moment(text.parse().unwrap()),
    }
}

/// Returns the first occurrences as local dates (`1997-09-02`), with the time of day
/// (`1997-09-02T09:00`) only if it differs from the start's.
fn first_times(count: usize, at: &str, lines: &[&str]) -> Vec<String> {
    let at = start(at);
    let recurrence = Recurrence::parse(lines.iter().copied(), &at).unwrap();
    let times = recurrence.occurrences(&at).take(count);
    times
        .map(|time| match (&time, &at) {
            (EventTime::Moment(time), EventTime::Moment(at)) if time.time() != at.time() => {
                time.strftime("%Y-%m-%dT%H:%M").to_string()
            }
            (time, _) => time.civil().date().to_string(),
        })
        .collect()
}

#[test]
fn edge_cases_have_the_expected_dates() {
    for (at, lines, count, dates) in [
        // Leap days, last days of months, and last weekdays of months.
        ("2024-02-29", &["RRULE:FREQ=YEARLY"][..], 3, "2024-02-29 2028-02-29 2032-02-29"),
        ("2026-01-31", &["RRULE:FREQ=MONTHLY"], 4, "2026-01-31 2026-03-31 2026-05-31 2026-07-31"),
        (
            "2026-01-31",
            &["RRULE:FREQ=MONTHLY;BYMONTHDAY=-1"],
            3,
            "2026-01-31 2026-02-28 2026-03-31",
        ),
        ("2026-01-30", &["RRULE:FREQ=MONTHLY;BYDAY=-1FR"], 3, "2026-01-30 2026-02-27 2026-03-27"),
        (
            "2026-01-30",
            &["RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"],
            3,
            "2026-01-30 2026-02-27 2026-03-31",
        ),
        // Week numbers: 2026 has 53 weeks, and week 1 can start in the previous year.
        (
            "2026-12-28",
            &["RRULE:FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO"],
            3,
            "2026-12-28 2032-12-27 2037-12-28",
        ),
        (
            "2024-12-30",
            &["RRULE:FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO"],
            3,
            "2024-12-30 2025-12-29 2027-01-04",
        ),
        ("2026-12-28", &["RRULE:FREQ=YEARLY;BYWEEKNO=53"], 2, "2026-12-28 2032-12-27"),
        ("2026-02-28", &["RRULE:FREQ=YEARLY;BYYEARDAY=-307"], 2, "2026-02-28 2027-02-28"),
        // The clock in Berlin skips 02:30 on 29 March 2026, so the rule has no occurrence on that
        // day.
        (
            "2026-03-28T02:30[Europe/Berlin]",
            &["RRULE:FREQ=DAILY;COUNT=3"],
            9,
            "2026-03-28 2026-03-30 2026-03-31",
        ),
        // The clock shows 02:30 twice on 25 October. The rule selects the first.
        (
            "2026-10-24T02:30[Europe/Berlin]",
            &["RRULE:FREQ=DAILY;COUNT=3"],
            9,
            "2026-10-24 2026-10-25 2026-10-26",
        ),
        // Samoa skipped 30 December 2011.
        (
            "2011-12-29T09:00[Pacific/Apia]",
            &["RRULE:FREQ=DAILY;COUNT=3"],
            9,
            "2011-12-29 2011-12-31 2012-01-01",
        ),
        // An EXDATE excludes times, but COUNT still includes them. UNTIL is inclusive.
        (
            "2026-01-01",
            &["RRULE:FREQ=DAILY;COUNT=4", "EXDATE;VALUE=DATE:20260102"],
            9,
            "2026-01-01 2026-01-03 2026-01-04",
        ),
        ("2026-01-01", &["RRULE:FREQ=DAILY;UNTIL=20260103"], 9, "2026-01-01 2026-01-02 2026-01-03"),
        (
            "2026-01-01",
            &["RRULE:FREQ=DAILY;COUNT=2", "EXDATE;VALUE=DATE:20260101"],
            9,
            "2026-01-02",
        ),
        (
            "2026-01-01",
            &["RRULE:FREQ=DAILY;COUNT=5", "EXRULE:FREQ=DAILY;INTERVAL=2"],
            9,
            "2026-01-02 2026-01-04",
        ),
        // An RDATE occurs once, even if a rule produces the same time.
        (
            "2026-01-01",
            &["RRULE:FREQ=WEEKLY;COUNT=2", "RDATE;VALUE=DATE:20260108,20260103"],
            9,
            "2026-01-01 2026-01-03 2026-01-08",
        ),
        (
            "2026-06-01T20:00[Europe/Berlin]",
            &["RDATE:20260602T180000Z", "RDATE;TZID=America/New_York:20260603T140000"],
            9,
            "2026-06-01 2026-06-02 2026-06-03",
        ),
        // The start is the first occurrence and is included in COUNT, even if the rule does not
        // produce it.
        (
            "2026-01-01",
            &["RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3"],
            9,
            "2026-01-01 2026-01-05 2026-01-12",
        ),
        // 30 February does not exist.
        ("2026-01-01", &["RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"], 9, "2026-01-01"),
    ] {
        assert_eq!(first_times(count, at, lines).join(" "), dates, "{lines:?}");
    }
}

#[test]
fn endless_and_never_matching_rules_are_fast() {
    let at = start("1970-01-01T00:00:07[UTC]");
    let began = std::time::Instant::now();
    for (rule, from) in [
        ("FREQ=SECONDLY", "2026-01-01T00:00:00Z"),
        ("FREQ=DAILY", "2026-01-01T00:00:00Z"),
        ("FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=29;BYHOUR=3", "2026-01-01T00:00:00Z"),
        ("FREQ=MINUTELY;INTERVAL=1440;BYHOUR=5", "1970-01-01T00:00:00Z"),
        ("FREQ=SECONDLY;INTERVAL=60;BYSECOND=30", "1970-01-01T00:00:00Z"),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "1970-01-01T00:00:00Z"),
        ("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "1970-01-01T00:00:00Z"),
        ("FREQ=SECONDLY;COUNT=4000000000", "9000-01-01T00:00:00Z"),
    ] {
        let line = format!("RRULE:{rule}");
        let recurrence = Recurrence::parse([line.as_str()], &at).unwrap();
        let from: Timestamp = from.parse().unwrap();
        let found = recurrence.occurrences_from(&at, from).take(3).count();
        println!("{rule}: {found} after {:?}", began.elapsed());
    }
    // The limit is generous, because test builds are unoptimized and other tests run at the same
    // time.
    assert!(began.elapsed().as_secs() < 30);
}
