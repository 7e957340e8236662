//! Known video hosts. Players use the address that reveals the least about visitors to the host.

use std::fmt::Write;

use model::url;

/// A video on a known host.
#[derive(Debug, PartialEq, Eq)]
pub struct Video<'u> {
    /// The host's name, as shown to visitors.
    pub host: &'u str,
    /// The address of the video's player, which starts playing at once. The address is requested
    /// only when a visitor starts the video.
    pub player: String,
    /// Whether the video is taller than wide.
    pub is_tall: bool,
}

/// The parts of an `http:` or `https:` address.
struct Address<'u> {
    host: &'u str,
    parts: Vec<&'u str>,
    query: &'u str,
    fragment: &'u str,
}

/// Returns the video at an address, or `None` if the address is not that of a video on a known
/// host.
pub fn video(address: &str) -> Option<Video<'_>> {
    let address = Address::of(address)?;
    let host = address.host.to_ascii_lowercase();
    let host = ["www.", "m."].iter().find_map(|sub| host.strip_prefix(sub)).unwrap_or(&host);
    match host {
        "youtube.com" | "music.youtube.com" | "youtube-nocookie.com" | "youtu.be" => {
            youtube(&address, host)
        }
        "vimeo.com" | "player.vimeo.com" => vimeo(&address),
        "dailymotion.com" | "dai.ly" => dailymotion(&address),
        "twitch.tv" | "clips.twitch.tv" => twitch(&address, host),
        "tiktok.com" => tiktok(&address),
        _ => peertube(&address),
    }
}

fn youtube<'u>(address: &Address<'u>, host: &str) -> Option<Video<'u>> {
    let list = address.value("list").filter(|list| is_id(list));
    let (id, is_tall) = match (host, &*address.parts) {
        ("youtu.be", [id]) | (_, ["live" | "embed" | "v", id]) => (*id, false),
        (_, ["shorts", id]) => (*id, true),
        (_, ["watch"]) => (address.value("v")?, false),
        (_, ["playlist"]) if list.is_some() => ("videoseries", false),
        _ => return None,
    };
    let mut player = format!("https://www.youtube-nocookie.com/embed/{}?", valid_id(id)?);
    if let Some(list) = list {
        let _ = write!(player, "list={list}&");
    }
    if let Some(start) = address.start() {
        let _ = write!(player, "start={start}&");
    }
    player.push_str("autoplay=1");
    Some(Video { host: "YouTube", player, is_tall })
}

/// Returns the video at a Vimeo address. The video's number is the last number in the path, and can
/// be followed by the key of an unlisted video.
fn vimeo<'u>(address: &Address<'u>) -> Option<Video<'u>> {
    let is_number = |part: &&str| part.len() >= 5 && part.bytes().all(|b| b.is_ascii_digit());
    let at = address.parts.iter().rposition(is_number)?;
    let key = match &address.parts[at + 1..] {
        [] => address.value("h"),
        [key] => Some(*key),
        _ => return None,
    };
    let mut player = format!("https://player.vimeo.com/video/{}?", address.parts[at]);
    if let Some(key) = key {
        let _ = write!(player, "h={}&", valid_id(key)?);
    }
    player.push_str("dnt=1&autoplay=1");
    if let Some(start) = address.start() {
        let _ = write!(player, "#t={start}s");
    }
    Some(Video { host: "Vimeo", player, is_tall: false })
}

fn dailymotion<'u>(address: &Address<'u>) -> Option<Video<'u>> {
    let (["video" | "embed", .., id] | [id]) = &*address.parts else {
        return None;
    };
    let player = format!("https://geo.dailymotion.com/player.html?video={}", valid_id(id)?);
    Some(Video { host: "Dailymotion", player, is_tall: false })
}

/// Returns the video at a Twitch address. Twitch's player needs the host name of the embedding
/// site, which the page's script appends to `parent=`.
fn twitch<'u>(address: &Address<'u>, host: &str) -> Option<Video<'u>> {
    let player = match (host, &*address.parts) {
        ("clips.twitch.tv", [clip]) | (_, [_, "clip", clip]) => {
            format!("https://clips.twitch.tv/embed?clip={}", valid_id(clip)?)
        }
        (_, ["videos", id]) => format!("https://player.twitch.tv/?video={}", valid_id(id)?),
        _ => return None,
    };
    Some(Video {
        host: "Twitch",
        player: format!("{player}&autoplay=true&parent="),
        is_tall: false,
    })
}

fn tiktok<'u>(address: &Address<'u>) -> Option<Video<'u>> {
    let [_, "video", id] = &*address.parts else {
        return None;
    };
    Some(Video {
        host: "TikTok",
        player: format!("https://www.tiktok.com/player/v1/{}?autoplay=1", valid_id(id)?),
        is_tall: true,
    })
}

/// Returns the video at a PeerTube address. PeerTube runs on many hosts, so its distinctive paths
/// and ids are matched. Peer-to-peer is turned off, because it would reveal to other visitors which
/// video a visitor watches.
fn peertube<'u>(address: &Address<'u>) -> Option<Video<'u>> {
    let is_id = |id: &str| {
        let is_uuid = id.len() == 36 && id.bytes().filter(|b| *b == b'-').count() == 4;
        let is_short = id.len() == 22 && !id.contains(['-', '_']);
        (is_uuid || is_short) && valid_id(id).is_some()
    };
    let (kind, id) = match &*address.parts {
        ["w", "p", id] | ["videos", "watch", "playlist", id] => ("video-playlists", *id),
        ["w", id] | ["videos", "watch", id] => ("videos", *id),
        _ => return None,
    };
    let host = address.host;
    let mut player = format!("https://{host}/{kind}/embed/{id}?p2p=0&autoplay=1");
    if let Some(start) = address.start() {
        let _ = write!(player, "&start={start}");
    }
    is_id(id).then_some(Video { host, player, is_tall: false })
}

