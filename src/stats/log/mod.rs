//! Access logs: parses their lines into requests. This module does not depend on a site, and stores
//! nothing.

mod combined;
mod fields;
mod format;
mod json;
mod lines;
mod time;
mod w3c;

use std::borrow::Cow;

pub use format::{Format, Parser};
pub use lines::{Line, Lines, input};

/// A request in a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request<'l> {
    /// The client's IP address. It is a host name if the server logs host names.
    pub address: Cow<'l, str>,
    /// The time in microseconds since 1970.
    pub time: i64,
    pub method: Method,
    /// The request target: a path with its query, or a whole URL. It is empty if the request was
    /// not an HTTP request.
    pub target: Cow<'l, str>,
    /// The status of the response, or 0 if there was no response.
    pub status: u16,
    /// The number of bytes sent, or `None` if the log does not contain it.
    pub bytes: Option<u64>,
    /// The user agent. It is empty if the client sent no user agent, and `None` if the log contains
    /// no user agents.
    pub agent: Option<Cow<'l, str>>,
}

/// The method of a request (RFC 9110, section 9).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// `GET`.
    Get,
    /// `HEAD`.
    Head,
    Other,
}

impl Method {
    pub fn parse(text: &str) -> Self {
        match text {
            _ if text.eq_ignore_ascii_case("GET") => Self::Get,
            _ if text.eq_ignore_ascii_case("HEAD") => Self::Head,
            _ => Self::Other,
        }
    }

    /// Returns the name of the method, or `None` for methods that are irrelevant for downloads.
    pub fn as_str(self) -> Option<&'static str> {
        match self {
            Self::Get => Some("GET"),
            Self::Head => Some("HEAD"),
            Self::Other => None,
        }
    }
}

/// The reason why a line cannot be read.
pub type Reason = &'static str;

fn status(text: &str) -> Option<u16> {
    match text {
        "-" | "" => Some(0),
        text => text.parse().ok().filter(|status| *status < 1000),
    }
}
