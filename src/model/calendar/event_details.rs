//! The parts of an event.

use std::collections::BTreeMap;

/// Makes an enum of the words that a field can be.
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
        pub enum $name { $($(#[$doc])* $variant,)+ }

        impl $name {
            /// The words it is written as.
            pub const NAMES: &'static [&'static str] = &[$($word,)+];

            /// Reads a word.
            pub fn parse(text: &str) -> Option<Self> {
                match text { $($word => Some(Self::$variant),)+ _ => None }
            }

            /// The word.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }
        }
    };
}

words! {
    /// Whether an event takes place.
    EventStatus {
        /// It does.
        #[default]
        Confirmed = "confirmed",
        /// Perhaps it does.
        Tentative = "tentative",
        /// It does not: it was called off, or its file is gone.
        Cancelled = "cancelled",
    }
}

words! {
    /// What kind of event it is.
    EventType {
        /// A regular one.
        #[default]
        Default = "default",
        /// A day that comes back each year.
        Birthday = "birthday",
        /// Time to work undisturbed.
        FocusTime = "focusTime",
        /// Taken from an e-mail.
        FromGmail = "fromGmail",
        /// Absence.
        OutOfOffice = "outOfOffice",
        /// Where someone works.
        WorkingLocation = "workingLocation",
    }
}

words! {
    /// Who may see an event.
    EventVisibility {
        /// Whoever may see the calendar.
        #[default]
        Default = "default",
        /// Everyone.
        Public = "public",
        /// Its author alone.
        Private = "private",
        /// Its author alone, by an older name.
        Confidential = "confidential",
    }
}

impl EventVisibility {
    /// Whether the site publishes it.
    pub fn is_public(self) -> bool {
        matches!(self, Self::Default | Self::Public)
    }
}

words! {
    /// Whether an event takes up its time (RFC 5545, section 3.8.2.7).
    Transparency {
        /// Its time is taken.
        #[default]
        Opaque = "opaque",
        /// Its time is free.
        Transparent = "transparent",
    }
}

words! {
    /// What someone answered to an invitation.
    Response {
        /// Nothing yet.
        #[default]
        NeedsAction = "needsAction",
        /// No.
        Declined = "declined",
        /// Perhaps.
        Tentative = "tentative",
        /// Yes.
        Accepted = "accepted",
    }
}

words! {
    /// How a reminder is delivered.
    ReminderMethod {
        /// By e-mail.
        Email = "email",
        /// On the screen.
        #[default]
        Popup = "popup",
    }
}

/// A reminder before an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reminder {
    pub method: ReminderMethod,
    /// Minutes before the event starts: 0 to 40320, which is four weeks.
    pub minutes: u32,
}

impl Reminder {
    /// Most minutes before an event.
    pub const MAX_MINUTES: i64 = 40_320;
    /// Most reminders of an event.
    pub const MOST: usize = 5;
}

/// The reminders of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reminders {
    /// Those of its calendar.
    Default,
    /// These.
    Own(Vec<Reminder>),
}

/// Someone an event names: its organizer or its creator.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EventPerson {
    pub email: Option<String>,
    pub display_name: Option<String>,
}

/// Someone who is invited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attendee {
    pub email: String,
    pub display_name: Option<String>,
    /// Whether they called the meeting.
    pub is_organizer: bool,
    /// Whether this is the author of the site: the requesting attendee.
    pub is_self: bool,
    /// Whether it is a room or a thing.
    pub is_resource: bool,
    pub is_optional: bool,
    pub response: Response,
    /// What they wrote with it.
    pub comment: Option<String>,
    pub additional_guests: u32,
}

/// Where an event comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceLink {
    pub url: String,
    pub title: Option<String>,
}

/// What programs keep with an event, by name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExtendedProperties {
    /// For this calendar's copy of the event alone.
    pub private: BTreeMap<String, String>,
    /// For everyone's.
    pub shared: BTreeMap<String, String>,
}
