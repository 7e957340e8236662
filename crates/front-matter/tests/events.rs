//! Tests of edits to events, compared byte for byte: nested tables, times that are not strings,
//! lists of rules.

use serde_json::json;

use crate::edits::{Case, check, remove, set};

#[test]
fn toml() {
    const EVENT: &str = "summary = \"Club\" # ours\nstart = { dateTime = 2026-11-20T20:00:00, timeZone = \"Europe/Berlin\" } # doors at 19:30\n\
        end = 2026-11-20T22:00:00\nrecurrence = [\n  \"RRULE:FREQ=WEEKLY\", # each Friday\n  \"EXDATE:20261225T200000\",\n]\n\n\
        [live]\napp = \"show\"\n\n[[live.contentLinks]]\nhref = \"https://example.com/live\" # ours\n";
    let change = |old: &str, new: &str| -> &'static str {
        assert!(EVENT.contains(old), "{old}");
        EVENT.replacen(old, new, 1).leak()
    };
    let cases: Vec<Case> = vec![
        (
            EVENT,
            set("live.status", json!("live")),
            change("app = \"show\"\n", "app = \"show\"\nstatus = \"live\"\n"),
        ),
        (EVENT, set("live.app", json!("other")), change("app = \"show\"", "app = \"other\"")),
        (
            EVENT,
            set("live.contentLinks", json!([{ "href": "https://example.com/new" }])),
            change("example.com/live", "example.com/new"),
        ),
        (
            EVENT,
            set("start.dateTime", json!("2026-11-20T21:00:00")),
            change("dateTime = 2026-11-20T20:00:00,", "dateTime = 2026-11-20T21:00:00,"),
        ),
        // A date that does not change stays as it was written, although it is not a string.
        (
            EVENT,
            set("start", json!({ "dateTime": "2026-11-20T20:00:00", "timeZone": "Europe/Berlin" })),
            EVENT,
        ),
        (EVENT, set("end", json!("2026-11-20T22:00:00")), EVENT),
        (
            EVENT,
            set(
                "recurrence",
                json!(["RRULE:FREQ=WEEKLY", "EXDATE:20261225T200000", "EXDATE:20270101T200000"]),
            ),
            change("T200000\",\n]", "T200000\",\n  \"EXDATE:20270101T200000\",\n]"),
        ),
        (
            EVENT,
            set("recurrence", json!(["RRULE:FREQ=DAILY", "EXDATE:20261225T200000"])),
            change("\"RRULE:FREQ=WEEKLY\", # each Friday", "\"RRULE:FREQ=DAILY\", # each Friday"),
        ),
        (
            EVENT,
            remove("live.contentLinks"),
            change("\n[[live.contentLinks]]\nhref = \"https://example.com/live\" # ours\n", ""),
        ),
        (
            "start = 2026-11-20\nlive = true # soon\n",
            set("status", json!("cancelled")),
            "start = 2026-11-20\nlive = true # soon\nstatus = \"cancelled\"\n",
        ),
        (
            "live = { app = \"show\" } # c\n",
            set("live.status", json!("ended")),
            "live = { app = \"show\", status = \"ended\" } # c\n",
        ),
    ];
    check("+++\n", &cases);
}

#[test]
fn yaml() {
    const EVENT: &str = "summary: Club # ours\nstart:\n  dateTime: 2026-11-20T20:00:00 # doors at 19:30\n  timeZone: Europe/Berlin\nend: {dateTime: 2026-11-20T22:00:00}\n\
        recurrence:\n  - RRULE:FREQ=WEEKLY;BYDAY=FR # each Friday\n  - EXDATE:20261225T200000\nlive:\n  app: show\n  contentLinks:\n    - href: https://example.com/live # ours\n";
    let change = |old: &str, new: &str| -> &'static str {
        assert!(EVENT.contains(old), "{old}");
        EVENT.replacen(old, new, 1).leak()
    };
    let cases: Vec<Case> = vec![
        (EVENT, set("live.app", json!("other")), change("app: show", "app: other")),
        (
            EVENT,
            set("live.contentLinks", json!([{ "href": "https://example.com/new" }])),
            change("example.com/live", "example.com/new"),
        ),
        (
            EVENT,
            set("start.dateTime", json!("2026-11-20T21:00:00")),
            change("dateTime: 2026-11-20T20:00:00 #", "dateTime: 2026-11-20T21:00:00 #"),
        ),
        (EVENT, set("start.dateTime", json!("2026-11-20T20:00:00")), EVENT),
        (
            EVENT,
            set("recurrence", json!(["RRULE:FREQ=DAILY", "EXDATE:20261225T200000"])),
            change("RRULE:FREQ=WEEKLY;BYDAY=FR #", "RRULE:FREQ=DAILY #"),
        ),
        (
            EVENT,
            set(
                "recurrence",
                json!([
                    "RRULE:FREQ=WEEKLY;BYDAY=FR", "EXDATE:20261225T200000",
                    "EXDATE:20270101T200000"
                ]),
            ),
            change(
                "EXDATE:20261225T200000\n",
                "EXDATE:20261225T200000\n  - EXDATE:20270101T200000\n",
            ),
        ),
        (
            EVENT,
            set("live.status", json!("live")),
            change("ours\n", "ours\n")
                .replace("example.com/live # ours\n", "example.com/live # ours\n  status: live\n")
                .leak(),
        ),
    ];
    check("---\n", &cases);
}

#[test]
fn json() {
    const EVENT: &str = "{\n  \"start\": {\"dateTime\": \"2026-11-20T20:00:00\", \"timeZone\": \"Europe/Berlin\"},\n  \"recurrence\": [\n    \"RRULE:FREQ=WEEKLY\"\n  ],\n  \"live\": {\n    \"app\": \"show\"\n  }\n}";
    let change = |old: &str, new: &str| -> &'static str {
        assert!(EVENT.contains(old), "{old}");
        EVENT.replacen(old, new, 1).leak()
    };
    let cases: Vec<Case> = vec![
        (
            EVENT,
            set("live.status", json!("live")),
            change("\"show\"\n", "\"show\",\n    \"status\": \"live\"\n"),
        ),
        (
            EVENT,
            set("start.dateTime", json!("2026-11-20T21:00:00")),
            change("T20:00:00", "T21:00:00"),
        ),
        (
            EVENT,
            set("recurrence", json!(["RRULE:FREQ=WEEKLY", "EXDATE:20261225T200000"])),
            change("WEEKLY\"\n", "WEEKLY\",\n    \"EXDATE:20261225T200000\"\n"),
        ),
        (EVENT, remove("live"), change(",\n  \"live\": {\n    \"app\": \"show\"\n  }", "")),
    ];
    check("", &cases);
}
