//! `serve`: the HTTP server that shows a site while its author edits it, and that runs the APIs.
//!
//! [`Live`] holds the newest [`Moment`] of the site: one snapshot, its theme and its route table. A
//! request is answered from one moment, so no response mixes two states. `preview` answers the
//! public paths from the same route table that `build` writes. `watch` reads changed files into the
//! next moment. `reload` notifies open pages that have changed.
//!
//! The server does not refer to any API by name. The caller passes each API as an [`Api`], which
//! has its own state.

pub mod access;
mod api;
mod app;
mod body;
mod claim;
mod conditional;
mod connections;
mod environment;
mod error;
mod examine;
mod guard;
mod host_names;
pub mod http;
mod live;
mod moment;
mod notices;
mod page_extras;
mod preview;
mod public_answer;
mod refusal;
mod reload;
mod response_memory;
mod search_files;
pub mod sending;
mod sent_document;
mod serve_event;
mod show_reader;
mod site_reader;
mod theme_views;
mod touched;
mod watch;

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use hyper_util::service::TowerToHyperService;
use warp::Filter;
use warp::http::header::X_CONTENT_TYPE_OPTIONS;
use warp::http::{Method, StatusCode};

use access::Failures;
use api::Apis;
pub use api::{Api, ApiAnswer};
pub use app::App;
use claim::Claim;
pub use claim::OtherServer;
pub use connections::Limits;
pub use environment::Environment;
pub use error::{ApiError, cannot_edit};
pub use examine::found as file_faults;
use guard::Hosts;
use host_names::HostNames;
use http::{Request, Response};
pub use live::{Live, WriteLock};
use model::Diagnostic;
pub use moment::Moment;
use project::{Options, recover_with};
pub use serve_event::ServeEvent;
use state::State;
pub use theme_views::THEME_VIEWS_PATH as THEME_VIEWS;
use watch::{Watch, WatchMethod};

/// How long a request waits if another program has locked the state.
const PATIENCE: Duration = Duration::from_secs(2);

/// The options of a server.
pub struct ServeOptions {
    /// The site to serve. Without a `base_url`, the site gets the server's own address.
    pub site: Options,
    /// The address to listen on. Port 0 selects an unused port.
    pub addr: SocketAddr,
    /// The site's keys, journal and records.
    pub state: State,
    /// The APIs to serve in addition to the site's public paths.
    pub apis: Vec<Arc<dyn Api>>,
}

/// A server that listens but does not answer requests yet.
pub struct Server {
    listeners: Vec<tokio::net::TcpListener>,
    app: Arc<App>,
    apis: Arc<Apis>,
    watch_method: WatchMethod,
    /// The claim to the site. `None` if the server is read-only.
    claim: Option<Claim>,
}

/// The reason why a server cannot start.
#[derive(Debug)]
pub enum BindError {
    /// Another process serves the site.
    OtherServer(OtherServer),
    /// The site's configuration contains a setting that the server cannot use.
    Site(Diagnostic),
    /// The address is in use, or the site cannot be read.
    Io(io::Error),
}

impl From<io::Error> for BindError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl Server {
    /// Starts listening, and reads the site. Returns an error if another process serves the site,
    /// the address is in use, or the site's `warehouse.upstream` is this server.
    pub async fn bind(options: ServeOptions) -> Result<Self, BindError> {
        let root = options.site.root.clone();
        let claim = tokio::task::spawn_blocking(move || Claim::acquire(&root))
            .await
            .map_err(io::Error::other)?
            .map_err(BindError::OtherServer)?;
        Self::start(options, Some(claim)).await
    }

    /// Starts listening, and reads the site. Never writes, and works even while another process
    /// serves the site. Shows public paths, and refuses every request to an API. Returns an error
    /// if the address is in use.
    pub async fn bind_read_only(options: ServeOptions) -> Result<Self, BindError> {
        Self::start(options, None).await
    }

