//! Calendars that are strange, broken or very large, as the server meets them.

use std::time::Duration;

use feedwright::state::Scope;

use crate::calendar_api::served::{CalendarServer, calendars, event, shows};
use crate::support::Work;

const ONE: &str = "content/calendars/shows/one.md";

fn number_list(count: u32) -> String {
    let all: Vec<String> = (0..count).map(|number| number.to_string()).collect();
    all.join(",")
}

/// Serves one event, lists its instances and saves another file: what takes hours where each of them is
/// looked at.
fn serve_quickly(front: &str) -> CalendarServer {
    let work = Work::begin();
    let served = calendars(shows().with(ONE, event(front)));
    served.events("singleEvents=true&timeMin=2026-01-01T00:00:00Z").ok();
    served.wait_until_served();
    assert!(work.so_far() < Duration::from_secs(30), "{front}");
    served
}

#[test]
fn a_zone_change_at_the_same_instant_is_a_change() {
    let at = |zone: &str| {
        event(&format!(
            "id = \"one\"\nsummary = \"One\"\nrecurrence = [\"RRULE:FREQ=MONTHLY;COUNT=9\"]\n\
             start = {{ dateTime = \"2026-11-20T20:00:00+01:00\", timeZone = \"{zone}\" }}"
        ))
    };
    let served = calendars(shows().with(ONE, at("Europe/Berlin")));
    let (before, token) = served.all("singleEvents=true");
    served.save("one.md", &at("Africa/Lagos"));
    let one = served.get("/calendars/shows/events/one").ok();
    assert_eq!(one["start"]["timeZone"], "Africa/Lagos");
    // In summer its clock shows another time, and a client that syncs has to know.
    let (now, _) = served.all("singleEvents=true");
    assert_ne!(now[7]["start"]["dateTime"], before[7]["start"]["dateTime"]);
    let (changed, _) = served.all(&format!("syncToken={token}"));
    assert!(now.iter().all(|one| changed.contains(one)), "{changed:?}");
}

#[test]
fn duplicate_event_ids_do_not_hide_other_events() {
    let of = |summary: &str| {
        event(&format!("id = \"one\"\nsummary = \"{summary}\"\nstart = \"2026-11-20\""))
    };
    let served = calendars(
        shows().with(ONE, of("First")).with("content/calendars/shows/two.md", of("Second")),
    );
    let (found, token) = served.all("");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["summary"], "First");
    // Nor do they take turns.
    served.wait_until_served();
    assert_eq!(served.all(&format!("syncToken={token}")).0.len(), 0);
    served.remove("one.md");
    let (found, _) = served.all(&format!("syncToken={token}"));
    assert_eq!(found[0]["summary"], "Second");
}

#[test]
fn an_every_second_rule_costs_only_the_requested_range() {
    let every = format!(
        "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR={};BYMINUTE={};BYSECOND={}",
        number_list(24),
        number_list(60),
        number_list(60)
    );
    let of = |rule: &str| {
        format!("id = \"one\"\nstart = \"2026-01-01T00:00\"\nrecurrence = [\"RRULE:{rule}\"]")
    };
    let served = serve_quickly(&of(&every));
    let starts = |served: &CalendarServer| {
        let found = served
            .events("singleEvents=true&maxResults=3&timeMin=2026-12-31T23:00:00Z&orderBy=startTime")
            .ok();
        let items = found["items"].as_array().unwrap().iter();
        items.map(|one| one["start"]["dateTime"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    // Midnight in Berlin is 23:00 in UTC; an open end is an hour later.
    assert_eq!(
        starts(&served),
        ["2026-12-31T23:00:01+01:00", "2026-12-31T23:00:02+01:00", "2026-12-31T23:00:03+01:00"]
    );
    let served = serve_quickly(&of(&format!("{every};BYSETPOS=1,-1")));
    assert_eq!(
        starts(&served),
        ["2026-12-31T23:59:59+01:00", "2027-01-01T00:00:00+01:00", "2027-12-31T23:59:59+01:00"]
    );
    serve_quickly(&of("FREQ=SECONDLY"));
    serve_quickly(&of("FREQ=SECONDLY;COUNT=1000000"));
}

#[test]
fn hidden_series_cost_nothing() {
    for front in [
        "visibility = \"private\"", "status = \"cancelled\"",
        "live = true\nvisibility = \"private\"",
    ] {
        let front = format!(
            "id = \"one\"\n{front}\nstart = \"2026-01-01T00:00\"\nrecurrence = [\"RRULE:FREQ=SECONDLY\"]"
        );
        serve_quickly(&front);
    }
}

#[test]
fn a_calendar_with_an_unreadable_file_is_not_public() {
    let secret = "content/calendars/secret/calendar.toml";
    let site = shows()
        .with(secret, "public = false\n")
        .with("content/calendars/secret/one.md", event("id = \"s\"\nstart = \"2026-11-20\""));
    let served = calendars(site);
    let key = served.key(&[Scope::CALENDAR_EVENTS_PUBLIC_READONLY]);
    let status = || {
        served.wait_until_served();
        let ics = served.served.send("GET", "/calendars/secret.ics", &[], b"").status;
        let events = served.get_as(&key, "/calendars/secret/events", &[]).status;
        [ics, events]
    };
    assert_eq!(status(), [404, 404]);
    let save = |text| crate::calendar_api::served::edit(&served.served.site, secret, text);
    save(Some("public = false\nsummary = \"hal"));
    assert_eq!(status(), [404, 404]);
    save(None);
    assert_eq!(status(), [200, 200]);
}

#[test]
fn an_event_replaced_by_an_instance_is_deleted() {
    let weekly = event("id = \"w\"\nstart = \"2026-11-20\"\nrecurrence = [\"RRULE:FREQ=WEEKLY\"]");
    let served = calendars(
        shows()
            .with("content/calendars/shows/w.md", weekly)
            .with(ONE, event("id = \"one\"\nstart = \"2026-11-21\"")),
    );
    let (_, token) = served.all("");
    let instance =
        "recurringEventId = \"w\"\noriginalStartTime = \"2026-11-27\"\nsummary = \"Other\"";
    served.save("one.md", &event(instance));
    assert_eq!(served.ids(""), ["w", "w_20261127"]);
    assert_eq!(served.ids(&format!("syncToken={token}")), ["one", "w_20261127"]);
}
