//! What the server and its APIs need for every request.

use std::sync::Arc;

use super::access::Failures;
use super::api::Apis;
use super::connections::Limits;
use super::environment::Environment;
use super::guard::Hosts;
use super::live::Live;
use crate::model::Upstream;
use crate::state::State;

/// What answering any request needs.
pub struct App {
    pub live: Arc<Live>,
    /// Keys, the journal, idempotency records and uploads.
    pub state: State,
    /// Where secrets are looked up, since they must not lie in the site.
    pub environment: Environment,
    pub(super) apis: Apis,
    pub(super) hosts: Hosts,
    pub(super) limits: Limits,
    pub(super) failures: Failures,
}

impl App {
    /// Whether the address of a service is this server's own. Only names are compared.
    pub fn is_itself(&self, service: &Upstream) -> bool {
        self.hosts.are_of(service)
    }
}
