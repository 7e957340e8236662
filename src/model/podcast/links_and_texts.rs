//! Links to money, comments, chats and other places, and free texts.

use borsh::{BorshDeserialize, BorshSerialize};
use schemars::JsonSchema;
use serde::Serialize;

/// `podcast:funding`: a place to give money.
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
pub struct Funding {
    /// Where it leads.
    pub url: String,
    /// What apps write on the link, at most 128 characters; may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
}

/// `podcast:contentLink`: the same content elsewhere, for apps that cannot play it.
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
pub struct ContentLink {
    /// Where it leads.
    pub href: String,
    /// What apps write on the link; may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
}

/// `podcast:socialInteract`: the post whose replies are the comments.
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
pub struct SocialInteract {
    /// The protocol, one of [`SOCIAL_PROTOCOLS`](super::vocabulary::SOCIAL_PROTOCOLS) as of today;
    /// `disabled` says that no comments are wanted.
    pub protocol: String,
    /// The post's URI; there unless the protocol is `disabled`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uri: Option<String>,
    /// The account that posted it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account_id: Option<String>,
    /// That account's page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account_url: Option<String>,
    /// The order among several; the lower comes first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<i64>,
}

/// `podcast:chat`: the official chat.
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
pub struct Chat {
    /// The host name of the server to connect to.
    pub server: String,
    /// The protocol, one of [`CHAT_PROTOCOLS`](super::vocabulary::CHAT_PROTOCOLS) as of today.
    pub protocol: String,
    /// The author's account there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account_id: Option<String>,
    /// The room.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub space: Option<String>,
}

/// `podcast:txt`: a free text for machines, as DNS has TXT records.
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
pub struct Txt {
    /// What it is for, at most 128 characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
    /// The text, at most 4000 characters.
    pub text: String,
}
