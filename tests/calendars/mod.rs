//! Calendars as files: every field in every form of front matter, and what is said of those that are wrong.

mod errors;
mod fields;
mod file_changes;
mod ics;
mod live_shows;
mod new_event;
mod random_front_matter;
mod times;
mod upcoming;

use std::sync::Arc;

use feedwright::model::calendar::{Event, EventKind, EventTime};
use feedwright::model::{Config, SitePath};
use feedwright::source::calendar::CalendarFile;
use feedwright::source::library::Library;
use jiff::Timestamp;

use crate::support::small_site::{SmallSite, site};

/// A site whose calendar `walks` keeps Berlin's time and has one event, with this front matter.
pub fn event(front: &str) -> SmallSite {
    file(&format!("+++\n{front}\n+++\nBring a coat.\n"))
}

/// The same, where the event's file is this text.
pub fn file(text: &str) -> SmallSite {
    site()
        .with(
            "content/calendars/walks/calendar.toml",
            "summary = \"Walks\"\ntimeZone = \"Europe/Berlin\"\n",
        )
        .with("content/calendars/walks/harbour.md", text)
}

/// A site with these files in `content/calendars/`.
pub fn calendars(files: &[(&str, &str)]) -> SmallSite {
    let add = |site: SmallSite, (path, text): &(&str, &str)| {
        site.with(&format!("content/calendars/{path}"), text)
    };
    files.iter().fold(site(), add)
}

pub fn library(site: &SmallSite) -> Library {
    let config = Config { base_url: "https://example.com".into(), ..Config::default() };
    Library::read(site.root(), config, &|| ())
}

pub fn files(library: &Library) -> Vec<Arc<CalendarFile>> {
    let (sources, _) = library.sources();
    sources.calendars.into_vec().into_iter().map(|(file, _)| file).collect()
}

pub fn events(library: &Library) -> Vec<Event> {
    let files = files(library);
    let event = |file: &Arc<CalendarFile>| match file.as_ref() {
        // When it was written differs from test to test.
        CalendarFile::Event(event) => {
            Some(Event { written: Timestamp::UNIX_EPOCH, ..(**event).clone() })
        }
        CalendarFile::Calendar(_) => None,
    };
    files.iter().filter_map(event).collect()
}

/// The one event of a site that has nothing wrong.
pub fn valid_event(site: &SmallSite) -> Event {
    let library = library(site);
    let (_, report) = library.sources();
    assert!(report.is_empty(), "{:#?}", report.sorted());
    events(&library).pop().unwrap()
}

/// When the one event of a site starts and ends, and what is said of it.
pub fn span(site: &SmallSite) -> (Option<String>, Option<String>, Vec<String>) {
    let library = library(site);
    let (_, report) = library.sources();
    let report_messages = report.sorted().iter().map(|d| d.message.clone()).collect();
    let shown = |time: &EventTime| match time {
        EventTime::Day(day) => day.to_string(),
        EventTime::Moment(moment) => moment.to_string(),
    };
    let spans = events(&library).pop().and_then(|event| match event.kind {
        EventKind::Own { span, .. } => Some(span),
        EventKind::Instance { span, .. } => span,
    });
    let start = spans.as_ref().map(|span| shown(&span.start));
    let end = spans.and_then(|span| span.end.as_ref().map(shown));
    (start, end, report_messages)
}

pub fn path(text: &str) -> SitePath {
    SitePath::parse(text).unwrap()
}

/// A series without end, with the id `club`.
pub const SERIES: &str = "+++\nid = \"club\"\nsummary = \"Club\"\nstart = 2026-11-20T20:00:00\nrecurrence = [\"RRULE:FREQ=WEEKLY\"]\n+++\n";

/// An instance of [`SERIES`] with these fields.
pub fn instance(fields: &str) -> String {
    format!("+++\nrecurringEventId = \"club\"\n{fields}\n+++\n")
}

/// An event of one day, with the id `walk`.
pub const WALK: &str = "+++\nid = \"walk\"\nsummary = \"Walk\"\nstart = 2026-11-20\n+++\n";
