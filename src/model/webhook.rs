//! Webhooks that go out: `[[webhooks]]` of `site.toml`, and the events that they tell of.

use super::declare::keys;

keys! {
    /// `[[webhooks]]` of `site.toml`.
    WEBHOOKS {
        /// where messages are posted: `https://`, or `http://` with `local`
        Required "url", Own("address", &[UpTo(2048)]);
        /// the variable that holds the secret which messages are signed with: `whsec_` and at least 24 random bytes
        /// in base64; [two while it changes](webhooks.md#what-is-safe)
        Required "secret_env", Own("an environment variable's name", &[UpTo(200)]);
        /// what it is told of: the [events](webhooks.md#what-a-message-says)
        Optional "events", Own("list of events, or groups such as `item.*`", &[OneOf(event_names)]), listed, left_out("all");
        /// whether the address may be one of this machine or its network
        Optional "local", Flag => false;
        /// what commands call it
        Optional "name", Own("a word", &[UpTo(100)]), left_out("the address");
    }
}

/// `item.*` and the others.
pub fn event_groups() -> Vec<String> {
    let mut groups: Vec<String> = EVENTS
        .iter()
        .filter_map(|(name, _)| Some(format!("{}.*", name.split_once('.')?.0)))
        .collect();
    groups.dedup();
    groups
}

/// The events and groups that a webhook can be told of.
pub fn event_names() -> Vec<String> {
    let names = EVENTS.iter().map(|(name, _)| (*name).to_owned());
    names.chain(event_groups()).collect()
}

/// The types of events, in the order of the documentation, each with what it tells.
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

/// Someone who is told of events: a table of `[[webhooks]]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// What its messages are kept under: its name in `site.toml`, or its address.
    pub name: String,
    pub url: String,
    /// Types of events, or `item.*`. Empty: all.
    pub events: Vec<String>,
    /// The environment variable that holds the secret which messages are signed with.
    pub secret_env: String,
    /// Whether the address may be one of this machine or its network.
    pub is_local: bool,
}

impl Endpoint {
    /// Whether it is told of events of a type.
    pub fn takes(&self, kind: &str) -> bool {
        self.events.is_empty() || self.events.iter().any(|pattern| fits(pattern, kind))
    }

    /// The address without its query, which may hold a token.
    pub fn shown_url(&self) -> &str {
        shown(&self.url)
    }
}

/// A webhook's name for terminals and logs. One without a name is called by its address, whose query may hold a token.
pub fn shown(name: &str) -> &str {
    name.split(['?', '#']).next().unwrap_or_default()
}

/// Whether a type of event is one that a pattern means.
pub fn fits(pattern: &str, kind: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(group) => group.ends_with('.') && kind.starts_with(group),
        None => pattern == kind,
    }
}
