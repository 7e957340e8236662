//! The editor's calendar: what is on which day, new events, and the files of calendars. `tests/browser/calendar.cjs`
//! works in the page.

use std::collections::BTreeSet;
use std::fs;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::editor::documents::{Person, person};
use crate::support::served::{Served, diff, serve};
use crate::support::small_site::{SmallSite, site};

const CLUB: &str = "content/calendars/walks/club.md";
const TOML: &str = "content/calendars/walks/calendar.toml";
const CLUB_TEXT: &str = "+++\nid = \"club\"\nsummary = \"Club\" # all of us\nstart = 2026-10-08T20:00:00\nend = 2026-10-08T22:00:00\nrecurrence = [\"RRULE:FREQ=WEEKLY\"]\n+++\n\nBring a coat.\n";
const TOML_TEXT: &str = "summary = \"Walks\" # ours\ntimeZone = \"Europe/Berlin\"\n";

/// A site with items and Pages of each status, and a calendar in Berlin.
fn sample_site() -> SmallSite {
    site()
        .with("site.toml", "base_url = \"https://example.com\"\ntimezone = \"Europe/Berlin\"\n")
        .with(TOML, TOML_TEXT)
        .with(CLUB, CLUB_TEXT)
        .with(
            "content/calendars/walks/off.md",
            "+++\nrecurringEventId = \"club\"\noriginalStartTime = 2026-10-22T20:00:00\nstatus = \"cancelled\"\n+++\n",
        )
        .with(
            "content/calendars/walks/camp.md",
            "+++\nid = \"camp\"\nsummary = \"Camp\"\nstart = 2026-10-30\nend = 2026-11-02\nvisibility = \"private\"\n+++\n",
        )
        .with(
            "content/calendars/walks/dawn.md",
            "+++\nid = \"dawn\"\nsummary = \"Dawn\"\nstart = 2026-10-31T22:30:00-04:00\n+++\n",
        )
        .with(
            "content/items/old.md",
            "+++\nid = \"old\"\ntitle = \"Old\"\ndate_published = 2020-10-03T23:30:00Z\n+++\nText.\n",
        )
        .with(
            "content/items/soon.md",
            "+++\nid = \"soon\"\ntitle = \"Soon\"\ndate_published = 2126-10-04T09:00:00+02:00\n+++\nText.\n",
        )
        .with(
            "content/items/fog.md",
            "+++\nid = \"fog\"\ntitle = \"Fog\"\nstatus = \"unpublished\"\ndate_published = 2020-10-05\n+++\nText.\n",
        )
        .with(
            "content/items/rain.md",
            "+++\nid = \"rain\"\ntitle = \"Rain\"\nstatus = \"unpublished\"\n+++\nText.\n",
        )
        .with(
            "content/pages/about.md",
            "+++\ntitle = \"About\"\ndate_published = 2020-10-06\n+++\nText.\n",
        )
}

fn days(ada: &Person<'_>, from: &str, until: &str) -> Value {
    ada.ask("calendar", &json!({ "from": from, "until": until })).ok()
}

/// The entries of an answer in words.
fn report(answer: &Value) -> BTreeSet<String> {
    let entries = answer["entries"].as_array().unwrap().iter();
    let words = entries.map(|one| {
        let word = |key: &str| one[key].as_str().unwrap_or("–").to_owned();
        ["first", "last", "start", "status", "path"].map(word).join(" ")
    });
    words.collect()
}

fn create_event(ada: &Person<'_>, calendar: &str, event: Value) -> Value {
    ada.ask("create-event", &json!({ "calendar": calendar, "event": event })).ok()
}

