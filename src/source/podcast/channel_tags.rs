//! What only a channel has: `locked`, `block`, `guid`, `medium`, `trailers`, `liveItems` and others.

use front_matter::{Node, Value};

use super::media::known_type;
use super::rrule;
use super::shapes::{
    advise_known, count, each, missing, required_address, table, text_or_table, within_limit,
};
use super::value::{advise_uuid, remote_item, remote_item_of, remote_items};
use crate::model::Rule;
use crate::model::podcast::vocabulary::{SERVICES, is_uuid};
use crate::model::podcast::{
    Block, ChannelPodcast, LiveItem, LiveStatus, Locked, Medium, Publisher, Trailer,
    UpdateFrequency,
};
use crate::source::fields::Fields;
use crate::source::shared_fields;

/// Everything of a channel's `podcast` table but what it shares with items.
pub fn read(fields: &Fields<'_, '_>) -> ChannelPodcast {
    ChannelPodcast {
        guid: guid(fields),
        medium: fields.choice("medium", &Medium::NAMES, Medium::parse),
        locked: locked(fields),
        block: blocks(fields),
        trailers: trailers(fields),
        update_frequency: update_frequency(fields),
        podping: podping(fields),
        publisher: publisher(fields),
        podroll: remote_items(fields, &["podroll"]),
        remote_items: remote_items(fields, &["remoteItems", "remoteItem"]),
        live_items: live_items(fields),
        ..ChannelPodcast::default()
    }
}

fn guid(fields: &Fields<'_, '_>) -> Option<String> {
    let guid = fields.text("guid", 256)?;
    if let Some(node) = fields.node("guid").filter(|_| !is_uuid(&guid)) {
        advise_uuid(fields, "guid", node, &guid);
    }
    Some(guid)
}

/// True, false, or the specification's `yes` and `no`.
fn yes_or_no(value: &Value) -> Option<bool> {
    match value {
        Value::Bool(flag) => Some(*flag),
        Value::Plain(value, _) => yes_or_no(value),
        Value::String(text) if text == "yes" => Some(true),
        Value::String(text) if text == "no" => Some(false),
        _ => None,
    }
}

/// `locked`: true or false, the owner's address, or a table of both.
fn locked(fields: &Fields<'_, '_>) -> Option<Locked> {
    let node = fields.node("locked")?;
    if let Some(locked) = yes_or_no(&node.value) {
        return Some(Locked {
            locked,
            owner: None,
        });
    }
    let owned = |owner: String| {
        email(fields, "locked", node, owner).map(|owner| Locked {
            locked: true,
            owner: Some(owner),
        })
    };
    text_or_table(fields, "locked", node, owned, |table| {
        let owner = table.text("owner", 320).zip(table.node("owner"));
        let owner = owner.and_then(|(owner, node)| email(table, "owner", node, owner));
        Some(Locked {
            locked: flag(table, "locked")?,
            owner,
        })
    })
}

/// A yes-or-no field of a table, yes where it is left out.
fn flag(fields: &Fields<'_, '_>, key: &'static str) -> Option<bool> {
    match fields.node(key) {
        None => Some(true),
        Some(node) => yes_or_no(&node.value).or_else(|| fields.bool(key)),
    }
}

fn email(fields: &Fields<'_, '_>, key: &str, node: &Node, text: String) -> Option<String> {
    let is_email = text
        .split_once('@')
        .is_some_and(|(name, host)| !name.is_empty() && !host.is_empty() && !host.contains('@'));
    if is_email && !text.contains(char::is_whitespace) {
        return Some(text);
    }
    fields.reader.error(
        &node.span,
        format!("`{}` is no e-mail address: {text:?}", fields.name(key)),
        "write it like name@example.com",
    );
    None
}

/// `block`: true or false for every platform, a platform's slug, or tables of `id` and `block`.
fn blocks(fields: &Fields<'_, '_>) -> Vec<Block> {
    each(fields, &["block", "blocks"], |key, node| {
        if let Some(block) = yes_or_no(&node.value) {
            return Some(Block { id: None, block });
        }
        let slug = |id: String| {
            advise_known(fields, key, node, &id, "the list of services", &SERVICES);
            Some(Block {
                id: Some(id),
                block: true,
            })
        };
        text_or_table(fields, key, node, slug, |entry| {
            let id = entry.text("id", 128);
            if let (Some(id), Some(node)) = (&id, entry.node("id")) {
                advise_known(entry, "id", node, id, "the list of services", &SERVICES);
            }
            let block = flag(entry, "block")?;
            Some(Block { id, block })
        })
    })
}

