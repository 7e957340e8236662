//! Announces published changes to feed hubs (WebSub), search engines (IndexNow), podcast apps
//! (podping) and webhooks. A failed notice only causes a warning, because the site is already
//! published.

use std::collections::HashMap;
use std::env;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use fetch::{Client, Kind, Options, Reach, Request, Url};
use jiff::Timestamp;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::json;

use super::LocalFile;
use model::{Access, Config, Diagnostic, NotifyConfig, Rule, url};
use site::paths;

/// The endpoint that forwards notices to all search engines that support IndexNow.
const INDEXNOW: &str = "https://api.indexnow.org/indexnow";

/// Maximum number of addresses in one request to IndexNow.
const MAX_ADDRESSES: usize = 10_000;

/// Maximum number of bytes to read from a page in search of its `<head>`.
const MAX_HEAD: u64 = 64 * 1024;

/// Writes the IndexNow key file to the output folder. The file proves to search engines that the
/// site owns the key. Removes the key file of a former key, unless the author wrote it. A key file
/// contains only its own name.
pub fn write_key(root: &Path, out: &Path, config: &Config) -> io::Result<()> {
    let key = config.deploy.notify.indexnow.as_deref();
    for entry in fs::read_dir(out)? {
        let path = entry?.path();
        let name = path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
        let is_text = path.extension().is_some_and(|ending| ending == "txt");
        let is_own = || {
            fs::metadata(&path).is_ok_and(|facts| facts.len() == name.len() as u64)
                && fs::read(&path).is_ok_and(|text| text == name.as_bytes())
                && !root.join("site-files").join(format!("{name}.txt")).exists()
        };
        if is_text && NotifyConfig::is_key(name) && key != Some(name) && is_own() {
            fs::remove_file(&path)?;
        }
    }
    match key {
        Some(key) => edit::keep(&out.join(format!("{key}.txt")), key.as_bytes()),
        None => Ok(()),
    }
}

/// Whether the configuration contains a service to notify.
pub fn has_receivers(config: &Config) -> bool {
    let notify = &config.deploy.notify;
    !config.hubs.is_empty()
        || !notify.webhooks.is_empty()
        || [&notify.indexnow, &notify.podping, &notify.webhooks_env].iter().any(|one| one.is_some())
}

/// Whether changes to a file are announced. This is the case for pages and feeds.
pub fn is_news(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    matches!(name, "feed.json" | "rss.xml" | "index.html") && !path.ends_with("/embed/index.html")
}

/// The published changes, as absolute URLs.
#[derive(Debug, Default)]
pub struct PublishedChanges {
    feeds: Vec<String>,
    pages: Vec<String>,
}

impl PublishedChanges {
    /// Returns the feeds and pages among the new files of a site.
    pub fn of<'f>(config: &Config, new: impl Iterator<Item = &'f LocalFile>) -> Self {
        let mut news = Self::default();
        for file in new.filter(|file| is_news(&file.path)) {
            match file.path.strip_suffix("index.html") {
                // An `index.html` can also be a copy of a feed at a former path.
                Some(folder)
                    if file.sent_as.media_type.starts_with("text/html") && is_indexed(file) =>
                {
                    news.pages.push(config.url(&format!("/{folder}")))
                }
                Some(_) => {}
                None => news.feeds.push(config.url(&format!("/{}", file.path))),
            }
        }
        news
    }

    /// Whether there is nothing to announce.
    pub fn is_empty(&self) -> bool {
        self.feeds.is_empty() && self.pages.is_empty()
    }

    /// Notifies all services in `[deploy.notify]`. Returns the number of sent notices, and a
    /// warning for each failed notice.
    pub fn notify_all(&self, config: &Config) -> (usize, Vec<Diagnostic>) {
        let teller =
            Notifier { clients: HashMap::new(), config, sent_count: 0, warnings: Vec::new() };
        teller.notify_all(self)
    }
}

struct Notifier<'a> {
    /// One client for each host. A client can connect only to its own host if that host is local,
    /// so a redirect cannot reach another local host.
    clients: HashMap<Option<String>, Client>,
    config: &'a Config,
    sent_count: usize,
    warnings: Vec<Diagnostic>,
}

