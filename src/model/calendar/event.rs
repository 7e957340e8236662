//! Events of calendars, and the keys of their files.

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

/// The role of an event: a single event, a series, or an instance that differs from its series.
#[derive(Debug, Clone, PartialEq)]
pub enum EventKind {
    /// A single event, or a series if `recurrence` is set.
    Own {
        /// Start and end of the event, or of the first event of the series.
        span: EventSpan,
        /// Recurrence rules, additional dates and excluded dates of the series.
        recurrence: Option<Recurrence>,
    },
    /// A changed instance of a series. Fields missing from its file have the values of the series.
    Instance {
        /// Id of the series.
        of: ItemId,
        /// Start time of this instance according to the series.
        original: EventTime,
        /// Start and end of this instance. None means the start and end according to the series.
        span: Option<EventSpan>,
    },
}

keys! {
    /// Front matter of an event.
    EVENT {
        /// title of the event
        Optional "summary", Text(1024);
        /// start of the event
        Optional "start", Own("[day or time](#days-times-and-zones)", EVENT_TIME_FORMS);
        /// end of the event; for whole days, the day after the last day. By default, an event lasts
        /// a day, or an hour if it starts at a time
        Optional "end", Own("day or time, like `start`", EVENT_TIME_FORMS);
        /// place of the event
        Optional "location", Text(1024);
        /// recurrence lines that make the event a [series](#series)
        Optional "recurrence", Own("list of lines", &[Plain]), listed;
        /// `id` of the series, for [an event that differs from its
        /// series](#one-of-a-series-that-differs)
        Optional "recurringEventId", Own("text", &[Plain]);
        /// regular start in the series, for an event that differs from its series
        Optional "originalStartTime", Own("day or time", EVENT_TIME_FORMS);
        /// makes the event a [live show](#live-shows)
        Optional "live", Own("true, or a table", &[YesNo, Keys(LIVE)]);
        /// whether the event takes place. Keep the file of a [cancelled
        /// event](#cancel-or-change-an-event), so that subscribers are notified
        Optional "status", Word(EventStatus::NAMES);
        /// who may see the event. Private and confidential events are never published. Keys such as
        /// `draft` or `hidden` are errors
        Optional "visibility", Word(EventVisibility::NAMES);
        /// whether the event marks its time as busy (`opaque`) or free (`transparent`)
        Optional "transparency", Word(Transparency::NAMES);
        /// type of event
        Optional "eventType", Word(EventType::NAMES);
        /// properties of a `birthday` event
        Optional "birthdayProperties", Own("table", ANY_TABLE);
        /// properties of a `focusTime` event
        Optional "focusTimeProperties", Own("table", ANY_TABLE);
        /// properties of an `outOfOffice` event
        Optional "outOfOfficeProperties", Own("table", ANY_TABLE);
        /// properties of a `workingLocation` event
        Optional "workingLocationProperties", Own("table", ANY_TABLE);
        /// invited people, at most 200. They are not published. `responseStatus` is `needsAction`,
        /// `declined`, `tentative` or `accepted`
        Optional "attendees", Own("list of e-mail addresses, or of `{email, displayName, organizer, self, resource, optional, responseStatus, comment, additionalGuests}`", &[Plain, Keys(Attendee::SHAPE)]), listed;
        /// organizer of the event
        Optional "organizer", Own("name or e-mail address, or `{email, displayName}`", &[Plain, Keys(EventPerson::SHAPE)]);
        /// creator of the event
        Optional "creator", Own("name or e-mail address, or `{email, displayName}`", &[Plain, Keys(EventPerson::SHAPE)]);
        /// [reminders](#reminders) of the event
        Optional "reminders", Own("`{useDefault = true}`, or `{overrides = [{method, minutes}]}`", &[Keys(REMINDERS)]);
        /// properties that programs store with the event: at most 300 in each table, with names of
        /// up to 44 characters and values of up to 1,024 characters
        Optional "extendedProperties", Own("`{private = {…}, shared = {…}}`", &[Keys(EXTENDED)]);
        /// link to the source of the event
        Optional "source", Own("address, or `{url, title}`", &[Web, Keys(SourceLink::SHAPE)]);
        /// number of the event's colour
        Optional "colorId", Text(16);
        /// permanent id, unique in the calendar; by default, derived from the path
        Optional "id", Own("as an [item's](content.md#every-key-of-an-item)", &[Plain]);
        /// id of the event in calendar apps, for an event from another calendar; by default,
        /// `<id>@<host of the site>`
        Optional "iCalUID", Own("one line of text", &[UpTo(1024)]);
        /// number of revisions; by default, feedwright counts the revisions
        Optional "sequence", Between(0, i32::MAX as i64);
        /// time of creation
        Optional "created", Time;
        /// time of the last change
        Optional "updated", Time;
        /// warnings of `check` to silence for this file
        Optional "allow", RULES, listed;
        /// fields that calendar clients send back with an event; they follow from the other fields
        Foreign "kind" like "etag" like "htmlLink" like "endTimeUnspecified", Own("anything", &[Anything]);
    }

    /// A day or a time of an event, as a table.
    TIME {
        /// Day, for an all-day event.
        Optional "date", Own("day", &[Plain]);
        /// Date and time.
        Optional "dateTime", Own("time", &[Plain]);
        /// Time zone of the date and time, from the IANA time zone database.
        Optional "timeZone", Own("IANA time zone", &[Plain]);
    }

    /// Keys of `reminders`.
    REMINDERS {
        /// Whether the default reminders of the calendar apply.
        Optional "useDefault", Flag;
        /// Reminders of this event.
        Optional "overrides", Own("list of `{method, minutes}`", &[Keys(Reminder::SHAPE)]), listed;
    }

    /// Keys of `extendedProperties`.
    EXTENDED {
        /// Properties of this calendar's copy of the event only.
        Optional "private", Own("table", &[Each(&[Plain])]);
        /// Properties shared by all copies of the event.
        Optional "shared", Own("table", &[Each(&[Plain])]);
    }
}

