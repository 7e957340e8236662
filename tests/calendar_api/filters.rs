//! The calendar API's filters, each by itself.

use serde_json::json;

use crate::calendar_api::served::{CalendarServer, calendars, event, ids, shows};
use crate::support::wait;

const FILES: [&str; 7] = [
    "id = \"a\"\nsummary = \"Harbour walk\"\nlocation = \"Pier Ä\"\nstart = \"2026-11-20T20:00\"\nend = \"2026-11-20T21:00\"\n\
     extendedProperties = { private = { room = \"1\", kind = \"x=y\" }, shared = { team = \"blue\" } }",
    "id = \"b\"\nsummary = \"Reading\"\nstart = \"2026-11-21\"\niCalUID = \"reading@elsewhere\"\norganizer = { email = \"g@example.com\", displayName = \"Grace\" }\n\
     extendedProperties = { private = { room = \"1\" }, shared = { room = \"2\" } }",
    "id = \"c\"\nsummary = \"Closed\"\nstart = \"2026-11-22T09:00\"\neventType = \"outOfOffice\"\nattendees = [{ email = \"lin@example.com\", displayName = \"Lin\" }]",
    "id = \"d\"\nsummary = \"Deep\"\nstart = \"2026-11-22T10:00\"\neventType = \"focusTime\"",
    "id = \"e\"\nsummary = \"Where\"\nstart = \"2026-11-23\"\neventType = \"workingLocation\"\nworkingLocationProperties = { type = \"officeLocation\", officeLocation = { label = \"Tower\" } }",
    "id = \"f\"\nsummary = \"Where\"\nstart = \"2026-11-24\"\neventType = \"workingLocation\"\nworkingLocationProperties = { type = \"homeOffice\", homeOffice = {} }",
    "id = \"s\"\nsummary = \"Series\"\nstart = \"2026-11-20T23:00\"\nend = \"2026-11-21T01:00\"\nrecurrence = [\"RRULE:FREQ=DAILY;COUNT=3\"]",
];

fn serve_events() -> CalendarServer {
    let mut site = shows();
    for (at, front) in FILES.into_iter().enumerate() {
        site = site.with(&format!("content/calendars/shows/{at}.md"), event(front));
    }
    calendars(site)
}

fn check_queries(cases: &[(&str, &str)]) {
    let served = serve_events();
    for (query, found) in cases {
        assert_eq!(served.ids(query).join(" "), *found, "{query}");
    }
}

#[test]
fn time_bounds_are_exclusive() {
    check_queries(&[
        ("", "a b c d e f s"),
        // Ends at 20:00Z: not after it.
        ("timeMin=2026-11-20T20:00:00Z", "b c d e f s"),
        ("timeMin=2026-11-20T19:59:59Z", "a b c d e f s"),
        ("timeMin=2026-11-20T20:59:59%2B01:00", "a b c d e f s"),
        // Milliseconds do not count.
        ("timeMin=2026-11-20T19:59:59.999Z", "a b c d e f s"),
        // Starts at 19:00Z: not before it.
        ("timeMax=2026-11-20T19:00:00Z", ""),
        ("timeMax=2026-11-20T19:00:00.999Z", ""),
        ("timeMax=2026-11-20T19:00:01Z", "a"),
        // Days are those of the calendar's zone: 21 November begins at 23:00Z.
        ("timeMax=2026-11-20T23:00:00Z", "a s"),
        ("timeMax=2026-11-20T23:00:01Z", "a b s"),
        ("timeMin=2026-11-21T23:00:00Z&timeMax=2026-11-22T09:00:01Z", "c d s"),
        ("timeMin=2026-11-23T01:00:00Z&timeMax=2026-11-25T00:00:00Z", "e f"),
    ]);
}

#[test]
fn time_bounds_apply_to_each_instance() {
    check_queries(&[
        (
            "singleEvents=true&timeMin=2026-11-21T00:00:00Z&timeMax=2026-11-21T23:00:00Z",
            "b s_20261121T220000Z",
        ),
        (
            "singleEvents=true&timeMin=2026-11-20T23:59:59Z&timeMax=2026-11-21T22:00:00Z",
            "b s_20261120T220000Z",
        ),
        ("singleEvents=true&timeMin=2026-11-23T00:00:00Z", "e f"),
    ]);
}

#[test]
fn events_are_returned_in_the_requested_order() {
    let served = serve_events();
    assert_eq!(
        served.ids("singleEvents=true&orderBy=startTime").join(" "),
        "a s_20261120T220000Z b s_20261121T220000Z c d s_20261122T220000Z e f"
    );
    served.save("1.md", &event(&FILES[1].replace("Reading", "Read")));
    served.save("0.md", &event(&FILES[0].replace("walk", "run")));
    let by_update = served.ids("orderBy=updated");
    assert_eq!(by_update[by_update.len() - 2..], ["b", "a"]);
    for order in [
        "singleEvents=true&orderBy=startTime", "orderBy=updated",
        "singleEvents=true&orderBy=updated",
    ] {
        let whole = served.ids(order);
        let (paged, _) = served.all(&format!("{order}&maxResults=2"));
        let paged: Vec<_> = paged.iter().map(|one| one["id"].as_str().unwrap()).collect();
        assert_eq!(paged, whole, "{order}");
    }
}

