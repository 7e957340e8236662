//! What is wrong with calendars: each error has its place and a remedy.
//!
//! A test is a list of small sites; its snapshot is what a build of each reports.

use super::{SERIES, WALK, calendars, event, file, instance};
use crate::support::small_site::SmallSite;

/// What builds of these sites report, one after the other.
fn build_reports(cases: &[(&str, SmallSite)]) -> String {
    let report = |(name, site): &(&str, SmallSite)| format!("## {name}\n{}\n", site.report());
    cases.iter().map(report).collect::<Vec<_>>().join("\n")
}

/// Compares what was reported with the snapshot, which does without the sites' sources.
macro_rules! snapshot {
    ($reported:expr) => {
        insta::with_settings!({ omit_expression => true }, {
            insta::assert_snapshot!($reported);
        })
    };
}

#[test]
fn invalid_times() {
    let starts = [
        "\"tomorrow\"",
        "\"20:00\"",
        "20:00:00",
        "\"2026-11-20T20\"",
        "\"20261120\"",
        "\"2026-02-30\"",
        "\"2026-11-20T24:00\"",
        "\"-009999-01-01\"",
        "\"0000-01-01\"",
        "\"2026-11-20T20:00[Nowhere/Else]\"",
        "20",
        "true",
        "[]",
        "\"\"",
        "{}",
        "{ date = \"2026-11-20T20:00\" }",
        "{ date = 2026-11-20, dateTime = 2026-11-20T20:00:00 }",
        "{ dateTime = 2026-11-20 }",
        "{ dateTime = 2026-11-20T20:00:00, timeZone = \"Europe/Berln\" }",
        "{ dateTime = 2026-11-20T20:00:00, timezone = \"Europe/Berlin\" }",
        "{ dateTime = 2026-11-20T20:00:00, timeZone = 1 }",
    ];
    let of_start =
        |start: &&'static str| (*start, event(&format!("summary = \"Walk\"\nstart = {start}")));
    let mut cases: Vec<_> = starts.iter().map(of_start).collect();
    for ends in [
        "start = 2026-11-20T20:00:00\nend = 2026-11-20T19:59:59",
        "start = 2026-11-20\nend = 2026-11-19",
        "start = 2026-11-20\nend = 2026-11-20",
        "start = 2026-11-20\nend = 2026-11-20T20:00:00",
        "start = 2026-11-20T20:00:00\nend = { date = 2026-11-21 }",
        "end = 2026-11-20",
        "location = \"Pier 4\"",
    ] {
        cases.push((ends, event(&format!("summary = \"Walk\"\n{ends}"))));
    }
    cases.push(("YAML: a number", file("---\nsummary: Walk\nstart: 2026\n---\n")));
    cases.push(("JSON: null", file("{\"summary\": \"Walk\", \"start\": null}\n")));
    snapshot!(build_reports(&cases));
}

