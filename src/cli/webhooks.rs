//! `feedwright webhooks`: lists, tests and retries outgoing webhooks.

use std::path::Path;

use clap::{Args, Subcommand};
use jiff::Timestamp;
use serde_json::json;

use super::output::{count, fail_with, print_json, say};
use super::{Failure, table};
use model::{Config, Endpoint, shown};
use project::{Options, read_config};
use state::{Message, MessageState, State};
use webhooks::{NotifyResult, has_secret, send_queued, test};

/// The arguments of `webhooks`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  feedwright webhooks list
  feedwright webhooks test
  feedwright webhooks retry --all")]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List webhooks and their messages, newest first
    #[command(after_help = "Example:
  feedwright webhooks list --limit 10")]
    List {
        /// Maximum number of messages
        #[arg(long, value_name = "COUNT", default_value_t = 50)]
        limit: u32,
        /// Print JSON on standard output
        #[arg(long)]
        json: bool,
    },
    /// Send a test message now and print the answer
    #[command(after_help = "Examples:
  feedwright webhooks test
  feedwright webhooks test https://hooks.example/walks")]
    Test {
        /// Name or URL of the webhook [default: all]
        name: Option<String>,
        /// Print JSON on standard output
        #[arg(long)]
        json: bool,
    },
    /// Retry one message, or all waiting and failed messages
    #[command(after_help = "Examples:
  feedwright webhooks retry msg_4k2q7v9m0xw8r3t6y1zb5c
  feedwright webhooks retry --all")]
    Retry {
        /// ID of the message
        #[arg(value_name = "ID", required_unless_present = "all")]
        id: Option<String>,
        /// Retry every waiting or failed message
        #[arg(long, conflicts_with = "id")]
        all: bool,
        /// Print JSON on standard output
        #[arg(long)]
        json: bool,
    },
}

impl Command {
    fn as_json(&self) -> bool {
        match self {
            Self::List { json, .. } | Self::Test { json, .. } | Self::Retry { json, .. } => *json,
        }
    }
}

/// Runs a subcommand for outgoing webhooks.
pub fn run(root: &Path, arguments: &Arguments) -> Result<(), Failure> {
    let (config, found) = read_config(&Options::new(root));
    if found.has_errors() {
        return Err(fail_with(found, arguments.command.as_json(), ""));
    }
    match &arguments.command {
        Command::List { limit, json } => list(&config, &State::open(root)?, *limit, *json),
        Command::Test { name, json } => send_sample(&config, name.as_deref(), *json),
        Command::Retry { id, json, .. } => {
            retry(root, &config, &State::open(root)?, id.as_deref(), *json)
        }
    }
}

fn retry(
    root: &Path,
    config: &Config,
    state: &State,
    id: Option<&str>,
    as_json: bool,
) -> Result<(), Failure> {
    let due = state.retry_messages(id, Timestamp::now())?;
    if let (0, Some(id)) = (due, id) {
        let words = format!(
            "message {id} is unknown or cannot be sent again; run `feedwright webhooks list` to see all messages"
        );
        return Err(Failure::Usage(words));
    }
    let outcome = match due {
        0 => NotifyResult::default(),
        _ => send_queued(root, state, config)?,
    };
    if due == 0 {
        say!("There are no waiting or failed messages");
    }
    report(&outcome);
    if as_json {
        print_json(&json!({ "again": due, "waiting": outcome.waiting }));
    }
    Ok(())
}

/// Reports which messages were delivered, queued or given up.
pub(super) fn report(outcome: &NotifyResult) {
    for words in &outcome.words {
        say!("{words}");
    }
    let left = count(outcome.waiting, "webhook message is waiting", "webhook messages are waiting");
    match (outcome.waiting, outcome.by_another) {
        (0, _) => {}
        (_, true) => say!("{left}: the process that serves the site will send them"),
        (_, false) => {
            say!(
                "{left}: run `feedwright webhooks retry --all` to send them now; `serve`, `build` and `deploy` also send them"
            )
        }
    }
}

