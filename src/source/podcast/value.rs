//! Rules for payments, and for references to other feeds.

use front_matter::{Node, Value as Written};

use crate::fields::Fields;
use crate::records::{Found, Rules, given, nodes, record_from_table};
use crate::shapes::{check_harmless, missing, text_or_table};
use model::Rule;
use model::field_type::ReadValue;
use model::podcast::vocabulary::is_uuid;
use model::podcast::{RemoteItem, Value, ValueRecipient, ValueTimeSplit};

impl Rules for Value {
    /// Reads the recipients, the time splits or a suggested amount. An amount is a decimal number.
    /// An amount that is written as a string is kept unchanged.
    fn own(found: &mut Found<'_, '_, '_>, key: &'static str) -> Option<ReadValue> {
        let fields = found.fields;
        match key {
            "recipients" => return given::<ValueRecipient>(fields, key),
            "timeSplits" => return given::<ValueTimeSplit>(fields, key),
            _ => {}
        }
        let node = fields.node(key)?;
        match &node.value {
            Written::String(text) if is_decimal(text) => Some(ReadValue::Text(text.clone())),
            Written::String(text) => {
                fields.reader.error(
                    &node.span,
                    format!("`{}` is not an amount: {text:?}", fields.name(key)),
                    "write a decimal number, as in \"0.00000005000\"",
                );
                None
            }
            _ => fields.number(key).map(|number| ReadValue::Text(number.to_string())),
        }
    }

    fn finish(self, found: &Found<'_, '_, '_>) -> Option<Self> {
        if self.recipients.is_empty() {
            if !has_recipients(found.fields) {
                no_recipient(found.fields, found.node);
            }
            return None;
        }
        Some(self)
    }
}

/// Returns whether any recipient is given, even an invalid recipient, which is already reported.
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
        format!("`{}` is missing or empty", fields.name("recipients")),
        format!("add a recipient: {recipient}"),
    );
}

fn is_decimal(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit() || b == b'.') && text.parse::<f64>().is_ok()
}

impl Rules for ValueRecipient {
    /// Reads a custom record's key or value: a string, or a number that is converted to a string.
    fn own(found: &mut Found<'_, '_, '_>, key: &'static str) -> Option<ReadValue> {
        let text = match found.fields.node(key)?.value {
            Written::Integer(number) => Some(number.to_string()),
            _ => found.fields.text(key),
        };
        text.map(ReadValue::Text)
    }

    /// Derives a missing address type from the form of the address. Warns if the type and the form
    /// do not match.
    fn finish(mut self, found: &Found<'_, '_, '_>) -> Option<Self> {
        let Found { fields, node, .. } = found;
        self.address = check_harmless(fields, "address", self.address)?;
        let address = &self.address;
        let is_key = address.len() == 66 && address.bytes().all(|b| b.is_ascii_hexdigit());
        let is_name = address
            .split_once('@')
            .is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
        let expected = match self.kind.as_str() {
            "" => {
                let Some(kind) = is_key.then_some("node").or(is_name.then_some("lnaddress")) else {
                    missing(fields, "type", &node.span);
                    return None;
                };
                self.kind = kind.to_owned();
                None
            }
            "node" if !is_key => Some("write the node's public key, 66 hexadecimal digits"),
            "lnaddress" if !is_name => Some("write a Lightning address, such as name@example.com"),
            _ => None,
        };
        if let (Some(help), Some(node)) = (expected, fields.node("address")) {
            let name = fields.name("address");
            fields.reader.warning(
                Rule::PaymentAddress,
                &node.span,
                format!("`{name}` is not an address of type {:?}", self.kind),
                help,
            );
        }
        Some(self)
    }
}

impl Rules for ValueTimeSplit {
    fn own(found: &mut Found<'_, '_, '_>, key: &'static str) -> Option<ReadValue> {
        if key == "recipients" {
            return given::<ValueRecipient>(found.fields, key);
        }
        let remote = remote_item(found.fields, key, found.fields.node(key)?)?;
        Some(ReadValue::Made(Box::new(vec![remote])))
    }

    fn finish(self, found: &Found<'_, '_, '_>) -> Option<Self> {
        let Found { fields, node, .. } = found;
        if let (Some(percentage), Some(node)) =
            (self.remote_percentage, fields.node("remotePercentage"))
            && !(0.0..=100.0).contains(&percentage)
        {
            let name = fields.name("remotePercentage");
            fields.reader.error(
                &node.span,
                format!("`{name}` is {percentage}, but must be from 0 to 100"),
                "change the number",
            );
        }
        match (&self.remote_item, self.recipients.is_empty()) {
            (Some(_), true) | (None, false) => Some(self),
            (None, true) if fields.node("remoteItem").is_some() || has_recipients(fields) => None,
            _ => {
                fields.reader.error(
                    &node.span,
                    "a time split must have either `remoteItem` or `recipients`",
                    "write one of the two",
                );
                None
            }
        }
    }
}

impl Rules for RemoteItem {
    fn finish(self, found: &Found<'_, '_, '_>) -> Option<Self> {
        let Found { fields, .. } = found;
        if let Some(node) = fields.node("feedGuid").filter(|_| !is_uuid(&self.feed_guid)) {
            advise_uuid(fields, "feedGuid", node, &self.feed_guid);
        }
        Some(self)
    }
}

/// Reads remote items: a feed's guid, or a table.
pub fn remote_items(fields: &Fields<'_, '_>, key: &'static str) -> Vec<RemoteItem> {
    let nodes = nodes(fields, key);
    nodes.filter_map(|(key, node)| remote_item(fields, key, node)).collect()
}

/// Reads a remote item: a feed's guid, or a table.
pub fn remote_item<'r>(
    fields: &Fields<'r, '_>,
    key: &'static str,
    node: &'r Node,
) -> Option<RemoteItem> {
    let alone = |text: String| {
        if is_uuid(&text) {
            return Some(RemoteItem { feed_guid: text, ..RemoteItem::default() });
        }
        fields.reader.error(
            &node.span,
            format!("`{}` is not a podcast guid: {text:?}", fields.name(key)),
            "write { feedGuid = …, feedUrl = … } with the guid from the other feed's podcast:guid",
        );
        None
    };
    text_or_table(fields, key, node, alone, |item| remote_item_of(item, node))
}

/// Reads a remote item from the fields of its table.
pub fn remote_item_of<'r>(fields: &Fields<'r, '_>, node: &'r Node) -> Option<RemoteItem> {
    record_from_table(fields, node).map(|(item, _)| item)
}

/// Warns about a podcast guid that is not a UUID.
pub fn advise_uuid(fields: &Fields<'_, '_>, key: &str, node: &Node, guid: &str) {
    fields.reader.warning(
        Rule::PodcastGuid,
        &node.span,
        format!("`{}` is not a UUID: {guid:?}", fields.name(key)),
        "write a UUID, such as 917393e3-1b1e-5cef-ace4-edaa54e1f810; apps may ignore other guids",
    );
}
