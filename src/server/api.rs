//! How the server sees an API.

use std::sync::Arc;

use futures_util::future::BoxFuture;

use super::app::App;
use super::error::ApiError;
use super::http::{Request, Response};
use model::Diagnostic;

/// The answer of an API that is being made.
pub type ApiAnswer = BoxFuture<'static, Result<Response, ApiError>>;

/// An API. It brings its own state, and decides which paths are its own, how they are answered and how
/// errors look.
pub trait Api: Send + Sync {
    /// Whether a path belongs to it. The path is percent-encoded as it came, without the base path of
    /// the site. No path belongs to two APIs.
    fn owns(&self, path: &str) -> bool;

    /// Answers a request for a path of its own.
    fn answer(self: Arc<Self>, app: Arc<App>, request: Request) -> ApiAnswer;

    /// Whether the answer to a request may wait for something other than a permit, such as the end of a job.
    fn waits(&self, request: &Request) -> bool {
        let _ = request;
        false
    }

    /// Writes an error in the format that the clients of a path read: an error of the API itself, or of
    /// the server if it refuses the request.
    fn error(&self, app: &App, path: &str, error: &ApiError) -> Response;

    /// Checks the site's configuration. Err when it asks for something impossible: then the server does
    /// not start.
    fn check(&self, app: &App) -> Result<(), Diagnostic> {
        let _ = app;
        Ok(())
    }

    /// Resumes what an earlier server left unfinished. Runs before the first request is answered.
    fn start(self: Arc<Self>, app: Arc<App>) -> BoxFuture<'static, ()> {
        let _ = app;
        Box::pin(std::future::ready(()))
    }

    /// Ends its work in the background. No request is answered any more.
    fn stop(&self) {}
}

/// The APIs of a server.
pub(super) struct Apis(pub(super) Vec<Arc<dyn Api>>);

impl Apis {
    /// The API that owns a path. None for a public path.
    pub(super) fn of(&self, path: &str) -> Option<&Arc<dyn Api>> {
        self.0.iter().find(|api| api.owns(path))
    }
}
