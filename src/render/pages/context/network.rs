//! The shows of a network in templates.

use mustache::{Data, object};

use super::picture::shown_address;
use crate::inputs::{NetworkHome, NetworkShow, Shared};
use crate::text;

/// Maximum length of a show's description in characters.
const MAX_DESCRIPTION: usize = 200;

/// Returns the shows of the network.
pub fn network_shows<'a>(shared: &'a Shared<'a>) -> Data<'a> {
    shared.shows.iter().map(|show| network_show(shared, show)).collect()
}

/// Returns a show of the network.
pub fn network_show<'a>(shared: &'a Shared<'a>, show: &'a NetworkShow) -> Data<'a> {
    Data::object(ShowData { shared, show })
}

/// Returns the network that the current show belongs to.
pub fn network(home: &NetworkHome) -> Data<'_> {
    Data::from([("title", Data::from(&home.title)), ("url", Data::from(&home.url))])
}

struct ShowData<'a> {
    shared: &'a Shared<'a>,
    show: &'a NetworkShow,
}

object!(impl ShowData<'a>, |this| {
    "title" => &this.show.title,
    "url" => &this.show.url,
    "description" => text::excerpt(&this.show.description, MAX_DESCRIPTION),
    "image" => {
        let channel = &this.show.channel;
        channel.icon.as_ref().map(|icon| shown_address(this.shared, &channel.media, &icon.url))
    },
    "rss_url" => this.show.rss_url.as_deref(),
    "feed_url" => &this.show.json_url,
    "language" => this.show.language.as_deref(),
    "is_current" => this.show.is_current,
});
