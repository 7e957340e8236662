//! A client that only syncs holds the same events as one that lists all, whatever happens to the files
//! and whatever it filters by.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::Value;

use crate::calendar_api::served::{CalendarServer, calendars, edit, event, shows};

/// Something that happens to a file of the calendar.
#[derive(Debug, Clone)]
enum FileEdit {
    /// An event is saved: which, of what kind, about what.
    Save(u8, u8, u8),
    /// An event's file is removed.
    Remove(u8),
    /// An instance of a series is saved: of which, which, as what.
    Differ(u8, u8, u8),
    /// It is as the others again.
    Same(u8, u8),
    /// The calendar's days are those of another zone.
    Zone(u8),
}

/// What is done between two syncs.
#[derive(Debug, Clone)]
struct Round {
    edits: Vec<FileEdit>,
    restart: bool,
}

fn edits() -> impl Strategy<Value = FileEdit> {
    prop_oneof![
        5 => (0..3u8, 0..9u8, 0..4u8).prop_map(|(which, kind, about)| FileEdit::Save(which, kind, about)),
        2 => (0..3u8).prop_map(FileEdit::Remove),
        4 => (0..3u8, 0..3u8, 0..5u8).prop_map(|(which, instance, kind)| FileEdit::Differ(which, instance, kind)),
        3 => (0..3u8, 0..3u8).prop_map(|(which, instance)| FileEdit::Same(which, instance)),
        1 => (0..3u8).prop_map(FileEdit::Zone),
    ]
}

fn rounds() -> impl Strategy<Value = Vec<Round>> {
    let round = (prop::collection::vec(edits(), 1..5), prop::bool::weighted(0.15));
    let round = round.prop_map(|(edits, restart)| Round { edits, restart });
    prop::collection::vec(round, 2..7)
}

fn filters() -> impl Strategy<Value = String> {
    let parts = [
        &["", "singleEvents=true", "singleEvents=true&orderBy=startTime", "orderBy=updated"][..],
        &["", "", "showDeleted=true"],
        &[
            "",
            "",
            "q=alpha",
            "eventTypes=focusTime&eventTypes=birthday",
            "privateExtendedProperty=about=1",
            "updatedMin=2020-01-01T00:00:00Z",
        ],
        &[
            "",
            "",
            "timeMin=2026-11-21T00:00:00Z",
            "timeMin=2026-11-20T19:30:00Z&timeMax=2026-11-22T00:00:00%2B01:00",
        ],
    ];
    let picked = parts.map(prop::sample::select);
    picked.prop_map(|parts| {
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("&")
    })
}

/// The file of an event.
fn text(which: u8, kind: u8, about: u8) -> String {
    let when = match kind {
        0 => "start = \"2026-11-20T20:00\"",
        1 => "start = \"2026-11-21T20:00\"\nend = \"2026-11-22T20:00\"",
        2 => "start = \"2026-11-21\"",
        3 => "start = \"2026-11-20T20:00\"\nrecurrence = [\"RRULE:FREQ=DAILY;COUNT=4\"]",
        4 => {
            "start = \"2026-11-20T20:00\"\nend = \"2026-11-20T22:00\"\nrecurrence = [\"RRULE:FREQ=DAILY;INTERVAL=2;COUNT=3\"]"
        }
        5 => "start = \"2026-11-20\"\nrecurrence = [\"RRULE:FREQ=DAILY;COUNT=3\"]",
        6 => "start = \"2026-11-20T00:00\"\nrecurrence = [\"RRULE:FREQ=DAILY;COUNT=3\"]",
        7 => "start = \"2026-11-20T20:00\"\nrecurrence = [\"RRULE:FREQ=MONTHLY\"]",
        _ => {
            "start = \"2026-11-20T20:00\"\nstatus = \"cancelled\"\nrecurrence = [\"RRULE:FREQ=DAILY;COUNT=3\"]"
        }
    };
    event(&format!("id = \"e{which}\"\n{when}\n{}", about_lines(about)))
}

fn about_lines(about: u8) -> &'static str {
    match about {
        0 => "summary = \"Alpha\"",
        1 => "summary = \"Beta\"\nextendedProperties = { private = { about = \"1\" } }",
        2 => "summary = \"Alpha\"\neventType = \"focusTime\"",
        _ => {
            "summary = \"Gamma\"\nlocation = \"Alpha\"\nextendedProperties = { private = { about = \"1\" } }"
        }
    }
}

/// The file of an instance that differs.
fn instance_text(which: u8, instance: u8, kind: u8) -> String {
    let original = ["2026-11-20T20:00", "2026-11-22T20:00", "2026-11-21"][usize::from(instance)];
    let what = match kind {
        0 => "status = \"cancelled\"",
        1 => "summary = \"Alpha moved\"\nstart = \"2026-11-25T10:00\"",
        2 => "summary = \"Other\"",
        3 => "status = \"confirmed\"\neventType = \"birthday\"",
        _ => "summary = \"Alpha\"\nextendedProperties = { private = { about = \"1\" } }",
    };
    let what = what
        .replace("2026-11-25T10:00", if instance == 2 { "2026-11-25" } else { "2026-11-25T10:00" });
    event(&format!("recurringEventId = \"e{which}\"\noriginalStartTime = \"{original}\"\n{what}"))
}

