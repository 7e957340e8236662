//! Webhooks in commands. `build` and `deploy` report their results, and `webhooks` sends queued
//! messages and test messages.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde::Serialize;

use super::client::{Poster, Reply};
use super::ledger_comparer::{LedgerComparer, new_id};
use super::pace::{Pace, VARIABLE};
use super::payload::Test;
use super::sender::{Sender, Variables};
use super::serving::loop_warning;
use model::{Config, Endpoint, shown};
use project::{Options, read_config, read_snapshot};
use state::{Message, MessageState, NewMessage, State, StateError};

/// Maximum time for which a command sends messages.
const MAX_SEND_DURATION: Duration = Duration::from_secs(30);

#[derive(Debug, Default)]
pub struct NotifyResult {
    /// Messages for the author.
    pub words: Vec<String>,
    pub waiting: usize,
    /// Whether another process is responsible for sending the messages.
    pub by_another: bool,
}

/// Notifies webhooks of the result of a command, and of all changes since the ledger was last
/// compared with the site.
pub fn tell(
    options: &Options,
    config: &Config,
    kind: &str,
    data: &impl Serialize,
) -> Result<NotifyResult, StateError> {
    if config.webhooks.is_empty() {
        return Ok(NotifyResult::default());
    }
    let state = State::open(&options.root)?;
    let ledger_comparer = LedgerComparer::take(&options.root, &state)?;
    let now = Timestamp::now();
    let mut words = Vec::new();
    let ledger_comparer = match ledger_comparer {
        Some(mut ledger_comparer) => {
            // The published site depends only on `site.toml`, not on the options of this build.
            let own = Options::new(&options.root);
            let published = read_config(&own).0;
            let cut = ledger_comparer.queue_changes(
                &read_snapshot(&own),
                &published,
                &config.webhooks,
                now,
            )?;
            words.extend(loop_warning(&cut));
            Some(ledger_comparer)
        }
        None => None,
    };
    let id = new_id();
    let takers = config.webhooks.iter().filter(|one| one.takes(kind));
    let messages: Vec<NewMessage> = takers
        .map(|endpoint| NewMessage {
            id: id.clone(),
            endpoint: endpoint.name.clone(),
            kind: kind.to_owned(),
            resource: kind.to_owned(),
            data: serde_json::to_string(data).unwrap_or_default(),
            changed: None,
            causation: None,
            correlation: None,
            depth: 0,
            merges: true,
            is_cut: false,
        })
        .collect();
    state.queue_messages(&messages, now)?;
    let told = send(&state, config, ledger_comparer)?;
    words.extend(told.words);
    Ok(NotifyResult { words, ..told })
}

/// Sends due messages, unless another process is responsible for sending.
pub fn send_queued(
    root: &Path,
    state: &State,
    config: &Config,
) -> Result<NotifyResult, StateError> {
    send(state, config, LedgerComparer::take(root, state)?)
}

fn send(
    state: &State,
    config: &Config,
    ledger_comparer: Option<LedgerComparer>,
) -> Result<NotifyResult, StateError> {
    let Some(ledger_comparer) = ledger_comparer else {
        return Ok(NotifyResult {
            waiting: waiting(state, config)?,
            by_another: true,
            ..NotifyResult::default()
        });
    };
    let (mut sender, _wake, wakes) = Sender::new(state.clone(), variables());
    let latest = Instant::now() + MAX_SEND_DURATION;
    let words = sender.drain(config, &ledger_comparer.turn, &wakes, latest)?;
    Ok(NotifyResult { words, waiting: waiting(state, config)?, by_another: false })
}

/// Returns the number of queued messages for the site's webhooks.
fn waiting(state: &State, config: &Config) -> Result<usize, StateError> {
    let open = state.count_open_messages()?;
    let is_own = |name: &str| config.webhooks.iter().any(|one| one.name == name);
    let own = open.iter().filter(|(name, _)| is_own(name));
    Ok(own.map(|(_, count)| count).sum())
}

/// Sends a test message, and waits for the reply.
pub fn test(config: &Config, endpoint: &Endpoint) -> Reply {
    let data = Test { url: config.url("/"), webhook: shown(&endpoint.name).to_owned() };
    let now = Timestamp::now();
    let message = Message {
        number: 0,
        id: new_id(),
        endpoint: endpoint.name.clone(),
        kind: "webhook.test".to_owned(),
        resource: "webhook".to_owned(),
        time: now,
        data: serde_json::to_string(&data).unwrap_or_default(),
        changed: None,
        causation: None,
        correlation: None,
        depth: 0,
        state: MessageState::Sending,
        attempts: 1,
        next: now,
        answer: None,
        ended: None,
    };
    let variables = variables();
    let poster = Poster::new(Pace::of(variables(VARIABLE).as_deref()));
    let secret = variables(&endpoint.secret_env).unwrap_or_default();
    poster.post(endpoint, &secret, &config.namespace, &message)
}

/// Whether messages to a webhook can be signed.
pub fn has_secret(endpoint: &Endpoint) -> bool {
    variables()(&endpoint.secret_env).is_some_and(|secret| fetch::is_secret(&secret))
}

/// Returns a function that reads environment variables of this process. Blank values count as
/// missing.
fn variables() -> Variables {
    Arc::new(|name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty()))
}
