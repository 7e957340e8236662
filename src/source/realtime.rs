//! `[[realtime]]` of `site.toml`: realtime applications and their webhooks.

use std::collections::BTreeSet;
use std::fmt::Display;

use front_matter::{Node, Value};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::fields::Fields;
use model::{AppId, RealtimeApp, RealtimeEvent, Rule, Webhook, WebhookId};

/// Reads the applications. Dates without an offset are in `zone`.
pub fn read(fields: &Fields<'_, '_>, zone: &TimeZone) -> Vec<RealtimeApp> {
    let mut known = AppsReader {
        zone,
        apps: BTreeSet::new(),
        webhooks: BTreeSet::new(),
        secrets: BTreeSet::new(),
    };
    tables(fields, "realtime", |fields, node| known.app(fields, node))
}

/// Reader of applications. It remembers the ids and secrets that are already in use.
struct AppsReader<'a> {
    zone: &'a TimeZone,
    apps: BTreeSet<AppId>,
    webhooks: BTreeSet<WebhookId>,
    secrets: BTreeSet<String>,
}

impl AppsReader<'_> {
    fn app(&mut self, fields: &Fields<'_, '_>, node: &Node) -> Option<RealtimeApp> {
        let parse = |text: &str| {
            AppId::parse(text).ok_or("use 1 to 64 of the characters A–Z, a–z, 0–9, _ and -")
        };
        let id = id(fields, node, "app_id", parse, &mut self.apps);
        refuse_secret(fields);
        let secret_env = secret_env(fields);
        self.warn_of_shared(fields, secret_env.as_deref());
        let webhooks = tables(fields, "webhooks", |fields, node| self.webhook(fields, node));
        Some(RealtimeApp { id: id?, secret_env, webhooks })
    }

    /// Warns about a secret that two apps share, because a signature does not show which of the
    /// apps it is for.
    fn warn_of_shared(&mut self, fields: &Fields<'_, '_>, secret_env: Option<&str>) {
        let (Some(name), Some(node)) = (secret_env, fields.node("secret_env")) else {
            return;
        };
        if !self.secrets.insert(name.to_owned()) {
            let message = format!("the secret in {name} is also used by another app");
            let help = "give each app a separate secret: with a shared secret, a signature for one app is valid for both";
            fields.reader.warning(Rule::SharedSecret, &node.span, message, help);
        }
    }

    fn webhook(&mut self, fields: &Fields<'_, '_>, node: &Node) -> Option<Webhook> {
        let parse = |text: &str| {
            WebhookId::parse(text)
                .ok_or("write a UUID, such as 6c9f1a7e-3b52-4d0c-9a51-0f3c2b7d8e14")
        };
        let id = id(fields, node, "id", parse, &mut self.webhooks);
        refuse_secret(fields);
        let name = fields.required_text("name", &node.span);
        let url = fields.required_text("url", &node.span);
        let url = url.and_then(|_| fields.http_url("url"));
        let enabled = fields.bool("enabled").unwrap_or(true);
        let events = events(fields, node);
        let (created_at, updated_at) = self.dates(fields);
        Some(Webhook { id: id?, created_at, updated_at, enabled, events, name: name?, url: url? })
    }

    /// Returns the times when a webhook was created and last changed. If one date is missing, the
    /// other date is used. If both are missing, both are the Unix epoch, because the file's own
    /// date differs in every clone of a repository.
    fn dates(&self, fields: &Fields<'_, '_>) -> (Timestamp, Timestamp) {
        let created = fields.date_in("created_at", self.zone);
        let updated = fields.date_in("updated_at", self.zone);
        if let (Some(created), Some(updated), Some(node)) =
            (created, updated, fields.node("updated_at"))
            && updated < created
        {
            fields.reader.error(
                &node.span,
                format!("`{}` is before `created_at`", fields.name("updated_at")),
                "correct one of the two dates: `updated_at` cannot be earlier",
            );
        }
        let either = created.or(updated).unwrap_or(Timestamp::UNIX_EPOCH);
        (created.unwrap_or(either), updated.unwrap_or(either))
    }
}

