//! Realtime applications (video meetings and live streams) and the webhooks that report their
//! events.

use std::fmt;

use jiff::Timestamp;
use serde::Serialize;
use uuid::Uuid;

use super::VARIABLE_NAME;
use super::declare::keys;
use super::named::words;

keys! {
    /// Keys of `[[realtime]]` in `site.toml`.
    REALTIME {
        /// unique id of the app
        Required "app_id", Own("1 to 64 of `A–Z a–z 0–9 _ -`", &[Plain]);
        /// environment variable with the secret that signs the app's webhook messages; do not write
        /// the secret itself
        Optional "secret_env", VARIABLE_NAME;
        /// webhooks of the app, as `[[realtime.webhooks]]`
        Optional "webhooks", Own("list of tables", &[Keys(REALTIME_WEBHOOK)]), listed => Vec::<String>::new();
    }

    /// Keys of `[[realtime.webhooks]]` in `site.toml`.
    REALTIME_WEBHOOK {
        /// unique id of the webhook
        Required "id", Own("UUID", &[Plain]);
        /// name of the webhook
        Required "name", Text(200);
        /// address to send events to
        Required "url", Own("address", &[UpTo(2048)]);
        /// events to send: any of `meeting.started`, `meeting.ended`, `meeting.participantJoined`,
        /// `meeting.participantLeft`, `meeting.chatSynced`, `recording.statusUpdate`,
        /// `livestreaming.statusUpdate`, `meeting.transcript`, `meeting.summary`
        Required "events", Own("list, each kind once", &[Written::Word(RealtimeEvent::NAMES)]), listed;
        /// whether events are sent
        Optional "enabled", Flag => true;
        /// time of creation
        Optional "created_at", Time, left_out("`updated_at`");
        /// time of the last change, which cannot be before `created_at`
        Optional "updated_at", Time, left_out("`created_at`");
    }
}

/// A realtime application: an entry of `[[realtime]]` in `site.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RealtimeApp {
    pub id: AppId,
    /// Environment variable that holds the secret with which webhook messages are signed. None if
    /// no messages are received.
    pub secret_env: Option<String>,
    pub webhooks: Vec<Webhook>,
}

impl RealtimeApp {
    pub fn webhook(&self, id: WebhookId) -> Option<&Webhook> {
        self.webhooks.iter().find(|webhook| webhook.id == id)
    }
}

/// A webhook: an address that events are sent to.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct Webhook {
    pub id: WebhookId,
    pub created_at: Timestamp,
    /// Time of the last change, never before the creation.
    pub updated_at: Timestamp,
    pub enabled: bool,
    /// Events to send, without duplicates, in the author's order.
    pub events: Vec<RealtimeEvent>,
    pub name: String,
    /// `http:` or `https:` URL that events are sent to.
    pub url: String,
}

/// Id of a realtime application: 1 to 64 of the characters `A–Z a–z 0–9 _ -`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AppId(String);

impl AppId {
    /// Parses an id. Returns None if the string is not a valid id.
    pub fn parse(text: &str) -> Option<Self> {
        let valid = (1..=64).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
        valid.then(|| Self(text.to_owned()))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for AppId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Id of a webhook: a UUID (RFC 9562), parsed in either case and written in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WebhookId(Uuid);

impl WebhookId {
    /// Parses an id in the form of RFC 9562, section 4: 32 hexadecimal digits in five groups.
    /// Returns None for any other string.
    pub fn parse(text: &str) -> Option<Self> {
        // `Uuid::try_parse` also accepts other notations, which have different lengths.
        let has_groups = text.len() == 36;
        Uuid::try_parse(text).ok().filter(|_| has_groups).map(Self)
    }
}

impl fmt::Display for WebhookId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

impl Serialize for WebhookId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

words! {
    /// Events of a realtime application.
    #[derive(PartialOrd, Ord)]
    RealtimeEvent {
        /// A meeting began.
        MeetingStarted = "meeting.started",
        /// A meeting ended.
        MeetingEnded = "meeting.ended",
        /// A participant joined a meeting.
        ParticipantJoined = "meeting.participantJoined",
        /// A participant left a meeting.
        ParticipantLeft = "meeting.participantLeft",
        /// A meeting's chat was stored.
        ChatSynced = "meeting.chatSynced",
        /// A recording began, ended, was stored or failed.
        RecordingStatus = "recording.statusUpdate",
        /// A live stream began, ended or failed.
        LivestreamingStatus = "livestreaming.statusUpdate",
        /// A meeting's transcript is available.
        Transcript = "meeting.transcript",
        /// A meeting's summary is available.
        Summary = "meeting.summary",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_webhook_id_round_trips_in_lower_case(
            text in prop_oneof!["[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", "[{0-9a-f-]{30,40}", any::<String>()],
        ) {
            if let Some(id) = WebhookId::parse(&text) {
                prop_assert_eq!(id.to_string(), text.to_lowercase());
            }
        }
    }

    #[test]
    fn a_webhook_id_is_a_hyphenated_uuid() {
        const ID: &str = "6c9f1a7e-3b52-4d0c-9a51-0f3c2b7d8e14";
        let id = WebhookId::parse(ID).unwrap();
        assert_eq!(id.to_string(), ID);
        assert_eq!(WebhookId::parse(&ID.to_uppercase()), Some(id));
        for text in [
            "",
            "6c9f1a7e",
            "6c9f1a7e3b524d0c9a510f3c2b7d8e14",
            "{6c9f1a7e-3b52-4d0c-9a51-0f3c2b7d8e14}",
            "urn:uuid:6c9f1a7e-3b52-4d0c-9a51-0f3c2b7d8e14",
            "6c9f1a7e-3b52-4d0c-9a51-0f3c2b7d8e1g",
            "6c9f1a7e3-b52-4d0c-9a51-0f3c2b7d8e14",
        ] {
            assert_eq!(WebhookId::parse(text), None, "{text}");
        }
    }

    #[test]
    fn an_app_id_has_1_to_64_plain_characters() {
        let max_length = "x".repeat(64);
        for text in ["a", "Live_show-2", &max_length] {
            assert_eq!(AppId::parse(text).unwrap().as_str(), text);
        }
        for text in ["", "a b", "a/b", "ä", "a.b", &"x".repeat(65)] {
            assert_eq!(AppId::parse(text), None, "{text}");
        }
    }
}
