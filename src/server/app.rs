//! What the server and its APIs need for every request.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use jiff::Timestamp;

use super::access::{Failures, Refused, bearer};
use super::apart::Names;
use super::connections::Limits;
use super::environment::Environment;
use super::guard::Hosts;
use super::http::Request;
use super::live::Live;
use model::{Report, Upstream, url};
use project::Options;
use state::{Key, State};

/// What answering any request needs.
pub struct App {
    pub live: Arc<Live>,
    /// Keys, the journal, idempotency records and uploads.
    pub state: State,
    /// Where secrets are looked up, since they must not lie in the site.
    pub environment: Environment,
    pub(super) hosts: Hosts,
    /// None where the site and people have the same one.
    pub(super) names: Option<Names>,
    pub(super) limits: Limits,
    pub(super) failures: Failures,
}

impl App {
    /// The same without a server: for a program that works on the files. Err when the site cannot be read.
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

    /// Whether the address of a service is this server's own. Only names are compared.
    pub fn is_itself(&self, service: &Upstream) -> bool {
        self.hosts.are_of(service)
    }

    /// The host at which people sign in, for one that pages of the site have. None if it is not that, or there is no other.
    pub fn host_of_people(&self, host: &str) -> Option<String> {
        self.names?.of_people(host)
    }

    /// The address of the site at the name where people sign in, and whether that name serves no page of the site.
    pub fn url_of_people(&self) -> (String, bool) {
        let url = self.live.now().site.snapshot.config.base_url.clone();
        let site = url::host(&url);
        match self.host_of_people(site) {
            Some(people) => (url.replacen(site, &people, 1), true),
            None => (url, false),
        }
    }

    /// Whether the editor answers at this host: at the editor's name, at the site's name, which redirects there, or
    /// at the only name. All other names of this machine, such as `x.localhost`, are refused.
    pub fn edits_at(&self, host: &str) -> bool {
        match self.names {
            Some(names) => names.of_people(host).is_some() || names.of_site(host).is_some(),
            None => self.hosts.is_own(host),
        }
    }

    /// The valid key of a request, whatever its scopes. Blocks on the disk.
    pub fn key_of(&self, request: &Request) -> Result<Key, Refused> {
        let secret = bearer(request).ok_or(Refused::NoKey)?;
        self.state.authenticate(secret, Timestamp::now()).map_err(Refused::Failed)?.ok_or_else(
            || {
                self.count_failure(request);
                Refused::NotValid
            },
        )
    }

    /// Counts a request whose key is not valid against its address.
    pub fn count_failure(&self, request: &Request) {
        if let Some(peer) = request.peer {
            self.failures.count(peer);
        }
    }

    /// Whether an address has sent too many keys that are not valid.
    pub(super) fn fails_too_often(&self, peer: IpAddr) -> bool {
        self.failures.recent(peer) > self.limits.failures
    }
}
