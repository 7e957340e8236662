//! The key that a request is sent with.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::http::Request;
use state::StateError;

/// The `WWW-Authenticate` challenge (RFC 6750, section 3). It requires a parameter, and some clients
/// fail without one.
pub const CHALLENGE: &str = "Bearer realm=\"feedwright\"";

/// Why a request is not let in.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    #[error("this takes a key: Authorization: Bearer <key>")]
    NoKey,
    /// Its key is unknown, or not valid now.
    #[error("this key is not valid")]
    NotValid,
    /// The keys cannot be read.
    #[error(transparent)]
    Failed(StateError),
}

/// The time in which failures are counted together.
pub const WINDOW: Duration = Duration::from_secs(60);

/// Most addresses whose failures are counted.
const MOST_ADDRESSES: usize = 4096;

/// How many requests had keys that are not valid, by the address of the client.
#[derive(Debug, Default)]
pub struct Failures(Mutex<HashMap<IpAddr, Window>>);

/// The failures of one address since the first.
#[derive(Debug, Clone, Copy)]
struct Window {
    since: Instant,
    count: u32,
}

impl Failures {
    /// Counts a failure of an address.
    pub(super) fn count(&self, peer: IpAddr) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() >= MOST_ADDRESSES {
            all.retain(|_, window| window.since.elapsed() < WINDOW);
        }
        if all.len() >= MOST_ADDRESSES {
            all.clear();
        }
        let new = Window { since: Instant::now(), count: 0 };
        let window = all.entry(network(peer)).or_insert(new);
        if window.since.elapsed() >= WINDOW {
            *window = new;
        }
        window.count = window.count.saturating_add(1);
    }

    /// Returns how many failures of an address there were within [`WINDOW`].
    pub(super) fn recent(&self, peer: IpAddr) -> u32 {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let window = all.get(&network(peer));
        window.filter(|window| window.since.elapsed() < WINDOW).map_or(0, |window| window.count)
    }
}

/// The network of one client. With IPv6 a client has at least a /64.
fn network(peer: IpAddr) -> IpAddr {
    match peer {
        IpAddr::V6(peer) if peer.to_ipv4_mapped().is_none() => {
            let mask = u128::MAX << 64;
            Ipv6Addr::from_bits(peer.to_bits() & mask).into()
        }
        _ => peer,
    }
}

/// The secret of the key that a request comes with (RFC 6750, section 2.1).
pub fn bearer(request: &Request) -> Option<&str> {
    let (scheme, secret) = request.header("authorization")?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| secret.trim()).filter(|secret| !secret.is_empty())
}
