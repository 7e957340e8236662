//! What templates read: the public feed, and the data of one page or Site File, as views that are made when a
//! template asks for them.
//!
//! A name that is missing in a page's own context is looked up in the feed's. So every object here has all
//! keys of its kind, with null for a missing value. The page on themes in
//! `content/pages` lists them.

mod archive;
mod body;
mod breadcrumbs;
mod channel_podcast;
mod facets;
mod feed;
mod html_page;
mod item;
mod item_extension;
mod item_facts;
mod item_podcast;
mod licenses;
mod links;
mod live_streams;
mod medium;
mod options;
mod page;
mod page_tree;
mod parts;
mod picture;
mod places;
mod podcast_tags;
mod shaped;
mod site_file;
mod subscribe;
mod subscribe_apps;
mod transcript;
mod upcoming;
mod value;
mod versions;
mod ways_on;
mod words;

pub use archive::{archive, tag_index};
pub use breadcrumbs::{crumb_name, crumb_url};
pub use facets::season_title;
pub use html_page::{feed, item_page, list_page, list_path, page, search};
pub use options::Here;
pub use site_file::{site, site_file};
pub use subscribe::subscribe;

/// The namespace templates are read in: a theme's own is renamed to it when it is loaded.
pub const NAMESPACE: &str = "service";

/// The key of the extension in every context.
pub const EXTENSION: &str = "_service";
