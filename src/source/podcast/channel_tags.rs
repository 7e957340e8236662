//! Readers of the tags that only a channel has: `locked`, `block`, `guid`, `medium`, `trailers`,
//! `liveItems` and others.

use front_matter::{Node, Value};

use super::rrule;
use super::value::{advise_uuid, remote_item, remote_item_of, remote_items};
use crate::fields::Fields;
use crate::records::{Found, Rules, nodes, read_records, record};
use crate::shapes::{missing, table, yes_or_no};
use crate::shared_fields;
use model::Rule;
use model::field_type::ReadValue;
use model::podcast::vocabulary::is_uuid;
use model::podcast::{
    Block, ChannelPodcast, LiveItem, LiveStatus, Locked, Medium, Publisher, UpdateFrequency,
};

/// Reads a channel's `podcast` table, except the tags that items have too.
pub fn read(fields: &Fields<'_, '_>) -> ChannelPodcast {
    ChannelPodcast {
        guid: guid(fields),
        medium: fields.choice("medium", &Medium::NAMES, Medium::parse),
        locked: locked(fields),
        block: blocks(fields),
        trailers: read_records(fields, "trailers"),
        update_frequency: fields
            .node("updateFrequency")
            .and_then(|node| record(fields, "updateFrequency", node)),
        podping: podping(fields),
        publisher: publisher(fields),
        podroll: remote_items(fields, "podroll"),
        remote_items: remote_items(fields, "remoteItems"),
        live_items: live_items(fields),
        ..ChannelPodcast::default()
    }
}

fn guid(fields: &Fields<'_, '_>) -> Option<String> {
    let guid = fields.text("guid")?;
    if let Some(node) = fields.node("guid").filter(|_| !is_uuid(&guid)) {
        advise_uuid(fields, "guid", node, &guid);
    }
    Some(guid)
}

impl Rules for Locked {}
impl Rules for Block {}

/// Reads `locked`: true or false, the owner's address, or a table of both.
fn locked(fields: &Fields<'_, '_>) -> Option<Locked> {
    let node = fields.node("locked")?;
    match yes_or_no(&node.value) {
        Some(locked) => Some(Locked { locked, owner: None }),
        None => record(fields, "locked", node),
    }
}

/// Reads `block`: true or false for every platform, a platform's slug, or tables of `id` and
/// `block`.
fn blocks(fields: &Fields<'_, '_>) -> Vec<Block> {
    let nodes = nodes(fields, "block");
    let blocks = nodes.filter_map(|(key, node)| match yes_or_no(&node.value) {
        Some(block) => Some(Block { id: None, block }),
        None => record(fields, key, node),
    });
    blocks.collect()
}

impl Rules for UpdateFrequency {
    fn own(found: &mut Found<'_, '_, '_>, key: &'static str) -> Option<ReadValue> {
        let fields = found.fields;
        let text = match key {
            "rrule" => rrule::read(fields),
            // A date, or a date and time, is validated but kept as written.
            _ => fields.date(key).and_then(|_| fields.text(key)),
        };
        text.map(ReadValue::Text)
    }
}

/// Reads `podping`: true or false, or a table of `usesPodping`.
fn podping(fields: &Fields<'_, '_>) -> Option<bool> {
    match fields.node("podping") {
        Some(node) if matches!(node.value, Value::Table(_)) => {
            table(fields, "podping", node, |podping| podping.bool("usesPodping"))
        }
        _ => fields.bool("podping"),
    }
}

/// Reads `publisher`: the publisher's feed. The medium of the feed is optional.
fn publisher(fields: &Fields<'_, '_>) -> Option<Publisher> {
    let node = fields.node("publisher")?;
    let mut remote_item = match &node.value {
        Value::Table(_) => {
            table(fields, "publisher", node, |publisher| match publisher.node("remoteItem") {
                Some(inner) => remote_item(publisher, "remoteItem", inner),
                None => remote_item_of(publisher, node),
            })?
        }
        _ => remote_item(fields, "publisher", node)?,
    };
    if remote_item.medium.is_some_and(|medium| medium != Medium::PUBLISHER) {
        fields.reader.error(
            &node.span,
            "the `medium` of a publisher's feed must be \"publisher\"",
            "remove `medium`",
        );
    }
    remote_item.medium = Some(Medium::PUBLISHER);
    Some(Publisher { remote_item })
}

fn live_items(fields: &Fields<'_, '_>) -> Vec<LiveItem> {
    let nodes = nodes(fields, "liveItems");
    nodes.filter_map(|(key, node)| table(fields, key, node, |live| live_item(live, node))).collect()
}

fn live_item(fields: &Fields<'_, '_>, node: &Node) -> Option<LiveItem> {
    for key in ["status", "start"] {
        if fields.node(key).is_none() {
            missing(fields, key, &node.span);
        }
    }
    let status = fields.choice("status", LiveStatus::NAMES, LiveStatus::parse);
    let (start, end) = (fields.date("start"), fields.date("end"));
    if let (Some(start), Some(end), Some(node)) = (start, end, fields.node("end"))
        && end < start
    {
        fields
            .reader
            .error(&node.span, "this live item ends before it starts", "change `start` or `end`");
    }
    let title = fields.required_text("title", &node.span);
    let guid = fields.required_text("guid", &node.span);
    let description = fields.text("description");
    let image = shared_fields::image(fields, "image");
    let authors = shared_fields::authors(fields);
    let explicit = fields.bool("explicit");
    let (link, enclosure, podcast) = super::live_show(fields);
    if podcast.content_links.is_empty() {
        fields.reader.warning(
            Rule::LiveShow,
            &node.span,
            "this live item has no `contentLinks`",
            "add `contentLinks`: a page where people can watch or listen, for apps that cannot play the stream",
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
