//! Pages and site files: HTML documents, the values that their templates can read, frames for other sites, and
//! the sitemap.

pub mod context;
pub(super) mod embed;
pub(super) mod html;
pub mod site_file;
pub(super) mod sitemap;
