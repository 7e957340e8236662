//! `events`: lists a calendar's events, either all events or only changes, page by page.

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use serde_json::{Map, Value, json};
use xxhash_rust::xxh3::xxh3_64;

use super::access::VisiblePart;
use super::calendars;
use super::call::CalendarCall;
use super::difference::{Change, difference};
use super::error::full_sync;
use super::event_tracker::Events;
use super::filter::Filter;
use super::list_entries::{ListEntry, ListPosition, Order, View};
use super::list_request::{EventsRequest, ListRequest, RequestedList, bounds};
use super::record::{LedgerEvent, Record};
use super::resource::{tagged, timestamp};
use super::token::{self, PageToken, SyncToken};
use api_shared::ApiError;

/// Maximum number of entries that one call examines. A page may end before it is full.
const MOST_STEPS: usize = 20_000;

/// A requested list at one state of the ledger.
struct List {
    filter: Filter,
    order: Order,
    /// A hash that identifies the list in page tokens.
    name: u64,
    /// The state that the client already has. None if the client requests the whole list.
    since: Option<SyncToken>,
    serial: i64,
    horizon: Timestamp,
    after: Option<ListPosition>,
}

/// The JSON entries of a page.
struct FoundPage {
    items: Vec<Value>,
    /// The position of the page's last entry, if more pages follow.
    more: Option<ListPosition>,
}

pub fn events(call: &CalendarCall<'_>) -> Result<Value, ApiError> {
    let ask = EventsRequest::parse(call.query)?;
    let list = List::asked(call, &ask)?;
    let now = call.events_at(list.serial)?.0;
    let found = list.page(call, &ask.page, &now)?;
    let mut tokens = Map::new();
    match &found.more {
        Some(after) => tokens.insert("nextPageToken".into(), list.continued(call, after)?.into()),
        None => tokens.insert("nextSyncToken".into(), list.synced(call)?.into()),
    };
    collection(call, found.items, tokens)
}

/// Returns the instances of a series, or the event itself for a single event.
pub fn instances(call: &CalendarCall<'_>, event: &str) -> Result<Value, ApiError> {
    let ask = ListRequest::parse(call.query)?;
    let filter = Filter {
        single_events: true,
        show_deleted: call.query.flag("showDeleted")?.unwrap_or(false),
        ..bounds(call.query)?
    };
    let original = call.query.one("originalStart")?;
    let name = name(call, &(event, original, &filter));
    let list = List::of(call, filter, Order::Stable, name, &ask)?;
    let (all, _) = call.events_at(list.serial)?;
    let entry = all.get(event).filter(|entry| call.sees_any(entry));
    let entry = entry.ok_or_else(|| super::events::unknown(event))?;
    let found = list.found(call, &ask, &[entry], |item| {
        original.is_none_or(|original| super::events::is_at(item, original))
    })?;
    let mut tokens = Map::new();
    if let Some(after) = &found.more {
        tokens.insert("nextPageToken".into(), list.continued(call, after)?.into());
    }
    collection(call, found.items, tokens)
}

impl List {
    fn asked(call: &CalendarCall<'_>, ask: &EventsRequest) -> Result<Self, ApiError> {
        match &ask.what {
            RequestedList::All { filter, order } => {
                let name = name(call, &(filter, order));
                Self::of(call, filter.clone(), *order, name, &ask.page)
            }
            RequestedList::Changes { token, single_events, event_types } => {
                let since = since(call, token)?;
                let filter = &since.filter;
                if single_events.is_some_and(|flag| flag != filter.single_events) {
                    let why = "must be the same as in the list that returned the syncToken";
                    return Err(ApiError::invalid("singleEvents", why));
                }
                if !event_types.is_empty() && *event_types != filter.event_types {
                    let why = "must be the same as in the list that returned the syncToken";
                    return Err(ApiError::invalid("eventTypes", why));
                }
                let name = name(call, &token);
                let list = Self::of(call, filter.clone(), Order::Stable, name, &ask.page)?;
                Ok(Self { since: Some(since), ..list })
            }
        }
    }

