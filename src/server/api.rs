//! What an API is to the server that answers it beside the site's public paths.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use warp::http::StatusCode;

use super::app::App;
use super::http::{Request, Response};
use crate::model::Diagnostic;

/// An API. It brings its own state, and says which paths are its own, how it answers and how its errors
/// look.
pub trait Api: Send + Sync {
    /// Whether a path is its own: percent-encoded as it came, without what the site lies below. No two
    /// APIs of a server share one.
    fn owns(&self, path: &str) -> bool;

    /// Answers a request for a path of its own.
    fn answer(self: Arc<Self>, app: Arc<App>, request: Request) -> BoxFuture<'static, Response>;

    /// The answer to a request for a path of its own that the server refuses for it: an error with
    /// this status and message, as its clients read them.
    fn refusal(&self, app: &App, request: &Request, status: StatusCode, message: &str) -> Response;

    /// What the site's configuration asks of it that cannot be done. The server does not start then.
    fn check(&self, app: &App) -> Result<(), Diagnostic> {
        let _ = app;
        Ok(())
    }

    /// Goes on with what an earlier server left unfinished, before the first request is answered.
    fn start(self: Arc<Self>, app: Arc<App>) -> BoxFuture<'static, ()> {
        let _ = app;
        Box::pin(std::future::ready(()))
    }

    /// Ends what it does in the background: no request is answered any more.
    fn stop(&self) {}
}

/// The APIs of a server.
pub(super) struct Apis(pub(super) Vec<Arc<dyn Api>>);

impl Apis {
    /// The API that a path belongs to. None for a public path.
    pub(super) fn of(&self, path: &str) -> Option<&Arc<dyn Api>> {
        self.0.iter().find(|api| api.owns(path))
    }
}
