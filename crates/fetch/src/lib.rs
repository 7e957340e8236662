//! An HTTP client for requests to other servers, with limits per host, resumed downloads and signed
//! webhooks.
//!
//! A [`Client`] sends a [`Request`] and returns a [`FetchResponse`]. The client follows redirects,
//! detects redirect loops, and connects only to addresses that its [`Reach`] allows. [`Bounds`]
//! limit the time and size of every response. The client limits simultaneous requests per host, and
//! retries temporary failures. [`Client::download`] writes long bodies to a file and continues an
//! interrupted download.
//!
//! [`sign`] signs webhook messages.
//!
//! - The crate is independent of sites, and writes only to paths that the caller passes, and to
//!   `.version` files next to them.
//! - The client connects directly and ignores proxies from the environment. So requests are only
//!   sent to addresses that the client has checked.
//! - No server makes the client panic, wait forever, or use more memory than allowed.
//! - A user name and password in a URL are sent only to the host of that URL.

mod bounds;
mod certificate;
mod client;
mod download;
mod fault;
mod network;
mod permits;
mod response;
mod signature;

pub use bounds::Bounds;
pub use certificate::{Certificate, read_pem};
pub use client::{Client, Options, Request};
pub use download::Downloaded;
pub use fault::{Fault, Kind};
pub use network::{Reach, is_local_host, is_public};
pub use response::{FetchResponse, Hop};
pub use signature::{is_secret, sign};
pub use url::{Host, Url};
