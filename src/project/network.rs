//! The HTTP client for requests to other servers.

use fetch::{Client, Options};
pub(super) use fetch::{Kind, Reach, Request};

/// The `User-Agent` header of requests.
const USER_AGENT: &str = concat!("feedwright/", env!("CARGO_PKG_VERSION"));

/// Creates a client that sends at most two concurrent requests to each host, and retries once after
/// a temporary error.
pub(super) fn client(reach: Reach) -> Client {
    Client::new(Options {
        user_agent: USER_AGENT.to_owned(),
        reach,
        retries: 1,
        ..Options::default()
    })
}
