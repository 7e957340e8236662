//! Every field means the same in each form of front matter.

use feedwright::model::calendar::{
    Calendar, EventKind, EventStatus, EventType, EventVisibility, Reminder, ReminderMethod,
    Reminders, Response, Transparency,
};
use feedwright::source::calendar::CalendarFile;
use jiff::tz::TimeZone;
use serde_json::json;

use super::{calendars, event, file, files, library, path, valid_event};

const TOML: &str = r#"+++
id = "harbour"
iCalUID = "harbour@example.com"
sequence = 3
status = "tentative"
visibility = "public"
transparency = "transparent"
eventType = "workingLocation"
colorId = "7"
summary = "Harbour walk"
location = "Pier 4"
start = { dateTime = 2026-11-20T20:00:00, timeZone = "America/New_York" }
end = { dateTime = "2026-11-20T22:00:00-05:00" }
recurrence = ["RRULE:FREQ=WEEKLY;COUNT=3", "EXDATE:20261127T200000"]
created = 2026-10-01
updated = 2026-10-02T10:00:00Z
creator = "Ada"
organizer = { email = "ada@example.com", displayName = "Ada" }
source = { url = "https://example.com/plan", title = "Plan" }
live = { app = "show", link = "https://example.com/live", enclosure = "https://example.com/live.mp3", contentLinks = [{ href = "https://example.com/live" }] }

[workingLocationProperties]
type = "homeOffice"

[[attendees]]
email = "bo@example.com"
displayName = "Bo"
optional = true
responseStatus = "accepted"
comment = "Late"
additionalGuests = 2

[[attendees]]
email = "room@example.com"
resource = true

[reminders]
overrides = [{ method = "email", minutes = 1440 }, { method = "popup", minutes = 0 }]

[extendedProperties]
private = { key = "one" }
shared = { other = "two" }
+++
Bring a coat.
"#;

const YAML: &str = r#"---
id: harbour
iCalUID: harbour@example.com
sequence: 3
status: tentative
visibility: public
transparency: transparent
eventType: workingLocation
colorId: 7
summary: Harbour walk
location: Pier 4
start: {dateTime: 2026-11-20T20:00:00, timeZone: America/New_York}
end:
  dateTime: 2026-11-20T22:00:00-05:00
recurrence:
  - RRULE:FREQ=WEEKLY;COUNT=3
  - EXDATE:20261127T200000
created: 2026-10-01
updated: 2026-10-02T10:00:00Z
creator: Ada
organizer: {email: ada@example.com, displayName: Ada}
source: {url: "https://example.com/plan", title: Plan}
live:
  app: show
  link: https://example.com/live
  enclosure: https://example.com/live.mp3
  contentLinks: [{href: "https://example.com/live"}]
workingLocationProperties: {type: homeOffice}
attendees:
  - email: bo@example.com
    displayName: Bo
    optional: true
    responseStatus: accepted
    comment: Late
    additionalGuests: 2
  - {email: room@example.com, resource: true}
reminders:
  overrides:
    - {method: email, minutes: 1440}
    - {method: popup, minutes: 0}
extendedProperties:
  private: {key: one}
  shared: {other: two}
---
Bring a coat.
"#;

fn json_file() -> String {
    let front = json!({
        "kind": "calendar#event", "etag": "\"1\"", "htmlLink": "https://example.com/",
        "id": "harbour", "iCalUID": "harbour@example.com", "sequence": 3,
        "status": "tentative", "visibility": "public", "transparency": "transparent",
        "eventType": "workingLocation", "colorId": "7",
        "summary": "Harbour walk", "location": "Pier 4",
        "start": { "dateTime": "2026-11-20T20:00:00-05:00", "timeZone": "America/New_York", "date": null },
        "end": { "dateTime": "2026-11-20T22:00:00-05:00" },
        "recurrence": ["RRULE:FREQ=WEEKLY;COUNT=3", "EXDATE:20261127T200000"],
        "created": "2026-10-01T00:00:00.000Z", "updated": "2026-10-02T10:00:00.000Z",
        "creator": { "displayName": "Ada", "self": true },
        "organizer": { "id": "1", "email": "ada@example.com", "displayName": "Ada" },
        "source": { "url": "https://example.com/plan", "title": "Plan" },
        "live": { "app": "show", "link": "https://example.com/live", "enclosure": "https://example.com/live.mp3", "contentLinks": [{ "href": "https://example.com/live" }] },
        "workingLocationProperties": { "type": "homeOffice" },
        "attendees": [
            { "email": "bo@example.com", "displayName": "Bo", "optional": true, "responseStatus": "accepted",
              "comment": "Late", "additionalGuests": 2 },
            { "email": "room@example.com", "resource": true },
        ],
        "reminders": { "useDefault": false, "overrides": [{ "method": "email", "minutes": 1440 }, { "method": "popup", "minutes": 0 }] },
        "extendedProperties": { "private": { "key": "one" }, "shared": { "other": "two" } },
    });
    format!("{front:#}\nBring a coat.\n")
}