#[test]
fn events_of_a_day_use_the_time_zone_of_their_calendar() {
    let served = serve(sample_site());
    let ada = person(&served);
    let october = days(&ada, "2026-10-01", "2026-11-01");
    let events = "content/calendars/walks";
    assert_eq!(
        report(&october).into_iter().collect::<Vec<String>>(),
        [
            format!("2026-10-08 2026-10-08 20:00 confirmed {events}/club.md"),
            format!("2026-10-15 2026-10-15 20:00 confirmed {events}/club.md"),
            format!("2026-10-22 2026-10-22 20:00 cancelled {events}/off.md"),
            // After the end of summer time it is still at eight.
            format!("2026-10-29 2026-10-29 20:00 confirmed {events}/club.md"),
            format!("2026-10-30 2026-11-01 – confirmed {events}/camp.md"),
        ]
    );
    let november = report(&days(&ada, "2026-11-01", "2026-11-02"));
    assert!(
        november.contains(&format!("2026-11-01 2026-11-01 03:30 confirmed {events}/dawn.md")),
        "{november:?}"
    );
    let camp = &october["entries"].as_array().unwrap().iter();
    let camp = camp.clone().find(|one| one["title"] == "Camp").unwrap();
    assert_eq!((&camp["is_public"], &camp["calendar"]), (&json!(false), &json!("Walks")));
    // Items and Pages are on the site's clock.
    let published = report(&days(&ada, "2020-10-01", "2020-11-01"));
    assert_eq!(
        published.into_iter().collect::<Vec<String>>(),
        [
            "2020-10-04 2020-10-04 01:30 published content/items/old.md",
            "2020-10-05 2020-10-05 – draft content/items/fog.md",
            "2020-10-06 2020-10-06 – published content/pages/about.md",
        ]
    );
    assert!(
        report(&days(&ada, "2126-10-04", "2126-10-05"))
            .contains("2126-10-04 2126-10-04 09:00 scheduled content/items/soon.md")
    );
    assert_eq!(october["undated"][0]["title"], "Rain");
    assert_eq!(october["undated"].as_array().unwrap().len(), 1);
    assert_eq!(
        october["calendars"],
        json!([{ "id": "walks", "path": TOML, "has_file": true, "summary": "Walks", "zone": "Europe/Berlin", "is_primary": false, "is_public": true, "events": 3 }])
    );
}

#[test]
fn date_ranges_and_their_entries_are_limited() {
    let often = "+++\nid = \"often\"\nsummary = \"Often\"\nstart = 2026-10-01T00:00:00\nrecurrence = [\"RRULE:FREQ=SECONDLY\"]\n+++\n";
    let served = serve(sample_site().with("content/calendars/walks/often.md", often));
    let ada = person(&served);
    for (from, until) in [
        ("2026-10-01", "2026-10-01"),
        ("2026-10-02", "2026-10-01"),
        ("2026-10-01", "2026-12-03"),
        ("0001-01-01", "9999-12-31"),
        ("-9999-01-01", "9999-12-31"),
        ("0000-01-01", "0000-01-02"),
        ("2026-02-30", "2026-03-01"),
        ("soon", "later"),
        ("", ""),
    ] {
        let refused = ada.ask("calendar", &json!({ "from": from, "until": until }));
        assert!(refused.error(400).len() > 10, "{from} {until}");
    }
    for missing in
        [json!({}), json!({ "from": "2026-10-01" }), json!([]), json!({ "from": 1, "until": 2 })]
    {
        ada.ask("calendar", &missing).error(400);
    }
    for (from, until) in [("9999-11-01", "9999-12-31"), ("0001-01-01", "0001-03-01")] {
        days(&ada, from, until);
    }
    let october = days(&ada, "2026-10-01", "2026-12-02");
    assert_eq!(october["more"], true);
    assert_eq!(october["entries"].as_array().unwrap().len(), 1000);
}

