//! The calendar API: what lists and resources say, page by page.

use serde_json::{Value, json};

use crate::calendar_api::served::{CalendarServer, calendars, event, fault, ids, shows};
use crate::support::served::KEY;

const WEEKLY: &str = "id = \"weekly\"\nsummary = \"Weekly\"\nstart = \"2026-11-20T20:00\"\nend = \"2026-11-20T21:30\"\n\
    recurrence = [\"RRULE:FREQ=WEEKLY;COUNT=4\"]";

const MOVED: &str = "recurringEventId = \"weekly\"\noriginalStartTime = \"2026-11-27T20:00\"\nstart = \"2026-11-28T22:00\"\nsummary = \"Late\"";

const CANCELLED: &str = "recurringEventId = \"weekly\"\noriginalStartTime = \"2026-12-04T20:00\"\nstatus = \"cancelled\"";

/// A series with an instance that is moved and one that is called off, a day, and one called off.
fn serve_sample_events() -> CalendarServer {
    let file = |name: &str| format!("content/calendars/shows/{name}.md");
    calendars(
        shows()
            .with(&file("weekly"), event(WEEKLY))
            .with(&file("moved"), event(MOVED))
            .with(&file("off"), event(CANCELLED))
            .with(&file("day"), event("id = \"day\"\nsummary = \"Day\"\nstart = \"2026-11-25\""))
            .with(
                &file("gone"),
                event("id = \"gone\"\nstart = \"2026-11-26T10:00\"\nstatus = \"cancelled\""),
            ),
    )
}

#[test]
fn the_collection_describes_its_calendar() {
    let list = serve_sample_events().events("").ok();
    let mut fields = list.as_object().unwrap().clone();
    for opaque in ["etag", "items", "nextSyncToken", "updated"] {
        assert!(fields.remove(opaque).is_some(), "{opaque}");
    }
    assert_eq!(
        Value::Object(fields),
        json!({
            "kind": "calendar#events",
            "summary": "Shows",
            "description": "What is on",
            "timeZone": "Europe/Berlin",
            "accessRole": "owner",
            "defaultReminders": [{ "method": "popup", "minutes": 10 }],
        })
    );
    let updated: jiff::Timestamp = list["updated"].as_str().unwrap().parse().unwrap();
    assert!(updated.duration_since(jiff::Timestamp::now()).abs().as_secs() < 600);
}

#[test]
fn an_event_has_the_fields_of_its_file() {
    let front = "id = \"full\"\niCalUID = \"full@elsewhere\"\nsummary = \"Full\"\nlocation = \"Harbour\"\ncolorId = \"5\"\n\
        status = \"tentative\"\nvisibility = \"private\"\ntransparency = \"transparent\"\nsequence = 3\n\
        created = \"2026-01-02T03:04:05Z\"\nupdated = \"2026-02-03T04:05:06Z\"\n\
        start = { dateTime = \"2026-07-01T10:00\", timeZone = \"America/New_York\" }\n\
        end = { dateTime = \"2026-07-01T11:00\", timeZone = \"America/New_York\" }\n\
        creator = { email = \"ada@example.com\" }\norganizer = { email = \"grace@example.com\", displayName = \"Grace\" }\n\
        source = { url = \"https://example.com/full\", title = \"More\" }\n\
        reminders = { overrides = [{ method = \"email\", minutes = 40320 }] }\n\
        eventType = \"workingLocation\"\nworkingLocationProperties = { type = \"homeOffice\", homeOffice = {} }\n\
        attendees = [\"a@example.com\", { email = \"me@example.com\", self = true, responseStatus = \"accepted\", optional = true, comment = \"Yes\", additionalGuests = 2 }]\n\
        [extendedProperties.private]\nroom = \"1\"\n[extendedProperties.shared]\nteam = \"x\"";
    let served = calendars(shows().with("content/calendars/shows/full.md", event(front)));
    let mut found = served.get("/calendars/primary/events/full").ok();
    let etag = found.as_object_mut().unwrap().remove("etag").unwrap();
    assert!(etag.as_str().unwrap().starts_with('"'));
    assert_eq!(
        found,
        json!({
            "kind": "calendar#event",
            "id": "full",
            "status": "tentative",
            "created": "2026-01-02T03:04:05.000Z",
            "updated": "2026-02-03T04:05:06.000Z",
            "summary": "Full",
            "description": "Text",
            "location": "Harbour",
            "colorId": "5",
            "creator": { "email": "ada@example.com" },
            "organizer": { "email": "grace@example.com", "displayName": "Grace" },
            "start": { "dateTime": "2026-07-01T16:00:00+02:00", "timeZone": "America/New_York" },
            "end": { "dateTime": "2026-07-01T17:00:00+02:00", "timeZone": "America/New_York" },
            "transparency": "transparent",
            "visibility": "private",
            "iCalUID": "full@elsewhere",
            "sequence": 3,
            "attendees": [
                { "email": "a@example.com", "responseStatus": "needsAction" },
                {
                    "email": "me@example.com", "self": true, "optional": true, "responseStatus": "accepted",
                    "comment": "Yes", "additionalGuests": 2,
                },
            ],
            "extendedProperties": { "private": { "room": "1" }, "shared": { "team": "x" } },
            "reminders": { "useDefault": false, "overrides": [{ "method": "email", "minutes": 40320 }] },
            "source": { "url": "https://example.com/full", "title": "More" },
            "eventType": "workingLocation",
            "workingLocationProperties": { "type": "homeOffice", "homeOffice": {} },
        })
    );
    assert_eq!(ids(&served.events("").ok()), ["full"]);
}

