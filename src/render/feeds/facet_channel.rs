//! The channel of a facet's feeds: the site's channel with the title, addresses and identity of the
//! facet.

use crate::inputs::{Shared, ShownFacet};
use model::{Channel, Seo, SubscribeMethod};
use site::paths;

/// Returns the channel for the feeds of a facet.
///
/// Properties that belong to a single feed are left out: the podcast's GUID (`podcast:guid` is then
/// derived from this feed's address), the address that the feed moved to, live items, and Podping.
pub fn facet_channel(shared: &Shared<'_>, of: &ShownFacet<'_>) -> Channel {
    let config = shared.config;
    let mut channel = shared.channel.clone();
    channel.title = format!("{} – {}", shared.title(), of.name);
    channel.homepage_url = Some(config.url(&paths::facet(of.kind, of.slug, 1)));
    channel.seo = Seo::default();
    let method =
        |id: &str, name: &str, path: String| SubscribeMethod::of_feed(id, name, config.url(&path));
    let rss = || method("rss", "RSS", paths::facet_rss(of.kind, of.slug));
    let rss = config.feed.rss.then(rss).into_iter();
    let json = method("json", "JSON Feed", paths::facet_json(of.kind, of.slug));
    channel.subscribe_methods = rss.chain([json]).collect();
    channel.podcast.guid = None;
    channel.podcast.podping = None;
    channel.podcast.live_items = Vec::new();
    channel.itunes.title = None;
    channel.itunes.new_feed_url = None;
    channel
}
