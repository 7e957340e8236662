//! Parts of an event, such as its status, people and reminders.

use std::collections::BTreeMap;

use crate::declare::{keys, records};
use crate::named::words;

words! {
    /// Status of an event: whether it takes place.
    #[derive(Default)]
    EventStatus {
        /// The event takes place.
        #[default]
        Confirmed = "confirmed",
        /// The event might not take place.
        Tentative = "tentative",
        /// The event is cancelled, or its file was deleted.
        Cancelled = "cancelled",
    }
}

words! {
    /// Type of an event.
    #[derive(Default)]
    EventType {
        /// A regular event.
        #[default]
        Default = "default",
        /// A day that recurs each year.
        Birthday = "birthday",
        /// Time to work undisturbed.
        FocusTime = "focusTime",
        /// An event taken from an e-mail.
        FromGmail = "fromGmail",
        /// Time out of the office.
        OutOfOffice = "outOfOffice",
        /// The place where someone works.
        WorkingLocation = "workingLocation",
    }
}

words! {
    /// Visibility of an event: who may see it.
    #[derive(Default)]
    EventVisibility {
        /// Everyone who may see the calendar.
        #[default]
        Default = "default",
        /// Everyone.
        Public = "public",
        /// Only the author.
        Private = "private",
        /// The same as `private`, for compatibility.
        Confidential = "confidential",
    }
}

impl EventVisibility {
    /// Returns whether the site publishes the event.
    pub fn is_public(self) -> bool {
        matches!(self, Self::Default | Self::Public)
    }
}

words! {
    /// Whether an event marks its time as busy (RFC 5545, section 3.8.2.7).
    #[derive(Default)]
    Transparency {
        /// The time is busy.
        #[default]
        Opaque = "opaque",
        /// The time is free.
        Transparent = "transparent",
    }
}

words! {
    /// Response of an attendee to an invitation.
    #[derive(Default)]
    Response {
        /// No response yet.
        #[default]
        NeedsAction = "needsAction",
        /// Declined.
        Declined = "declined",
        /// Tentatively accepted.
        Tentative = "tentative",
        /// Accepted.
        Accepted = "accepted",
    }
}

words! {
    /// Delivery method of a reminder.
    #[derive(Default)]
    ReminderMethod {
        /// By e-mail.
        Email = "email",
        /// As a message on the screen.
        #[default]
        Popup = "popup",
    }
}

records! {
    /// A reminder before an event.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    Reminder {
        /// Delivery method of the reminder.
        Required method: ReminderMethod = "method", Word(ReminderMethod::NAMES);
        /// Minutes before the start of the event, at most four weeks.
        Required minutes: u32 = "minutes", Between(0, 40_320);
    }

    /// The organizer or creator of an event.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    EventPerson also EVENT_PERSON {
        /// E-mail address.
        Optional email: Option<String> = "email", Own("e-mail address", &[UpTo(320)]), example("\"a@example.com\"");
        /// Name to show.
        Optional display_name: Option<String> = "displayName", Text(300);
    }

    /// An invited person or resource.
    #[derive(Debug, Clone, PartialEq, Eq)]
    Attendee also ATTENDEE {
        /// E-mail address.
        Required email: String = "email", Own("e-mail address", &[UpTo(320)]), example("\"a@example.com\"");
        /// Name to show.
        Optional display_name: Option<String> = "displayName", Text(300);
        /// Whether the attendee organizes the event.
        Optional is_organizer: bool = "organizer", Switch;
        /// Whether the attendee is the author of the site, that is, the requesting attendee.
        Optional is_self: bool = "self", Switch;
        /// Whether the attendee is a resource, such as a room.
        Optional is_resource: bool = "resource", Switch;
        /// Whether the attendee is optional.
        Optional is_optional: bool = "optional", Switch;
        /// Response of the attendee.
        Filled response: Response = "responseStatus", Word(Response::NAMES);
        /// Comment sent with the response.
        Optional comment: Option<String> = "comment", Text(8192);
        /// Number of guests that the attendee brings.
        Optional additional_guests: Option<u32> = "additionalGuests", Between(0, 1000);
    }

    /// A link to the source of an event.
    #[derive(Debug, Clone, PartialEq, Eq)]
    SourceLink {
        /// Address of the source.
        Required url: String = "url", Url, alone;
        /// Title of the link.
        Optional title: Option<String> = "title", Text(1024);
    }
}

keys! {
    /// Further keys that programs write for a person. They are ignored.
    EVENT_PERSON {
        /// Id of a profile; it is ignored.
        Optional "id", Own("anything", &[Anything]);
        /// Whether the person is the author; it is ignored.
        Optional "self", Own("anything", &[Anything]);
    }

    /// Further keys that programs write for an attendee. They are ignored.
    ATTENDEE {
        /// Id of a profile; it is ignored.
        Optional "id", Own("anything", &[Anything]);
    }
}

impl Reminder {
    /// Maximum number of reminders for an event.
    pub const MAX_REMINDERS: usize = 5;
}

/// The reminders of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reminders {
    /// The default reminders of the calendar.
    Default,
    /// Reminders of the event itself.
    Own(Vec<Reminder>),
}

/// Properties that programs store with an event, by name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExtendedProperties {
    /// Properties of this calendar's copy of the event only.
    pub private: BTreeMap<String, String>,
    /// Properties shared by all copies of the event.
    pub shared: BTreeMap<String, String>,
}
