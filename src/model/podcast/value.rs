//! Value for value: payments while listening, and pointers to other feeds.

use borsh::{BorshDeserialize, BorshSerialize};
use std::hash::{Hash, Hasher};

use schemars::JsonSchema;
use serde::Serialize;

use super::Medium;

/// `podcast:value`: a payment layer and who receives what.
#[derive(
    BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Hash, Serialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "PodcastValue")]
pub struct Value {
    /// The payment layer: `lightning`.
    #[serde(rename = "type")]
    pub kind: String,
    /// How payments travel: `keysend`, `lnaddress`.
    pub method: String,
    /// A suggested amount, a decimal number as its author wrote it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggested: Option<String>,
    /// `podcast:valueRecipient`: at least one.
    pub recipients: Vec<ValueRecipient>,
    /// `podcast:valueTimeSplit`: other recipients for a while.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub time_splits: Vec<ValueTimeSplit>,
}

/// `podcast:valueRecipient`: someone who is paid.
#[derive(
    BorshDeserialize,
    BorshSerialize,
    Debug,
    Clone,
    Default,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub struct ValueRecipient {
    /// Who it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The kind of address: `node`, `lnaddress`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The address.
    pub address: String,
    /// How many shares of the payment they receive.
    pub split: u64,
    /// A record to send along.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_key: Option<String>,
    /// That record's value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub custom_value: Option<String>,
    /// Whether it is a fee, taken before the splits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fee: Option<bool>,
}

/// `podcast:valueTimeSplit`: other recipients for a while.
#[derive(BorshDeserialize, BorshSerialize, Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ValueTimeSplit {
    /// When it starts, in seconds from the start of the enclosure.
    pub start_time: f64,
    /// How long it lasts, in seconds.
    pub duration: f64,
    /// Where the remote item is at that moment, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remote_start_time: Option<f64>,
    /// Which part the remote recipients get, 0 to 100 percent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remote_percentage: Option<f64>,
    /// Who receives it.
    #[serde(flatten)]
    pub target: SplitTarget,
}

impl Hash for ValueTimeSplit {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Self {
            start_time,
            duration,
            remote_start_time,
            remote_percentage,
            target,
        } = self;
        (
            start_time.to_bits(),
            duration.to_bits(),
            remote_start_time.map(f64::to_bits),
            remote_percentage.map(f64::to_bits),
            target,
        )
            .hash(state);
    }
}

/// Who receives a [`ValueTimeSplit`].
#[derive(
    BorshDeserialize, BorshSerialize, Debug, Clone, PartialEq, Hash, Serialize, JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub enum SplitTarget {
    /// The recipients of another feed or item.
    RemoteItem(RemoteItem),
    /// These; at least one.
    Recipients(Vec<ValueRecipient>),
}

/// `podcast:remoteItem`: another feed, or an item of it.
#[derive(
    BorshDeserialize,
    BorshSerialize,
    Debug,
    Clone,
    Default,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    JsonSchema,
)]
#[serde(rename_all = "camelCase")]
pub struct RemoteItem {
    /// The feed's `podcast:guid`.
    pub feed_guid: String,
    /// The feed's URL.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feed_url: Option<String>,
    /// The item's `guid`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item_guid: Option<String>,
    /// The feed's medium; `podcast` where it is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub medium: Option<Medium>,
    /// What to show before the feed is fetched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
}
