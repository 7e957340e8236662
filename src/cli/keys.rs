//! `feedwright keys`: creates, lists, rotates and revokes API keys.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Args, Subcommand};
use jiff::Timestamp;
use serde_json::json;

use super::output::{print, print_json, say};
use super::{Failure, shows, table, when};
use model::Diagnostic;
use state::{Key, Scope, Secret, State, StateError, Window};

/// The arguments of `keys`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  feedwright keys create --name laptop --scope content:read --expires 30d
  feedwright keys list")]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Create a key and print its secret once
    #[command(after_help = "Examples:
  feedwright keys create --name laptop --scope content:read --expires 30d
  feedwright keys create --name sync --scope content:read --scope calendar")]
    Create {
        /// Name of the key
        #[arg(long)]
        name: String,
        /// Permission of the key (repeat for several)
        #[arg(long = "scope", value_name = "SCOPE", required = true, value_parser = ScopeParser)]
        scopes: Vec<Scope>,
        /// Limit the key to the API of this show
        #[arg(long, value_name = "SHOW")]
        show: Option<String>,
        /// Expiry time, such as 2026-12-31, or 30d from now
        #[arg(long, value_name = "TIME")]
        expires: Option<String>,
        /// Start of validity, such as 2026-12-31, or 12h from now
        #[arg(long, value_name = "TIME")]
        not_before: Option<String>,
    },
    /// List all keys
    #[command(after_help = "Example:
  feedwright keys list")]
    List {
        /// Print JSON on standard output
        #[arg(long)]
        json: bool,
    },
    /// Replace the secret of a key and print the new one
    #[command(after_help = "Example:
  feedwright keys rotate laptop")]
    Rotate {
        /// ID or name of the key
        #[arg(value_name = "ID|NAME")]
        key: String,
    },
    /// Revoke a key permanently
    #[command(after_help = "Example:
  feedwright keys revoke laptop")]
    Revoke {
        /// ID or name of the key
        #[arg(value_name = "ID|NAME")]
        key: String,
    },
}

/// Manages the keys of the APIs.
pub fn run(root: &Path, arguments: &Arguments) -> Result<(), Failure> {
    let now = Timestamp::now();
    match &arguments.command {
        Command::Create { name, scopes, show: of_show, expires, not_before } => {
            if let Some(name) = of_show {
                shows::folder(root, name)?;
                check_scopes_of_show(scopes)?;
            }
            let window = Window {
                not_before: moment("--not-before", not_before.as_deref(), now)?,
                expires: moment("--expires", expires.as_deref(), now)?,
            };
            let (key, secret) = State::open(root)?.create_key_for(
                of_show.as_deref(),
                (name, scopes),
                window,
                now,
            )?;
            show("Created", &key, &secret)
        }
        Command::List { json } => {
            list(&State::open(root)?.keys()?, *json, now);
            Ok(())
        }
        Command::Rotate { key } => {
            let (key, secret) = State::open(root)?.rotate_key(key, now)?;
            show("Created a new secret for", &key, &secret)
        }
        Command::Revoke { key } => {
            let key = State::open(root)?.revoke_key(key, now)?;
            let when = key.revoked.filter(|time| time.as_millisecond() < now.as_millisecond());
            match when {
                Some(time) => {
                    say!("The key {:?} ({}) was already revoked at {time:.0}", key.name, key.id)
                }
                None => say!("Revoked the key {:?} ({})", key.name, key.id),
            }
            Ok(())
        }
    }
}

/// Rejects scopes that no operation in the API of a show needs.
fn check_scopes_of_show(scopes: &[Scope]) -> Result<(), Failure> {
    match scopes.iter().find(|scope| !scope.is_of_shows()) {
        None => Ok(()),
        Some(scope) => Err(Failure::Usage(format!(
            "--scope: {scope} belongs to the whole site; the API of a show has only {} and {}",
            Scope::CONTENT_READ,
            Scope::CONTENT_WRITE
        ))),
    }
}

/// Parses scopes, and lists all scopes in help texts and shell completions.
#[derive(Debug, Clone)]
struct ScopeParser;

impl TypedValueParser for ScopeParser {
    type Value = Scope;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<Scope, clap::Error> {
        let parser = StringValueParser::new().try_map(|name| name.parse::<Scope>());
        parser.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Scope::ALL.into_iter().map(|scope| PossibleValue::new(scope.as_str()))))
    }
}

fn moment(option: &str, text: Option<&str>, now: Timestamp) -> Result<Option<Timestamp>, Failure> {
    text.map(|text| when::ahead(text, now))
        .transpose()
        .map_err(|error| Failure::Usage(format!("{option}: {error}")))
}

/// Prints a description of a key to standard error. Prints only the secret to standard output,
/// where a script can read it.
fn show(done: &str, key: &Key, secret: &Secret) -> Result<(), Failure> {
    say!("{done} the key {:?}", key.name);
    say!("  id      {}", key.id);
    say!("  scopes  {}", names(key).join(", "));
    if let Some(show) = &key.show {
        say!("  show    {show}");
    }
    say!("  valid   {}", validity(key));
    say!("The secret is shown only once; programs send it as `Authorization: Bearer <secret>`:");
    writeln!(io::stdout(), "{}", secret.expose()).map_err(|error| {
        Failure::Usage(format!(
            "the secret could not be printed: {error}; create a new one with `feedwright keys rotate {}`",
            key.id
        ))
    })
}

fn names(key: &Key) -> Vec<&'static str> {
    key.scopes.iter().map(|scope| scope.as_str()).collect()
}

fn validity(key: &Key) -> String {
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
                "show": key.show,
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
        say!("There are no keys; run `feedwright keys create` to create one");
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
