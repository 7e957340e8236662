//! `feedwright new event`, and `check --fix` on calendars.

use crate::support::small_site::{SmallSite, feedwright};

use super::{SERIES, instance};

/// A site with an address of its own: nothing is to be said of it.
fn site() -> SmallSite {
    crate::support::small_site::site().with("site.toml", "base_url = \"https://walks.example\"\n")
}

fn calendars(files: &[(&str, &str)]) -> SmallSite {
    super::calendars(files).with("site.toml", site().read("site.toml"))
}

fn new_event(site: &SmallSite, arguments: &[&str]) -> (i32, String, String) {
    feedwright(site, &[&["new", "event"], arguments].concat())
}

/// A site whose one calendar keeps Berlin's time.
fn berlin_site() -> SmallSite {
    calendars(&[("walks/calendar.toml", "timeZone = \"Europe/Berlin\"\n")])
}

/// The front matter of the event that was made, its id left out; the site has nothing wrong.
fn create_event(site: &SmallSite, arguments: &[&str]) -> (String, String) {
    let (code, path, messages) = new_event(site, arguments);
    assert_eq!(code, 0, "{messages}");
    assert_eq!(messages, "", "{arguments:?}");
    let checked = feedwright(site, &["check"]);
    assert_eq!((checked.0, checked.2.as_str()), (0, "0 errors and 0 warnings"));
    let text = site.read(&path);
    let front = text.strip_prefix("+++\nid = \"").unwrap();
    let front = front.strip_suffix("+++\n\n").unwrap();
    let (id, rest) = front.split_once("\"\n").unwrap();
    assert_eq!(id.len(), 11);
    (path, rest.to_owned())
}

#[test]
fn a_new_event_has_minimal_front_matter() {
    let site = berlin_site();
    let cases: [(&[&str], &str, &str); 9] = [
        (
            &["Harbour walk", "--start", "2026-11-20"],
            "2026-11-20-harbour-walk",
            "summary = \"Harbour walk\"\nstart = 2026-11-20\n",
        ),
        (
            &["Week off", "--start", "2026-11-20", "--duration", "1w"],
            "2026-11-20-week-off",
            "summary = \"Week off\"\nstart = 2026-11-20\nend = 2026-11-27\n",
        ),
        (
            &[
                "A \"talk\"", "--start", "2026-11-20 20:00", "--duration", "1h30m", "--location",
                "Pier 4",
            ],
            "2026-11-20-a-talk",
            "summary = \"A \\\"talk\\\"\"\nstart = 2026-11-20T20:00:00\nend = 2026-11-20T21:30:00\nlocation = \"Pier 4\"\n",
        ),
        (
            &["Late", "--start", "2026-11-20T23:00", "--end", "2026-11-21T01:00"],
            "2026-11-20-late",
            "summary = \"Late\"\nstart = 2026-11-20T23:00:00\nend = 2026-11-21T01:00:00\n",
        ),
        (
            &[
                "Abroad", "--start", "2026-11-20 20:00", "--zone", "America/New_York",
                "--duration", "45m",
            ],
            "2026-11-20-abroad",
            "summary = \"Abroad\"\nstart = { dateTime = 2026-11-20T20:00:00, timeZone = \"America/New_York\" }\n\
             end = { dateTime = 2026-11-20T20:45:00, timeZone = \"America/New_York\" }\n",
        ),
        (
            // The hour that clocks in Berlin show twice.
            &["Night", "--start", "2026-10-25T01:30:00Z", "--duration", "15m"],
            "2026-10-25-night",
            "summary = \"Night\"\nstart = 2026-10-25T02:30:00+01:00\nend = 2026-10-25T02:45:00+01:00\n",
        ),
        (
            &["Club", "--start", "2026-11-20 20:00", "--repeat", "weekly"],
            "club",
            "summary = \"Club\"\nstart = 2026-11-20T20:00:00\nrecurrence = [\"RRULE:FREQ=WEEKLY\"]\n",
        ),
        (
            &["Last Friday", "--start", "2026-11-27", "--repeat", "FREQ=MONTHLY;BYDAY=-1FR"],
            "last-friday",
            "summary = \"Last Friday\"\nstart = 2026-11-27\nrecurrence = [\"RRULE:FREQ=MONTHLY;BYDAY=-1FR\"]\n",
        ),
        (
            &["On air", "--start", "2026-11-20 20:00", "--live", "https://example.com/live"],
            "2026-11-20-on-air",
            "summary = \"On air\"\nstart = 2026-11-20T20:00:00\n\n[[live.contentLinks]]\nhref = \"https://example.com/live\"\n",
        ),
    ];
    for (arguments, name, front) in cases {
        let path = format!("content/calendars/walks/{name}.md");
        assert_eq!(create_event(&site, arguments), (path, front.to_owned()));
    }
}

