//! The editor, `/_edit/`: a face for the files, beside them and never in place of them.
//!
//! The page in the browser ([`app`]) holds the whole text of a file. The server tells what is in a text, edits its front
//! matter, shows it in the theme, and says what is wrong with it ([`text`], [`preview`]); it writes a text only over the one that
//! the page has seen ([`files`]). So all that the editor does is a diff that its author could have typed.
//!
//! Agents work with the same files by [`tools`]; [`proposals`] are what a person decides of theirs.
//!
//! Who may: [`session`]. Nothing of it is in a build.

mod app;
mod choices;
mod files;
mod kind;
mod media;
mod preview;
mod proposals;
mod publish;
mod records;
mod session;
mod text;
pub(crate) mod tools;

use std::path::Path;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use warp::http::header::CACHE_CONTROL;
use warp::http::{Method, StatusCode};

use super::shared::{ApiError, other_method, refusal};
use crate::server::http::{self, Request, Response, private_json, read_body, set};
use crate::server::{Api, App};
use media::Uploads;
use preview::Previews;
use tools::{Agent, Tools};

/// Who the journal says has written.
const EDITOR: &str = "editor";

/// Where the editor lies.
pub const BASE: &str = "/_edit/";

/// Largest body, in bytes.
const MAX_BODY: usize = 20 * 1024 * 1024;

/// What the operation that takes a piece of a file begins with: `send/ID/BYTE`. Its body is the piece.
const SEND: &str = "send/";

/// The editor as the server reaches it.
pub struct Editor {
    previews: Previews,
    deeds: Arc<publish::Deeds>,
    uploads: Uploads,
    tools: Tools,
}

impl Editor {
    /// The editor of the site at `root`.
    pub fn new(root: &Path) -> Self {
        Self {
            previews: Previews::default(),
            deeds: Arc::default(),
            uploads: Uploads::default(),
            tools: Tools::new(root),
        }
    }
}

impl Api for Editor {
    fn owns(&self, path: &str) -> bool {
        path == "/_edit" || path.starts_with(BASE)
    }

    fn answer(self: Arc<Self>, app: Arc<App>, request: Request) -> BoxFuture<'static, Response> {
        Box::pin(async move {
            answer(self, app, request)
                .await
                .unwrap_or_else(|fault| refusal(fault.status, &fault.message))
        })
    }

    fn refusal(&self, _: &App, _: &Request, status: StatusCode, message: &str) -> Response {
        refusal(status, message)
    }
}

async fn answer(
    editor: Arc<Editor>,
    app: Arc<App>,
    request: Request,
) -> Result<Response, ApiError> {
    let path = request.decoded_path();
    let path = path.ok_or_else(|| ApiError::not_found("the editor has no such file"))?;
    let name = path.strip_prefix(BASE).unwrap_or_default().to_owned();
    let reads = matches!(request.method, Method::GET | Method::HEAD);
    if let Some(shown) = name.strip_prefix("preview/").filter(|_| reads) {
        let shown = shown.to_owned();
        return blocking(move || editor.previews.show(&app, &request, &shown)).await;
    }
    if let Some(from) = name.strip_prefix("media/").filter(|_| reads) {
        let (from, head) = (from.to_owned(), session::Head::of(&request));
        return blocking(move || {
            session::check_cookie(&app, &head)?;
            media::show(&app, &request, &from)
        })
        .await;
    }
    let Some(operation) = name.strip_prefix("api/") else {
        return match (path == "/_edit", reads) {
            (true, _) => Ok(app::with_slash(&app)),
            (_, true) => app::file(&name),
            (_, false) => Ok(other_method("GET, HEAD")),
        };
    };
    if request.method != Method::POST {
        return Ok(other_method("POST"));
    }
    let head = session::Head::of(&request);
    let operation = operation.to_owned();
    if operation == "sign-in" {
        let code = read_body(request.body, 1024).await?;
        return blocking(move || session::sign_in(&app, &head, &parse::<session::Code>(&code)?))
            .await;
    }
    // Before the body is read: who has not signed in sends none.
    let (known, asked) = (Arc::clone(&app), head.clone());
    blocking(move || session::check(&known, &asked)).await?;
    let limit = if operation.starts_with(SEND) {
        media::PIECE
    } else {
        MAX_BODY
    };
    let body = read_body(request.body, limit).await?;
    blocking(move || run(&editor, &app, &operation, &head, &body)).await
}

