//! What a key may see of calendars.

use site::calendar::{CalendarEntry, Calendars};
use state::{Key, Scope};

/// What a key may see of one calendar: details, times, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CalendarAccess {
    details: Details,
    /// Whether it sees the times of events whose details it does not see.
    times: bool,
    /// Whether it may change events.
    writes: bool,
}

/// The events of which a key sees everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Details {
    All,
    Public,
    None,
}

/// The part of an event that a key sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VisiblePart {
    Whole,
    Times,
}

/// Scopes that show every calendar: all of them are the author's own.
const WHOLE: [Scope; 6] = [
    Scope::CALENDAR,
    Scope::CALENDAR_READONLY,
    Scope::CALENDAR_EVENTS,
    Scope::CALENDAR_EVENTS_READONLY,
    Scope::CALENDAR_EVENTS_OWNED,
    Scope::CALENDAR_EVENTS_OWNED_READONLY,
];

const WRITING: [Scope; 3] = [Scope::CALENDAR, Scope::CALENDAR_EVENTS, Scope::CALENDAR_EVENTS_OWNED];

/// Whether a key has any scope of this API.
pub fn has_scope(key: &Key) -> bool {
    let others = [
        Scope::CALENDAR_APP_CREATED,
        Scope::CALENDAR_EVENTS_PUBLIC_READONLY,
        Scope::CALENDAR_EVENTS_FREEBUSY,
    ];
    WHOLE.into_iter().chain(others).any(|scope| key.allows(scope))
}

impl CalendarAccess {
    /// What a key may see of a calendar. None if the key must not even know that it exists.
    pub fn of(key: &Key, calendars: &Calendars, entry: &CalendarEntry) -> Option<Self> {
        let is_made =
            key.allows(Scope::CALENDAR_APP_CREATED) && !calendars.is_primary(&entry.calendar.id);
        let is_public =
            key.allows(Scope::CALENDAR_EVENTS_PUBLIC_READONLY) && entry.calendar.is_public;
        let details = match WHOLE.into_iter().any(|scope| key.allows(scope)) || is_made {
            true => Details::All,
            false if is_public => Details::Public,
            false => Details::None,
        };
        let times = key.allows(Scope::CALENDAR_EVENTS_FREEBUSY) && details != Details::All;
        let writes = is_made || WRITING.into_iter().any(|scope| key.allows(scope));
        (details != Details::None || times).then_some(Self { details, times, writes })
    }

    /// The visible part of an event. None if the event is hidden.
    pub fn of_event(self, is_public: bool) -> Option<VisiblePart> {
        match self.details {
            Details::All => Some(VisiblePart::Whole),
            Details::Public if is_public => Some(VisiblePart::Whole),
            _ => self.times.then_some(VisiblePart::Times),
        }
    }

    /// `accessRole`.
    pub fn role(self) -> &'static str {
        match self.details {
            Details::None => "freeBusyReader",
            _ if self.writes => "owner",
            _ => "reader",
        }
    }

    /// A number for tokens: a list made with one access is not continued with another.
    pub fn code(self) -> u8 {
        let details = match self.details {
            Details::All => 0,
            Details::Public => 1,
            Details::None => 2,
        };
        details | u8::from(self.times) << 2
    }
}