#[test]
fn default_values_are_omitted_and_open_ends_marked() {
    let served = calendars(
        shows()
            .with(
                "content/calendars/shows/a.md",
                "+++\nid = \"a\"\nstart = \"2026-11-20T20:00\"\n+++\n",
            )
            .with("content/calendars/shows/b.md", "+++\nid = \"b\"\nstart = \"2026-11-20\"\n+++\n"),
    );
    let list = served.events("").ok();
    let fields = |at: usize| {
        let mut event = list["items"][at].as_object().unwrap().clone();
        for opaque in ["etag", "created", "updated", "sequence"] {
            assert!(event.remove(opaque).is_some());
        }
        Value::Object(event)
    };
    assert_eq!(
        fields(0),
        json!({
            "kind": "calendar#event", "id": "a", "status": "confirmed", "iCalUID": "a@example.com",
            "eventType": "default", "reminders": { "useDefault": true },
            "start": { "dateTime": "2026-11-20T20:00:00+01:00", "timeZone": "Europe/Berlin" },
            "end": { "dateTime": "2026-11-20T21:00:00+01:00", "timeZone": "Europe/Berlin" },
            "endTimeUnspecified": true,
        })
    );
    assert_eq!(fields(1)["start"], json!({ "date": "2026-11-20" }));
    assert_eq!(fields(1)["end"], json!({ "date": "2026-11-21" }));
    assert_eq!(fields(1).get("endTimeUnspecified"), None);
}

/// RFC 5545, section 3.8.5.2: a date may have a length of its own, written as an end or as a duration.
#[test]
fn a_period_sets_the_length_of_its_instance() {
    for period in ["20261202T140000Z/PT5H", "20261202T140000Z/20261202T190000Z"] {
        let front = format!(
            "id = \"p\"\nstart = \"2026-12-01T10:00\"\nend = \"2026-12-01T11:00\"\nrecurrence = [\"RDATE;VALUE=PERIOD:{period}\", \"RDATE:20261203T090000Z\"]"
        );
        let served = calendars(shows().with("content/calendars/shows/a.md", event(&front)));
        let list = served.events("singleEvents=true").ok();
        let end = |at: usize| list["items"][at]["end"]["dateTime"].clone();
        assert_eq!(
            [end(0), end(1), end(2)],
            ["2026-12-01T11:00:00+01:00", "2026-12-02T20:00:00+01:00", "2026-12-03T11:00:00+01:00"]
        );
        // In its last half hour it is still on.
        let late = "singleEvents=true&timeMin=2026-12-02T18:30:00Z&timeMax=2026-12-02T18:40:00Z";
        assert_eq!(served.ids(late), ["p_20261202T140000Z"]);
    }
}

