//! Access logs: lines in, requests out. Nothing here knows a site or keeps anything.

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
    /// Who asked: an IP address, or a name where the server wrote names.
    pub address: Cow<'l, str>,
    /// When, in microseconds since 1970.
    pub time: i64,
    pub method: Method,
    /// The target as it was asked for: a path with its query, or a whole URL. Empty where it was no HTTP.
    pub target: Cow<'l, str>,
    /// The status of the answer; 0 where there was none.
    pub status: u16,
    /// Bytes that were sent. None where the log does not tell.
    pub bytes: Option<u64>,
    /// The user agent; empty where the client sent none. None where the log does not tell.
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

    /// Its name. None for a method that no download has.
    pub fn as_str(self) -> Option<&'static str> {
        match self {
            Self::Get => Some("GET"),
            Self::Head => Some("HEAD"),
            Self::Other => None,
        }
    }
}

/// Why a line cannot be read.
pub type Reason = &'static str;

fn status(text: &str) -> Option<u16> {
    match text {
        "-" | "" => Some(0),
        text => text.parse().ok().filter(|status| *status < 1000),
    }
}
