//! The channel: what a site says of itself as a whole.

use borsh::{BorshDeserialize, BorshSerialize};
use schemars::JsonSchema;
use serde::Serialize;

use super::podcast::ChannelPodcast;
use super::{ContentLink, Image, MediaFile};

#[derive(BorshDeserialize, BorshSerialize, Debug, Clone, PartialEq, Eq, Hash)]
pub struct Author {
    /// The name, 1 to 300 characters.
    pub name: String,
    pub kind: AuthorKind,
    pub url: Option<String>,
}

/// Whether an author is a person or an organization (schema.org's types).
#[derive(
    BorshDeserialize, BorshSerialize, Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize,
)]
pub enum AuthorKind {
    #[default]
    Person,
    Organization,
}

impl AuthorKind {
    /// schema.org's name of it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Person => "Person",
            Self::Organization => "Organization",
        }
    }
}

/// What search engines and social networks are told, where it differs from title and text.
#[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Hash)]
pub struct Seo {
    pub title: Option<String>,
    pub description: Option<String>,
    pub social_image: Option<SocialImage>,
}

impl Seo {
    /// Whether nothing is set.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The picture of a shared link.
#[derive(BorshDeserialize, BorshSerialize, Debug, Clone, PartialEq, Hash)]
pub struct SocialImage {
    pub image: Image,
}

/// A category of the channel, with its subcategories (Apple Podcasts' two levels).
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, JsonSchema)]
pub struct TopicCategory {
    /// Its name.
    pub name: String,
    /// Names of its subcategories.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<TopicCategory>,
}

/// A place to follow the channel: an app, a directory, a mailing list.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, JsonSchema)]
pub struct SubscribeMethod {
    /// A stable id.
    pub id: String,
    /// The name to show.
    pub name: String,
    /// What kind of place it is.
    #[serde(rename = "type")]
    pub kind: String,
    /// Where it leads.
    pub url: String,
    /// An icon.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<String>,
    /// Whether it is shown.
    pub enabled: bool,
    /// Whether the author may edit it; the feeds' own links are not editable.
    pub editable: bool,
}

impl SubscribeMethod {
    /// The link of a feed that the program makes.
    pub fn of_feed(id: &str, name: &str, url: String) -> Self {
        Self {
            id: id.to_owned(),
            name: name.to_owned(),
            kind: id.to_owned(),
            url,
            image: None,
            enabled: true,
            editable: false,
        }
    }
}

/// The channel's `itunes:` tags (Apple Podcasts' RSS namespace).
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct ChannelItunes {
    /// A title for podcast apps.
    pub title: Option<String>,
    /// `episodic` or `serial`.
    pub kind: Option<String>,
    pub explicit: Option<bool>,
    /// Whether directories are to leave it out.
    pub block: bool,
    /// Whether no more episodes will come.
    pub complete: bool,
    pub email: Option<String>,
    /// Where the feed has moved.
    pub new_feed_url: Option<String>,
}

impl ChannelItunes {
    /// Whether nothing is set.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// The channel: `content/channel.md`.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
pub struct Channel {
    /// The title; empty while the site is not set up.
    pub title: String,
    /// The description as HTML, from the body.
    pub description_html: String,
    /// The description as plain text.
    pub description_text: String,
    /// The first paragraphs of the description, as in [`Body::lead`](super::Body::lead).
    pub description_lead: String,
    /// Links of the description into the site, to be resolved or checked once the whole site is known.
    pub links: Vec<ContentLink>,
    /// The address of the site the feed is about, where it is not this one.
    pub homepage_url: Option<String>,
    /// The icon: the show's cover.
    pub icon: Option<Image>,
    /// The small icon of browsers' tabs.
    pub favicon: Option<Image>,
    /// A language tag (RFC 5646).
    pub language: Option<String>,
    pub(crate) authors: Vec<Author>,
    /// Whether it will never be updated again.
    pub expired: bool,
    /// The copyright notice; `{{current_year}}` stands for the year.
    pub copyright: Option<String>,
    /// At most two levels, as Apple Podcasts has them.
    pub categories: Vec<TopicCategory>,
    pub(crate) subscribe_methods: Vec<SubscribeMethod>,
    pub(crate) publisher: Option<Author>,
    /// For search engines and social networks.
    pub seo: Seo,
    /// Podcasting 2.0 tags.
    pub podcast: ChannelPodcast,
    /// Apple's tags.
    pub itunes: ChannelItunes,
    /// The files of the site that it names: they are published with it.
    pub media: Vec<MediaFile>,
}
