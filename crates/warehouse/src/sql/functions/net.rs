//! SQL functions for IP addresses and hosts of URLs.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use super::declare::{Function, call};

pub(super) fn functions() -> Vec<Function> {
    vec![
        call("NET.HOST(STRING) -> STRING", |c| Ok(host(c.text(0)?).map(str::to_owned))),
        call("NET.IP_FROM_STRING(STRING) -> BYTES", |c| parse(c.text(0)?))
            .checked(0, |text| parse(text).map(drop)),
        call("NET.SAFE_IP_FROM_STRING(STRING) -> BYTES", |c| Ok(parse(c.text(0)?).ok())),
        call("NET.IP_TO_STRING(BYTES) -> STRING", |c| Ok(address(c.bytes(0)?)?.to_string())),
        call("NET.IP_TRUNC(BYTES, INT64) -> BYTES", |c| {
            let bytes = c.bytes(0)?;
            let mask = mask(bytes.len(), c.int(1)?)?;
            Ok(bytes.iter().zip(mask).map(|(byte, mask)| byte & mask).collect::<Vec<_>>())
        }),
        call("NET.IP_NET_MASK(INT64, INT64) -> BYTES", |c| mask(c.count(0)?, c.int(1)?)),
        call("NET.IPV4_TO_INT64(BYTES) -> INT64", |c| match address(c.bytes(0)?)? {
            IpAddr::V4(address) => Ok(i64::from(u32::from(address))),
            IpAddr::V6(_) => Err("NET.IPV4_TO_INT64() requires 4 bytes".to_owned()),
        }),
        call("NET.IPV4_FROM_INT64(INT64) -> BYTES", |c| {
            let value = c.int(0)?;
            // Addresses above 127.255.255.255 can also be written as negative 32-bit numbers.
            let signed = i32::try_from(value).ok().map(i32::cast_unsigned);
            let number = u32::try_from(value).ok().or(signed);
            let number = number.ok_or_else(|| format!("{value} is not a valid IPv4 address"))?;
            Ok(number.to_be_bytes().to_vec())
        }),
    ]
}

fn parse(text: &str) -> Result<Vec<u8>, String> {
    match text.parse() {
        Ok(IpAddr::V4(address)) => Ok(address.octets().to_vec()),
        Ok(IpAddr::V6(address)) => Ok(address.octets().to_vec()),
        Err(_) => {
            let shown: String = text.chars().take(80).collect();
            Err(format!("Invalid IP address: {shown}"))
        }
    }
}

fn address(bytes: &[u8]) -> Result<IpAddr, String> {
    if let Ok(octets) = <[u8; 4]>::try_from(bytes) {
        return Ok(IpAddr::V4(Ipv4Addr::from(octets)));
    }
    match <[u8; 16]>::try_from(bytes) {
        Ok(octets) => Ok(IpAddr::V6(Ipv6Addr::from(octets))),
        Err(_) => Err(format!("an IP address must have 4 or 16 bytes, not {}", bytes.len())),
    }
}

/// Returns a mask of `length` bytes with the first `bits` bits set.
fn mask(length: usize, bits: i64) -> Result<Vec<u8>, String> {
    if !matches!(length, 4 | 16) {
        return Err(format!("an IP address must have 4 or 16 bytes, not {length}"));
    }
    let bits = usize::try_from(bits).ok().filter(|bits| *bits <= length * 8);
    let bits =
        bits.ok_or_else(|| format!("the prefix length must be between 0 and {}", length * 8))?;
    let byte = |at: usize| match bits.saturating_sub(at * 8).min(8) {
        0 => 0,
        set => 0xff << (8 - set),
    };
    Ok((0..length).map(byte).collect())
}

/// Returns the host of a URL, unchanged. Also accepts text without a scheme, such as
/// `example.org/a`.
fn host(url: &str) -> Option<&str> {
    let url = url.trim();
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    };
    let after = match url.split_once("://") {
        Some((scheme, after)) if is_scheme(scheme) => after,
        _ => url.strip_prefix("//").unwrap_or(url),
    };
    let authority = after.split(['/', '?', '#', '\\']).next()?;
    let place = authority.rsplit_once('@').map_or(authority, |(_, place)| place);
    let host = if place.starts_with('[') {
        &place[..=place.find(']')?]
    } else {
        place.split(':').next()?
    };
    (!host.is_empty()).then_some(host)
}
