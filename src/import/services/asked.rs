//! A site that is asked with a key.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fetch::{Client, Fault, Kind, Request, Url, is_public};
use serde_json::Value;

use super::super::address::LARGEST_ANSWER;

/// A secret. It is neither shown nor printed.
#[derive(Clone)]
pub struct Key(String);

impl Key {
    /// None of a text that says nothing.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }

    pub fn expose(&self) -> &str {
        &self.0
    }

    /// A user and password, as HTTP has them (RFC 7617).
    pub fn basic(&self) -> Option<String> {
        let basic = || format!("Basic {}", STANDARD.encode(&self.0));
        self.0.contains(':').then(basic)
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Key(…)")
    }
}

/// Why there is no answer that can be used.
#[derive(Debug)]
pub enum Refusal {
    /// There is no such thing.
    Missing(String),
    /// The key is none, or may not do that.
    Key(String),
    Other(String),
}

impl Refusal {
    /// With what to do about a key.
    pub fn told(self, remedy: &str) -> String {
        match self {
            Self::Key(message) => format!("{message}\n  help: {remedy}"),
            Self::Missing(message) | Self::Other(message) => message,
        }
    }
}

/// The value of `Authorization`, made anew for each request: some last for minutes only.
type Authorization = Box<dyn Fn() -> String>;

/// A site, and what opens it.
pub struct Site<'a> {
    pub client: &'a Client,
    /// Ends with `/`.
    pub base: Url,
    pub key: Option<Key>,
    pub authorization: Option<Authorization>,
}

impl<'a> Site<'a> {
    /// A site at an address. Before a key is sent there, it is asked without one whether it is there itself.
    ///
    /// # Errors
    ///
    /// When it is not, in words for a person.
    pub fn open(source: &str, key: Option<Key>, client: &'a Client) -> Result<Self, String> {
        let named =
            Url::parse(source).map_err(|error| format!("{source} is no address: {error}"))?;
        let mut base = named.clone();
        if key.is_some() {
            let answer = client.send(&Request::get(source)).map_err(|fault| fault.message)?;
            let real = answer.url;
            let is_same_host = real.host_str() == named.host_str();
            if !is_same_host || (real.scheme() == "http" && named.scheme() == "https") {
                return Err(format!(
                    "{named} leads to {real}, which you did not name\n  help: name that address, if the key is for it"
                ));
            }
            base.set_scheme(real.scheme()).map_err(|()| format!("{real} cannot be asked"))?;
            base.set_port(real.port()).map_err(|()| format!("{real} cannot be asked"))?;
            if base.scheme() == "http" && !is_near(&base) {
                return Err(format!(
                    "{base} would get the key unencrypted\n  help: name its address with https://"
                ));
            }
        }
        base.set_query(None);
        base.set_fragment(None);
        if !base.path().ends_with('/') {
            base.set_path(&format!("{}/", base.path()));
        }
        Ok(Self { client, base, key, authorization: None })
    }

    /// Sends a key, if there is one, as a user and password.
    ///
    /// # Errors
    ///
    /// When the key is no user and password.
    pub fn authorize(&mut self, remedy: &str) -> Result<(), String> {
        if let Some(key) = &self.key {
            let basic = key.basic().ok_or_else(|| {
                format!(
                    "the key is no user and password with a colon between them\n  help: {remedy}"
                )
            })?;
            self.authorization = Some(Box::new(move || basic.clone()));
        }
        Ok(())
    }

    /// What is at a path below the base, as JSON.
    pub fn ask(&self, path: &str) -> Result<Value, Refusal> {
        let other = |message: String| Refusal::Other(self.without_key(&message));
        let url = self.base.join(path).map_err(|error| other(error.to_string()))?;
        let own = self.authorization.as_ref().map(|make| make());
        let mut headers = vec![("accept", "application/json"), ("accept-version", "v5.0")];
        headers.extend(own.as_deref().map(|value| ("authorization", value)));
        let asked = self.client.ask(&Request { headers: &headers, ..Request::get(url.as_str()) });
        let answer = asked.map_err(|fault| self.refusal(&fault))?;
        if answer.url.origin() != self.base.origin() {
            let message =
                format!("{url} leads to {}, which is another site and was not read", answer.url);
            return Err(other(message));
        }
        let bytes = answer.bytes(LARGEST_ANSWER).map_err(|fault| self.refusal(&fault))?;
        serde_json::from_slice(&bytes)
            .map_err(|error| other(format!("{url} answers with something else than JSON: {error}")))
    }

    /// As [`ask`](Self::ask), where it may be that there is nothing or that it is not shown.
    pub fn ask_for(&self, path: &str) -> Result<Option<Value>, String> {
        match self.ask(path) {
            Ok(value) => Ok(Some(value)),
            Err(Refusal::Missing(_) | Refusal::Key(_)) => Ok(None),
            Err(Refusal::Other(message)) => Err(message),
        }
    }

    fn refusal(&self, fault: &Fault) -> Refusal {
        let message = self.without_key(&fault.message);
        match fault.kind {
            Kind::Status(401 | 403) => Refusal::Key(message),
            Kind::Status(400 | 404 | 410 | 422 | 501) => Refusal::Missing(message),
            _ => Refusal::Other(message),
        }
    }

    fn without_key(&self, message: &str) -> String {
        match &self.key {
            Some(key) => message.replace(key.expose(), "…"),
            None => message.to_owned(),
        }
    }
}

/// Whether a site is on this machine or its network, where nobody listens in between.
fn is_near(url: &Url) -> bool {
    match url.host() {
        Some(fetch::Host::Ipv4(address)) => !is_public(address.into()),
        Some(fetch::Host::Ipv6(address)) => !is_public(address.into()),
        Some(fetch::Host::Domain(name)) => {
            name == "localhost" || name.ends_with(".localhost") || name.ends_with(".local")
        }
        None => false,
    }
}
