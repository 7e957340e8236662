//! The content API, `/api/v1`.
//!
//! Each resource has a separate file, which lists the resource's [`Operation`]s: method, path,
//! scope, input and output types, and the function that answers. The dispatcher in this file, the
//! OpenAPI document and the documentation page are all derived from these lists.

mod addresses;
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
mod languages;
mod media;
mod operation;
mod output;
mod pages;
mod redirects;
mod search;
mod seo_changes;
mod shared_inputs;
mod site_files;
mod strict_json;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::json;
use warp::http::StatusCode;
use warp::http::header::{CACHE_CONTROL, LOCATION, RETRY_AFTER, WWW_AUTHENTICATE};

use call::{Answer, CallHead, ContentCall};
use input::EXTENSION;
use items::SLASH;
use operation::Operation;

use api_shared::{ApiError, Finder, WRITE_FAILED, blocking, of_show, plain_error, read_mebibytes};
use server::http::{self, Request, Response, decode_path, private_json, set};
use server::{Api, ApiAnswer, App, Moment};

/// The path prefix of the API.
pub const BASE: &str = "/api/v1";

/// Maximum size of a body, in MiB.
pub const MAX_BODY: usize = 10;

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

/// The content API as an [`Api`] of the server.
pub struct ContentApi {
    root: PathBuf,
    finder: Finder,
    /// The finders of the shows, by name.
    of_shows: Mutex<BTreeMap<String, Arc<Finder>>>,
}

impl ContentApi {
    /// Creates the API for the site at `root`. Does not write to the disk until a request requires
    /// it.
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_path_buf(), finder: Finder::new(root), of_shows: Mutex::default() }
    }

    fn finder_of_show(&self, show: &str) -> Arc<Finder> {
        let mut all = self.of_shows.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || Arc::new(Finder::of_show(&self.root, show));
        Arc::clone(all.entry(show.to_owned()).or_insert_with(make))
    }
}

impl Api for ContentApi {
    /// Returns whether a path belongs to the API. This includes the paths of prepared uploads.
    fn owns(&self, path: &str) -> bool {
        path == "/api" || path.starts_with("/api/") || path.starts_with(media::UPLOADS)
    }

    fn answer(self: Arc<Self>, app: Arc<App>, request: Request) -> ApiAnswer {
        Box::pin(answer(self, app, request))
    }

    fn error(&self, _app: &App, _path: &str, error: &ApiError) -> Response {
        plain_error(error, &[WWW_AUTHENTICATE, RETRY_AFTER])
    }
}

/// Answers a request for a path of this API.
async fn answer(
    api: Arc<ContentApi>,
    app: Arc<App>,
    request: Request,
) -> Result<Response, ApiError> {
    if request.path.starts_with(media::UPLOADS) {
        return media::upload(app, request).await;
    }
    let path = decoded(&request.path);
    let path = path.ok_or_else(|| ApiError::not_found("path not found"))?;
    let below = path.strip_prefix(BASE);
    let below = below.ok_or_else(|| ApiError::not_found("the API is at /api/v1/"))?;
    let moment = of_show(&app.live.now(), request.show.as_deref())?;
    if let Some(document) = documents::find(&moment, &request, below) {
        return document;
    }
    let Some((operation, names)) = operation::find(&request.method, below)? else {
        return Ok(with_slash(&moment, &request));
    };
    if request.show.is_some() && !operation.is_of_shows() {
        let message = "a show has no site files; they are in the API of the whole site";
        return Err(ApiError::not_found(message));
    }
    // Checks the key and the headers before reading the body.
    let head = CallHead::read(&app, operation, &request)?;
    let body = read_mebibytes(request.body, MAX_BODY).await?;
    let run = move || {
        let of_show = request.show.as_deref().map(|show| api.finder_of_show(show));
        let finder = of_show.as_deref().unwrap_or(&api.finder);
        let (app, show, query) = (&app, request.show, request.query);
        (operation.run)(&ContentCall { app, finder, operation, show, head, names, query, body })
    };
    let answer = blocking(WRITE_FAILED, run).await?;
    let answer = answer.map_err(|error| in_namespace(error, &moment))?;
    let mut response = http::bytes(answer.status, "application/json", answer.body);
    set(&mut response, CACHE_CONTROL, "private, no-store");
    for (name, value) in answer.headers {
        set(&mut response, name, &value);
    }
    Ok(response)
}

/// Replaces the name of the extension at the start of a message by the site's own name for it.
fn in_namespace(error: ApiError, moment: &Moment) -> ApiError {
    let namespace = &moment.site.snapshot.config.namespace;
    match error.message.strip_prefix(EXTENSION) {
        Some(rest) => ApiError { message: format!("_{namespace}{rest}"), ..error },
        None => error,
    }
}

/// Percent-decodes a path. The slash of an item's key, as in `de/walk`, stays encoded.
fn decoded(path: &str) -> Option<String> {
    decode_path(&path.replace("%2f", SLASH).replace(SLASH, "%252F"))
}

/// Redirects to the same path with a trailing slash. Status 308 keeps the method and body.
fn with_slash(moment: &Moment, request: &Request) -> Response {
    let message = json!({ "error": "API paths end in a slash" });
    let mut response = private_json(StatusCode::PERMANENT_REDIRECT, &message);
    // The server has already removed the path of the site and of the show from the request's path.
    let base = moment.site.snapshot.config.path("");
    let location = request.with_query(format!("{base}{}/", request.path));
    set(&mut response, LOCATION, &location);
    response
}