#[test]
fn a_new_event_and_calendar_match_those_of_the_command() {
    let served = serve(sample_site());
    let ada = person(&served);
    let harbour = json!({ "summary": "Harbour \"walk\"", "start": "2026-11-20 17:00", "end": "2026-11-20 18:30" });
    let path = create_event(&ada, "walks", harbour.clone())["path"].clone();
    assert_eq!(path, "content/calendars/walks/2026-11-20-harbour-walk.md");
    let text = served.site.read(path.as_str().unwrap());
    let (id, rest) = text.strip_prefix("+++\nid = \"").unwrap().split_once("\"\n").unwrap();
    assert_eq!(id.len(), 11);
    assert_eq!(
        rest,
        "summary = \"Harbour \\\"walk\\\"\"\nstart = 2026-11-20T17:00:00\nend = 2026-11-20T18:30:00\n+++\n\n"
    );
    // Another one of the same day and title has another name.
    assert_eq!(
        create_event(&ada, "walks", harbour)["path"],
        "content/calendars/walks/2026-11-20-harbour-walk-2.md"
    );
    let weekly = json!({ "summary": "Office hours", "start": "2026-11-20", "duration": "2d", "repeat": "weekly" });
    let path = create_event(&ada, "book-club", weekly)["path"].clone();
    assert_eq!(path, "content/calendars/book-club/office-hours.md");
    let text = served.site.read(path.as_str().unwrap());
    assert!(
        text.ends_with(
            "start = 2026-11-20\nend = 2026-11-22\nrecurrence = [\"RRULE:FREQ=WEEKLY\"]\n+++\n\n"
        ),
        "{text}"
    );
    assert_eq!(
        served.site.read("content/calendars/book-club/calendar.toml"),
        "summary = \"Book club\"\ntimeZone = \"Europe/Berlin\"\n"
    );
    let december = report(&days(&ada, "2026-12-01", "2026-12-06"));
    assert!(
        december.contains(
            "2026-12-04 2026-12-05 – confirmed content/calendars/book-club/office-hours.md"
        ),
        "{december:?}"
    );
    let by = served.journal().into_iter();
    assert!(
        by.into_iter().all(|entry| entry.key_id == "editor" && entry.operation == "createFile")
    );
}

#[test]
fn an_invalid_event_is_refused_and_not_written() {
    let outside = tempfile::tempdir().unwrap();
    let served = serve(sample_site());
    std::os::unix::fs::symlink(outside.path(), served.site.path("content/calendars/out")).unwrap();
    let ada = person(&served);
    let before = served.files();
    let walk = |more: Value| {
        let mut event = json!({ "summary": "Walk", "start": "2026-11-20" });
        let more = more.as_object().unwrap().clone();
        event.as_object_mut().unwrap().extend(more);
        event
    };
    for calendar in ["../x", "", "Walks", "primary", "walks/../../x", "a b", &"x".repeat(65), "out"]
    {
        let asked = json!({ "calendar": calendar, "event": walk(json!({})) });
        let refused = ada.ask("create-event", &asked).error(400);
        assert!(refused.starts_with("calendar: "), "{calendar}: {refused}");
    }
    for (more, words) in [
        (json!({ "summary": " " }), "summary: is required; write a title for the event"),
        (json!({ "summary": "x".repeat(2000) }), "summary"),
        (json!({ "start": "tomorrow" }), "`start` is not a date or time"),
        (json!({ "start": "2026-11-20\"\n[live]" }), "`start` is not a date or time"),
        (json!({ "end": "2026-11-19" }), "ends before it starts"),
        (json!({ "duration": "1h" }), "duration: must be whole days"),
        (json!({ "repeat": "fortnightly" }), "`recurrence`"),
        (json!({ "zone": "Mars" }), "there is no time zone"),
        (json!({ "path": "content/items/x.md" }), "unknown field"),
    ] {
        let asked = json!({ "calendar": "walks", "event": walk(more.clone()) });
        let refused = ada.ask("create-event", &asked).error(400);
        assert!(refused.contains(words), "{more}: {refused}");
    }
    assert_eq!(served.files(), before);
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
    // In a calendar whose file cannot be read the times of an event are not known.
    served.site.write(TOML, "timeZone = 5\n");
    let asked = json!({ "calendar": "walks", "event": walk(json!({})) });
    let refused = ada.ask("create-event", &asked).error(409);
    assert!(refused.starts_with(&format!("{TOML}:1: ")), "{refused}");
}