impl<'u> Address<'u> {
    fn of(address: &'u str) -> Option<Self> {
        let rest = url::is_http(address).then(|| address.split_once("://"))??.1;
        let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
        let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (host, path) = rest.split_once('/')?;
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-:".contains(&byte);
        host.bytes().all(is_plain).then(|| Self {
            host,
            parts: path.split('/').filter(|part| !part.is_empty()).collect(),
            query,
            fragment,
        })
    }

    /// Returns the value of a query parameter.
    fn value(&self, name: &str) -> Option<&'u str> {
        let pairs = self.query.split('&');
        let mut pairs = pairs.filter_map(|pair| pair.split_once('='));
        pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// Returns the start time of a link in seconds. Reads `t=90`, `t=1m30s`, `#t=90s` and
    /// `start=90`.
    fn start(&self) -> Option<u32> {
        let in_query = ["t", "start", "time_continue"].iter();
        let text = in_query
            .filter_map(|name| self.value(name))
            .next()
            .or_else(|| self.fragment.strip_prefix("t="))?;
        let (mut all, mut number) = (0_u32, 0_u32);
        for c in text.chars() {
            let unit = match c {
                'h' => 3600,
                'm' => 60,
                's' => 1,
                digit => {
                    number = number.checked_mul(10)?.checked_add(digit.to_digit(10)?)?;
                    continue;
                }
            };
            all = all.checked_add(number.checked_mul(unit)?)?;
            number = 0;
        }
        all.checked_add(number).filter(|all| *all > 0)
    }
}

fn valid_id(id: &str) -> Option<&str> {
    is_id(id).then_some(id)
}

fn is_id(id: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    (1..=100).contains(&id.len()) && id.bytes().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn videos_are_recognized_by_address() {
        for (address, host, player) in [
            (
                "https://www.youtube.com/watch?v=aqz-KE-bpKQ&t=1m5s",
                "YouTube",
                "https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?start=65&autoplay=1",
            ),
            (
                "https://youtu.be/aqz-KE-bpKQ?si=x",
                "YouTube",
                "https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?autoplay=1",
            ),
            (
                "http://m.youtube.com/live/aqz-KE-bpKQ",
                "YouTube",
                "https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?autoplay=1",
            ),
            (
                "https://youtube.com/playlist?list=PL12",
                "YouTube",
                "https://www.youtube-nocookie.com/embed/videoseries?list=PL12&autoplay=1",
            ),
            (
                "https://vimeo.com/1084537#t=30s",
                "Vimeo",
                "https://player.vimeo.com/video/1084537?dnt=1&autoplay=1#t=30s",
            ),
            (
                "https://vimeo.com/1084537/ab12cd",
                "Vimeo",
                "https://player.vimeo.com/video/1084537?h=ab12cd&dnt=1&autoplay=1",
            ),
            (
                "https://vimeo.com/channels/staffpicks/1084537",
                "Vimeo",
                "https://player.vimeo.com/video/1084537?dnt=1&autoplay=1",
            ),
            (
                "https://tube.example/w/9c9de5e8-0a1e-484a-b099-e80766180a6d?start=9s",
                "tube.example",
                "https://tube.example/videos/embed/9c9de5e8-0a1e-484a-b099-e80766180a6d?p2p=0&autoplay=1&start=9",
            ),
            (
                "https://tube.example:8443/w/kkGMgK9ZtnKfYAgnEtQxbv",
                "tube.example:8443",
                "https://tube.example:8443/videos/embed/kkGMgK9ZtnKfYAgnEtQxbv?p2p=0&autoplay=1",
            ),
            (
                "https://dai.ly/x5e9eog",
                "Dailymotion",
                "https://geo.dailymotion.com/player.html?video=x5e9eog",
            ),
            (
                "https://www.twitch.tv/videos/1234",
                "Twitch",
                "https://player.twitch.tv/?video=1234&autoplay=true&parent=",
            ),
            (
                "https://www.twitch.tv/them/clip/Good-One",
                "Twitch",
                "https://clips.twitch.tv/embed?clip=Good-One&autoplay=true&parent=",
            ),
            (
                "https://www.tiktok.com/@them/video/6718335390845095173",
                "TikTok",
                "https://www.tiktok.com/player/v1/6718335390845095173?autoplay=1",
            ),
        ] {
            let found = video(address).map(|video| (video.host, video.player));
            assert_eq!(found, Some((host, player.to_owned())), "{address}");
        }
        assert!(video("https://www.youtube.com/shorts/aqz-KE-bpKQ").is_some_and(|it| it.is_tall));
    }

    #[test]
    fn other_addresses_are_not_videos() {
        for address in [
            "https://www.youtube.com/@channel",
            "https://www.youtube.com/watch?v=",
            "https://www.youtube.com/watch?v=a\"onload=x",
            "https://www.youtube.com/watch/../../x",
            "https://youtu.be.evil.example/aqz-KE-bpKQ",
            "https://evil.example/?https://youtu.be/aqz-KE-bpKQ",
            "https://youtu.be@evil.example/aqz-KE-bpKQ",
            "https://vimeo.com/about",
            "https://vimeo.com/1084537/a/b",
            "https://site.example/w/tides",
            "https://site.example/w/a-name-of-22-characters",
            "https://tiktok.com/@them",
            "https://www.twitch.tv/them",
            "javascript:alert(1)//youtu.be/aqz-KE-bpKQ",
            "https://youtu.be",
        ] {
            assert_eq!(video(address), None, "{address}");
        }
    }
}