    /// Creates a list at the current state, or at the state of its first page.
    fn of(
        call: &CalendarCall<'_>,
        filter: Filter,
        order: Order,
        name: u64,
        ask: &ListRequest,
    ) -> Result<Self, ApiError> {
        let ledger = &call.tracked.ledger;
        let from = filter.time_min.unwrap_or(Timestamp::MIN);
        let list = Self {
            filter,
            order,
            name,
            since: None,
            serial: ledger.serial,
            horizon: horizon(Timestamp::now().max(from)),
            after: None,
        };
        let Some(text) = &ask.token else {
            return Ok(list);
        };
        let token: Option<PageToken> = token::read(&ledger.secret, text);
        let token = token.filter(|token| token.list == name).ok_or_else(|| {
            ApiError::invalid(
                "pageToken",
                "invalid token for this list; repeat the parameters of the first page",
            )
        })?;
        if !(ledger.forgotten..=ledger.serial).contains(&token.serial) {
            let why = "this token has expired; request the first page again";
            return Err(ApiError::invalid("pageToken", why));
        }
        Ok(Self { serial: token.serial, horizon: token.horizon, after: Some(token.after), ..list })
    }

    fn page(
        &self,
        call: &CalendarCall<'_>,
        ask: &ListRequest,
        now: &Arc<Events>,
    ) -> Result<FoundPage, ApiError> {
        match &self.since {
            Some(since) => self.changes(call, ask, since, now),
            None => self.found(call, ask, &now.values().collect::<Vec<_>>(), |_| true),
        }
    }

    /// Returns a page of all entries.
    fn found(
        &self,
        call: &CalendarCall<'_>,
        ask: &ListRequest,
        entries: &[&Arc<LedgerEvent>],
        keep: impl Fn(&ListEntry) -> bool,
    ) -> Result<FoundPage, ApiError> {
        let style = call.style(ask);
        let sees = |record: &Record| call.seen(record);
        let view = self.view(&sees, self.horizon);
        let items = view.items(entries.iter().copied(), self.order, self.after.as_ref());
        Ok(cut(items, ask.max_results, |item| {
            keep(&item).then(|| call.shown(&style, &item)).flatten()
        }))
    }

    /// Returns a page of changes.
    fn changes(
        &self,
        call: &CalendarCall<'_>,
        ask: &ListRequest,
        since: &SyncToken,
        now: &Events,
    ) -> Result<FoundPage, ApiError> {
        let style = call.style(ask);
        let (before, changed) = call.events_at(since.serial)?;
        let sees = |record: &Record| call.seen(record);
        let (old, new) = (self.view(&sees, since.horizon), self.view(&sees, self.horizon));
        let after = self.after.as_ref();
        let of_changed = |events: &'_ Events, id: &Arc<str>| events.get(id).cloned();
        let old_entries: Vec<_> = changed.iter().filter_map(|id| of_changed(&before, id)).collect();
        let new_entries = self.to_compare(now, &changed, since);
        let old = old.items(old_entries.iter(), Order::Stable, after);
        let changes =
            difference(old, new.items_from(new_entries.into_iter(), Order::Stable, after));
        Ok(cut(changes, ask.max_results, |change| match change? {
            Change::Now(item) => call.shown(&style, &item),
            Change::Gone(item) => Some(style.tombstone(&item)),
        }))
    }

    /// Returns the events that may have changed. For every other series, includes only the
    /// instances after the client's previous horizon.
    fn to_compare<'e>(
        &self,
        now: &'e Events,
        changed: &BTreeSet<Arc<str>>,
        since: &SyncToken,
    ) -> Vec<(&'e Arc<LedgerEvent>, Option<Timestamp>)> {
        let has_moved = self.horizon > since.horizon && self.filter.time_max.is_none();
        let entries = now.values().filter_map(|entry| {
            if changed.contains(&entry.id) {
                Some((entry, None))
            } else {
                (has_moved && entry.recurrence.is_some()).then_some((entry, Some(since.horizon)))
            }
        });
        entries.collect()
    }

    fn view<'v>(
        &'v self,
        sees: &'v dyn Fn(&Record) -> Option<VisiblePart>,
        horizon: Timestamp,
    ) -> View<'v> {
        View { filter: &self.filter, horizon, sees }
    }

    fn continued(&self, call: &CalendarCall<'_>, after: &ListPosition) -> Result<String, ApiError> {
        let token = PageToken {
            list: self.name,
            serial: self.serial,
            horizon: self.horizon,
            after: after.clone(),
        };
        token::write(&call.tracked.ledger.secret, &token).map_err(ApiError::failed)
    }

    fn synced(&self, call: &CalendarCall<'_>) -> Result<String, ApiError> {
        let token = SyncToken {
            calendar: call.calendar().to_string(),
            sight: call.sight.code(),
            filter: self.filter.clone(),
            serial: self.serial,
            horizon: self.horizon,
        };
        token::write(&call.tracked.ledger.secret, &token).map_err(ApiError::failed)
    }
}