/// A tool that an agent on the page calls.
#[derive(Debug, Deserialize)]
struct Called {
    name: String,
    arguments: Value,
}

/// Answers an operation of someone who has signed in.
fn run(
    editor: &Editor,
    app: &Arc<App>,
    operation: &str,
    head: &session::Head,
    body: &[u8],
) -> Result<Response, ApiError> {
    if let Some((id, at)) = operation
        .strip_prefix(SEND)
        .and_then(|sent| sent.split_once('/'))
    {
        let at = at
            .parse()
            .map_err(|_| ApiError::bad("a piece begins at a byte"))?;
        let taken = editor.uploads.take(app, id, at, body)?;
        return Ok(private_json(StatusCode::OK, &taken));
    }
    let done = match operation {
        "sign-out" => return session::sign_out(app, head),
        "site" => files::site(app),
        "schema" => text::schema(&parse(body)?),
        "open" => files::open(app, &parse(body)?),
        "edit" => text::edit(app, &parse(body)?),
        "look" => text::look(app, &parse(body)?),
        "preview" => editor.previews.make(app, &parse(body)?),
        "create" => files::create(app, &parse(body)?),
        "save" => return files::save(app, &parse(body)?),
        "remove" => files::remove(app, &parse(body)?),
        "tools" => Ok(tools::for_browser()),
        "call" => {
            let called: Called = parse(body)?;
            editor
                .tools
                .call(app, Agent::Browser, &called.name, called.arguments)
        }
        "agents" => proposals::list(app),
        "accept" => return proposals::accept(app, &parse(body)?),
        "discard" => proposals::discard(app, &parse(body)?),
        "journal" => records::journal(app, &parse(body)?),
        "deliveries" => records::deliveries(app),
        "retry" => records::retry(app, &parse(body)?),
        "keys" => records::keys(app),
        "make-key" => records::make_key(app, &parse(body)?),
        "revoke-key" => records::revoke_key(app, &parse(body)?),
        "downloads" => records::downloads(app),
        "choices" => choices::choices(app, &parse(body)?),
        "upload" => editor.uploads.begin(app, &parse(body)?),
        "keep" => editor.uploads.keep(app, &parse(body)?),
        _ if operation.starts_with("publish") => publish::run(&editor.deeds, app, operation, body),
        _ => Err(ApiError::not_found("the editor has no such operation")),
    };
    done.map(|answer| private_json(StatusCode::OK, &answer))
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|_| ApiError::failed("the server failed; nothing is known to be written"))?
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    serde_json::from_slice(body).map_err(|error| ApiError::bad(error.to_string()))
}

/// A page or a part of it, which may not be framed and asks this server alone.
fn page(media_type: &str, bytes: Vec<u8>, policy: &str) -> Response {
    use warp::http::header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_FRAME_OPTIONS};
    let mut response = http::bytes(StatusCode::OK, media_type, bytes);
    set(&mut response, CACHE_CONTROL, "no-cache");
    set(&mut response, CONTENT_SECURITY_POLICY, policy);
    set(&mut response, REFERRER_POLICY, "no-referrer");
    let frames = if policy.contains("frame-ancestors 'self'") {
        "SAMEORIGIN"
    } else {
        "DENY"
    };
    set(&mut response, X_FRAME_OPTIONS, frames);
    response
}

/// JSON of the editor's own.
type Answer = Result<Value, ApiError>;