    async fn start(options: ServeOptions, claim: Option<Claim>) -> Result<Self, BindError> {
        let listener = tokio::net::TcpListener::bind(options.addr).await?;
        let addr = listener.local_addr()?;
        let mut site = options.site;
        let local_address = local_address(addr);
        if let Some(claim) = &claim {
            claim.record_address(&local_address);
        }
        let base_url = site.base_url.get_or_insert(local_address).clone();
        site.is_preview = true;
        let state = options.state.with_lock_timeout(PATIENCE);
        let writes = claim.is_some().then(|| state.clone());
        let live = tokio::task::spawn_blocking(move || {
            if let Some(state) = writes {
                recover_with(&site.root, &state);
            }
            Live::read(site)
        });
        let live = live
            .await
            .map_err(io::Error::other)?
            .map_err(|_| io::Error::other("the site cannot be read"))?;
        let hosts = Hosts::new(addr, &base_url);
        let mut listeners = vec![listener];
        let mut names = None;
        // A read-only server needs no sign-in, so it needs no second host name.
        if claim.is_some()
            && let Ok(beside) = host_names::listen_other_loopback(addr).await
        {
            listeners.extend(beside);
            names = HostNames::of(&base_url);
        }
        let live = if claim.is_some() { live } else { live.read_only() };
        let app = App {
            live: Arc::new(live),
            state,
            environment: Environment::default(),
            hosts,
            names,
            limits: Limits::default(),
            failures: Failures::default(),
        };
        let apis = Apis(options.apis);
        for api in &apis.0 {
            api.check(&app).map_err(BindError::Site)?;
        }
        Ok(Self {
            listeners,
            app: Arc::new(app),
            apis: Arc::new(apis),
            watch_method: WatchMethod::Events,
            claim,
        })
    }

    /// Returns the address that the server listens on.
    pub fn addr(&self) -> io::Result<SocketAddr> {
        self.listeners[0].local_addr()
    }

    /// Returns the address of the site.
    pub fn url(&self) -> String {
        self.app.live.now().site.snapshot.config.base_url.clone()
    }

    /// Returns the address of the site at the host where people sign in, and whether that host is
    /// separate from the site's host.
    pub fn sign_in_url(&self) -> (String, bool) {
        self.app.sign_in_url()
    }

    /// Calls `announce`, from any thread, for every event after this call.
    pub fn on_event(&self, announce: impl Fn(ServeEvent) + Send + Sync + 'static) {
        self.app.live.on_event(announce);
    }

    /// Checks the files every second instead of waiting for the system to report changes. Use it
    /// for network folders, and for folders that a container shares with its host.
    #[must_use]
    pub fn polling(mut self) -> Self {
        self.watch_method = WatchMethod::Polling;
        self
    }

    /// Reads secrets from this environment instead of the process's own.
    #[must_use]
    pub fn with_environment(mut self, environment: Environment) -> Self {
        // Before the server runs, no other code holds a reference to `app`.
        if let Some(app) = Arc::get_mut(&mut self.app) {
            app.environment = environment;
        }
        self
    }

    /// Replaces the limits for clients.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        // Before the server runs, no other code holds a reference to `app`.
        if let Some(app) = Arc::get_mut(&mut self.app) {
            app.limits = limits;
        }
        self
    }

    /// Answers requests until `shutdown` is ready. Open connections are then closed.
    pub fn run(self, shutdown: BoxFuture<'static, ()>) -> BoxFuture<'static, ()> {
        // An unboxed future is compiled with the package that awaits it, and `cli` is compiled
        // without optimization.
        Box::pin(self.run_until(shutdown))
    }

    async fn run_until(self, shutdown: BoxFuture<'static, ()>) {
        let (app, apis) = (self.app, self.apis);
        // Holding the claim keeps other processes from serving the site until this server has
        // stopped.
        let claim = self.claim;
        if claim.is_some() {
            let live = Arc::clone(&app.live);
            // These tasks read every file, and no request needs their result.
            tokio::task::spawn_blocking(move || {
                live.save_readings();
                edit::sweep(live.root());
            });
            for api in &apis.0 {
                Arc::clone(api).start(Arc::clone(&app)).await;
            }
        }
        let (ending, live) = (Arc::clone(&apis), Arc::clone(&app.live));
        let limits = app.limits.clone();
        let _watch = Watch::start(Arc::clone(&app.live), self.watch_method);
        let examining = examine::run(Arc::clone(&app.live));
        let filter = http::request().then(move |request: Request| {
            let (app, apis) = (Arc::clone(&app), Arc::clone(&apis));
            async move { answer(app, &apis, request).await }
        });
        let service = TowerToHyperService::new(warp::service(filter));
        let server = connections::serve(self.listeners, limits, service);
        tokio::select! {
            () = server => {}
            () = examining => {}
            () = shutdown => {}
        }
        for api in &ending.0 {
            api.stop();
        }
        if claim.is_some() {
            live.save_readings();
        }
        drop(claim);
    }
}

/// The error message for API requests to a read-only server.
const READ_ONLY_MESSAGE: &str = "this server is read-only (--read-only) and has no APIs: send API requests to the server that runs without --read-only";

/// Returns the URL at which a browser on the same machine can reach the server.
fn local_address(addr: SocketAddr) -> String {
    match addr.ip() {
        ip if ip.is_unspecified() => format!("http://localhost:{}", addr.port()),
        ip if ip.is_loopback() && ip.is_ipv4() => format!("http://127.0.0.1:{}", addr.port()),
        _ => format!("http://{addr}"),
    }
}

