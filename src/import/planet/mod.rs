//! `fetch`: loads the feeds of `[[aggregate]]` into `content/planet/`.
//!
//! A file is replaced only if items or the feed's title changed. If a feed cannot be loaded, its
//! file stays unchanged.

mod items;
mod written;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use fetch::{Bounds, Client, Fault, FetchResponse, Options, Reach, Request, Url};
use jiff::Timestamp;
use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use local::store;
use model::{Aggregate, Config, PlanetFile, SitePath};
use source::planet::fetched;

/// Maximum size of a feed in bytes.
const MAX_FEED: u64 = 8 * 1024 * 1024;

/// Maximum number of hosts that are requested at the same time.
const MAX_HOSTS: usize = 8;

/// The result of loading a feed.
#[derive(Debug, Default)]
pub struct FetchedFeed {
    pub feed: String,
    pub file: String,
    /// Number of items in the file.
    pub items: usize,
    /// Number of items that the file did not contain before.
    pub new_items: usize,
    pub is_written: bool,
    /// Messages about skipped items, and about a new address of the feed.
    pub notes: Vec<String>,
    /// The reason why the feed could not be loaded.
    pub error: Option<String>,
}

/// A run of `fetch`.
pub struct Run<'a> {
    pub root: &'a Path,
    pub config: &'a Config,
    /// Maximum time to wait for data from a server.
    pub timeout: Duration,
    /// The current time. Items with a later date are skipped.
    pub now: Timestamp,
    /// Callback that is called after each feed.
    pub done: &'a (dyn Fn() + Sync),
}

/// Loads all feeds. Feeds of the same host are loaded one after another. Returns the results in
/// the order of `site.toml`.
///
/// # Errors
///
/// Returns an error if no thread can be started.
pub fn fetch(run: &Run<'_>) -> Result<Vec<FetchedFeed>, String> {
    let mut hosts: BTreeMap<&str, Vec<(usize, &Aggregate)>> = BTreeMap::new();
    for (at, aggregate) in run.config.aggregate.iter().enumerate() {
        hosts.entry(model::url::host(&aggregate.feed)).or_default().push((at, aggregate));
    }
    let pool = ThreadPoolBuilder::new().num_threads(MAX_HOSTS.min(hosts.len().max(1))).build();
    let pool = pool.map_err(|error| format!("no thread can be started: {error}"))?;
    let hosts: Vec<_> = hosts.into_values().collect();
    let load = |feeds: Vec<(usize, &Aggregate)>| {
        let client = client(&feeds[0].1.feed, run.timeout);
        let loaded = feeds.into_iter().map(|(at, aggregate)| {
            let result = run.load(aggregate, &client);
            (run.done)();
            (at, result)
        });
        loaded.collect::<Vec<_>>()
    };
    let mut all: Vec<_> = pool.install(|| hosts.into_par_iter().flat_map_iter(load).collect());
    all.sort_by_key(|(at, _)| *at);
    Ok(all.into_iter().map(|(_, fetched)| fetched).collect())
}

/// Returns the files of `content/planet/` that belong to no feed of `site.toml`.
pub fn unlisted_files(root: &Path, config: &Config) -> Vec<SitePath> {
    let entries = fs::read_dir(root.join(Aggregate::FOLDER)).into_iter().flatten().flatten();
    let files = entries.filter_map(|entry| {
        let name = entry.file_name().into_string().ok().filter(|name| name.ends_with(".toml"))?;
        SitePath::parse(&format!("{}/{name}", Aggregate::FOLDER))
    });
    let is_listed = |file: &SitePath| config.aggregate.iter().any(|one| one.file == *file);
    let mut files: Vec<SitePath> = files.filter(|file| !is_listed(file)).collect();
    files.sort();
    files
}

/// Returns a client for the host of a feed, which may be local.
fn client(feed: &str, timeout: Duration) -> Client {
    let max_time = timeout * 2;
    Client::new(Options {
        user_agent: concat!("feedwright/", env!("CARGO_PKG_VERSION")).to_owned(),
        reach: Reach::named(feed),
        timeout,
        max_time: Some(max_time),
        bounds: Bounds { response: max_time, ..Bounds::default() },
        retries: 1,
        retry_delay: timeout / 30,
        ..Options::default()
    })
}

