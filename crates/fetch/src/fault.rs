//! The error type for failed requests.

use crate::certificate::invalid_certificate;

/// The kind of a [`Fault`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The URL is invalid, or not HTTP.
    Address,
    /// The address belongs to this machine or its network, so no request was sent.
    Local,
    /// The host does not exist or cannot be reached.
    Unreachable,
    /// The server has an invalid certificate, or the TLS connection failed.
    Certificate,
    /// The response took too long, was too slow, or was interrupted.
    Stalled,
    /// The redirects form a loop, or there are too many redirects.
    Circle,
    /// The server answered with this status instead of 2xx.
    Status(u16),
    /// The body is shorter than announced, or contains a different range than requested.
    Length,
    /// The response exceeds a size limit.
    Large,
    /// A file could not be written.
    Disk,
}

/// The reason why a request failed, with a message for people.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Fault {
    pub kind: Kind,
    /// Description of the problem, including the URL or the file.
    pub message: String,
}

impl Fault {
    pub(crate) fn new(kind: Kind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into() }
    }

    /// Returns whether a retry could succeed.
    pub(crate) fn is_temporary(&self) -> bool {
        match self.kind {
            Kind::Unreachable | Kind::Stalled | Kind::Length => true,
            Kind::Status(status) => matches!(status, 408 | 425 | 429 | 500 | 502 | 503 | 504),
            Kind::Address
            | Kind::Local
            | Kind::Certificate
            | Kind::Circle
            | Kind::Large
            | Kind::Disk => false,
        }
    }

    pub(crate) fn from_ureq(error: &ureq::Error, url: &str) -> Self {
        use ureq::Error;
        let (kind, what) = match error {
            Error::Timeout(_) => (Kind::Stalled, "timed out".to_owned()),
            Error::HostNotFound => {
                (Kind::Unreachable, "cannot be reached: its host name is unknown".to_owned())
            }
            Error::Io(error) if is_refused(error, LOCAL_ADDRESS) => {
                return Self::local_address(url);
            }
            Error::Io(error) if is_refused(error, MIXED_ADDRESSES) => (
                Kind::Local,
                "was not requested: its host name resolves to both public and local addresses"
                    .to_owned(),
            ),
            Error::Io(error) if error.kind() == std::io::ErrorKind::TimedOut => {
                (Kind::Stalled, "timed out".to_owned())
            }
            Error::Io(error) if invalid_certificate(error).is_some() => {
                let why = invalid_certificate(error).unwrap_or_default();
                (Kind::Certificate, format!("cannot be reached securely: {why}"))
            }
            Error::LargeResponseHeader(_, max_bytes) => {
                (Kind::Large, format!("returned more than {max_bytes} bytes of header fields"))
            }
            Error::BadUri(why) => (Kind::Address, format!("is not a valid address: {why}")),
            Error::BodyExceedsLimit(max_bytes) => return Self::body_too_large(url, *max_bytes),
            Error::Tls(_) | Error::Rustls(_) => {
                (Kind::Certificate, format!("cannot be reached securely (TLS): {error}"))
            }
            error => (Kind::Unreachable, format!("cannot be reached: {error}")),
        };
        Self::new(kind, format!("{url} {what}"))
    }

    /// Returns the fault for a response that exceeds its time limit.
    pub(crate) fn timed_out(url: &str, time: std::time::Duration) -> Self {
        let message = format!("{url} timed out after {} s", time.as_secs().max(1));
        Self::new(Kind::Stalled, message)
    }

    /// Returns the fault for a response that exceeds its size limit.
    pub(crate) fn body_too_large(url: &str, max_bytes: u64) -> Self {
        Self::new(Kind::Large, format!("{url} returned more than {max_bytes} bytes"))
    }

    pub(crate) fn local_address(url: &str) -> Self {
        let message = format!(
            "{url} was not requested: an address of this machine or its network is requested only if you specify it"
        );
        Self::new(Kind::Local, message)
    }
}

/// The resolver's error for a local address.
pub const LOCAL_ADDRESS: &str = "an address of the local network";

/// The resolver's error for a host with both public and local addresses, whether in one lookup or
/// over several lookups.
pub const MIXED_ADDRESSES: &str = "public and local addresses";

fn is_refused(error: &std::io::Error, why: &str) -> bool {
    error.kind() == std::io::ErrorKind::PermissionDenied && error.to_string() == why
}
