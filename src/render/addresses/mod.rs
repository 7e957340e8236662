//! Public paths of a site: the document and media type of each, and redirects from former paths.
//!
//! [`public`] decides which paths exist. [`routes`] lists them all for a build; [`lookup`] finds a
//! single path for the server.

pub(super) mod lookup;
pub(super) mod media_type;
pub(super) mod public;
pub(super) mod redirects;
pub mod routes;
