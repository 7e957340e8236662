//! An event of a calendar.

use jiff::Timestamp;
use recurrence::Recurrence;
use serde_json::Value;

use super::{
    Attendee, CalendarId, EventPerson, EventSpan, EventStatus, EventTime, EventType,
    EventVisibility, ExtendedProperties, Live, Reminders, SourceLink, Transparency,
};
use crate::model::{Content, ItemId, MediaFile, SitePath};

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
