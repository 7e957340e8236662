//! Calendars and their events. Field names follow the events resource that calendar clients use.

mod event;
mod event_details;
mod live;
mod span;

pub use event::{EVENT, Event, EventKind};
pub use event_details::{
    EventStatus, EventType, EventVisibility, Reminder, ReminderMethod, Reminders, Response,
    Transparency,
};
pub use recurrence::EventTime;

pub use event_details::{Attendee, EventPerson, ExtendedProperties, SourceLink};
pub use live::{LIVE, Live};
pub use span::EventSpan;

use std::fmt;
use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::content_folder::CALENDARS;
use super::declare::keys;
use super::{ContentFolder, IdentityError, SitePath};

keys! {
    /// Keys of `calendar.toml`.
    CALENDAR {
        /// title of the calendar
        Optional "summary", Text(255), left_out("the folder's name");
        /// description of the calendar
        Optional "description", Text(8192);
        /// place of the events
        Optional "location", Text(1024);
        /// time zone of days, and of times written without a zone
        Optional "timeZone", Own("IANA time zone", &[Plain]), left_out("`timezone` of [site.toml](configuration.md)");
        /// whether this is the calendar that the [API](calendar-api.md) and `new event` call
        /// `primary`. A site's only calendar is always primary
        Optional "primary", Flag => false;
        /// whether the site publishes the calendar
        Optional "public", Flag => true;
        /// reminders for events that specify none
        Optional "defaultReminders", Own("list of at most 5 `{method, minutes}`", &[Keys(Reminder::SHAPE)]), listed;
    }
}

/// A calendar: a folder of `content/calendars/`.
#[derive(Debug, Clone, PartialEq)]
pub struct Calendar {
    /// Id: the name of the folder.
    pub id: CalendarId,
    /// Path of `calendar.toml`, if the file exists.
    pub source: Option<SitePath>,
    /// Time at which `calendar.toml` was last written.
    pub written: Option<Timestamp>,
    pub summary: String,
    pub description: Option<String>,
    /// Place of the events, as free text.
    pub location: Option<String>,
    /// Time zone of days, and of times written without a zone.
    pub time_zone: TimeZone,
    /// Whether the id `primary` refers to this calendar.
    pub is_primary: bool,
    /// Whether the site publishes the calendar.
    pub is_public: bool,
    /// Reminders for events that specify none.
    pub default_reminders: Vec<Reminder>,
}

impl Calendar {
    /// Folder that contains the calendars.
    pub const FOLDER: &str = "content/calendars";
    /// Name of the file that describes a calendar.
    pub const FILE: &str = "calendar.toml";

    /// Returns a calendar that has no `calendar.toml`.
    pub fn new(id: CalendarId, time_zone: TimeZone) -> Self {
        Self {
            source: None,
            written: None,
            summary: id.to_string(),
            description: None,
            location: None,
            time_zone,
            is_primary: false,
            is_public: true,
            default_reminders: Vec::new(),
            id,
        }
    }
}

/// A calendar's id: 1 to 64 of the characters `a–z 0–9 _ -`. It cannot be `primary`, which refers
/// to the calendar marked as primary.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CalendarId(Arc<str>);

impl CalendarId {
    /// Id that refers to the calendar marked as primary.
    pub const PRIMARY: &str = "primary";

    pub fn parse(text: &str) -> Result<Self, IdentityError> {
        let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let valid = (1..=64).contains(&text.len())
            && text.bytes().all(|b| is_word(b) || b == b'-' || b == b'_');
        match valid {
            true if text == Self::PRIMARY => Err(IdentityError(
                "a calendar cannot be named \"primary\": the name means the calendar with `primary = true`".into(),
            )),
            true => Ok(Self(text.into())),
            false => Err(IdentityError(format!(
                "{text:?} is not a valid calendar id: use 1 to 64 of the characters a–z, 0–9, `-` and `_`"
            ))),
        }
    }

    /// Returns the path of the calendar's `calendar.toml`, relative to the site's root. The file
    /// may be missing.
    pub fn file(&self) -> String {
        self.file_in(&ContentFolder::default())
    }

    /// Returns the path of the calendar's `calendar.toml` in a content folder.
    pub fn file_in(&self, content: &ContentFolder) -> String {
        format!("{}/{}", self.folder_in(content), Calendar::FILE)
    }

    /// Returns the path of the calendar's folder in a content folder.
    pub fn folder_in(&self, content: &ContentFolder) -> String {
        format!("{}/{self}", content.join(CALENDARS))
    }

    /// Parses the id of the calendar whose folder contains the file. Returns None for a file that
    /// is not in a folder below [`Calendar::FOLDER`].
    pub fn of_file(path: &SitePath) -> Option<Result<Self, IdentityError>> {
        let (folder, _) = ContentFolder::inner("calendars", path.as_str())?.split_once('/')?;
        Some(Self::parse(folder))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for CalendarId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
