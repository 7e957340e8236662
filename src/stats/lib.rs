//! Download statistics: reads access logs and counts the downloads of episodes.
//!
//! ```text
//! log ──lines──▶ log::Format ──▶ Request ──import──▶ stored requests ──count──▶ Download ──▶ Figures
//! ```
//!
//! 1. [`log`] reads the lines of a log of any size and makes requests of them, whatever wrote them.
//! 2. [`import()`] keeps the requests for media in the dataset `site`, each log as one transaction. Of the
//!    listener it keeps a keyed hash, never the address.
//! 3. [`downloads`] counts, whenever it is asked: requests are taken together by listener and episode as
//!    the IAB Podcast Measurement Technical Guidelines 2.2 have it. The site says at that time what its
//!    episodes and their files are ([`Episodes`]), so the figures follow the site.
//! 4. [`Figures`] are what `feedwright stats` shows.

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
