//! The state that the server and its APIs share for all requests.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use jiff::Timestamp;

use super::access::{AuthFailure, Failures, bearer};
use super::connections::Limits;
use super::environment::Environment;
use super::guard::Hosts;
use super::host_names::HostNames;
use super::http::Request;
use super::live::Live;
use model::{Report, Upstream, url};
use project::Options;
use state::{Key, State};

/// The shared state that is needed to answer any request.
pub struct App {
    pub live: Arc<Live>,
    /// Keys, the journal, idempotency records and uploads.
    pub state: State,
    /// The source of secrets, which must not be stored in the site.
    pub environment: Environment,
    pub(super) hosts: Hosts,
    /// The two host names, or `None` if the site and signed-in people share one host name.
    pub(super) names: Option<HostNames>,
    pub(super) limits: Limits,
    pub(super) failures: Failures,
}

impl App {
    /// Creates the state without a server, for a program that works on the files. Returns an error
    /// if the site cannot be read.
    pub fn without_server(site: Options, state: State) -> Result<Self, Report> {
        Ok(Self {
            live: Arc::new(Live::read(site)?),
            state,
            environment: Environment::default(),
            hosts: Hosts::new(SocketAddr::from(([127, 0, 0, 1], 0)), ""),
            names: None,
            limits: Limits::default(),
            failures: Failures::default(),
        })
    }

    /// Whether a service address is this server's own address. Compares only names.
    pub fn is_itself(&self, service: &Upstream) -> bool {
        self.hosts.is_own_upstream(service)
    }

    /// Returns the host where people sign in, for a host that serves the site's pages. Returns
    /// `None` if `host` does not serve them, or if the site and people share one host.
    pub fn sign_in_host(&self, host: &str) -> Option<String> {
        self.names?.people_host(host)
    }

    /// Returns the address of the site at the host where people sign in, and whether that host is
    /// separate from the site's host.
    pub fn sign_in_url(&self) -> (String, bool) {
        let url = self.live.now().site.snapshot.config.base_url.clone();
        let site = url::host(&url);
        match self.sign_in_host(site) {
            Some(people) => (url.replacen(site, &people, 1), true),
            None => (url, false),
        }
    }

    /// Whether the editor accepts this host. The editor accepts its own host, and the site's host,
    /// which redirects to the editor's host. If there is only one host, the editor accepts that
    /// host. All other names of this machine, such as `x.localhost`, are refused.
    pub fn accepts_editor_host(&self, host: &str) -> bool {
        match self.names {
            Some(names) => names.people_host(host).is_some() || names.site_host(host).is_some(),
            None => self.hosts.is_own(host),
        }
    }

    /// Returns the valid key of a request, regardless of its scopes. Reads from the disk and
    /// blocks.
    pub fn key_of(&self, request: &Request) -> Result<Key, AuthFailure> {
        let secret = bearer(request).ok_or(AuthFailure::NoKey)?;
        self.state.authenticate(secret, Timestamp::now()).map_err(AuthFailure::Failed)?.ok_or_else(
            || {
                self.count_failure(request);
                AuthFailure::NotValid
            },
        )
    }

    /// Counts a request with an invalid key against the client's address.
    pub fn count_failure(&self, request: &Request) {
        if let Some(peer) = request.peer {
            self.failures.count(peer);
        }
    }

    /// Whether an address has sent too many invalid keys.
    pub(super) fn fails_too_often(&self, peer: IpAddr) -> bool {
        self.failures.recent(peer) > self.limits.failures
    }
}
