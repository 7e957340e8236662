//! Podcast tags for payments while listening (value for value), and for references to other feeds.

use borsh::{BorshDeserialize, BorshSerialize};

use super::Medium;
use crate::declare::records;

records! {
    /// `podcast:value`: a payment layer and the recipients of payments.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq)]
    Value = "podcast:value" {
        /// Payment layer, such as `lightning`.
        Required kind: String = "type", Text(128);
        /// Payment method, such as `keysend` or `lnaddress`.
        Required method: String = "method", Text(128);
        /// Suggested amount: a decimal number as the author wrote it.
        Optional suggested: Option<String> = "suggested", Own("number", &[Numeric, Plain]), example("\"0.00000005\"");
        /// `podcast:valueRecipient`: recipients of payments, at least one.
        Required recipients: Vec<ValueRecipient> = "recipients" or "recipient", Records;
        /// `podcast:valueTimeSplit`: other recipients during parts of the enclosure.
        Optional time_splits: Vec<ValueTimeSplit> = "timeSplits" or "timeSplit", Records;
    }

    /// `podcast:valueRecipient`: a recipient of payments.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    ValueRecipient = "podcast:valueRecipient" first ["name", "customKey", "customValue"] {
        /// Name of the recipient.
        Optional name: Option<String> = "name", Text(256);
        /// Type of the address, such as `node` or `lnaddress`.
        Filled kind: String = "type", Known(128, "the list of address types", || vec!["node", "lnaddress", "wallet", "keysend"]), example("\"lnaddress\"");
        /// Payment address.
        Required address: String = "address", Text(1024), example("\"a@example.com\"");
        /// Number of shares of the payment that the recipient gets.
        Required split: u64 = "split", Count;
        /// Key of a custom record to send with the payment.
        Optional custom_key: Option<String> = "customKey", Own("text or number", &[UpTo(1024), Whole(i64::MIN, i64::MAX)]);
        /// Value of the custom record.
        Optional custom_value: Option<String> = "customValue", Own("text or number", &[UpTo(1024), Whole(i64::MIN, i64::MAX)]);
        /// Whether the payment is a fee, deducted before the splits.
        Optional fee: Option<bool> = "fee", Flag;
    }

    /// `podcast:valueTimeSplit`: other recipients during a part of the enclosure.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq)]
    ValueTimeSplit = "podcast:valueTimeSplit" {
        /// Start in seconds from the start of the enclosure.
        Required start_time: f64 = "startTime", Seconds;
        /// Duration in seconds.
        Required duration: f64 = "duration", Seconds;
        /// Position in the remote item at `startTime`, in seconds.
        Optional remote_start_time: Option<f64> = "remoteStartTime", Seconds;
        /// Share of the payment for the remote recipients, 0 to 100 percent.
        Optional remote_percentage: Option<f64> = "remotePercentage", Number;
        /// Feed or item whose recipients are paid, if this time split has no recipients.
        Optional remote_item: Option<RemoteItem> = "remoteItem", Records;
        /// Recipients of payments during this time.
        Optional recipients: Vec<ValueRecipient> = "recipients" or "recipient", Records;
    }

    /// `podcast:remoteItem`: another feed, or one of its items.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    RemoteItem = "podcast:remoteItem" {
        /// `podcast:guid` of the feed.
        Required feed_guid: String = "feedGuid", Text(256), alone, example("\"29cdca4a-32d8-56ba-b48b-09a011c5daa9\"");
        /// URL of the feed.
        Optional feed_url: Option<String> = "feedUrl", Url;
        /// `guid` of the item.
        Optional item_guid: Option<String> = "itemGuid", Text(4096);
        /// Medium of the feed; `podcast` when left out.
        Optional medium: Option<Medium> = "medium", Word(&Medium::NAMES);
        /// Title to show before the feed is fetched.
        Optional title: Option<String> = "title", Text(4096);
    }
}
