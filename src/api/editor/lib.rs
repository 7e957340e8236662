//! The editor, `/_edit/`: a user interface for editing the site's files. The files remain the only
//! source of the site.
//!
//! The page in the browser ([`app`]) has the complete text of a file. The server parses the text,
//! edits its front matter, renders a preview in the theme and reports problems ([`text`],
//! [`preview`]). The server overwrites a file only if the page has loaded its current version
//! ([`files`]). Every change made with the editor is a change that the author could have made in a
//! text editor.
//!
//! [`calendar`] lists the entries of each day and creates events.
//!
//! In a site with several shows, a person chooses the show whose files are listed ([`shows`]).
//!
//! Agents work with the same files through [`tools`]. [`proposals`] are changes from agents that a
//! person accepts or discards.
//!
//! [`session`] checks who may edit. The editor is not part of a built site.

mod app;
mod calendar;
mod choices;
mod date;
mod files;
mod forms;
mod imports;
mod kind;
mod media;
mod on_disk;
mod preview;
mod proposals;
mod publish;
mod recording;
mod records;
mod session;
mod shows;
mod site_files;
mod tags;
mod text;
pub mod tools;

use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use warp::http::header::{CACHE_CONTROL, HeaderName};
use warp::http::{Method, StatusCode};

use api_shared::{ApiError, WRITE_FAILED, blocking, plain_error};
use media::Uploads;
use preview::Previews;
use recording::Recordings;
use server::http::{self, Request, Response, private_json, read_body, set};
use server::{Api, ApiAnswer, App};
use tools::{BROWSER, Tools};

/// The editor's name in the journal.
const EDITOR: &str = "editor";

/// The path prefix of the editor.
pub const BASE: &str = "/_edit/";

/// Maximum size of a body, in bytes.
const MAX_BODY: usize = 20 * 1024 * 1024;

/// The operation that receives a piece of an upload. Its path is `send/ID/BYTE`, and its body is
/// the piece.
const SEND_OPERATION: &str = "send";

/// The editor as an [`Api`] of the server.
pub struct Editor {
    previews: Previews,
    tasks: Arc<publish::Tasks>,
    uploads: Uploads,
    recordings: Recordings,
    tools: Tools,
}

impl Editor {
    /// Creates the editor of the site at `root`.
    pub fn new(root: &Path) -> Self {
        Self {
            previews: Previews::default(),
            tasks: Arc::default(),
            uploads: Uploads::default(),
            recordings: Recordings::default(),
            tools: Tools::new(root),
        }
    }
}

impl Api for Editor {
    fn owns(&self, path: &str) -> bool {
        path == "/_edit" || path.starts_with(BASE)
    }

    fn answer(self: Arc<Self>, app: Arc<App>, request: Request) -> ApiAnswer {
        Box::pin(answer(self, app, request))
    }

    fn error(&self, _app: &App, _path: &str, error: &ApiError) -> Response {
        plain_error(error, &[])
    }
}

async fn answer(
    editor: Arc<Editor>,
    app: Arc<App>,
    request: Request,
) -> Result<Response, ApiError> {
    let path = request.decoded_path();
    let path = path.ok_or_else(|| ApiError::not_found("the editor has no file at this address"))?;
    let name = path.strip_prefix(BASE).unwrap_or_default().to_owned();
    if !app.accepts_editor_host(request.header("host").unwrap_or_default()) {
        return Err(wrong_host_error(&app));
    }
    let reads = matches!(request.method, Method::GET | Method::HEAD);
    if let Some(shown) = name.strip_prefix("preview/").filter(|_| reads) {
        let shown = shown.to_owned();
        return blocking(WRITE_FAILED, move || editor.previews.show(&app, &request, &shown))
            .await?;
    }
    if let Some(from) = name.strip_prefix("media/").filter(|_| reads) {
        let (from, head) = (from.to_owned(), session::Head::of(&request));
        return blocking(WRITE_FAILED, move || {
            session::check_cookie(&app, &head)?;
            media::show(&app, &request, &from)
        })
        .await?;
    }
    let Some(operation) = name.strip_prefix("api/") else {
        let host = request.header("host").unwrap_or_default();
        let people = app.sign_in_host(host).filter(|_| name.is_empty());
        return match (people, path == "/_edit", reads) {
            (Some(people), ..) => Ok(app::redirect_to(&app, &format!("http://{people}"))),
            (_, true, _) => Ok(app::redirect_to(&app, "")),
            (_, _, true) => app::file(&name),
            (_, _, false) => Err(ApiError::method_not_allowed("GET, HEAD")),
        };
    };
    if request.method != Method::POST {
        return Err(ApiError::method_not_allowed("POST"));
    }
    let head = session::Head::of(&request);
    let operation = operation.to_owned();
    if operation == "sign-in" {
        let code = read_body(request.body, 1024).await?;
        return blocking(WRITE_FAILED, move || session::sign_in(&app, &head, &parse(&code)?))
            .await?;
    }
    // Checks the session before reading the body, so that only signed-in people can send bodies.
    let (known, asked) = (Arc::clone(&app), head.clone());
    blocking(WRITE_FAILED, move || session::check(&known, &asked)).await??;
    let limit = if operation.starts_with(SEND_OPERATION) { media::MAX_PIECE } else { MAX_BODY };
    let body = read_body(request.body, limit).await?;
    blocking(WRITE_FAILED, move || run(&editor, &app, &operation, &head, &body)).await?
}

