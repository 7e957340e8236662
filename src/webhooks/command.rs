//! What commands do with webhooks: `build` and `deploy` tell that they are done, `webhooks` sends and tests.

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
use crate::model::{Config, Endpoint};
use crate::project::{Options, read_snapshot};
use crate::state::{Message, MessageState, NewMessage, State, StateError};

/// How long a command sends before it ends.
const LONGEST: Duration = Duration::from_secs(30);

/// What came of sending.
#[derive(Debug, Default)]
pub struct Told {
    /// What the author has to know.
    pub words: Vec<String>,
    /// Messages that are left.
    pub waiting: usize,
    /// Whether another process sends them.
    pub by_another: bool,
}

/// Tells webhooks of what a command did, and of what changed since the last time.
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
            let cut = keeper.follow(&read_snapshot(options), config, &config.webhooks, now)?;
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

/// Sends what is due, if no other process does.
pub fn send_queued(root: &Path, state: &State, config: &Config) -> Result<Told, StateError> {
    send(state, config, Keeper::take(root, state)?)
}

fn send(state: &State, config: &Config, keeper: Option<Keeper>) -> Result<Told, StateError> {
    let Some(keeper) = keeper else {
        return Ok(Told {
            waiting: state.open_messages()?,
            by_another: true,
            ..Told::default()
        });
    };
    let (mut sender, _wake, wakes) = Sender::new(state.clone(), variables());
    let latest = Instant::now() + LONGEST;
    let words = sender.drain(config, &keeper.turn, &wakes, latest)?;
    Ok(Told {
        words,
        waiting: state.open_messages()?,
        by_another: false,
    })
}

/// Sends a message that only says that it is one, and waits for what comes back.
pub fn test(config: &Config, endpoint: &Endpoint) -> Reply {
    let data = Test {
        url: config.url("/"),
        webhook: endpoint.name.clone(),
    };
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
    poster.post(endpoint, secret.trim(), &config.namespace, &message)
}

/// Those of the process.
fn variables() -> Variables {
    Arc::new(|name: &str| {
        std::env::var(name)
            .ok()
            .filter(|value| !value.trim().is_empty())
    })
}
