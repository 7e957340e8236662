//! The template engine. It knows nothing of sites.