#[test]
fn invalid_fields() {
    let fields = [
        "id = \"a b\"",
        "sumary = \"x\"",
        "summary = 5",
        "iCalUID = \"a\\nb\"",
        "sequence = -1",
        "status = \"canceled\"",
        "visibility = \"secret\"",
        "transparency = \"free\"",
        "eventType = \"birthdays\"",
        "colorId = 5",
        "attendees = [\"bo\"]",
        "attendees = [{ displayName = \"Bo\" }]",
        "attendees = [{ email = \"mailto:bo@example.com\" }]",
        "attendees = [5]",
        "attendees = [{ email = \"bo@example.com\", responseStatus = \"yes\", additionalGuests = 5000 }]",
        "organizer = {}",
        "organizer = { email = \"nobody\" }",
        "creator = []",
        "source = \"example.com\"",
        "source = { title = \"x\" }",
        "reminders = []",
        "reminders = { useDefault = true, overrides = [{ method = \"popup\", minutes = 5 }] }",
        "reminders = { overrides = [{ method = \"sms\", minutes = 40321 }, { minutes = 5 }, 5] }",
        "reminders = { overrides = [{ method = \"popup\", minutes = 1 }, { method = \"popup\", minutes = 2 }, { method = \"popup\", minutes = 3 }, { method = \"popup\", minutes = 4 }, { method = \"popup\", minutes = 5 }, { method = \"popup\", minutes = 6 }] }",
        "extendedProperties = { private = [], shared = { a = 5 }, public = {} }",
        "extendedProperties = { private = { a-name-that-is-longer-than-the-forty-four-characters = \"x\" } }",
        "focusTimeProperties = {}",
        "eventType = \"birthday\"\nbirthdayProperties = 5",
        "live = \"yes\"",
        "live = { status = \"paused\", item = \"a b\", stream = \"x\", link = \"example.com\" }",
        "originalStartTime = 2026-11-20T20:00:00",
        "updated = \"yesterday\"",
        "created = 5",
    ];
    let of_field = |field: &&'static str| {
        (
            *field,
            event(&format!("summary = \"Walk\"\nstart = 2026-11-20T20:00:00\n{field}").replace(
                "summary = \"Walk\"\nstart = 2026-11-20T20:00:00\nsummary",
                "start = 2026-11-20T20:00:00\nsummary",
            )),
        )
    };
    let mut cases: Vec<_> = fields.iter().map(of_field).collect();
    cases.push((
        "a live show on a day",
        event("summary = \"Walk\"\nstart = 2026-11-20\nlive = true"),
    ));
    cases.push(("no summary", event("start = 2026-11-20")));
    snapshot!(build_reports(&cases));
}

#[test]
fn invalid_recurrences() {
    let lines = [
        "[\"RRULE:FREQ=WEEKLY;BYDAY=XX\"]",
        "\"RRULE:FREQ=FORTNIGHTLY\"",
        "[\"RRULE:COUNT=3\"]",
        "[\"weekly\"]",
        "[5]",
        "{ freq = \"weekly\" }",
        "[\"RRULE:FREQ=DAILY;UNTIL=20261231\"]",
        "[\"RRULE:FREQ=DAILY\", \"EXDATE:20261201\"]",
        "[\"RDATE;TZID=Nowhere:20261201T200000\"]",
        // The rule gives Mondays, and the event starts on a Friday.
        "[\"RRULE:FREQ=WEEKLY;BYDAY=MO\"]",
        // Without end.
        "[\"RRULE:FREQ=SECONDLY\"]",
        "[\"RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30\"]",
        "[]",
        "\"\"",
    ];
    let of_line = |line: &&'static str| {
        (
            *line,
            event(&format!("summary = \"Walk\"\nstart = 2026-11-20T20:00:00\nrecurrence = {line}")),
        )
    };
    let mut cases: Vec<_> = lines.iter().map(of_line).collect();
    cases.push(("YAML", file("---\nsummary: Walk\nstart: 2026-11-20\nrecurrence:\n  - RRULE:FREQ=DAILY;INTERVAL=0\n---\n")));
    snapshot!(build_reports(&cases));
}

#[test]
fn invalid_instances() {
    let of = |fields: &str| {
        let instance = instance(fields);
        calendars(&[("club/club.md", SERIES), ("club/instance.md", &instance)])
    };
    let fields = [
        "",
        "originalStartTime = 2026-11-27",
        "originalStartTime = 2026-11-26T20:00:00",
        "originalStartTime = 2026-11-27T20:00:00Z",
        "originalStartTime = \"next week\"",
        "originalStartTime = 2026-11-27T20:00:00\nrecurrence = [\"RRULE:FREQ=DAILY\"]",
        "originalStartTime = 2026-11-27T20:00:00\nend = 2026-11-27T19:00:00",
    ];
    let mut cases: Vec<_> = fields.iter().map(|fields| (*fields, of(fields))).collect();
    let original = instance("originalStartTime = 2026-11-27T20:00:00");
    cases.extend([
        ("of no series", calendars(&[("club/instance.md", &original)])),
        (
            "of a series of another calendar",
            calendars(&[("walks/club.md", SERIES), ("club/instance.md", &original)]),
        ),
        (
            "of a single event",
            calendars(&[
                ("club/club.md", &SERIES.replace("recurrence", "#")),
                ("club/instance.md", &original),
            ]),
        ),
        (
            "of a name that is no id",
            calendars(&[
                ("club/club.md", SERIES),
                ("club/instance.md", &original.replace("club", "the club")),
            ]),
        ),
        (
            "two for one time",
            calendars(&[
                ("club/club.md", SERIES),
                ("club/a.md", &original),
                ("club/b.md", &original),
            ]),
        ),
        (
            "a time for a series of days",
            calendars(&[
                ("club/club.md", &SERIES.replace("T20:00:00", "")),
                ("club/instance.md", &original),
            ]),
        ),
    ]);
    snapshot!(build_reports(&cases));
}

