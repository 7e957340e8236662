//! The content API, `/api/v1`.
//!
//! One file a resource. Each lists its [`Operation`]s: method, path, scope, the types of its input
//! and output, and the function that answers. The dispatcher here, the OpenAPI document and the page
//! for people all read that one list.

mod body;
mod bounds;
mod call;
mod changes;
mod channel;
mod cursor;
mod documents;
mod feed;
mod input;
mod items;
mod json_values;
mod media;
mod operation;
mod output;
mod pages;
mod search;
mod seo_changes;
mod shared_inputs;
mod site_files;
mod strict_json;

use std::path::Path;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use warp::http::StatusCode;
use warp::http::header::{CACHE_CONTROL, LOCATION, RETRY_AFTER, WWW_AUTHENTICATE};

use call::{Answer, ContentCall};
use operation::Operation;

use super::shared::{ApiError, Finder, SOON, other_method, refusal};
use crate::server::access::CHALLENGE;
use crate::server::http::{self, BodyError, Request, Response, read_body, set};
use crate::server::{Api, App};

/// Where the API lies.
pub const BASE: &str = "/api/v1";

/// Largest body, in bytes: 10 MiB.
pub const MAX_BODY: usize = 10 * 1024 * 1024;

pub fn operations() -> impl Iterator<Item = &'static Operation> {
    [
        feed::OPERATIONS,
        items::OPERATIONS,
        pages::OPERATIONS,
        site_files::OPERATIONS,
        search::OPERATIONS,
        channel::OPERATIONS,
        media::OPERATIONS,
    ]
    .into_iter()
    .flatten()
}

/// The API as the server reaches it.
pub struct ContentApi {
    finder: Finder,
}

impl ContentApi {
    /// The API of the site at `root`. Nothing is written to the disk before it is needed.
    pub fn new(root: &Path) -> Self {
        Self { finder: Finder::new(root) }
    }
}

impl Api for ContentApi {
    /// Also owns the paths of prepared uploads.
    fn owns(&self, path: &str) -> bool {
        path == "/api" || path.starts_with("/api/") || path.starts_with(media::UPLOADS)
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
        refusal(status, message)
    }
}

/// Answers a request for a path of the API.
async fn answer(api: Arc<ContentApi>, app: Arc<App>, request: Request) -> Response {
    let response = if request.path.starts_with(media::UPLOADS) {
        media::upload(app, request).await
    } else {
        respond(api, app, request).await
    };
    match response {
        Ok(response) => response,
        Err(fault) => {
            let mut response = refusal(fault.status, &fault.message);
            if fault.status == StatusCode::UNAUTHORIZED {
                set(&mut response, WWW_AUTHENTICATE, CHALLENGE);
            }
            if fault.status == StatusCode::SERVICE_UNAVAILABLE {
                set(&mut response, RETRY_AFTER, SOON);
            }
            response
        }
    }
}

async fn respond(
    api: Arc<ContentApi>,
    app: Arc<App>,
    request: Request,
) -> Result<Response, ApiError> {
    let (operation, id, head) = match admit(&app, &request) {
        Ok(admitted) => admitted,
        Err(refusal) => return refusal,
    };
    let body = match read_body(request.body, MAX_BODY).await {
        Ok(body) => body,
        Err(BodyError::TooLarge) => {
            return Err(ApiError::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                "the body is larger than 10 MiB",
            ));
        }
        Err(error) => return Err(error.into()),
    };
    let run = move || {
        let call = ContentCall {
            app: &app,
            finder: &api.finder,
            operation,
            head,
            id,
            query: request.query,
            body,
        };
        (operation.run)(&call)
    };
    let answer = tokio::task::spawn_blocking(run).await.map_err(|_| {
        ApiError::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "the server failed; nothing is known to be written",
        )
    })??;
    let mut response = http::bytes(answer.status, "application/json", answer.body);
    set(&mut response, CACHE_CONTROL, "private, no-store");
    for (name, value) in answer.headers {
        set(&mut response, name, &value);
    }
    Ok(response)
}

/// An operation, the value of its path parameter, and the checked head of the request.
type Admitted = (&'static Operation, Option<String>, call::CallHead);

/// The operation of a request, or an answer that does not depend on the body.
fn admit(app: &App, request: &Request) -> Result<Admitted, Result<Response, ApiError>> {
    let refuse = |why| Err(Err(ApiError::not_found(why)));
    let Some(path) = request.decoded_path() else {
        return refuse("there is no such path");
    };
    let Some(path) = path.strip_prefix(BASE) else {
        return refuse("the API lies at /api/v1/");
    };
    if let Some(document) = documents::find(&app.live.now(), request, path) {
        return Err(document);
    }
    if path.is_empty() {
        return Err(Ok(with_slash(app, request)));
    }
    match operation::find(&request.method, path) {
        operation::RouteMatch::Found(operation, id) => {
            match call::CallHead::read(app, operation, request) {
                Ok(head) => Ok((operation, id, head)),
                Err(fault) => Err(Err(fault)),
            }
        }
        operation::RouteMatch::WithSlash => Err(Ok(with_slash(app, request))),
        operation::RouteMatch::OtherMethod(allow) => Err(Ok(other_method(&allow))),
        operation::RouteMatch::None => refuse("there is no such path in the API"),
    }
}

/// The same path with a slash at its end, with the method and body kept (308).
fn with_slash(app: &App, request: &Request) -> Response {
    let mut response = refusal(StatusCode::PERMANENT_REDIRECT, "paths of the API end in a slash");
    let moment = app.live.now();
    // The base path, which was removed before.
    let base = moment.site.snapshot.config.base_path();
    let location = request.with_query(format!("{base}{}/", request.path));
    set(&mut response, LOCATION, &location);
    response
}
