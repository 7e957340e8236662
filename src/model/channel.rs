//! The channel: what a site says of itself as a whole.

use borsh::{BorshDeserialize, BorshSerialize};

use super::declare::{keys, records};
use super::named::words;
use super::podcast::ChannelPodcast;
use super::shape::{Kind, Written};
use super::{ContentLink, Image, MediaFile, PICTURE, RULES, SOCIAL_IMAGE};

records! {
    /// Who made something.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    Author also AUTHOR {
        /// The name, 1 to 300 characters.
        Required name: String = "name", Text(300), alone;
        /// Whether it is a person or an organization.
        Filled kind: AuthorKind = "type", Word(AuthorKind::NAMES);
        /// A page about them.
        Optional url: Option<String> = "url", Url;
    }

    /// What search engines and social networks show, where it differs from title and text.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq)]
    Seo {
        /// The title.
        Optional title: Option<String> = "title", Text(4096);
        /// The description.
        Optional description: Option<String> = "description", Text(10_000);
        /// The picture of a shared link, 1200 × 630 pixels.
        Optional social_image: Option<Image> = "social_image", Own("path, URL or table of `url` and `alt`", &[Plain, Keys(SOCIAL_IMAGE)]);
    }

    /// The channel's `itunes:` tags (Apple Podcasts' RSS namespace).
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    ChannelItunes {
        /// The title for podcast apps.
        Optional title: Option<String> = "title", Text(4096);
        /// The kind of show.
        Optional kind: Option<ShowType> = "type", Word(ShowType::NAMES);
        /// Whether it is explicit.
        Optional explicit: Option<bool> = "explicit", Flag;
        /// Whether it is kept out of Apple's directory.
        Optional block: bool = "block", Switch;
        /// Whether no more episodes will come.
        Optional complete: bool = "complete", Switch;
        /// The owner's e-mail address.
        Optional email: Option<String> = "email", Text(320);
        /// The address that the feed has moved to.
        Optional new_feed_url: Option<String> = "new-feed-url", Url;
    }

    /// A place to follow the channel: an app, a directory, a mailing list.
    #[derive(Debug, Clone, PartialEq, Eq)]
    SubscribeMethod {
        /// A stable id.
        Filled id: String = "id", Text(64);
        /// The name to show.
        Required name: String = "name", Text(200);
        /// What kind of place it is.
        Filled kind: String = "type", Text(64);
        /// Where it leads.
        Required url: String = "url", Address;
        /// An icon.
        Optional image: Option<String> = "image", PICTURE;
        /// Whether it is shown.
        Filled enabled: bool = "enabled", Flag => true;
        /// Whether the author may edit it; the feeds' own links are not editable.
        Filled editable: bool = "editable", Flag => true;
    }

    /// A category of the channel, with its subcategories (Apple Podcasts' two levels).
    #[derive(Debug, Clone, PartialEq, Eq)]
    TopicCategory {
        /// Its name.
        Required name: String = "name", Text(4096);
        /// Names of its subcategories.
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

    /// Apple Podcasts' kinds of show.
    ShowType {
        /// Episodes stand alone.
        Episodic = "episodic",
        /// Episodes are heard in order.
        Serial = "serial",
    }
}

/// Authors in a file.
pub const AUTHORS: Kind = Kind::Own(
    "list of names or of `{name, url, type}`",
    &[Written::UpTo(300), Written::Keys(Author::SHAPE)],
);

/// A language in a file.
pub const LANGUAGE: Kind = Kind::Own(
    "language tag, [RFC 5646](https://www.rfc-editor.org/rfc/rfc5646)",
    &[Written::UpTo(64)],
);

keys! {
    /// What other programs write of an author too; it is ignored.
    AUTHOR {
        /// An e-mail address; it is ignored, so that nobody harvests it.
        Optional "email", Own("anything", &[Anything]);
        /// A picture; it is ignored.
        Optional "avatar", Own("anything", &[Anything]);
    }
}

impl Seo {
    /// Whether nothing is set.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
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

impl ChannelItunes {
    /// Whether nothing is set.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

keys! {
    /// Front matter of `content/channel.md`.
    CHANNEL {
        /// the name of the site and of the show
        Optional "title", Text(300);
        /// the language of what has no other
        Optional "language", LANGUAGE;
        /// the cover of the show: square, 1400 pixels or more. Feeds name it [in the sizes that are asked
        /// for](podcasting.md#artwork)
        Optional "icon" like "image", PICTURE;
        /// the small icon of browsers' tabs
        Optional "favicon", PICTURE;
        /// the site that the feeds are about, when it is not this one
        Optional "homepage_url" like "home_page_url", Url;
        /// who makes it; items without authors of their own have these
        Optional "authors" or "author", AUTHORS, listed;
        /// the notice. `{{current_year}}` in it becomes the year of the build, in UTC. When left out: ©, the year,
        /// and the publisher or the title
        Optional "copyright", Text(2000);
        /// topics: `itunes:category` in RSS. `"Education > How To"` is a topic and a topic below it
        Optional "categories", Own("list of texts or of `{name, categories}`", &[Plain, Keys(CATEGORY)]), listed;
        /// who publishes it, where that is not the author
        Optional "publisher", Own("`{name, url, type}`", &[UpTo(300), Keys(Author::SHAPE)]);
        /// for search engines and social networks
        Optional "seo", Own("`{title, description, social_image}`", &[Keys(Seo::SHAPE)]);
        /// where else to follow the site: an app, a directory, a letter; `/subscribe/` shows them first. `name` and
        /// `url` have to be there; `enabled = false` hides one. When left out: the RSS feed and the JSON Feed
        Optional "subscribe_methods", Own("list of `{id, name, type, url, image, enabled}`", &[Keys(SubscribeMethod::SHAPE)]), listed;
        /// true when nothing will ever be added again
        Optional "expired", Flag;
        /// `type` (`episodic` or `serial`), `explicit` (false when left out), `email`, `title`, `block`,
        /// `complete`, `new-feed-url`
        Optional "itunes", Own("table", &[Keys(ChannelItunes::SHAPE)]);
        /// see [Podcasting](podcasting.md#keys-of-the-channel)
        Optional "podcast", Own("table", &[Keys(ChannelPodcast::SHAPE)]);
        /// the description in plain text, where the text below the front matter is empty
        Optional "description", Own("text", &[Plain]);
        /// which warnings of `check` are silenced for this file
        Optional "allow", RULES, listed;
    }

    /// A category of the channel as a table.
    CATEGORY {
        /// Its name.
        Required "name", Text(200);
        /// Its subcategories.
        Optional "categories", Own("list of texts or of `{name}`", &[Plain, Keys(SUBCATEGORY)]), listed;
    }

    /// A subcategory as a table.
    SUBCATEGORY {
        /// Its name.
        Required "name", Text(200);
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
    pub authors: Vec<Author>,
    /// Whether it will never be updated again.
    pub expired: bool,
    /// The copyright notice; `{{current_year}}` stands for the year.
    pub copyright: Option<String>,
    /// At most two levels, as Apple Podcasts has them.
    pub categories: Vec<TopicCategory>,
    pub subscribe_methods: Vec<SubscribeMethod>,
    pub publisher: Option<Author>,
    /// For search engines and social networks.
    pub seo: Seo,
    /// Podcasting 2.0 tags.
    pub podcast: ChannelPodcast,
    /// Apple's tags.
    pub itunes: ChannelItunes,
    /// The files of the site that it names: they are published with it.
    pub media: Vec<MediaFile>,
}
