//! Networks that are recognised in links to profiles.

/// A network. The colour is the background of the network's letter icon. A white letter on it has a
/// contrast of at least 4.5:1.
pub struct Network {
    pub name: &'static str,
    pub colour: &'static str,
    /// Hosts of the network. Their subdomains belong to it too.
    hosts: &'static [&'static str],
}

/// Returns the network of an address, or `None` if it is unknown.
pub fn network_of(address: &str) -> Option<&'static Network> {
    let (scheme, rest) = address.split_once(':')?;
    if scheme.eq_ignore_ascii_case("mailto") {
        return Some(&MAIL);
    }
    let rest = rest.trim_start_matches('/');
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    let host = host.to_ascii_lowercase();
    let is_at = |own: &&str| {
        let before = host.strip_suffix(*own);
        before.is_some_and(|before| before.is_empty() || before.ends_with('.'))
    };
    let known = NETWORKS.iter().find(|one| one.hosts.iter().any(&is_at));
    // Fediverse servers have separate hosts, but most of their profile paths start with `@`.
    known.or_else(|| path.starts_with('@').then_some(&FEDIVERSE))
}

const fn network(
    name: &'static str,
    colour: &'static str,
    hosts: &'static [&'static str],
) -> Network {
    Network { name, colour, hosts }
}

static MAIL: Network = network("E-mail", "#4a5560", &[]);
static FEDIVERSE: Network = network("Mastodon", "#563acc", &[]);

static NETWORKS: [Network; 38] = [
    network("Apple Podcasts", "#7a35a8", &["podcasts.apple.com"]),
    network("Apple Music", "#c2183c", &["music.apple.com"]),
    network("Bandcamp", "#1a6f8a", &["bandcamp.com"]),
    network("Bluesky", "#0a5fc4", &["bsky.app"]),
    network("Buy Me a Coffee", "#7a5c00", &["buymeacoffee.com"]),
    network("Codeberg", "#2b6196", &["codeberg.org"]),
    network("Discord", "#4752c4", &["discord.com", "discord.gg"]),
    network("Facebook", "#0b5fcc", &["facebook.com", "fb.com"]),
    network("Flickr", "#b8005c", &["flickr.com"]),
    network("GitHub", "#24292f", &["github.com"]),
    network("GitLab", "#b8401a", &["gitlab.com"]),
    network("Goodreads", "#553b08", &["goodreads.com"]),
    network("Instagram", "#b3236a", &["instagram.com"]),
    network("Ko-fi", "#a8323b", &["ko-fi.com"]),
    network("Letterboxd", "#202830", &["letterboxd.com"]),
    network("Liberapay", "#7a6500", &["liberapay.com"]),
    network("LinkedIn", "#0a66c2", &["linkedin.com"]),
    network(
        "Mastodon",
        "#563acc",
        &["mastodon.social", "mastodon.online", "hachyderm.io", "fosstodon.org"],
    ),
    network("Matrix", "#1f1f1f", &["matrix.to"]),
    network("Medium", "#1a1a1a", &["medium.com"]),
    network("Open Collective", "#1f5fbf", &["opencollective.com"]),
    network("ORCID", "#4f6f14", &["orcid.org"]),
    network("Patreon", "#9c2f25", &["patreon.com"]),
    network("PeerTube", "#a8440a", &["joinpeertube.org"]),
    network("Pinterest", "#b00018", &["pinterest.com"]),
    network("Pixelfed", "#5b3fa8", &["pixelfed.social"]),
    network("Reddit", "#b83200", &["reddit.com"]),
    network("Signal", "#2b56c4", &["signal.me", "signal.group"]),
    network("SoundCloud", "#a84300", &["soundcloud.com"]),
    network("Spotify", "#12702f", &["spotify.com"]),
    network("Stack Overflow", "#9c5310", &["stackoverflow.com"]),
    network("Telegram", "#1a6d99", &["t.me", "telegram.me"]),
    network("Threads", "#1a1a1a", &["threads.net", "threads.com"]),
    network("TikTok", "#1a1a1a", &["tiktok.com"]),
    network("Twitch", "#6b2fd6", &["twitch.tv"]),
    network("Vimeo", "#0b6a8a", &["vimeo.com"]),
    network("X", "#1a1a1a", &["x.com", "twitter.com"]),
    network("YouTube", "#c00000", &["youtube.com", "youtu.be"]),
];

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::colour::Colour;
    use super::*;

    #[test]
    fn a_network_is_recognized_by_its_host() {
        let name = |address| network_of(address).map(|network| network.name);
        assert_eq!(name("https://github.com/ada"), Some("GitHub"));
        assert_eq!(name("https://www.youtube.com/@ada"), Some("YouTube"));
        assert_eq!(name("https://ada.bandcamp.com"), Some("Bandcamp"));
        assert_eq!(name("https://social.example/@ada"), Some("Mastodon"));
        assert_eq!(name("mailto:ada@walks.example"), Some("E-mail"));
        assert_eq!(name("https://notgithub.com/ada"), None);
        assert_eq!(name("ada"), None);
    }

    #[test]
    fn a_white_letter_is_readable_on_each_mark() {
        let white = Colour::parse("#fff").unwrap();
        for network in NETWORKS.iter().chain([&MAIL, &FEDIVERSE]) {
            let colour = Colour::parse(network.colour).unwrap();
            assert!(colour.contrast(white) >= 4.5, "{}", network.name);
        }
    }
}
