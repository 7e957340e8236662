//! Conversion of an event's file to an [`Event`].

use front_matter::{FrontMatter, Node, Value};
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::super::body::content;
use super::super::check::validate_allowed;
use super::super::fields::{Fields, Reader};
use super::super::item::id;
use super::{event_details, live, recurrence, time, types, zone};
use model::calendar::{
    CalendarId, EVENT, Event, EventKind, EventStatus, EventTime, EventType, EventVisibility,
    Transparency,
};
use model::{ItemId, Rule};

/// Reads an event. Returns `None` if the file is not a valid event.
pub fn read(reader: &Reader<'_>, calendar: CalendarId) -> Option<Event> {
    let front = reader.front_matter()?;
    let fields = Fields::of_file(reader, &front.table, EVENT);
    let event = event(reader, &fields, &front, calendar);
    validate_allowed(&fields);
    fields.finish();
    event
}

fn event(
    reader: &Reader<'_>,
    fields: &Fields<'_, '_>,
    front: &FrontMatter,
    calendar: CalendarId,
) -> Option<Event> {
    let named = id(fields, front);
    let zone = zone(reader);
    let kind = kind(fields, zone.as_ref().unwrap_or(&reader.config.timezone));
    // Errors in these fields are already reported. The other fields are still read to find their
    // errors.
    let is_known = named.is_some() && zone.is_some() && kind.is_some();
    let (id, id_is_derived) =
        named.unwrap_or_else(|| (ItemId::derive(reader.source.path.as_str()), true));
    let body = reader.source.text[front.body..].trim();
    let scope = id.to_string();
    let event_type = fields.choice("eventType", EventType::NAMES, EventType::parse);
    let is_instance = fields.node("recurringEventId").is_some();
    let sequence = fields.integer("sequence");
    let mut event = Event {
        kind: kind.unwrap_or_else(|| EventKind::Instance {
            of: id.clone(),
            original: EventTime::Day(Date::ZERO),
            span: None,
        }),
        id,
        id_is_derived,
        calendar,
        source: reader.source.path.clone(),
        summary: fields.text("summary"),
        location: fields.text("location"),
        description: (!body.is_empty()).then(|| body.to_owned()),
        content: content(reader, front.body, &scope),
        status: fields.choice("status", EventStatus::NAMES, EventStatus::parse),
        visibility: fields.choice("visibility", EventVisibility::NAMES, EventVisibility::parse),
        transparency: fields.choice("transparency", Transparency::NAMES, Transparency::parse),
        event_type,
        type_properties: types::properties(fields, event_type, is_instance),
        color_id: fields.text("colorId"),
        ical_uid: ical_uid(fields),
        sequence: sequence.and_then(|number| u32::try_from(number).ok()),
        created: fields.date("created"),
        updated: fields.date("updated"),
        written: reader.written(),
        is_in_calendars_zone: !time::has_explicit_zone(fields),
        creator: event_details::person(fields, "creator"),
        organizer: event_details::person(fields, "organizer"),
        attendees: event_details::attendees(fields),
        extended: event_details::extended(fields),
        reminders: event_details::reminders(fields),
        source_link: event_details::source_link(fields),
        live: live::read(fields),
        is_no_show: live::is_off(fields),
        media: Vec::new(),
    };
    event.content.links.extend(reader.take_links());
    if is_known {
        warn(fields, &event);
    }
    is_known.then_some(event)
}

/// Reads `iCalUID`: a single-line string (RFC 5545, section 3.8.4.7).
fn ical_uid(fields: &Fields<'_, '_>) -> Option<String> {
    let text = fields.text("iCalUID")?;
    if text.contains(char::is_control) {
        let span = fields.node("iCalUID").map_or(0..0, |node| node.span.clone());
        let message = "`iCalUID` contains a control character, such as a line break";
        fields.reader.error(&span, message, "write it on one line, without control characters");
        return None;
    }
    Some(text)
}

/// Warns about values that are valid but probably unintended.
fn warn(fields: &Fields<'_, '_>, event: &Event) {
    let EventKind::Own { span, .. } = &event.kind else {
        return;
    };
    // A value of the wrong type is reported elsewhere.
    let summary = fields.node("summary").map(|node| &node.value);
    let is_left_out = matches!(summary, None | Some(Value::String(_)));
    if event.summary.is_none() && is_left_out && event.visibility().is_public() {
        let help = "add `summary`: the site and calendar apps show it";
        let message = "this event has no `summary`";
        fields.reader.warning(Rule::Event, &(0..0), message, help);
    }
    if event.live.is_some() && span.start.is_day() {
        let place = fields.node("start").map_or(0..0, |node| node.span.clone());
        let message =
            "a live show must start at a time, but this event's `start` is a date without a time";
        let help = "add the time to `start`: 2026-11-20T20:00:00";
        fields.reader.warning(Rule::LiveShow, &place, message, help);
    }
}

/// Returns an instance of a series if the event has `recurringEventId`, and an independent event
/// otherwise.
fn kind(fields: &Fields<'_, '_>, zone: &TimeZone) -> Option<EventKind> {
    match fields.node("recurringEventId") {
        Some(of) => instance(fields, of, zone),
        None => independent_event(fields, zone),
    }
}

fn independent_event(fields: &Fields<'_, '_>, zone: &TimeZone) -> Option<EventKind> {
    if fields.node("start").is_none() {
        let help =
            "add `start`: a date like 2026-11-20, or a date and time like 2026-11-20T20:00:00";
        fields.missing("start", &(0..0), help);
    }
    if let Some(node) = fields.node("originalStartTime") {
        let message = "`originalStartTime` is only for an event of a series";
        let help =
            "add `recurringEventId` with the `id` of the series, or remove `originalStartTime`";
        fields.reader.warning(Rule::EventTime, &node.span, message, help);
    }
    let span = time::span(fields, zone, None)?;
    let recurrence = recurrence::read(fields, &span.start);
    Some(EventKind::Own { span, recurrence })
}

fn instance(fields: &Fields<'_, '_>, of: &Node, zone: &TimeZone) -> Option<EventKind> {
    let original = time::time(fields, "originalStartTime", zone);
    if fields.node("originalStartTime").is_none() {
        let help = "add `originalStartTime`: the event's original start in the series, written like `start`";
        fields.missing("originalStartTime", &of.span, help);
    }
    let span = time::span(fields, zone, original.as_ref());
    if let Some(node) = fields.node("recurrence") {
        let message = "an event with `recurringEventId` cannot have `recurrence`";
        let help = "remove one of the two";
        fields.reader.error(&node.span, message, help);
    }
    let text = fields.as_string("recurringEventId", of)?;
    match ItemId::parse(&text) {
        Ok(id) => Some(EventKind::Instance { of: id, original: original?, span }),
        Err(error) => {
            let help = "write the `id` of the series, an event of this calendar";
            fields.reader.error(&of.span, error.to_string(), help);
            None
        }
    }
}
