//! Calendars as iCalendar documents: `/calendar.ics` and `/calendars/<id>.ics`.

use serde_json::Value;

use crate::support::git::git_at;
use crate::support::served::{KEY, serve};
use crate::support::small_site::{self, SmallSite};

const CALENDAR: &str = "summary = \"Shows; live\"\ndescription = \"Every show.\"\ntimeZone = \"Europe/Berlin\"\n\
    defaultReminders = [{ method = \"popup\", minutes = 10 }, { method = \"email\", minutes = 60 }]\n";

/// When the events of these tests say that they were last changed.
const UPDATED: &str = "updated = 2026-01-02T03:04:05Z\n";

fn site() -> SmallSite {
    small_site::site().with("content/calendars/shows/calendar.toml", CALENDAR)
}

trait Events {
    /// Adds an event of the calendar `shows`.
    fn event(self, id: &str, front: &str, body: &str) -> Self;
}

impl Events for SmallSite {
    fn event(self, id: &str, front: &str, body: &str) -> Self {
        let text = format!("+++\nid = \"{id}\"\n{UPDATED}{front}+++\n{body}");
        self.with(&format!("content/calendars/shows/{id}.md"), text)
    }
}

/// Berlin, 20:00 of a day.
fn evening_time(day: &str) -> String {
    format!("{{ dateTime = \"{day}T20:00\", timeZone = \"Europe/Berlin\" }}")
}

/// The lines of the events in `/calendar.ics`, unfolded.
fn events(site: &SmallSite) -> String {
    site.built();
    let text = site.read("public/calendar.ics");
    let start = text.find("BEGIN:VEVENT").unwrap();
    text[start..].replace("\r\n ", "").replace("\r\n", "\n")
}

