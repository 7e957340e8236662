//! The parameters of the events list, validated individually and against each other.

use jiff::tz::TimeZone;

use super::filter::Filter;
use super::list_entries::Order;
use super::query::Query;
use api_shared::ApiError;
use model::calendar::EventType;

/// Default number of entries on a page.
const DEFAULT_RESULTS: u32 = 250;

/// Maximum number of entries on a page.
const MAX_RESULTS: u32 = 2500;

/// Parameters that are not allowed with a sync token, because the token already defines the list.
const FORBIDDEN_WITH_SYNC_TOKEN: [&str; 8] = [
    "iCalUID", "orderBy", "privateExtendedProperty", "sharedExtendedProperty", "q", "timeMin",
    "timeMax", "updatedMin",
];

/// A request for the events list.
#[derive(Debug, Clone)]
pub struct EventsRequest {
    pub what: RequestedList,
    /// The page size and format of the list.
    pub page: ListRequest,
}

/// The requested list.
#[derive(Debug, Clone)]
pub enum RequestedList {
    All {
        filter: Filter,
        order: Order,
    },
    /// The changes since the client received a sync token.
    Changes {
        token: String,
        /// The value of `singleEvents`, if the request includes this parameter. It must be the same
        /// as in the list that returned the sync token.
        single_events: Option<bool>,
        /// The value of `eventTypes`, or an empty list if the request does not include this
        /// parameter.
        event_types: Vec<String>,
    },
}

/// The page size and format of a requested list.
#[derive(Debug, Clone)]
pub struct ListRequest {
    /// Maximum number of entries on the page.
    pub max_results: usize,
    pub token: Option<String>,
    /// Maximum number of attendees. An event with more attendees lists only the attendee marked
    /// `self`.
    pub max_attendees: Option<usize>,
    /// The time zone of times in the answer. None means the calendar's time zone.
    pub zone: Option<TimeZone>,
}

impl ListRequest {
    /// Parses the parameters that all lists share.
    pub fn parse(query: &Query) -> Result<Self, ApiError> {
        let number = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
        let max_results = query.number("maxResults", 1, MAX_RESULTS)?;
        Ok(Self {
            max_results: number(max_results.unwrap_or(DEFAULT_RESULTS)),
            token: query.one("pageToken")?.map(str::to_owned),
            max_attendees: query.number("maxAttendees", 1, u32::MAX)?.map(number),
            zone: query.zone("timeZone")?,
        })
    }
}

impl EventsRequest {
    /// Parses the parameters of the events list.
    pub fn parse(query: &Query) -> Result<Self, ApiError> {
        // `showHiddenInvitations` is validated but has no effect, because no invitation is hidden
        // here. `alwaysIncludeEmail` is ignored, as in other calendar services.
        query.flag("showHiddenInvitations")?;
        let page = ListRequest::parse(query)?;
        let what = match query.one("syncToken")? {
            Some(token) => changes(query, token)?,
            None => all(query)?,
        };
        Ok(Self { what, page })
    }
}

fn changes(query: &Query, token: &str) -> Result<RequestedList, ApiError> {
    if let Some(name) =
        FORBIDDEN_WITH_SYNC_TOKEN.into_iter().find(|name| query.all(name).next().is_some())
    {
        let why = "cannot be combined with syncToken, which keeps the filters of the first list";
        return Err(ApiError::invalid(name, why));
    }
    if query.flag("showDeleted")? == Some(false) {
        let why = "cannot be false with syncToken; the changes always include deleted events";
        return Err(ApiError::invalid("showDeleted", why));
    }
    Ok(RequestedList::Changes {
        token: token.to_owned(),
        single_events: query.flag("singleEvents")?,
        event_types: event_types(query)?,
    })
}

fn all(query: &Query) -> Result<RequestedList, ApiError> {
    let filter = Filter {
        single_events: query.flag("singleEvents")?.unwrap_or(false),
        show_deleted: query.flag("showDeleted")?.unwrap_or(false),
        updated_min: query.time("updatedMin")?,
        event_types: event_types(query)?,
        ical_uid: query.one("iCalUID")?.map(str::to_owned),
        private: properties(query, "privateExtendedProperty")?,
        shared: properties(query, "sharedExtendedProperty")?,
        q: query.one("q")?.map(str::to_owned),
        ..bounds(query)?
    };
    let order = match query.one("orderBy")? {
        None => Order::Stable,
        Some("updated") => Order::Updated,
        Some("startTime") if filter.single_events => Order::Start,
        Some("startTime") => {
            let why = "startTime requires singleEvents=true";
            return Err(ApiError::invalid("orderBy", why));
        }
        Some(other) => {
            let why = format!("must be startTime or updated, not {other:?}");
            return Err(ApiError::invalid("orderBy", why));
        }
    };
    Ok(RequestedList::All { filter, order })
}

/// Returns a filter with only the time bounds of a list, validated against each other.
pub fn bounds(query: &Query) -> Result<Filter, ApiError> {
    let (time_min, time_max) = (query.time("timeMin")?, query.time("timeMax")?);
    if let (Some(min), Some(most)) = (time_min, time_max)
        && most <= min
    {
        let why = format!("must be later than timeMin; {most} is not after {min}");
        return Err(ApiError::invalid("timeMax", why).with_reason("timeRangeEmpty"));
    }
    Ok(Filter { time_min, time_max, ..Filter::default() })
}

fn event_types(query: &Query) -> Result<Vec<String>, ApiError> {
    let mut types = Vec::new();
    for name in query.all("eventTypes") {
        if EventType::parse(name).is_none() {
            let known = EventType::NAMES.join(", ");
            return Err(ApiError::invalid(
                "eventTypes",
                format!("must be one of {known}, not {name:?}"),
            ));
        }
        types.push(name.to_owned());
    }
    // The order of the types in the request does not matter.
    types.sort_unstable();
    types.dedup();
    Ok(types)
}

fn properties(query: &Query, name: &str) -> Result<Vec<(String, String)>, ApiError> {
    let pairs = query.all(name).map(|text| match text.split_once('=') {
        Some((own, value)) if !own.is_empty() => Ok((own.to_owned(), value.to_owned())),
        _ => Err(ApiError::invalid(name, format!("must be propertyName=value, not {text:?}"))),
    });
    pairs.collect()
}
