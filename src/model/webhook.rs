//! Outgoing webhooks: `[[webhooks]]` of `site.toml`, and the events that they send.

use super::declare::keys;

keys! {
    /// Keys of `[[webhooks]]` in `site.toml`.
    WEBHOOKS {
        /// address to post messages to: `https://`, or `http://` with `local`
        Required "url", Own("address", &[UpTo(2048)]);
        /// environment variable with the secret for signing messages: `whsec_`, followed by at
        /// least 24 random bytes in base64; [two secrets while you replace one](webhooks.md#what-is-safe)
        Required "secret_env", Own("an environment variable's name", &[UpTo(200)]);
        /// [events](webhooks.md#what-a-message-says) to send
        Optional "events", Own("list of events, or groups such as `item.*`", &[OneOf(event_names)]), listed, left_out("all");
        /// allows an address on this machine or its network
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

/// Returns the names of the events and event groups that a webhook can receive.
pub fn event_names() -> Vec<String> {
    let names = EVENTS.iter().map(|(name, _)| (*name).to_owned());
    names.chain(event_groups()).collect()
}

/// Types of events, in the order of the documentation, each with its meaning.
pub const EVENTS: [(&str, &str); 39] = [
    ("item.created", "An item was created, possibly as a draft."),
    ("item.updated", "An item's file, or a file that it refers to, changed."),
    (
        "item.published",
        "An item was published and is listed: it is no longer a draft, or its date was reached.",
    ),
    ("item.unlisted", "An item was published, but appears in no list or feed."),
    ("item.unpublished", "An item is no longer public."),
    ("item.deleted", "An item was deleted."),
    ("page.created", "A page was created, possibly as a draft."),
    ("page.updated", "A page's file, or a file that it refers to, changed."),
    ("page.published", "A page was published and is listed."),
    (
        "page.unlisted",
        "A page was published, but appears neither in navigation nor in the sitemap.",
    ),
    ("page.unpublished", "A page is no longer public."),
    ("page.deleted", "A page was deleted."),
    ("page.navigation_updated", "The pages in the navigation, or their order, changed."),
    ("site_file.created", "A site file was created, possibly as a draft."),
    ("site_file.updated", "The template of a site file or of its draft changed."),
    ("site_file.published", "A site file was published."),
    ("site_file.unpublished", "A site file is no longer public."),
    ("site_file.deleted", "A site file and its draft were deleted."),
    ("site_file.reset", "The override of a generated site file was removed."),
    ("event.created", "An event was created in a calendar."),
    ("event.updated", "An event, or an instance of its series, changed."),
    ("event.published", "An event became public: neither the event nor its calendar is private."),
    ("event.unpublished", "An event is no longer public."),
    ("event.deleted", "An event was deleted."),
    ("calendar.created", "A calendar was created."),
    ("calendar.updated", "A calendar's file, `calendar.toml`, changed."),
    ("calendar.published", "A calendar became public."),
    ("calendar.unpublished", "A calendar is no longer public."),
    ("calendar.deleted", "A calendar was deleted."),
    ("channel.created", "The channel was created."),
    ("channel.updated", "The channel's file, or a file that it refers to, changed."),
    ("channel.published", "The site is no longer offline."),
    ("channel.unpublished", "The site is offline: nothing is public."),
    ("channel.deleted", "The channel was deleted."),
    ("theme.activated", "The site uses a different theme, or a new version of its theme."),
    ("theme.deactivated", "The site no longer uses this theme, or this version of it."),
    ("build.done", "The site was built."),
    ("deploy.done", "The site was deployed."),
    ("webhook.test", "A test message was sent with `feedwright webhooks test`."),
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
        self.events.is_empty() || self.events.iter().any(|pattern| matches_pattern(pattern, kind))
    }

    /// Returns the address without its query, which may contain a token.
    pub fn shown_url(&self) -> &str {
        shown(&self.url)
    }
}

/// Returns a webhook's name for terminals and logs. A name can be the webhook's address, whose
/// query may contain a token, so the query is removed.
pub fn shown(name: &str) -> &str {
    name.split(['?', '#']).next().unwrap_or_default()
}

/// Returns whether a type of event matches a pattern.
pub fn matches_pattern(pattern: &str, kind: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(group) => group.ends_with('.') && kind.starts_with(group),
        None => pattern == kind,
    }
}
