//! Tests of cases that implementations of recurrence rules often get wrong. The expected dates were
//! worked out by hand from RFC 5545.

use recurrence::{Frequency, Rule};

use super::{format_occurrences, series};

/// Asserts the first occurrences of a rule.
fn assert_days(start: &str, rule: &str, days: &[&str]) {
    let series = series(start, rule);
    assert_eq!(format_occurrences(&series, days.len()), days, "{start} {rule}");
}

#[test]
fn days_missing_from_a_month_are_skipped() {
    assert_days(
        "2026-01-31",
        "FREQ=MONTHLY",
        &["2026-01-31", "2026-03-31", "2026-05-31", "2026-07-31"],
    );
    assert_days(
        "2026-01-31",
        "FREQ=MONTHLY;BYMONTHDAY=-1",
        &["2026-01-31", "2026-02-28", "2026-03-31"],
    );
    assert_days(
        "2027-11-30",
        "FREQ=MONTHLY;INTERVAL=3",
        &["2027-11-30", "2028-05-30", "2028-08-30"],
    );
    assert_days("2024-02-29", "FREQ=YEARLY", &["2024-02-29", "2028-02-29", "2032-02-29"]);
    assert_days("1896-02-29", "FREQ=YEARLY", &["1896-02-29", "1904-02-29"]);
    assert_days("2024-02-29", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1", &["2024-02-29", "2025-02-28"]);
    assert_days("2024-12-31", "FREQ=YEARLY;BYYEARDAY=366", &["2024-12-31", "2028-12-31"]);
    assert_days(
        "2023-01-01",
        "FREQ=YEARLY;BYYEARDAY=-366",
        &["2023-01-01", "2024-01-01", "2028-01-01"],
    );
    assert_days(
        "2000-01-01",
        "FREQ=YEARLY;INTERVAL=100;BYMONTH=2;BYMONTHDAY=29",
        &["2000-01-01", "2000-02-29", "2400-02-29"],
    );
}

#[test]
fn numbered_weekdays_count_within_month_or_year() {
    assert_days(
        "2026-01-30",
        "FREQ=MONTHLY;BYDAY=-1FR",
        &["2026-01-30", "2026-02-27", "2026-03-27", "2026-04-24"],
    );
    assert_days(
        "2026-01-30",
        "FREQ=MONTHLY;BYDAY=5FR",
        &["2026-01-30", "2026-05-29", "2026-07-31"],
    );
    assert_days(
        "2026-01-01",
        "FREQ=YEARLY;BYDAY=53TH",
        &["2026-01-01", "2026-12-31", "2032-12-30"],
    );
    assert_days("2026-12-28", "FREQ=YEARLY;BYDAY=-1MO", &["2026-12-28", "2027-12-27"]);
    assert_days(
        "2026-03-29",
        "FREQ=YEARLY;BYMONTH=3,10;BYDAY=-1SU",
        &["2026-03-29", "2026-10-25", "2027-03-28"],
    );
    assert_days(
        "2026-01-02",
        "FREQ=MONTHLY;BYDAY=FR,1MO",
        &["2026-01-02", "2026-01-05", "2026-01-09"],
    );
    // `1FR` means the first Friday of a month even if BYMONTHDAY is present.
    assert_days("2026-05-01", "FREQ=MONTHLY;BYDAY=1FR;BYMONTHDAY=1", &["2026-05-01", "2027-01-01"]);
}

#[test]
fn wkst_sets_the_first_day_of_the_week() {
    // A Sunday and the following Monday are in different weeks by default, and in the same week
    // with WKST=SU.
    assert_days(
        "2026-11-22",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO",
        &["2026-11-22", "2026-11-30", "2026-12-06"],
    );
    assert_days(
        "2026-11-22",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;WKST=SU",
        &["2026-11-22", "2026-11-23", "2026-12-06"],
    );
}

#[test]
fn numbered_weeks_belong_to_their_iso_year() {
    assert_days(
        "2026-12-28",
        "FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO",
        &["2026-12-28", "2032-12-27", "2037-12-28"],
    );
    assert_days(
        "2026-12-31",
        "FREQ=YEARLY;BYWEEKNO=53;BYDAY=FR",
        &["2026-12-31", "2027-01-01", "2032-12-31"],
    );
    assert_days(
        "2024-12-30",
        "FREQ=YEARLY;BYWEEKNO=1;BYDAY=MO",
        &["2024-12-30", "2025-12-29", "2027-01-04"],
    );
    // 2024-12-30 is in week 1 of 2025, so INTERVAL=2 selects odd years.
    assert_days(
        "2024-12-30",
        "FREQ=YEARLY;INTERVAL=2;BYWEEKNO=1;BYDAY=MO",
        &["2024-12-30", "2027-01-04", "2029-01-01"],
    );
    assert_days("2026-12-28", "FREQ=YEARLY;BYWEEKNO=-1;BYDAY=MO", &["2026-12-28", "2027-12-27"]);
    assert_days(
        "2024-12-30",
        "FREQ=YEARLY;BYWEEKNO=-52;BYDAY=MO",
        &["2024-12-30", "2026-01-05", "2027-01-04", "2028-01-03"],
    );
    // If no part selects weekdays, the rule uses the start's weekday.
    assert_days(
        "1997-05-13",
        "FREQ=YEARLY;BYWEEKNO=20",
        &["1997-05-13", "1998-05-12", "1999-05-18"],
    );
    // If weeks start on Sunday, the first week of 2025 starts on 2024-12-29, and the first week of
    // 2026 on 2026-01-04.
    assert_days(
        "2024-12-29",
        "FREQ=YEARLY;BYWEEKNO=1;BYDAY=SU;WKST=SU",
        &["2024-12-29", "2026-01-04", "2027-01-03"],
    );
}

#[test]
fn bysetpos_selects_from_the_whole_period() {
    assert_days(
        "2026-01-30",
        "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
        &["2026-01-30", "2026-02-27", "2026-03-31"],
    );
    assert_days(
        "2026-01-02",
        "FREQ=MONTHLY;BYDAY=SA,SU;BYSETPOS=1,-1",
        &["2026-01-02", "2026-01-03", "2026-01-31", "2026-02-01", "2026-02-28"],
    );
    // In the first week, BYSETPOS=1 selects the Monday, which is before the start.
    assert_days(
        "2026-11-19",
        "FREQ=WEEKLY;BYDAY=MO,TH;BYSETPOS=1",
        &["2026-11-19", "2026-11-23", "2026-11-30"],
    );
    assert_days(
        "2026-11-21T22:00",
        "FREQ=DAILY;BYHOUR=8,22;BYMINUTE=0,30;BYSETPOS=-1,3",
        &["2026-11-21T22:00", "2026-11-21T22:30", "2026-11-22T22:00", "2026-11-22T22:30"],
    );
    // Two positions that select the same time produce one occurrence.
    assert_days(
        "2026-11-21",
        "FREQ=MONTHLY;BYMONTHDAY=21,22;BYSETPOS=1,-2",
        &["2026-11-21", "2026-12-21"],
    );
}

#[test]
fn missing_rule_parts_come_from_the_start() {
    assert_days(
        "2026-11-21T09:30:15",
        "FREQ=HOURLY;BYMINUTE=0,45",
        &["2026-11-21T09:30:15", "2026-11-21T09:45:15", "2026-11-21T10:00:15"],
    );
    assert_days(
        "2026-11-21T09:30:15",
        "FREQ=YEARLY;BYMONTH=1,3",
        &["2026-11-21T09:30:15", "2027-01-21T09:30:15", "2027-03-21T09:30:15"],
    );
    assert_days(
        "2026-11-21",
        "FREQ=YEARLY;BYMONTHDAY=13",
        &["2026-11-21", "2026-12-13", "2027-01-13"],
    );
    // BYHOUR has no effect if the start is a whole day.
    assert_days(
        "2026-11-21",
        "FREQ=DAILY;BYHOUR=8,22",
        &["2026-11-21", "2026-11-22", "2026-11-23"],
    );
}

#[test]
fn short_frequencies_skip_periods_that_cannot_match() {
    assert_days(
        "2026-01-01T00:00",
        "FREQ=SECONDLY;INTERVAL=7;BYMONTH=12;BYMONTHDAY=24;BYHOUR=18;BYMINUTE=0",
        &["2026-01-01T00:00", "2026-12-24T18:00:06", "2026-12-24T18:00:13"],
    );
    assert_days(
        "2026-01-01T00:00",
        "FREQ=MINUTELY;INTERVAL=1441;BYYEARDAY=-1",
        &["2026-01-01T00:00", "2026-12-31T06:04", "2027-12-31T12:09"],
    );
    assert_days(
        "2026-11-21T23:59:58",
        "FREQ=SECONDLY;BYSECOND=58,60",
        &["2026-11-21T23:59:58", "2026-11-21T23:59:59", "2026-11-22T00:00:58"],
    );
}

#[test]
fn rules_without_matches_terminate() {
    for rule in [
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=SECONDLY;INTERVAL=2;BYSECOND=1",
        "FREQ=MINUTELY;BYSECOND=1;BYSETPOS=2",
        "FREQ=WEEKLY;BYDAY=MO;BYSETPOS=2",
        "FREQ=YEARLY;BYWEEKNO=20;BYYEARDAY=1",
        "FREQ=YEARLY;INTERVAL=4294967295",
        "EXRULE:FREQ=SECONDLY RRULE:FREQ=SECONDLY RDATE:20261122T000000",
    ] {
        let series = series("2026-11-21T00:00", rule);
        assert!(format_occurrences(&series, 2).len() < 2, "{rule}");
    }
    let to_the_end = series("9998-01-01", "FREQ=YEARLY");
    assert_eq!(format_occurrences(&to_the_end, 5), ["9998-01-01", "9999-01-01"]);
    let to_the_end = series("9999-12-20", "FREQ=WEEKLY;BYDAY=FR,SA");
    assert_eq!(
        format_occurrences(&to_the_end, 9),
        ["9999-12-20", "9999-12-24", "9999-12-25", "9999-12-31"]
    );
}

#[test]
fn a_rule_is_written_in_normal_form() {
    let rule = Rule::parse(
        "freq=monthly;byday=we,+1mo,-1fr,we;interval=02;until=20261231t225959z;wkst=su",
    )
    .unwrap();
    assert_eq!(
        rule.to_string(),
        "FREQ=MONTHLY;UNTIL=20261231T225959Z;INTERVAL=2;BYDAY=WE,1MO,-1FR;WKST=SU"
    );
    assert_eq!(rule.frequency, Frequency::Monthly);
    assert_eq!(rule.interval, 2);
}