#[test]
fn an_edit_of_an_event_changes_one_line() {
    let served = serve(sample_site());
    let ada = person(&served);
    let opened = ada.open(CLUB);
    assert_eq!(opened["kind"], "event");
    assert_eq!(opened["values"]["start"], "2026-10-08T20:00:00");
    let changes = json!([{ "keys": ["start"], "value": "2026-10-08T19:30:00" }]);
    let edited =
        ada.ask("edit", &json!({ "path": CLUB, "text": CLUB_TEXT, "changes": changes })).ok();
    let text = |told: &Value| {
        format!("{}{}", told["head"].as_str().unwrap(), told["body"].as_str().unwrap())
    };
    ada.save(CLUB, &text(&edited), &opened["version"]).ok();
    assert_eq!(
        diff(CLUB_TEXT, &served.site.read(CLUB)),
        "-start = 2026-10-08T20:00:00\n+start = 2026-10-08T19:30:00\n"
    );
    // Saved over what was seen, or not at all.
    assert_eq!(ada.save(CLUB, CLUB_TEXT, &opened["version"]).status, 409);
    for schema in ["event", "calendar"] {
        let schema = ada.ask("schema", &json!({ "kind": schema })).ok();
        assert!(schema["properties"]["summary"].is_object());
    }
    ada.ask("remove", &json!({ "path": CLUB })).ok();
    assert!(!served.site.exists(CLUB) && served.site.exists(TOML));
}

#[test]
fn editing_a_calendar_file_keeps_its_comments() {
    let served = serve(sample_site());
    let ada = person(&served);
    let opened = ada.open(TOML);
    assert_eq!(
        (&opened["kind"], &opened["head"], &opened["body"]),
        (&json!("calendar"), &json!(""), &json!(TOML_TEXT))
    );
    let edit = |text: &str, keys: &str, value: Value| {
        let changes = json!([{ "keys": [keys], "value": value }]);
        let asked = json!({ "path": TOML, "text": text, "changes": changes });
        ada.ask("edit", &asked).ok()["body"].as_str().unwrap().to_owned()
    };
    let renamed = edit(TOML_TEXT, "summary", json!("Long walks"));
    let primary = edit(&renamed, "primary", json!(true));
    ada.save(TOML, &primary, &opened["version"]).ok();
    assert_eq!(
        served.site.read(TOML),
        "summary = \"Long walks\" # ours\ntimeZone = \"Europe/Berlin\"\nprimary = true\n"
    );
    // What cannot be read is text, told at its place and not saved.
    for (wrong, line) in
        [("summary = \"Walks\ntimeZone = 1\n", 1), ("\ntimeZone = \"Berlin\"\n", 2)]
    {
        let told = ada.ask("look", &json!({ "path": TOML, "text": wrong })).ok();
        assert_eq!(told["body"], wrong);
        assert_eq!(told["problems"][0]["line"], line, "{told}");
        let seen = ada.open(TOML)["version"].clone();
        ada.save(TOML, wrong, &seen).error(400);
    }
    // One that is not there yet is begun as an empty text.
    let new = "content/calendars/club/calendar.toml";
    let none = ada.open(new);
    assert_eq!((&none["version"], &none["values"]), (&Value::Null, &json!({})));
    ada.save(new, "summary = \"Club\"\n", &Value::Null).ok();
    assert_eq!(served.site.read(new), "summary = \"Club\"\n");
    ada.save("content/calendars/Bad Name/calendar.toml", "summary = \"x\"\n", &Value::Null)
        .error(400);
    assert!(!served.site.exists("content/calendars/Bad Name"));
}

