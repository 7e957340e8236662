//! When an event is, in each spelling, zone and hour.

use feedwright::model::calendar::{EventKind, EventTime};

use super::{SERIES, calendars, event, events, file, instance, library, span};

#[test]
fn times_are_read_in_every_notation() {
    const EIGHT: &str = "2026-11-20T20:00:00+01:00[Europe/Berlin]";
    const EIGHT_IN_NEW_YORK: &str = "2026-11-20T20:00:00-05:00[America/New_York]";
    for (start, expected) in [
        ("2026-11-20", "2026-11-20"),
        ("\"2026-11-20\"", "2026-11-20"),
        ("\" 2026-11-20 \"", "2026-11-20"),
        ("{ date = 2026-11-20 }", "2026-11-20"),
        ("{ date = \"2026-11-20\", timeZone = \"UTC\" }", "2026-11-20"),
        ("2026-11-20T20:00:00", EIGHT),
        ("2026-11-20 20:00:00", EIGHT),
        ("\"2026-11-20T20:00\"", EIGHT),
        ("\"2026-11-20 20:00\"", EIGHT),
        ("\"2026-11-20 20:00 +0100\"", EIGHT),
        ("2026-11-20T19:00:00Z", EIGHT),
        ("\"2026-11-20 19:00Z\"", EIGHT),
        ("2026-11-20T14:00:00-05:00", EIGHT),
        ("2026-11-20T20:00:00.999", EIGHT),
        ("\"Fri, 20 Nov 2026 19:00:00 GMT\"", EIGHT),
        ("{ dateTime = 2026-11-20T20:00:00 }", EIGHT),
        ("{ dateTime = \"2026-11-20T20:00\", timeZone = \"America/New_York\" }", EIGHT_IN_NEW_YORK),
        (
            "{ dateTime = 2026-11-21T02:00:00+01:00, timeZone = \"America/New_York\" }",
            EIGHT_IN_NEW_YORK,
        ),
    ] {
        let site = event(&format!("summary = \"Walk\"\nstart = {start}"));
        assert_eq!(span(&site), (Some(expected.into()), None, vec![]), "{start}");
    }
    for start in ["2026-11-20", "{date: 2026-11-20}", "{date: '2026-11-20'}"] {
        let site = file(&format!("---\nsummary: Walk\nstart: {start}\n---\n"));
        assert_eq!(span(&site).0.as_deref(), Some("2026-11-20"), "{start}");
    }
    for start in ["2026-11-20 20:00", "2026-11-20T20:00:00", "{dateTime: 2026-11-20T19:00:00Z}"] {
        let site = file(&format!("---\nsummary: Walk\nstart: {start}\n---\n"));
        assert_eq!(span(&site).0.as_deref(), Some(EIGHT), "{start}");
    }
}

#[test]
fn time_zone_aliases_are_recognized() {
    for (name, known) in [
        ("UTC", Some("UTC")),
        ("utc", Some("UTC")),
        ("Etc/UTC", Some("Etc/UTC")),
        ("GMT", Some("GMT")),
        ("US/Eastern", Some("US/Eastern")),
        ("Europe/Kiev", Some("Europe/Kiev")),
        ("europe/berlin", Some("Europe/Berlin")),
        ("Etc/Unknown", None),
        ("CET-1CEST", None),
        ("+01:00", None),
        ("W. Europe Standard Time", None),
        ("../../etc/passwd", None),
        ("", None),
    ] {
        let site = event(&format!(
            "summary = \"Walk\"\nstart = {{ dateTime = 2026-11-20T20:00:00, timeZone = \"{name}\" }}"
        ));
        let found = events(&library(&site)).pop().map(|event| match event.kind {
            EventKind::Own { span, .. } => match span.start {
                EventTime::Moment(start) => start.time_zone().iana_name().unwrap().to_owned(),
                EventTime::Day(day) => panic!("{day}"),
            },
            kind => panic!("{kind:?}"),
        });
        assert_eq!(found.as_deref(), known, "{name}");
        assert_eq!(library(&site).sources().1.has_errors(), known.is_none(), "{name}");
    }
}

#[test]
fn an_end_uses_the_start_s_zone_and_may_equal_it() {
    let times = "start = { dateTime = 2026-11-20T20:00:00, timeZone = \"America/New_York\" }\nend = 2026-11-20T21:00:00";
    let (_, end, _) = span(&event(&format!("summary = \"Walk\"\n{times}")));
    assert_eq!(end.as_deref(), Some("2026-11-20T21:00:00-05:00[America/New_York]"));
    let site = event("summary = \"Walk\"\nstart = 2026-11-20T20:00:00\nend = 2026-11-20T20:00:00");
    let (start, end, report_messages) = span(&site);
    assert_eq!((start, report_messages), (end, vec![]));
}

#[test]
fn skipped_and_repeated_clock_times_are_warnings() {
    for (start, becomes, report_messages) in [
        (
            "2026-03-29T02:30:00",
            "2026-03-29T03:30:00+02:00[Europe/Berlin]",
            Some("clocks in Europe/Berlin skip 2026-03-29 02:30: 03:30 is used instead"),
        ),
        (
            "2026-10-25T02:30:00",
            "2026-10-25T02:30:00+02:00[Europe/Berlin]",
            Some("clocks in Europe/Berlin show 2026-10-25 02:30 twice: the first is used"),
        ),
        ("2026-10-25T02:30:00+01:00", "2026-10-25T02:30:00+01:00[Europe/Berlin]", None),
        ("2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+02:00[Europe/Berlin]", None),
        ("2026-10-25T03:00:00", "2026-10-25T03:00:00+01:00[Europe/Berlin]", None),
    ] {
        let found = span(&event(&format!("summary = \"Walk\"\nstart = {start}")));
        let report_messages = report_messages.map(String::from).into_iter().collect();
        assert_eq!(found, (Some(becomes.into()), None, report_messages), "{start}");
    }
}

#[test]
fn an_instance_with_another_end_keeps_its_original_start() {
    let instance = instance("originalStartTime = 2026-11-27T20:00:00\nend = 2026-11-27T23:00:00");
    let site = calendars(&[("club/club.md", SERIES), ("club/instance.md", &instance)]);
    let (start, end, report_messages) = span(&site);
    assert_eq!(report_messages, Vec::<String>::new());
    let times = (start.as_deref(), end.as_deref());
    assert_eq!(
        times,
        (Some("2026-11-27T20:00:00+00:00[UTC]"), Some("2026-11-27T23:00:00+00:00[UTC]"))
    );
}
