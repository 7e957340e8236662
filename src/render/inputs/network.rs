//! The shows of a network, for lists of shows, the publisher's feed and OPML.

use std::hash::{Hash, Hasher};

use super::Provider;
use crate::view;
use model::podcast::vocabulary::{Medium, guid_of_feed};
use model::podcast::{Publisher, RemoteItem};
use model::{Channel, Config};
use site::{Snapshot, paths};

/// A show of a network.
#[derive(Debug)]
pub struct NetworkShow {
    /// The path below which the show is published.
    pub mount: String,
    /// Title of the show.
    pub title: String,
    /// Description in plain text.
    pub description: String,
    /// Address of the show's home page.
    pub url: String,
    /// Address of the show's RSS feed, if it has one.
    pub rss_url: Option<String>,
    /// Address of the show's JSON Feed.
    pub json_url: String,
    pub language: Option<String>,
    /// `podcast:guid` of the show's feed.
    pub guid: String,
    /// Whether the current page is a page of the show.
    pub is_current: bool,
    /// The show's channel, for its artwork.
    pub channel: Channel,
    /// `podcast:medium` of the show's feed.
    medium: Option<Medium>,
}

/// The home page of a network.
#[derive(Debug, Hash)]
pub struct NetworkHome {
    pub title: String,
    pub url: String,
    /// Address of the publisher's feed.
    pub publisher_url: String,
}

impl Hash for NetworkShow {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The channel and these addresses determine the other values.
        (&self.mount, &self.title, &self.url, &self.rss_url, &self.json_url).hash(state);
        (&self.channel, self.is_current).hash(state);
    }
}

impl NetworkShow {
    fn of(snapshot: &Snapshot, is_current: bool) -> Self {
        let (config, channel) = (&snapshot.config, &snapshot.channel);
        let rss_url = config.feed.rss.then(|| config.url(&paths::rss(1)));
        let feed = rss_url.clone().unwrap_or_else(|| config.url(&paths::json_feed(1)));
        Self {
            mount: config.mount.clone(),
            title: match &*channel.title {
                "" => config.content.show().unwrap_or_default().to_owned(),
                title => title.to_owned(),
            },
            description: channel.description_text.clone(),
            url: config.url("/"),
            rss_url,
            json_url: config.url(&paths::json_feed(1)),
            language: channel.language.clone(),
            guid: channel.podcast.guid.clone().unwrap_or_else(|| guid_of_feed(&feed)),
            is_current,
            medium: channel.podcast.medium,
            channel: Channel::clone(channel),
        }
    }

    /// Returns the `podcast:remoteItem` of the show's feed.
    fn remote_item(&self) -> RemoteItem {
        RemoteItem {
            feed_guid: self.guid.clone(),
            feed_url: self.rss_url.clone(),
            medium: self.medium,
            title: Some(self.title.clone()),
            ..RemoteItem::default()
        }
    }
}

impl<'a> Provider<'a> {
    /// Returns the shows of the network, or no shows if the site is not a network.
    pub(super) fn network_shows(&self) -> Vec<NetworkShow> {
        let own = &self.snapshot.config.content;
        let shows = self.whole().snapshot.whole_network().network_shows();
        shows.map(|(_, show)| NetworkShow::of(show, show.config.content == *own)).collect()
    }

    /// Returns the network, if the snapshot is one of its shows.
    fn network_of_show(&self) -> Option<&'a Snapshot> {
        self.snapshot.config.content.show()?;
        self.snapshot.network.as_deref().or_else(|| Some(self.whole?.snapshot))
    }

    /// Returns the network that the current show belongs to.
    pub(super) fn network(&self) -> Option<NetworkHome> {
        let whole = self.network_of_show()?;
        let title = view::title(&whole.config, &whole.channel).to_owned();
        let publisher_url = publisher_url(&whole.config);
        Some(NetworkHome { title, url: whole.config.url("/"), publisher_url })
    }

    /// Returns the channel of a show with the publisher's feed and with the other shows as podroll,
    /// unless the author wrote other ones. Returns `None` for any other channel.
    pub(super) fn show_channel(&self) -> Option<Channel> {
        let whole = self.network_of_show()?;
        let mut channel = Channel::clone(&self.snapshot.channel);
        let podcast = &mut channel.podcast;
        if podcast.publisher.is_none() && self.snapshot.config.feed.rss {
            let url = publisher_url(&whole.config);
            podcast.publisher = Some(Publisher {
                remote_item: RemoteItem {
                    feed_guid: guid_of_feed(&url),
                    feed_url: Some(url),
                    medium: Some(Medium::PUBLISHER),
                    title: Some(view::title(&whole.config, &whole.channel).into()),
                    ..RemoteItem::default()
                },
            });
        }
        if podcast.podroll.is_empty() {
            let shows = self.network_shows();
            let others = shows.iter().filter(|show| !show.is_current && show.rss_url.is_some());
            podcast.podroll = others.map(NetworkShow::remote_item).collect();
        }
        Some(channel)
    }

    /// Returns the channel of the publisher's feed, which lists the feeds of all shows.
    pub(super) fn publisher(&self) -> Channel {
        let mut channel = Channel::clone(&self.snapshot.channel);
        let shows = self.network_shows();
        let podcast = &mut channel.podcast;
        podcast.medium = Some(Medium::PUBLISHER);
        podcast.guid = None;
        podcast.publisher = None;
        podcast.remote_items = shows
            .iter()
            .filter(|show| show.rss_url.is_some())
            .map(NetworkShow::remote_item)
            .collect();
        channel.itunes.new_feed_url = None;
        channel
    }
}

fn publisher_url(config: &Config) -> String {
    config.url(paths::PUBLISHER)
}