#[test]
fn times_are_shown_in_the_requested_zone() {
    let served = serve_events();
    let start = |query: &str| served.events(query).ok()["items"][0]["start"].clone();
    assert_eq!(
        start(""),
        json!({ "dateTime": "2026-11-20T20:00:00+01:00", "timeZone": "Europe/Berlin" })
    );
    assert_eq!(
        start("timeZone=America/St_Johns"),
        json!({ "dateTime": "2026-11-20T15:30:00-03:30", "timeZone": "Europe/Berlin" })
    );
    assert_eq!(start("timeZone=UTC")["dateTime"], "2026-11-20T19:00:00Z");
    // The collection's zone is the calendar's.
    assert_eq!(served.events("timeZone=UTC").ok()["timeZone"], "Europe/Berlin");
}

#[test]
fn attendees_beyond_the_maximum_are_omitted() {
    let people = "attendees = [\"a@example.com\", { email = \"me@example.com\", self = true }, \"b@example.com\"]";
    let front = format!("id = \"x\"\nstart = \"2026-11-20\"\n{people}");
    let served = calendars(shows().with("content/calendars/shows/x.md", event(&front)));
    let shown = |most: u32| served.events(&format!("maxAttendees={most}")).ok()["items"][0].clone();
    assert_eq!(shown(3)["attendees"].as_array().unwrap().len(), 3);
    assert_eq!(shown(3).get("attendeesOmitted"), None);
    for most in [1, 2] {
        assert_eq!(
            shown(most)["attendees"],
            json!([{ "email": "me@example.com", "self": true, "responseStatus": "needsAction" }])
        );
        assert_eq!(shown(most)["attendeesOmitted"], true);
    }
    let one = served.get("/calendars/shows/events/x?maxAttendees=1").ok();
    assert_eq!(one["attendeesOmitted"], true);
}

#[test]
fn all_filters_must_match() {
    check_queries(&[
        ("iCalUID=reading@elsewhere", "b"),
        ("iCalUID=a@example.com", "a"),
        ("iCalUID=A@example.com", ""),
        (
            "singleEvents=true&iCalUID=s@example.com",
            "s_20261120T220000Z s_20261121T220000Z s_20261122T220000Z",
        ),
        ("eventTypes=outOfOffice", "c"),
        ("eventTypes=focusTime&eventTypes=outOfOffice", "c d"),
        ("eventTypes=default", "a b s"),
        ("eventTypes=birthday", ""),
        ("privateExtendedProperty=room=1", "a b"),
        ("privateExtendedProperty=room%3D1&privateExtendedProperty=kind=x=y", "a"),
        ("privateExtendedProperty=room=1&sharedExtendedProperty=room=2", "b"),
        ("sharedExtendedProperty=team=blue", "a"),
        ("sharedExtendedProperty=team=blue&sharedExtendedProperty=room=2", ""),
        ("privateExtendedProperty=team=blue", ""),
        ("privateExtendedProperty=room=", ""),
    ]);
}

#[test]
fn search_terms_match_every_searched_field() {
    check_queries(&[
        ("q=harbour", "a"),
        ("q=HARBOUR+run", ""),
        ("q=walk+harbour", "a"),
        ("q=pier+a", "a"),
        ("q=pier+%C3%A4", "a"),
        ("q=text", "a b c d e f s"),
        ("q=grace", "b"),
        ("q=lin", "c"),
        ("q=tower", "e"),
        // What calendars call such events, in any language.
        ("q=out+of+office", "c"),
        ("q=abwesend", "c"),
        ("q=%E4%B8%8D%E5%9C%A8", "c"),
        ("q=fokuszeit", "d"),
        ("q=concentration", "d"),
        ("q=b%C3%BCro", "e"),
        ("q=t%C3%A9l%C3%A9travail", "f"),
        ("q=zuhause", "f"),
        ("q=working+location", "e f"),
        ("q=Arbeitsort", "e f"),
    ]);
}

#[test]
fn updated_min_includes_deleted_events() {
    let served = serve_events();
    served.ids("");
    let between = jiff::Timestamp::now() + jiff::SignedDuration::from_millis(1100);
    wait::until(|| jiff::Timestamp::now() > between + jiff::SignedDuration::from_millis(100));
    let since = format!("updatedMin={between:.0}");
    assert_eq!(served.ids(&since), Vec::<String>::new());
    served.save("2.md", &event(&FILES[2].replace("Closed", "Shut")));
    served.remove("3.md");
    served.remove("6.md");
    let changed = served.events(&since).ok();
    assert_eq!(ids(&changed), ["c", "d", "s"]);
    assert_eq!(changed["items"][1]["status"], "cancelled");
    assert_eq!(served.ids(&format!("{since}&showDeleted=false")), ["c", "d", "s"]);
    assert_eq!(served.ids("updatedMin=2200-01-01T00:00:00Z"), Vec::<String>::new());
    assert_eq!(served.ids("updatedMin=2000-01-01T00:00:00Z").len(), 7);
}
