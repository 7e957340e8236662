//! The files of `content/calendars/`: `calendar.toml` describes a calendar, every other file is an event.

mod event;
mod folder;
mod live;
mod parts;
mod recurrence;
mod time;

use jiff::tz::TimeZone;

use super::fields::{Fields, Reader};
use crate::model::calendar::{Calendar, CalendarId, Event};
use crate::model::{MediaFile, SitePath};

/// What a file of a calendar is.
#[derive(Debug, Clone, PartialEq)]
pub enum CalendarFile {
    /// What is said of the calendar.
    Calendar(Calendar),
    /// An event.
    Event(Box<Event>),
}

impl super::reading::Content for CalendarFile {
    fn read(reader: &Reader<'_>) -> Option<Self> {
        read(reader)
    }

    fn set_media(&mut self, media: Vec<MediaFile>) {
        if let Self::Event(event) = self {
            event.media = media;
        }
    }
}

/// Reads a file of a calendar. None where it cannot be one.
pub fn read(reader: &Reader<'_>) -> Option<CalendarFile> {
    let path = reader.source.path;
    let id = match CalendarId::of_file(path) {
        Some(Ok(id)) => id,
        Some(Err(error)) => {
            reader.error(&(0..0), error.to_string(), "rename the folder");
            return None;
        }
        None => {
            reader.error(
                &(0..0),
                "this file lies in no calendar",
                "move it into a folder of content/calendars/, one for each calendar",
            );
            return None;
        }
    };
    match describes_calendar(path) {
        true => folder::read(reader, id).map(CalendarFile::Calendar),
        false => event::read(reader, id).map(|event| CalendarFile::Event(Box::new(event))),
    }
}

/// Whether a file of a calendar is its `calendar.toml`.
pub fn describes_calendar(path: &SitePath) -> bool {
    file_of(path).as_ref() == Some(path)
}

/// The `calendar.toml` of the calendar that a file lies in.
fn file_of(path: &SitePath) -> Option<SitePath> {
    let id = CalendarId::of_file(path)?.ok()?;
    SitePath::parse(&format!("{}/{id}/{}", Calendar::FOLDER, Calendar::FILE))
}

/// The zone of the calendar that an event lies in. What is wrong with it is said of `calendar.toml`.
fn zone(reader: &Reader<'_>) -> TimeZone {
    let path = file_of(reader.source.path);
    let text = path.as_ref().and_then(|path| reader.text_of(path));
    let named = path.zip(text).and_then(|(path, text)| {
        let source = crate::model::Source {
            path: &path,
            text: &text,
        };
        let table = super::front_matter::parse_toml(source).ok()?;
        match &table.get("timeZone")?.value {
            super::value::Value::String(name) => TimeZone::get(name).ok(),
            _ => None,
        }
    });
    named.unwrap_or_else(|| reader.config.timezone.clone())
}

/// A zone of the IANA time zone database by its name. Anything else is an error.
fn named_zone(fields: &Fields<'_, '_>, key: &'static str) -> Option<TimeZone> {
    let node = fields.node(key)?;
    let name = fields.as_string(key, node)?;
    let zone = TimeZone::get(&name).ok();
    // jiff knows UTC under several names; `unknown` is none of the database's.
    let zone = zone.filter(|zone| zone.iana_name().is_some());
    if zone.is_none() {
        let known: Vec<String> = jiff::tz::db()
            .available()
            .map(|name| name.to_string())
            .collect();
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
        let help = match super::fields::nearest(&name, &known) {
            Some(near) => format!("did you mean {near:?}?"),
            None => {
                "name a zone of the IANA time zone database: UTC, Europe/Berlin, America/New_York"
                    .into()
            }
        };
        let message = format!("there is no time zone {name:?}");
        fields.reader.error(&node.span, message, help);
    }
    zone
}
