//! `check --live`: requests the published site as apps and directories do, and reports what a build
//! cannot know.
//!
//! 1. [`documents`] requests the feeds and the home page, and [`feed`] compares the RSS feed with
//!    the site.
//! 2. [`plan`] lists the further addresses to request. The recordings, chapters, transcripts and
//!    pictures are those in the published feed.
//! 3. [`media`] and [`server`] check one address each. [`Prober`] sends all requests, with limits
//!    for each host and for the whole check.
//! 4. [`report`] merges equal findings of a host, and adds the position in the site's files and the
//!    [`remedy`] for the host in use.

mod documents;
mod feed;
mod finding;
mod media;
mod plan;
mod prober;
mod remedy;
mod report;
mod robots;
mod server;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use feed::PublishedFeed;
use fetch::{Reach, Url, is_local_host};
use finding::Finding;
use plan::{Check, Target};
use prober::Prober;
use project::{Live, Options, Site};

use model::url::encode_path;
use model::{Access, Diagnostic};

/// Maximum number of connections.
const MAX_CONNECTIONS: usize = 8;

/// Time between two requests while waiting for a deployed feed.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// Checks the published site. `begin` receives the number of addresses to request, and `tick` is
/// called after each address.
pub fn live_faults(
    options: &Options,
    site: &Site,
    live: &Live,
    begin: &dyn Fn(usize),
    tick: &(dyn Fn() + Sync),
) -> Vec<Diagnostic> {
    let place = match Place::of(site, live) {
        Ok(place) => place,
        Err(error) => return vec![error],
    };
    let prober = Prober::new(live, place.reach.clone(), &place.url);
    wait_until_served(&prober, site, &place, live.wait);
    let (mut found, published) = check_feeds(&prober, site, &place);
    let targets = plan::targets(&prober, site, &place, &published, live.all);
    begin(targets.len());
    found.extend(check_all(&prober, targets, tick));
    found.extend(prober.unfinished(place.url.as_str()));
    report::diagnostics(&options.root, &site.snapshot.config, &place, found)
}

/// Where the site is published.
pub struct Place {
    /// Address of the published site, without a trailing slash.
    pub url: Url,
    /// `base_url`, if the site is published at another address.
    replaced: Option<String>,
    reach: Reach,
}

impl Place {
    fn of(site: &Site, live: &Live) -> Result<Self, Diagnostic> {
        let config = &site.snapshot.config;
        if config.access == Access::Offline {
            let error = Diagnostic::error("a site with `access = \"offline\"` has no server");
            return Err(error.help("remove --live"));
        }
        let text = live.url.as_deref().unwrap_or(&config.base_url).trim_end_matches('/');
        let url = Url::parse(text).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let url = url.ok_or_else(|| {
            let message = format!("{text:?} is not the address of a published site");
            Diagnostic::error(message).help("pass an address that starts with https://")
        })?;
        let reach = match (&live.url, live.local) {
            (_, true) => Reach::Everywhere,
            (Some(named), false) => Reach::named(named),
            (None, false) => Reach::Internet,
        };
        if live.url.is_none() && !live.local && is_local_host(&url) {
            let message = format!("{url} is an address of this machine or its network");
            let help = "pass it to --live, or add --local, if it is your own server";
            return Err(Diagnostic::error(message).help(help));
        }
        let replaced = (text != config.base_url).then(|| config.base_url.clone());
        Ok(Self { url, replaced, reach })
    }

    /// Returns the address of a public path.
    pub fn at(&self, path: &str) -> String {
        format!("{}{}", self.url.as_str().trim_end_matches('/'), encode_path(path))
    }

    /// Returns the address to request for an address in a feed.
    pub fn published(&self, address: &str) -> String {
        let below = self.replaced.as_deref().and_then(|base| address.strip_prefix(base));
        match below.filter(|rest| rest.starts_with('/')) {
            Some(rest) => format!("{}{rest}", self.url.as_str().trim_end_matches('/')),
            None => address.to_owned(),
        }
    }

    /// Returns whether an address is below the address of the site.
    pub fn is_own(&self, url: &Url) -> bool {
        url.origin() == self.url.origin()
    }
}

/// Waits until the server sends the feed of the current build, at most for `limit`.
fn wait_until_served(prober: &Prober, site: &Site, place: &Place, limit: Duration) {
    let begun = Instant::now();
    while begun.elapsed() < limit && !feed::is_current(prober, site, place) {
        thread::sleep(POLL_INTERVAL.min(limit.saturating_sub(begun.elapsed())));
    }
}

/// Checks the feeds of all languages, and returns the feed that apps read. In a site with several
/// languages, its items are followed by the items of the other languages.
fn check_feeds(prober: &Prober, site: &Site, place: &Place) -> (Vec<Finding>, PublishedFeed) {
    let mut found = Vec::new();
    let mut all: Option<PublishedFeed> = None;
    for feeds in feed::feeds_of(site) {
        let first = feeds[0];
        let mut published = None;
        for own in feeds {
            let (of_feed, read) = feed::check(prober, site, place, own);
            found.extend(of_feed);
            published = published.or(read);
        }
        let published = published.unwrap_or_else(|| feed::built(site, first));
        match &mut all {
            Some(all) => all.items.extend(published.items),
            None => all = Some(published),
        }
    }
    (found, all.unwrap_or_default())
}

/// Checks all targets. Each host gets at most two requests at a time: one for a recording, and one
/// for another address.
fn check_all(prober: &Prober, targets: Vec<Target>, tick: &(dyn Fn() + Sync)) -> Vec<Finding> {
    let mut queues: BTreeMap<(String, bool), Vec<Target>> = BTreeMap::new();
    for target in targets {
        let is_recording = matches!(target.check, Check::Recording(_));
        queues.entry((target.host(), is_recording)).or_default().push(target);
    }
    let connections = MAX_CONNECTIONS.min(queues.len());
    let queues = Mutex::new(queues.into_values());
    let found = Mutex::new(Vec::new());
    let next = || queues.lock().unwrap_or_else(PoisonError::into_inner).next();
    thread::scope(|scope| {
        for _ in 0..connections {
            scope.spawn(|| {
                while let Some(queue) = next() {
                    for target in queue {
                        let of_target = check_target(prober, &target);
                        found.lock().unwrap_or_else(PoisonError::into_inner).extend(of_target);
                        tick();
                    }
                }
            });
        }
    });
    found.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn check_target(prober: &Prober, target: &Target) -> Vec<Finding> {
    let url = target.url.as_str();
    let found = match &target.check {
        Check::Home => documents::home(prober, url),
        Check::Asset => documents::asset(prober, url),
        Check::Recording(recording) => media::recording(prober, url, recording),
        Check::Text(media_type) => media::text(prober, url, media_type),
        Check::Artwork { is_show } => media::artwork(prober, url, *is_show),
        Check::Certificate => server::certificate(prober, url),
        Check::Unencrypted => server::unencrypted(prober, url),
        Check::Missing => server::missing(prober, url),
        Check::Robots(paths) => server::robots(prober, url, paths),
        Check::Hub => server::hub(prober, url),
    };
    // A request that failed is a finding too.
    let mut found = found.unwrap_or_else(|failed| failed);
    for one in &mut found {
        one.source = one.source.take().or_else(|| target.source.clone());
    }
    found
}

/// The result of checking an address. The error contains the finding about a failed request.
type Checked = Result<Vec<Finding>, Vec<Finding>>;
