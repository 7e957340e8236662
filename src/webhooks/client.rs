//! Makes one attempt to send a message to its receiver.

use std::io::Read;
use std::time::Duration;

use fetch::{Client, Kind, Options, Reach, Request, Url};
use jiff::Timestamp;

use super::message::{body, is_test};
use super::pace::Pace;
use model::{Endpoint, trace_header};
use state::{Attempt, Message};

/// Maximum number of messages that are sent to one receiver in parallel.
pub const MAX_CONCURRENT_POSTS: usize = 4;

/// Maximum number of bytes to read from a receiver's response.
const MAX_RESPONSE_BYTES: u64 = 1024;

#[derive(Debug)]
pub struct Poster {
    internet: Client,
    local_or_internet: Client,
    pace: Pace,
}

#[derive(Debug)]
pub struct Reply {
    /// The HTTP status. `None` if there was no response.
    pub status: Option<u16>,
    /// A description of the result for the author.
    pub words: String,
    /// The beginning of the response body.
    pub text: String,
    /// The delay before the next attempt, as requested by the receiver.
    retry_after: Option<Duration>,
}

impl Poster {
    pub fn new(pace: Pace) -> Self {
        let client = |reach| {
            Client::new(Options {
                user_agent: concat!("feedwright/", env!("CARGO_PKG_VERSION")).to_owned(),
                reach,
                max_per_host: MAX_CONCURRENT_POSTS,
                timeout: pace.response_timeout(),
                max_time: Some(pace.response_timeout()),
                redirects: 0,
                retries: 0,
                ..Options::default()
            })
        };
        Self {
            internet: client(Reach::Internet),
            local_or_internet: client(Reach::Everywhere),
            pace,
        }
    }

    /// Sends a message with a POST request. The signature contains the current time.
    pub fn post(&self, to: &Endpoint, secret: &str, namespace: &str, message: &Message) -> Reply {
        let nothing =
            |words: String| Reply { status: None, words, text: String::new(), retry_after: None };
        let body = body(message);
        let time = Timestamp::now().as_second().to_string();
        let Some(signature) = fetch::sign(secret, &message.id, &time, &body) else {
            return nothing(secret_error(to));
        };
        let named = |name| trace_header(namespace, name).to_ascii_lowercase();
        let (causation, correlation) = (named("Causation"), named("Correlation"));
        let [event, attempt, test] = delivery_headers(namespace);
        let attempts = message.attempts.max(1).to_string();
        let mut headers = vec![
            (&*event, &*message.kind),
            (&*attempt, &*attempts),
            (&*test, if is_test(message) { "true" } else { "false" }),
            ("content-type", "application/json"),
            ("webhook-id", &message.id),
            ("webhook-timestamp", &time),
            ("webhook-signature", &signature),
        ];
        headers.extend(message.causation.as_deref().map(|id| (&*causation, id)));
        headers.extend(message.correlation.as_deref().map(|id| (&*correlation, id)));
        let client = if to.is_local { &self.local_or_internet } else { &self.internet };
        let sent = client.send(&Request {
            method: "POST",
            url: &to.url,
            headers: &headers,
            body: body.as_bytes(),
        });
        match sent {
            Ok(answer) => {
                let (status, retry_after) = (answer.status, answer.retry_after());
                let words = match status {
                    200..=299 => status.to_string(),
                    300..=399 => format!(
                        "{status}: redirects are not followed; write the new address in site.toml"
                    ),
                    410 => "410: the receiver is gone; no more messages are sent to it".to_owned(),
                    _ => format!("{status}: {}", answer.refusal().message),
                };
                let mut text = Vec::new();
                // The response body is only displayed, so reading its beginning is enough.
                let _ = answer.reader().take(MAX_RESPONSE_BYTES).read_to_end(&mut text);
                Reply {
                    status: Some(status),
                    words: without_query(&words, to),
                    text: String::from_utf8_lossy(&text).into_owned(),
                    retry_after,
                }
            }
            Err(fault) if fault.kind == Kind::Local => nothing(format!(
                "{} is an address of this machine or its network: set `local = true` for the webhook to allow it",
                to.shown_url()
            )),
            Err(fault) => nothing(without_query(&fault.message, to)),
        }
    }

    /// Returns the result of an attempt, based on the receiver's reply. If the message will be
    /// retried, the result contains the time.
    pub fn attempt(&self, to: &Endpoint, message: &Message, reply: Reply) -> Attempt {
        match reply.status {
            Some(200..=299) => Attempt::Delivered(reply.words),
            Some(410) => Attempt::Gone(reply.words, to.url.clone()),
            _ => match self.pace.next(message.attempts, reply.retry_after, Timestamp::now()) {
                Some(next) => Attempt::Again(reply.words, next),
                None => Attempt::GivenUp(reply.words),
            },
        }
    }
}

/// Returns the names of the header fields for the type of the event, the number of the attempt, and
/// whether the message is a test.
pub fn delivery_headers(namespace: &str) -> [String; 3] {
    let namespace = namespace.to_ascii_lowercase();
    ["event", "attempt", "test"].map(|name| format!("x-{namespace}-{name}"))
}

/// Returns the error message for a webhook whose secret is missing or invalid, so that messages
/// cannot be signed.
pub fn secret_error(to: &Endpoint) -> String {
    format!(
        "{} does not contain a valid secret: set it to `whsec_` followed by at least 24 random bytes in base64",
        to.secret_env
    )
}

/// Removes the query of the webhook's URL from an error message, because the query may contain a
/// token. The error message contains the URL either as configured or in the normalized form of a
/// URL parser.
fn without_query(words: &str, to: &Endpoint) -> String {
    let words = words.replace(&to.url, to.shown_url());
    match Url::parse(&to.url).as_ref().map(Url::query) {
        Ok(Some(query)) => words.replace(&format!("?{query}"), ""),
        _ => words,
    }
}
