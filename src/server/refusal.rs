//! The refusal of a request by the server.

use warp::http::StatusCode;

/// The status and the reason of a refused request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusal {
    pub status: StatusCode,
    /// The reason for the refusal, as a message for the client.
    pub why: &'static str,
}

impl Refusal {
    pub const fn new(status: StatusCode, why: &'static str) -> Self {
        Self { status, why }
    }
}