#[test]
fn an_invalid_file_is_listed_and_can_be_fixed() {
    let broken = "+++\nid = \"fair\"\nsummary = \"Fair\"\nstart = \"soon\"\n+++\n";
    let path = "content/calendars/walks/fair.md";
    let served = serve(sample_site().with(path, broken));
    let ada = person(&served);
    let listed = days(&ada, "2026-10-01", "2026-11-01");
    let fault = &listed["faults"][0];
    assert_eq!((&fault["file"], &fault["line"]), (&json!(path), &json!(4)), "{listed}");
    let opened = ada.open(path);
    assert_eq!(opened["values"]["start"], "soon");
    assert!(opened["problems"][0]["message"].as_str().unwrap().contains("`start`"));
    ada.save(path, &broken.replace("\"soon\"", "2026-10-02"), &opened["version"]).ok();
    let mended = days(&ada, "2026-10-01", "2026-11-01");
    assert_eq!(mended["faults"], json!([]));
    assert!(report(&mended).contains(&format!("2026-10-02 2026-10-02 – confirmed {path}")));
}

/// The next times that a preview tells.
fn preview_times(served: &Served, path: &str, text: &str) -> Value {
    let made = person(served).ask("preview", &json!({ "path": path, "text": text }));
    made.ok()["times"].clone()
}

#[test]
fn an_event_preview_shows_the_home_page_and_upcoming_times() {
    let served = serve(sample_site());
    let ada = person(&served);
    let before = served.files();
    let text = CLUB_TEXT.replace("2026-", "2126-").replace("Club", "Late club");
    let made = ada.ask("preview", &json!({ "path": CLUB, "text": text })).ok();
    let page = served.get(&format!("/_edit/{}", made["address"].as_str().unwrap()));
    assert!(page.header("content-security-policy").unwrap().starts_with("sandbox "));
    let told = &made["times"];
    assert_eq!(
        (&told["zone"], &told["is_series"], &told["is_public"], &told["is_over"]),
        (&json!("Europe/Berlin"), &json!(true), &json!(true), &json!(false))
    );
    // It is the same day of the week in another year, and the one that was called off is one of 2026.
    assert_eq!(
        told["times"][0],
        json!({ "first": "2126-10-08", "last": "2126-10-08", "start": "20:00", "end": "22:00", "status": "confirmed" })
    );
    assert_eq!(told["times"].as_array().unwrap().len(), 6);
    assert_eq!(told["faults"], json!([]));
    let soon = jiff::Zoned::now().checked_add(jiff::Span::new().days(2)).unwrap().date();
    let next = format!("+++\nid = \"next\"\nsummary = \"What comes next\"\nstart = {soon}\n+++\n");
    let made = ada
        .ask("preview", &json!({ "path": "content/calendars/walks/next.md", "text": next }))
        .ok();
    let page = served.get(&format!("/_edit/{}", made["address"].as_str().unwrap()));
    assert!(page.text().contains("id=\"theme-upcoming\""));
    assert!(page.text().contains("What comes next"));
    // One of a series is itself alone, and what is wrong between files is told.
    let off = "content/calendars/walks/off.md";
    let own = served.site.read(off);
    let told = preview_times(&served, off, &own);
    assert_eq!(
        (told["times"].as_array().unwrap().len(), &told["times"][0]["status"]),
        (1, &json!("cancelled"))
    );
    let told = preview_times(&served, off, &own.replace("10-22", "10-23"));
    assert!(told["faults"][0]["help"].as_str().unwrap().contains("did you mean"), "{told}");
    ada.ask("preview", &json!({ "path": CLUB, "text": "+++\nstart = 1\n+++\n" })).error(400);
    ada.ask("preview", &json!({ "path": TOML, "text": TOML_TEXT })).error(400);
    assert_eq!(served.files(), before);
}