#[test]
fn a_new_event_uses_the_named_primary_or_only_calendar() {
    let two = [("walks/calendar.toml", ""), ("club/calendar.toml", "primary = true\n")];
    let site = calendars(&two);
    let start = ["--start", "2026-11-20"];
    let (path, _) = create_event(&site, &[&["A"], &start[..]].concat());
    assert_eq!(path, "content/calendars/club/2026-11-20-a.md");
    let (path, _) = create_event(&site, &[&["A", "--calendar", "walks"], &start[..]].concat());
    assert_eq!(path, "content/calendars/walks/2026-11-20-a.md");
    site.write("content/calendars/club/calendar.toml", "");
    let (code, path, messages) = new_event(&site, &[&["B"], &start[..]].concat());
    assert_eq!((code, path.as_str()), (2, ""));
    assert_eq!(
        messages,
        "error: no calendar is marked as primary: choose one with --calendar (club, walks), or write `primary = true` in its calendar.toml"
    );
}

#[test]
fn the_first_event_creates_a_calendar() {
    for (named, id, summary) in
        [(None, "events", "Events"), (Some("book-club"), "book-club", "Book club")]
    {
        let site = site().with(
            "site.toml",
            "base_url = \"https://walks.example\"\ntimezone = \"Europe/Berlin\"\n",
        );
        let mut arguments = vec!["Walk"];
        arguments.extend(named.iter().flat_map(|named| ["--calendar", *named]));
        let (code, path, messages) = new_event(&site, &arguments);
        assert_eq!(code, 0, "{messages}");
        assert!(
            messages.starts_with(&format!(
                "created the calendar content/calendars/{id}\nthe event starts at 20"
            )),
            "{messages}"
        );
        assert!(
            messages.ends_with(":00; to change the time, edit `start` in the file"),
            "{messages}"
        );
        assert_eq!(
            site.read(&format!("content/calendars/{id}/calendar.toml")),
            format!("summary = \"{summary}\"\ntimeZone = \"Europe/Berlin\"\n")
        );
        assert!(
            path.starts_with(&format!("content/calendars/{id}/20")) && path.ends_with("-walk.md"),
            "{path}"
        );
        assert_eq!(feedwright(&site, &["check"]).2, "0 errors and 0 warnings");
    }
}

#[test]
fn invalid_arguments_are_errors_and_nothing_is_written() {
    let cases: [(&[&str], &str); 13] = [
        (
            &["--start", "tomorrow"],
            "`start` is not a date or time: \"tomorrow\"; write a date like 2026-11-20, or a date and time like 2026-11-20T20:00 with `timeZone` next to it",
        ),
        (
            &["--start", "2026-11-20 20:00", "--end", "2026-11-20 19:00"],
            "this event ends before it starts; change `start` or `end`",
        ),
        (
            &["--start", "2026-11-20", "--end", "2026-11-20 19:00"],
            "`start` and `end` must both be dates, or both have a time; write both with a time, or both without",
        ),
        (
            &["--zone", "Berlin"],
            "there is no time zone \"Berlin\"; did you mean \"Europe/Berlin\"?",
        ),
        (
            &["--start", "2026-11-20", "--zone", "Mars"],
            "there is no time zone \"Mars\"; write a name of the IANA time zone database, such as UTC, Europe/Berlin or America/New_York",
        ),
        (
            &["--duration", "soon"],
            "--duration must be a duration such as 1h30m, 90m or 2d, not \"soon\"",
        ),
        (&["--duration=-1h"], "--duration must be positive, not \"-1h\""),
        (&["--duration", "0s"], "--duration must be positive, not \"0s\""),
        (
            &["--start", "2026-11-20", "--duration", "1h"],
            "--duration must be whole days, such as 2d, because the event starts on a day without a time, not \"1h\"",
        ),
        (
            &["--start", "2026-11-20", "--duration", "9000y"],
            "--duration must be whole days, such as 2d, because the event starts on a day without a time, not \"9000y\"",
        ),
        (
            &["--repeat", "fortnightly"],
            "`recurrence` has a line that is neither a rule nor a date; write it like RRULE:FREQ=WEEKLY;BYDAY=MO, or EXDATE:20261225T190000Z",
        ),
        (
            &["--calendar", "../walks"],
            "\"../walks\" is not a valid calendar id: use 1 to 64 of the characters a–z, 0–9, `-` and `_`",
        ),
        (
            &["--live", "example"],
            "`live.contentLinks.href` is not a URL: \"example\"; write the full URL, starting with https:// or http://",
        ),
    ];
    for (arguments, message) in cases {
        let site = site();
        let (code, path, messages) = new_event(&site, &[&["Walk"], arguments].concat());
        assert_eq!((code, path.as_str()), (2, ""), "{arguments:?}");
        assert!(messages.starts_with(&format!("error: {message}")), "{arguments:?}: {messages}");
        assert!(!site.exists("content/calendars"), "{arguments:?}");
    }
    let site = berlin_site();
    let (code, _, messages) = new_event(&site, &["Walk", "--calendar", "walk"]);
    assert_eq!(code, 2);
    assert_eq!(
        messages,
        "error: there is no calendar \"walk\"; the calendars are walks; to add one, create a folder in content/calendars/"
    );
    site.write("content/calendars/walks/calendar.toml", "timeZone = 5\n");
    let (code, _, messages) = new_event(&site, &["Walk"]);
    assert_eq!(code, 1);
    assert!(messages.contains("content/calendars/walks/calendar.toml:1:12"), "{messages}");
    let (start, twice) = (["Walk", "--start", "2026-11-20"], berlin_site());
    assert_eq!(new_event(&twice, &start).0, 0);
    let (code, _, messages) = new_event(&twice, &start);
    assert_eq!(code, 2);
    assert_eq!(
        messages,
        "error: content/calendars/walks/2026-11-20-walk.md already exists; choose another title"
    );
}