#[test]
fn a_list_from_a_future_date_covers_two_years() {
    let monthly = "id = \"monthly\"\nstart = \"2026-11-20\"\nrecurrence = [\"RRULE:FREQ=MONTHLY\"]";
    let served = calendars(shows().with("content/calendars/shows/a.md", event(monthly)));
    let list = served.events("singleEvents=true&timeMin=2040-05-01T00:00:00Z").ok();
    let found = ids(&list);
    assert_eq!(found.first().map(|id| &**id), Some("monthly_20400520"));
    assert_eq!(found.last().map(|id| &**id), Some("monthly_20420420"));
    assert_eq!(found.len(), 24);
}

#[test]
fn a_series_and_its_exceptions_are_separate_entries() {
    let list = serve_sample_events().events("").ok();
    assert_eq!(ids(&list), ["day", "weekly", "weekly_20261127T190000Z", "weekly_20261204T190000Z"]);
    let (weekly, moved, off) = (&list["items"][1], &list["items"][2], &list["items"][3]);
    assert_eq!(weekly["recurrence"], json!(["RRULE:FREQ=WEEKLY;COUNT=4"]));
    assert_eq!(moved["recurringEventId"], "weekly");
    assert_eq!(moved["summary"], "Late");
    assert_eq!(moved["originalStartTime"]["dateTime"], "2026-11-27T20:00:00+01:00");
    assert_eq!(moved["start"]["dateTime"], "2026-11-28T22:00:00+01:00");
    // As long as the others.
    assert_eq!(moved["end"]["dateTime"], "2026-11-28T23:30:00+01:00");
    assert_eq!(off["status"], "cancelled");
    assert!(moved.get("recurrence").is_none() && weekly.get("recurringEventId").is_none());
    assert_eq!(moved["iCalUID"], weekly["iCalUID"]);
}

#[test]
fn show_deleted_works_with_and_without_single_events() {
    let served = serve_sample_events();
    served.save("twice.md", &event("id = \"twice\"\nstart = \"2026-12-01T10:00\"\nrecurrence = [\"RRULE:FREQ=DAILY;COUNT=2\"]"));
    assert!(served.ids("").contains(&"twice".to_owned()));
    served.remove("twice.md");
    served.remove("day.md");
    let instances =
        ["weekly_20261120T190000Z", "weekly_20261127T190000Z", "weekly_20261211T190000Z"];
    // Both false: cancelled instances of series that are not.
    assert_eq!(served.ids(""), ["weekly", "weekly_20261127T190000Z", "weekly_20261204T190000Z"]);
    // Expanded: what takes place.
    assert_eq!(served.ids("singleEvents=true"), instances);
    // All that there is and was, series as series.
    assert_eq!(
        served.ids("showDeleted=true"),
        ["day", "gone", "twice", "weekly", "weekly_20261127T190000Z", "weekly_20261204T190000Z"]
    );
    // Both true: single instances, those of deleted series too, and no series.
    let list = served.events("singleEvents=true&showDeleted=true").ok();
    assert_eq!(
        ids(&list),
        [
            "day", "gone", "twice_20261201T090000Z", "twice_20261202T090000Z",
            "weekly_20261120T190000Z", "weekly_20261127T190000Z", "weekly_20261204T190000Z",
            "weekly_20261211T190000Z",
        ]
    );
    let cancelled: Vec<bool> =
        list["items"].as_array().unwrap().iter().map(|one| one["status"] == "cancelled").collect();
    assert_eq!(cancelled, [true, true, true, true, false, false, true, false]);
    // A deleted one tells what it was.
    let day = served.get("/calendars/shows/events/day").ok();
    assert_eq!((&day["status"], &day["summary"]), (&json!("cancelled"), &json!("Day")));
}

