//! Converts embedded frames and players of other sites to the URLs of pages that people can open.

use crate::tokens::Tag;

/// Returns the URL of the page that an `iframe`, `embed`, `object` or similar element embeds.
pub fn address(tag: &Tag) -> Option<String> {
    let lazy = ["data-src", "data-lazy-src", "data-litespeed-src"];
    let named = |names: &[&str]| {
        let mut values = names.iter().filter_map(|name| tag.attribute(name));
        values.find_map(complete_url)
    };
    let source = match tag.name.as_str() {
        "iframe" | "frame" => named(&lazy).or_else(|| named(&["src"])),
        "embed" => named(&["src"]).filter(|url| player_page(url).is_some()),
        "object" => named(&["data"]).filter(|url| player_page(url).is_some()),
        "amp-youtube" | "lite-youtube" => {
            let id = tag.attribute("data-videoid").or(tag.attribute("videoid"))?;
            is_id(id).then(|| format!("https://www.youtube.com/embed/{id}"))
        }
        _ => None,
    }?;
    Some(player_page(&source).unwrap_or(source))
}

fn complete_url(text: &str) -> Option<String> {
    let text: String = text.chars().filter(|c| !c.is_control()).collect();
    let text = text.trim();
    let start = text.get(..8)?.to_ascii_lowercase();
    let is_plain = !text.contains(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '"'));
    if !is_plain {
        None
    } else if start.starts_with("//") {
        Some(format!("https:{text}"))
    } else {
        (start.starts_with("http://") || start.starts_with("https://")).then(|| text.to_owned())
    }
}

fn is_id(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    !text.is_empty() && text.len() <= 64 && text.bytes().all(is_part)
}

/// Converts the URL of a known player to the URL of the media's page.
fn player_page(address: &str) -> Option<String> {
    let (_, rest) = address.split_once("://")?;
    let (host, rest) = rest.split_once('/')?;
    let rest = rest.split('#').next().unwrap_or_default();
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let value = |key: &str| {
        let mut values = query.split('&').filter_map(|pair| pair.split_once('='));
        values.find(|(own, _)| *own == key).map(|(_, value)| value)
    };
    let id = |text: &str| {
        let id = text.split(['/', '&']).next().unwrap_or_default();
        is_id(id).then(|| id.to_owned())
    };
    let host = host.to_ascii_lowercase();
    match host.strip_prefix("www.").unwrap_or(&host) {
        "youtube.com" | "youtube-nocookie.com" => {
            let named = path.strip_prefix("embed/").or_else(|| path.strip_prefix("v/"))?;
            let list = value("list").filter(|list| is_id(list));
            match (id(named)?.as_str(), list) {
                ("videoseries", Some(list)) => {
                    Some(format!("https://www.youtube.com/playlist?list={list}"))
                }
                ("videoseries", None) => None,
                (id, _) => {
                    let start = value("start")
                        .filter(|start| start.bytes().all(|byte| byte.is_ascii_digit()));
                    let start = start.filter(|start| !start.is_empty() && *start != "0");
                    let start = start.map_or_else(String::new, |start| format!("&t={start}"));
                    Some(format!("https://www.youtube.com/watch?v={id}{start}"))
                }
            }
        }
        "player.vimeo.com" => {
            let number = id(path.strip_prefix("video/")?)?;
            let key = value("h").filter(|key| is_id(key)).map(|key| format!("/{key}"));
            Some(format!("https://vimeo.com/{number}{}", key.unwrap_or_default()))
        }
        "dailymotion.com" => {
            let id = id(path.strip_prefix("embed/video/")?)?;
            Some(format!("https://www.dailymotion.com/video/{id}"))
        }
        "geo.dailymotion.com" => {
            let id = value("video").filter(|id| is_id(id))?;
            Some(format!("https://www.dailymotion.com/video/{id}"))
        }
        "player.twitch.tv" => {
            let id = value("video").map(|id| id.trim_start_matches('v')).filter(|id| is_id(id))?;
            Some(format!("https://www.twitch.tv/videos/{id}"))
        }
        "clips.twitch.tv" if path == "embed" => {
            let id = value("clip").filter(|id| is_id(id))?;
            Some(format!("https://clips.twitch.tv/{id}"))
        }
        "open.spotify.com" => {
            let path = path.strip_prefix("embed/")?.trim_start_matches("embed-podcast/");
            Some(format!("https://open.spotify.com/{path}"))
        }
        "embed.podcasts.apple.com" => Some(format!("https://podcasts.apple.com/{rest}")),
        _ => None,
    }
}