/// Delays the response to an invalid key if the client has sent too many invalid keys.
async fn delay_refusal(app: &App, failing_peer: Option<IpAddr>, response: &Response) {
    let is_refused = response.status() == StatusCode::UNAUTHORIZED;
    if is_refused && failing_peer.is_some_and(|peer| app.fails_too_often(peer)) {
        tokio::time::sleep(app.limits.refusal_delay).await;
    }
}

async fn answer(app: Arc<App>, apis: &Apis, mut request: Request) -> Response {
    // A site whose base URL has a path is shown below that path, and also at the root, because some
    // proxies strip the path.
    if let Some(below) = strip_base_path(&app.live.now(), &request.path) {
        request.path = below;
    }
    let of_show = show_api(&app.live.now(), &request.path);
    if let Some((show, below)) = of_show {
        (request.show, request.path) = (Some(show), below);
    }
    let mut response = respond(app, apis, request).await;
    // A browser that guesses media types may run an uploaded file as a script or page.
    http::set(&mut response, X_CONTENT_TYPE_OPTIONS, "nosniff");
    response
}

/// Returns the part of a path below the base URL's path. Borrows the moment only during this call.
/// If a request kept an old moment alive while it is answered, it might have to drop the moment,
/// which takes time.
fn strip_base_path(moment: &Moment, path: &str) -> Option<String> {
    let below = path.strip_prefix(moment.site.snapshot.config.base_path())?;
    below.starts_with('/').then(|| below.to_owned())
}

/// Returns the name of the show to whose API a path belongs, and the path below the show's path.
fn show_api(moment: &Moment, path: &str) -> Option<(String, String)> {
    moment.site.snapshot.network_shows().find_map(|(name, show)| {
        let below = path.strip_prefix(&*show.config.mount)?;
        (below == "/api" || below.starts_with("/api/")).then(|| (name.to_owned(), below.to_owned()))
    })
}

/// Answers a request for a public path, on the host for the site or the host for people; see
/// [`host_names`].
async fn show(app: Arc<App>, request: Request) -> Response {
    let Some(names) = app.names else {
        return preview::answer(app, request).await;
    };
    let base_path = app.live.now().site.snapshot.config.base_path().to_owned();
    if let Some(redirect) = names.redirect_to_site(&request, &base_path) {
        return redirect;
    }
    let host = request.header("host").map(str::to_owned);
    let mut response = preview::answer(app, request).await;
    names.disable_scripts(host.as_deref(), &mut response);
    response
}

/// Answers a request once it has a permit. Only a few responses are produced at a time, because
/// each takes memory. Requests that wait for an event need no permit.
async fn respond(app: Arc<App>, apis: &Apis, request: Request) -> Response {
    let api = apis.of(&request.path).cloned();
    let may_wait = match &api {
        Some(api) => api.may_wait(&request),
        None => request.path == reload::EVENTS,
    };
    let is_read = matches!(request.method, Method::GET | Method::HEAD);
    let response_memory = request.body.response_memory().filter(|_| is_read && !may_wait);
    let permit = match response_memory {
        None => None,
        Some(response_memory) => match response_memory.acquire_permit().await {
            Some(permit) => Some(permit),
            None => return respond_without_permit(&app, api.as_deref(), &request),
        },
    };
    let failing_peer = api.as_ref().and_then(|_| access::bearer(&request).and(request.peer));
    let mut response = respond_now(Arc::clone(&app), api, request).await;
    // The connection returns the permit when the response has reserved its memory. An error
    // response needs no memory, and may be delayed.
    if let Some(permit) = permit.filter(|_| response.status().is_success()) {
        response.extensions_mut().insert(permit);
    }
    delay_refusal(&app, failing_peer, &response).await;
    response
}

fn respond_without_permit(app: &App, api: Option<&dyn Api>, request: &Request) -> Response {
    let status = StatusCode::SERVICE_UNAVAILABLE;
    let words = "the server has too many requests; try again";
    match api {
        Some(api) => api.error(app, &request.path, &ApiError::new(status, words)),
        None => http::text(status, words),
    }
}

async fn respond_now(app: Arc<App>, api: Option<Arc<dyn Api>>, request: Request) -> Response {
    let checked = app.hosts.check(&request, api.is_some());
    let Some(api) = api else {
        return match checked {
            Ok(()) => show(app, request).await,
            Err(refusal) => http::text(refusal.status, refusal.why),
        };
    };
    let path = request.path.clone();
    let answer = match checked {
        Ok(()) if app.live.is_read_only() => {
            Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, READ_ONLY_MESSAGE))
        }
        Ok(()) => Arc::clone(&api).answer(Arc::clone(&app), request).await,
        Err(refusal) => Err(refusal.into()),
    };
    answer.unwrap_or_else(|error| api.error(&app, &path, &error))
}
