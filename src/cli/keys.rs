//! `feedwright keys`: creates, lists, rotates and revokes API keys.

use std::io::{self, Write};
use std::path::Path;

use clap::{Args, Subcommand};
use jiff::Timestamp;
use serde_json::json;

use super::output::{print, print_json, say};
use super::{Failure, table, when};
use model::Diagnostic;
use state::{Key, Scope, Secret, State, StateError, Window};

/// The arguments of `keys`.
#[derive(Debug, Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Make a key and print its secret, once
    Create {
        /// What to call it
        #[arg(long)]
        name: String,
        #[arg(long = "scope", value_name = "SCOPE", required = true, help = scopes())]
        scopes: Vec<Scope>,
        /// Let it end then, or after so long: 2026-12-31, 30d, 12h, 90m, 2w
        #[arg(long, value_name = "WHEN")]
        expires: Option<String>,
        /// Let it begin then, or after so long
        #[arg(long, value_name = "WHEN")]
        not_before: Option<String>,
    },
    /// List the keys
    List {
        /// Report as JSON on standard output
        #[arg(long)]
        json: bool,
    },
    /// Give a key another secret and print it, once; the old one ends at once
    Rotate {
        /// Its id or name
        #[arg(value_name = "ID|NAME")]
        key: String,
    },
    /// End a key for good
    Revoke {
        /// Its id or name
        #[arg(value_name = "ID|NAME")]
        key: String,
    },
}

/// Manages the keys of the APIs.
pub fn run(root: &Path, arguments: &Arguments) -> Result<(), Failure> {
    let now = Timestamp::now();
    match &arguments.command {
        Command::Create { name, scopes, expires, not_before } => {
            let window = Window {
                not_before: moment("--not-before", not_before.as_deref(), now)?,
                expires: moment("--expires", expires.as_deref(), now)?,
            };
            let (key, secret) = State::open(root)?.create_key(name, scopes, window, now)?;
            show("Made", &key, &secret)
        }
        Command::List { json } => {
            list(&State::open(root)?.keys()?, *json, now);
            Ok(())
        }
        Command::Rotate { key } => {
            let (key, secret) = State::open(root)?.rotate_key(key, now)?;
            show("Gave another secret to", &key, &secret)
        }
        Command::Revoke { key } => {
            let key = State::open(root)?.revoke_key(key, now)?;
            let when = key.revoked.filter(|time| time.as_millisecond() < now.as_millisecond());
            match when {
                Some(time) => {
                    say!("The key {:?} ({}) was revoked at {time:.0} already", key.name, key.id)
                }
                None => say!("Revoked the key {:?} ({})", key.name, key.id),
            }
            Ok(())
        }
    }
}

fn scopes() -> String {
    let names = Scope::ALL.map(Scope::as_str).join(", ");
    format!("What it may do; may be given several times: {names}")
}

fn moment(option: &str, text: Option<&str>, now: Timestamp) -> Result<Option<Timestamp>, Failure> {
    text.map(|text| when::ahead(text, now))
        .transpose()
        .map_err(|error| Failure::Usage(format!("{option}: {error}")))
}

/// Prints a description of the key to standard error, and only its secret to standard output, so
/// that a script can read it.
fn show(done: &str, key: &Key, secret: &Secret) -> Result<(), Failure> {
    say!("{done} the key {:?}", key.name);
    say!("  id      {}", key.id);
    say!("  scopes  {}", names(key).join(", "));
    say!("  valid   {}", valid(key));
    say!("Its secret is shown only now; programs send it as `Authorization: Bearer <secret>`:");
    writeln!(io::stdout(), "{}", secret.expose()).map_err(|error| {
        Failure::Usage(format!(
            "the secret could not be printed: {error}; get another with `feedwright keys rotate {}`",
            key.id
        ))
    })
}

fn names(key: &Key) -> Vec<&'static str> {
    key.scopes.iter().map(|scope| scope.as_str()).collect()
}

fn valid(key: &Key) -> String {
    match (key.window.not_before, key.window.expires) {
        (None, None) => "until it is revoked".to_owned(),
        (Some(start), None) => format!("from {start:.0} until it is revoked"),
        (None, Some(end)) => format!("until {end:.0}"),
        (Some(start), Some(end)) => format!("from {start:.0} until {end:.0}"),
    }
}

fn list(keys: &[Key], as_json: bool, now: Timestamp) {
    if as_json {
        let time = |time: Timestamp| format!("{time:.3}");
        let keys = keys.iter().map(|key| {
            json!({
                "id": key.id,
                "name": key.name,
                "scopes": names(key),
                "created": time(key.created),
                "not_before": key.window.not_before.map(time),
                "expires": key.window.expires.map(time),
                "revoked": key.revoked.map(time),
                "status": key.status(now).as_str(),
            })
        });
        return print_json(&keys.collect());
    }
    if keys.is_empty() {
        say!("There are no keys; `feedwright keys create` makes one");
        return;
    }
    let header = ["ID", "NAME", "STATUS", "SCOPES", "CREATED", "NOT BEFORE", "EXPIRES"];
    let mut rows = vec![header.map(str::to_owned).to_vec()];
    let or_dash =
        |time: Option<Timestamp>| time.map_or("-".to_owned(), |time| format!("{time:.0}"));
    rows.extend(keys.iter().map(|key| {
        vec![
            key.id.clone(),
            key.name.clone(),
            key.status(now).as_str().to_owned(),
            names(key).join(" "),
            format!("{:.0}", key.created),
            or_dash(key.window.not_before),
            or_dash(key.window.expires),
        ]
    }));
    table::print(&rows);
}

impl From<StateError> for Failure {
    fn from(error: StateError) -> Self {
        if let StateError::Key(error) = error {
            return Self::Usage(error.to_string());
        }
        let mut diagnostic = Diagnostic::error(error.to_string()).file(".feedwright/state.sqlite");
        if let Some(help) = error.help() {
            diagnostic = diagnostic.help(help);
        }
        print(&[diagnostic], None);
        Self::Errors
    }
}
