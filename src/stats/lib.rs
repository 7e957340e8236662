//! Download statistics: reads access logs and counts the downloads of episodes.
//!
//! ```text
//! log ──lines──▶ log::Format ──▶ Request ──import──▶ stored requests ──count──▶ Download ──▶ Figures
//! ```
//!
//! 1. [`log`] reads the lines of a log of any size and converts them to requests, whichever program
//!    wrote the log.
//! 2. [`import()`] stores the requests for media in the dataset `site`, each log in one
//!    transaction. It stores a keyed hash of the listener, never the address.
//! 3. [`downloads`] counts anew whenever it is called. It combines requests by listener and episode
//!    according to the IAB Podcast Measurement Technical Guidelines 2.2. The episodes and their
//!    files ([`Episodes`]) are read from the site at that time, so the statistics follow the site.
//! 4. [`Figures`] are the statistics that `feedwright stats` shows.

mod agents;
mod count;
mod dictionary;
mod episodes;
mod figures;
mod import;
mod listener;
pub mod log;
mod path;
mod queries;

pub use agents::Device;
pub use episodes::Episodes;
pub use figures::{Figures, Span};
pub use import::{Imported, import};
pub use queries::{StoredRequest, downloads, open, requests};

pub use episodes::Episode;
pub use figures::EpisodeFigures;
pub use queries::{Download, requests_query};
