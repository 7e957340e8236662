//! Tells others that something new is out there: hubs of feeds (WebSub), search engines (IndexNow), podcast apps
//! (podping) and webhooks. Whoever cannot be told is a warning: the site is published.

use std::env;
use std::io;
use std::net::ToSocketAddrs;
use std::path::Path;

use fetch::{Client, Options, Reach, Request, Url, is_public};
use jiff::Timestamp;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::json;

use super::Deployed;
use crate::edit;
use crate::model::{Access, Config, Diagnostic, Rule, url};
use crate::site::paths;

/// Where all search engines of IndexNow learn it from.
const INDEXNOW: &str = "https://api.indexnow.org/indexnow";

/// Most addresses in one message to IndexNow.
const MOST_ADDRESSES: usize = 10_000;

/// The file that proves to search engines whose key it is, written beside what was built.
pub fn write_key(out: &Path, config: &Config) -> io::Result<()> {
    match &config.deploy.notify.indexnow {
        Some(key) => edit::keep(&out.join(format!("{key}.txt")), key.as_bytes()),
        None => Ok(()),
    }
}

/// What changed out there, as others know it.
#[derive(Debug, Default)]
pub struct News {
    /// The addresses of feeds.
    feeds: Vec<String>,
    /// The addresses of pages.
    pages: Vec<String>,
}

impl News {
    /// What a deploy put there.
    pub fn of(config: &Config, deployed: &Deployed) -> Self {
        let mut news = Self::default();
        for path in &deployed.put {
            let name = path.rsplit('/').next().unwrap_or(path);
            let address = format!("/{}", path.strip_suffix("index.html").unwrap_or(path));
            if matches!(name, "feed.json" | "rss.xml") {
                news.feeds.push(config.url(&address));
            } else if name == "index.html" && !path.ends_with("/embed/index.html") {
                news.pages.push(config.url(&address));
            }
        }
        news
    }

    /// The site's own feeds, whether they changed or not.
    pub fn of_all(config: &Config) -> Self {
        let mut feeds = vec![config.url(&paths::json_feed(1))];
        feeds.extend(config.feed.rss.then(|| config.url(&paths::rss(1))));
        Self {
            feeds,
            pages: vec![config.url("/")],
        }
    }

    /// Tells everyone whom `[deploy.notify]` names. Answers how many were told, and warnings of those that were not.
    pub fn tell(&self, config: &Config) -> (usize, Vec<Diagnostic>) {
        let client = |reach| {
            Client::new(Options {
                user_agent: concat!("feedwright/", env!("CARGO_PKG_VERSION")).to_owned(),
                reach,
                ..Options::default()
            })
        };
        let teller = Teller {
            public: client(Reach::Internet),
            local: client(Reach::Everywhere),
            config,
            told: 0,
            warnings: Vec::new(),
        };
        teller.tell(self)
    }
}

struct Teller<'a> {
    public: Client,
    /// For whom the author named on this machine or its network. Whom a public one names is not asked there.
    local: Client,
    config: &'a Config,
    told: usize,
    warnings: Vec<Diagnostic>,
}

impl Teller<'_> {
    fn tell(mut self, news: &News) -> (usize, Vec<Diagnostic>) {
        for hub in &self.config.hubs {
            for feed in &news.feeds {
                self.websub(hub, feed);
            }
        }
        let rss = self.config.url(&paths::rss(1));
        if news.feeds.contains(&rss) {
            self.podping(&rss);
        }
        if !news.pages.is_empty() && self.config.access == Access::Public {
            self.indexnow(&news.pages);
        }
        if !(news.feeds.is_empty() && news.pages.is_empty()) {
            self.webhooks(news);
        }
        (self.told, self.warnings)
    }

    /// The publisher's ping, as hubs of WebSub take it.
    fn websub(&mut self, hub: &str, feed: &str) {
        let topic = utf8_percent_encode(feed, NON_ALPHANUMERIC);
        let body = format!("hub.mode=publish&hub.topic={topic}&hub.url={topic}");
        let headers = [("content-type", "application/x-www-form-urlencoded")];
        self.send(&Request {
            method: "POST",
            url: hub,
            headers: &headers,
            body: body.as_bytes(),
        });
    }

    /// <https://www.indexnow.org/documentation>
    fn indexnow(&mut self, pages: &[String]) {
        let notify = &self.config.deploy.notify;
        let Some(key) = &notify.indexnow else { return };
        let endpoint = notify.indexnow_endpoint.as_deref().unwrap_or(INDEXNOW);
        for pages in pages.chunks(MOST_ADDRESSES) {
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
        let address = address.replace(
            "{url}",
            &utf8_percent_encode(feed, NON_ALPHANUMERIC).to_string(),
        );
        let token = match &notify.podping_token_env {
            Some(name) => match self.secret(name, &address) {
                Some(token) => token,
                None => return,
            },
            None => String::new(),
        };
        let headers = [("authorization", token.as_str())];
        let headers = if token.is_empty() { &[][..] } else { &headers };
        self.send(&Request {
            method: "GET",
            url: &address,
            headers,
            body: &[],
        });
    }

    /// A message as the Standard Webhooks specification has it.
    fn webhooks(&mut self, news: &News) {
        let notify = &self.config.deploy.notify;
        let now = Timestamp::now();
        let body = json!({
            "type": "site.published",
            "timestamp": now,
            "data": { "site": self.config.url("/"), "feeds": news.feeds, "pages": news.pages },
        });
        let body = body.to_string();
        for address in &notify.webhooks {
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
                            "put `whsec_` and at least 24 random bytes in base64 into {name}"
                        );
                        self.warn(address, "the secret is none", &help);
                        continue;
                    }
                }
            }
            let headers: Vec<(&str, &str)> = headers
                .iter()
                .map(|(name, value)| (*name, value.as_str()))
                .collect();
            self.send(&Request {
                method: "POST",
                url: address,
                headers: &headers,
                body: body.as_bytes(),
            });
        }
    }

    fn secret(&mut self, name: &str, address: &str) -> Option<String> {
        let value = env::var(name).ok().filter(|value| !value.trim().is_empty());
        if value.is_none() {
            let why = format!("the environment variable {name} is not set");
            self.warn(
                address,
                &why,
                "set it, and run `feedwright deploy --notify`",
            );
        }
        value.map(|value| value.trim().to_owned())
    }

    fn send(&mut self, request: &Request<'_>) {
        let client = if is_local(request.url) {
            &self.local
        } else {
            &self.public
        };
        match client.ask(request) {
            Ok(_) => self.told += 1,
            Err(fault) => self.warn(
                request.url,
                &fault.message,
                "run `feedwright deploy --notify` to tell everyone again",
            ),
        }
    }

    /// A query may hold a token.
    fn warn(&mut self, address: &str, why: &str, help: &str) {
        let (address, _) = address.split_once('?').unwrap_or((address, ""));
        let message = format!("{address} was not told that the site changed: {why}");
        self.warnings
            .push(Diagnostic::warning(Rule::Deploy, message).help(help));
    }
}

/// Whether an address is of this machine or its network.
fn is_local(address: &str) -> bool {
    let url = Url::parse(address).ok();
    let found = url.and_then(|url| {
        let host = url.host_str()?.trim_matches(['[', ']']).to_owned();
        (host, url.port_or_known_default()?).to_socket_addrs().ok()
    });
    found.is_some_and(|mut found| found.any(|one| !is_public(one.ip())))
}
