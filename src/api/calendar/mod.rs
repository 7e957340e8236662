//! The calendar API, `/calendar/v3`: the events of the site's calendars, listed in pages, filtered,
//! expanded, and kept in sync. It only reads.
//!
//! A list is a *view* of a set of events: those that a filter admits, in an order. A full list is the
//! view of the present state. A sync is the difference of two views: at the state in the client's token,
//! and at the present state. So a client that syncs has the same list as one that lists everything, with
//! any filter.
//!
//! The [`EventTracker`] follows the site and records changes in the ledger of the state database, which
//! keeps old versions of events for thirty days, across restarts. Series are expanded only as far as a
//! page needs.

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

use futures_util::future::BoxFuture;
use headers::{ETag, HeaderMapExt, IfNoneMatch};
use serde_json::Value;
use warp::http::header::{ALLOW, CACHE_CONTROL, ETAG, WWW_AUTHENTICATE};
use warp::http::{Method, StatusCode};

use crate::api::shared::{Selection, as_meant};
use crate::model::calendar::{Calendar, CalendarId};
use crate::server::access::{CHALLENGE, Refused};
use crate::server::http::{self, Request, Response, private_json, set};
use crate::server::{Api, App};
use crate::state::Key;
use access::CalendarAccess;
use call::CalendarCall;
use error::Fault;
use event_tracker::EventTracker;
use query::Query;

/// Where the API lies.
pub const BASE: &str = "/calendar/v3";

/// The API as the server reaches it.
#[derive(Default)]
pub struct CalendarApi {
    events: EventTracker,
}

impl Api for CalendarApi {
    fn owns(&self, path: &str) -> bool {
        path == BASE || below(path).is_some()
    }

    fn answer(self: Arc<Self>, app: Arc<App>, request: Request) -> BoxFuture<'static, Response> {
        Box::pin(answer(self, app, request))
    }

    fn refusal(
        &self,
        _app: &App,
        _request: &Request,
        status: StatusCode,
        message: &str,
    ) -> Response {
        failed(&Fault::refused(status, message))
    }
}

