//! Tests of rules at clock changes, where local times are skipped or repeated.

use jiff::Zoned;
use recurrence::EventTime;

use super::{Series, series};

/// Asserts the first occurrences, with their UTC offsets (`2026-03-28T02:30:00+01:00`). `…` means
/// that more occurrences follow.
fn assert_times(start: &str, lines: &str, times: &[&str]) {
    let series = series(start, lines);
    let found = series.occurrences().take(times.len() + 1);
    let found: Vec<String> =
        found.map(|time| text(&time).split('[').next().unwrap().to_owned()).collect();
    let wanted: Vec<&str> = times.iter().copied().filter(|time| *time != "…").collect();
    assert_eq!(found[..found.len().min(wanted.len())], wanted, "{start} {lines}");
    assert_eq!(found.len() > wanted.len(), times.contains(&"…"), "{start} {lines}");
}

fn text(time: &EventTime) -> String {
    match time {
        EventTime::Day(day) => day.to_string(),
        EventTime::Moment(moment) => moment.to_string(),
    }
}

#[test]
fn skipped_clock_times_are_omitted_and_not_counted() {
    assert_times(
        "2026-03-28T02:30 Europe/Berlin",
        "FREQ=DAILY;COUNT=3",
        &["2026-03-28T02:30:00+01:00", "2026-03-30T02:30:00+02:00", "2026-03-31T02:30:00+02:00"],
    );
    assert_times(
        "2026-03-29T01:30 Europe/Berlin",
        "FREQ=HOURLY;COUNT=3",
        &["2026-03-29T01:30:00+01:00", "2026-03-29T03:30:00+02:00", "2026-03-29T04:30:00+02:00"],
    );
    // Lord Howe Island skips half an hour, and São Paulo skips midnight.
    assert_times(
        "2026-10-03T02:15 Australia/Lord_Howe",
        "FREQ=DAILY",
        &["2026-10-03T02:15:00+10:30", "2026-10-05T02:15:00+11:00", "…"],
    );
    assert_times(
        "2018-11-03T00:00 America/Sao_Paulo",
        "FREQ=DAILY",
        &["2018-11-03T00:00:00-03:00", "2018-11-05T00:00:00-02:00", "…"],
    );
}

#[test]
fn a_day_skipped_by_a_zone_has_no_times() {
    assert_times(
        "2011-12-29T09:00 Pacific/Apia",
        "FREQ=DAILY;COUNT=2",
        &["2011-12-29T09:00:00-10:00", "2011-12-31T09:00:00+14:00"],
    );
    assert_times(
        "2011-12-23T09:00 Pacific/Apia",
        "FREQ=WEEKLY;COUNT=2",
        &["2011-12-23T09:00:00-10:00", "2012-01-06T09:00:00+14:00"],
    );
    // A whole day has no time zone, so no day is skipped.
    assert_times("2011-12-29", "FREQ=DAILY;COUNT=2", &["2011-12-29", "2011-12-30"]);
}

#[test]
fn a_skipped_start_or_date_uses_the_previous_offset() {
    assert_times(
        "2026-03-28T02:30 Europe/Berlin",
        "RDATE:20260329T023000",
        &["2026-03-28T02:30:00+01:00", "2026-03-29T03:30:00+02:00"],
    );
    // The start moves to 03:30, which the rule also produces. The occurrence is counted once.
    assert_times(
        "2026-03-29T02:30 Europe/Berlin",
        "FREQ=HOURLY;COUNT=3",
        &["2026-03-29T03:30:00+02:00", "2026-03-29T04:30:00+02:00", "2026-03-29T05:30:00+02:00"],
    );
}

#[test]
fn a_repeated_clock_time_is_the_first_one() {
    assert_times(
        "2026-10-24T02:30 Europe/Berlin",
        "FREQ=DAILY",
        &[
            "2026-10-24T02:30:00+02:00", "2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00",
            "…",
        ],
    );
    assert_times(
        "2026-10-25T01:30 Europe/Berlin",
        "FREQ=HOURLY",
        &[
            "2026-10-25T01:30:00+02:00", "2026-10-25T02:30:00+02:00", "2026-10-25T03:30:00+01:00",
            "…",
        ],
    );
    assert_times(
        "2026-04-04T01:45 Australia/Lord_Howe",
        "FREQ=DAILY",
        &[
            "2026-04-04T01:45:00+11:00", "2026-04-05T01:45:00+11:00", "2026-04-06T01:45:00+10:30",
            "…",
        ],
    );
}

#[test]
fn a_start_can_be_the_second_repeated_time() {
    let second: Zoned = "2026-10-25T02:30:00+01:00[Europe/Berlin]".parse().unwrap();
    let series = Series::new(&EventTime::Moment(second.clone()), &["RRULE:FREQ=DAILY;COUNT=2"]);
    let times: Vec<String> = series.occurrences().map(|time| text(&time)).collect();
    assert_eq!(times, [second.to_string(), "2026-10-26T02:30:00+01:00[Europe/Berlin]".to_owned()]);
    assert!(series.is_synchronized());
}

#[test]
fn until_is_an_inclusive_instant() {
    let start = "2026-03-27T09:00 America/New_York";
    let both = &["2026-03-27T09:00:00-04:00", "2026-03-28T09:00:00-04:00"];
    assert_times(start, "FREQ=DAILY;UNTIL=20260328T130000Z", both);
    assert_times(start, "FREQ=DAILY;UNTIL=20260328T125959Z", &both[..1]);
    assert_times("2026-03-27", "FREQ=DAILY;UNTIL=20260328", &["2026-03-27", "2026-03-28"]);
    // In Apia, the date differs from the date in UTC.
    assert_times(
        "2026-03-27T09:00 Pacific/Apia",
        "FREQ=DAILY;UNTIL=20260327T200000Z",
        &["2026-03-27T09:00:00+13:00", "2026-03-28T09:00:00+13:00"],
    );
    // The end of the year 9999 means no end.
    assert_times(
        "2026-03-27T09:00 UTC",
        "FREQ=YEARLY;UNTIL=99991231T235959Z",
        &["2026-03-27T09:00:00+00:00", "2027-03-27T09:00:00+00:00", "…"],
    );
    // The start always occurs, even if it is after UNTIL.
    assert_times(start, "FREQ=DAILY;UNTIL=20200101T000000Z", &both[..1]);
}
