//! The APIs that the server mirrors beside the site's public paths.
//!
//! Each lies in a room of its own, and says here which paths are its own, how it answers and how its
//! errors look. Another API is another entry of the list here; nothing else of the server knows how many
//! there are.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use warp::http::StatusCode;

use super::http::{Request, Response};
use super::{App, api};
use crate::{account, calendar, hooks, jobs};

/// A mirrored API.
pub struct Mirrored {
    /// Whether a path is its own: percent-encoded as it came, without what the site lies below.
    pub owns: fn(&str) -> bool,
    /// Answers a request for a path of its own.
    pub answer: fn(Arc<App>, Request) -> BoxFuture<'static, Response>,
    /// The answer to a request for a path of its own that the server refuses for it: an error with
    /// this status and message, as its clients read them.
    pub error: fn(&App, &Request, StatusCode, &str) -> Response,
}

/// Every one. They share no path.
const ALL: [&Mirrored; 5] = [
    &api::MIRRORED,
    &account::MIRRORED,
    &calendar::MIRRORED,
    &hooks::MIRRORED,
    &jobs::MIRRORED,
];

/// The API that a path belongs to. None for a public path.
pub fn of(path: &str) -> Option<&'static Mirrored> {
    ALL.into_iter().find(|mirrored| (mirrored.owns)(path))
}