impl Run<'_> {
    fn load(&self, aggregate: &Aggregate, client: &Client) -> FetchedFeed {
        let mut result = FetchedFeed {
            feed: aggregate.feed.clone(),
            file: aggregate.file.to_string(),
            ..FetchedFeed::default()
        };
        let before = fetched(self.root, aggregate, self.config);
        result.items = before.as_ref().map_or(0, |before| before.items.len());
        result.error = self.update(aggregate, client, before.as_ref(), &mut result).err();
        result
    }

    /// Requests a feed, and replaces its file if necessary.
    fn update(
        &self,
        aggregate: &Aggregate,
        client: &Client,
        before: Option<&PlanetFile>,
        result: &mut FetchedFeed,
    ) -> Result<(), String> {
        let message = |fault: Fault| fault.message;
        let response = request(client, aggregate, before).map_err(message)?;
        if let Some(url) = &response.moved {
            result.notes.push(format!("the feed moved to {url}: change its address in site.toml"));
        }
        if response.status == 304 && before.is_some() {
            return Ok(());
        }
        if !response.is_success() {
            return Err(response.refusal().message);
        }
        let validator = |name| response.header(name).map(str::to_owned);
        let (etag, last_modified) = (validator("etag"), validator("last-modified"));
        let (charset, url) = (response.charset(), response.url.clone());
        let bytes = response.bytes(MAX_FEED).map_err(message)?;
        let feed = feeds::read(&bytes, charset.as_deref())
            .map_err(|error| format!("{url}: {error}{}", named_feed(&error, &url)))?;
        let items = items::Items { aggregate, url: &url, now: self.now, before };
        let (mut file, skipped) = items.of_feed(feed);
        result.notes.extend(skipped.notes());
        result.items = file.items.len();
        if before.is_some_and(|before| has_same_items(before, &file)) {
            return Ok(());
        }
        let is_known =
            |id: &str| before.is_some_and(|before| before.items.iter().any(|known| known.id == id));
        result.new_items = file.items.iter().filter(|item| !is_known(&item.id)).count();
        // A skipped item can become visible although the feed stays the same.
        if skipped.in_future == 0 {
            file.etag = etag.filter(|text| written::is_storable(text, 1000));
            file.last_modified = last_modified.filter(|text| written::is_storable(text, 100));
        }
        let path = aggregate.file.on_disk(self.root);
        store::put(&path, written::text(&file).as_bytes())
            .map_err(|error| format!("{} cannot be written: {error}", aggregate.file))?;
        result.is_written = true;
        Ok(())
    }
}

/// Requests a feed. The server can answer with status 304 if the feed is the same as in the file.
fn request(
    client: &Client,
    aggregate: &Aggregate,
    before: Option<&PlanetFile>,
) -> Result<FetchResponse, Fault> {
    // With another limit, the file can lack items of the same feed.
    let before = before.filter(|before| before.limit == Some(aggregate.limit));
    let etag = before.and_then(|before| Some(("if-none-match", before.etag.as_deref()?)));
    let date =
        before.and_then(|before| Some(("if-modified-since", before.last_modified.as_deref()?)));
    let headers: Vec<_> = etag.into_iter().chain(date).collect();
    client.send_unchecked(&Request { headers: &headers, ..Request::get(&aggregate.feed) })
}

/// Returns the part of a message that names the feed of a web page.
fn named_feed(error: &feeds::NotAFeed, page: &Url) -> String {
    let feed = error.feed_url.as_ref().and_then(|feed| page.join(feed).ok());
    feed.map_or_else(String::new, |feed| format!("; its feed is {feed}"))
}

/// Returns whether two files differ at most in the validators of the feed.
fn has_same_items(one: &PlanetFile, other: &PlanetFile) -> bool {
    let without =
        |file: &PlanetFile| PlanetFile { etag: None, last_modified: None, ..file.clone() };
    without(one) == without(other)
}
