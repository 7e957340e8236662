//! What is kept of calendars while their files change.

use feedwright::model::calendar::EventKind;
use feedwright::source::calendar::CalendarFile;
use feedwright::source::library::Library;
use jiff::tz::TimeZone;

use super::{WALK, calendars, event, events, files, library, path};
use crate::support::small_site::{SmallSite, site};

#[cfg(unix)]
#[test]
fn symlinked_calendars_must_be_inside_the_site() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("a.md"), WALK).unwrap();
    let external_link = site().link("content/calendars/walks", outside.path());
    let report_messages = |site: &SmallSite| {
        library(site).sources().1.sorted().iter().map(|d| d.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(report_messages(&external_link), ["this symbolic link points outside the site"]);
    assert!(events(&library(&external_link)).is_empty());
    let one = site().link("content/calendars/walks/a.md", outside.path().join("a.md"));
    assert_eq!(report_messages(&one), ["this symbolic link points outside the site"]);
    let toml = calendars(&[("walks/a.md", WALK)])
        .link("content/calendars/walks/calendar.toml", outside.path().join("a.md"));
    assert_eq!(report_messages(&toml), ["this symbolic link points outside the site"]);
    let inside = site().with("elsewhere/a.md", WALK);
    let target = inside.path("elsewhere");
    let inside = inside.link("content/calendars/walks", target);
    assert_eq!(report_messages(&inside), Vec::<String>::new());
    assert_eq!(events(&library(&inside))[0].calendar.as_str(), "walks");
}

#[test]
fn events_use_the_zone_of_their_calendar() {
    let site = event("summary = \"Walk\"\nstart = 2026-11-20T20:00:00");
    let toml = "content/calendars/walks/calendar.toml";
    let mut library = library(&site);
    let start = |library: &Library| match events(library).pop().unwrap().kind {
        EventKind::Own { span, .. } => span.start.instant(&TimeZone::UTC).to_string(),
        kind => panic!("{kind:?}"),
    };
    assert_eq!(start(&library), "2026-11-20T19:00:00Z");
    site.write(toml, "timeZone = \"America/New_York\"\n");
    assert!(library.refresh(&[path(toml)]));
    assert_eq!(start(&library), "2026-11-21T01:00:00Z");
    // While the author writes, all stays as it was.
    for broken in ["timeZone = \"America/New\"\n", "timeZone = \n", "timeZone = 5\n"] {
        site.write(toml, broken);
        assert!(library.refresh(&[path(toml)]));
        assert!(library.sources().1.has_errors());
        assert_eq!(start(&library), "2026-11-21T01:00:00Z", "{broken}");
        let calendar = files(&library).into_iter().find_map(|file| match file.as_ref() {
            CalendarFile::Calendar(calendar) => Some(calendar.time_zone.clone()),
            CalendarFile::Event(_) => None,
        });
        assert_eq!(calendar.unwrap().iana_name(), Some("America/New_York"));
    }
    site.remove(toml);
    assert!(library.refresh(&[path(toml)]));
    assert!(library.sources().1.is_empty());
    assert_eq!(start(&library), "2026-11-20T20:00:00Z");
}

#[test]
fn an_invalid_event_keeps_its_last_valid_version() {
    let file = "content/calendars/walks/harbour.md";
    for broken in [
        "+++\nstart = \n+++\n",
        "+++\nsummary = \"Walk\"\n+++\n",
        "+++\nid = \"a b\"\nstart = 2026-11-20\n+++\n",
        "Walk\n",
    ] {
        let site = event("summary = \"Walk\"\nstart = 2026-11-20");
        let mut library = library(&site);
        let before = events(&library);
        site.write(file, broken);
        assert!(library.refresh(&[path(file)]));
        assert!(library.sources().1.has_errors());
        assert_eq!(events(&library), before, "{broken}");
        site.remove("content/calendars/walks");
        assert!(library.refresh(&[path("content/calendars/walks")]));
        assert!(library.sources().1.is_empty());
        assert!(files(&library).is_empty());
    }
}

#[test]
fn renaming_a_folder_makes_another_calendar() {
    let site = event("summary = \"Walk\"\nstart = 2026-11-20T20:00:00");
    let mut library = library(&site);
    std::fs::rename(site.path("content/calendars/walks"), site.path("content/calendars/hikes"))
        .unwrap();
    let touched = ["walks", "hikes"].map(|folder| path(&format!("content/calendars/{folder}")));
    assert!(library.refresh(&touched));
    let events = events(&library);
    let [event] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!(event.calendar.as_str(), "hikes");
    assert_eq!(event.source, path("content/calendars/hikes/harbour.md"));
}
