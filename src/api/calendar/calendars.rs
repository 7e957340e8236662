//! `calendars` and `users/me/calendarList`: the calendars without their events.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::access::CalendarAccess;
use super::call::{CalendarCall, CalendarRequest};
use super::error::full_sync;
use super::query::Query;
use super::record::name;
use super::resource::tagged;
use api_shared::{ApiError, Times};
use site::calendar::{CalendarEntry, Calendars};

/// Default and maximum number of entries on a page of the calendar list.
const LIST: (u32, u32) = (100, 250);

pub fn calendar(call: &CalendarCall<'_>) -> Value {
    tagged(described(call.entry, "calendar#calendar"))
}

/// Returns a calendar as an entry of the calendar list.
pub fn entry(call: &CalendarCall<'_>) -> Value {
    listed(call.calendars, call.entry, call.sight)
}

/// Lists the calendars that a key may see, ordered by id.
pub fn list(request: &CalendarRequest<'_>) -> Result<Value, ApiError> {
    let (query, calendars) = (request.query, request.calendars());
    if query.one("syncToken")?.is_some() {
        return Err(full_sync("the calendar list does not support sync tokens"));
    }
    let most = query.number("maxResults", 1, LIST.1)?.unwrap_or(LIST.0);
    let after = query.one("pageToken")?;
    let least = least_role(query)?;
    let seen = calendars.all.iter().filter_map(|entry| {
        let sight = request.sight(entry)?;
        let is_later = after.is_none_or(|after| entry.calendar.id.as_str() > after);
        (is_later && rank(sight.role()) >= least).then_some((entry, sight))
    });
    let mut seen = seen.peekable();
    let (mut items, mut last) = (Vec::new(), None);
    for (entry, sight) in seen.by_ref().take(usize::try_from(most).unwrap_or(usize::MAX)) {
        items.push(listed(calendars, entry, sight));
        last = Some(entry.calendar.id.as_str());
    }
    let mut shown = json!({ "kind": "calendar#calendarList", "items": items });
    if let (Some(last), Some(_)) = (last, seen.peek()) {
        shown["nextPageToken"] = last.into();
    }
    Ok(tagged(shown))
}

fn least_role(query: &Query) -> Result<usize, ApiError> {
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

fn listed(calendars: &Calendars, entry: &CalendarEntry, sight: CalendarAccess) -> Value {
    let mut shown = described(entry, "calendar#calendarListEntry");
    shown["accessRole"] = sight.role().into();
    shown["defaultReminders"] = json!(entry.calendar.default_reminders);
    shown["selected"] = true.into();
    if calendars.is_primary(&entry.calendar.id) {
        shown["primary"] = true.into();
    }
    tagged(shown)
}

fn described(entry: &CalendarEntry, kind: &str) -> Value {
    let calendar = &entry.calendar;
    let mut shown = json!({
        "kind": kind,
        "id": calendar.id.as_str(),
        "summary": calendar.summary,
        "timeZone": name(&calendar.time_zone),
    });
    let more = [("description", &calendar.description), ("location", &calendar.location)];
    for (name, text) in more {
        if let Some(text) = text {
            shown[name] = text.as_str().into();
        }
    }
    shown
}

/// Returns the time of the last change to a calendar or to any event that the key sees.
pub fn updated(call: &CalendarCall<'_>) -> Timestamp {
    let root = call.app.live.root();
    let own = call.entry.calendar.source.as_ref();
    let own = own.and_then(|path| Times::of(&path.on_disk(root)));
    let events = call.tracked.events(call.calendar().as_str());
    let of_events = events.values().flat_map(|entry| {
        let records = entry.exceptions.iter().map(|one| &one.record).chain([&entry.own]);
        let seen = records.filter(|record| call.seen(record).is_some());
        seen.map(|record| entry.deleted.unwrap_or(record.updated))
    });
    let times = of_events.chain(own.map(|own| own.modified));
    times.max().unwrap_or(Timestamp::UNIX_EPOCH)
}
