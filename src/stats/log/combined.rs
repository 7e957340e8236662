//! The combined and common log formats of Apache and nginx, with or without a virtual host at the
//! start of the line.

use std::borrow::Cow;
use std::net::IpAddr;

use super::{Method, Reason, Request, status, time};

/// Parses a line: `[host] address ident user [time] "request" status bytes ["referrer" "agent"] …`.
/// Ignores the rest of the line.
pub(super) fn parse(line: &str) -> Result<Request<'_>, Reason> {
    let (client, time, rest) = split_time(line).ok_or("the [time] is missing")?;
    let (request, rest) = quoted(rest).ok_or("the \"request\" is missing")?;
    let mut numbers = rest.trim_start().splitn(3, ' ');
    let status = numbers
        .next()
        .filter(|text| !text.is_empty())
        .and_then(status)
        .ok_or("the status is not a number")?;
    let bytes = match numbers.next().ok_or("the number of bytes is missing")? {
        "-" => 0,
        text => text.parse().map_err(|_| "the number of bytes is invalid")?,
    };
    let (_, rest) = quoted(numbers.next().unwrap_or_default()).unwrap_or_default();
    let agent = quoted(rest).map(|(agent, _)| unescaped(agent));
    let (method, target) = split_request(request);
    Ok(Request {
        address: Cow::Borrowed(address(client).ok_or("the address is missing")?),
        time,
        method,
        target: unescaped(target),
        status,
        bytes: Some(bytes),
        agent: agent.map(dash_as_empty),
    })
}

/// Replaces `-` with an empty string. `-` means that the client did not send a value.
fn dash_as_empty(agent: Cow<'_, str>) -> Cow<'_, str> {
    match &*agent {
        "-" => Cow::Borrowed(""),
        _ => agent,
    }
}

/// Returns the text before the time, the time, and the text after the time. The text before the
/// time may contain brackets, because user names can contain them.
fn split_time(line: &str) -> Option<(&str, i64, &str)> {
    line.match_indices('[').take(8).find_map(|(at, _)| {
        let rest = &line[at + 1..];
        let (text, behind) = rest.split_at_checked(rest.find(']')?)?;
        Some((&line[..at], time::parse_common(text)?, &behind[1..]))
    })
}

/// Returns the client's address: the first word, or the second word if the first word is the
/// requested host.
fn address(client: &str) -> Option<&str> {
    let mut words = client.split(' ').filter(|word| !word.is_empty());
    let first = words.next()?;
    let is_ip = |word: &&str| word.parse::<IpAddr>().is_ok();
    match words.next().filter(is_ip) {
        Some(second) if !is_ip(&first) => Some(second),
        _ => Some(first),
    }
}

/// Returns the next text in quotation marks, with its escape sequences, and the text after it.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let inner = text.trim_start_matches(' ').strip_prefix('"')?;
    let mut from = 0;
    loop {
        let at = from + inner[from..].find('"')?;
        let slashes = inner[..at].bytes().rev().take_while(|byte| *byte == b'\\');
        if slashes.count() % 2 == 0 {
            return Some((&inner[..at], &inner[at + 1..]));
        }
        from = at + 1;
    }
}

/// Returns the method and the target of a request line. The target is empty if the line is not an
/// HTTP request line. Port scanners send such lines.
pub(super) fn split_request(request: &str) -> (Method, &str) {
    let line = match request.rsplit_once(' ') {
        Some((line, version)) if version.starts_with("HTTP/") => line,
        _ => request,
    };
    match line.split_once(' ') {
        Some((method, target)) if method.bytes().all(|byte| byte.is_ascii_alphabetic()) => {
            (Method::parse(method), target.trim())
        }
        _ => (Method::Other, ""),
    }
}

/// Replaces the escape sequences in a string, such as `\"`, `\\`, `\t` and `\x22`.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        match (first, tail) {
            (b'\\', [b'x', high, low, tail @ ..]) if let Some(byte) = hex(*high, *low) => {
                bytes.push(byte);
                rest = tail;
            }
            (b'\\', [b't', tail @ ..]) => {
                bytes.push(b'\t');
                rest = tail;
            }
            (b'\\', [escaped @ (b'"' | b'\\'), tail @ ..]) => {
                bytes.push(*escaped);
                rest = tail;
            }
            _ => bytes.push(*first),
        }
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

fn hex(high: u8, low: u8) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}
