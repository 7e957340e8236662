//! The nouns of a site: what a channel, an item, a Page, a Site File and their parts are.
//!
//! Nothing here does I/O, and every value is valid by construction: a [`Slug`], an [`ItemId`],
//! a [`SitePath`] or a [`Status`] is parsed once, where text enters the program.

mod attachment;
pub mod calendar;
mod channel;
pub mod chapter;
mod config;
mod diagnostic;
mod identity;
mod item;
mod page;
pub mod podcast;
mod realtime;
mod redirect;
mod site_file;
mod site_path;
mod status;
pub(crate) mod terminal;
mod updated;
mod upstream;
pub mod url;

pub use attachment::{Attachment, Category, Image, MediaFile};
pub use channel::{
    Author, AuthorKind, Channel, ChannelItunes, Seo, SocialImage, SubscribeMethod, TopicCategory,
};
pub use config::{Access, Config, FeedConfig, HostingTarget, OutputConfig, SortKey, SortOrder};
pub use diagnostic::{Diagnostic, FileReport, Report, Severity, Source};
pub use identity::{IdentityError, ItemId, Slug, folded};
pub use item::{Content, ContentLink, EpisodeType, Item, ItemItunes, LinkTarget};
pub use page::{NOT_FOUND_ID, Page, PageSlug, RESERVED_SLUGS};
pub use realtime::{AppId, RealtimeApp, RealtimeEvent, Webhook, WebhookId};
pub use redirect::Redirect;
pub use site_file::{GeneratedKind, SiteFile, SiteFileConfig};
pub use site_path::SitePath;
pub use status::{Status, Visibility};
pub use upstream::Upstream;
