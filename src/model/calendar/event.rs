//! An event of a calendar.

use jiff::Timestamp;
use recurrence::Recurrence;
use serde_json::Value;

use super::{
    Attendee, CalendarId, EventPerson, EventSpan, EventStatus, EventTime, EventType,
    EventVisibility, ExtendedProperties, LIVE, Live, Reminder, Reminders, SourceLink, Transparency,
};
use crate::declare::keys;
use crate::shape::Written;
use crate::{Content, ItemId, MediaFile, RULES, SitePath};

/// What an event is: by itself, or in a series.
#[derive(Debug, Clone, PartialEq)]
pub enum EventKind {
    /// A single one, or a series where something recurs.
    Own {
        /// When it is; when the first one is.
        span: EventSpan,
        /// What else is in the series, and what is not.
        recurrence: Option<Recurrence>,
    },
    /// One of a series that differs from the others. Fields that its file leaves out are those of the series.
    Instance {
        /// The series.
        of: ItemId,
        /// When it would have started.
        original: EventTime,
        /// When it is instead.
        span: Option<EventSpan>,
    },
}

keys! {
    /// Front matter of an event.
    EVENT {
        /// its title
        Optional "summary", Text(1024);
        /// when it starts
        Optional "start", Own("[day or time](#days-times-and-zones)", EVENT_TIME);
        /// when it ends. For days it is the day after the last. Without one, an event takes a day or an hour
        Optional "end", Own("day or time, of the same kind", EVENT_TIME);
        /// where it is
        Optional "location", Text(1024);
        /// makes it a [series](#series)
        Optional "recurrence", Own("list of lines", &[Plain]), listed;
        /// makes it [one of a series that differs](#one-of-a-series-that-differs): the series' `id`
        Optional "recurringEventId", Own("text", &[Plain]);
        /// when the one of a series that differs would have started
        Optional "originalStartTime", Own("day or time", EVENT_TIME);
        /// makes it a [live show](#live-shows)
        Optional "live", Own("true, or a table", &[YesNo, Keys(LIVE)]);
        /// whether it takes place. To call an event off, write `cancelled` and leave the file: subscribers are told
        Optional "status", Word(EventStatus::NAMES);
        /// private and confidential events are never published. Keys such as `draft` or `hidden` are errors
        Optional "visibility", Word(EventVisibility::NAMES);
        /// whether its time counts as taken
        Optional "transparency", Word(Transparency::NAMES);
        /// what kind it is
        Optional "eventType", Word(EventType::NAMES);
        /// more of an event of that kind, as programs write it
        Optional "birthdayProperties", Own("table", ANY_TABLE);
        /// more of an event of that kind, as programs write it
        Optional "focusTimeProperties", Own("table", ANY_TABLE);
        /// more of an event of that kind, as programs write it
        Optional "outOfOfficeProperties", Own("table", ANY_TABLE);
        /// more of an event of that kind, as programs write it
        Optional "workingLocationProperties", Own("table", ANY_TABLE);
        /// who is invited, at most 200. They are not published. `responseStatus` is `needsAction`, `declined`,
        /// `tentative` or `accepted`
        Optional "attendees", Own("list of e-mail addresses, or of `{email, displayName, organizer, self, resource, optional, responseStatus, comment, additionalGuests}`", &[Plain, Keys(Attendee::SHAPE)]), listed;
        /// who organizes it
        Optional "organizer", Own("name or e-mail address, or `{email, displayName}`", &[Plain, Keys(EventPerson::SHAPE)]);
        /// who made it
        Optional "creator", Own("name or e-mail address, or `{email, displayName}`", &[Plain, Keys(EventPerson::SHAPE)]);
        /// its [reminders](#reminders)
        Optional "reminders", Own("`{useDefault = true}`, or `{overrides = [{method, minutes}]}`", &[Keys(REMINDERS)]);
        /// what programs keep with it: at most 300 texts of each, names up to 44 characters, values up to 1,024
        Optional "extendedProperties", Own("`{private = {…}, shared = {…}}`", &[Keys(EXTENDED)]);
        /// where it comes from
        Optional "source", Own("address, or `{url, title}`", &[Web, Keys(SourceLink::SHAPE)]);
        /// the number of its colour
        Optional "colorId", Text(16);
        /// what it is called for ever, unique in its calendar. `feedwright check --fix` writes derived ones down
        Optional "id", Own("as an [item's](content.md#every-key-of-an-item)", &[Plain]);
        /// what calendar apps know it by, for an event that comes from another calendar; `<id>@<host of the site>`
        /// when left out
        Optional "iCalUID", Own("text of one line", &[UpTo(1024)]);
        /// how often it was revised; counted for you when left out
        Optional "sequence", Between(0, i32::MAX as i64);
        /// when it was made
        Optional "created", Time;
        /// when it was last changed
        Optional "updated", Time;
        /// which warnings of `check` are silenced for this file
        Optional "allow", RULES, listed;
        /// what clients of calendars send back with an event; it follows from the rest
        Foreign "kind" like "etag" like "htmlLink" like "endTimeUnspecified", Own("anything", &[Anything]);
    }

    /// A day or a time of an event as a table.
    TIME {
        /// The day.
        Optional "date", Own("day", &[Plain]);
        /// The time.
        Optional "dateTime", Own("time", &[Plain]);
        /// The zone of the time, of the IANA time zone database.
        Optional "timeZone", Own("name of a zone", &[Plain]);
    }

    /// `reminders`.
    REMINDERS {
        /// Whether the calendar's count.
        Optional "useDefault", Flag;
        /// Its own.
        Optional "overrides", Own("list of `{method, minutes}`", &[Keys(Reminder::SHAPE)]), listed;
    }

    /// `extendedProperties`.
    EXTENDED {
        /// For this calendar's copy alone.
        Optional "private", Own("table", &[Each(&[Plain])]);
        /// For everyone's.
        Optional "shared", Own("table", &[Each(&[Plain])]);
    }
}