#[test]
fn every_field_is_equal_in_toml_yaml_and_json() {
    let event = valid_event(&file(TOML));
    assert_eq!(event.id.as_str(), "harbour");
    assert_eq!(event.ical_uid.as_deref(), Some("harbour@example.com"));
    assert_eq!(event.sequence, Some(3));
    assert_eq!(event.status(), EventStatus::Tentative);
    assert_eq!(event.visibility(), EventVisibility::Public);
    assert_eq!(event.transparency, Some(Transparency::Transparent));
    assert_eq!(event.event_type(), EventType::WorkingLocation);
    let properties = ("workingLocationProperties", json!({ "type": "homeOffice" }));
    assert_eq!(event.type_properties, Some(properties));
    assert_eq!(event.color_id.as_deref(), Some("7"));
    assert_eq!(event.summary.as_deref(), Some("Harbour walk"));
    assert_eq!(event.location.as_deref(), Some("Pier 4"));
    assert_eq!(event.description.as_deref(), Some("Bring a coat."));
    assert_eq!(event.content.body().html, "<p>Bring a coat.</p>");
    let times = [event.created, event.updated].map(|time| time.unwrap().to_string());
    assert_eq!(times, ["2026-10-01T00:00:00Z", "2026-10-02T10:00:00Z"]);
    let creator = event.creator.clone().unwrap();
    assert_eq!((creator.email, creator.display_name.as_deref()), (None, Some("Ada")));
    let organizer = event.organizer.clone().unwrap();
    assert_eq!(organizer.email.as_deref(), Some("ada@example.com"));
    let [bo, room] = event.attendees.as_slice() else { panic!("{:?}", event.attendees) };
    assert_eq!((bo.email.as_str(), bo.response), ("bo@example.com", Response::Accepted));
    assert!(bo.is_optional && !bo.is_resource && room.is_resource);
    assert_eq!((bo.additional_guests, bo.comment.as_deref()), (Some(2), Some("Late")));
    assert_eq!(room.response, Response::NeedsAction);
    let reminder = |method, minutes| Reminder { method, minutes };
    let own = vec![reminder(ReminderMethod::Email, 1440), reminder(ReminderMethod::Popup, 0)];
    assert_eq!(event.reminders, Some(Reminders::Own(own)));
    assert_eq!(event.extended.private["key"], "one");
    assert_eq!(event.extended.shared["other"], "two");
    let link = event.source_link.clone().unwrap();
    assert_eq!(
        (link.url.as_str(), link.title.as_deref()),
        ("https://example.com/plan", Some("Plan"))
    );
    let live = event.live.clone().unwrap();
    assert_eq!(live.app.as_deref(), Some("show"));
    assert_eq!(live.link.as_deref(), Some("https://example.com/live"));
    assert!(live.enclosure.is_some());
    let EventKind::Own { recurrence: Some(recurrence), .. } = &event.kind else {
        panic!("{:?}", event.kind)
    };
    assert_eq!(recurrence.lines().len(), 2);
    assert_eq!(valid_event(&file(YAML)), event);
    assert_eq!(valid_event(&file(&json_file())), event);
    assert_eq!(valid_event(&file(&TOML.replace('\n', "\r\n"))).kind, event.kind);
}

#[test]
fn shorthand_notations_are_read() {
    let event = valid_event(&event(
        "summary = \"Walk\"\nstart = 2026-11-20\norganizer = \"ada@example.com\"\nattendees = \"bo@example.com\"\n\
         source = \"https://example.com/\"\nreminders = { useDefault = true }\nrecurrence = \"FREQ=DAILY;COUNT=2\"\nlive = false",
    ));
    let organizer = event.organizer.unwrap();
    assert_eq!(
        (organizer.email.as_deref(), organizer.display_name),
        (Some("ada@example.com"), None)
    );
    assert_eq!(event.attendees[0].email, "bo@example.com");
    assert_eq!(event.source_link.unwrap().url, "https://example.com/");
    assert_eq!(event.reminders, Some(Reminders::Default));
    assert_eq!(event.live, None);
    assert!(matches!(event.kind, EventKind::Own { recurrence: Some(_), .. }));
    assert!(event.id_is_derived);
}

#[test]
fn a_calendar_sets_defaults_for_its_events() {
    let site = calendars(&[(
        "walks/calendar.toml",
        "summary = \"Walks\"\ndescription = \"By the sea\"\nlocation = \"Harbour\"\ntimeZone = \"Europe/Berlin\"\n\
         primary = true\npublic = false\ndefaultReminders = [{ method = \"popup\", minutes = 40320 }]\n",
    )]);
    let library = library(&site);
    assert!(library.sources().1.is_empty());
    let files = files(&library);
    let [file] = files.as_slice() else { panic!("{files:?}") };
    let CalendarFile::Calendar(calendar) = file.as_ref() else { panic!("{file:?}") };
    let expected = Calendar {
        source: Some(path("content/calendars/walks/calendar.toml")),
        written: calendar.written,
        summary: "Walks".into(),
        description: Some("By the sea".into()),
        location: Some("Harbour".into()),
        is_primary: true,
        is_public: false,
        default_reminders: vec![Reminder { method: ReminderMethod::Popup, minutes: 40_320 }],
        ..Calendar::new(calendar.id.clone(), TimeZone::get("Europe/Berlin").unwrap())
    };
    assert_eq!(*calendar, expected);
}