/// What a path asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operation<'a> {
    CalendarList,
    CalendarListEntry(&'a str),
    Calendar(&'a str),
    Events(&'a str),
    Event(&'a str, &'a str),
    Instances(&'a str, &'a str),
}

impl<'a> Operation<'a> {
    /// The operation of a path, percent-decoded.
    fn of(path: &'a str) -> Option<Self> {
        let parts: Vec<&str> = below(path)?.split('/').collect();
        if parts.contains(&"") {
            return None;
        }
        match parts[..] {
            ["users", "me", "calendarList"] => Some(Self::CalendarList),
            ["users", "me", "calendarList", id] => Some(Self::CalendarListEntry(id)),
            ["calendars", id] => Some(Self::Calendar(id)),
            ["calendars", id, "events"] => Some(Self::Events(id)),
            ["calendars", id, "events", event] => Some(Self::Event(id, event)),
            ["calendars", id, "events", event, "instances"] => Some(Self::Instances(id, event)),
            _ => None,
        }
    }
}

/// The part of a path below [`BASE`], without the slash.
fn below(path: &str) -> Option<&str> {
    path.strip_prefix(BASE)?.strip_prefix('/')
}

async fn answer(api: Arc<CalendarApi>, app: Arc<App>, request: Request) -> Response {
    let request = match as_meant(request).await {
        Ok(request) => request,
        Err(error) => return failed(&Fault::refused(error.status(), &error.to_string())),
    };
    tokio::task::spawn_blocking(move || {
        respond(&app, &api.events, &request).unwrap_or_else(|fault| failed(&fault))
    })
    .await
    .unwrap_or_else(|_| failed(&Fault::failed("the server failed")))
}

fn failed(fault: &Fault) -> Response {
    let mut response = private_json(fault.status, &fault.body());
    match fault.status {
        // RFC 6750, section 3: the scheme is followed by a parameter, and clients insist on it.
        StatusCode::UNAUTHORIZED => set(&mut response, WWW_AUTHENTICATE, CHALLENGE),
        StatusCode::METHOD_NOT_ALLOWED => set(&mut response, ALLOW, "GET, HEAD"),
        _ => {}
    }
    response
}

fn respond(app: &App, tracker: &EventTracker, request: &Request) -> Result<Response, Fault> {
    let path = request.decoded_path();
    let operation = path
        .as_deref()
        .and_then(Operation::of)
        .ok_or_else(|| Fault::not_found("there is no such path in the calendar API"))?;
    if !matches!(request.method, Method::GET | Method::HEAD) {
        let words = "this path is read with GET: events are changed in their files";
        let status = StatusCode::METHOD_NOT_ALLOWED;
        return Err(Fault::new(status, "httpMethodNotAllowed", words));
    }
    let key = key_of(app, request)?;
    let query = Query::parse(&request.query)?;
    let is_pretty = query.flag("prettyPrint")?.unwrap_or(false);
    if let Some(other) = query.one("alt")?.filter(|alt| *alt != "json") {
        return Err(Fault::invalid("alt", format!("answers are json, not {other:?}")));
    }
    let fields = query
        .one("fields")?
        .map(Selection::parse)
        .transpose()
        .map_err(|why| Fault::invalid("fields", why))?;
    let mut found = look(app, tracker, &key, operation, &query)?;
    let tag = found["etag"].as_str().unwrap_or_default().to_owned();
    if let Some(fields) = fields {
        fields.keep(&mut found);
    }
    Ok(sent(request, &found, &tag, is_pretty))
}

/// The valid key of a request, with a scope of this API.
fn key_of(app: &App, request: &Request) -> Result<Key, Fault> {
    let key = app.key_of(request).map_err(|refused| match refused {
        Refused::NoKey => Fault::unauthorized("required", refused.to_string()),
        Refused::NotValid => Fault::unauthorized("authError", refused.to_string()),
        Refused::Failed(error) => Fault::failed(error),
    })?;
    if access::has_scope(&key) {
        Ok(key)
    } else {
        Err(Fault::new(
            StatusCode::FORBIDDEN,
            "insufficientPermissions",
            "this key has no scope that reads calendars",
        ))
    }
}

/// The message for a calendar that does not exist or is hidden from the key. `is_plain`: marking a
/// calendar as primary would not help.
fn missing(id: &str, is_plain: bool) -> String {
    if id == CalendarId::PRIMARY && !is_plain {
        format!(
            "no calendar is marked as primary: write `primary = true` into the {} of one",
            Calendar::FILE
        )
    } else {
        format!("there is no calendar {id:?}")
    }
}

fn look(
    app: &App,
    tracker: &EventTracker,
    key: &Key,
    operation: Operation<'_>,
    query: &Query,
) -> Result<Value, Fault> {
    let moment = app.live.newest();
    let calendars = moment.site.snapshot.calendars.as_ref();
    let sight = |entry| CalendarAccess::of(key, calendars, entry);
    let call = |id: &str| {
        let entry = calendars.find(id);
        let (entry, sight) =
            entry.and_then(|entry| Some((entry, sight(entry)?))).ok_or_else(|| {
                Fault::not_found(missing(id, entry.is_some() || calendars.all.is_empty()))
            })?;
        let tracked = tracker.follow(&app.state, app.live.root(), &moment)?;
        Ok(CalendarCall { app, query, calendars, entry, sight, tracked })
    };
    match operation {
        Operation::CalendarList => calendars::list(query, calendars, sight),
        Operation::CalendarListEntry(id) => call(id).map(|call| calendars::entry(&call)),
        Operation::Calendar(id) => call(id).map(|call| calendars::calendar(&call)),
        Operation::Events(id) => list::events(&call(id)?),
        Operation::Event(id, event) => events::event(&call(id)?, event),
        Operation::Instances(id, event) => list::instances(&call(id)?, event),
    }
}

/// The answer, or 304 if the client has it already (RFC 9110, section 13.1.2).
fn sent(request: &Request, found: &Value, tag: &str, is_pretty: bool) -> Response {
    let is_known = request
        .headers
        .typed_get::<IfNoneMatch>()
        .zip(tag.parse::<ETag>().ok())
        .is_some_and(|(known, tag)| !known.precondition_passes(&tag));
    let body = match (is_known, is_pretty) {
        (true, _) => String::new(),
        (false, true) => format!("{found:#}\n"),
        (false, false) => found.to_string(),
    };
    let status = if is_known { StatusCode::NOT_MODIFIED } else { StatusCode::OK };
    let mut response = http::bytes(status, "application/json; charset=UTF-8", body);
    set(&mut response, CACHE_CONTROL, "private, max-age=0, must-revalidate");
    set(&mut response, ETAG, tag);
    response
}