#[test]
fn pages_have_250_or_max_results_events_and_a_sync_token() {
    let mut site = shows();
    for number in 0..251 {
        let front = format!("id = \"e{number:03}\"\nstart = \"2026-11-20\"");
        site = site.with(&format!("content/calendars/shows/{number}.md"), event(&front));
    }
    let served = calendars(site);
    let first = served.events("").ok();
    assert_eq!(ids(&first).len(), 250);
    assert!(first.get("nextSyncToken").is_none());
    let token = first["nextPageToken"].as_str().unwrap();
    let last = served.events(&format!("pageToken={token}")).ok();
    assert_eq!(ids(&last), ["e250"]);
    assert!(last.get("nextPageToken").is_none() && last["nextSyncToken"].is_string());
    assert_eq!(ids(&served.events("maxResults=2500").ok()).len(), 251);
    for size in [1, 7, 251] {
        let (items, _) = served.all(&format!("maxResults={size}"));
        let mut all: Vec<_> = items.iter().map(|item| item["id"].to_string()).collect();
        assert_eq!(all.len(), 251);
        all.dedup();
        assert_eq!(all.len(), 251);
    }
    // A page goes on with its own list alone.
    for other in [
        "q=x", "singleEvents=true", "orderBy=updated", "timeMin=2026-01-01T00:00:00Z",
        "showDeleted=true",
    ] {
        let (reason, message) = served.fault(&format!("{other}&pageToken={token}"), 400);
        assert!(reason == "invalid" && message.starts_with("pageToken:"), "{message}");
    }
    let elsewhere = served.get(&format!("/calendars/mark/events?pageToken={token}"));
    fault(&elsewhere, 400);
    served.fault(&format!("pageToken={}", &token[..token.len() - 1]), 400);
    served.fault("pageToken=x", 400);
}

#[test]
fn all_pages_show_the_state_of_the_first_page() {
    let served = serve_sample_events();
    let first = served.events("maxResults=1").ok();
    assert_eq!(ids(&first), ["day"]);
    served.remove("day.md");
    served.save("aaa.md", &event("id = \"aaa\"\nstart = \"2026-11-20\""));
    served.save("zzz.md", &event("id = \"zzz\"\nstart = \"2026-11-20\""));
    served.save("moved.md", &event(&MOVED.replace("Late", "Later")));
    let token = first["nextPageToken"].as_str().unwrap();
    let rest = served.events(&format!("maxResults=10&pageToken={token}")).ok();
    assert_eq!(ids(&rest), ["weekly", "weekly_20261127T190000Z", "weekly_20261204T190000Z"]);
    assert_eq!(rest["items"][1]["summary"], "Late");
    // The sync goes on from that state too.
    let token = rest["nextSyncToken"].as_str().unwrap();
    let changes = served.events(&format!("syncToken={token}")).ok();
    assert_eq!(ids(&changes), ["aaa", "day", "weekly_20261127T190000Z", "zzz"]);
}

