//! Sends due messages from the queue. Several messages are sent in parallel, but messages about the
//! same resource are sent one after another.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use jiff::Timestamp;

use super::client::{MAX_CONCURRENT_POSTS, Poster, secret_error};
use super::ledger_comparer::SenderLock;
use super::pace::{Pace, VARIABLE};
use model::{Config, Endpoint, shown};
use state::{Attempt, Message, State, StateError};

/// A function that returns the value of an environment variable.
pub type Variables = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

#[derive(Debug)]
pub enum Wake {
    Changed,
    /// An attempt has ended.
    AttemptEnd(Box<AttemptEnd>),
    /// The sender must stop.
    Stop,
}

/// The result of an attempt.
#[derive(Debug)]
pub struct AttemptEnd {
    pub message: Message,
    pub attempt: Attempt,
    pub is_noted: bool,
}

pub struct Sender {
    state: State,
    variables: Variables,
    poster: Arc<Poster>,
    pace: Pace,
    wake: mpsc::Sender<Wake>,
    /// The number of attempts in progress, by webhook.
    running: HashMap<String, usize>,
    /// Names of webhooks whose last attempt failed.
    failing: BTreeSet<String>,
    /// Permanent problems that were already reported.
    reported_problems: BTreeSet<String>,
    /// Results of attempts that could not be stored, because the disk was full or another process
    /// had the state locked.
    unsaved_results: Vec<(Message, Attempt)>,
    /// The webhooks that were last stored in the database.
    known: Option<Vec<Endpoint>>,
}

impl Sender {
    pub fn new(state: State, variables: Variables) -> (Self, mpsc::Sender<Wake>, Receiver<Wake>) {
        let (wake, wakes) = mpsc::channel();
        let pace = Pace::of(variables(VARIABLE).as_deref());
        let sender = Self {
            state,
            variables,
            poster: Arc::new(Poster::new(pace)),
            pace,
            wake: wake.clone(),
            running: HashMap::new(),
            failing: BTreeSet::new(),
            reported_problems: BTreeSet::new(),
            unsaved_results: Vec::new(),
            known: None,
        };
        (sender, wake, wakes)
    }

    /// Starts sending due messages. Returns notices for the author.
    pub fn begin(&mut self, config: &Config, turn: &SenderLock) -> Result<Vec<String>, StateError> {
        self.catch_up(config)?;
        let gone = self.state.removed_endpoints()?;
        let mut told = Vec::new();
        for endpoint in &config.webhooks {
            // A removed webhook whose name is reused for another address counts as a different
            // receiver.
            if gone.iter().any(|(name, url)| *name == endpoint.name && *url == endpoint.url) {
                continue;
            }
            let Some(secret) = self.secret(endpoint) else {
                let why = format!(
                    "no messages are sent to the webhook {}: {}",
                    shown(&endpoint.name),
                    secret_error(endpoint)
                );
                told.extend(self.reported_problems.insert(why.clone()).then_some(why));
                continue;
            };
            let running = self.running.get(&endpoint.name).copied();
            let room = MAX_CONCURRENT_POSTS.saturating_sub(running.unwrap_or_default());
            if room == 0 {
                continue;
            }
            let due = self.state.take_messages(&endpoint.name, room, Timestamp::now())?;
            for message in due {
                *self.running.entry(endpoint.name.clone()).or_default() += 1;
                self.send(
                    endpoint.clone(),
                    secret.clone(),
                    config.namespace.clone(),
                    message,
                    turn,
                );
            }
        }
        Ok(told)
    }

    /// Stores all pending results in the database. Until this succeeds, no more messages are sent.
    fn catch_up(&mut self, config: &Config) -> Result<(), StateError> {
        while let Some((message, attempt)) = self.unsaved_results.last() {
            self.state.end_attempt(message, attempt, Timestamp::now())?;
            self.unsaved_results.pop();
        }
        if self.known.as_ref() != Some(&config.webhooks) {
            self.state.store_endpoints(&config.webhooks)?;
            self.known = Some(config.webhooks.clone());
        }
        Ok(())
    }

