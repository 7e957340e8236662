//! The interface between the server and its APIs.

use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::app::App;
use super::error::ApiError;
use super::http::{Request, Response};
use model::Diagnostic;

/// The pending response of an API.
pub type ApiAnswer = BoxFuture<'static, Result<Response, ApiError>>;

/// An API. It has its own state, and decides which paths it owns, how to answer requests and how to
/// format errors.
pub trait Api: Send + Sync {
    /// Whether the API owns a path. The path is percent-encoded as received, without the base path
    /// of the site. No path belongs to two APIs.
    fn owns(&self, path: &str) -> bool;

    /// Answers a request for a path that the API owns.
    fn answer(self: Arc<Self>, app: Arc<App>, request: Request) -> ApiAnswer;

    /// Whether the response to a request may wait for an event, such as the end of a job. The
    /// maximum number of simultaneously produced responses does not apply to such requests.
    fn may_wait(&self, request: &Request) -> bool {
        let _ = request;
        false
    }

    /// Formats an error for the clients of a path. The error is from the API itself, or from the
    /// server if the server refuses the request.
    fn error(&self, app: &App, path: &str, error: &ApiError) -> Response;

    /// Checks the site's configuration. If it returns an error, the server does not start.
    fn check(&self, app: &App) -> Result<(), Diagnostic> {
        let _ = app;
        Ok(())
    }

    /// Resumes work that an earlier server left unfinished. Runs before the first request is
    /// answered.
    fn start(self: Arc<Self>, app: Arc<App>) -> BoxFuture<'static, ()> {
        let _ = app;
        Box::pin(std::future::ready(()))
    }

    /// Stops background work. No request is answered after this call.
    fn stop(&self) {}
}

pub(super) struct Apis(pub(super) Vec<Arc<dyn Api>>);

impl Apis {
    /// Returns the API that owns a path, or `None` for a public path.
    pub(super) fn of(&self, path: &str) -> Option<&Arc<dyn Api>> {
        self.0.iter().find(|api| api.owns(path))
    }
}