/// Returns the state that a client has, from its sync token.
fn since(call: &CalendarCall<'_>, text: &str) -> Result<SyncToken, ApiError> {
    let ledger = &call.tracked.ledger;
    let Some(token) = token::read::<SyncToken>(&ledger.secret, text) else {
        return Err(full_sync("this sync token is invalid or belongs to another site"));
    };
    if token.calendar != call.calendar().as_str() {
        return Err(full_sync("this sync token belongs to another calendar"));
    }
    if token.sight != call.sight.code() {
        return Err(full_sync("this sync token belongs to a key with different access"));
    }
    if (ledger.forgotten..=ledger.serial).contains(&token.serial) {
        Ok(token)
    } else {
        Err(full_sync("this sync token has expired"))
    }
}

/// Returns a hash that identifies a list among all lists of the same calendar.
fn name(call: &CalendarCall<'_>, what: &impl serde::Serialize) -> u64 {
    let whole = json!([call.calendar().as_str(), call.sight.code(), what]);
    xxh3_64(whole.to_string().as_bytes())
}

/// Returns the end time for the instances of an unbounded list, in UTC: two years after the first day
/// of the current month, or of the month in which the list starts if that is later.
fn horizon(from: Timestamp) -> Timestamp {
    let day: Date = from.to_zoned(TimeZone::UTC).date();
    let end = day.first_of_month().checked_add(2.years());
    end.and_then(|end| end.to_zoned(TimeZone::UTC)).map_or(Timestamp::MAX, |end| end.timestamp())
}

/// Takes at most one page of entries, and examines at most [`MOST_STEPS`] entries.
fn cut<T>(
    all: impl Iterator<Item = (ListPosition, T)>,
    most: usize,
    show: impl Fn(T) -> Option<Value>,
) -> FoundPage {
    let mut all = all.peekable();
    let (mut items, mut last) = (Vec::new(), None);
    for _ in 0..MOST_STEPS {
        let Some((place, found)) = all.next() else {
            break;
        };
        items.extend(show(found));
        last = Some(place);
        if items.len() == most {
            break;
        }
    }
    let more = last.filter(|_| all.peek().is_some());
    FoundPage { items, more }
}

fn collection(
    call: &CalendarCall<'_>,
    items: Vec<Value>,
    tokens: Map<String, Value>,
) -> Result<Value, ApiError> {
    let calendar = &call.entry.calendar;
    let mut shown = json!({
        "kind": "calendar#events",
        "summary": calendar.summary,
        "updated": timestamp(calendars::updated(call)),
        "timeZone": super::record::name(&calendar.time_zone),
        "accessRole": call.sight.role(),
        "defaultReminders": calendar.default_reminders,
        "items": items,
    });
    if let Some(description) = &calendar.description {
        shown["description"] = description.as_str().into();
    }
    // Tokens change with every change to any calendar, even if the list stays the same. So the
    // entity tag does not cover the tokens themselves. It covers only what affects a token that the
    // client stored with the answer: whether the token is still valid, and its kind.
    let has_more = tokens.contains_key("nextPageToken");
    shown["etag"] = json!([call.tracked.ledger.forgotten, has_more]);
    let mut shown = tagged(shown);
    if let Some(fields) = shown.as_object_mut() {
        fields.extend(tokens);
    }
    Ok(shown)
}