fn list(config: &Config, state: &State, limit: u32, as_json: bool) -> Result<(), Failure> {
    let messages = state.messages(limit)?;
    let gone = state.removed_endpoints()?;
    let open = state.count_open_messages()?;
    let is_known = |name: &str| config.webhooks.iter().any(|one| one.name == name);
    let left: Vec<&(String, usize)> = open.iter().filter(|(name, _)| !is_known(name)).collect();
    let standing = |endpoint: &Endpoint| {
        let is_gone = gone.iter().any(|(name, url)| *name == endpoint.name && *url == endpoint.url);
        match (is_gone, has_secret(endpoint)) {
            (true, _) => "gone",
            (false, true) => "ready",
            (false, false) => "no secret",
        }
    };
    if as_json {
        let endpoints = config.webhooks.iter().map(|endpoint| {
            json!({
                "name": shown(&endpoint.name),
                "url": endpoint.shown_url(),
                "events": endpoint.events,
                "secret_env": endpoint.secret_env,
                "status": standing(endpoint),
            })
        });
        let messages = messages.iter().map(message_as_json);
        print_json(&json!({
            "webhooks": endpoints.collect::<Vec<_>>(),
            "messages": messages.collect::<Vec<_>>(),
        }));
        return Ok(());
    }
    if config.webhooks.is_empty() {
        say!("site.toml has no webhooks: add [[webhooks]] with `url` and `secret_env`");
    }
    for endpoint in &config.webhooks {
        let events = match endpoint.events.as_slice() {
            [] => "all events".to_owned(),
            events => events.join(", "),
        };
        let standing = match standing(endpoint) {
            "no secret" => format!("; the environment variable {} does not contain a valid secret", endpoint.secret_env),
            "gone" => {
                "; the receiver answered 410 (gone): run `feedwright webhooks retry --all` to try again".to_owned()
            }
            _ => String::new(),
        };
        say!("{}: {events}{standing}", shown(&endpoint.name));
    }
    for (name, waiting) in left {
        say!(
            "{}: no longer in site.toml; {} for this webhook or another webhook with the same `secret_env`",
            shown(name),
            count(*waiting, "message is waiting", "messages are waiting")
        );
    }
    if messages.is_empty() {
        return Ok(());
    }
    let header = ["ID", "WEBHOOK", "TYPE", "ABOUT", "STATUS", "TRIED", "LAST ANSWER", "NEXT TRY"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    rows.extend(messages.iter().map(|message| {
        vec![
            message.id.clone(),
            shown(&message.endpoint).to_owned(),
            message.kind.clone(),
            message.resource.clone(),
            message.state.as_str().to_owned(),
            message.attempts.to_string(),
            message.answer.clone().unwrap_or("-".to_owned()),
            next_try(message).map_or("-".to_owned(), |time| format!("{time:.0}")),
        ]
    }));
    table::print(&rows);
    Ok(())
}

fn next_try(message: &Message) -> Option<Timestamp> {
    (message.state == MessageState::Waiting).then_some(message.next)
}

fn message_as_json(message: &Message) -> serde_json::Value {
    let time = |time: Timestamp| format!("{time:.3}");
    json!({
        "id": message.id,
        "webhook": shown(&message.endpoint),
        "type": message.kind,
        "about": message.resource,
        "time": time(message.time),
        "status": message.state.as_str(),
        "attempts": message.attempts,
        "answer": message.answer,
        "next": next_try(message).map(time),
        "ended": message.ended.map(time),
        "causation": message.causation,
        "correlation": message.correlation,
        "depth": message.depth,
    })
}

fn send_sample(config: &Config, name: Option<&str>, as_json: bool) -> Result<(), Failure> {
    let is_meant = |one: &&Endpoint| name.is_none_or(|name| one.name == name || one.url == name);
    let meant: Vec<&Endpoint> = config.webhooks.iter().filter(is_meant).collect();
    if meant.is_empty() {
        let names: Vec<&str> = config.webhooks.iter().map(|one| shown(&one.name)).collect();
        return Err(Failure::Usage(match (name, names.as_slice()) {
            (_, []) => {
                "site.toml has no webhooks: add [[webhooks]] with `url` and `secret_env`".into()
            }
            (name, names) => format!(
                "there is no webhook {:?}; the webhooks are {}",
                name.unwrap_or_default(),
                names.join(", ")
            ),
        }));
    }
    let mut is_well = true;
    let mut replies = Vec::new();
    for endpoint in meant {
        let reply = test(config, endpoint);
        let taken = matches!(reply.status, Some(200..=299));
        is_well &= taken;
        let name = shown(&endpoint.name);
        if as_json {
            replies.push(json!({
                "webhook": name,
                "taken": taken,
                "status": reply.status,
                "answer": reply.words,
            }));
            continue;
        }
        match taken {
            true => say!("{name} accepted the message: {}", reply.words),
            false => say!("{name} did not accept the message: {}", reply.words),
        }
        let text = reply.text.trim();
        if !text.is_empty() {
            say!("  {}", text.chars().take(200).collect::<String>());
        }
    }
    if as_json {
        print_json(&json!({ "webhooks": replies }));
    }
    match is_well {
        true => Ok(()),
        false => Err(Failure::Errors),
    }
}