/// Returns the error for a request to a local host name at which the editor is not available.
fn wrong_host_error(app: &App) -> ApiError {
    let (address, _) = app.sign_in_url();
    let message = format!("the editor is available only at {address}{BASE}");
    ApiError::new(StatusCode::FORBIDDEN, message)
}

/// A tool call by an agent in the browser.
#[derive(Debug, Deserialize)]
struct AgentCall {
    name: String,
    arguments: Value,
}

/// A request from a signed-in person.
struct Call<'a> {
    editor: &'a Editor,
    app: &'a Arc<App>,
    head: &'a session::Head,
    /// The part of the path after the operation's name.
    rest: &'a str,
    body: &'a [u8],
}

impl Call<'_> {
    fn parse_body<T: DeserializeOwned>(&self) -> Result<T, ApiError> {
        parse(self.body)
    }
}

type Run = fn(&Call<'_>) -> Result<Response, ApiError>;

/// All operations except `sign-in`, which needs no session.
static OPERATIONS: &[(&str, Run)] = &[
    ("sign-out", |call| session::sign_out(call.app, call.head)),
    ("site", |call| ok(files::site(call.app, &call.parse_body()?))),
    ("faults", |call| ok(files::faults(call.app))),
    ("schema", |call| ok(text::schema(&call.parse_body()?))),
    ("open", |call| ok(files::open(call.app, &call.parse_body()?))),
    ("edit", |call| ok(text::edit(call.app, &call.parse_body()?))),
    ("look", |call| ok(text::parse_unsaved(call.app, &call.parse_body()?))),
    ("reviewed", |call| ok(text::reviewed(call.app, &call.parse_body()?))),
    ("preview", |call| ok(call.editor.previews.make(call.app, &call.parse_body()?))),
    ("calendar", |call| ok(calendar::entries_between(call.app, &call.parse_body()?))),
    ("create-event", |call| ok(calendar::create(call.app, &call.parse_body()?))),
    ("create", |call| ok(files::create(call.app, &call.parse_body()?))),
    ("translate", |call| ok(files::translate(call.app, &call.parse_body()?))),
    ("save", |call| answer_conflict(call, files::save(call.app, &call.parse_body()?))),
    ("remove", |call| answer_conflict(call, files::remove(call.app, &call.parse_body()?))),
    ("site-file-publish", |call| {
        answer_conflict(call, site_files::publish(call.app, &call.parse_body()?))
    }),
    ("site-file-settings", |call| ok(site_files::settings(call.app, &call.parse_body()?))),
    ("choices", |call| ok(choices::choices(call.app, &call.parse_body()?))),
    ("upload", |call| ok(call.editor.uploads.begin(call.app, &call.parse_body()?))),
    (SEND_OPERATION, |call| ok(call.editor.uploads.take(call.app, call.rest, call.body))),
    ("keep", |call| ok(call.editor.uploads.keep(call.app, &call.parse_body()?))),
    ("tags", |call| ok(tags::take(call.app, &call.parse_body()?))),
    ("recording", |call| ok(call.editor.recordings.measure(call.app, &call.parse_body()?))),
    ("import", |call| ok(imports::import(&call.parse_body()?))),
    ("tools", |_| ok(Ok(tools::for_browser()))),
    ("call", |call| {
        let AgentCall { name, arguments } = call.parse_body()?;
        ok(call.editor.tools.call(call.app, BROWSER, &name, arguments))
    }),
    ("agents", |call| ok(proposals::list(call.app))),
    ("accept", |call| proposals::accept(call.app, &call.parse_body()?)),
    ("discard", |call| ok(proposals::discard(call.app, &call.parse_body()?))),
    ("journal", |call| ok(records::journal(call.app, &call.parse_body()?))),
    ("deliveries", |call| ok(records::deliveries(call.app))),
    ("retry", |call| ok(records::retry(call.app, &call.parse_body()?))),
    ("keys", |call| ok(records::keys(call.app))),
    ("make-key", |call| ok(records::make_key(call.app, &call.parse_body()?))),
    ("revoke-key", |call| ok(records::revoke_key(call.app, &call.parse_body()?))),
    ("downloads", |call| ok(records::downloads(call.app))),
    ("publish", |call| {
        ok(publish::publish_state(call.app, &call.editor.tasks, &call.parse_body()?))
    }),
    ("publish-deed", |call| ok(publish::found(&call.editor.tasks, &call.parse_body()?))),
    ("publish-stop", |call| ok(publish::stop(&call.editor.tasks, &call.parse_body()?))),
    ("publish-commit", |call| {
        task_response(publish::commit(call.app, &call.editor.tasks, call.parse_body()?))
    }),
    ("publish-push", |call| {
        task_response(publish::push(call.app, &call.editor.tasks, call.parse_body()?))
    }),
    ("publish-all", |call| {
        task_response(publish::publish(call.app, &call.editor.tasks, call.parse_body()?))
    }),
    ("publish-combine", |call| task_response(publish::combine(call.app, &call.editor.tasks))),
    ("setup-state", |call| ok(publish::setup_state(call.app))),
    ("setup-preview", |call| ok(publish::preview(call.app, &call.parse_body()?))),
    ("setup", |call| {
        task_response(publish::set_up(call.app, &call.editor.tasks, call.parse_body()?))
    }),
    ("setup-test", |call| {
        task_response(publish::test(call.app, &call.editor.tasks, &call.parse_body()?))
    }),
    ("online", |call| ok(publish::online(call.app, &call.parse_body()?))),
    ("publish-plan", |call| {
        task_response(publish::plan(call.app, &call.editor.tasks, &call.parse_body()?))
    }),
    ("publish-deploy", |call| {
        task_response(publish::deploy(call.app, &call.editor.tasks, &call.parse_body()?))
    }),
];

/// Returns the names of all operations.
pub fn operations() -> impl Iterator<Item = &'static str> {
    OPERATIONS.iter().map(|(name, _)| *name)
}