#[test]
fn only_calendar_files_are_opened_and_agents_see_none() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("x.md"), "secret").unwrap();
    let served = serve(sample_site());
    std::os::unix::fs::symlink(outside.path(), served.site.path("content/calendars/walks/out"))
        .unwrap();
    let ada = person(&served);
    for path in [
        "content/calendars/walks/out/x.md",
        "content/calendars/../x.md",
        "content/calendars/walks/.x.md",
        "content/calendars/walks/x.toml",
        "content/calendars/calendar.toml.md/../../../site.toml",
        "content/calendar.toml",
    ] {
        for operation in ["open", "save", "remove"] {
            let asked =
                json!({ "path": path, "text": "+++\nstart = 2026-10-01\n+++\n", "version": null });
            let reply = ada.ask(operation, &asked);
            assert!((400..500).contains(&reply.status), "{operation} {path}: {}", reply.text());
            assert!(!reply.text().contains("secret"), "{operation} {path}");
        }
    }
    assert_eq!(fs::read_to_string(outside.path().join("x.md")).unwrap(), "secret");
    for (name, arguments) in [
        ("read", json!({ "file": CLUB })),
        ("read", json!({ "file": TOML })),
        ("preview", json!({ "file": CLUB })),
        (
            "propose_edit",
            json!({ "file": CLUB, "version": ada.open(CLUB)["version"], "text": CLUB_TEXT, "reason": "x" }),
        ),
    ] {
        let called = ada.ask("call", &json!({ "name": name, "arguments": arguments }));
        let text = called.text();
        assert!(
            !text.contains("Bring a coat") && !text.contains("Europe/Berlin"),
            "{name}: {text}"
        );
        assert!(text.contains("not an item or a page"), "{name}: {text}");
    }
    assert_eq!(served.site.read(CLUB), CLUB_TEXT);
}

/// A day of 2026.
fn day_of_2026(number: i32) -> jiff::civil::Date {
    jiff::civil::date(2026, 1, 1).checked_add(jiff::Span::new().days(number)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Two spans side by side tell what the span of both tells: nothing is lost between two months, and what lasts
    /// over their border is in both.
    #[test]
    fn adjacent_date_ranges_equal_one_range(from in 0i32..340, first in 1i32..31, second in 1i32..31) {
        thread_local! {
            static SERVED: Served = serve(
                sample_site()
                    .with("content/calendars/walks/blink.md", "+++\nid = \"blink\"\nstart = 2026-02-01T00:00:00\nend = 2026-02-01T00:00:00\nrecurrence = [\"RRULE:FREQ=DAILY\"]\n+++\n")
                    .with("content/calendars/walks/night.md", "+++\nid = \"night\"\nstart = { dateTime = 2026-01-03T22:00:00, timeZone = \"America/New_York\" }\nend = { dateTime = 2026-01-05T03:00:00, timeZone = \"America/New_York\" }\nrecurrence = [\"RRULE:FREQ=DAILY;INTERVAL=5\"]\n+++\n")
                    .with("content/calendars/walks/week.md", "+++\nid = \"week\"\nstart = 2026-01-28\nend = 2026-02-04\nrecurrence = [\"RRULE:FREQ=MONTHLY\"]\n+++\n")
                    .with("content/calendars/pacific/calendar.toml", "timeZone = \"Pacific/Kiritimati\"\n")
                    .with("content/calendars/pacific/early.md", "+++\nid = \"early\"\nstart = 2026-01-01T00:00:00\nrecurrence = [\"RRULE:FREQ=WEEKLY;BYDAY=MO,SU\"]\n+++\n"),
            );
        }
        SERVED.with(|served| {
            let ada = person(served);
            let [from, middle, until] = [from, from + first, from + first + second].map(|number| day_of_2026(number).to_string());
            let (one, other, both) = (days(&ada, &from, &middle), days(&ada, &middle, &until), days(&ada, &from, &until));
            prop_assert_eq!(&report(&one) | &report(&other), report(&both));
            for entry in both["entries"].as_array().unwrap() {
                prop_assert!(entry["first"].as_str().unwrap() < until.as_str() && entry["last"].as_str().unwrap() >= from.as_str(), "{}", entry);
            }
            // Each day has the moment that takes no time.
            let blinks = both["entries"].as_array().unwrap().iter().filter(|one| one["path"] == "content/calendars/walks/blink.md");
            let days_of_it = (0..420).map(|number| day_of_2026(number).to_string()).filter(|own| *own >= from && *own < until && own.as_str() >= "2026-02-01");
            prop_assert_eq!(blinks.count(), days_of_it.count());
            Ok(())
        })?;
    }
}
