//! Rules for the network addresses that a client is allowed to connect to.
//!
//! The resolved addresses are checked each time a connection is opened. If a host name first
//! resolves to a public address and later to a local address, the later connection is refused.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::{Arc, OnceLock};

use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;
use url::{Host, Url};

use crate::fault::{LOCAL_ADDRESS, MIXED_ADDRESSES};

/// Network addresses that a client is allowed to connect to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Reach {
    /// Public addresses only.
    #[default]
    Internet,
    /// Public addresses, and the host with this name, which the user specified. This host can be
    /// local.
    Named(String),
    /// Public and local addresses.
    Everywhere,
}

impl Reach {
    /// Allows public addresses, and the host of a URL that the user specified. Redirects to other
    /// local hosts are still refused.
    pub fn named(url: &str) -> Self {
        let url = Url::parse(url.trim()).ok();
        let host = url.as_ref().and_then(Url::host_str);
        host.map_or(Self::Internet, |host| Self::Named(normalize_host(host)))
    }

    /// Returns whether a URL is allowed, judging only by its host, without a lookup.
    pub(crate) fn allows(&self, url: &Url) -> bool {
        match self {
            Self::Everywhere => true,
            Self::Named(named) if same_host(named, url.host_str().unwrap_or_default()) => true,
            Self::Named(_) | Self::Internet => !is_local_host(url),
        }
    }
}

/// Normalizes a host name for comparison.
fn normalize_host(host: &str) -> String {
    let host = host.trim_matches(['[', ']']).trim_end_matches('.');
    host.to_ascii_lowercase()
}

/// Returns whether two names refer to the same host. The usual names of this machine are treated as
/// the same host.
fn same_host(named: &str, host: &str) -> bool {
    let is_this_machine = |host: &str| matches!(host, "localhost" | "127.0.0.1" | "::1");
    let host = normalize_host(host);
    named == host || (is_this_machine(named) && is_this_machine(&host))
}

/// Returns whether a host is a local address, or a name reserved for this machine (RFC 6761).
pub fn is_local_host(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => !is_public_v4(address),
        Some(Host::Ipv6(address)) => !is_public_v6(address),
        Some(Host::Domain(name)) => is_localhost(&normalize_host(name)),
        None => true,
    }
}

fn is_localhost(name: &str) -> bool {
    name == "localhost" || name.ends_with(".localhost")
}

/// A resolver that looks up host names with `inner` and rejects addresses that `reach` does not
/// allow.
pub struct GuardedResolver<R> {
    reach: Reach,
    /// Whether the host that the user specified is local. The first lookup decides this, so a
    /// public host cannot become local later.
    named_is_local: OnceLock<bool>,
    inner: R,
}

impl<R> GuardedResolver<R> {
    pub fn new(reach: Reach, inner: R) -> Self {
        Self { reach, named_is_local: OnceLock::new(), inner }
    }

    /// Checks the addresses of a host. If the client is not allowed to connect to them, returns the
    /// reason as an error.
    fn check(
        &self,
        host: &str,
        addresses: impl Iterator<Item = IpAddr>,
    ) -> Result<(), &'static str> {
        let named = match &self.reach {
            Reach::Everywhere => return Ok(()),
            Reach::Internet => None,
            Reach::Named(named) => Some(named),
        };
        let (mut public, mut local) = (false, false);
        for address in addresses {
            match is_public(address) {
                true => public = true,
                false => local = true,
            }
        }
        if !named.is_some_and(|named| same_host(named, host)) {
            return if local { Err(LOCAL_ADDRESS) } else { Ok(()) };
        }
        if public && local {
            return Err(MIXED_ADDRESSES);
        }
        let is_written =
            is_localhost(&normalize_host(host)) || normalize_host(host).parse::<IpAddr>().is_ok();
        if !is_written && *self.named_is_local.get_or_init(|| local) != local {
            return Err(MIXED_ADDRESSES);
        }
        Ok(())
    }
}

impl<R> fmt::Debug for GuardedResolver<R> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Guarded({:?})", self.reach)
    }
}

/// A resolver that several users share.
#[derive(Debug, Clone)]
pub struct SharedResolver(pub Arc<dyn Resolver>);

impl Resolver for SharedResolver {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        self.0.resolve(uri, config, timeout)
    }
}

impl<R: Resolver> Resolver for GuardedResolver<R> {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.inner.resolve(uri, config, timeout)?;
        self.check(uri.host().unwrap_or_default(), found.iter().map(|one| one.ip()))
            .map_err(|why| ureq::Error::Io(io::Error::new(io::ErrorKind::PermissionDenied, why)))?;
        Ok(found)
    }
}

/// Returns whether an address is public according to IANA's registries of special-purpose addresses
/// (RFC 6890).
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let is_special = address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_broadcast()
        || address.is_documentation()
        || address.is_multicast()
        || a == 0
        || a >= 240
        || (a, b & 0xc0) == (100, 64)
        || (a, b, c) == (192, 0, 0)
        || (a, b, c) == (192, 88, 99)
        || (a, b & 0xfe) == (198, 18);
    !is_special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    // IPv4 addresses embedded in IPv6: mapped, translated (RFC 6052), 6to4 or ISATAP (RFC 5214).
    let [a, b, c, d, e, f, ..] = address.segments();
    let octets = address.octets();
    let v4 = |at: usize| Ipv4Addr::new(octets[at], octets[at + 1], octets[at + 2], octets[at + 3]);
    if let Some(mapped) = address.to_ipv4_mapped() {
        return is_public_v4(mapped);
    }
    if (e & 0xfdff, f) == (0, 0x5efe) && !is_public_v4(v4(12)) {
        return false;
    }
    match (a, b) {
        (0x64, 0xff9b) if [c, d, e, f] == [0; 4] => is_public_v4(v4(12)),
        (0x2002, _) => is_public_v4(v4(2)),
        // Global unicast, except documentation and protocol assignments such as Teredo.
        (0x2001, b) => b != 0xdb8 && b >= 0x200,
        (0x3fff, b) => b >= 0x1000,
        (a, _) => a & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_addresses_are_recognized_in_every_form() {
        let local = "127.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 0.1.2.3 255.255.255.255 \
            224.0.0.1 240.0.0.1 198.18.0.1 192.0.0.8 192.0.2.1 192.88.99.1 ::1 :: fe80::1 fec0::1 fc00::1 fd12::1 ff02::1 \
            ::ffff:127.0.0.1 ::ffff:0:127.0.0.1 ::127.0.0.1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::a00:1 64:ff9b::1:0:0:101 \
            2002:7f00:1:: 2002:c0a8:101::1 2001:db8::1 2001::1 2001:0:7f00:1:: 2606:4700::5efe:10.0.0.1 2606:4700::200:5efe:a00:1 \
            100::1 5f00::1";
        for address in local.split_whitespace() {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
        for address in
            "1.1.1.1 93.184.216.34 172.32.0.1 100.128.0.1 2606:4700::1111 ::ffff:1.1.1.1 64:ff9b::101:101 2001:4860:4860::8888"
                .split_whitespace()
        {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }
}
