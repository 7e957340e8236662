//! Apps that can open a feed's address, with the link format of each app. The sources are the apps'
//! pages for podcasters.

use model::{Channel, Config, SubscribeMethod};
use site::paths;
use theme::services::{Logo, Service, service_named, service_of};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// An app, or a website for following feeds.
pub struct App {
    pub name: &'static str,
    pub link: Link,
    /// Whether the app also reads JSON Feed.
    pub reads_json: bool,
}

/// The format of a link that opens a feed in an app.
pub enum Link {
    /// This prefix, followed by the feed's address without `https://`.
    Bare(&'static str),
    /// This prefix, followed by the percent-encoded address.
    Encoded(&'static str),
    /// A `feed:` address, which the system opens with the user's feed reader.
    Any,
}

/// Characters of an address that need no escaping in a parameter (RFC 3986, section 2.3).
const UNESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

impl Link {
    /// Returns the link for a feed.
    pub fn link_to(&self, address: &str) -> String {
        match self {
            Self::Bare(start) => {
                let bare = address.split_once("://").map_or(address, |(_, bare)| bare);
                format!("{start}{bare}")
            }
            Self::Encoded(start) => format!("{start}{}", utf8_percent_encode(address, UNESCAPED)),
            Self::Any => format!("feed:{address}"),
        }
    }
}

/// Apps of one platform.
pub struct Group {
    /// The platform's name. Empty for feed readers, whose name is translated.
    pub name: &'static str,
    pub is_of_podcasts: bool,
    pub apps: &'static [App],
}

const fn app(name: &'static str, link: Link) -> App {
    App { name, link, reads_json: false }
}

const fn reader(name: &'static str, start: &'static str, json: bool) -> App {
    App { name, link: Link::Encoded(start), reads_json: json }
}

/// The platforms, in display order.
pub static GROUPS: [Group; 4] = [
    Group {
        name: "iPhone · iPad · Mac",
        is_of_podcasts: true,
        apps: &[
            app("Apple Podcasts", Link::Bare("podcast://")),
            app("Overcast", Link::Encoded("overcast://x-callback-url/add?url=")),
            app("Pocket Casts", Link::Bare("pktc://subscribe/")),
            app("Castro", Link::Bare("castros://subscribe/")),
            app("Downcast", Link::Bare("downcast://")),
        ],
    },
    Group {
        name: "Android",
        is_of_podcasts: true,
        apps: &[
            app("AntennaPod", Link::Encoded("https://antennapod.org/deeplink/subscribe?url=")),
            app("Pocket Casts", Link::Bare("pktc://subscribe/")),
            app("Podcast Addict", Link::Bare("podcastaddict://")),
        ],
    },
    Group {
        name: "Linux · Windows",
        is_of_podcasts: true,
        apps: &[app("gPodder", Link::Bare("gpodder://"))],
    },
    Group {
        name: "",
        is_of_podcasts: false,
        apps: &[
            reader("Feedly", "https://feedly.com/i/subscription/feed%2F", false),
            reader("Inoreader", "https://www.inoreader.com/?add_feed=", true),
            reader("Feedbin", "https://feedbin.com/?subscribe=", true),
            reader("NewsBlur", "https://www.newsblur.com/?url=", true),
        ],
    },
];

/// The ways to follow a site.
#[derive(Clone, Copy)]
pub struct Ways<'a> {
    pub config: &'a Config,
    pub channel: &'a Channel,
    pub is_podcast: bool,
}

impl<'a> Ways<'a> {
    pub fn rss(&self) -> Option<String> {
        self.config.feed.rss.then(|| self.config.url(&paths::rss(1)))
    }

    pub fn json(&self) -> String {
        self.config.url(&paths::json_feed(1))
    }

    /// Returns the channel's own subscribe methods, without the feeds.
    pub fn own(self) -> impl Iterator<Item = &'a SubscribeMethod> {
        let feeds = [self.rss().unwrap_or_default(), self.json()];
        let all = self.channel.subscribe_methods.iter();
        all.filter(move |method| method.enabled && method.editable && !feeds.contains(&method.url))
    }

    /// Returns the platforms with their apps. Apps that the channel's own subscribe methods include
    /// are left out.
    pub fn groups(self) -> impl Iterator<Item = (&'static Group, Vec<&'static App>)> {
        let is_rss = self.config.feed.rss;
        let is_own =
            move |app: &App| self.own().any(|method| method.name.eq_ignore_ascii_case(app.name));
        let groups = GROUPS.iter().filter(move |group| self.is_podcast || !group.is_of_podcasts);
        groups.filter_map(move |group| {
            let apps = group.apps.iter();
            let apps = apps.filter(|app| (is_rss || app.reads_json) && !is_own(app));
            let apps: Vec<&App> = apps.collect();
            (!apps.is_empty()).then_some((group, apps))
        })
    }

    /// Returns the logos that the subscribe page shows.
    pub fn logos(self) -> impl Iterator<Item = Logo> {
        let apps = self.groups().flat_map(|(_, apps)| apps);
        let apps = apps.filter_map(|app| service_named(app.name));
        let own = self.own().filter(move |method| self.image(method).is_none());
        apps.chain(own.filter_map(service_of_method)).filter_map(Service::logo)
    }

    /// Returns the local picture of a subscribe method. A picture from another host would reveal the
    /// visitor's address to that host.
    pub fn image(&self, method: &'a SubscribeMethod) -> Option<&'a str> {
        let image = method.image.as_deref();
        image.filter(|image| self.config.local_path(image).is_some())
    }
}

/// Returns the service to which a subscribe method links.
pub fn service_of_method(method: &SubscribeMethod) -> Option<&'static Service> {
    service_of(&method.url).or_else(|| service_named(&method.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_have_the_form_that_each_app_accepts() {
        let address = "https://example.com/a b/rss.xml?x=1&y=2";
        let link_to = |link: Link| link.link_to(address);
        assert_eq!(
            link_to(Link::Bare("pktc://subscribe/")),
            "pktc://subscribe/example.com/a b/rss.xml?x=1&y=2"
        );
        assert_eq!(
            link_to(Link::Encoded("https://a.example/?url=")),
            "https://a.example/?url=https%3A%2F%2Fexample.com%2Fa%20b%2Frss.xml%3Fx%3D1%26y%3D2"
        );
        assert_eq!(link_to(Link::Any), format!("feed:{address}"));
    }
}
