//! Asks servers elsewhere, politely.
//!
//! A [`Client`] sends a [`Request`] and gives an [`Answer`]. It follows redirects, but never in a circle, and connects to no
//! local address outside its [`Reach`]; [`Bounds`] limit the time and size of every answer; it asks one host a few
//! things at a time, and again when the host was busy. [`Client::download`] writes what is long into a file, and goes on where an
//! earlier run stopped.
//!
//! A message to a webhook is signed by [`sign`].
//!
//! - It knows nothing of sites, and writes only the files that it is told.
//! - It goes straight to a server, and through no proxy that the environment names: the address that is checked is the one that is asked.
//! - No server makes it panic, wait for ever, or hold more than it was allowed to.
//! - A user and password in an address are sent to the host of that address alone.

mod answer;
mod bounds;
mod client;
mod download;
mod fault;
mod network;
mod signature;
mod turns;

pub use answer::Answer;
pub use bounds::Bounds;
pub use client::{Client, Options, Request};
pub use download::Downloaded;
pub use fault::{Fault, Kind};
pub use network::{Reach, is_public};
pub use signature::{is_secret, sign};
pub use url::{Host, Url};
