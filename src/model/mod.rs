//! The nouns of a site: channel, item, Page, Site File, calendar, and their parts.
//!
//! Nothing here does I/O, and every value is valid by construction: a [`Slug`], an [`ItemId`],
//! a [`SitePath`] or a [`Status`] is parsed once, where text enters the program.

pub mod artwork;
mod attachment;
mod by_hash;
pub mod calendar;
mod channel;
pub mod chapter;
mod config;
mod content;
mod declare;
mod deploy;
mod diagnostic;
mod escape;
pub mod excerpt;
pub(crate) mod field_type;
mod fix;
mod identity;
mod item;
mod list;
mod markdown_config;
pub(crate) mod named;
mod page;
pub mod pictures;
mod place;
pub mod podcast;
mod program;
mod rare;
mod realtime;
pub(crate) mod record;
mod redirect;
pub mod rfc3339;
mod rule;
pub(crate) mod sent;
pub mod shape;
mod shared_map;
mod site_file;
mod site_path;
mod sort;
mod source;
pub(crate) mod special;
mod status;
pub(crate) mod terminal;
mod time;
mod updated;
mod upstream;
pub mod url;
mod webhook;
mod words;

pub use attachment::Category;
pub use channel::{CATEGORY, CHANNEL, Channel, SUBCATEGORY};
pub use config::{Access, CheckConfig, Config, HostingTarget};
pub(crate) use content::holds_formula;
pub use content::{Body, Content};
pub use deploy::{DeployConfig, Destination, NotifyConfig};
pub use diagnostic::{Diagnostic, Report, Severity};
pub use fix::Fix;
pub use identity::{ItemId, Slug};
pub use item::{ITEM, Item};
pub use markdown_config::MarkdownConfig;
pub use page::PageSlug;
pub use redirect::Redirect;
pub use rule::{RULES, Rule};
pub use site_path::SitePath;
pub use source::Source;
pub use status::Visibility;
pub use words::{OwnWords, Word, WordTable};

pub use artwork::StandsFor;
pub(crate) use attachment::{ATTACHMENT, Attachment, Image, MediaFile, PICTURE, SOCIAL_IMAGE};
pub(crate) use by_hash::ByHash;
pub(crate) use channel::{
    AUTHORS, Author, ChannelItunes, LANGUAGE, Seo, ShowType, SubscribeMethod, TopicCategory,
};
#[cfg(feature = "serve")]
pub(crate) use config::trace_header;
pub(crate) use config::{FeedConfig, OutputConfig, SITE, SITE_FILE};
pub(crate) use content::{Bodies, BodyPlace, ContentLink, LinkTarget, LinkUrl, linked};
pub(crate) use deploy::{ACCOUNT_ENV, Bucket, DEPLOY, HostedSite, RemoteFolder, VARIABLE};
pub(crate) use diagnostic::FileReport;
pub(crate) use escape::{push_attribute, push_text};
pub(crate) use identity::{IdentityError, folded};
pub(crate) use item::{EpisodeType, ItemItunes};
pub(crate) use list::List;
pub(crate) use page::{NOT_FOUND_ID, PAGE, Page, RESERVED_SLUGS};
pub(crate) use pictures::{ImageConfig, ImageFormat, Pictures, Size, Still};
pub(crate) use program::PROGRAM;
pub use rare::Rare;
pub(crate) use rare::usual;
pub(crate) use realtime::{AppId, REALTIME, RealtimeApp, RealtimeEvent, Webhook, WebhookId};
pub(crate) use shared_map::SharedMap;
pub(crate) use site_file::{GeneratedKind, SiteFile, SiteFileConfig};
pub(crate) use sort::{SortKey, SortOrder};
pub(crate) use status::Status;
pub(crate) use upstream::Upstream;
pub(crate) use webhook::{EVENTS, Endpoint, WEBHOOKS, event_groups, fits, shown};
