//! The use of webhooks by commands: `build` and `deploy` report that they are done, and `webhooks`
//! sends and tests.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use serde::Serialize;

use super::client::{Poster, Reply};
use super::keeper::{Keeper, new_id};
use super::pace::{Pace, VARIABLE};
use super::payload::Test;
use super::sender::{Sender, Variables};
use super::serving::loops;
use model::{Config, Endpoint, shown};
use project::{Options, read_config, read_snapshot};
use state::{Message, MessageState, NewMessage, State, StateError};

/// Maximum time that a command spends on sending.
const LONGEST: Duration = Duration::from_secs(30);

#[derive(Debug, Default)]
pub struct Told {
    /// Messages for the author.
    pub words: Vec<String>,
    pub waiting: usize,
    /// Whether another process sends the messages.
    pub by_another: bool,
}

/// Notifies webhooks of the result of a command, and of changes since the last comparison.
pub fn tell(
    options: &Options,
    config: &Config,
    kind: &str,
    data: &impl Serialize,
) -> Result<Told, StateError> {
    if config.webhooks.is_empty() {
        return Ok(Told::default());
    }
    let state = State::open(&options.root)?;
    let keeper = Keeper::take(&options.root, &state)?;
    let now = Timestamp::now();
    let mut words = Vec::new();
    let keeper = match keeper {
        Some(mut keeper) => {
            // The public site follows the files, regardless of the options of this build.
            let own = Options::new(&options.root);
            let published = read_config(&own).0;
            let cut = keeper.follow(&read_snapshot(&own), &published, &config.webhooks, now)?;
            words.extend(loops(&cut));
            Some(keeper)
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
    let told = send(&state, config, keeper)?;
    words.extend(told.words);
    Ok(Told { words, ..told })
}

/// Sends due messages, unless another process does.
pub fn send_queued(root: &Path, state: &State, config: &Config) -> Result<Told, StateError> {
    send(state, config, Keeper::take(root, state)?)
}

fn send(state: &State, config: &Config, keeper: Option<Keeper>) -> Result<Told, StateError> {
    let Some(keeper) = keeper else {
        return Ok(Told { waiting: waiting(state, config)?, by_another: true, ..Told::default() });
    };
    let (mut sender, _wake, wakes) = Sender::new(state.clone(), variables());
    let latest = Instant::now() + LONGEST;
    let words = sender.drain(config, &keeper.turn, &wakes, latest)?;
    Ok(Told { words, waiting: waiting(state, config)?, by_another: false })
}

/// Returns the number of messages that wait for the site's webhooks.
fn waiting(state: &State, config: &Config) -> Result<usize, StateError> {
    let open = state.open_messages()?;
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

/// Returns a reader for the environment variables of the process.
fn variables() -> Variables {
    Arc::new(|name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty()))
}
