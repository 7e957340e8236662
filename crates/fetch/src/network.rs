//! Which addresses are of the local network.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

use crate::fault::LOCAL;

/// Which addresses a client may ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reach {
    /// Those of the internet.
    #[default]
    Internet,
    /// Those of this machine and its network, too.
    Everywhere,
}

/// Finds the addresses of a host, at the moment they are connected to: a name that leads to the local network is
/// found out whatever it led to before.
pub struct Guarded {
    pub reach: Reach,
    pub inner: DefaultResolver,
}

impl fmt::Debug for Guarded {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Guarded({:?})", self.reach)
    }
}

impl Resolver for Guarded {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.inner.resolve(uri, config, timeout)?;
        if self.reach == Reach::Everywhere || found.iter().all(|one| is_public(one.ip())) {
            return Ok(found);
        }
        Err(ureq::Error::Io(io::Error::new(
            io::ErrorKind::PermissionDenied,
            LOCAL,
        )))
    }
}

/// Whether an address is one of the internet (IANA's registries of special-purpose addresses, RFC 6890).
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
        || (a, b & 0xfe) == (198, 18);
    !is_special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    // An IPv4 address in another form: mapped, translated (RFC 6052) or 6to4.
    let [a, b, c, ..] = address.segments();
    let octets = address.octets();
    let v4 = |at: usize| Ipv4Addr::new(octets[at], octets[at + 1], octets[at + 2], octets[at + 3]);
    if let Some(mapped) = address.to_ipv4_mapped() {
        return is_public_v4(mapped);
    }
    match (a, b) {
        (0x64, 0xff9b) if c == 0 => is_public_v4(v4(12)),
        (0x2002, _) => is_public_v4(v4(2)),
        // What is global unicast, without documentation and protocol assignments such as Teredo.
        (0x2001, b) => b != 0xdb8 && b >= 0x200,
        (0x3fff, b) => b >= 0x1000,
        (a, _) => a & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_addresses_are_known_in_every_form() {
        let local = "127.0.0.1 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 255.255.255.255 224.0.0.1 \
            198.18.0.1 192.0.0.8 192.0.2.1 ::1 :: fe80::1 fc00::1 fd12::1 ff02::1 ::ffff:127.0.0.1 64:ff9b::7f00:1 2002:7f00:1:: 2001:db8::1 2001::1";
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