/// Reads a list of tables, each with `read`.
pub(super) fn tables<'r, 'a, T>(
    fields: &Fields<'r, 'a>,
    key: &'static str,
    mut read: impl FnMut(&Fields<'r, 'a>, &'r Node) -> Option<T>,
) -> Vec<T> {
    let nodes = fields.list(key).iter();
    let read = nodes.filter_map(|node| match &node.value {
        Value::Table(table) => fields.read_table(key, table, |fields| read(fields, node)),
        other => fields.report_wrong_type(key, node, "a table", other),
    });
    read.collect()
}

/// Reads a required id. An id that is already in `known` is an error.
fn id<T: Ord + Clone + Display>(
    fields: &Fields<'_, '_>,
    place: &Node,
    key: &'static str,
    parse: impl Fn(&str) -> Result<T, &'static str>,
    known: &mut BTreeSet<T>,
) -> Option<T> {
    let Some(node) = fields.node(key) else {
        fields.missing(key, &place.span, format!("add `{key}`"));
        return None;
    };
    let text = fields.as_string(key, node)?;
    let refuse = |message, help| {
        fields.reader.error(&node.span, message, help);
        None
    };
    let id = match parse(&text) {
        Ok(id) => id,
        Err(help) => return refuse(format!("`{}` cannot be {text:?}", fields.name(key)), help),
    };
    if known.insert(id.clone()) {
        Some(id)
    } else {
        refuse(format!("duplicate `{}`: {id}", fields.name(key)), "use a different id for each")
    }
}

/// Reports an error for a secret in `site.toml`, where it would be published.
fn refuse_secret(fields: &Fields<'_, '_>) {
    if let Some(node) = fields.misplaced("secret") {
        let message = format!(
            "a secret in `{}` would be published with the repository",
            fields.name("secret")
        );
        let help = "create a new secret, store it in an environment variable, and write the variable's name as the app's `secret_env`";
        fields.reader.unquoted_error(&node.span, message, help);
    }
}

/// Returns whether a string is the name of an environment variable that any shell can set (POSIX,
/// Base Definitions, 8.1).
pub fn is_variable_name(text: &str) -> bool {
    !text.starts_with(|c: char| c.is_ascii_digit())
        && (1..=200).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

fn secret_env(fields: &Fields<'_, '_>) -> Option<String> {
    let node = fields.node("secret_env")?;
    let text = fields.as_string("secret_env", node)?;
    let is_name = is_variable_name(&text);
    if !is_name {
        // The value may be the secret itself.
        let message =
            format!("`{}` is not the name of an environment variable", fields.name("secret_env"));
        let help = "write the name of the variable that holds the secret, in letters, digits and _, such as LIVE_SECRET";
        fields.reader.unquoted_error(&node.span, message, help);
    }
    is_name.then_some(text)
}

/// Reads the kinds of events for which a webhook is called.
fn events(fields: &Fields<'_, '_>, place: &Node) -> Vec<RealtimeEvent> {
    const KEY: &str = "events";
    let mut events = Vec::new();
    if fields.node(KEY).is_none() {
        let help =
            format!("add `{KEY}`, a list of one or more of {}", RealtimeEvent::NAMES.join(", "));
        fields.missing(KEY, &place.span, help);
    }
    for node in fields.list(KEY) {
        match fields.choice_of(KEY, node, RealtimeEvent::NAMES, RealtimeEvent::parse) {
            Some(event) if events.contains(&event) => {
                let message = format!("`{}` contains {:?} twice", fields.name(KEY), event.as_str());
                fields.reader.error(&node.span, message, "remove one of the two");
            }
            Some(event) => events.push(event),
            None => {}
        }
    }
    events
}