fn trailers(fields: &Fields<'_, '_>) -> Vec<Trailer> {
    each(fields, &["trailers", "trailer"], |key, node| {
        table(fields, key, node, |trailer| {
            let title = trailer.required_text("title", 128, &node.span);
            let reference = required_address(trailer, "url", &node.span);
            if trailer.node("pubdate").is_none() {
                missing(trailer, "pubdate", &node.span);
            }
            let pubdate = trailer.date("pubdate");
            let length = count(trailer, "length");
            let media_type = trailer.text("type", 255);
            let season = trailer.integer("season", 0..=i64::MAX);
            let reference = reference?;
            Some(Trailer {
                title: title?,
                url: reference.url().to_owned(),
                pubdate: pubdate?,
                length: length.or(reference.facts().map(|facts| facts.bytes)),
                media_type: media_type.or_else(|| known_type(&reference)),
                season,
            })
        })
    })
}

/// `updateFrequency`: a text, or a table of `text`, `rrule`, `dtstart` and `complete`.
fn update_frequency(fields: &Fields<'_, '_>) -> Option<UpdateFrequency> {
    let node = fields.node("updateFrequency")?;
    let alone = |text| {
        Some(UpdateFrequency {
            text: within_limit(fields, "updateFrequency", node, text, 128)?,
            ..UpdateFrequency::default()
        })
    };
    text_or_table(fields, "updateFrequency", node, alone, |table| {
        Some(UpdateFrequency {
            text: table.text("text", 128).unwrap_or_default(),
            complete: table.bool("complete"),
            dtstart: dtstart(table),
            rrule: rrule::read(table),
        })
    })
}

/// A date, or date and time, kept as it was written.
fn dtstart(fields: &Fields<'_, '_>) -> Option<String> {
    fields.date("dtstart")?;
    fields.text("dtstart", 64)
}

/// `podping`: true or false, or a table of `usesPodping`.
fn podping(fields: &Fields<'_, '_>) -> Option<bool> {
    match fields.node("podping") {
        Some(node) if matches!(node.value, Value::Table(_)) => {
            table(fields, "podping", node, |podping| {
                podping.bool("usesPodping")
            })
        }
        _ => fields.bool("podping"),
    }
}

/// `publisher`: the publisher's feed, whose medium needs not be written.
fn publisher(fields: &Fields<'_, '_>) -> Option<Publisher> {
    let node = fields.node("publisher")?;
    let mut remote_item = match &node.value {
        Value::Table(_) => table(fields, "publisher", node, |publisher| {
            match publisher.node("remoteItem") {
                Some(inner) => remote_item(publisher, "remoteItem", inner),
                None => remote_item_of(publisher, node),
            }
        })?,
        _ => remote_item(fields, "publisher", node)?,
    };
    if remote_item
        .medium
        .is_some_and(|medium| medium != Medium::PUBLISHER)
    {
        fields.reader.error(
            &node.span,
            "a publisher's feed has the medium \"publisher\"",
            "leave `medium` out",
        );
    }
    remote_item.medium = Some(Medium::PUBLISHER);
    Some(Publisher { remote_item })
}

fn live_items(fields: &Fields<'_, '_>) -> Vec<LiveItem> {
    each(fields, &["liveItems", "liveItem"], |key, node| {
        table(fields, key, node, |live| live_item(live, node))
    })
}

fn live_item(fields: &Fields<'_, '_>, node: &Node) -> Option<LiveItem> {
    for key in ["status", "start"] {
        if fields.node(key).is_none() {
            missing(fields, key, &node.span);
        }
    }
    let status = fields.choice("status", &LiveStatus::NAMES, LiveStatus::parse);
    let (start, end) = (fields.date("start"), fields.date("end"));
    if let (Some(start), Some(end), Some(node)) = (start, end, fields.node("end"))
        && end < start
    {
        fields.reader.error(
            &node.span,
            "this live item ends before it starts",
            "change `start` or `end`",
        );
    }
    let title = fields.required_text("title", 4096, &node.span);
    let guid = fields.required_text("guid", 4096, &node.span);
    let description = fields.text("description", 10_000);
    let image = shared_fields::image(fields, "image");
    let authors = shared_fields::authors(fields);
    let explicit = fields.bool("explicit");
    let (link, enclosure, podcast) = super::live_show(fields);
    if podcast.content_links.is_empty() {
        fields.reader.warning(
            Rule::LiveShow,
            &node.span,
            "this live item has no `contentLinks`",
            "add the page where it can be heard or seen, for apps that cannot play the stream",
        );
    }
    Some(LiveItem {
        status: status?,
        start: start?,
        end,
        title: title?,
        guid: guid?,
        description,
        link,
        image,
        authors,
        explicit,
        enclosure,
        podcast,
    })
}
