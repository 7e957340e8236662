//! Themes: packages of slots (templates) and assets.
//!
//! A slot is a fragment; the document around it is `render`'s. A package is checked whole before
//! any of it is used, so that a [`Theme`] needs no checks later.

mod asset;
mod manifest;
mod options;
mod origin;
mod package;
mod small;

pub use asset::Asset;
pub use manifest::SearchDestination;
pub use origin::{origin_of, own_names};
pub use package::Theme;
pub use package::{built_in_names, partial_name, template_error};
pub use small::{small_script, small_style};

/// Names of a package's manifest, in the order they are looked for.
pub const MANIFESTS: [&str; 2] = ["theme.json", PUBLISHED_MANIFEST];

/// The manifest of packages for the published service.
const PUBLISHED_MANIFEST: &str = "microfeed-theme.json";

/// The namespace that templates of such packages are written in.
const PUBLISHED_NAMESPACE: &str = "microfeed";

/// The namespace that other templates are written in.
const OWN_NAMESPACE: &str = "service";

/// The folder of a package's assets. In templates of the published service, the base address of assets
/// includes it.
pub const ASSET_FOLDER: &str = "assets";

/// The key of `_theme` that holds the base address of assets.
pub const ASSET_BASE_URL: &str = "asset_base_url";

/// The key that templates of the published service are made to read instead: the base address of the
/// folder of assets, which ends in a slash.
pub const ASSET_FOLDER_URL: &str = "asset_folder_url";

/// Largest slot, in bytes.
pub const MAX_SLOT: usize = 128 * 1024;
/// Largest text of a package together, in bytes.
pub const MAX_TEXT: usize = 512 * 1024;
pub const MAX_ASSETS: usize = 100;
/// Largest asset, in bytes.
pub const MAX_ASSET: usize = 5 * 1024 * 1024;
/// Largest assets together, in bytes.
pub const MAX_ASSETS_TOTAL: usize = 20 * 1024 * 1024;
/// Largest preview fixture, in bytes.
pub const MAX_FIXTURE: usize = 128 * 1024;

/// The slots of a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slot {
    /// The home page, its pages, and tag pages.
    WebFeed,
    WebItem,
    /// A Page and the 404 Page (format 2).
    WebPage,
    /// The search page (format 2).
    WebSearch,
    /// The archive and the pages of its years (format 2, may be left out).
    WebArchive,
    /// The index of tags (format 2, may be left out).
    WebTags,
    /// How to follow the site (format 2, may be left out).
    WebSubscribe,
    /// An item for other sites to show in a frame (format 2, may be left out).
    WebEmbed,
    /// The end of `<head>`.
    WebHeader,
    /// The start of `<body>`.
    WebBodyStart,
    /// The end of `<body>`.
    WebBodyEnd,
    /// The whole XSL stylesheet of the RSS feed.
    RssStylesheet,
    /// The CSS of the RSS feed (format 2, may be left out).
    RssStyles,
    /// The CSS of what a site chose among the theme's options (may be left out).
    OptionStyles,
}

impl Slot {
    pub const ALL: [Self; 14] = [
        Self::WebFeed,
        Self::WebItem,
        Self::WebPage,
        Self::WebSearch,
        Self::WebArchive,
        Self::WebTags,
        Self::WebSubscribe,
        Self::WebEmbed,
        Self::WebHeader,
        Self::WebBodyStart,
        Self::WebBodyEnd,
        Self::RssStylesheet,
        Self::RssStyles,
        Self::OptionStyles,
    ];

    /// Its name in a manifest's `files`.
    pub fn name(self) -> &'static str {
        match self {
            Self::WebFeed => "webFeed",
            Self::WebItem => "webItem",
            Self::WebPage => "webPage",
            Self::WebSearch => "webSearch",
            Self::WebArchive => "webArchive",
            Self::WebTags => "webTags",
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

    /// Whether a package of this format has it.
    pub fn is_of(self, format: u8) -> bool {
        format >= 2
            || self == Self::OptionStyles
            || !matches!(self, Self::WebPage | Self::WebSearch) && !self.is_optional()
    }

    /// Whether it is drawn without the slots around others.
    pub fn stands_alone(self) -> bool {
        matches!(self, Self::WebEmbed | Self::RssStylesheet | Self::RssStyles | Self::OptionStyles)
    }

    /// Whether a package may leave it out: then the site lacks what it draws.
    pub fn is_optional(self) -> bool {
        matches!(
            self,
            Self::WebArchive
                | Self::WebTags
                | Self::WebSubscribe
                | Self::WebEmbed
                | Self::RssStyles
                | Self::OptionStyles
        )
    }
}
