//! Which keys may see what of calendars.

use feedwright::state::{Scope, Window};
use serde_json::{Value, json};

use crate::calendar_api::served::{CalendarServer, calendars, event, fault, ids, shows};

const OPEN: &str = "id = \"open\"\nsummary = \"Open\"\nlocation = \"Pier\"\nstart = \"2026-11-20T20:00\"\ntransparency = \"transparent\"\nattendees = [\"a@example.com\"]";
const CLOSED: &str =
    "id = \"closed\"\nsummary = \"Closed\"\nvisibility = \"private\"\nstart = \"2026-11-21T20:00\"";

fn serve_diary_and_shows() -> CalendarServer {
    calendars(
        shows()
            .with("content/calendars/shows/open.md", event(OPEN))
            .with("content/calendars/shows/closed.md", event(CLOSED))
            .with("content/calendars/diary/calendar.toml", "summary = \"Diary\"\npublic = false\n")
            .with("content/calendars/diary/open.md", event(OPEN)),
    )
}

/// What a key with these scopes sees of the calendars `diary`, `mark` and `shows`: the role and the events.
fn visible_events(served: &CalendarServer, scopes: &[Scope]) -> Vec<(String, String)> {
    let key = served.key(scopes);
    let list = served.get_as(&key, "/users/me/calendarList", &[]).ok();
    let listed = ids(&list);
    let mut found = Vec::new();
    for calendar in ["diary", "shows"] {
        let events = served.get_as(&key, &format!("/calendars/{calendar}/events"), &[]);
        assert_eq!(events.status == 200, listed.iter().any(|id| id == calendar), "{calendar}");
        match events.status {
            200 => {
                let events = events.ok();
                let role = events["accessRole"].as_str().unwrap().to_owned();
                found.push((role, ids(&events).join(" ")));
            }
            _ => found.push((fault(&events, 404).0, String::new())),
        }
    }
    found
}

#[test]
fn each_scope_shows_its_events() {
    let served = serve_diary_and_shows();
    let pair = |role: &str, events: &str| (role.to_owned(), events.to_owned());
    for (scope, role) in [
        (Scope::CALENDAR, "owner"),
        (Scope::CALENDAR_READONLY, "reader"),
        (Scope::CALENDAR_EVENTS, "owner"),
        (Scope::CALENDAR_EVENTS_READONLY, "reader"),
        (Scope::CALENDAR_EVENTS_OWNED, "owner"),
        (Scope::CALENDAR_EVENTS_OWNED_READONLY, "reader"),
    ] {
        assert_eq!(
            visible_events(&served, &[scope]),
            [pair(role, "open"), pair(role, "closed open")],
            "{scope}"
        );
    }
    assert_eq!(
        visible_events(&served, &[Scope::CALENDAR_EVENTS_PUBLIC_READONLY]),
        [pair("notFound", ""), pair("reader", "open")]
    );
    assert_eq!(
        visible_events(&served, &[Scope::CALENDAR_APP_CREATED]),
        [pair("owner", "open"), pair("notFound", "")]
    );
    assert_eq!(
        visible_events(&served, &[Scope::CALENDAR_EVENTS_FREEBUSY]),
        [pair("freeBusyReader", "open"), pair("freeBusyReader", "closed open")]
    );
    // Several scopes show what any of them does.
    assert_eq!(
        visible_events(
            &served,
            &[Scope::CALENDAR_EVENTS_PUBLIC_READONLY, Scope::CALENDAR_EVENTS_FREEBUSY]
        ),
        [pair("freeBusyReader", "open"), pair("reader", "closed open")]
    );
    assert_eq!(
        visible_events(&served, &[Scope::CALENDAR_APP_CREATED, Scope::CALENDAR_READONLY]),
        [pair("owner", "open"), pair("reader", "closed open")]
    );
}