/// Forms of a day or time in the file of an event.
const EVENT_TIME_FORMS: &[Written] = &[Written::Plain, Written::Keys(TIME)];

/// A table whose keys are defined by other programs.
const ANY_TABLE: &[Written] = &[Written::Each(&[Written::Anything])];

/// An event, read from a file of a calendar. In an instance of a series, None or an empty list
/// means that the value of the series applies.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Id, unique in the calendar.
    pub id: ItemId,
    /// Whether the id was derived from the file's path.
    pub id_is_derived: bool,
    /// Calendar of the event: a folder of `content/calendars/`.
    pub calendar: CalendarId,
    /// File that the event was read from.
    pub source: SitePath,
    /// Whether the event is single, a series or an instance, with its start and end.
    pub kind: EventKind,
    pub summary: Option<String>,
    /// Place of the event, as free text.
    pub location: Option<String>,
    /// Body as the author wrote it.
    pub description: Option<String>,
    /// Body, converted to HTML and plain text.
    pub content: Content,
    pub status: Option<EventStatus>,
    pub visibility: Option<EventVisibility>,
    /// Whether the event marks its time as busy.
    pub transparency: Option<Transparency>,
    pub event_type: Option<EventType>,
    /// Properties specific to the event type, unchanged: the key (such as
    /// `workingLocationProperties`) and its value.
    pub type_properties: Option<(&'static str, Value)>,
    /// Number of the event's colour.
    pub color_id: Option<String>,
    /// Id of the event in other calendars (RFC 5545, section 3.8.4.7), if the author wrote one.
    pub ical_uid: Option<String>,
    /// Number of revisions (RFC 5545, section 3.8.7.4), if the author counts them.
    pub sequence: Option<u32>,
    pub created: Option<Timestamp>,
    /// Time of the last change, if the author wrote one.
    pub updated: Option<Timestamp>,
    /// Time at which the file was last written.
    pub written: Timestamp,
    /// Whether the times are in the calendar's time zone, because the event specifies no time zone.
    pub is_in_calendars_zone: bool,
    pub creator: Option<EventPerson>,
    pub organizer: Option<EventPerson>,
    /// Invited people.
    pub attendees: Vec<Attendee>,
    /// Properties that programs store with the event.
    pub extended: ExtendedProperties,
    pub reminders: Option<Reminders>,
    pub source_link: Option<SourceLink>,
    /// Settings of the live show, if the event is a live show.
    pub live: Option<Live>,
    /// Whether the file contains `live = false`, so that the event is not a live show even if its
    /// series is.
    pub is_no_show: bool,
    /// Files of the site that the event refers to.
    pub media: Vec<MediaFile>,
}

impl Event {
    pub fn status(&self) -> EventStatus {
        self.status.unwrap_or_default()
    }

    /// Returns who may see the event.
    pub fn visibility(&self) -> EventVisibility {
        self.visibility.unwrap_or_default()
    }

    /// Returns the URL of a page about the event: the live show's page, or else the event's source.
    pub fn url(&self) -> Option<&str> {
        let of_show = self.live.as_ref().and_then(|live| live.link.as_deref());
        of_show.or(self.source_link.as_ref().map(|link| link.url.as_str()))
    }

    /// Returns the type of the event.
    pub fn event_type(&self) -> EventType {
        self.event_type.unwrap_or_default()
    }

    /// Returns this instance with missing fields filled in from its series.
    #[must_use]
    pub fn with_series_defaults(&self, series: &Self) -> Self {
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
                Some(series) => {
                    Some(self.live.clone().unwrap_or_default().with_series_defaults(series))
                }
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
