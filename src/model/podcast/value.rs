//! Value for value: payments while listening, and pointers to other feeds.

use borsh::{BorshDeserialize, BorshSerialize};

use super::Medium;
use crate::declare::records;

records! {
    /// `podcast:value`: a payment layer and who receives what.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq)]
    Value = "podcast:value" {
        /// The payment layer: `lightning`.
        Required kind: String = "type", Text(128);
        /// How payments travel: `keysend`, `lnaddress`.
        Required method: String = "method", Text(128);
        /// A suggested amount, a decimal number as its author wrote it.
        Optional suggested: Option<String> = "suggested", Own("number", &[Numeric, Plain]), example("\"0.00000005\"");
        /// `podcast:valueRecipient`: at least one.
        Required recipients: Vec<ValueRecipient> = "recipients" or "recipient", Records;
        /// `podcast:valueTimeSplit`: other recipients for a while.
        Optional time_splits: Vec<ValueTimeSplit> = "timeSplits" or "timeSplit", Records;
    }

    /// `podcast:valueRecipient`: someone who is paid.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    ValueRecipient = "podcast:valueRecipient" first ["name", "customKey", "customValue"] {
        /// Who it is.
        Optional name: Option<String> = "name", Text(256);
        /// The kind of address: `node`, `lnaddress`.
        Filled kind: String = "type", Known(128, "the list of address types", || vec!["node", "lnaddress", "wallet", "keysend"]), example("\"lnaddress\"");
        /// The address.
        Required address: String = "address", Text(1024), example("\"a@example.com\"");
        /// How many shares of the payment they receive.
        Required split: u64 = "split", Count;
        /// A record to send along.
        Optional custom_key: Option<String> = "customKey", Own("text or number", &[UpTo(1024), Whole(i64::MIN, i64::MAX)]);
        /// That record's value.
        Optional custom_value: Option<String> = "customValue", Own("text or number", &[UpTo(1024), Whole(i64::MIN, i64::MAX)]);
        /// Whether it is a fee, taken before the splits.
        Optional fee: Option<bool> = "fee", Flag;
    }

    /// `podcast:valueTimeSplit`: other recipients for a while.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq)]
    ValueTimeSplit = "podcast:valueTimeSplit" {
        /// When it starts, in seconds from the start of the enclosure.
        Required start_time: f64 = "startTime", Seconds;
        /// How long it lasts, in seconds.
        Required duration: f64 = "duration", Seconds;
        /// Where the remote item is at that moment, in seconds.
        Optional remote_start_time: Option<f64> = "remoteStartTime", Seconds;
        /// Which part the remote recipients get, 0 to 100 percent.
        Optional remote_percentage: Option<f64> = "remotePercentage", Number;
        /// The feed or item whose recipients receive it, where these are not named.
        Optional remote_item: Option<RemoteItem> = "remoteItem", Records;
        /// Who receives it.
        Optional recipients: Vec<ValueRecipient> = "recipients" or "recipient", Records;
    }

    /// `podcast:remoteItem`: another feed, or an item of it.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    RemoteItem = "podcast:remoteItem" {
        /// The feed's `podcast:guid`.
        Required feed_guid: String = "feedGuid", Text(256), alone, example("\"29cdca4a-32d8-56ba-b48b-09a011c5daa9\"");
        /// The feed's URL.
        Optional feed_url: Option<String> = "feedUrl", Url;
        /// The item's `guid`.
        Optional item_guid: Option<String> = "itemGuid", Text(4096);
        /// The feed's medium; `podcast` where it is missing.
        Optional medium: Option<Medium> = "medium", Word(&Medium::NAMES);
        /// What to show before the feed is fetched.
        Optional title: Option<String> = "title", Text(4096);
    }
}