impl Notifier<'_> {
    fn notify_all(mut self, news: &PublishedChanges) -> (usize, Vec<Diagnostic>) {
        for hub in &self.config.hubs {
            for feed in &news.feeds {
                // If a hub does not respond, it gets no notices about the remaining feeds.
                // Otherwise, the deploy might wait for a thousand timeouts.
                if !self.websub(hub, feed) {
                    break;
                }
            }
        }
        let languages = &self.config.languages;
        for language in 0..=languages.others.len() {
            let rss = self.config.url(&[languages.mount(language), paths::rss(1)].concat());
            if news.feeds.contains(&rss) {
                self.podping(&rss);
            }
        }
        if !news.pages.is_empty() && self.config.access == Access::Public {
            self.indexnow(&news.pages);
        }
        if !news.is_empty() {
            self.webhooks(news);
        }
        (self.sent_count, self.warnings)
    }

    /// Notifies a WebSub hub that a feed has changed. Returns whether the hub responded.
    fn websub(&mut self, hub: &str, feed: &str) -> bool {
        let topic = utf8_percent_encode(feed, NON_ALPHANUMERIC);
        let body = format!("hub.mode=publish&hub.topic={topic}&hub.url={topic}");
        let headers = [("content-type", "application/x-www-form-urlencoded")];
        self.send(&Request { method: "POST", url: hub, headers: &headers, body: body.as_bytes() })
    }

    /// Sends the addresses of pages to IndexNow (<https://www.indexnow.org/documentation>).
    fn indexnow(&mut self, pages: &[String]) {
        let notify = &self.config.deploy.notify;
        let Some(key) = &notify.indexnow else { return };
        let endpoint = notify.indexnow_endpoint.as_deref().unwrap_or(INDEXNOW);
        for pages in pages.chunks(MAX_ADDRESSES) {
            let body = json!({
                "host": url::host(&self.config.base_url),
                "key": key,
                "keyLocation": self.config.url(&format!("/{key}.txt")),
                "urlList": pages,
            });
            let headers = [("content-type", "application/json; charset=utf-8")];
            let body = body.to_string();
            self.send(&Request {
                method: "POST",
                url: endpoint,
                headers: &headers,
                body: body.as_bytes(),
            });
        }
    }

    fn podping(&mut self, feed: &str) {
        let notify = &self.config.deploy.notify;
        let Some(address) = &notify.podping else {
            return;
        };
        let address =
            address.replace("{url}", &utf8_percent_encode(feed, NON_ALPHANUMERIC).to_string());
        let token = match &notify.podping_token_env {
            Some(name) => match self.secret(name, &address) {
                Some(token) => token,
                None => return,
            },
            None => String::new(),
        };
        let headers = [("authorization", token.as_str())];
        let headers = if token.is_empty() { &[][..] } else { &headers };
        self.send(&Request { method: "GET", url: &address, headers, body: &[] });
    }

    /// Sends a message to all webhooks, in the format of the Standard Webhooks specification.
    fn webhooks(&mut self, news: &PublishedChanges) {
        let notify = &self.config.deploy.notify;
        let now = Timestamp::now();
        let body = json!({
            "type": "site.published",
            "timestamp": now,
            "data": { "site": self.config.url("/"), "feeds": news.feeds, "pages": news.pages },
        });
        let body = body.to_string();
        for address in &self.addresses() {
            let id = format!("msg_{}", edit::new_id());
            let time = now.as_second().to_string();
            let mut headers = vec![
                ("content-type", "application/json".to_owned()),
                ("webhook-id", id.clone()),
                ("webhook-timestamp", time.clone()),
            ];
            if let Some(name) = &notify.webhook_secret_env {
                let Some(secret) = self.secret(name, address) else {
                    continue;
                };
                match fetch::sign(&secret, &id, &time, &body) {
                    Some(signed) => headers.push(("webhook-signature", signed)),
                    None => {
                        let help = format!(
                            "set {name} to `whsec_` followed by at least 24 random bytes in base64"
                        );
                        self.warn(address, "the secret is invalid", &help);
                        continue;
                    }
                }
            }
            let headers: Vec<(&str, &str)> =
                headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
            self.send(&Request {
                method: "POST",
                url: address,
                headers: &headers,
                body: body.as_bytes(),
            });
        }
    }

    /// Returns the addresses of all webhooks. Addresses from the environment variable are secret.
    fn addresses(&mut self) -> Vec<String> {
        let notify = &self.config.deploy.notify;
        let mut all = notify.webhooks.clone();
        let Some(name) = &notify.webhooks_env else {
            return all;
        };
        let Some(listed) = self.secret(name, "a webhook") else {
            return all;
        };
        for address in listed.split([',', '\n']).map(str::trim).filter(|one| !one.is_empty()) {
            if url::is_http(address) && url::is_safe_for_secrets(address) {
                all.push(address.to_owned());
            } else {
                let failure_reason =
                    format!("{name} contains an invalid address; it must start with https://");
                self.warn(
                    "a webhook",
                    &failure_reason,
                    "separate several addresses with line breaks or commas",
                );
            }
        }
        all
    }

    fn secret(&mut self, name: &str, address: &str) -> Option<String> {
        let value = env::var(name).ok().filter(|value| !value.trim().is_empty());
        if value.is_none() {
            let failure_reason = format!("the environment variable {name} is not set");
            self.warn(address, &failure_reason, "set it, and run `feedwright deploy --notify`");
        }
        value.map(|value| value.trim().to_owned())
    }

    /// Sends a request. Returns whether there was a response.
    fn send(&mut self, request: &Request<'_>) -> bool {
        let host = Url::parse(request.url).ok();
        let host = host.and_then(|url| url.host_str().map(str::to_owned));
        let client = self.clients.entry(host).or_insert_with(|| {
            Client::new(Options {
                user_agent: concat!("feedwright/", env!("CARGO_PKG_VERSION")).to_owned(),
                reach: Reach::named(request.url),
                becomes_get: false,
                ..Options::default()
            })
        });
        const RETRY_HELP: &str = "run `feedwright deploy --notify` to send all notices again";
        let answer = client.send_unchecked(request);
        let is_answered = answer.is_ok();
        match answer {
            Ok(answer) if answer.is_success() => self.sent_count += 1,
            Ok(answer) if matches!(answer.status, 301..=303) => {
                let to = answer.header("location").unwrap_or_default();
                let to = Url::parse(request.url).and_then(|from| from.join(to));
                let to = to.map_or_else(
                    |_| "another address".to_owned(),
                    |to| scheme_and_host(to.as_str()),
                );
                let failure_reason = format!("it redirects to {to} (status {})", answer.status);
                let help = "replace the address with the new one: notices do not follow redirects";
                self.warn(request.url, &failure_reason, help);
            }
            Ok(answer) => {
                self.warn(request.url, &failure_reason(Kind::Status(answer.status)), RETRY_HELP)
            }
            Err(fault) => self.warn(request.url, &failure_reason(fault.kind), RETRY_HELP),
        }
        is_answered
    }

    fn warn(&mut self, address: &str, failure_reason: &str, help: &str) {
        let message = format!(
            "{} was not notified that the site changed: {failure_reason}",
            scheme_and_host(address)
        );
        self.warnings.push(Diagnostic::warning(Rule::Deploy, message).help(help));
    }
}