#[test]
fn invalid_parameters_are_named_in_the_error() {
    let served = serve_sample_events();
    for (query, parameter) in [
        ("maxResults=0", "maxResults"),
        ("maxResults=-1", "maxResults"),
        ("maxResults=2501", "maxResults"),
        ("maxResults=many", "maxResults"),
        ("maxResults=5&maxResults=6", "maxResults"),
        ("maxAttendees=0", "maxAttendees"),
        ("singleEvents=yes", "singleEvents"),
        ("showDeleted=1", "showDeleted"),
        ("showHiddenInvitations=x", "showHiddenInvitations"),
        ("orderBy=startTime", "orderBy"),
        ("orderBy=startTime&singleEvents=false", "orderBy"),
        ("orderBy=id", "orderBy"),
        ("eventTypes=party", "eventTypes"),
        ("eventTypes=default&eventTypes=party", "eventTypes"),
        ("privateExtendedProperty=room", "privateExtendedProperty"),
        ("sharedExtendedProperty==x", "sharedExtendedProperty"),
        ("timeMin=2026-11-20", "timeMin"),
        ("timeMin=2026-11-20T20:00:00", "timeMin"),
        ("timeMax=2026-11-20T20:00:00.123", "timeMax"),
        ("timeMax=2026-11-20T20:00:00+01:00", "timeMax"),
        ("timeMin=2026-11-20T20:00:00%2B24:00", "timeMin"),
        ("timeMax=2026-11-20T20:00:00-25:59", "timeMax"),
        ("updatedMin=2026-11-20T20:00:00%2B23:60", "updatedMin"),
        ("updatedMin=yesterday", "updatedMin"),
        ("timeZone=Mars/Olympus", "timeZone"),
        ("timeMin=2026-11-20T20:00:00Z&timeMax=2026-11-20T20:00:00Z", "timeMax"),
        ("timeMin=2026-11-20T20:00:00.1Z&timeMax=2026-11-20T20:00:00.9Z", "timeMax"),
        ("timeMin=2026-11-20T20:00:00Z&timeMax=2026-11-20T20:00:00%2B01:00", "timeMax"),
        ("alt=media", "alt"),
        ("prettyPrint=x", "prettyPrint"),
    ] {
        let (_, message) = served.fault(query, 400);
        assert!(message.starts_with(&format!("{parameter}: ")), "{query}: {message}");
        let location = served.events(query).json();
        assert_eq!(location["error"]["errors"][0]["location"], parameter);
    }
    assert_eq!(
        served.fault("timeMin=2027-01-01T00:00:00Z&timeMax=2026-01-01T00:00:00Z", 400).0,
        "timeRangeEmpty"
    );
    let (_, message) = served.fault("timeMin=2026-11-20T20:00:00", 400);
    assert!(message.contains("offset"), "{message}");
    let long = "x".repeat(9000);
    assert_eq!(served.events(&format!("q={long}")).status, 414);
}

#[test]
fn extra_parameters_of_published_clients_are_accepted() {
    let served = serve_sample_events();
    let plain = served.events("").ok();
    let query = "alt=json&prettyPrint=false&key=k&quotaUser=q&userIp=::1&alwaysIncludeEmail=true\
        &alwaysIncludeEmail=whatever&alwaysIncludeEmail=\
        &showHiddenInvitations=true&unknown=1&unknown=2&q=&pageToken=&syncToken=&$.xgafv=1";
    assert_eq!(served.events(query).ok(), plain);
    let pretty = served.events("prettyPrint=true");
    assert!(pretty.text().starts_with("{\n  \""));
    assert_eq!(pretty.json(), plain);
}

#[test]
fn the_fields_parameter_selects_a_partial_response() {
    let served = serve_sample_events();
    let part = served.events("maxResults=1&fields=kind,items(id,start/date)").ok();
    let item = json!({ "id": "day", "start": { "date": "2026-11-25" } });
    assert_eq!(part, json!({ "kind": "calendar#events", "items": [item] }));
    let whole = served.events("fields=*").ok();
    assert_eq!(whole, served.events("").ok());
    assert!(served.fault("fields=items(id", 400).1.starts_with("fields: "));
}

#[test]
fn an_unchanged_list_is_not_modified() {
    let served = serve_sample_events();
    for path in [
        "/calendars/shows/events", "/calendars/shows/events/day", "/calendars/shows",
        "/users/me/calendarList",
    ] {
        let first = served.get(path);
        let tag = first.header("etag").unwrap().to_owned();
        assert_eq!(first.json()["etag"], tag);
        let again = served.get_as(KEY, path, &[("if-none-match", &tag)]);
        assert_eq!((again.status, again.body.len()), (304, 0), "{path}");
        assert_eq!(served.get_as(KEY, path, &[("if-none-match", "\"x\"")]).status, 200);
    }
    let path = "/calendars/shows/events";
    let tag = served.get(path).header("etag").unwrap().to_owned();
    let other = served.get(&format!("{path}?maxResults=1"));
    assert_ne!(other.header("etag"), Some(tag.as_str()));
    served.save("day.md", &event("id = \"day\"\nsummary = \"Other\"\nstart = \"2026-11-25\""));
    assert_eq!(served.get_as(KEY, path, &[("if-none-match", &tag)]).status, 200);
}