fn apply_edit(served: &CalendarServer, happens: &FileEdit) {
    let there = |name: &str| served.served.site.exists(&format!("content/calendars/shows/{name}"));
    let (name, text) = match happens {
        FileEdit::Save(which, kind, about) => {
            (format!("e{which}.md"), Some(text(*which, *kind, *about)))
        }
        FileEdit::Remove(which) => (format!("e{which}.md"), None),
        FileEdit::Differ(which, instance, kind) => {
            (format!("e{which}-{instance}.md"), Some(instance_text(*which, *instance, *kind)))
        }
        FileEdit::Same(which, instance) => (format!("e{which}-{instance}.md"), None),
        FileEdit::Zone(zone) => {
            let zone = ["Europe/Berlin", "Asia/Tokyo", "America/New_York"][usize::from(*zone)];
            let text = format!("summary = \"Shows\"\nprimary = true\ntimeZone = \"{zone}\"\n");
            return edit(&served.served.site, "content/calendars/shows/calendar.toml", Some(&text));
        }
    };
    if text.is_some() || there(&name) {
        served.edit(&name, text.as_deref());
    }
}

/// A client's events by id, each without what is of the call and not of the event.
type ClientEvents = BTreeMap<String, Value>;

/// A client takes what it is told: the last word of each event counts.
fn apply_items(held: &mut ClientEvents, items: &[Value]) {
    for item in items {
        held.insert(item["id"].as_str().unwrap().to_owned(), item.clone());
    }
}

/// What takes place, as far as a client knows.
fn active_events(held: &ClientEvents) -> ClientEvents {
    let active_events = held.iter().filter(|(_, item)| item["status"] != "cancelled");
    active_events.map(|(id, item)| (id.clone(), item.clone())).collect()
}

/// The instances that a client knows to be called off, of series that are not.
fn cancelled_instances(held: &ClientEvents) -> Vec<&String> {
    let is_off = |item: &Value| {
        let series = item["recurringEventId"].as_str().and_then(|id| held.get(id));
        item["status"] == "cancelled"
            && series.is_some_and(|series| series["status"] != "cancelled")
    };
    held.iter().filter(|(_, item)| is_off(item)).map(|(id, _)| id).collect()
}

fn compare(
    served: &CalendarServer,
    filter: &str,
    synced: &ClientEvents,
) -> Result<(), TestCaseError> {
    let mut listed = ClientEvents::new();
    apply_items(&mut listed, &served.all(filter).0);
    prop_assert_eq!(active_events(synced), active_events(&listed), "{}", filter);
    for (id, item) in &listed {
        prop_assert_eq!(&item["status"], &synced[id]["status"], "{} {}", filter, id);
    }
    // Whoever expands a series leaves out none of its instances that takes place, unless the filter does.
    let narrows = ["singleEvents", "q=", "eventTypes=", "private", "time"];
    if !narrows.iter().any(|part| filter.contains(part)) {
        for id in cancelled_instances(synced) {
            let found = served.get(&format!("/calendars/shows/events/{id}"));
            let is_on = found.status == 200 && found.json()["status"] != "cancelled";
            prop_assert!(!is_on, "{} {}", filter, id);
        }
    }
    Ok(())
}

fn run(filters: &[String], rounds: &[Round], size: u8) -> Result<(), TestCaseError> {
    let mut served = calendars(shows().with("content/calendars/shows/e0.md", text(0, 3, 0)));
    let pages = format!("&maxResults={size}");
    let mut clients: Vec<(&String, ClientEvents, String)> = Vec::new();
    for filter in filters {
        let (items, token) = served.all(&format!("{filter}{pages}"));
        let mut held = ClientEvents::new();
        apply_items(&mut held, &items);
        clients.push((filter, held, token));
    }
    for round in rounds {
        round.edits.iter().for_each(|edit| apply_edit(&served, edit));
        if round.restart {
            served = served.restarted(|_| ());
        }
        served.wait_until_served();
        for (filter, held, token) in &mut clients {
            let (items, next) = served.all(&format!("syncToken={token}{pages}"));
            apply_items(held, &items);
            *token = next;
            compare(&served, filter, held)?;
        }
    }
    Ok(())
}

#[test]
fn syncing_and_listing_clients_have_the_same_events() {
    let config =
        Config { cases: 24, max_shrink_iters: 60, failure_persistence: None, ..Config::default() };
    let input = (prop::collection::vec(filters(), 4), rounds(), 1..8u8);
    TestRunner::new(config)
        .run(&input, |(filters, rounds, size)| run(&filters, &rounds, size))
        .unwrap();
}