/// The ways to write a day or a time.
const EVENT_TIME: &[Written] = &[Written::Plain, Written::Keys(TIME)];

/// A table whose keys are other programs'.
const ANY_TABLE: &[Written] = &[Written::Each(&[Written::Anything])];

/// An event: a file of a calendar. In an instance of a series, None and empty lists mean the value of the
/// series.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Unique in its calendar.
    pub id: ItemId,
    /// Whether the id was made from the path.
    pub id_is_derived: bool,
    /// The folder of `content/calendars/` it lies in.
    pub calendar: CalendarId,
    /// The file it was read from.
    pub source: SitePath,
    /// Single, a series, or an instance of one; and when it is.
    pub kind: EventKind,
    pub summary: Option<String>,
    /// Where it is, as free text.
    pub location: Option<String>,
    /// The body as its author wrote it.
    pub description: Option<String>,
    /// The body as HTML and as plain text.
    pub content: Content,
    pub status: Option<EventStatus>,
    /// Who may see it.
    pub visibility: Option<EventVisibility>,
    /// Whether it takes up its time.
    pub transparency: Option<Transparency>,
    /// What kind of event it is.
    pub event_type: Option<EventType>,
    /// The properties of its type, as they are written: the key (`workingLocationProperties`) and the value.
    pub type_properties: Option<(&'static str, Value)>,
    /// The number of its colour.
    pub color_id: Option<String>,
    /// The id that calendars elsewhere know it by (RFC 5545, section 3.8.4.7), where its author wrote one.
    pub ical_uid: Option<String>,
    /// How often it was revised (RFC 5545, section 3.8.7.4), where its author counts.
    pub sequence: Option<u32>,
    pub created: Option<Timestamp>,
    /// When it was last changed, where its author says so.
    pub updated: Option<Timestamp>,
    /// When its file was last written.
    pub written: Timestamp,
    /// Whether its times are in the calendar's zone, because it names none.
    pub is_in_calendars_zone: bool,
    pub creator: Option<EventPerson>,
    pub organizer: Option<EventPerson>,
    /// Who is invited.
    pub attendees: Vec<Attendee>,
    /// What programs keep with it.
    pub extended: ExtendedProperties,
    pub reminders: Option<Reminders>,
    pub source_link: Option<SourceLink>,
    /// What makes it a live show.
    pub live: Option<Live>,
    /// Whether its file says `live = false`, even if its series is a live show.
    pub is_no_show: bool,
    /// The files of the site that it names.
    pub media: Vec<MediaFile>,
}

impl Event {
    pub fn status(&self) -> EventStatus {
        self.status.unwrap_or_default()
    }

    /// Who may see it.
    pub fn visibility(&self) -> EventVisibility {
        self.visibility.unwrap_or_default()
    }

    /// The page about it: that of the show, or the source of the event.
    pub fn url(&self) -> Option<&str> {
        let of_show = self.live.as_ref().and_then(|live| live.link.as_deref());
        of_show.or(self.source_link.as_ref().map(|link| link.url.as_str()))
    }

    /// What kind of event it is.
    pub fn event_type(&self) -> EventType {
        self.event_type.unwrap_or_default()
    }

    /// This instance with the fields that its file leaves out taken from its series.
    #[must_use]
    pub fn completed_from(&self, series: &Self) -> Self {
        fn other<T: Clone>(own: &Option<T>, series: &Option<T>) -> Option<T> {
            own.as_ref().or(series.as_ref()).cloned()
        }
        let has_text = self.description.is_some();
        Self {
            summary: other(&self.summary, &series.summary),
            location: other(&self.location, &series.location),
            description: other(&self.description, &series.description),
            content: if has_text { self.content.clone() } else { series.content.clone() },
            status: self.status.or(series.status),
            visibility: self.visibility.or(series.visibility),
            transparency: self.transparency.or(series.transparency),
            event_type: self.event_type.or(series.event_type),
            type_properties: other(&self.type_properties, &series.type_properties),
            color_id: other(&self.color_id, &series.color_id),
            // All instances of a series share one UID (RFC 5545, section 3.8.4.4).
            ical_uid: series.ical_uid.clone(),
            creator: other(&self.creator, &series.creator),
            organizer: other(&self.organizer, &series.organizer),
            attendees: if self.attendees.is_empty() {
                series.attendees.clone()
            } else {
                self.attendees.clone()
            },
            extended: ExtendedProperties {
                private: merged(&self.extended.private, &series.extended.private),
                shared: merged(&self.extended.shared, &series.extended.shared),
            },
            reminders: other(&self.reminders, &series.reminders),
            source_link: other(&self.source_link, &series.source_link),
            live: match &series.live {
                _ if self.is_no_show => None,
                Some(series) => Some(self.live.clone().unwrap_or_default().completed_from(series)),
                None => self.live.clone(),
            },
            ..self.clone()
        }
    }
}

type Properties = std::collections::BTreeMap<String, String>;

fn merged(own: &Properties, series: &Properties) -> Properties {
    let mut all = series.clone();
    all.extend(own.clone());
    all
}
