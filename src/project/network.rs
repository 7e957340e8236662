//! How servers elsewhere are asked.

use fetch::{Client, Options};
pub(super) use fetch::{Kind, Reach, Request};

/// Who asks, as servers see it.
const USER_AGENT: &str = concat!("feedwright/", env!("CARGO_PKG_VERSION"));

/// A client that asks one host at most two things at a time, and once more what may come out well a moment later.
pub(super) fn client(reach: Reach) -> Client {
    Client::new(Options {
        user_agent: USER_AGENT.to_owned(),
        reach,
        retries: 1,
        ..Options::default()
    })
}
