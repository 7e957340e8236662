//! The files of `content/calendars/`: `calendar.toml` describes a calendar, and every other file is
//! an event.

mod event;
mod event_details;
mod folder;
mod live;
mod recurrence;
mod time;
mod types;

use front_matter::Value;
use jiff::tz::TimeZone;

use super::fields::{Fields, Reader};
use model::calendar::{Calendar, CalendarId, Event};
use model::content_folder::CALENDARS;
use model::{ContentFolder, ContentLink, MediaFile, SitePath};

/// A file of a calendar.
#[derive(Debug, Clone, PartialEq)]
pub enum CalendarFile {
    /// `calendar.toml`, which describes the calendar.
    Calendar(Calendar),
    Event(Box<Event>),
}

impl CalendarFile {
    /// Returns the links into the site from the file's body.
    pub fn links(&self) -> &[ContentLink] {
        match self {
            Self::Calendar(_) => &[],
            Self::Event(event) => &event.content.links,
        }
    }

    /// Returns the path of the file of an event.
    pub fn source(&self) -> Option<&SitePath> {
        match self {
            Self::Calendar(_) => None,
            Self::Event(event) => Some(&event.source),
        }
    }
}

impl super::reading::ContentFile for CalendarFile {
    fn read(reader: &Reader<'_>) -> Option<Self> {
        read(reader)
    }

    fn set_media(&mut self, media: Vec<MediaFile>) {
        if let Self::Event(event) = self {
            event.media = media.into_iter().map(MediaFile::named).collect();
        }
    }
}

/// Reads a file of a calendar. Returns `None` if the file is invalid.
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
                "this file is not in the folder of a calendar",
                "move it into the folder of a calendar, below content/calendars/",
            );
            return None;
        }
    };
    match describes_calendar(path) {
        true if file_of(path).as_ref() != Some(path) => {
            let message = "calendar.toml must be directly in the calendar's folder";
            let folder = ContentFolder::of(path.as_str()).join(CALENDARS);
            let help =
                format!("move it to {folder}/{id}/, or to a separate folder next to that one");
            reader.error(&(0..0), message, help);
            None
        }
        true => folder::read(reader, id).map(CalendarFile::Calendar),
        false => event::read(reader, id).map(|event| CalendarFile::Event(Box::new(event))),
    }
}

/// Returns whether a file is named `calendar.toml`.
pub fn describes_calendar(path: &SitePath) -> bool {
    path.file_name() == Calendar::FILE
}

/// Returns the path of the `calendar.toml` in the calendar folder that contains a file.
fn file_of(path: &SitePath) -> Option<SitePath> {
    let id = CalendarId::of_file(path)?.ok()?;
    let folder = ContentFolder::of(path.as_str()).join(CALENDARS);
    SitePath::new(format!("{folder}/{id}/{}", Calendar::FILE))
}

/// Returns the time zone of an event's calendar. Returns `None` if `calendar.toml` cannot be parsed
/// or its zone is invalid. In that case, the error is reported for `calendar.toml`, and the last
/// version of the event is kept.
fn zone(reader: &Reader<'_>) -> Option<TimeZone> {
    let path = file_of(reader.source.path)?;
    let Some(text) = reader.text_of(&path) else {
        return Some(reader.config.timezone.clone());
    };
    let source = model::Source { path: &path, text: &text };
    let table = source.toml().ok()?;
    match table.get("timeZone").map(|node| &node.value) {
        None => Some(reader.config.timezone.clone()),
        Some(Value::String(name)) => zone_named(name),
        Some(_) => None,
    }
}

/// Returns the zone with this name in the IANA time zone database.
fn zone_named(name: &str) -> Option<TimeZone> {
    let zone = TimeZone::get(name).ok();
    // jiff also has a zone for "unknown", which is not in the database.
    zone.filter(|zone| zone.iana_name().is_some())
}

/// Reads the name of a zone in the IANA time zone database. Any other value is an error.
fn named_zone(fields: &Fields<'_, '_>, key: &'static str) -> Option<TimeZone> {
    let node = fields.node(key)?;
    let name = fields.as_string(key, node)?;
    let zone = zone_named(&name);
    if zone.is_none() {
        let help = match nearest_zone(&name) {
            Some(near) => format!("did you mean {near:?}?"),
            None => {
                "write a name of the IANA time zone database, such as UTC, Europe/Berlin or America/New_York"
                    .into()
            }
        };
        let message = format!("there is no time zone {name:?}");
        fields.reader.error(&node.span, message, help);
    }
    zone
}

/// Returns the zone of the named city, or else the zone with the most similar name.
fn nearest_zone(name: &str) -> Option<String> {
    let known: Vec<String> = jiff::tz::db().available().map(|name| name.to_string()).collect();
    let city = name.trim().replace(' ', "_");
    let is_city = |zone: &&String| {
        let last = zone.rsplit('/').next();
        last.is_some_and(|last| last.eq_ignore_ascii_case(&city))
    };
    let all: Vec<&str> = known.iter().map(String::as_str).collect();
    let near = super::fields::nearest(name, &all).map(str::to_owned);
    known.iter().find(is_city).cloned().or(near)
}