#[test]
fn invalid_or_misplaced_files() {
    let toml = |text: &str| calendars(&[("walks/calendar.toml", text), ("walks/a.md", WALK)]);
    let with_uid = WALK.replace("id = \"walk\"", "id = \"other\"\niCalUID = \"walk@example.com\"");
    snapshot!(build_reports(&[
        ("an event in no calendar", calendars(&[("walk.md", WALK)])),
        ("a description of no calendar", calendars(&[("calendar.toml", "")])),
        (
            "a description too deep",
            calendars(&[("walks/2026/calendar.toml", ""), ("walks/2026/a.md", WALK)])
        ),
        (
            "a name that is no id",
            calendars(&[("Our Walks/calendar.toml", ""), ("Our Walks/a.md", WALK)])
        ),
        ("the word for the primary one", calendars(&[("primary/a.md", WALK)])),
        (
            "other files",
            calendars(&[
                ("walks/a.toml", ""),
                ("walks/a.markdown", ""),
                ("walks/notes.txt", ""),
                ("walks/a.yaml", "")
            ])
        ),
        ("a calendar alone", calendars(&[("walks/calendar.toml", "")])),
        ("no calendar.toml", calendars(&[("walks/a.md", WALK)])),
        ("calendar.toml: no TOML", toml("summary = Walks\n")),
        (
            "calendar.toml: wrong values",
            toml(
                "summary = 5\ntimeZone = \"Berlin\"\nprimary = \"yes\"\nname = \"Walks\"\ndefaultReminders = [{ method = \"popup\" }]\n"
            )
        ),
        ("calendar.toml: the other spelling", toml("timezone = \"Europe/Berlin\"\n")),
        ("calendar.toml: no text", toml("timeZone = 5\n")),
        ("two of one id", calendars(&[("walks/a.md", WALK), ("walks/b.md", WALK)])),
        (
            "one of the id of an event of a series",
            calendars(&[
                ("club/club.md", SERIES),
                ("club/a.md", &WALK.replace("walk", "club_20261127T200000Z")),
                ("club/b.md", &WALK.replace("walk", "club_2026")),
            ]),
        ),
        (
            "two of one derived id",
            calendars(&[
                ("walks/a.md", "+++\nsummary = \"A\"\nstart = 2026-11-20\n+++\n"),
                ("walks/a/index.md", "+++\nsummary = \"A\"\nstart = 2026-11-20\n+++\n")
            ])
        ),
        ("one id in two calendars", calendars(&[("walks/a.md", WALK), ("club/a.md", WALK)])),
        (
            "one id in two calendars, one of them kept back",
            calendars(&[
                ("walks/a.md", WALK),
                ("club/a.md", WALK),
                ("club/calendar.toml", "public = false")
            ])
        ),
        (
            "what calendars know another by",
            calendars(&[("walks/a.md", WALK), ("walks/b.md", &with_uid)])
        ),
        (
            "two primary calendars",
            calendars(&[
                ("walks/calendar.toml", "primary = true"),
                ("club/calendar.toml", "primary = true")
            ])
        ),
        ("no front matter", calendars(&[("walks/a.md", "Walk\n")])),
        (
            "a file that is missing",
            event(
                "summary = \"Walk\"\nstart = 2026-11-20T20:00:00\nlive = { image = \"cover.png\" }"
            )
        ),
    ]));
}
