//! Podcast tags for funding, comments, chats and other links, and for free texts.

use borsh::{BorshDeserialize, BorshSerialize};

use super::vocabulary::{CHAT_PROTOCOLS, SOCIAL_PROTOCOLS};
use crate::declare::records;

records! {
    /// `podcast:funding`: a link for giving money.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    Funding = "podcast:funding" {
        /// Address of the page.
        Required url: String = "url", Url, alone;
        /// Text of the link in apps, at most 128 characters; may be empty.
        Optional text: String = "text", Text(128), content;
    }

    /// `podcast:contentLink`: the same content on another page, for apps that cannot play it.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    ContentLink = "podcast:contentLink" {
        /// Address of the page.
        Required href: String = "href", Url, alone;
        /// Text of the link in apps; may be empty.
        Optional text: String = "text", Text(4000), content;
    }

    /// `podcast:socialInteract`: the post whose replies are the comments.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    SocialInteract = "podcast:socialInteract" first ["priority"] {
        /// Protocol. [`SOCIAL_PROTOCOLS`](super::vocabulary::SOCIAL_PROTOCOLS) lists the known
        /// protocols; `disabled` turns comments off.
        Required protocol: String = "protocol", Known(128, "the list of social protocols", || SOCIAL_PROTOCOLS.to_vec()), example("\"activitypub\"");
        /// URI of the post; required unless the protocol is `disabled`.
        Optional uri: Option<String> = "uri", Text(4096), example("\"https://example.com/a\"");
        /// Account that published the post.
        Optional account_id: Option<String> = "accountId", Text(1024);
        /// Page of the account.
        Optional account_url: Option<String> = "accountUrl", Url;
        /// Priority among several posts; lower numbers come first.
        Optional priority: Option<i64> = "priority", Between(i64::MIN, i64::MAX);
    }

    /// `podcast:chat`: the official chat.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    Chat = "podcast:chat" {
        /// Host name of the server to connect to.
        Required server: String = "server", Text(255), example("\"example.com\"");
        /// Protocol. [`CHAT_PROTOCOLS`](super::vocabulary::CHAT_PROTOCOLS) lists the known
        /// protocols.
        Required protocol: String = "protocol", Known(128, "the list of chat protocols", || CHAT_PROTOCOLS.to_vec());
        /// Account of the author on the server.
        Optional account_id: Option<String> = "accountId", Text(1024);
        /// Room of the chat.
        Optional space: Option<String> = "space", Text(1024);
    }

    /// `podcast:txt`: free text for programs, like the TXT records of DNS.
    #[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
    Txt = "podcast:txt" {
        /// Purpose of the text, at most 128 characters.
        Optional purpose: Option<String> = "purpose", Text(128);
        /// Text, at most 4000 characters.
        Required text: String = "text", Text(4000), content, alone;
    }
}
