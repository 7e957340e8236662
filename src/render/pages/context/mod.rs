//! The data that templates read: the public feed, and the data of one page or site file. Values are
//! computed when a template uses them.
//!
//! A name that is missing in a page's own context is looked up in the feed's context. So every
//! object here has all keys of its kind, with null for a missing value. The page on themes in
//! `content/pages` lists the keys.

mod albums;
mod archive;
mod body;
mod breadcrumbs;
mod channel_podcast;
mod clip;
mod exif;
mod facets;
mod feed;
mod html_page;
mod item;
mod item_extension;
mod item_facts;
mod item_links;
mod item_podcast;
mod licenses;
mod links;
mod live_streams;
mod map_links;
mod medium;
mod network;
mod options;
mod page;
mod page_tree;
mod parts;
mod picture;
mod planet;
mod podcast_tags;
mod record_data;
mod series;
mod site_file;
mod subscribe;
mod transcript;
mod upcoming;
mod value;
mod versions;
mod words;

pub use albums::album_index;
pub use archive::{archive, tag_index};
pub use breadcrumbs::{crumb_name, crumb_url};
pub use clip::{clip_page, episode_url};
pub use facets::season_title;
pub use html_page::{feed, item_page, list_page, list_path, page, search};
pub use options::CurrentPage;
pub use planet::planet;
pub use series::series_url;
pub use site_file::{site, site_file};
pub use subscribe::subscribe;

/// The namespace in all loaded templates. When a theme is loaded, its namespace is renamed to this
/// one.
pub const NAMESPACE: &str = "service";

/// The key of the extension in every context.
pub const EXTENSION: &str = "_service";
