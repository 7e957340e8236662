//! The realtime hooks, `POST /hooks/realtime/{app_id}`. A realtime application reports that a show
//! has started or ended, and where its recording is.
//!
//! 1. `signature` checks that the hook is recent and was sent by the app.
//! 2. `payload` parses the body.
//! 3. `show` finds the live event in the site's calendars.
//! 4. `show_history` collects everything that hooks reported about the show, in any order.
//! 5. `apply` writes new data to the event's file (`event_file`) and to a draft item (`draft`).
//!
//! A rejected hook changes neither the site nor its state.

mod apply;
mod draft;
mod event_file;
mod facts;
mod payload;
mod show;
mod show_history;
mod signature;

use std::sync::Arc;

use bytes::Bytes;
use jiff::Timestamp;
use serde_json::json;
use warp::http::header::{CACHE_CONTROL, RETRY_AFTER};
use warp::http::{Method, StatusCode};

use api_shared::{ApiError, blocking, read_mebibytes};
use model::AppId;
use payload::Hook;
use server::http::{self, Request, Response, set};
use server::{Api, ApiAnswer, App, ServeEvent};
use signature::{Secret, SignedHook};
use state::Delivery;

/// The prefix of all hook paths. An app's id follows it.
pub const BASE: &str = "/hooks/realtime/";

/// The error message for a hook that panicked.
const FAILED: &str = "the server failed; send the hook again";

/// The realtime hooks as an [`Api`] of the server.
pub struct RealtimeHooks;

impl Api for RealtimeHooks {
    fn owns(&self, path: &str) -> bool {
        path.starts_with(BASE)
    }

    fn answer(self: Arc<Self>, app: Arc<App>, request: Request) -> ApiAnswer {
        Box::pin(answer(app, request))
    }

    fn error(&self, _app: &App, _path: &str, error: &ApiError) -> Response {
        error.response(&json!({ "message": error.message }), &[RETRY_AFTER])
    }
}

/// The error for a request without a valid and recent signature. The error reveals no details.
fn unauthorized() -> ApiError {
    ApiError::new(StatusCode::UNAUTHORIZED, "Unauthorized")
}

async fn answer(app: Arc<App>, request: Request) -> Result<Response, ApiError> {
    if request.method != Method::POST {
        let message = "this path supports only POST".to_owned();
        return Err(ApiError { message, ..ApiError::method_not_allowed("POST") });
    }
    let (id, secret) = {
        let (app, path) = (Arc::clone(&app), request.decoded_path());
        blocking(FAILED, move || find_app(&app, &path.unwrap_or_default())).await??
    };
    let signed = SignedHook::read(&request, Timestamp::now()).ok_or_else(unauthorized)?;
    let body = read_mebibytes(request.body, 1).await?;
    if !signed.is_signed_with(&secret, &body) {
        return Err(unauthorized());
    }
    let body = blocking(FAILED, move || deliver(&app, &id, &signed, &body)).await??;
    let mut response = http::bytes(StatusCode::OK, "application/json", body);
    set(&mut response, CACHE_CONTROL, "private, no-store");
    Ok(response)
}

/// Returns the app with the id in the path, and the app's secret.
fn find_app(app: &App, path: &str) -> Result<(AppId, Secret), ApiError> {
    let name = path.strip_prefix(BASE).unwrap_or_default();
    let name = name.strip_suffix('/').unwrap_or(name);
    let moment = app.live.newest();
    let mut apps = moment.site.snapshot.config.realtime.iter();
    let found = apps
        .find(|found| found.id.as_str() == name)
        .ok_or_else(|| ApiError::not_found("app not found: check the app id in the URL"))?;
    let secret = match &found.secret_env {
        None => Err("site.toml has no `secret_env` for the app".to_owned()),
        Some(variable) => match app.environment.get(variable) {
            None => Err(format!("the environment variable {variable} is not set")),
            Some(secret) => Secret::parse(&secret).map_err(|why| {
                format!("the environment variable {variable} is not a valid webhook secret: {why}")
            }),
        },
    };
    let secret = secret.map_err(|why| {
        report_refusal(app, &found.id, &why);
        // The error reveals nothing about the server's configuration, but allows the sender to
        // retry.
        ApiError::busy("this server has no valid secret for the app; see the server's output")
    })?;
    Ok((found.id.clone(), secret))
}

fn report_refusal(app: &App, id: &AppId, why: &str) {
    app.live.announce(ServeEvent::Refused(format!(
        "a hook of the realtime app {id} was rejected: {why}"
    )));
}

/// Processes a hook with a valid signature.
fn deliver(app: &App, id: &AppId, signed: &SignedHook, body: &Bytes) -> Result<String, ApiError> {
    let hook = Hook::parse(body)?;
    let delivery = app.state.delivery(id.as_str(), &signed.id, signed.at, Timestamp::now());
    let taken = match delivery.map_err(ApiError::from) {
        Ok(Delivery::Replayed) => return Err(unauthorized()),
        Ok(Delivery::Again(answer)) => return Ok(answer),
        Ok(Delivery::New(receipt)) => apply::apply(app, id, &signed.id, &hook, receipt),
        Err(error) => Err(error),
    };
    // The hook was valid, so the error is on this server, and the sender must retry.
    taken.map_err(|error| {
        report_refusal(app, id, &error.message);
        let message = "the site cannot be changed now; try again later";
        match error.status {
            StatusCode::INTERNAL_SERVER_ERROR => ApiError::failed(message),
            _ => ApiError::busy(message),
        }
    })
}
