//! Finds broken links to other sites: `check --links`.
//!
//! The responses from servers are cached for a day in `.feedwright/links`, so that a repeated check
//! sends few requests.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use fetch::Client;
use jiff::Timestamp;
use xxhash_rust::xxh3::xxh3_64;

use super::Site;
use super::network::{Kind, Reach, Request, client};
use local::store::Cache;
use model::{Content, Diagnostic, Rule, SitePath, Source};
use source::channel_file::channel_file;
use source::text::read_text;

const CACHE: Cache = Cache::new("links", 2, 1 << 30);

/// How long a server's response is cached, in seconds.
const CACHE_SECONDS: i64 = 24 * 60 * 60;

/// Maximum number of concurrent requests to all hosts together.
const MAX_CONCURRENT_REQUESTS: usize = 16;

/// Returns warnings for broken external links in public content. `begin` receives the number of
/// addresses to request, and `tick` is called after each address.
pub fn external_links(
    root: &Path,
    site: &Site,
    check_local: bool,
    begin: &dyn Fn(usize),
    tick: &(dyn Fn() + Sync),
) -> Vec<Diagnostic> {
    let links = links(root, site);
    let mut known = CachedAnswers::load(root);
    let mut asked: Vec<&str> = links.keys().map(String::as_str).collect();
    asked.retain(|url| !known.answers.contains_key(*url));
    // Neighbouring addresses are often on the same host, and at most two requests to a host run at
    // a time. Sorting by hash mixes the hosts, so that more requests run in parallel.
    asked.sort_by_key(|url| xxh3_64(url.as_bytes()));
    begin(asked.len());
    let reach = match check_local {
        true => Reach::Everywhere,
        false => Reach::Internet,
    };
    let answers = check_all(&client(reach), &asked, tick);
    known.answers.extend(answers);
    known.save(root);
    let mut found = Vec::new();
    for (url, files) in &links {
        let Some((_, why)) = known.answers.get(url).filter(|(_, why)| !why.is_empty()) else {
            continue;
        };
        found.extend(files.iter().map(|file| warn_broken(root, file, url, why)));
    }
    found
}

/// Returns the external addresses that public content links to or embeds, each with the files that
/// contain it.
fn links(root: &Path, site: &Site) -> BTreeMap<String, Vec<SitePath>> {
    let snapshot = &site.snapshot;
    let mut found: BTreeMap<String, Vec<SitePath>> = BTreeMap::new();
    let base = format!("{}/", snapshot.config.base_url);
    let mut add = |file: &SitePath, html: &str| {
        for attribute in ["href=\"", "src=\""] {
            let values = html.split(attribute).skip(1);
            let values = values.filter_map(|rest| rest.split('"').next());
            for value in values.filter(|value| value.starts_with("http")) {
                let url = value.replace("&amp;", "&");
                let url = url.split('#').next().unwrap_or_default();
                let is_own = url.starts_with(&base) || url == snapshot.config.base_url;
                if is_own || !(url.starts_with("https://") || url.starts_with("http://")) {
                    continue;
                }
                let files = found.entry(url.to_owned()).or_default();
                if files.last() != Some(file) {
                    files.push(file.clone());
                }
            }
        }
    };
    let mut add_body = |file: &SitePath, content: &Content| {
        add(file, &content.body().html);
        content.release_reread_body();
    };
    for entry in snapshot.entries.iter().filter(|entry| entry.is_public()) {
        add_body(&entry.item.source, &entry.item.content);
    }
    for entry in snapshot.all_pages() {
        if let Some(source) = &entry.page.source
            && entry.status != model::Status::Unpublished
        {
            add_body(source, &entry.page.content);
        }
    }
    for event in snapshot.calendars.bodies() {
        add_body(&event.source, &event.content);
    }
    if let Some(file) = channel_file(root, &snapshot.config.content) {
        add(&file, &snapshot.channel.description_html);
    }
    for entry in snapshot.entries.iter().filter(|entry| entry.is_public()) {
        if let Some(url) = &entry.item.url {
            add(&entry.item.source, &format!("href=\"{url}\""));
        }
    }
    found
}

type Answers = HashMap<String, (i64, String)>;

fn check_all(client: &Client, urls: &[&str], tick: &(dyn Fn() + Sync)) -> Answers {
    let next = AtomicUsize::new(0);
    let answers = Mutex::new(Answers::new());
    thread::scope(|scope| {
        for _ in 0..MAX_CONCURRENT_REQUESTS.min(urls.len()) {
            scope.spawn(|| {
                while let Some(url) = urls.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let why = fault(client, url).unwrap_or_default();
                    let now = Timestamp::now().as_second();
                    let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
                    answers.insert((*url).to_owned(), (now, why));
                    drop(answers);
                    tick();
                }
            });
        }
    });
    answers.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Returns why an address is broken. An address does not count as broken if the server refuses HEAD
/// requests or requests by programs, because readers may still be able to open the link.
fn fault(client: &Client, url: &str) -> Option<String> {
    let head = Request { method: "HEAD", ..Request::get(url) };
    if client.send(&head).is_ok_and(|answer| answer.status < 400) {
        return None;
    }
    match client.get(url) {
        Ok(_) => None,
        Err(fault) => match fault.kind {
            Kind::Status(401 | 402 | 403 | 405 | 406 | 418 | 429 | 451 | 999) => None,
            Kind::Status(status) => Some(format!("the server responds with status {status}")),
            Kind::Local => {
                Some("it is an address in your local network, which readers cannot reach".into())
            }
            _ => Some(fault.message.strip_prefix(url).unwrap_or(&fault.message).trim().to_owned()),
        },
    }
}

fn warn_broken(root: &Path, file: &SitePath, url: &str, why: &str) -> Diagnostic {
    let message = format!("broken link to {url}: {why}");
    let help = "correct the link, or link to a copy at web.archive.org";
    let warning = Diagnostic::warning(Rule::ExternalLink, message).help(help);
    let text = read_text(root, file).unwrap_or_default();
    match text.find(url) {
        Some(at) => warning.at(Source { path: file, text: &text }, at),
        None => warning.file(file.as_str()),
    }
}

/// The responses that servers sent in the last day, by URL: the time of the response, and the
/// problem. The problem is empty if the link works.
struct CachedAnswers {
    answers: Answers,
}

impl CachedAnswers {
    fn load(root: &Path) -> Self {
        let lines = CACHE.load(&CACHE.path(root), 0).unwrap_or_default();
        let since = Timestamp::now().as_second() - CACHE_SECONDS;
        let line = |line: &str| {
            let mut parts = line.splitn(3, '\t');
            let at: i64 = parts.next()?.parse().ok()?;
            let (url, why) = (parts.next()?, parts.next()?);
            (at > since).then(|| (url.to_owned(), (at, why.to_owned())))
        };
        let lines = String::from_utf8(lines).unwrap_or_default();
        Self { answers: lines.lines().filter_map(line).collect() }
    }

    /// Writes the cache. If writing fails, the next run requests the addresses again.
    fn save(&self, root: &Path) {
        let plain = |text: &str| text.replace(['\t', '\n', '\r'], " ");
        let mut lines: Vec<String> = self
            .answers
            .iter()
            .map(|(url, (at, why))| format!("{at}\t{}\t{}\n", plain(url), plain(why)))
            .collect();
        lines.sort_unstable();
        let _ = CACHE.save(&CACHE.path(root), 0, lines.concat().as_bytes());
    }
}