fn ok(answer: Answer) -> Result<Response, ApiError> {
    answer.map(|answer| private_json(StatusCode::OK, &answer))
}

/// Returns the answer to a write. If the browser has not loaded the file's current version, returns
/// a 409 with the current version.
fn answer_conflict(call: &Call<'_>, written: Answer) -> Result<Response, ApiError> {
    match written {
        Err(fault) if fault.status == StatusCode::CONFLICT => {
            let mut current_file = files::current_file(call.app, &call.parse_body()?)?;
            current_file["error"] = json!(on_disk::changed().message);
            Ok(private_json(StatusCode::CONFLICT, &current_file))
        }
        written => ok(written),
    }
}

fn task_response(task: Result<publish::Task, ApiError>) -> Result<Response, ApiError> {
    ok(task.map(|task| json!(task)))
}

/// Runs an operation for a signed-in person.
fn run(
    editor: &Editor,
    app: &Arc<App>,
    operation: &str,
    head: &session::Head,
    body: &[u8],
) -> Result<Response, ApiError> {
    let (name, rest) = match operation.split_once('/') {
        Some((SEND_OPERATION, rest)) => (SEND_OPERATION, rest),
        _ => (operation, ""),
    };
    let known = OPERATIONS.iter().find(|(known, _)| *known == name);
    let (_, run) = known.ok_or_else(|| ApiError::not_found("unknown editor operation"))?;
    let call = Call { editor, app, head, rest, body };
    run(&call)
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, ApiError> {
    serde_json::from_slice(body).map_err(|error| ApiError::bad(error.to_string()))
}

/// Returns a page, or one of its files, with headers that restrict framing and loading.
fn page(media_type: &str, bytes: Vec<u8>, policy: &str) -> Response {
    use warp::http::header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_FRAME_OPTIONS};
    let mut response = http::bytes(StatusCode::OK, media_type, bytes);
    set(&mut response, CACHE_CONTROL, "no-cache");
    set(&mut response, CONTENT_SECURITY_POLICY, policy);
    set(&mut response, REFERRER_POLICY, "no-referrer");
    // A window that opened this page gets no reference to it.
    let opener = HeaderName::from_static("cross-origin-opener-policy");
    set(&mut response, opener, "same-origin");
    let frames = if policy.contains("frame-ancestors 'self'") { "SAMEORIGIN" } else { "DENY" };
    set(&mut response, X_FRAME_OPTIONS, frames);
    response
}

/// A JSON answer of the editor.
type Answer = Result<Value, ApiError>;
