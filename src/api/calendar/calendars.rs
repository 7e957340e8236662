//! `calendars` and `users/me/calendarList`: the calendars without their events.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::access::CalendarAccess;
use super::call::{CalendarCall, CalendarRequest};
use super::error::full_sync;
use super::query::Query;
use super::record::name;
use super::resource::with_etag;
use api_shared::{ApiError, Times};
use site::calendar::{CalendarEntry, Calendars};

/// Default and maximum number of entries on a page of the calendar list.
const PAGE_LIMITS: (u32, u32) = (100, 250);

pub fn calendar(call: &CalendarCall<'_>) -> Value {
    with_etag(calendar_resource(call.entry, "calendar#calendar"))
}

/// Returns a calendar as an entry of the calendar list.
pub fn entry(call: &CalendarCall<'_>) -> Value {
    list_entry(call.calendars, call.entry, call.sight)
}

/// Lists the calendars that a key may see, ordered by id.
pub fn list(request: &CalendarRequest<'_>) -> Result<Value, ApiError> {
    let (query, calendars) = (request.query, request.calendars());
    if query.one("syncToken")?.is_some() {
        return Err(full_sync("the calendar list does not support sync tokens"));
    }
    let most = query.number("maxResults", 1, PAGE_LIMITS.1)?.unwrap_or(PAGE_LIMITS.0);
    let after = query.one("pageToken")?;
    let min = parse_min_role(query)?;
    let visible = calendars.all.iter().filter_map(|entry| {
        let sight = request.sight(entry)?;
        let is_later = after.is_none_or(|after| entry.calendar.id.as_str() > after);
        (is_later && rank(sight.role()) >= min).then_some((entry, sight))
    });
    let mut visible = visible.peekable();
    let (mut items, mut last) = (Vec::new(), None);
    for (entry, sight) in visible.by_ref().take(usize::try_from(most).unwrap_or(usize::MAX)) {
        items.push(list_entry(calendars, entry, sight));
        last = Some(entry.calendar.id.as_str());
    }
    let mut resource_json = json!({ "kind": "calendar#calendarList", "items": items });
    if let (Some(last), Some(_)) = (last, visible.peek()) {
        resource_json["nextPageToken"] = last.into();
    }
    Ok(with_etag(resource_json))
}

fn parse_min_role(query: &Query) -> Result<usize, ApiError> {
    match query.one("minAccessRole")? {
        None => Ok(0),
        Some(role) if ROLES.contains(&role) => Ok(rank(role)),
        Some(role) => {
            let why = format!("must be one of {}, not {role:?}", ROLES.join(", "));
            Err(ApiError::invalid("minAccessRole", why))
        }
    }
}

/// The roles that a key can have, in ascending order.
const ROLES: [&str; 4] = ["freeBusyReader", "reader", "writer", "owner"];

fn rank(role: &str) -> usize {
    ROLES.iter().position(|own| *own == role).unwrap_or(0)
}

fn list_entry(calendars: &Calendars, entry: &CalendarEntry, sight: CalendarAccess) -> Value {
    let mut resource_json = calendar_resource(entry, "calendar#calendarListEntry");
    resource_json["accessRole"] = sight.role().into();
    resource_json["defaultReminders"] = json!(entry.calendar.default_reminders);
    resource_json["selected"] = true.into();
    if calendars.is_primary(&entry.calendar.id) {
        resource_json["primary"] = true.into();
    }
    with_etag(resource_json)
}

fn calendar_resource(entry: &CalendarEntry, kind: &str) -> Value {
    let calendar = &entry.calendar;
    let mut resource_json = json!({
        "kind": kind,
        "id": calendar.id.as_str(),
        "summary": calendar.summary,
        "timeZone": name(&calendar.time_zone),
    });
    let more = [("description", &calendar.description), ("location", &calendar.location)];
    for (name, text) in more {
        if let Some(text) = text {
            resource_json[name] = text.as_str().into();
        }
    }
    resource_json
}

/// Returns the time of the last change to the calendar or to one of its visible events.
pub fn updated(call: &CalendarCall<'_>) -> Timestamp {
    let root = call.app.live.root();
    let own = call.entry.calendar.source.as_ref();
    let own = own.and_then(|path| Times::of(&path.on_disk(root)));
    let events = call.tracked.events(call.calendar().as_str());
    let of_events = events.values().flat_map(|entry| {
        let records = entry.exceptions.iter().map(|one| &one.record).chain([&entry.own]);
        let visible = records.filter(|record| call.visible(record).is_some());
        visible.map(|record| entry.deleted.unwrap_or(record.updated))
    });
    let times = of_events.chain(own.map(|own| own.modified));
    times.max().unwrap_or(Timestamp::UNIX_EPOCH)
}
