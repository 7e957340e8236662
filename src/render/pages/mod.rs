//! HTML pages and site files, the data that their templates can read, pages for embedding in other
//! sites, and the sitemap.

pub mod context;
pub(super) mod embed;
pub(super) mod html;
pub(super) mod markdown;
pub mod site_file;
pub(super) mod sitemap;
