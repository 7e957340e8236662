//! Calendars and their events, in the names of the events resource that calendar clients use.

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

use super::declare::keys;
use super::{IdentityError, SitePath};

keys! {
    /// `calendar.toml`.
    CALENDAR {
        /// its title
        Optional "summary", Text(255), left_out("the folder's name");
        /// what it is about
        Optional "description", Text(8192);
        /// where its events are
        Optional "location", Text(1024);
        /// the zone of its days, and of times written without one
        Optional "timeZone", Own("name of a zone", &[Plain]), left_out("`timezone` of [site.toml](configuration.md)");
        /// whether the word `primary` means it, for the [API](calendar-api.md) and `new event`. An only calendar is
        /// the primary one anyway
        Optional "primary", Flag => false;
        /// whether the site publishes it
        Optional "public", Flag => true;
        /// the reminders of events that name none
        Optional "defaultReminders", Own("list of at most 5 `{method, minutes}`", &[Keys(Reminder::SHAPE)]), listed;
    }
}

/// A calendar: a folder of `content/calendars/`.
#[derive(Debug, Clone, PartialEq)]
pub struct Calendar {
    /// Its id: the folder's name.
    pub id: CalendarId,
    /// Its `calendar.toml`, where it has one.
    pub source: Option<SitePath>,
    /// When that was last written.
    pub written: Option<Timestamp>,
    pub summary: String,
    pub description: Option<String>,
    /// Where its events are, as free text.
    pub location: Option<String>,
    /// The zone of its days and of times written without one.
    pub time_zone: TimeZone,
    /// Whether `primary` means it.
    pub is_primary: bool,
    /// Whether the site publishes it.
    pub is_public: bool,
    /// The reminders of events that name none of their own.
    pub default_reminders: Vec<Reminder>,
}

impl Calendar {
    /// The folder that calendars lie in.
    pub const FOLDER: &str = "content/calendars";
    /// The name of the file that describes a calendar.
    pub const FILE: &str = "calendar.toml";

    /// A calendar without a `calendar.toml`.
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

/// A calendar's id: 1 to 64 of `a–z 0–9 _ -`, and not `primary`, which means whichever is marked so.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CalendarId(Arc<str>);

impl CalendarId {
    /// The word that means the calendar marked as primary.
    pub const PRIMARY: &str = "primary";

    pub fn parse(text: &str) -> Result<Self, IdentityError> {
        let is_word = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
        let valid = (1..=64).contains(&text.len())
            && text.bytes().all(|b| is_word(b) || b == b'-' || b == b'_');
        match valid {
            true if text == Self::PRIMARY => Err(IdentityError(
                "a calendar cannot be called \"primary\": the word means the one marked so".into(),
            )),
            true => Ok(Self(text.into())),
            false => Err(IdentityError(format!(
                "{text:?} is no id of a calendar: it is 1 to 64 of the characters a–z, 0–9, `-` and `_`"
            ))),
        }
    }

    /// The file that says more of the calendar, from the site's root, be it there or not.
    pub fn file(&self) -> String {
        format!("{}/{self}/{}", Calendar::FOLDER, Calendar::FILE)
    }

    /// The calendar that a file of the site belongs to: the folder below [`Calendar::FOLDER`] it lies in.
    pub fn of_file(path: &SitePath) -> Option<Result<Self, IdentityError>> {
        let inner = path.as_str().strip_prefix(Calendar::FOLDER)?;
        let (folder, _) = inner.strip_prefix('/')?.split_once('/')?;
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