#[test]
fn free_busy_access_reveals_only_times() {
    let served = serve_diary_and_shows();
    let key = served.key(&[Scope::CALENDAR_EVENTS_FREEBUSY]);
    let get = |query: &str| served.get_as(&key, &format!("/calendars/shows/events{query}"), &[]);
    let mut open = get("/open").ok();
    open.as_object_mut().unwrap().remove("etag");
    assert_eq!(
        open,
        json!({
            "kind": "calendar#event", "id": "open", "status": "confirmed", "transparency": "transparent",
            "start": { "dateTime": "2026-11-20T20:00:00+01:00", "timeZone": "Europe/Berlin" },
            "end": { "dateTime": "2026-11-20T21:00:00+01:00", "timeZone": "Europe/Berlin" },
            "endTimeUnspecified": true,
        })
    );
    let times = get("?timeMin=2026-11-21T00:00:00Z").ok();
    assert_eq!(ids(&times), ["closed"]);
    for guess in [
        "q=closed", "iCalUID=closed@example.com", "eventTypes=default",
        "privateExtendedProperty=a=b",
    ] {
        assert_eq!(get(&format!("?{guess}")).ok()["items"], json!([]), "{guess}");
    }
    // With the public's scope beside it, names are those of public events.
    let key =
        served.key(&[Scope::CALENDAR_EVENTS_PUBLIC_READONLY, Scope::CALENDAR_EVENTS_FREEBUSY]);
    let list = served.get_as(&key, "/calendars/shows/events", &[]).ok();
    let names: Vec<&Value> =
        list["items"].as_array().unwrap().iter().map(|one| &one["summary"]).collect();
    assert_eq!(names, [&Value::Null, &json!("Open")]);
}

#[test]
fn hiding_an_event_is_a_deletion_for_restricted_keys() {
    let served = serve_diary_and_shows();
    let key = served.key(&[Scope::CALENDAR_EVENTS_PUBLIC_READONLY]);
    let list =
        |query: &str| served.get_as(&key, &format!("/calendars/shows/events?{query}"), &[]).ok();
    let token = list("")["nextSyncToken"].as_str().unwrap().to_owned();
    served.save("open.md", &event(&format!("{OPEN}\nvisibility = \"confidential\"")));
    served.save("closed.md", &event(&CLOSED.replace("private", "public")));
    let changes = list(&format!("syncToken={token}"));
    let shown: Vec<_> = changes["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (&one["id"], &one["status"]))
        .collect();
    assert_eq!(
        shown,
        [(&json!("closed"), &json!("confirmed")), (&json!("open"), &json!("cancelled"))]
    );
    assert_eq!(changes["items"][1].get("summary"), None);
    let open = served.get_as(&key, "/calendars/shows/events/open", &[]);
    assert_eq!(fault(&open, 404).0, "notFound");
}

#[test]
fn a_key_without_scope_or_validity_is_rejected() {
    let served = serve_diary_and_shows();
    let paths = [
        "/users/me/calendarList", "/calendars/shows", "/calendars/shows/events",
        "/calendars/none/events",
    ];
    let content = served.key(&[Scope::CONTENT_READ, Scope::REALTIME, Scope::WAREHOUSE]);
    for path in paths {
        let bare = served.served.send("GET", &format!("/calendar/v3{path}"), &[], b"");
        assert_eq!(fault(&bare, 401).0, "required");
        assert_eq!(bare.header("www-authenticate"), Some("Bearer realm=\"feedwright\""));
        assert_eq!(fault(&served.get_as("wrong", path, &[]), 401).0, "authError");
        assert_eq!(fault(&served.get_as(&content, path, &[]), 403).0, "insufficientPermissions");
    }
    let soon = Window {
        not_before: Some(jiff::Timestamp::now() + jiff::SignedDuration::from_hours(1)),
        expires: None,
    };
    let early = served.served.key(&[Scope::CALENDAR], soon);
    assert_eq!(fault(&served.get_as(&early, "/calendars/shows", &[]), 401).0, "authError");
    // What the server refuses for the API has the API's form.
    let other = served.served.send(
        "GET",
        "/calendar/v3/calendars/shows",
        &[("origin", "http://evil.example")],
        b"",
    );
    assert_eq!(fault(&other, 403).0, "forbidden");
}
