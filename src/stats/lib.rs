//! Download statistics: reads access logs, and counts the downloads of episodes.
//!
//! ```text
//! log ──lines──▶ log::Format ──▶ Request ──import──▶ stored requests ──count──▶ Download ──▶ Figures
//! ```
//!
//! 1. [`log`] reads the lines of a log and converts them to requests. The log can be of any size, and
//!    of any supported format.
//! 2. [`import()`] stores the requests for media files in the dataset `site`, each log in one
//!    transaction. It stores a keyed hash of the listener, but not the listener's address.
//! 3. [`downloads`] counts downloads from scratch on each call. It combines requests by listener and
//!    episode, according to the IAB Podcast Measurement Technical Guidelines 2.2. The episodes and
//!    their files ([`Episodes`]) are read from the site at that time, so the statistics reflect the
//!    current site.
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
