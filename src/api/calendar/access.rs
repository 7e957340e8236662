//! Determines which parts of a calendar a key may see.

use site::calendar::{CalendarEntry, Calendars};
use state::{Key, Scope};

/// The access of a key to one calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CalendarAccess {
    details: Details,
    /// Whether the key can see the times of events whose details are hidden.
    times: bool,
    /// Whether the key may change events.
    writes: bool,
}

/// The events whose details are visible to a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Details {
    All,
    Public,
    None,
}

/// The part of an event that is visible to a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VisiblePart {
    Whole,
    Times,
}

/// Scopes that give access to every calendar. All calendars belong to the author.
const FULL_ACCESS_SCOPES: [Scope; 6] = [
    Scope::CALENDAR,
    Scope::CALENDAR_READONLY,
    Scope::CALENDAR_EVENTS,
    Scope::CALENDAR_EVENTS_READONLY,
    Scope::CALENDAR_EVENTS_OWNED,
    Scope::CALENDAR_EVENTS_OWNED_READONLY,
];

const WRITE_SCOPES: [Scope; 3] =
    [Scope::CALENDAR, Scope::CALENDAR_EVENTS, Scope::CALENDAR_EVENTS_OWNED];

/// Returns whether a key has any scope of this API.
pub fn has_scope(key: &Key) -> bool {
    let others = [
        Scope::CALENDAR_APP_CREATED,
        Scope::CALENDAR_EVENTS_PUBLIC_READONLY,
        Scope::CALENDAR_EVENTS_FREEBUSY,
    ];
    FULL_ACCESS_SCOPES.into_iter().chain(others).any(|scope| key.allows(scope))
}

impl CalendarAccess {
    /// Returns the access of a key to a calendar. Returns None if the calendar is hidden from the
    /// key.
    pub fn of(key: &Key, calendars: &Calendars, entry: &CalendarEntry) -> Option<Self> {
        let is_made =
            key.allows(Scope::CALENDAR_APP_CREATED) && !calendars.is_primary(&entry.calendar.id);
        let is_public =
            key.allows(Scope::CALENDAR_EVENTS_PUBLIC_READONLY) && entry.calendar.is_public;
        let details = match FULL_ACCESS_SCOPES.into_iter().any(|scope| key.allows(scope)) || is_made
        {
            true => Details::All,
            false if is_public => Details::Public,
            false => Details::None,
        };
        let times = key.allows(Scope::CALENDAR_EVENTS_FREEBUSY) && details != Details::All;
        let writes = is_made || WRITE_SCOPES.into_iter().any(|scope| key.allows(scope));
        (details != Details::None || times).then_some(Self { details, times, writes })
    }

    /// Returns the visible part of an event, or None if the event is hidden.
    pub fn of_event(self, is_public: bool) -> Option<VisiblePart> {
        match self.details {
            Details::All => Some(VisiblePart::Whole),
            Details::Public if is_public => Some(VisiblePart::Whole),
            _ => self.times.then_some(VisiblePart::Times),
        }
    }

    /// Returns the value of `accessRole`.
    pub fn role(self) -> &'static str {
        match self.details {
            Details::None => "freeBusyReader",
            _ if self.writes => "owner",
            _ => "reader",
        }
    }

    /// Returns a number that represents this access level in tokens. A token for one access level
    /// is not valid for another.
    pub fn code(self) -> u8 {
        let details = match self.details {
            Details::All => 0,
            Details::Public => 1,
            Details::None => 2,
        };
        details | u8::from(self.times) << 2
    }
}
