//! Links to money, comments, chats and other places, and free texts.

use borsh::{BorshDeserialize, BorshSerialize};

use super::vocabulary::{CHAT_PROTOCOLS, SOCIAL_PROTOCOLS};
use crate::declare::records;

records! {
    /// `podcast:funding`: a place to give money.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    Funding = "podcast:funding" {
        /// Where it leads.
        Required url: String = "url", Url, alone;
        /// What apps write on the link, at most 128 characters; may be empty.
        Optional text: String = "text", Text(128), content;
    }

    /// `podcast:contentLink`: the same content elsewhere, for apps that cannot play it.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    ContentLink = "podcast:contentLink" {
        /// Where it leads.
        Required href: String = "href", Url, alone;
        /// What apps write on the link; may be empty.
        Optional text: String = "text", Text(4000), content;
    }

    /// `podcast:socialInteract`: the post whose replies are the comments.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    SocialInteract = "podcast:socialInteract" first ["priority"] {
        /// The protocol, one of [`SOCIAL_PROTOCOLS`](super::vocabulary::SOCIAL_PROTOCOLS) as of today;
        /// `disabled` says that no comments are wanted.
        Required protocol: String = "protocol", Known(128, "the list of social protocols", || SOCIAL_PROTOCOLS.to_vec()), example("\"activitypub\"");
        /// The post's URI; there unless the protocol is `disabled`.
        Optional uri: Option<String> = "uri", Text(4096), example("\"https://example.com/a\"");
        /// The account that posted it.
        Optional account_id: Option<String> = "accountId", Text(1024);
        /// That account's page.
        Optional account_url: Option<String> = "accountUrl", Url;
        /// The order among several; the lower comes first.
        Optional priority: Option<i64> = "priority", Between(i64::MIN, i64::MAX);
    }

    /// `podcast:chat`: the official chat.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    Chat = "podcast:chat" {
        /// The host name of the server to connect to.
        Required server: String = "server", Text(255), example("\"example.com\"");
        /// The protocol, one of [`CHAT_PROTOCOLS`](super::vocabulary::CHAT_PROTOCOLS) as of today.
        Required protocol: String = "protocol", Known(128, "the list of chat protocols", || CHAT_PROTOCOLS.to_vec());
        /// The author's account there.
        Optional account_id: Option<String> = "accountId", Text(1024);
        /// The room.
        Optional space: Option<String> = "space", Text(1024);
    }

    /// `podcast:txt`: a free text for machines, as DNS has TXT records.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    Txt = "podcast:txt" {
        /// What it is for, at most 128 characters.
        Optional purpose: Option<String> = "purpose", Text(128);
        /// The text, at most 4000 characters.
        Required text: String = "text", Text(4000), content, alone;
    }
}
