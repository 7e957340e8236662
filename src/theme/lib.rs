//! Themes: packages of slots (templates) and assets.
//!
//! A slot renders a fragment; the package `render` writes the document around it. A theme package
//! is validated completely before it is used, so that a [`Theme`] needs no checks later.

mod asset;
mod colour;
mod manifest;
mod minify;
mod options;
mod origin;
mod package;
pub mod services;

pub use asset::Asset;
pub use manifest::SearchDestination;
pub use minify::{minify_script, minify_style};
pub use origin::{origin_of, site_theme_names};
pub use package::Theme;
pub use package::{built_in_names, partial_name, template_error};

/// File names of a package's manifest, in order of preference.
pub const MANIFESTS: [&str; 2] = ["theme.json", PUBLISHED_MANIFEST];

/// File name of the manifest in packages for the service microfeed.
const PUBLISHED_MANIFEST: &str = "microfeed-theme.json";

/// Namespace in templates for microfeed.
const PUBLISHED_NAMESPACE: &str = "microfeed";

/// Namespace in all other templates.
const DEFAULT_NAMESPACE: &str = "service";

/// The folder of a package's assets. In templates for microfeed, the base address of assets
/// includes this folder.
pub const ASSET_FOLDER: &str = "assets";

/// The key in `_theme` for the base address of assets.
pub const ASSET_BASE_URL: &str = "asset_base_url";

/// The key that replaces `asset_base_url` in templates for microfeed. Its value is the address of
/// the folder of assets, ending in a slash.
pub const ASSET_FOLDER_URL: &str = "asset_folder_url";

/// Maximum size of a slot in bytes.
pub const MAX_SLOT: usize = 128 * 1024;
/// Maximum total size of a package's text files in bytes.
pub const MAX_TEXT: usize = 512 * 1024;
pub const MAX_ASSETS: usize = 100;
/// Maximum size of an asset in bytes.
pub const MAX_ASSET: usize = 5 * 1024 * 1024;
/// Maximum total size of assets in bytes.
pub const MAX_ASSETS_TOTAL: usize = 20 * 1024 * 1024;
/// Maximum size of a preview fixture in bytes.
pub const MAX_FIXTURE: usize = 128 * 1024;

/// The slots of a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slot {
    /// The home page, the pages of tags, seasons, authors, albums and series, and all further pages of these lists.
    WebFeed,
    WebItem,
    /// A page and the 404 page (format 2).
    WebPage,
    /// The search page (format 2).
    WebSearch,
    /// The archive and its pages for each year (format 2, optional).
    WebArchive,
    /// The index of tags (format 2, optional).
    WebTags,
    /// The index of albums (format 2, optional).
    WebAlbums,
    /// The pages of items of feeds from elsewhere (format 2, optional).
    WebPlanet,
    /// The subscribe page (format 2, optional).
    WebSubscribe,
    /// An item's page for embedding in other sites (format 2, optional).
    WebEmbed,
    /// The end of `<head>`.
    WebHeader,
    /// The start of `<body>`.
    WebBodyStart,
    /// The end of `<body>`.
    WebBodyEnd,
    /// The whole XSL stylesheet for the RSS feed.
    RssStylesheet,
    /// The CSS for the RSS feed (format 2, optional).
    RssStyles,
    /// The CSS for the values that a site sets for the theme's options (optional).
    OptionStyles,
}

impl Slot {
    pub const ALL: [Self; 16] = [
        Self::WebFeed,
        Self::WebItem,
        Self::WebPage,
        Self::WebSearch,
        Self::WebArchive,
        Self::WebTags,
        Self::WebAlbums,
        Self::WebPlanet,
        Self::WebSubscribe,
        Self::WebEmbed,
        Self::WebHeader,
        Self::WebBodyStart,
        Self::WebBodyEnd,
        Self::RssStylesheet,
        Self::RssStyles,
        Self::OptionStyles,
    ];

    /// Returns the name of the slot in a manifest's `files`.
    pub fn name(self) -> &'static str {
        match self {
            Self::WebFeed => "webFeed",
            Self::WebItem => "webItem",
            Self::WebPage => "webPage",
            Self::WebSearch => "webSearch",
            Self::WebArchive => "webArchive",
            Self::WebTags => "webTags",
            Self::WebAlbums => "webAlbums",
            Self::WebPlanet => "webPlanet",
            Self::WebSubscribe => "webSubscribe",
            Self::WebEmbed => "webEmbed",
            Self::WebHeader => "webHeader",
            Self::WebBodyStart => "webBodyStart",
            Self::WebBodyEnd => "webBodyEnd",
            Self::RssStylesheet => "rssStylesheet",
            Self::RssStyles => "rssStyles",
            Self::OptionStyles => "optionStyles",
        }
    }

    /// Returns whether packages of this format can have the slot.
    pub fn is_in_format(self, format: u8) -> bool {
        format >= 2
            || self == Self::OptionStyles
            || !matches!(self, Self::WebPage | Self::WebSearch) && !self.is_optional()
    }

    /// Returns whether the slot is rendered without the header and body slots around it.
    pub fn is_standalone(self) -> bool {
        matches!(self, Self::WebEmbed | Self::RssStylesheet | Self::RssStyles | Self::OptionStyles)
    }

    /// Returns whether a package may omit the slot. The site then lacks the documents that the slot
    /// renders.
    pub fn is_optional(self) -> bool {
        matches!(
            self,
            Self::WebArchive
                | Self::WebTags
                | Self::WebAlbums
                | Self::WebPlanet
                | Self::WebSubscribe
                | Self::WebEmbed
                | Self::RssStyles
                | Self::OptionStyles
        )
    }
}
