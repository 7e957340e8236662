//! `funding`, `contentLinks`, `socialInteract`, `chat`, `txt`.

use front_matter::Value;

use super::shapes::{
    advise_known, each, harmless, http, missing, required_url, table, text_or_table, within_limit,
};
use crate::model::podcast::vocabulary::{CHAT_PROTOCOLS, SOCIAL_PROTOCOLS};
use crate::model::podcast::{Chat, ContentLink, Funding, SocialInteract, Txt};
use crate::source::fields::Fields;

/// `funding`: URLs, or tables.
pub fn funding(fields: &Fields<'_, '_>) -> Vec<Funding> {
    each(fields, &["funding"], |key, node| {
        let alone = |text| {
            Some(Funding {
                url: http(fields, key, node, text)?,
                text: String::new(),
            })
        };
        text_or_table(fields, key, node, alone, |funding| {
            let text = funding.text("text", 128).unwrap_or_default();
            let url = required_url(funding, "url", &node.span)?;
            Some(Funding { url, text })
        })
    })
}

/// `contentLinks`: URLs, or tables.
pub fn content_links(fields: &Fields<'_, '_>) -> Vec<ContentLink> {
    each(fields, &["contentLinks", "contentLink"], |key, node| {
        let alone = |text| {
            Some(ContentLink {
                href: http(fields, key, node, text)?,
                text: String::new(),
            })
        };
        text_or_table(fields, key, node, alone, |link| {
            let text = link.text("text", 4000).unwrap_or_default();
            let href = required_url(link, "href", &node.span)?;
            Some(ContentLink { href, text })
        })
    })
}

/// `socialInteract`: tables, or `"disabled"` (or `false`) alone.
pub fn social_interact(fields: &Fields<'_, '_>) -> Vec<SocialInteract> {
    let disabled = || SocialInteract {
        protocol: "disabled".to_owned(),
        ..SocialInteract::default()
    };
    const KEYS: [&str; 2] = ["socialInteract", "socialInteracts"];
    for key in KEYS {
        fields.can_be(key, ["disabled"]);
    }
    each(fields, &KEYS, |key, node| match &node.value {
        Value::Bool(false) => Some(disabled()),
        Value::Plain(flag, _) if **flag == Value::Bool(false) => Some(disabled()),
        Value::String(text) if text == "disabled" => Some(disabled()),
        _ => table(fields, key, node, |post| {
            let protocol = post.required_text("protocol", 128, &node.span);
            let uri = post.text("uri", 4096);
            let account_id = post.text("accountId", 1024);
            let account_url = post.http_url("accountUrl");
            let priority = post.integer("priority", i64::MIN..=i64::MAX);
            let protocol = protocol?;
            if let Some(node) = post.node("protocol") {
                let list = "the list of social protocols";
                advise_known(post, "protocol", node, &protocol, list, &SOCIAL_PROTOCOLS);
            }
            if protocol == "disabled" {
                return Some(disabled());
            }
            if uri.is_none() {
                missing(post, "uri", &node.span);
            }
            Some(SocialInteract {
                protocol,
                uri: Some(harmless(post, "uri", uri?)?),
                account_id,
                account_url,
                priority,
            })
        }),
    })
}

/// `chat`: a table.
pub fn chat(fields: &Fields<'_, '_>) -> Option<Chat> {
    let node = fields.node("chat")?;
    table(fields, "chat", node, |chat| {
        let server = chat.required_text("server", 255, &node.span);
        let protocol = chat.required_text("protocol", 128, &node.span);
        let account_id = chat.text("accountId", 1024);
        let space = chat.text("space", 1024);
        if let (Some(protocol), Some(node)) = (&protocol, chat.node("protocol")) {
            let list = "the list of chat protocols";
            advise_known(chat, "protocol", node, protocol, list, &CHAT_PROTOCOLS);
        }
        if let (Some(server), Some(node)) = (&server, chat.node("server"))
            && server.contains(['/', ' '])
        {
            chat.reader.error(
                &node.span,
                format!("`{}` is no host name: {server:?}", chat.name("server")),
                "write the server's name alone, as in \"irc.example.com\"",
            );
        }
        Some(Chat {
            server: harmless(chat, "server", server?)?,
            protocol: protocol?,
            account_id,
            space,
        })
    })
}

/// `txt`: texts, or tables.
pub fn txt(fields: &Fields<'_, '_>) -> Vec<Txt> {
    each(fields, &["txt"], |key, node| {
        let alone = |text| {
            Some(Txt {
                purpose: None,
                text: within_limit(fields, key, node, text, 4000)?,
            })
        };
        text_or_table(fields, key, node, alone, |txt| {
            let purpose = txt.text("purpose", 128);
            let text = txt.required_text("text", 4000, &node.span)?;
            Some(Txt { purpose, text })
        })
    })
}
