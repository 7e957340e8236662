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
    /// The environment variables that contain secrets. Secrets must not be stored in the site.
    pub environment: Environment,
    pub(super) hosts: Hosts,
    /// The host names of the site and of the editor. `None` if both use the same host name.
    pub(super) names: Option<HostNames>,
    pub(super) limits: Limits,
    pub(super) failures: Failures,
}

impl App {
    /// Creates the state for a program that changes the site's files without running a server.
    /// Returns an error if the site cannot be read.
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

    /// Whether a service is this server. Compares only host names and ports, without DNS lookups.
    pub fn is_itself(&self, service: &Upstream) -> bool {
        self.hosts.is_own_upstream(service)
    }

    /// Returns the sign-in host for a host of the site's pages. Returns `None` if `host` serves no
    /// pages of the site, or if pages and sign-in share one host.
    pub fn sign_in_host(&self, host: &str) -> Option<String> {
        self.names?.people_host(host)
    }

    /// Returns the address of the site on the sign-in host, and whether the sign-in host differs
    /// from the site's host.
    pub fn sign_in_url(&self) -> (String, bool) {
        let url = self.live.now().site.snapshot.config.base_url.clone();
        let site = url::host(&url);
        match self.sign_in_host(site) {
            Some(people) => (url.replacen(site, &people, 1), true),
            None => (url, false),
        }
    }

    /// Whether `host` may be used to open the editor. The editor's own host may be used, and so may
    /// the site's host, which redirects to the editor's host. Other names of this machine, such as
    /// `x.localhost`, are refused.
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
        let key = self.state.authenticate(secret, Timestamp::now()).map_err(AuthFailure::Failed)?;
        let key = key.ok_or_else(|| {
            self.count_failure(request);
            AuthFailure::NotValid
        })?;
        match &key.show {
            Some(show) if request.show.as_ref() != Some(show) => {
                Err(AuthFailure::OtherShow(show.clone()))
            }
            _ => Ok(key),
        }
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
