//! `[[webhooks]]` of `site.toml`: the endpoints to notify when the site changes.

use front_matter::Node;

use super::fields::{Fields, nearest};
use super::realtime::{is_variable_name, tables};
use model::{EVENTS, Endpoint, event_groups, matches_pattern, url};

const KEY: &str = "webhooks";

/// Reads the endpoints. Two endpoints cannot have the same name, because messages are stored under
/// the name of their endpoint.
pub fn read(fields: &Fields<'_, '_>) -> Vec<Endpoint> {
    let mut names: Vec<String> = Vec::new();
    tables(fields, KEY, |fields, node| {
        let endpoint = endpoint(fields, node)?;
        if names.contains(&endpoint.name) {
            let place = fields.node("name").or(fields.node("url")).unwrap_or(node);
            let message = format!("two webhooks have the name {:?}", endpoint.name);
            let help = "give each a different `name`";
            fields.reader.error(&place.span, message, help);
            return None;
        }
        names.push(endpoint.name.clone());
        Some(endpoint)
    })
}

fn endpoint(fields: &Fields<'_, '_>, place: &Node) -> Option<Endpoint> {
    refuse_secret(fields);
    let name = name(fields);
    let is_local = fields.bool("local").unwrap_or_default();
    let url = address(fields, place, is_local);
    let events = events(fields);
    let secret_env = secret_env(fields, place);
    let url = url?;
    Some(Endpoint {
        name: name.unwrap_or_else(|| url.clone()),
        url,
        events,
        secret_env: secret_env?,
        is_local,
    })
}

/// Reads the name. It must be one word, because it appears in commands and in columns.
fn name(fields: &Fields<'_, '_>) -> Option<String> {
    let text = fields.text("name")?;
    let is_word = text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'));
    if let (false, Some(node)) = (is_word, fields.node("name")) {
        let message = format!("`{}` cannot be {text:?}", fields.name("name"));
        let help = "write one word of letters, digits, `-`, `_` and `.`";
        fields.reader.error(&node.span, message, help);
        return None;
    }
    Some(text)
}

/// Reads the address. Plain `http:` is allowed only in the local network, if the author sets
/// `local`.
fn address(fields: &Fields<'_, '_>, place: &Node, is_local: bool) -> Option<String> {
    let text = fields.required_text("url", &place.span)?;
    let node = fields.node("url")?;
    let host = url::host(&text);
    let help = if host.contains('@') {
        "remove user and password: messages are signed with the secret in the environment variable"
    } else if !url::is_http(&text) || text.contains(char::is_whitespace) {
        "write the full URL, starting with https://"
    } else if !is_local && !url::is_https(&text) {
        "write https://, or add `local = true` for an address on this machine or its network"
    } else {
        return Some(text);
    };
    // An address with a password must not be shown in terminals and logs.
    let message = format!("`{}` is not an allowed address", fields.name("url"));
    fields.reader.unquoted_error(&node.span, message, help);
    None
}

fn events(fields: &Fields<'_, '_>) -> Vec<String> {
    const EVENTS_KEY: &str = "events";
    let groups = event_groups();
    let names = || EVENTS.iter().map(|(name, _)| *name);
    if let Some(node) = fields.node(EVENTS_KEY)
        && fields.list(EVENTS_KEY).is_empty()
    {
        let message = format!("`{}` is empty", fields.name(EVENTS_KEY));
        let help = "remove the key to receive all events, or remove the webhook";
        fields.reader.error(&node.span, message, help);
    }
    let mut events = Vec::new();
    for node in fields.list(EVENTS_KEY) {
        let Some(text) = fields.as_string(EVENTS_KEY, node) else {
            continue;
        };
        if names().any(|name| matches_pattern(&text, name)) {
            events.push(text);
            continue;
        }
        let known: Vec<&str> = names().chain(groups.iter().map(String::as_str)).collect();
        let help = match nearest(&text, &known) {
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!(
                "write a group of events ({}) or one of {}",
                groups.join(", "),
                names().collect::<Vec<_>>().join(", ")
            ),
        };
        let message = format!("`{}` cannot be {text:?}", fields.name(EVENTS_KEY));
        fields.reader.error(&node.span, message, help);
    }
    events
}

fn secret_env(fields: &Fields<'_, '_>, place: &Node) -> Option<String> {
    let text = fields.required_text("secret_env", &place.span)?;
    if is_variable_name(&text) && !text.starts_with("whsec_") {
        return Some(text);
    }
    let node = fields.node("secret_env")?;
    // The value may be the secret itself.
    let message =
        format!("`{}` is not the name of an environment variable", fields.name("secret_env"));
    let help = "write the name of the variable that holds the secret, in letters, digits and _, such as SITE_WEBHOOK_SECRET";
    fields.reader.unquoted_error(&node.span, message, help);
    None
}

fn refuse_secret(fields: &Fields<'_, '_>) {
    if let Some(node) = fields.misplaced("secret") {
        let message = format!(
            "a secret in `{}` would be published with the repository",
            fields.name("secret")
        );
        let help = "create a new secret, store it in an environment variable, and write the variable's name as `secret_env`";
        fields.reader.unquoted_error(&node.span, message, help);
    }
}
