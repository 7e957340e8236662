//! A real server on a small site, and requests to it.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::ops::{Deref, DerefMut};
use std::thread::JoinHandle;

use feedwright::server::{Environment, Limits, ServeOptions, Server};
use feedwright::state::{JournalEntry, JournalQuery, Scope, State, Window};
use serde_json::Value;
use similar::{Algorithm, ChangeTag, capture_diff_slices};
use tokio::sync::oneshot;
use ureq::http::HeaderMap;

use crate::support::small_site::{SmallSite, tree};

/// The secret of the key with every scope that each served site has.
pub const KEY: &str = "the-key-of-the-tests";

/// The environment variable with the secret of the webhooks of each served site, and the secret.
pub const HOOK_SECRET: (&str, &str) = ("HOOK_SECRET", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");

/// A variable of the environment that served sites have.
fn secret(name: &str) -> Option<String> {
    let value = match name {
        _ if name == HOOK_SECRET.0 => HOOK_SECRET.1,
        // The pauses between attempts are 2.5 ms, 150 ms, 0.9 s and so on.
        "FEEDWRIGHT_WEBHOOK_PACE" => "0.0005",
        "BROKEN_SECRET" => "whsec_c2hvcnQ=",
        _ => return None,
    };
    Some(value.to_owned())
}

/// A server on this machine, which ends when it is dropped.
pub struct Listening {
    /// Its address, without a slash at its end.
    pub url: String,
    agent: ureq::Agent,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// A site and its server.
pub struct Served {
    pub site: SmallSite,
    listening: Listening,
}

impl Deref for Served {
    type Target = Listening;

    fn deref(&self) -> &Listening {
        &self.listening
    }
}

impl DerefMut for Served {
    fn deref_mut(&mut self) -> &mut Listening {
        &mut self.listening
    }
}

/// What a server answered.
#[derive(Debug)]
pub struct Reply {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Reply {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body as JSON, which it has to be.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|_| panic!("{}: {}", self.status, self.text()))
    }

    /// The body of a success.
    pub fn ok(&self) -> Value {
        assert!((200..300).contains(&self.status), "{}: {}", self.status, self.text());
        self.json()
    }

    /// The message of an error with this status, which has to be `{"error": "…"}` and nothing else.
    pub fn error(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.text());
        let json = self.json();
        assert_eq!(json.as_object().unwrap().len(), 1, "{json}");
        json["error"].as_str().unwrap().to_owned()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The value of a header, empty if it is missing.
    pub fn field(&self, name: &str) -> &str {
        self.header(name).unwrap_or_default()
    }
}

/// Serves a site as of now.
pub fn serve(site: SmallSite) -> Served {
    let options = feedwright::project::Options::new(site.root());
    serve_with(site, options)
}

/// Serves a site with these options.
pub fn serve_with(site: SmallSite, options: feedwright::project::Options) -> Served {
    serve_for(site, options, KEY)
}

/// Serves a site with these options, to who has this key.
pub fn serve_for(site: SmallSite, options: feedwright::project::Options, key: &str) -> Served {
    // Tests of what keys are refused use more of them than a client in its senses.
    let limits = Limits { failures: u32::MAX, ..Limits::default() };
    start(site, options, key, limits)
}

/// Serves a site as of now, to clients within these limits.
pub fn serve_within(site: SmallSite, limits: Limits) -> Served {
    let options = feedwright::project::Options::new(site.root());
    start(site, options, KEY, limits)
}

fn start(
    site: SmallSite,
    options: feedwright::project::Options,
    key: &str,
    limits: Limits,
) -> Served {
    let state = State::open(site.root())
        .unwrap()
        .with_environment_key(key, jiff::Timestamp::now())
        .unwrap();
    let options = ServeOptions {
        site: options,
        addr: "127.0.0.1:0".parse().unwrap(),
        state,
        apis: feedwright::api::all(site.root()),
    };
    let adapt =
        move |server: Server| server.with_environment(Environment::new(secret)).with_limits(limits);
    Served { site, listening: Listening::start(options, adapt) }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.end();
    }
}

