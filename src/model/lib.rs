//! The types that describe a site: channel, item, page, site file, calendar, and their parts.
//!
//! No code here does I/O. Every value is valid by construction: a [`Slug`], an [`ItemId`], a
//! [`SitePath`] or a [`Status`] is parsed once, where text enters the program.

mod ai;
mod album;
pub mod artwork;
mod attachment;
mod by_hash;
pub mod calendar;
mod channel;
pub mod chapter;
mod config;
mod content;
mod content_link;
mod declare;
mod deploy;
mod diagnostic;
mod episode_number;
mod escape;
pub mod excerpt;
pub mod field_type;
mod fix;
mod identity;
mod item;
mod list;
mod markdown_config;
mod markdown_links;
pub mod named;
mod page;
pub mod pictures;
mod place;
pub mod podcast;
mod program;
mod rare;
mod realtime;
pub mod record;
mod recording;
mod redirect;
pub mod rfc3339;
mod rule;
pub mod sent;
pub mod shape;
mod shared_map;
mod site_file;
mod site_path;
mod social_card;
mod sort;
mod source;
pub mod special;
mod status;
pub mod terminal;
mod time;
mod updated;
mod upstream;
pub mod url;
mod webhook;
mod words;

pub use ai::{AI, AiPreferences};
pub use album::{ALBUM, Album, AlbumContents};
pub use attachment::Category;
pub use channel::{CATEGORY, CHANNEL, Channel, SUBCATEGORY};
pub use config::{Access, CheckConfig, Config, HostingTarget};
pub use content::contains_formula;
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
pub use words::{CustomWords, Word, WordTable};

pub use ::pictures::Shot;
pub use artwork::ArtworkRoles;
pub use attachment::{ATTACHMENT, Attachment, Image, MediaFile, PICTURE, SOCIAL_IMAGE};
pub use by_hash::ByHash;
pub use channel::{
    AUTHORS, Author, ChannelItunes, LANGUAGE, Seo, ShowType, SubscribeMethod, TopicCategory,
};
pub use config::trace_header;
pub use config::{FeedConfig, OutputConfig, SITE, SITE_FILE};
pub use content::{Bodies, BodyLocation};
pub use content_link::{ContentLink, LinkTarget, LinkUrl, resolve_links};
pub use deploy::{ACCOUNT_ENV, Bucket, DEPLOY, HostedSite, RemoteFolder, VARIABLE_NAME};
pub use diagnostic::FileReport;
pub use episode_number::EpisodeNumber;
pub use escape::{push_attribute, push_text};
pub use identity::{IdentityError, folded};
pub use item::{EpisodeType, ItemItunes, Series};
pub use list::List;
pub use markdown_links::push_link_end;
pub use page::{NOT_FOUND_ID, PAGE, Page, RESERVED_SLUGS};
pub use pictures::{ImageConfig, ImageFormat, ImageInfo, PhotoFact, Pictures, Size};
pub use program::{program, set_sources_hash};
pub use rare::Rare;
use rare::usual;
pub use realtime::{AppId, REALTIME, RealtimeApp, RealtimeEvent, Webhook, WebhookId};
pub use recording::{
    AudioConfig, PublishedRecording, RecordingFacts, RecordingTags, Recordings, TagPicture,
};
pub use shared_map::SharedMap;
pub use site_file::{GeneratedKind, SiteFile, SiteFileConfig};
pub use social_card::{CARD_HEIGHT, CARD_WIDTH, CardColours, CardStyle, SocialCard, SocialConfig};
pub use sort::{SortKey, SortOrder, natural_order};
pub use status::Status;
pub use upstream::Upstream;
pub use webhook::{EVENTS, Endpoint, WEBHOOKS, event_groups, matches_pattern, shown};
