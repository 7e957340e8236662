//! Forwards calls to the warehouse service that is configured as `[warehouse] upstream`.
//!
//! The embedded warehouse answers a call with a key of the site. A call with any other token is
//! forwarded to the service unchanged, with that token, and the answer is returned unchanged. A key
//! of the site is never forwarded: a call with a token that looks like a key is answered here, even
//! if the key is unknown. No other part of this program communicates with a warehouse service.

mod headers;
mod push;
mod route;
mod stream;

pub use push::{Destination, Service};

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::spawn_blocking;
use ureq::http::Request as Outgoing;
use ureq::{Agent, Body, SendBody};
use warp::http::StatusCode;

use api_shared::{ApiError, FAILED, blocking};
use model::{Diagnostic, SitePath, Upstream};
use route::Route;
use server::App;
use server::http::{Request, Response};
use source::place::place_in_table;
use state::Secret;

/// Maximum time to connect.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum time without data from the service. Calls that wait for a job answer after at most 200
/// seconds.
const IDLE_TIMEOUT: Duration = Duration::from_secs(300);

/// The error message if the upstream is this server itself.
const LOOP_MESSAGE: &str = "`warehouse.upstream` in site.toml is this server, which would forward calls to itself forever; set it to the service that should receive the calls";

/// The client that forwards calls. Bodies are streamed, so their duration is not limited.
static AGENT: LazyLock<Agent> = LazyLock::new(|| agent(None));

/// Creates a client for the configured service. The crate `fetch` is not used, because this client
/// follows no redirects, connects to no other host, and forwards requests and answers unchanged.
/// `answer` is the maximum time for the body of an answer.
fn agent(answer: Option<Duration>) -> Agent {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .allow_non_standard_methods(true)
        .user_agent("")
        .accept("")
        .accept_encoding("")
        // If the service has closed an idle connection, the client notices only when it sends the
        // next request. A body can be sent only once, so connections are not reused.
        .max_idle_connections(0)
        .timeout_resolve(Some(CONNECT_TIMEOUT))
        .timeout_connect(Some(CONNECT_TIMEOUT))
        .timeout_per_read(Some(IDLE_TIMEOUT))
        .timeout_per_write(Some(IDLE_TIMEOUT))
        .timeout_recv_body(answer)
        .build();
    config.new_agent()
}

/// Returns an error if the upstream in `site.toml` is this server.
pub(super) fn check(app: &App) -> Result<(), Diagnostic> {
    let moment = app.live.now();
    let upstream = moment.site.snapshot.config.upstream.as_ref();
    if !upstream.is_some_and(|upstream| app.is_itself(upstream)) {
        return Ok(());
    }
    let message =
        "`warehouse.upstream` is this server, which would forward calls to itself forever";
    let diagnostic = Diagnostic::error(message)
        .help("set it to the service that should receive the calls, or listen on another port with --addr");
    Err(match SitePath::parse("site.toml") {
        Some(path) => place_in_table(app.live.root(), &path, ["warehouse", "upstream"], diagnostic),
        None => diagnostic.file("site.toml"),
    })
}

/// Returns the service to which a request with this token is forwarded. Returns None if the request
/// is answered here.
pub(super) async fn upstream_for(app: &Arc<App>, token: Option<&str>) -> Option<Upstream> {
    let token = token?;
    let upstream = app.live.now().site.snapshot.config.upstream.clone()?;
    if Secret::has_key_prefix(token) {
        return None;
    }
    let (app, token) = (Arc::clone(app), token.to_owned());
    let found = spawn_blocking(move || app.state.find_key(&token)).await;
    // If the keys cannot be read, the token may be a key of the site, so the request is not
    // forwarded.
    matches!(found, Ok(Ok(None))).then_some(upstream)
}

/// Forwards a request, and returns the service's answer.
pub(super) async fn send(
    app: &App,
    upstream: &Upstream,
    request: Request,
) -> Result<Response, ApiError> {
    match find_loop(app, upstream, &request) {
        Some(why) => Err(ApiError::new(StatusCode::LOOP_DETECTED, why)),
        None => exchange(upstream, request).await,
    }
}

/// Returns the reason why forwarding a request would create a loop, or None if there is no loop.
fn find_loop(app: &App, upstream: &Upstream, request: &Request) -> Option<&'static str> {
    let is_forwarded_by_self = headers::is_forwarded_by_self(&request.headers).then_some(
        "this server already forwarded this call: the service in `warehouse.upstream` of site.toml sends it back",
    );
    is_forwarded_by_self.or_else(|| app.is_itself(upstream).then_some(LOOP_MESSAGE))
}

async fn exchange(upstream: &Upstream, request: Request) -> Result<Response, ApiError> {
    let route = Route::of(upstream, &request)
        .ok_or_else(|| ApiError::not_found("path not found in the warehouse API"))?;
    let host = request.header("host").map(str::to_owned);
    let outgoing = outgoing(&request, &route.address())?;
    let has_body = headers::has_body(&request);
    let runtime = Handle::current();
    let answer = blocking(FAILED, move || {
        let body = if has_body {
            SendBody::from_owned_reader(stream::OutgoingBody::new(request.body, runtime))
        } else {
            SendBody::none()
        };
        AGENT.run(outgoing_with(outgoing, body))
    })
    .await?
    .map_err(|error| failed(&error))?;
    Ok(incoming(&route, host.as_deref(), answer))
}

/// Creates the request to the service, without its body.
fn outgoing(request: &Request, address: &str) -> Result<Outgoing<()>, ApiError> {
    let wrong = |error: ureq::http::Error| ApiError::bad(error.to_string());
    let mut outgoing =
        Outgoing::builder().method(request.method.clone()).uri(address).body(()).map_err(wrong)?;
    *outgoing.headers_mut() = headers::forwarded_headers(&request.headers);
    Ok(outgoing)
}

fn outgoing_with(outgoing: Outgoing<()>, body: SendBody<'_>) -> Outgoing<SendBody<'_>> {
    let (parts, ()) = outgoing.into_parts();
    Outgoing::from_parts(parts, body)
}

/// Converts the service's answer to a response to the client.
fn incoming(route: &Route, host: Option<&str>, answer: ureq::http::Response<Body>) -> Response {
    let (parts, body) = answer.into_parts();
    let mut response = stream::response(body);
    *response.status_mut() = parts.status;
    *response.headers_mut() = headers::returned_headers(&parts.headers, route, host);
    response
}

fn failed(error: &ureq::Error) -> ApiError {
    let status = match error {
        ureq::Error::Timeout(_) => StatusCode::GATEWAY_TIMEOUT,
        _ => StatusCode::BAD_GATEWAY,
    };
    ApiError::new(status, unreachable(error))
}

fn unreachable(error: &ureq::Error) -> String {
    format!("the service in `warehouse.upstream` of site.toml does not respond: {error}")
}