impl Listening {
    /// Starts a server after `adapt` has changed it.
    pub fn start(
        options: ServeOptions,
        adapt: impl FnOnce(Server) -> Server + Send + 'static,
    ) -> Self {
        let (stop, stopped) = oneshot::channel();
        let (started, address) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(async {
                let server = adapt(Server::bind(options).await.unwrap());
                started.send(server.addr().unwrap()).unwrap();
                server.run(Box::pin(async { drop(stopped.await) })).await;
            });
            runtime.shutdown_background();
        });
        let address = address.recv().unwrap();
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .allow_non_standard_methods(true)
            .build()
            .new_agent();
        let url = format!("http://{address}");
        Self { url, agent, stop: Some(stop), thread: Some(thread) }
    }

    pub fn end(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }

    /// Sends bytes as they are, and answers what comes back until the server ends the connection.
    pub fn raw(&self, request: &[u8]) -> String {
        let address = self.url.strip_prefix("http://").unwrap();
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(std::time::Duration::from_secs(10))).unwrap();
        stream.write_all(request).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Sends any request.
    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
        let mut request =
            ureq::http::Request::builder().method(method).uri(format!("{}{path}", self.url));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(body.to_vec()).unwrap();
        let mut response = self.agent.run(request).unwrap();
        Reply {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body: response.body_mut().with_config().limit(100 * 1024 * 1024).read_to_vec().unwrap(),
        }
    }

    /// Gets a public path.
    pub fn get(&self, path: &str) -> Reply {
        self.send("GET", path, &[], b"")
    }
}

impl Served {
    /// Ends the server and serves the same folder again.
    pub fn restarted(self) -> Self {
        serve(self.ended())
    }

    /// Ends the server and serves the same folder again, with these options.
    pub fn restarted_with(self, options: feedwright::project::Options) -> Self {
        serve_with(self.ended(), options)
    }

    /// Ends the server. Returns the site.
    pub fn ended(self) -> SmallSite {
        self.site
    }

    /// The state of the site, through another handle.
    pub fn state(&self) -> State {
        State::open(self.site.root()).unwrap()
    }

    /// The whole journal.
    pub fn journal(&self) -> Vec<JournalEntry> {
        self.state().journal(JournalQuery::default()).unwrap()
    }

    /// Every file of the site but the local state.
    pub fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = tree(self.site.root());
        files.retain(|path, _| !path.starts_with(".feedwright") && !path.ends_with('/'));
        files
    }

    /// A new key's secret.
    pub fn key(&self, scopes: &[Scope], window: Window) -> String {
        let state = self.state();
        let made = state.create_key("test", scopes, window, jiff::Timestamp::now());
        made.unwrap().1.expose().to_owned()
    }

    /// Calls the API, below `/api/v1`, with the key.
    pub fn call(&self, method: &str, path: &str, body: &[u8]) -> Reply {
        self.call_with(method, path, &[], body)
    }

    /// Calls the API with the key and more headers.
    pub fn call_with(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Reply {
        let key = format!("Bearer {KEY}");
        let mut all = vec![("authorization", key.as_str())];
        all.extend_from_slice(headers);
        self.send(method, &format!("/api/v1{path}"), &all, body)
    }

    /// Reads from the API.
    pub fn read(&self, path: &str) -> Reply {
        self.call("GET", path, b"")
    }

    /// Posts JSON to the API.
    pub fn post(&self, path: &str, body: &Value) -> Reply {
        self.call("POST", path, body.to_string().as_bytes())
    }

    /// Puts JSON to the API.
    pub fn put(&self, path: &str, body: &Value) -> Reply {
        self.call("PUT", path, body.to_string().as_bytes())
    }

    /// Deletes through the API.
    pub fn delete(&self, path: &str) -> Reply {
        self.call("DELETE", path, b"")
    }
}

/// The lines that two texts do not share, with `-` and `+` before them.
pub fn diff(before: &str, after: &str) -> String {
    let lines = |text: &str| text.split_inclusive('\n').map(str::to_owned).collect();
    let (before, after): (Vec<String>, Vec<String>) = (lines(before), lines(after));
    let runs = capture_diff_slices(Algorithm::Myers, &before, &after);
    let changes = runs.iter().flat_map(|run| run.iter_changes(&before, &after));
    let changed = changes.filter_map(|change| {
        let sign = match change.tag() {
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
            ChangeTag::Equal => return None,
        };
        Some(format!("{sign}{}\n", change.value().trim_end_matches('\n')))
    });
    changed.collect()
}
