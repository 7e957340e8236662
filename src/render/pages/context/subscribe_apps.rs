//! Apps that can open a feed's address, with the link format of each app. The sources are the apps'
//! pages for podcasters.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// An app, or a website for following feeds.
pub struct App {
    pub name: &'static str,
    pub link: Link,
    /// The background colour of the app's letter icon. A white letter on it has a contrast of at
    /// least 4.5:1.
    pub colour: &'static str,
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

const fn app(name: &'static str, link: Link, colour: &'static str) -> App {
    App { name, link, colour, reads_json: false }
}

const fn reader(name: &'static str, start: &'static str, colour: &'static str, json: bool) -> App {
    App { name, link: Link::Encoded(start), colour, reads_json: json }
}

/// The platforms, in display order.
pub static GROUPS: [Group; 4] = [
    Group {
        name: "iPhone · iPad · Mac",
        is_of_podcasts: true,
        apps: &[
            app("Apple Podcasts", Link::Bare("podcast://"), "#7a35a8"),
            app("Overcast", Link::Encoded("overcast://x-callback-url/add?url="), "#b34a00"),
            app("Pocket Casts", Link::Bare("pktc://subscribe/"), "#b8281e"),
            app("Castro", Link::Bare("castros://subscribe/"), "#00705a"),
            app("Downcast", Link::Bare("downcast://"), "#2a5ca8"),
        ],
    },
    Group {
        name: "Android",
        is_of_podcasts: true,
        apps: &[
            app(
                "AntennaPod",
                Link::Encoded("https://antennapod.org/deeplink/subscribe?url="),
                "#14608f",
            ),
            app("Pocket Casts", Link::Bare("pktc://subscribe/"), "#b8281e"),
            app("Podcast Addict", Link::Bare("podcastaddict://"), "#a04a00"),
        ],
    },
    Group {
        name: "Linux · Windows",
        is_of_podcasts: true,
        apps: &[app("gPodder", Link::Bare("gpodder://"), "#4d6470")],
    },
    Group {
        name: "",
        is_of_podcasts: false,
        apps: &[
            reader("Feedly", "https://feedly.com/i/subscription/feed%2F", "#1a7a34", false),
            reader("Inoreader", "https://www.inoreader.com/?add_feed=", "#0b5fa5", true),
            reader("Feedbin", "https://feedbin.com/?subscribe=", "#4a55a0", true),
            reader("NewsBlur", "https://www.newsblur.com/?url=", "#7d5a00", true),
        ],
    },
];

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
