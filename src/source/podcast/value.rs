//! `value`, its recipients and time splits, and remote items.

use front_matter::{Node, Value as Written};

use super::shapes::{
    advise_known, count, each, harmless, missing, required_seconds, seconds, table, text_or_table,
};
use crate::model::Rule;
use crate::model::podcast::vocabulary::is_uuid;
use crate::model::podcast::{Medium, RemoteItem, Value, ValueRecipient, ValueTimeSplit};
use crate::source::fields::Fields;

/// `value`: a table, or several.
pub fn values(fields: &Fields<'_, '_>) -> Vec<Value> {
    each(fields, &["value", "values"], |key, node| {
        table(fields, key, node, |value| {
            let kind = value.required_text("type", 128, &node.span);
            let method = value.required_text("method", 128, &node.span);
            let suggested = suggested(value);
            let recipients = recipients(value);
            let time_splits = each(value, &["timeSplits", "timeSplit"], |key, node| {
                table(value, key, node, |split| time_split(split, node))
            });
            if recipients.is_empty() {
                if !has_recipients(value) {
                    no_recipient(value, node);
                }
                return None;
            }
            Some(Value {
                kind: kind?,
                method: method?,
                suggested,
                recipients,
                time_splits,
            })
        })
    })
}

/// Whether someone is named, also with mistakes, which are reported already.
fn has_recipients(fields: &Fields<'_, '_>) -> bool {
    !fields.list("recipients").is_empty() || !fields.list("recipient").is_empty()
}

fn no_recipient(fields: &Fields<'_, '_>, node: &Node) {
    let recipient = fields.reader.notation().table(&[
        ("name", "…"),
        ("type", "\"node\""),
        ("address", "…"),
        ("split", "100"),
    ]);
    fields.reader.error(
        &node.span,
        format!("`{}` names no one", fields.name("recipients")),
        format!("add a recipient: {recipient}"),
    );
}

/// A decimal number, kept as it was written where it was written as a text.
fn suggested(fields: &Fields<'_, '_>) -> Option<String> {
    let node = fields.node("suggested")?;
    match &node.value {
        Written::String(text) if is_decimal(text) => Some(text.clone()),
        Written::String(text) => {
            fields.reader.error(
                &node.span,
                format!("`{}` is no amount: {text:?}", fields.name("suggested")),
                "write a decimal number, as in \"0.00000005000\"",
            );
            None
        }
        _ => fields.number("suggested").map(|number| number.to_string()),
    }
}

fn is_decimal(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit() || b == b'.') && text.parse::<f64>().is_ok()
}

fn recipients(fields: &Fields<'_, '_>) -> Vec<ValueRecipient> {
    each(fields, &["recipients", "recipient"], |key, node| {
        table(fields, key, node, |recipient| {
            let name = recipient.text("name", 256);
            let address = recipient.required_text("address", 1024, &node.span);
            let written = recipient.text("type", 128);
            let custom_key = text_or_number(recipient, "customKey");
            let custom_value = text_or_number(recipient, "customValue");
            let fee = recipient.bool("fee");
            if recipient.node("split").is_none() {
                missing(recipient, "split", &node.span);
            }
            let split = count(recipient, "split");
            let address = harmless(recipient, "address", address?)?;
            let kind = kind_of(recipient, written, &address, node)?;
            Some(ValueRecipient {
                name,
                kind,
                address,
                split: split?,
                custom_key,
                custom_value,
                fee,
            })
        })
    })
}

/// Record keys are numbers that are sent as texts: either is read.
fn text_or_number(fields: &Fields<'_, '_>, key: &'static str) -> Option<String> {
    match fields.node(key)?.value {
        Written::Integer(number) => Some(number.to_string()),
        _ => fields.text(key, 1024),
    }
}

