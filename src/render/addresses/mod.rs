//! Public paths: which a site has, the document behind each, its media type, and redirects from former paths.
//!
//! [`public`] decides which paths there are. [`routes`] lists them all for a build; [`lookup`] finds one for
//! the server.

pub(super) mod lookup;
pub(super) mod media_type;
pub(super) mod public;
pub(super) mod redirects;
pub mod routes;