#[test]
fn an_event_or_instance_is_returned_by_id() {
    let served = serve_sample_events();
    let find = |id: &str| served.get(&format!("/calendars/shows/events/{id}"));
    let regular = find("weekly_20261120T190000Z").ok();
    assert_eq!(regular["recurringEventId"], "weekly");
    assert_eq!(regular["end"]["dateTime"], "2026-11-20T21:30:00+01:00");
    assert_eq!(find("weekly_20261127T190000Z").ok()["summary"], "Late");
    assert_eq!(find("weekly_20261204T190000Z").ok()["status"], "cancelled");
    let shown = find("day?timeZone=Asia/Tokyo").ok();
    assert_eq!(shown["start"], json!({ "date": "2026-11-25" }));
    let tokyo = find("weekly?timeZone=Asia/Tokyo").ok();
    assert_eq!(tokyo["start"]["dateTime"], "2026-11-21T04:00:00+09:00");
    for missing in [
        "nothing", "weekly_20261121T190000Z", "weekly_20261225T190000Z", "weekly_x",
        "day_20261125", "_", "é",
    ] {
        assert_eq!(fault(&find(missing), 404).0, "notFound", "{missing}");
    }
}

#[test]
fn instances_belong_to_one_series() {
    let served = serve_sample_events();
    let list =
        |query: &str| served.get(&format!("/calendars/shows/events/weekly/instances?{query}"));
    assert_eq!(
        ids(&list("").ok()),
        ["weekly_20261120T190000Z", "weekly_20261127T190000Z", "weekly_20261211T190000Z"]
    );
    assert_eq!(ids(&list("showDeleted=true").ok()).len(), 4);
    let first = list("maxResults=2").ok();
    let token = first["nextPageToken"].as_str().unwrap();
    assert_eq!(ids(&list(&format!("pageToken={token}")).ok()), ["weekly_20261211T190000Z"]);
    assert_eq!(ids(&list("timeMin=2026-12-01T00:00:00Z").ok()), ["weekly_20261211T190000Z"]);
    for original in ["2026-11-27T20:00:00%2B01:00", "2026-11-27T19:00:00Z", "20261127T190000Z"] {
        assert_eq!(
            ids(&list(&format!("originalStart={original}")).ok()),
            ["weekly_20261127T190000Z"]
        );
    }
    fault(&served.get("/calendars/shows/events/nothing/instances"), 404);
}

#[test]
fn no_calendar_is_primary_until_one_is_marked() {
    let served = calendars(shows().with("content/calendars/shows/calendar.toml", ""));
    assert_eq!(
        fault(&served.get("/calendars/primary/events"), 404),
        (
            "notFound".into(),
            "no calendar is marked as primary: write `primary = true` in the calendar.toml of a calendar"
                .into()
        )
    );
}

#[test]
fn the_calendar_list_contains_the_calendars() {
    let served = serve_sample_events();
    let list = served.get("/users/me/calendarList").ok();
    assert_eq!(list["kind"], "calendar#calendarList");
    assert_eq!(ids(&list), ["mark", "shows"]);
    let shows = &list["items"][1];
    assert_eq!((&shows["primary"], &shows["accessRole"]), (&json!(true), &json!("owner")));
    assert_eq!(shows["defaultReminders"], json!([{ "method": "popup", "minutes": 10 }]));
    assert_eq!(&served.get("/users/me/calendarList/primary").ok(), shows);
    let page = served.get("/users/me/calendarList?maxResults=1").ok();
    assert_eq!((ids(&page), &page["nextPageToken"]), (vec!["mark".to_owned()], &json!("mark")));
    let rest = served.get("/users/me/calendarList?maxResults=1&pageToken=mark").ok();
    assert_eq!((ids(&rest), rest.get("nextPageToken")), (vec!["shows".to_owned()], None));
    let own = served.get("/calendars/primary").ok();
    assert_eq!((&own["kind"], &own["id"]), (&json!("calendar#calendar"), &json!("shows")));
    for missing in [
        "/calendars/other", "/calendars/other/events", "/users/me/calendarList/other", "/other",
        "/calendars/shows/events/", "",
    ] {
        assert_eq!(fault(&served.get(missing), 404).0, "notFound", "{missing}");
    }
    assert_eq!(fault(&served.get("/users/me/calendarList?syncToken=x"), 410).0, "fullSyncRequired");
}

