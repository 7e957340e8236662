//! Tests of combinations of rules and dates that add and exclude times.

use recurrence::{EventTime, Recurrence};

use super::{format_occurrences, series, start};

#[test]
fn excluded_times_count_towards_the_limit() {
    let series = series("2026-11-21", "FREQ=DAILY;COUNT=3 EXDATE;VALUE=DATE:20261122,20261130");
    assert_eq!(format_occurrences(&series, 9), ["2026-11-21", "2026-11-23"]);
}

#[test]
fn a_start_outside_the_rule_counts() {
    let monday = series("2026-11-21", "FREQ=WEEKLY;BYDAY=MO;COUNT=3");
    assert_eq!(format_occurrences(&monday, 9), ["2026-11-21", "2026-11-23", "2026-11-30"]);
    assert!(!monday.is_synchronized());
    assert!(series("2026-11-23", "FREQ=WEEKLY;BYDAY=MO").is_synchronized());
    assert!(series("2026-11-23", "FREQ=WEEKLY;BYDAY=TU FREQ=WEEKLY;BYDAY=MO").is_synchronized());
    assert!(series("2026-11-23", "RDATE;VALUE=DATE:20261201").is_synchronized());
    assert!(!series("2026-11-23", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30").is_synchronized());
}

#[test]
fn the_start_can_be_excluded() {
    let series = series("2026-11-21", "FREQ=DAILY;COUNT=2 EXDATE;VALUE=DATE:20261121");
    assert_eq!(format_occurrences(&series, 9), ["2026-11-22"]);
    assert!(!series.contains(&series.start));
}

#[test]
fn duplicate_times_are_one_occurrence() {
    let lines = "FREQ=DAILY;INTERVAL=2;COUNT=3 FREQ=DAILY;INTERVAL=3;COUNT=3 RDATE;VALUE=DATE:20261125,20261124,20261120,20261125";
    let series = series("2026-11-21", lines);
    let days = ["2026-11-20", "2026-11-21", "2026-11-23", "2026-11-24", "2026-11-25", "2026-11-27"];
    assert_eq!(format_occurrences(&series, 9), days);
}

#[test]
fn dates_in_other_zones_are_the_same_instants() {
    let lines = "RDATE;TZID=\"America/New_York\";X-NOTE=\"a:b;c\":20261121T090000 RDATE;VALUE=DATE-TIME:20261121T140000Z exdate;tzid=asia/tokyo:20261121T180000";
    let series = series("2026-11-21T10:00 Europe/Berlin", lines);
    assert_eq!(format_occurrences(&series, 9), ["2026-11-21T15:00"]);
}

#[test]
fn exclusion_rules_remove_times() {
    let lines = "FREQ=DAILY EXRULE:FREQ=WEEKLY;BYDAY=SA,SU EXRULE:FREQ=DAILY;INTERVAL=5;COUNT=2";
    let series = series("2026-11-20", lines);
    // The second EXRULE excludes only the 20th and the 25th.
    let days = ["2026-11-23", "2026-11-24", "2026-11-26", "2026-11-27", "2026-11-30"];
    assert_eq!(format_occurrences(&series, 5), days);
}

#[test]
fn occurrences_can_start_at_any_instant() {
    let timed = series("1970-01-01T09:00 Europe/Berlin", "FREQ=DAILY RDATE:20261121T120000");
    let from = |text: &str| {
        timed
            .occurrences_from(text.parse::<jiff::Zoned>().unwrap().timestamp())
            .next()
            .map(|time| match time {
                EventTime::Moment(time) => time.to_string(),
                EventTime::Day(day) => day.to_string(),
            })
            .unwrap()
    };
    assert_eq!(
        from("2026-11-21T09:00:00+01:00[Europe/Berlin]"),
        "2026-11-21T09:00:00+01:00[Europe/Berlin]"
    );
    assert_eq!(from("2026-11-21T08:00:01+00:00[UTC]"), "2026-11-21T12:00:00+01:00[Europe/Berlin]");
    assert_eq!(from("1900-01-01T00:00:00+00:00[UTC]"), "1970-01-01T09:00:00+01:00[Europe/Berlin]");

    let days = series("1970-01-01", "FREQ=MONTHLY");
    assert!(days.contains(&start("2026-11-01")));
    assert!(!days.contains(&start("2026-11-02")));
}

/// A period specifies the end of its occurrence as a time or a duration (RFC 5545, section
/// 3.8.5.2).
#[test]
fn a_period_sets_the_length_of_its_occurrence() {
    let start = start("2027-04-21T14:00 Europe/Berlin");
    let parse = |line: &str| Recurrence::parse([line], &start);
    for (period, from, end) in [
        ("RDATE;VALUE=PERIOD:20270501T140000Z/PT5H", "20270501T140000Z", "20270501T190000Z"),
        (
            "rdate;value=period:20270501t140000z/20270501t190000z",
            "20270501T140000Z",
            "20270501T190000Z",
        ),
        (
            "RDATE;VALUE=PERIOD;TZID=Asia/Tokyo:20270501T090000/20270501T103000",
            "20270501T000000Z",
            "20270501T013000Z",
        ),
        // `P1D` is 25 hours here, because the clock is set back during that day.
        ("RDATE;VALUE=PERIOD:20271030T120000/P1DT30M", "20271030T100000Z", "20271031T113000Z"),
        (
            "RDATE;VALUE=PERIOD:20270501T140000Z/P2W,20270401T000000Z/+PT1S",
            "20270501T140000Z",
            "20270515T140000Z",
        ),
    ] {
        let series = parse(period).unwrap();
        let date = series.dates().iter().find(|date| date.compact() == from).unwrap();
        let found = series.period_end(date).unwrap();
        assert_eq!(found.compact(), end, "{period}");
        assert!(
            series.longest_period().unwrap()
                >= found
                    .instant(&jiff::tz::TimeZone::UTC)
                    .duration_since(date.instant(&jiff::tz::TimeZone::UTC))
        );
    }
    let plain = parse("RDATE:20270501T140000Z").unwrap();
    assert_eq!(plain.period_end(&plain.dates()[0]), None);
    for wrong in [
        "RDATE;VALUE=PERIOD:20270501T140000Z/20270501T140000Z",
        "RDATE;VALUE=PERIOD:20270501T140000Z/20270501T130000Z",
        "RDATE;VALUE=PERIOD:20270501T140000Z/-PT5H",
        "RDATE;VALUE=PERIOD:20270501T140000Z/P1M",
        "RDATE;VALUE=PERIOD:20270501T140000Z/soon",
        "RDATE:20270501T140000Z/PT5H",
        "EXDATE;VALUE=PERIOD:20270501T140000Z/PT5H",
    ] {
        assert!(parse(wrong).is_err(), "{wrong}");
    }
}
