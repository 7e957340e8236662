//! The channel: the description of the site as a feed.

use borsh::{BorshDeserialize, BorshSerialize};

use super::declare::{keys, records};
use super::named::words;
use super::podcast::ChannelPodcast;
use super::shape::{Kind, Written};
use super::{ContentLink, Image, MediaFile, PICTURE, RULES, SOCIAL_IMAGE};

records! {
    /// An author or publisher: a person or an organization.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    Author also AUTHOR {
        /// Name, 1 to 300 characters.
        Required name: String = "name", Text(300), alone;
        /// Whether the author is a person or an organization.
        Filled kind: AuthorKind = "type", Word(AuthorKind::NAMES);
        /// Page about the author.
        Optional url: Option<String> = "url", Url;
    }

    /// Metadata for search engines and social networks, if it differs from the title and text.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq)]
    Seo {
        /// Title.
        Optional title: Option<String> = "title", Text(4096);
        /// Description.
        Optional description: Option<String> = "description", Text(10_000);
        /// Picture of a shared link, 1200 × 630 pixels.
        Optional social_image: Option<Image> = "social_image", Own("path, URL or table of `url` and `alt`", &[Plain, Keys(SOCIAL_IMAGE)]);
    }

    /// The channel's `itunes:` tags (Apple Podcasts' RSS namespace).
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    ChannelItunes {
        /// Title for podcast apps.
        Optional title: Option<String> = "title", Text(4096);
        /// Kind of show.
        Optional kind: Option<ShowType> = "type", Word(ShowType::NAMES);
        /// Whether the show has explicit content.
        Optional explicit: Option<bool> = "explicit", Flag;
        /// Whether the show is kept out of Apple's directory.
        Optional block: bool = "block", Switch;
        /// Whether the show is complete, with no more episodes to come.
        Optional complete: bool = "complete", Switch;
        /// E-mail address of the owner.
        Optional email: Option<String> = "email", Text(320);
        /// Address that the feed has moved to.
        Optional new_feed_url: Option<String> = "new-feed-url", Url;
    }

    /// A way to follow the channel: an app, a directory, a mailing list.
    #[derive(Debug, Clone, PartialEq, Eq)]
    SubscribeMethod {
        /// Stable id.
        Filled id: String = "id", Text(64);
        /// Name to show.
        Required name: String = "name", Text(200);
        /// Type of app, directory or list, such as `apple-podcasts`.
        Filled kind: String = "type", Text(64);
        /// Address of the app, directory or list.
        Required url: String = "url", Address;
        /// Icon.
        Optional image: Option<String> = "image", PICTURE;
        /// Whether the entry is shown.
        Filled enabled: bool = "enabled", Flag => true;
        /// Whether the author may edit the entry. Links to the site's own feeds cannot be edited.
        Filled editable: bool = "editable", Flag => true;
    }

    /// A category of the channel with its subcategories, on two levels as in Apple Podcasts.
    #[derive(Debug, Clone, PartialEq, Eq)]
    TopicCategory {
        /// Name of the category.
        Required name: String = "name", Text(4096);
        /// Subcategories.
        Optional categories: Vec<TopicCategory> = "categories", Records;
    }
}

words! {
    /// Whether an author is a person or an organization (schema.org's types).
    #[derive(BorshDeserialize, BorshSerialize, Default)]
    AuthorKind {
        /// A person.
        #[default]
        Person = "Person",
        /// An organization.
        Organization = "Organization",
    }

    /// Kind of show, in the terms of Apple Podcasts.
    ShowType {
        /// Episodes are independent of each other.
        Episodic = "episodic",
        /// Episodes are meant to be heard in order.
        Serial = "serial",
    }
}

/// The [`Kind`] of a key whose value is a list of authors.
pub const AUTHORS: Kind = Kind::Own(
    "list of names or of `{name, url, type}`",
    &[Written::UpTo(300), Written::Keys(Author::SHAPE)],
);

/// The [`Kind`] of a key whose value is a language.
pub const LANGUAGE: Kind = Kind::Own(
    "language tag, [RFC 5646](https://www.rfc-editor.org/rfc/rfc5646)",
    &[Written::UpTo(64)],
);

keys! {
    /// Further keys that other programs write for an author. They are ignored.
    AUTHOR {
        /// An e-mail address; it is ignored, so that it cannot be harvested.
        Optional "email", Own("anything", &[Anything]);
        /// A picture; it is ignored.
        Optional "avatar", Own("anything", &[Anything]);
    }
}

