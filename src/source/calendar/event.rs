//! An event's file becomes an [`Event`].

use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::super::fields::{Fields, Reader};
use super::super::front_matter::FrontMatter;
use super::super::item::{content, id};
use super::{live, parts, recurrence, time, zone};
use crate::model::ItemId;
use crate::model::calendar::{
    CalendarId, Event, EventKind, EventStatus, EventTime, EventType, EventVisibility, Transparency,
};

/// Reads an event. None where it cannot be one.
pub fn read(reader: &Reader<'_>, calendar: CalendarId) -> Option<Event> {
    let front = reader.front_matter()?;
    let fields = Fields::new(reader, &front.table, "");
    let event = event(reader, &fields, &front, calendar);
    fields.finish();
    event
}

fn event(
    reader: &Reader<'_>,
    fields: &Fields<'_, '_>,
    front: &FrontMatter,
    calendar: CalendarId,
) -> Option<Event> {
    let (id, id_is_derived) = id(fields, front)
        // What is wrong with it is said; the rest is read for what is wrong with that.
        .unwrap_or_else(|| (ItemId::derive(reader.source.path.as_str()), true));
    let kind = kind(fields, &zone(reader));
    let is_known = kind.is_some();
    let body = reader.source.text[front.body..].trim();
    let scope = id.to_string();
    let sequence = fields.integer("sequence", 0..=i64::from(i32::MAX));
    let event = Event {
        kind: kind.unwrap_or_else(|| EventKind::Instance {
            of: id.clone(),
            original: EventTime::Day(Date::ZERO),
            span: None,
        }),
        id,
        id_is_derived,
        calendar,
        source: reader.source.path.clone(),
        summary: fields.text("summary", 1024),
        location: fields.text("location", 1024),
        description: (!body.is_empty()).then(|| body.to_owned()),
        content: content(reader, front.body, &scope),
        status: fields.choice("status", EventStatus::NAMES, EventStatus::parse),
        visibility: fields.choice("visibility", EventVisibility::NAMES, EventVisibility::parse),
        transparency: fields.choice("transparency", Transparency::NAMES, Transparency::parse),
        event_type: fields.choice("eventType", EventType::NAMES, EventType::parse),
        type_properties: parts::type_properties(fields),
        color_id: fields.text("colorId", 16),
        ical_uid: fields.text("iCalUID", 1024),
        sequence: sequence.and_then(|number| u32::try_from(number).ok()),
        created: fields.date("created"),
        updated: fields.date("updated"),
        written: reader.written(),
        is_in_calendars_zone: !time::names_zone(fields),
        creator: parts::person(fields, "creator"),
        organizer: parts::person(fields, "organizer"),
        attendees: parts::attendees(fields),
        extended: parts::extended(fields),
        reminders: parts::reminders(fields),
        source_link: parts::source_link(fields),
        live: live::read(fields),
        media: Vec::new(),
    };
    // What clients send back with an event, and is known without it.
    fields.ignore(&["id", "kind", "etag", "htmlLink", "endTimeUnspecified"]);
    is_known.then_some(event)
}

/// A series' instance where `recurringEventId` says so, else an event of its own.
fn kind(fields: &Fields<'_, '_>, zone: &TimeZone) -> Option<EventKind> {
    let span = time::span(fields, zone);
    let Some(of) = fields.node("recurringEventId") else {
        fields.ignore(&["originalStartTime"]);
        if fields.node("start").is_none() {
            let help = "add `start`, like start = { date = \"2026-11-20\" } or { dateTime = \"2026-11-20T20:00\", timeZone = \"Europe/Berlin\" }";
            fields.reader.error(&(0..0), "`start` is missing", help);
        }
        let span = span?;
        let recurrence = recurrence::read(fields, &span.start);
        return Some(EventKind::Own { span, recurrence });
    };
    let original = time::time(fields, "originalStartTime", zone);
    if fields.node("originalStartTime").is_none() {
        let message = "`originalStartTime` is missing: it says which of the series this is";
        let help = "add when the event of the series would have started, in the form of `start`";
        fields.reader.error(&of.span, message, help);
    }
    if let Some(node) = fields.node("recurrence") {
        let message = "one event of a series has no `recurrence` of its own";
        fields.reader.error(
            &node.span,
            message,
            "remove it, or remove `recurringEventId`",
        );
    }
    let text = fields.as_string("recurringEventId", of)?;
    match ItemId::parse(&text) {
        Ok(id) => Some(EventKind::Instance {
            of: id,
            original: original?,
            span,
        }),
        Err(error) => {
            let help = "write the `id` of the series, an event of this calendar";
            fields.reader.error(&of.span, error.to_string(), help);
            None
        }
    }
}
