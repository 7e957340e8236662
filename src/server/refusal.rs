//! Why the server refuses a request.

use warp::http::StatusCode;

/// Why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Refusal {
    pub status: StatusCode,
    /// What is wrong with the request.
    pub why: &'static str,
}

impl Refusal {
    pub const fn new(status: StatusCode, why: &'static str) -> Self {
        Self { status, why }
    }
}
