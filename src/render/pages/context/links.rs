//! Links from Podcasting 2.0 tags: comments, chats, and the same content on other sites.

use std::cmp::Reverse;

use mustache::Data;

use model::podcast::{Chat, ContentLink, SocialInteract};
use model::url;

/// A link with its name.
pub struct NamedLink<'a> {
    pub name: &'a str,
    pub url: String,
}

impl<'a> NamedLink<'a> {
    pub fn data(self) -> Data<'a> {
        Data::from([("name", self.name.into()), ("url", Data::from(self.url))])
    }
}

/// Returns links to the comments, in the author's order of priority.
pub fn comments(all: &[SocialInteract]) -> Vec<NamedLink<'_>> {
    let mut wanted: Vec<&SocialInteract> = all.iter().collect();
    wanted.sort_by_key(|post| Reverse(post.priority.map(Reverse)));
    let links = wanted.into_iter().filter_map(|post| {
        let url = page(post.uri.as_deref()?)?;
        let name = network(&post.protocol)?;
        Some(NamedLink { name, url })
    });
    links.collect()
}

/// Returns the name of a protocol's network. Returns None if comments are disabled.
fn network(protocol: &str) -> Option<&str> {
    Some(match protocol.to_ascii_lowercase().as_str() {
        "disabled" => return None,
        "activitypub" => "Fediverse",
        "atproto" => "Bluesky",
        "twitter" => "X",
        "lightning" => "Lightning",
        "hive" => "Hive",
        "matrix" => "Matrix",
        "nostr" => "Nostr",
        _ => protocol,
    })
}

/// Returns an address of a post that a browser can open.
fn page(uri: &str) -> Option<String> {
    if let Some((account, post)) =
        uri.strip_prefix("at://").and_then(|rest| rest.split_once("/app.bsky.feed.post/"))
    {
        return Some(format!("https://bsky.app/profile/{account}/post/{post}"));
    }
    url::scheme(uri).map(|_| uri.to_owned())
}

/// Returns an address for joining a chat. For Nostr, it can also be the address of an account.
pub fn chat(chat: &Chat) -> Option<String> {
    let server = &chat.server;
    let is_host = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte);
    if !server.bytes().all(is_host) {
        return None;
    }
    let room = room(chat);
    let encoded = |room: &str| url::encode_path(room);
    Some(match chat.protocol.to_ascii_lowercase().as_str() {
        "irc" => format!("irc://{server}/{}", encoded(room.trim_start_matches('#'))),
        "xmpp" if room.contains('@') => format!("xmpp:{}?join", encoded(room)),
        "xmpp" if !room.is_empty() => format!("xmpp:{}@{server}?join", encoded(room)),
        "matrix" if !room.is_empty() => format!("https://matrix.to/#/{}", encoded(room)),
        "nostr" => {
            let found = nostr_entity(room).or_else(|| nostr_account(chat))?;
            format!("nostr:{found}")
        }
        _ => return None,
    })
}

/// Returns the name of a chat: the room, or else the server. For Nostr, returns the account if the
/// link points to an account.
pub fn chat_name(chat: &Chat) -> &str {
    let room = room(chat);
    if nostr_entity(room).is_some() {
        return &chat.server;
    }
    let is_nostr = chat.protocol.eq_ignore_ascii_case("nostr");
    match nostr_account(chat).filter(|_| is_nostr) {
        Some(account) => account,
        None if room.is_empty() => &chat.server,
        None => room,
    }
}

/// Returns the Nostr account to link to if the room has no address.
fn nostr_account(chat: &Chat) -> Option<&str> {
    nostr_entity(chat.account_id.as_deref()?.trim())
}

fn room(chat: &Chat) -> &str {
    chat.space.as_deref().unwrap_or_default().trim()
}