/// Returns the scheme and host of an address, because any other part of the address may contain a
/// secret token.
fn scheme_and_host(address: &str) -> String {
    match Url::parse(address) {
        Ok(url) => url.origin().ascii_serialization(),
        Err(_) => address.split('/').next().unwrap_or_default().to_owned(),
    }
}

/// Returns the reason for a failed notice. The reason does not contain the address.
fn failure_reason(kind: Kind) -> String {
    match kind {
        Kind::Status(status) => format!("it answered with status {status}"),
        Kind::Stalled => "it timed out".into(),
        Kind::Circle => "it redirects in a loop".into(),
        Kind::Local => "it points to an address of this machine or its network".into(),
        Kind::Address => "it is not a valid address, or redirects to an invalid one".into(),
        Kind::Certificate => "its certificate is invalid, or the TLS connection failed".into(),
        Kind::Unreachable | Kind::Length | Kind::Large | Kind::Disk => {
            "it cannot be reached".into()
        }
    }
}

/// Whether search engines may index a page: its `<head>` does not contain `noindex`.
fn is_indexed(file: &LocalFile) -> bool {
    let mut head = Vec::new();
    let read =
        File::open(&file.on_disk).and_then(|file| file.take(MAX_HEAD).read_to_end(&mut head));
    let head = String::from_utf8_lossy(&head);
    let head = head.split("<body").next().unwrap_or_default();
    read.is_ok() && !head.contains("<meta name=\"robots\" content=\"noindex\">")
}
