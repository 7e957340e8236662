//! Outgoing webhooks: `[[webhooks]]` of `site.toml`, and the events that they send.

use super::declare::keys;

keys! {
    /// Keys of `[[webhooks]]` in `site.toml`.
    WEBHOOKS {
        /// address that messages are posted to: `https://`, or `http://` with `local`
        Required "url", Own("address", &[UpTo(2048)]);
        /// environment variable that holds the secret for signing messages: `whsec_` and at least
        /// 24 random bytes in base64; [two secrets during a change](webhooks.md#what-is-safe)
        Required "secret_env", Own("an environment variable's name", &[UpTo(200)]);
        /// [events](webhooks.md#what-a-message-says) to send
        Optional "events", Own("list of events, or groups such as `item.*`", &[OneOf(event_names)]), listed, left_out("all");
        /// whether the address may be on this machine or its network
        Optional "local", Flag => false;
        /// name of the webhook in commands
        Optional "name", Own("a word", &[UpTo(100)]), left_out("the address");
    }
}

/// Returns the groups of events, such as `item.*`.
pub fn event_groups() -> Vec<String> {
    let mut groups: Vec<String> = EVENTS
        .iter()
        .filter_map(|(name, _)| Some(format!("{}.*", name.split_once('.')?.0)))
        .collect();
    groups.dedup();
    groups
}

/// Returns the names of the events and groups that a webhook can receive.
pub fn event_names() -> Vec<String> {
    let names = EVENTS.iter().map(|(name, _)| (*name).to_owned());
    names.chain(event_groups()).collect()
}

/// Types of events, in the order of the documentation, each with its meaning.
pub const EVENTS: [(&str, &str); 39] = [
    ("item.created", "An item was written that was not there before, a draft too."),
    ("item.updated", "An item's file, or a file that it names, is another."),
    (
        "item.published",
        "An item became public and is listed: it is no longer a draft, or its date has come.",
    ),
    ("item.unlisted", "An item became public at its own address only."),
    ("item.unpublished", "An item is not public any more."),
    ("item.deleted", "An item is gone."),
    ("page.created", "A Page was written that was not there before, a draft too."),
    ("page.updated", "A Page's file, or a file that it names, is another."),
    ("page.published", "A Page became public and is listed."),
    ("page.unlisted", "A Page became public at its own address only."),
    ("page.unpublished", "A Page is not public any more."),
    ("page.deleted", "A Page is gone."),
    ("page.navigation_updated", "The Pages in navigation or their order changed."),
    ("site_file.created", "A Site File was written that was not there before, a draft too."),
    ("site_file.updated", "The template of a Site File, or that of its draft, is another."),
    ("site_file.published", "A Site File became public."),
    ("site_file.unpublished", "A Site File is not public any more."),
    ("site_file.deleted", "A Site File is gone, and its draft too."),
    ("site_file.reset", "The override of a generated Site File was removed."),
    ("event.created", "An event was written into a calendar."),
    ("event.updated", "An event, or an instance of its series, is another."),
    ("event.published", "The public sees an event: neither it nor its calendar is private."),
    ("event.unpublished", "The public does not see an event any more."),
    ("event.deleted", "An event is gone."),
    ("calendar.created", "There is a calendar that was not there before."),
    ("calendar.updated", "A calendar's own file, `calendar.toml`, is another."),
    ("calendar.published", "A calendar became public."),
    ("calendar.unpublished", "A calendar is not public any more."),
    ("calendar.deleted", "A calendar is gone."),
    ("channel.created", "The channel was written."),
    ("channel.updated", "The channel's file, or a file that it names, is another."),
    ("channel.published", "The site is not offline any more."),
    ("channel.unpublished", "The site is offline: nothing of it is public."),
    ("channel.deleted", "The channel is gone."),
    ("theme.activated", "The site has another theme, or a new version of it."),
    ("theme.deactivated", "The site no longer has this theme, or this version of it."),
    ("build.done", "The site was built."),
    ("deploy.done", "The site was published."),
    ("webhook.test", "Somebody asked for it with `feedwright webhooks test`."),
];

/// A receiver of events: a table of `[[webhooks]]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// Name under which messages are stored: the name in `site.toml`, or the address.
    pub name: String,
    pub url: String,
    /// Types of events, or groups such as `item.*`. An empty list means all events.
    pub events: Vec<String>,
    /// Environment variable that holds the secret for signing messages.
    pub secret_env: String,
    /// Whether the address may be on this machine or its network.
    pub is_local: bool,
}

impl Endpoint {
    /// Returns whether the webhook receives events of a type.
    pub fn takes(&self, kind: &str) -> bool {
        self.events.is_empty() || self.events.iter().any(|pattern| fits(pattern, kind))
    }

    /// Returns the address without its query, which may contain a token.
    pub fn shown_url(&self) -> &str {
        shown(&self.url)
    }
}

/// Returns a webhook's name for terminals and logs. A webhook without a name is named by its
/// address, without the query, which may contain a token.
pub fn shown(name: &str) -> &str {
    name.split(['?', '#']).next().unwrap_or_default()
}

/// Returns whether a type of event matches a pattern.
pub fn fits(pattern: &str, kind: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(group) => group.ends_with('.') && kind.starts_with(group),
        None => pattern == kind,
    }
}
