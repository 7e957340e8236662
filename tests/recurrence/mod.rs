//! Recurrence rules: hard cases with their dates, computed by hand, from RFC 5545 (section 3.8.5.3) and
//! by python-dateutil.

mod independent;

use feedwright::recurrence::{EventTime, Recurrence};
use jiff::Timestamp;

fn start(text: &str) -> EventTime {
    match text.len() {
        10 => EventTime::Day(text.parse().unwrap()),
        _ => EventTime::Moment(text.parse().unwrap()),
    }
}

/// The first times, as their clock reads them: `1997-09-02`, or `1997-09-02T09:00` where not at the
/// start's time of day.
fn first(count: usize, at: &str, lines: &[&str]) -> Vec<String> {
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

const NY: &str = "1997-09-02T09:00[America/New_York]";

#[test]
fn the_examples_of_the_specification() {
    for (at, rule, count, dates) in [
        (
            NY,
            "FREQ=DAILY;COUNT=3",
            9,
            "1997-09-02 1997-09-03 1997-09-04",
        ),
        (
            NY,
            "FREQ=DAILY;UNTIL=19970904T130000Z",
            9,
            "1997-09-02 1997-09-03 1997-09-04",
        ),
        (
            NY,
            "FREQ=DAILY;INTERVAL=10;COUNT=5",
            9,
            "1997-09-02 1997-09-12 1997-09-22 1997-10-02 1997-10-12",
        ),
        (
            NY,
            "FREQ=WEEKLY;INTERVAL=2;WKST=SU",
            5,
            "1997-09-02 1997-09-16 1997-09-30 1997-10-14 1997-10-28",
        ),
        (
            NY,
            "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH",
            4,
            "1997-09-02 1997-09-04 1997-09-09 1997-09-11",
        ),
        (
            "1997-09-01T09:00[America/New_York]",
            "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR",
            6,
            "1997-09-01 1997-09-03 1997-09-05 1997-09-15 1997-09-17 1997-09-19",
        ),
        (
            "1997-09-05T09:00[America/New_York]",
            "FREQ=MONTHLY;COUNT=4;BYDAY=1FR",
            9,
            "1997-09-05 1997-10-03 1997-11-07 1997-12-05",
        ),
        (
            "1997-09-07T09:00[America/New_York]",
            "FREQ=MONTHLY;INTERVAL=2;COUNT=4;BYDAY=1SU,-1SU",
            9,
            "1997-09-07 1997-09-28 1997-11-02 1997-11-30",
        ),
        (
            "1997-09-22T09:00[America/New_York]",
            "FREQ=MONTHLY;COUNT=3;BYDAY=-2MO",
            9,
            "1997-09-22 1997-10-20 1997-11-17",
        ),
        (
            "1997-09-28T09:00[America/New_York]",
            "FREQ=MONTHLY;BYMONTHDAY=-3",
            4,
            "1997-09-28 1997-10-29 1997-11-28 1997-12-29",
        ),
        (
            NY,
            "FREQ=MONTHLY;COUNT=4;BYMONTHDAY=2,15",
            9,
            "1997-09-02 1997-09-15 1997-10-02 1997-10-15",
        ),
        (
            "1997-09-10T09:00[America/New_York]",
            "FREQ=MONTHLY;INTERVAL=18;COUNT=7;BYMONTHDAY=10,11,12,13,14,15",
            7,
            "1997-09-10 1997-09-11 1997-09-12 1997-09-13 1997-09-14 1997-09-15 1999-03-10",
        ),
        (
            "1997-06-10T09:00[America/New_York]",
            "FREQ=YEARLY;COUNT=4;BYMONTH=6,7",
            9,
            "1997-06-10 1997-07-10 1998-06-10 1998-07-10",
        ),
        (
            "1997-01-01T09:00[America/New_York]",
            "FREQ=YEARLY;INTERVAL=3;COUNT=4;BYYEARDAY=1,100,200",
            9,
            "1997-01-01 1997-04-10 1997-07-19 2000-01-01",
        ),
        (
            "1997-05-19T09:00[America/New_York]",
            "FREQ=YEARLY;BYDAY=20MO",
            3,
            "1997-05-19 1998-05-18 1999-05-17",
        ),
        (
            "1997-05-12T09:00[America/New_York]",
            "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO",
            3,
            "1997-05-12 1998-05-11 1999-05-17",
        ),
        (
            "1997-03-13T09:00[America/New_York]",
            "FREQ=YEARLY;BYMONTH=3;BYDAY=TH",
            4,
            "1997-03-13 1997-03-20 1997-03-27 1998-03-05",
        ),
        (
            "1998-02-13T09:00[America/New_York]",
            "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
            5,
            "1998-02-13 1998-03-13 1998-11-13 1999-08-13 2000-10-13",
        ),
        (
            "1997-09-13T09:00[America/New_York]",
            "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
            4,
            "1997-09-13 1997-10-11 1997-11-08 1997-12-13",
        ),
        (
            "1996-11-05T09:00[America/New_York]",
            "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
            3,
            "1996-11-05 2000-11-07 2004-11-02",
        ),
        (
            "1997-09-04T09:00[America/New_York]",
            "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3",
            9,
            "1997-09-04 1997-10-07 1997-11-06",
        ),
        (
            "1997-09-29T09:00[America/New_York]",
            "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
            4,
            "1997-09-29 1997-10-30 1997-11-27 1997-12-30",
        ),
        (
            NY,
            "FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z",
            9,
            "1997-09-02 1997-09-02T12:00 1997-09-02T15:00",
        ),
        (
            NY,
            "FREQ=MINUTELY;INTERVAL=90;COUNT=4",
            9,
            "1997-09-02 1997-09-02T10:30 1997-09-02T12:00 1997-09-02T13:30",
        ),
        (
            NY,
            "FREQ=DAILY;BYHOUR=9,10;BYMINUTE=0,40",
            5,
            "1997-09-02 1997-09-02T09:40 1997-09-02T10:00 1997-09-02T10:40 1997-09-03",
        ),
        (
            NY,
            "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9",
            4,
            "1997-09-02 1997-09-02T09:20 1997-09-02T09:40 1997-09-03",
        ),
        (
            "1997-08-05T09:00[America/New_York]",
            "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
            9,
            "1997-08-05 1997-08-10 1997-08-19 1997-08-24",
        ),
        (
            "1997-08-05T09:00[America/New_York]",
            "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
            9,
            "1997-08-05 1997-08-17 1997-08-19 1997-08-31",
        ),
        (
            "2007-01-15T09:00[America/New_York]",
            "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5",
            9,
            "2007-01-15 2007-01-30 2007-02-15 2007-03-15 2007-03-30",
        ),
    ] {
        let line = format!("RRULE:{rule}");
        assert_eq!(first(count, at, &[&line]).join(" "), dates, "{rule}");
    }
}

#[test]
fn hard_cases() {
    for (at, lines, count, dates) in [
        // Leap days, the last days of months, the last Friday.
        (
            "2024-02-29",
            &["RRULE:FREQ=YEARLY"][..],
            3,
            "2024-02-29 2028-02-29 2032-02-29",
        ),
        (
            "2026-01-31",
            &["RRULE:FREQ=MONTHLY"],
            4,
            "2026-01-31 2026-03-31 2026-05-31 2026-07-31",
        ),
        (
            "2026-01-31",
            &["RRULE:FREQ=MONTHLY;BYMONTHDAY=-1"],
            3,
            "2026-01-31 2026-02-28 2026-03-31",
        ),
        (
            "2026-01-30",
            &["RRULE:FREQ=MONTHLY;BYDAY=-1FR"],
            3,
            "2026-01-30 2026-02-27 2026-03-27",
        ),
        (
            "2026-01-30",
            &["RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1"],
            3,
            "2026-01-30 2026-02-27 2026-03-31",
        ),
        // Weeks of a year: 53 of them in 2026, and week 1 that begins in the year before.
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
        (
            "2026-12-28",
            &["RRULE:FREQ=YEARLY;BYWEEKNO=53"],
            2,
            "2026-12-28 2032-12-27",
        ),
        (
            "2026-02-28",
            &["RRULE:FREQ=YEARLY;BYYEARDAY=-307"],
            2,
            "2026-02-28 2027-02-28",
        ),
        // The clock skips 02:30 on 29 March 2026 in Berlin: a rule gives nothing there.
        (
            "2026-03-28T02:30[Europe/Berlin]",
            &["RRULE:FREQ=DAILY;COUNT=3"],
            9,
            "2026-03-28 2026-03-30 2026-03-31",
        ),
        // It reads 02:30 twice on 25 October: the first is meant.
        (
            "2026-10-24T02:30[Europe/Berlin]",
            &["RRULE:FREQ=DAILY;COUNT=3"],
            9,
            "2026-10-24 2026-10-25 2026-10-26",
        ),
        // Samoa went without 30 December 2011.
        (
            "2011-12-29T09:00[Pacific/Apia]",
            &["RRULE:FREQ=DAILY;COUNT=3"],
            9,
            "2011-12-29 2011-12-31 2012-01-01",
        ),
        // An EXDATE takes away what was counted; UNTIL is included.
        (
            "2026-01-01",
            &["RRULE:FREQ=DAILY;COUNT=4", "EXDATE;VALUE=DATE:20260102"],
            9,
            "2026-01-01 2026-01-03 2026-01-04",
        ),
        (
            "2026-01-01",
            &["RRULE:FREQ=DAILY;UNTIL=20260103"],
            9,
            "2026-01-01 2026-01-02 2026-01-03",
        ),
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
        // An RDATE is in the series once, whoever else gives it.
        (
            "2026-01-01",
            &[
                "RRULE:FREQ=WEEKLY;COUNT=2",
                "RDATE;VALUE=DATE:20260108,20260103",
            ],
            9,
            "2026-01-01 2026-01-03 2026-01-08",
        ),
        (
            "2026-06-01T20:00[Europe/Berlin]",
            &[
                "RDATE:20260602T180000Z",
                "RDATE;TZID=America/New_York:20260603T140000",
            ],
            9,
            "2026-06-01 2026-06-02 2026-06-03",
        ),
        // A start that the rule does not give is the first all the same, and counts.
        (
            "2026-01-01",
            &["RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3"],
            9,
            "2026-01-01 2026-01-05 2026-01-12",
        ),
        // Nothing is the thirtieth of February.
        (
            "2026-01-01",
            &["RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"],
            9,
            "2026-01-01",
        ),
    ] {
        assert_eq!(first(count, at, lines).join(" "), dates, "{lines:?}");
    }
}

#[test]
fn rules_that_never_end_and_rules_that_never_match_take_no_time() {
    let at = start("1970-01-01T00:00:07[UTC]");
    let began = std::time::Instant::now();
    for (rule, from) in [
        ("FREQ=SECONDLY", "2026-01-01T00:00:00Z"),
        ("FREQ=DAILY", "2026-01-01T00:00:00Z"),
        (
            "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=29;BYHOUR=3",
            "2026-01-01T00:00:00Z",
        ),
        (
            "FREQ=MINUTELY;INTERVAL=1440;BYHOUR=5",
            "1970-01-01T00:00:00Z",
        ),
        (
            "FREQ=SECONDLY;INTERVAL=60;BYSECOND=30",
            "1970-01-01T00:00:00Z",
        ),
        (
            "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
            "1970-01-01T00:00:00Z",
        ),
        ("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", "1970-01-01T00:00:00Z"),
        ("FREQ=SECONDLY;COUNT=4000000000", "9000-01-01T00:00:00Z"),
    ] {
        let line = format!("RRULE:{rule}");
        let recurrence = Recurrence::parse([line.as_str()], &at).unwrap();
        let from: Timestamp = from.parse().unwrap();
        let found = recurrence.occurrences_from(&at, from).take(3).count();
        println!("{rule}: {found} after {:?}", began.elapsed());
    }
    // Unoptimized, and beside other tests.
    assert!(began.elapsed().as_secs() < 30);
}
