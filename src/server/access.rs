//! Authenticates requests by their API key, and counts failed attempts.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::http::Request;
use state::StateError;

/// The `WWW-Authenticate` challenge. RFC 6750, section 3 requires at least one parameter, and some
/// clients reject a challenge without parameters.
pub const CHALLENGE: &str = "Bearer realm=\"feedwright\"";

/// The reason why a request is not authenticated.
#[derive(Debug, thiserror::Error)]
pub enum AuthFailure {
    #[error("a key is required: Authorization: Bearer <key>")]
    NoKey,
    /// The key is unknown, expired, revoked or not valid yet.
    #[error("this key is not valid")]
    NotValid,
    /// The key is limited to another show, or to a show.
    #[error("this key is limited to the show {0}: use the content API below the path of this show")]
    OtherShow(String),
    /// The keys cannot be read.
    #[error(transparent)]
    Failed(StateError),
}

/// The length of the period in which the failed attempts by a client are counted.
pub const WINDOW: Duration = Duration::from_secs(60);

/// Maximum number of clients whose failed attempts are counted.
const MAX_ADDRESSES: usize = 4096;

/// The number of requests with invalid keys, by client address.
#[derive(Debug, Default)]
pub struct Failures(Mutex<HashMap<IpAddr, Window>>);

/// The number of failed attempts by one client, and the time of the first attempt.
#[derive(Debug, Clone, Copy)]
struct Window {
    since: Instant,
    count: u32,
}

impl Failures {
    /// Counts a failed attempt from an address.
    pub(super) fn count(&self, peer: IpAddr) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MAX_ADDRESSES {
            all.retain(|_, window| window.since.elapsed() < WINDOW);
        }
        if all.len() >= MAX_ADDRESSES {
            all.clear();
        }
        let new = Window { since: Instant::now(), count: 0 };
        let window = all.entry(network(peer)).or_insert(new);
        if window.since.elapsed() >= WINDOW {
            *window = new;
        }
        window.count = window.count.saturating_add(1);
    }

    /// Returns the number of failed attempts from an address within [`WINDOW`].
    pub(super) fn recent(&self, peer: IpAddr) -> u32 {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let window = all.get(&network(peer));
        window.filter(|window| window.since.elapsed() < WINDOW).map_or(0, |window| window.count)
    }
}

/// Returns the address or network that counts as one client. An IPv6 client usually controls a
/// whole /64 network, so all addresses of the network count as the same client.
fn network(peer: IpAddr) -> IpAddr {
    match peer {
        IpAddr::V6(peer) if peer.to_ipv4_mapped().is_none() => {
            let mask = u128::MAX << 64;
            Ipv6Addr::from_bits(peer.to_bits() & mask).into()
        }
        _ => peer,
    }
}

/// Returns the bearer token of a request (RFC 6750, section 2.1).
pub fn bearer(request: &Request) -> Option<&str> {
    let (scheme, secret) = request.header("authorization")?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim()).filter(|secret| !secret.is_empty())
}
