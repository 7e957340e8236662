//! The parts of an event.

use std::collections::BTreeMap;

use crate::declare::{keys, records};
use crate::named::words;

words! {
    /// Whether an event takes place.
    #[derive(Default)]
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
    #[derive(Default)]
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
    #[derive(Default)]
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
    #[derive(Default)]
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
    #[derive(Default)]
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
    #[derive(Default)]
    ReminderMethod {
        /// By e-mail.
        Email = "email",
        /// On the screen.
        #[default]
        Popup = "popup",
    }
}

records! {
    /// A reminder before an event.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    Reminder {
        /// How it is delivered.
        Required method: ReminderMethod = "method", Word(ReminderMethod::NAMES);
        /// Minutes before the event starts: four weeks at most.
        Required minutes: u32 = "minutes", Between(0, 40_320);
    }

    /// Someone an event names: its organizer or its creator.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    EventPerson also EVENT_PERSON {
        /// The e-mail address.
        Optional email: Option<String> = "email", Own("e-mail address", &[UpTo(320)]), example("\"a@example.com\"");
        /// The name to show.
        Optional display_name: Option<String> = "displayName", Text(300);
    }

    /// Someone who is invited.
    #[derive(Debug, Clone, PartialEq, Eq)]
    Attendee also ATTENDEE {
        /// The e-mail address.
        Required email: String = "email", Own("e-mail address", &[UpTo(320)]), example("\"a@example.com\"");
        /// The name to show.
        Optional display_name: Option<String> = "displayName", Text(300);
        /// Whether they called the meeting.
        Optional is_organizer: bool = "organizer", Switch;
        /// Whether this is the author of the site: the requesting attendee.
        Optional is_self: bool = "self", Switch;
        /// Whether it is a room or a thing.
        Optional is_resource: bool = "resource", Switch;
        /// Whether the event takes place without them, too.
        Optional is_optional: bool = "optional", Switch;
        /// What they answered.
        Filled response: Response = "responseStatus", Word(Response::NAMES);
        /// What they wrote with the answer.
        Optional comment: Option<String> = "comment", Text(8192);
        /// How many guests they bring.
        Optional additional_guests: Option<u32> = "additionalGuests", Between(0, 1000);
    }

    /// Where an event comes from.
    #[derive(Debug, Clone, PartialEq, Eq)]
    SourceLink {
        /// The address.
        Required url: String = "url", Url, alone;
        /// The title to show.
        Optional title: Option<String> = "title", Text(1024);
    }
}

keys! {
    /// What programs write of a person too; it is ignored.
    EVENT_PERSON {
        /// The id of a profile; it is ignored.
        Optional "id", Own("anything", &[Anything]);
        /// Whether it is the author; it is ignored.
        Optional "self", Own("anything", &[Anything]);
    }

    /// What programs write of an attendee too; it is ignored.
    ATTENDEE {
        /// The id of a profile; it is ignored.
        Optional "id", Own("anything", &[Anything]);
    }
}

impl Reminder {
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

/// What programs keep with an event, by name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExtendedProperties {
    /// For this calendar's copy of the event alone.
    pub private: BTreeMap<String, String>,
    /// For everyone's.
    pub shared: BTreeMap<String, String>,
}