#[test]
fn an_ambiguous_time_is_a_warning_and_the_file_is_written() {
    let site = berlin_site();
    let messages = |arguments: &[&str]| {
        let (code, path, messages) = new_event(&site, arguments);
        assert_eq!(code, 0, "{messages}");
        (path, messages)
    };
    // Clocks in Berlin skip this time; what the file has is the time that they show.
    let (path, skipped) = messages(&["Gap", "--start", "2027-03-28 02:30"]);
    assert_eq!(
        skipped,
        "warning: clocks in Europe/Berlin skip 2027-03-28 02:30: 03:30 is used instead"
    );
    assert!(site.read(&path).contains("start = 2027-03-28T03:30:00\n"));
    let (path, twice) = messages(&["Night", "--start", "2026-10-25 02:30"]);
    assert!(twice.starts_with("warning: clocks in Europe/Berlin show 2026-10-25 02:30 twice"));
    assert!(!twice.contains('\n'), "{twice}");
    let first = "start = 2026-10-25T02:30:00+02:00\n";
    assert!(site.read(&path).contains(first));
    let (path, nameless) = messages(&["", "--start", "2026-11-20"]);
    assert!(nameless.starts_with("warning[event]: this event has no `summary`"));
    assert!(nameless.contains(&path), "{path}: {nameless}");
}

#[test]
fn check_fix_writes_derived_event_ids() {
    let series = SERIES.replace("id = \"club\"\n", "");
    let instance = instance("originalStartTime = 2026-11-27T20:00:00");
    let site = calendars(&[
        ("club/club.md", SERIES),
        ("club/a.md", &series),
        ("club/instance.md", &instance),
    ]);
    let (code, _, messages) = feedwright(&site, &["check", "--fix"]);
    assert_eq!(code, 0);
    assert!(messages.starts_with("content/calendars/club/a.md: added `id` \""), "{messages}");
    assert!(messages.ends_with("\n1 file was fixed\n0 errors and 0 warnings"), "{messages}");
    let text = site.read("content/calendars/club/a.md");
    let line = text.lines().nth(1).unwrap();
    assert!(
        line.starts_with("id = \"") && text.replacen(&format!("{line}\n"), "", 1) == series,
        "{text}"
    );
    assert_eq!(site.read("content/calendars/club/instance.md"), instance);
    assert_eq!(
        feedwright(&site, &["check", "--fix"]).2,
        "0 files were fixed\n0 errors and 0 warnings"
    );
}

#[test]
fn an_event_can_be_created_in_a_show() {
    let site = site().with("shows/walks/channel.md", "+++\ntitle = \"Walks\"\n+++\n");
    let (code, path, messages) =
        new_event(&site, &["Harbour walk", "--start", "2026-11-20", "--show", "walks"]);
    assert_eq!((code, &*path), (0, "shows/walks/calendars/events/2026-11-20-harbour-walk.md"));
    assert_eq!(messages, "created the calendar shows/walks/calendars/events");
    assert!(site.exists("shows/walks/calendars/events/calendar.toml"));
    assert!(site.built().warnings.is_empty());
    assert!(site.read("public/walks/calendar.ics").contains("SUMMARY:Harbour walk"));
}
