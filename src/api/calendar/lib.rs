//! The calendar API, `/calendar/v3`. It lists the events of the site's calendars in pages, filters
//! them, expands series, and keeps clients in sync. The API is read-only.
//!
//! A list is a *view* of a set of events: the events that match a filter, in a defined order. A
//! full list is the view of the current state. A sync is the difference between two views: the view
//! at the state in the client's token, and the view of the current state. A client that syncs
//! therefore always has the same list as a client that requests the full list.
//!
//! The [`EventTracker`] follows the site and records changes in the ledger of the state database.
//! The ledger keeps old versions of events for thirty days, across restarts. A series is expanded
//! only as far as the requested page requires.

mod access;
mod calendars;
mod call;
mod difference;
mod error;
mod event_fields;
mod event_tracker;
mod events;
mod filter;
mod list;
mod list_entries;
mod list_request;
mod query;
mod record;
mod resource;
mod text_search;
mod token;

use std::sync::Arc;

use headers::{ETag, HeaderMapExt, IfNoneMatch};
use serde_json::Value;
use warp::http::StatusCode;
use warp::http::header::{CACHE_CONTROL, ETAG};

use api_shared::{AnswerFormat, ApiError, FAILED, blocking, effective_request, find, key_of};
use call::CalendarRequest;
use event_tracker::EventTracker;
use query::Query;
use server::http::{self, Request, Response, set};
use server::{Api, ApiAnswer, App};

/// The path prefix of the API.
pub const BASE: &str = "/calendar/v3";

/// The calendar API as an [`Api`] of the server.
#[derive(Default)]
pub struct CalendarApi {
    events: EventTracker,
}

impl Api for CalendarApi {
    fn owns(&self, path: &str) -> bool {
        path == BASE || strip_base(path).is_some()
    }

    fn answer(self: Arc<Self>, app: Arc<App>, request: Request) -> ApiAnswer {
        Box::pin(answer(self, app, request))
    }

    fn error(&self, _app: &App, _path: &str, error: &ApiError) -> Response {
        error::response(error)
    }
}

type Run = fn(&CalendarRequest<'_>) -> Result<Value, ApiError>;

/// The operations with their paths below [`BASE`]. All are GET requests.
const OPERATIONS: [(&str, Run); 6] = [
    ("users/me/calendarList", calendars::list),
    ("users/me/calendarList/{calendar}", |request| Ok(calendars::entry(&request.call()?))),
    ("calendars/{calendar}", |request| Ok(calendars::calendar(&request.call()?))),
    ("calendars/{calendar}/events", |request| list::events(&request.call()?)),
    ("calendars/{calendar}/events/{event}", |request| {
        events::event(&request.call()?, request.names.get("event"))
    }),
    ("calendars/{calendar}/events/{event}/instances", |request| {
        list::instances(&request.call()?, request.names.get("event"))
    }),
];

/// Returns the part of a path below [`BASE`], without the leading slash.
fn strip_base(path: &str) -> Option<&str> {
    path.strip_prefix(BASE)?.strip_prefix('/')
}

async fn answer(
    api: Arc<CalendarApi>,
    app: Arc<App>,
    request: Request,
) -> Result<Response, ApiError> {
    let request = effective_request(request).await;
    let request = request.map_err(|error| ApiError::new(error.status(), error.to_string()))?;
    blocking(FAILED, move || respond(&app, &api.events, &request)).await?
}

fn respond(app: &App, tracker: &EventTracker, request: &Request) -> Result<Response, ApiError> {
    let path = request.decoded_path().unwrap_or_default();
    let table = OPERATIONS.into_iter().map(|(path, run)| ("GET", path, run));
    let found = find(table, &request.method, strip_base(&path).unwrap_or_default());
    let (run, names) = found.map_err(|allow| match allow {
        Some(allow) => ApiError {
            message: "this path supports only GET; change events in their files".to_owned(),
            ..ApiError::method_not_allowed(allow)
        },
        None => ApiError::not_found("path not found in the calendar API"),
    })?;
    let key = key_of(app, request)?;
    if !access::has_scope(&key) {
        let message = "this key lacks a scope for reading calendars";
        let error = ApiError::new(StatusCode::FORBIDDEN, message);
        return Err(error.with_reason("insufficientPermissions"));
    }
    let query = Query::parse(&request.query)?;
    let is_pretty = query.flag("prettyPrint")?.unwrap_or(false);
    let format = AnswerFormat::of(query.one("alt")?)?.with_fields(query.one("fields")?)?;
    let format = format.pretty(is_pretty);
    let moment = app.live.newest();
    let asked = CalendarRequest { app, tracker, key: &key, query: &query, moment: &moment, names };
    Ok(build_response(request, run(&asked)?, &format))
}

/// Returns the answer, or a 304 if the client already has it (RFC 9110, section 13.1.2).
fn build_response(request: &Request, found: Value, format: &AnswerFormat) -> Response {
    let tag = found["etag"].as_str().unwrap_or_default().to_owned();
    let is_known = request
        .headers
        .typed_get::<IfNoneMatch>()
        .zip(tag.parse::<ETag>().ok())
        .is_some_and(|(known, tag)| !known.precondition_passes(&tag));
    let (status, body) = match is_known {
        true => (StatusCode::NOT_MODIFIED, String::new()),
        false => (StatusCode::OK, format.text(found)),
    };
    let mut response = http::bytes(status, "application/json; charset=UTF-8", body);
    set(&mut response, CACHE_CONTROL, "private, max-age=0, must-revalidate");
    set(&mut response, ETAG, &tag);
    response
}