#[test]
fn an_endless_series_costs_only_one_page() {
    let served = calendars(
        shows()
            .with("content/calendars/shows/s.md", event("id = \"s\"\nstart = \"2020-01-01T00:00\"\nrecurrence = [\"RRULE:FREQ=SECONDLY\"]"))
            .with("content/calendars/shows/never.md", event("id = \"never\"\nstart = \"2020-01-01T00:00\"\nrecurrence = [\"RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30\"]"))
            .with("content/calendars/shows/t.md", event("id = \"t\"\nstart = \"2020-01-01T00:00\"\nrecurrence = [\"RRULE:FREQ=DAILY\"]")),
    );
    let start = std::time::Instant::now();
    assert_eq!(served.ids(""), ["never", "s", "t"]);
    let page = served.events("singleEvents=true&maxResults=2500").ok();
    assert_eq!(ids(&page).len(), 2500);
    let token = page["nextPageToken"].as_str().unwrap();
    let next = served.events(&format!("singleEvents=true&maxResults=2500&pageToken={token}")).ok();
    assert_eq!(next["items"][0]["start"]["dateTime"], "2020-01-01T00:41:39+01:00");
    let far = "singleEvents=true&orderBy=startTime&timeMin=2026-06-01T00:00:00Z&maxResults=3";
    // What goes on at the time, an hour each.
    assert_eq!(
        served.events(far).ok()["items"][0]["start"]["dateTime"],
        "2026-06-01T01:00:01+02:00"
    );
    let text = "singleEvents=true&q=nowhere";
    assert_eq!(served.ids(text), Vec::<String>::new());
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}

#[test]
fn write_methods_are_not_allowed() {
    let served = serve_sample_events();
    let key = format!("Bearer {KEY}");
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
        let path = "/calendar/v3/calendars/shows/events";
        let reply = served.served.send(method, path, &[("authorization", &key)], b"{}");
        assert_eq!(reply.header("allow"), Some("GET, HEAD"));
        fault(&reply, 405);
    }
    let head = served.served.send(
        "HEAD",
        "/calendar/v3/calendars/shows/events",
        &[("authorization", &key)],
        b"",
    );
    assert_eq!((head.status, head.body.len()), (200, 0));
}

/// Published clients send a GET with a long query so.
#[test]
fn a_post_with_method_override_is_a_get() {
    let served = serve_sample_events();
    let key = format!("Bearer {KEY}");
    let send = |path: &str, headers: &[(&str, &str)], body: &str| {
        let mut all = vec![("authorization", key.as_str())];
        all.extend_from_slice(headers);
        served.served.send("POST", path, &all, body.as_bytes())
    };
    let path = "/calendar/v3/calendars/shows/events";
    let form = ("content-type", "application/x-www-form-urlencoded");
    let means_get = ("x-http-method-override", "GET");
    let query = "singleEvents=true&orderBy=startTime&maxResults=3";
    let expected = served.events(query).ok();
    assert_eq!(send(path, &[means_get, form], query).ok(), expected);
    let (address, rest) = query.split_once('&').unwrap();
    let split = send(&format!("{path}?{address}"), &[means_get, form], rest);
    assert_eq!(split.ok(), expected);
    let in_address = send(&format!("{path}?{query}"), &[("x-http-method-override", "get")], "");
    assert_eq!(in_address.ok(), expected);
    fault(&send(path, &[means_get, form], "maxResults=0"), 400);
    fault(&send(path, &[means_get, form], &format!("q={}", "a".repeat(70_000))), 413);
    for other in ["DELETE", "PATCH", "POST", ""] {
        let reply = send(path, &[("x-http-method-override", other), form], query);
        fault(&reply, 405);
    }
}
