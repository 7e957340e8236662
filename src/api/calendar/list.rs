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
use super::resource::{timestamp, with_etag};
use super::token::{self, PageToken, SyncToken};
use api_shared::ApiError;

/// Maximum number of entries that one call examines. A page can therefore have fewer entries than
/// requested.
const MAX_EXAMINED_ENTRIES: usize = 20_000;

/// A requested list at one state of the ledger.
struct List {
    filter: Filter,
    order: Order,
    /// A hash that identifies the list in page tokens.
    name: u64,
    /// The state that the client already has. None if the client requests the whole list.
    sync_token: Option<SyncToken>,
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
    let list = List::from_request(call, &ask)?;
    let now = call.events_at(list.serial)?.0;
    let found_page = list.page(call, &ask.page, &now)?;
    let mut tokens = Map::new();
    match &found_page.more {
        Some(after) => {
            tokens.insert("nextPageToken".into(), list.next_page_token(call, after)?.into())
        }
        None => tokens.insert("nextSyncToken".into(), list.next_sync_token(call)?.into()),
    };
    collection(call, found_page.items, tokens)
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
    let entry = all.get(event).filter(|entry| call.has_visible_part(entry));
    let entry = entry.ok_or_else(|| super::events::event_not_found(event))?;
    let found_page = list.found_page(call, &ask, &[entry], |item| {
        original.is_none_or(|original| super::events::has_original_start(item, original))
    })?;
    let mut tokens = Map::new();
    if let Some(after) = &found_page.more {
        tokens.insert("nextPageToken".into(), list.next_page_token(call, after)?.into());
    }
    collection(call, found_page.items, tokens)
}

impl List {
    fn from_request(call: &CalendarCall<'_>, ask: &EventsRequest) -> Result<Self, ApiError> {
        match &ask.what {
            RequestedList::All { filter, order } => {
                let name = name(call, &(filter, order));
                Self::of(call, filter.clone(), *order, name, &ask.page)
            }
            RequestedList::Changes { token, single_events, event_types } => {
                let sync_token = sync_token(call, token)?;
                let filter = &sync_token.filter;
                if single_events.is_some_and(|flag| flag != filter.single_events) {
                    let why = "must be the same as in the request that returned the syncToken";
                    return Err(ApiError::invalid("singleEvents", why));
                }
                if !event_types.is_empty() && *event_types != filter.event_types {
                    let why = "must be the same as in the request that returned the syncToken";
                    return Err(ApiError::invalid("eventTypes", why));
                }
                let name = name(call, &token);
                let list = Self::of(call, filter.clone(), Order::Stable, name, &ask.page)?;
                Ok(Self { sync_token: Some(sync_token), ..list })
            }
        }
    }