/// The kind of an address: as written, or as its form tells. Warns where both disagree.
fn kind_of(
    fields: &Fields<'_, '_>,
    written: Option<String>,
    address: &str,
    node: &Node,
) -> Option<String> {
    let is_key = address.len() == 66 && address.bytes().all(|b| b.is_ascii_hexdigit());
    let is_name = address
        .split_once('@')
        .is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
    let Some(kind) = written else {
        let kind = match (is_key, is_name) {
            (true, _) => "node",
            (_, true) => "lnaddress",
            _ => {
                missing(fields, "type", &node.span);
                return None;
            }
        };
        return Some(kind.to_owned());
    };
    let expected = match kind.as_str() {
        "node" if !is_key => Some("a node's public key has 66 hexadecimal digits"),
        "lnaddress" if !is_name => Some("a Lightning address looks like name@example.com"),
        _ => None,
    };
    if let (Some(help), Some(node)) = (expected, fields.node("address")) {
        let name = fields.name("address");
        fields.reader.warning(
            Rule::PaymentAddress,
            &node.span,
            format!("`{name}` is no address of type {kind:?}"),
            help,
        );
    }
    if let Some(node) = fields.node("type") {
        let list = "the list of address types";
        advise_known(
            fields,
            "type",
            node,
            &kind,
            list,
            &["node", "lnaddress", "wallet", "keysend"],
        );
    }
    Some(kind)
}

fn time_split(fields: &Fields<'_, '_>, node: &Node) -> Option<ValueTimeSplit> {
    let start_time = required_seconds(fields, "startTime", &node.span);
    let duration = required_seconds(fields, "duration", &node.span);
    let remote_start_time = seconds(fields, "remoteStartTime");
    let remote_percentage = fields.number("remotePercentage");
    if let (Some(percentage), Some(node)) = (remote_percentage, fields.node("remotePercentage"))
        && !(0.0..=100.0).contains(&percentage)
    {
        let name = fields.name("remotePercentage");
        fields.reader.error(
            &node.span,
            format!("`{name}` is {percentage}, and has to be from 0 to 100"),
            "change the number",
        );
    }
    let remote = fields
        .node("remoteItem")
        .and_then(|node| remote_item(fields, "remoteItem", node));
    let recipients = recipients(fields);
    match (&remote, recipients.is_empty()) {
        (Some(_), true) | (None, false) => {}
        (None, true) if fields.node("remoteItem").is_some() || has_recipients(fields) => {
            return None;
        }
        _ => {
            fields.reader.error(
                &node.span,
                "a time split has either a `remoteItem` or `recipients`",
                "keep the one that is meant",
            );
            return None;
        }
    }
    Some(ValueTimeSplit {
        start_time: start_time?,
        duration: duration?,
        remote_start_time,
        remote_percentage,
        remote_item: remote,
        recipients,
    })
}

/// Remote items under several spellings of a key.
pub fn remote_items(fields: &Fields<'_, '_>, keys: &[&'static str]) -> Vec<RemoteItem> {
    each(fields, keys, |key, node| remote_item(fields, key, node))
}

/// A remote item: a feed's guid, or a table.
pub fn remote_item<'r>(
    fields: &Fields<'r, '_>,
    key: &'static str,
    node: &'r Node,
) -> Option<RemoteItem> {
    let alone = |text: String| {
        if is_uuid(&text) {
            return Some(RemoteItem {
                feed_guid: text,
                ..RemoteItem::default()
            });
        }
        fields.reader.error(
            &node.span,
            format!("`{}` is no podcast guid: {text:?}", fields.name(key)),
            "write { feedGuid = …, feedUrl = … }; the guid stands in the other feed's podcast:guid",
        );
        None
    };
    text_or_table(fields, key, node, alone, |item| remote_item_of(item, node))
}

/// A remote item, of which these are the fields.
pub fn remote_item_of(item: &Fields<'_, '_>, node: &Node) -> Option<RemoteItem> {
    let feed_guid = item.required_text("feedGuid", 256, &node.span);
    let feed_url = item.http_url("feedUrl");
    let item_guid = item.text("itemGuid", 4096);
    let medium = item.choice("medium", &Medium::NAMES, Medium::parse);
    let title = item.text("title", 4096);
    if let (Some(guid), Some(node)) = (&feed_guid, item.node("feedGuid"))
        && !is_uuid(guid)
    {
        advise_uuid(item, "feedGuid", node, guid);
    }
    Some(RemoteItem {
        feed_guid: feed_guid?,
        feed_url,
        item_guid,
        medium,
        title,
    })
}

/// Warns of a podcast guid that is no UUID.
pub fn advise_uuid(fields: &Fields<'_, '_>, key: &str, node: &Node, guid: &str) {
    fields.reader.warning(
        Rule::PodcastGuid,
        &node.span,
        format!("`{}` is no UUID: {guid:?}", fields.name(key)),
        "a podcast guid looks like 917393e3-1b1e-5cef-ace4-edaa54e1f810; apps may ignore others",
    );
}