/// Returns a Nostr address (NIP-19, NIP-21) of a chat, a post or a person. Returns None for other
/// strings, such as the topic `#walks`.
fn nostr_entity(text: &str) -> Option<&str> {
    const KINDS: [&str; 5] = ["naddr1", "nevent1", "note1", "nprofile1", "npub1"];
    let entity = text.strip_prefix("nostr:").unwrap_or(text);
    let mut data = KINDS.iter().filter_map(|kind| entity.strip_prefix(kind));
    let is_known = data.any(|data| !data.is_empty());
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    (is_known && entity.bytes().all(is_letter)).then_some(entity)
}

/// Returns a link to the same content on another site.
pub fn alternate_link(link: &ContentLink) -> Data<'_> {
    let name = match link.text.as_str() {
        "" => host(&link.href).unwrap_or(&link.href),
        text => text,
    };
    Data::from([
        ("href", Data::from(&link.href)),
        ("text", Data::from(&link.text)),
        ("name", name.into()),
    ])
}

/// Returns the host of an address, without `www.`.
pub fn host(address: &str) -> Option<&str> {
    let rest = address.split_once("://")?.1;
    let host = rest.split(['/', '?', '#']).next()?.rsplit('@').next()?;
    Some(host.strip_prefix("www.").unwrap_or(host)).filter(|host| !host.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn post(protocol: &str, uri: &str, priority: Option<i64>) -> SocialInteract {
        SocialInteract {
            protocol: protocol.into(),
            uri: Some(uri.into()),
            priority,
            ..SocialInteract::default()
        }
    }

    #[test]
    fn comments_link_to_pages_in_order_of_priority() {
        let all = [
            post("nostr", "nostr:note1", None),
            post("atproto", "at://did:plc:a/app.bsky.feed.post/b", Some(2)),
            post("activitypub", "https://a.example/1", Some(1)),
            post("disabled", "https://a.example/2", Some(0)),
            post("mine", "no address", Some(0)),
        ];
        let found: Vec<String> =
            comments(&all).into_iter().map(|link| format!("{} {}", link.name, link.url)).collect();
        let bluesky = "Bluesky https://bsky.app/profile/did:plc:a/post/b";
        let expected = ["Fediverse https://a.example/1", bluesky, "Nostr nostr:note1"];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_chat_has_an_address_if_its_protocol_has_one() {
        let of = |protocol: &str, server: &str, space: &str| {
            let (protocol, server) = (protocol.into(), server.into());
            let space = Some(space.into());
            let account_id = None;
            chat(&Chat { server, protocol, account_id, space }).unwrap_or_default()
        };
        assert_eq!(of("irc", "irc.example", "#a b"), "irc://irc.example/a%20b");
        assert_eq!(of("xmpp", "x.example", "room"), "xmpp:room@x.example?join");
        assert_eq!(of("matrix", "m.example", "#a:m.example"), "https://matrix.to/#/%23a:m.example");
        assert_eq!(of("irc", "evil\" onclick", "a"), "");
        assert_eq!(of("nostr", "n.example", "#a"), "");
        assert_eq!(of("nostr", "n.example", "naddr1\" onclick"), "");
        assert_eq!(of("nostr", "n.example", "nostr:naddr1ab2"), "nostr:naddr1ab2");
        assert_eq!(of("Matrix", "m.example", ""), "");
        assert_eq!(of("IRC", "irc.example", "a"), "irc://irc.example/a");
        assert_eq!(of("nostr", "n.example", "npub1"), "");
    }

    #[test]
    fn a_nostr_chat_is_named_after_the_target_of_its_link() {
        let with = |protocol: &str, space: &str, account: &str| Chat {
            server: "n.example".into(),
            protocol: protocol.into(),
            account_id: Some(account.into()),
            space: Some(space.into()),
        };
        let named = |chat: &Chat| chat_name(chat).to_owned();
        assert_eq!(named(&with("Nostr", "#walks", "npub1ab")), "npub1ab");
        assert_eq!(named(&with("nostr", "naddr1ab", "npub1ab")), "n.example");
        assert_eq!(named(&with("nostr", "#walks", "npub1")), "#walks");
        assert_eq!(named(&with("irc", "#walks", "npub1ab")), "#walks");
    }
}