impl Seo {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl SubscribeMethod {
    /// Returns the subscribe method for a feed that feedwright generates.
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

impl Channel {
    /// Returns whether the channel has the metadata of a podcast.
    pub fn is_show(&self) -> bool {
        !self.itunes.is_empty() || self.podcast.medium.is_some()
    }
}

impl ChannelItunes {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

keys! {
    /// Front matter of `content/channel.md`.
    CHANNEL {
        /// name of the site and of the show
        Optional "title", Text(300);
        /// language of items and pages that specify none
        Optional "language", LANGUAGE;
        /// cover of the show: square, 1400 pixels or more. Feeds link to it [in the required
        /// sizes](podcasting.md#artwork)
        Optional "icon" like "image", PICTURE;
        /// small icon in browser tabs
        Optional "favicon", PICTURE;
        /// site that the feeds describe, if it is another site
        Optional "homepage_url" like "home_page_url", Url;
        /// authors of the site; they apply to items without authors
        Optional "authors" or "author", AUTHORS, listed;
        /// copyright notice. `{{current_year}}` is replaced with the year of the build, in UTC.
        /// When left out: ©, the year, and the publisher or the title
        Optional "copyright", Text(2000);
        /// topics: `itunes:category` in RSS. `"Education > How To"` is a topic with a subtopic
        Optional "categories", Own("list of strings or of `{name, categories}`", &[Plain, Keys(CATEGORY)]), listed;
        /// publisher, if it is not the author
        Optional "publisher", Own("`{name, url, type}`", &[UpTo(300), Keys(Author::SHAPE)]);
        /// metadata for search engines and social networks
        Optional "seo", Own("`{title, description, social_image}`", &[Keys(Seo::SHAPE)]);
        /// other ways to follow the site: an app, a directory, a newsletter; `/subscribe/` shows
        /// them first. `name` and `url` are required; `enabled = false` hides an entry. When left
        /// out: the RSS feed and the JSON Feed
        Optional "subscribe_methods", Own("list of `{id, name, type, url, image, enabled}`", &[Keys(SubscribeMethod::SHAPE)]), listed;
        /// true if the feed is complete, with no more items to come
        Optional "expired", Flag;
        /// tags of Apple Podcasts: `type` (`episodic` or `serial`), `explicit` (false when left
        /// out), `email`, `title`, `block`, `complete`, `new-feed-url`
        Optional "itunes", Own("table", &[Keys(ChannelItunes::SHAPE)]);
        /// tags of Podcasting 2.0: see [Podcasting](podcasting.md#keys-of-the-channel)
        Optional "podcast", Own("table", &[Keys(ChannelPodcast::SHAPE)]);
        /// description in plain text, used if the text below the front matter is empty
        Optional "description", Own("text", &[Plain]);
        /// warnings of `check` to silence for this file
        Optional "allow", RULES, listed;
    }

    /// A category of the channel, as a table.
    CATEGORY {
        /// Name of the category.
        Required "name", Text(200);
        /// Subcategories.
        Optional "categories", Own("list of strings or of `{name}`", &[Plain, Keys(SUBCATEGORY)]), listed;
    }

    /// A subcategory, as a table.
    SUBCATEGORY {
        /// Name of the subcategory.
        Required "name", Text(200);
    }
}

/// The channel, read from `content/channel.md`.
#[derive(Debug, Clone, Default, PartialEq, Hash)]
pub struct Channel {
    /// Title; empty until the site is set up.
    pub title: String,
    /// Description as HTML, from the body of the file.
    pub description_html: String,
    /// Description as plain text.
    pub description_text: String,
    /// First paragraphs of the description, as in [`Body::lead`](super::Body::lead).
    pub description_lead: String,
    /// Links from the description to pages and files of this site. They are resolved or checked
    /// after all files have been read.
    pub links: Vec<ContentLink>,
    /// Address of the site that the feed describes, if it is another site.
    pub homepage_url: Option<String>,
    /// Cover of the show.
    pub icon: Option<Image>,
    /// Small icon in browser tabs.
    pub favicon: Option<Image>,
    /// Language tag (RFC 5646).
    pub language: Option<String>,
    pub authors: Vec<Author>,
    /// Whether the feed is complete, with no more items to come.
    pub expired: bool,
    /// Copyright notice. `{{current_year}}` is a placeholder for the year.
    pub copyright: Option<String>,
    /// Topics, on at most two levels as in Apple Podcasts.
    pub categories: Vec<TopicCategory>,
    pub subscribe_methods: Vec<SubscribeMethod>,
    pub publisher: Option<Author>,
    /// Metadata for search engines and social networks.
    pub seo: Seo,
    /// Podcasting 2.0 tags.
    pub podcast: ChannelPodcast,
    /// Tags of the `itunes:` namespace.
    pub itunes: ChannelItunes,
    /// Files of the site that the channel refers to. They are published with it.
    pub media: Vec<MediaFile>,
    /// The channel in each other language of the site, in the order of `[languages] others`.
    pub in_languages: Vec<Channel>,
}