    fn secret(&self, endpoint: &Endpoint) -> Option<String> {
        (self.variables)(&endpoint.secret_env).filter(|secret| fetch::is_secret(secret))
    }

    fn send(
        &self,
        to: Endpoint,
        secret: String,
        namespace: String,
        message: Message,
        turn: &SenderLock,
    ) {
        let (state, poster, wake) =
            (self.state.clone(), Arc::clone(&self.poster), self.wake.clone());
        // The thread holds the lock until the attempt has ended, so that no other process sends the
        // next message in the meantime.
        let turn = Arc::clone(turn);
        thread::spawn(move || {
            let reply = poster.post(&to, &secret, &namespace, &message);
            let attempt = poster.attempt(&to, &message, reply);
            let noted = state.end_attempt(&message, &attempt, Timestamp::now());
            drop(turn);
            let _ = wake.send(Wake::AttemptEnd(Box::new(AttemptEnd {
                message,
                attempt,
                is_noted: noted.is_ok(),
            })));
        });
    }

    /// Handles the end of an attempt. Returns a notice for the author, if there is one.
    pub fn ended(&mut self, ended: AttemptEnd) -> Option<String> {
        let AttemptEnd { message, attempt, is_noted } = ended;
        if let Some(running) = self.running.get_mut(&message.endpoint) {
            *running = running.saturating_sub(1);
        }
        let name = shown(&message.endpoint);
        let told = match &attempt {
            Attempt::Delivered(_) => {
                let is_mended = self.failing.remove(name);
                is_mended.then(|| format!("the webhook {name} accepts messages again"))
            }
            Attempt::Again(why, _) => self.failing.insert(name.to_owned()).then(|| {
                format!(
                    "the webhook {name} did not accept a message, which will be sent again later: {why}"
                )
            }),
            Attempt::GivenUp(why) => Some(format!(
                "the webhook {name} did not accept the message {} {}, and retries have ended: {why}; run `feedwright webhooks retry {}` to send it again",
                message.kind, message.resource, message.id
            )),
            Attempt::Gone(why, _) => Some(format!("the webhook {name}: {why}")),
        };
        if !is_noted {
            self.unsaved_results.push((message, attempt));
        }
        told
    }

    /// Sends messages until no message is due soon, or until the time `latest`. Returns notices for
    /// the author.
    pub fn drain(
        &mut self,
        config: &Config,
        turn: &SenderLock,
        wakes: &Receiver<Wake>,
        latest: Instant,
    ) -> Result<Vec<String>, StateError> {
        let mut told = Vec::new();
        while Instant::now() < latest {
            told.extend(self.begin(config, turn)?);
            let pause = match self.running.values().sum::<usize>() {
                0 => match self.soon(config)? {
                    None => break,
                    Some(pause) => pause,
                },
                _ => self.pace.response_timeout(),
            };
            let pause = pause.min(latest.saturating_duration_since(Instant::now()));
            match wakes.recv_timeout(pause) {
                Ok(Wake::AttemptEnd(ended)) => told.extend(self.ended(*ended)),
                Ok(Wake::Stop) | Err(RecvTimeoutError::Disconnected) => break,
                Ok(Wake::Changed) | Err(RecvTimeoutError::Timeout) => {}
            }
        }
        Ok(told)
    }

    /// Returns the time until the next message is due, if it is due soon.
    fn soon(&self, config: &Config) -> Result<Option<Duration>, StateError> {
        let now = Timestamp::now();
        let mut first = None;
        for endpoint in &config.webhooks {
            if self.secret(endpoint).is_some()
                && let Some(next) = self.state.next_message(&endpoint.name, now)?
            {
                let pause = Duration::try_from(next.duration_since(now));
                let pause = pause.unwrap_or_default();
                first = Some(first.map_or(pause, |first: Duration| first.min(pause)));
            }
        }
        Ok(first
            .filter(|pause| *pause <= self.pace.soon())
            .map(|pause| pause.max(Duration::from_millis(5))))
    }
}