#[test]
fn every_event_field_is_written_to_ics() {
    let site = site().event(
        "first",
        &format!(
            "summary = \"One, two; three\"\nstart = {}\nend = {}\nlocation = \"Berlin, Mitte\"\n\
             created = 2025-12-31T00:00:00Z\nstatus = \"tentative\"\ntransparency = \"transparent\"\nvisibility = \"public\"\n\
             organizer = {{ email = \"me@example.com\", displayName = \"Me: \\\"I\\\"\" }}\n\
             attendees = [{{ email = \"ada@example.com\", displayName = \"Ada\" }}]\n\
             live = {{ link = \"https://example.com/live\", contentLinks = [{{ href = \"https://tube.example/1\", text = \"Tube\" }}] }}\n",
            evening_time("2026-11-20"),
            evening_time("2026-11-21"),
        ),
        "Some *text*.\n\nMore of [it](/about/).\n",
    );
    insta::assert_snapshot!(events(&site), @r#"
    BEGIN:VEVENT
    UID:first@example.com
    DTSTAMP:20260102T030405Z
    CREATED:20251231T000000Z
    LAST-MODIFIED:20260102T030405Z
    SEQUENCE:189486245
    DTSTART;TZID=Europe/Berlin:20261120T200000
    DTEND;TZID=Europe/Berlin:20261121T200000
    STATUS:TENTATIVE
    TRANSP:TRANSPARENT
    CLASS:PUBLIC
    SUMMARY:One\, two\; three
    DESCRIPTION:Some text.\nMore of it.
    X-ALT-DESC;FMTTYPE=text/html:<p>Some <em>text</em>.</p>\n<p>More of <a href="https://example.com/about/">it</a>.</p>
    LOCATION:Berlin\, Mitte
    URL:https://example.com/live
    CONFERENCE;VALUE=URI;LABEL=Tube:https://tube.example/1
    ORGANIZER;CN="Me: ^'I^'":mailto:me@example.com
    BEGIN:VALARM
    ACTION:DISPLAY
    DESCRIPTION:One\, two\; three
    TRIGGER:-PT10M
    END:VALARM
    END:VEVENT
    END:VCALENDAR
    "#);
}

#[test]
fn calendar_properties_are_written_to_ics() {
    let site = site().event(
        "day",
        "summary = \"Day\"\nstart = \"2026-12-24\"\nend = \"2026-12-27\"\n",
        "",
    );
    site.built();
    let one = site.read("public/calendars/shows.ics").replace("\r\n", "\n");
    insta::assert_snapshot!(one, @r"
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:-//feedwright//feedwright 0.1.0//EN
    CALSCALE:GREGORIAN
    NAME:Shows\; live
    X-WR-CALNAME:Shows\; live
    DESCRIPTION:Every show.
    X-WR-CALDESC:Every show.
    X-WR-TIMEZONE:Europe/Berlin
    URL:https://example.com/
    SOURCE;VALUE=URI:https://example.com/calendars/shows.ics
    LAST-MODIFIED:20260102T030405Z
    REFRESH-INTERVAL;VALUE=DURATION:PT4H
    X-PUBLISHED-TTL:PT4H
    BEGIN:VEVENT
    UID:day@example.com
    DTSTAMP:20260102T030405Z
    LAST-MODIFIED:20260102T030405Z
    SEQUENCE:189486245
    DTSTART;VALUE=DATE:20261224
    DTEND;VALUE=DATE:20261227
    STATUS:CONFIRMED
    SUMMARY:Day
    BEGIN:VALARM
    ACTION:DISPLAY
    DESCRIPTION:Day
    TRIGGER:-PT10M
    END:VALARM
    END:VEVENT
    END:VCALENDAR
    ");
    let all = site.read("public/calendar.ics");
    for line in [
        "NAME:A small site\r\n",
        "X-WR-CALDESC:Its description.\r\n",
        "X-WR-TIMEZONE:UTC\r\n",
        "SOURCE;VALUE=URI:https://example.com/calendar.ics\r\n",
    ] {
        assert!(all.contains(line), "{line}");
    }
}

#[test]
fn a_series_is_written_with_its_exceptions() {
    let instance = |day: &str, more: &str| {
        format!("recurringEventId = \"weekly\"\noriginalStartTime = {}\n{more}", evening_time(day))
    };
    let site = site()
        .event(
            "weekly",
            &format!(
                "summary = \"Weekly\"\nstart = {}\nsequence = 3\n\
                 recurrence = [\"rrule:freq=weekly;byday=fr;until=20270101t000000z\", \"RDATE:20261201T190000Z\", \"EXDATE;TZID=America/New_York:20261204T140000\"]\n",
                evening_time("2026-11-20")
            ),
            "",
        )
        .event("moved", &instance("2026-11-27", "start = { dateTime = \"2026-11-28T15:00\", timeZone = \"America/New_York\" }\nsummary = \"Moved\"\n"), "")
        .event("off", &instance("2026-12-11", "status = \"cancelled\"\n"), "")
        .event("secret", &instance("2026-12-18", "visibility = \"private\"\nsummary = \"Secret\"\n"), "");
    let text = events(&site);
    insta::assert_snapshot!(text, @"
    BEGIN:VEVENT
    UID:weekly@example.com
    DTSTAMP:20260102T030405Z
    LAST-MODIFIED:20260102T030405Z
    SEQUENCE:3
    DTSTART;TZID=Europe/Berlin:20261120T200000
    DTEND;TZID=Europe/Berlin:20261120T210000
    RRULE:FREQ=WEEKLY;UNTIL=20270101T000000Z;BYDAY=FR
    RDATE;TZID=Europe/Berlin:20261201T200000
    EXDATE;TZID=Europe/Berlin:20261204T200000
    EXDATE;TZID=Europe/Berlin:20261218T200000
    STATUS:CONFIRMED
    SUMMARY:Weekly
    BEGIN:VALARM
    ACTION:DISPLAY
    DESCRIPTION:Weekly
    TRIGGER:-PT10M
    END:VALARM
    END:VEVENT
    BEGIN:VEVENT
    UID:weekly@example.com
    DTSTAMP:20260102T030405Z
    LAST-MODIFIED:20260102T030405Z
    SEQUENCE:189486245
    RECURRENCE-ID;TZID=Europe/Berlin:20261127T200000
    DTSTART;TZID=America/New_York:20261128T150000
    DTEND;TZID=America/New_York:20261128T160000
    STATUS:CONFIRMED
    SUMMARY:Moved
    BEGIN:VALARM
    ACTION:DISPLAY
    DESCRIPTION:Moved
    TRIGGER:-PT10M
    END:VALARM
    END:VEVENT
    BEGIN:VEVENT
    UID:weekly@example.com
    DTSTAMP:20260102T030405Z
    LAST-MODIFIED:20260102T030405Z
    SEQUENCE:189486245
    RECURRENCE-ID;TZID=Europe/Berlin:20261211T200000
    DTSTART;TZID=Europe/Berlin:20261211T200000
    DTEND;TZID=Europe/Berlin:20261211T210000
    STATUS:CANCELLED
    SUMMARY:Weekly
    END:VEVENT
    END:VCALENDAR
    ");
    assert!(!site.read("public/calendar.ics").contains("Secret"));
}

#[test]
fn private_events_are_never_published() {
    let site = site()
        .event("a", "summary = \"Hidden\"\nstart = \"2026-12-24\"\nvisibility = \"private\"\n", "")
        .event(
            "b",
            "summary = \"Hidden\"\nstart = \"2026-12-24\"\nvisibility = \"confidential\"\n",
            "",
        )
        .with("content/calendars/own/calendar.toml", "public = false\n")
        .with(
            "content/calendars/own/c.md",
            "+++\nsummary = \"Hidden\"\nstart = \"2026-12-24\"\n+++\n",
        );
    site.built();
    // Nothing is left to publish: there is no calendar, and no page names one.
    for (path, bytes) in site.output() {
        assert!(!path.ends_with(".ics"), "{path}");
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("Hidden") && !text.contains(".ics"), "{path}");
    }
    // One of a private series may be public: it is an event of its own.
    let site = site
        .event("c", &format!("summary = \"Hidden\"\nstart = {}\nvisibility = \"private\"\nrecurrence = [\"RRULE:FREQ=DAILY\"]\n", evening_time("2026-11-20")), "")
        .event("open", &format!("recurringEventId = \"c\"\noriginalStartTime = {}\nvisibility = \"public\"\nsummary = \"Open day\"\n", evening_time("2026-11-22")), "");
    let text = events(&site);
    assert!(text.contains("UID:c_20261122T190000Z@example.com\n"), "{text}");
    assert!(
        !text.contains("Hidden") && !text.contains("RECURRENCE-ID") && !text.contains("RRULE"),
        "{text}"
    );
}

#[test]
fn uids_do_not_depend_on_the_preview_address() {
    let site = site().event("a", "start = \"2026-12-24\"\n", "").event(
        "b",
        "start = \"2026-12-25\"\niCalUID = \"elsewhere-1\"\n",
        "",
    );
    let mut options = site.options();
    options.base_url = Some("http://127.0.0.1:8000".into());
    feedwright::builder::run(&options, &feedwright::builder::Silent).unwrap();
    let text = site.read("public/calendar.ics");
    assert!(
        text.contains("UID:a@example.com\r\n") && text.contains("UID:elsewhere-1\r\n"),
        "{text}"
    );
}

#[test]
fn pages_and_host_files_mention_existing_calendars() {
    let hosting =
        "base_url = \"https://example.com\"\n[hosting]\ntargets = [\"netlify\", \"nginx\"]\n";
    let site = site().item("+++\ntitle = \"A\"\n+++\n").with("site.toml", hosting);
    site.built();
    let has = |path: &str, what: &str| site.read(path).contains(what);
    let link = "<link rel=\"alternate\" type=\"text/calendar\" title=\"A small site (calendar)\" href=\"https://example.com/calendar.ics\">";
    let item = site.output().into_keys().find(|path| path.starts_with("i/a-")).unwrap();
    let item = format!("public/{item}");
    assert!(!has("public/index.html", link) && !has("public/_headers", "calendar"));
    site.write("content/calendars/shows/a.md", "+++\nstart = \"2026-12-24\"\n+++\n");
    site.built();
    assert!(has("public/index.html", link) && has(&item, link));
    assert!(
        has("public/_headers", "/calendar.ics\n")
            && has("public/_headers", "text/calendar; charset=utf-8")
    );
    assert!(has("public/feedwright.nginx.conf", "text/calendar"));
}

#[test]
fn headless_sites_publish_calendars_and_offline_sites_do_not() {
    for (access, has) in [("headless", true), ("offline", false)] {
        let site = site()
            .with(
                "site.toml",
                format!("base_url = \"https://example.com\"\naccess = \"{access}\"\n"),
            )
            .event("a", "start = \"2026-12-24\"\n", "");
        site.built();
        assert_eq!(site.exists("public/calendar.ics"), has, "{access}");
        assert_eq!(site.exists("public/calendars/shows.ics"), has, "{access}");
    }
}

#[test]
fn links_in_an_event_body_are_resolved() {
    let site = site()
        .with("content/items/a.md", "+++\nid = \"a\"\nslug = \"item\"\ntitle = \"A\"\n+++\n")
        .event(
            "e",
            "summary = \"E\"\nstart = \"2026-12-24\"\n",
            "[It](../../items/a.md) and [nothing](/nowhere/).\n",
        );
    let warnings = site.built().warnings;
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert_eq!(warnings[0].message, "broken link: the site has nothing at /nowhere/");
    let html = "X-ALT-DESC;FMTTYPE=text/html:<p><a href=\"https://example.com/i/item/\">It</a>";
    assert!(events(&site).contains(html));
}

/// Runs git in a folder as someone with a name, at a time.
/// The stamps and numbers of the event with this id.
fn revision(site: &SmallSite, id: &str) -> (String, u32) {
    let text = events(site);
    let event = &text[text.find(&format!("UID:{id}@")).unwrap()..];
    let value = |name: &str| {
        let line = event.lines().find_map(|line| line.strip_prefix(name));
        line.unwrap().to_owned()
    };
    assert_eq!(value("DTSTAMP:"), value("LAST-MODIFIED:"));
    (value("DTSTAMP:"), value("SEQUENCE:").parse().unwrap())
}

/// What the API says of the revisions of the primary calendar's events, by id.
fn api_revisions(site: SmallSite) -> Vec<(String, String, u64)> {
    let served = serve(site);
    let key = format!("Bearer {KEY}");
    let path = "/calendar/v3/calendars/primary/events";
    let answer = served.send("GET", path, &[("authorization", &key)], b"");
    let text = |one: &Value, name: &str| one[name].as_str().unwrap().to_owned();
    let items = answer.ok()["items"].as_array().unwrap().clone();
    let told = items.iter().map(|one| {
        let sequence = one["sequence"].as_u64().unwrap();
        (text(one, "id"), text(one, "updated"), sequence)
    });
    told.collect()
}

#[test]
fn the_api_of_a_clone_has_the_revisions_of_the_ics() {
    let site = small_site::site().with(".gitignore", "public\n.feedwright\n");
    let site = site.with(
        "content/calendars/shows/w.md",
        "+++\nid = \"w\"\nstart = 2026-11-20\nrecurrence = [\"RRULE:FREQ=WEEKLY\"]\n+++\n",
    );
    git_at(site.root(), "", &["init", "-q"]);
    git_at(site.root(), "", &["add", "-A"]);
    git_at(site.root(), "2026-02-01T00:00:00Z", &["commit", "-qm", "Series"]);
    site.write(
        "content/calendars/shows/one.md",
        "+++\nrecurringEventId = \"w\"\noriginalStartTime = 2026-11-27\nsummary = \"One\"\n+++\n",
    );
    git_at(site.root(), "", &["add", "-A"]);
    git_at(site.root(), "2026-02-01T00:00:10Z", &["commit", "-qm", "One"]);
    let elsewhere = small_site::bare();
    let from = site.root().display().to_string();
    git_at(elsewhere.root(), "", &["clone", "-q", &from, "."]);
    let text = events(&elsewhere);
    let sequences: Vec<&str> =
        text.lines().filter_map(|line| line.strip_prefix("SEQUENCE:")).collect();
    assert_eq!(sequences, ["192067200", "192067210"]);
    assert_eq!(
        api_revisions(elsewhere),
        [
            ("w".into(), "2026-02-01T00:00:00.000Z".into(), 192_067_200),
            ("w_20261127".into(), "2026-02-01T00:00:10.000Z".into(), 192_067_210),
        ]
    );
}

#[test]
fn revisions_come_from_git_and_increase_with_changes() {
    let event =
        |name: &str| format!("+++\nid = \"{name}\"\nstart = {}\n+++\n", evening_time("2026-11-20"));
    let site = small_site::site()
        .with("content/calendars/shows/a.md", event("a"))
        .with("content/calendars/shows/b.md", event("b"))
        .with(".gitignore", "public\n.feedwright\n");
    git_at(site.root(), "", &["init", "-q"]);
    let commit = |time: &str| {
        git_at(site.root(), time, &["add", "-A"]);
        git_at(site.root(), time, &["commit", "-qm", "Change"]);
    };
    commit("2026-02-01T00:00:00Z");
    assert_eq!(revision(&site, "a"), ("20260201T000000Z".into(), 192_067_200));
    // A change that is not committed is as new as its file.
    site.write("content/calendars/shows/a.md", event("a") + "More.\n");
    let (_, changed) = revision(&site, "a");
    assert!(changed > 192_067_200);
    assert_eq!(revision(&site, "b").1, 192_067_200);
    commit("2031-03-01T00:00:00Z");
    // What is built elsewhere says the same.
    let elsewhere = small_site::bare();
    let from = site.root().display().to_string();
    git_at(elsewhere.root(), "", &["clone", "-q", &from, "."]);
    assert_eq!(revision(&elsewhere, "a").0, "20310301T000000Z");
    assert_eq!(revision(&elsewhere, "b").0, "20260201T000000Z");
    assert_eq!(
        site.read("content/calendars/shows/a.md"),
        elsewhere.read("content/calendars/shows/a.md")
    );
    // The zone of a calendar decides when its events are, unless they name their own.
    site.write("content/calendars/shows/calendar.toml", "timeZone = \"Asia/Tokyo\"\n");
    site.write(
        "content/calendars/shows/c.md",
        "+++\nid = \"c\"\nstart = \"2026-11-20T20:00\"\n+++\n",
    );
    commit("2032-01-01T00:00:00Z");
    site.write("content/calendars/shows/calendar.toml", "timeZone = \"Europe/Berlin\"\n");
    commit("2033-01-01T00:00:00Z");
    site.remove("public");
    git_at(elsewhere.root(), "", &["pull", "-q"]);
    assert_eq!(revision(&elsewhere, "a").0, "20310301T000000Z");
    assert_eq!(revision(&elsewhere, "c").0, "20330101T000000Z");
}