    /// Creates a list at the current state, or at the state in the request's page token.
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
            sync_token: None,
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
        match &self.sync_token {
            Some(sync_token) => self.changes(call, ask, sync_token, now),
            None => self.found_page(call, ask, &now.values().collect::<Vec<_>>(), |_| true),
        }
    }

    /// Returns a page of the entries that `keep` accepts.
    fn found_page(
        &self,
        call: &CalendarCall<'_>,
        ask: &ListRequest,
        entries: &[&Arc<LedgerEvent>],
        keep: impl Fn(&ListEntry) -> bool,
    ) -> Result<FoundPage, ApiError> {
        let style = call.style(ask);
        let sees = |record: &Record| call.visible(record);
        let view = self.view(&sees, self.horizon);
        let items = view.items(entries.iter().copied(), self.order, self.after.as_ref());
        Ok(take_page(items, ask.max_results, |item| {
            keep(&item).then(|| call.resource_json(&style, &item)).flatten()
        }))
    }

    /// Returns a page of changes since the state of a sync token.
    fn changes(
        &self,
        call: &CalendarCall<'_>,
        ask: &ListRequest,
        sync_token: &SyncToken,
        now: &Events,
    ) -> Result<FoundPage, ApiError> {
        let style = call.style(ask);
        let (before, changed) = call.events_at(sync_token.serial)?;
        let sees = |record: &Record| call.visible(record);
        let (old, new) = (self.view(&sees, sync_token.horizon), self.view(&sees, self.horizon));
        let after = self.after.as_ref();
        let of_changed = |events: &'_ Events, id: &Arc<str>| events.get(id).cloned();
        let old_entries: Vec<_> = changed.iter().filter_map(|id| of_changed(&before, id)).collect();
        let new_entries = self.changed_candidates(now, &changed, sync_token);
        let old = old.items(old_entries.iter(), Order::Stable, after);
        let changes =
            difference(old, new.items_from(new_entries.into_iter(), Order::Stable, after));
        Ok(take_page(changes, ask.max_results, |change| match change? {
            Change::Now(item) => call.resource_json(&style, &item),
            Change::Gone(item) => Some(style.tombstone(&item)),
        }))
    }

    /// Returns the events that can differ from the client's list. For an unchanged series, also
    /// returns the end time of the client's list, because only later instances are new.
    fn changed_candidates<'e>(
        &self,
        now: &'e Events,
        changed: &BTreeSet<Arc<str>>,
        sync_token: &SyncToken,
    ) -> Vec<(&'e Arc<LedgerEvent>, Option<Timestamp>)> {
        let has_moved = self.horizon > sync_token.horizon && self.filter.time_max.is_none();
        let entries = now.values().filter_map(|entry| {
            if changed.contains(&entry.id) {
                Some((entry, None))
            } else {
                (has_moved && entry.recurrence.is_some())
                    .then_some((entry, Some(sync_token.horizon)))
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

    fn next_page_token(
        &self,
        call: &CalendarCall<'_>,
        after: &ListPosition,
    ) -> Result<String, ApiError> {
        let token = PageToken {
            list: self.name,
            serial: self.serial,
            horizon: self.horizon,
            after: after.clone(),
        };
        token::write(&call.tracked.ledger.secret, &token).map_err(ApiError::failed)
    }

    fn next_sync_token(&self, call: &CalendarCall<'_>) -> Result<String, ApiError> {
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

/// Parses a sync token, and checks that it is valid for this call.
fn sync_token(call: &CalendarCall<'_>, text: &str) -> Result<SyncToken, ApiError> {
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

/// Returns the default end time for instances of series, in UTC: two years after the first day of
/// the month of `from`. `from` is the current time, or the start of the list if that is later.
fn horizon(from: Timestamp) -> Timestamp {
    let day: Date = from.to_zoned(TimeZone::UTC).date();
    let end = day.first_of_month().checked_add(2.years());
    end.and_then(|end| end.to_zoned(TimeZone::UTC)).map_or(Timestamp::MAX, |end| end.timestamp())
}

/// Takes at most one page of entries, and examines at most [`MAX_EXAMINED_ENTRIES`] entries.
fn take_page<T>(
    all: impl Iterator<Item = (ListPosition, T)>,
    most: usize,
    show: impl Fn(T) -> Option<Value>,
) -> FoundPage {
    let mut all = all.peekable();
    let (mut items, mut last) = (Vec::new(), None);
    for _ in 0..MAX_EXAMINED_ENTRIES {
        let Some((place, found_page)) = all.next() else {
            break;
        };
        items.extend(show(found_page));
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
    let mut resource_json = json!({
        "kind": "calendar#events",
        "summary": calendar.summary,
        "updated": timestamp(calendars::updated(call)),
        "timeZone": super::record::name(&calendar.time_zone),
        "accessRole": call.sight.role(),
        "defaultReminders": calendar.default_reminders,
        "items": items,
    });
    if let Some(description) = &calendar.description {
        resource_json["description"] = description.as_str().into();
    }
    // A change to any calendar changes the tokens, even if the list stays the same. The entity tag
    // therefore does not cover the tokens themselves. It covers only whether a token that the
    // client stored is still valid, and whether the answer has a page token or a sync token.
    let has_more = tokens.contains_key("nextPageToken");
    resource_json["etag"] = json!([call.tracked.ledger.forgotten, has_more]);
    let mut resource_json = with_etag(resource_json);
    if let Some(fields) = resource_json.as_object_mut() {
        fields.extend(tokens);
    }
    Ok(resource_json)
}
