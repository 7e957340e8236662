//! Calendars that are strange, broken or very large, as the server meets them.

use std::time::Duration;

use feedwright::state::Scope;

use crate::calendar_api::served::{Calendars, calendars, event, shows};
use crate::support::Work;

const ONE: &str = "content/calendars/shows/one.md";

fn numbers(count: u32) -> String {
    let all: Vec<String> = (0..count).map(|number| number.to_string()).collect();
    all.join(",")
}

/// Serves one event, lists its instances and saves another file: what takes hours where each of them is
/// looked at.
fn soon(front: &str) -> Calendars {
    let work = Work::begin();
    let served = calendars(shows().with(ONE, event(front)));
    served.events("singleEvents=true&timeMin=2026-01-01T00:00:00Z").ok();
    served.seen();
    assert!(work.so_far() < Duration::from_secs(30), "{front}");
    served
}

#[test]
fn another_zone_is_a_change_be_it_at_the_same_instant() {
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
fn two_events_of_one_id_do_not_keep_the_others_from_clients() {
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
    served.seen();
    assert_eq!(served.all(&format!("syncToken={token}")).0.len(), 0);
    served.remove("one.md");
    let (found, _) = served.all(&format!("syncToken={token}"));
    assert_eq!(found[0]["summary"], "Second");
}

#[test]
fn a_rule_that_means_every_second_of_a_year_costs_no_more_than_is_asked_for() {
    let every = format!(
        "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR={};BYMINUTE={};BYSECOND={}",
        numbers(24),
        numbers(60),
        numbers(60)
    );
    let of = |rule: &str| {
        format!("id = \"one\"\nstart = \"2026-01-01T00:00\"\nrecurrence = [\"RRULE:{rule}\"]")
    };
    let served = soon(&of(&every));
    let starts = |served: &Calendars| {
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
    let served = soon(&of(&format!("{every};BYSETPOS=1,-1")));
    assert_eq!(
        starts(&served),
        ["2026-12-31T23:59:59+01:00", "2027-01-01T00:00:00+01:00", "2027-12-31T23:59:59+01:00"]
    );
    soon(&of("FREQ=SECONDLY"));
    soon(&of("FREQ=SECONDLY;COUNT=1000000"));
}

#[test]
fn what_is_shown_to_nobody_costs_nothing_however_often_it_is() {
    for front in [
        "visibility = \"private\"", "status = \"cancelled\"",
        "live = true\nvisibility = \"private\"",
    ] {
        let front = format!(
            "id = \"one\"\n{front}\nstart = \"2026-01-01T00:00\"\nrecurrence = [\"RRULE:FREQ=SECONDLY\"]"
        );
        soon(&front);
    }
}

#[test]
fn a_calendar_whose_file_cannot_be_read_is_public_no_longer() {
    let secret = "content/calendars/secret/calendar.toml";
    let site = shows()
        .with(secret, "public = false\n")
        .with("content/calendars/secret/one.md", event("id = \"s\"\nstart = \"2026-11-20\""));
    let served = calendars(site);
    let key = served.key(&[Scope::CALENDAR_EVENTS_PUBLIC_READONLY]);
    let status = || {
        served.seen();
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
fn an_event_whose_file_is_that_of_an_instance_now_is_gone() {
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
