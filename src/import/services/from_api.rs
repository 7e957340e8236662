//! Requests to a site's API, authenticated with a key.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use fetch::{Client, Fault, Kind, Request, Url, is_public};
use serde_json::Value;

use super::super::address::MAX_ANSWER;

/// A secret key. `Debug` does not print it.
#[derive(Clone)]
pub struct Key(String);

impl Key {
    /// Creates a key, or returns `None` for an empty string.
    pub fn new(text: &str) -> Option<Self> {
        let text = text.trim();
        (!text.is_empty()).then(|| Self(text.to_owned()))
    }

    pub fn expose(&self) -> &str {
        &self.0
    }

    /// Returns the value of an `Authorization` header for Basic authentication (RFC 7617). Returns
    /// `None` unless the key contains a user and a password.
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

/// The reason why a request failed.
#[derive(Debug)]
pub enum Refusal {
    /// The requested resource does not exist.
    Missing(String),
    /// The key is invalid, or lacks permission.
    Key(String),
    Other(String),
}

impl Refusal {
    /// Returns the error message. If the key was rejected, adds `remedy` as help.
    pub fn into_message(self, remedy: &str) -> String {
        match self {
            Self::Key(message) => format!("{message}\n  help: {remedy}"),
            Self::Missing(message) | Self::Other(message) => message,
        }
    }
}

/// A function that returns the value of the `Authorization` header. It is called for each request,
/// because some tokens expire after a few minutes.
type Authorization = Box<dyn Fn() -> String>;

/// A site and the credentials for its API.
pub struct Site<'a> {
    pub client: &'a Client,
    /// Base address of the site. It ends with `/`.
    pub base: Url,
    pub key: Option<Key>,
    pub authorization: Option<Authorization>,
}

impl<'a> Site<'a> {
    /// Opens the site at an address. If there is a key, a request without the key first checks that
    /// the address does not redirect to another site.
    ///
    /// # Errors
    ///
    /// Returns a message for the user if the address redirects to another site, or if the key would
    /// be sent unencrypted.
    pub fn open(source: &str, key: Option<Key>, client: &'a Client) -> Result<Self, String> {
        let named = Url::parse(source)
            .map_err(|error| format!("{source} is not a valid address: {error}"))?;
        let mut base = named.clone();
        if key.is_some() {
            let answer = client.send(&Request::get(source)).map_err(|fault| fault.message)?;
            let real = answer.url;
            let is_same_host = real.host_str() == named.host_str();
            if !is_same_host || (real.scheme() == "http" && named.scheme() == "https") {
                return Err(format!(
                    "{named} redirects to {real}; the key was not sent there\n  help: use that address if the key belongs to it"
                ));
            }
            base.set_scheme(real.scheme()).map_err(|()| format!("{real} cannot be requested"))?;
            base.set_port(real.port()).map_err(|()| format!("{real} cannot be requested"))?;
            if base.scheme() == "http" && !is_near(&base) {
                return Err(format!(
                    "{base} would receive the key unencrypted\n  help: use an address that starts with https://"
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

    /// Authenticates later requests with the key as user and password. Does nothing without a key.
    ///
    /// # Errors
    ///
    /// Returns a message if the key is not a user and a password.
    pub fn authorize(&mut self, remedy: &str) -> Result<(), String> {
        if let Some(key) = &self.key {
            let basic = key.basic().ok_or_else(|| {
                format!(
                    "the key must be a user and a password, separated by a colon\n  help: {remedy}"
                )
            })?;
            self.authorization = Some(Box::new(move || basic.clone()));
        }
        Ok(())
    }

    /// Requests a path below the base address, and parses the response as JSON.
    pub fn send_checked(&self, path: &str) -> Result<Value, Refusal> {
        let other = |message: String| Refusal::Other(self.without_key(&message));
        let url = self.base.join(path).map_err(|error| other(error.to_string()))?;
        let own = self.authorization.as_ref().map(|make| make());
        let mut headers = vec![("accept", "application/json"), ("accept-version", "v5.0")];
        headers.extend(own.as_deref().map(|value| ("authorization", value)));
        let from_api =
            self.client.send_checked(&Request { headers: &headers, ..Request::get(url.as_str()) });
        let answer = from_api.map_err(|fault| self.refusal(&fault))?;
        if answer.url.origin() != self.base.origin() {
            let message = format!(
                "{url} redirects to {}, which is on another site and was not read",
                answer.url
            );
            return Err(other(message));
        }
        let bytes = answer.bytes(MAX_ANSWER).map_err(|fault| self.refusal(&fault))?;
        serde_json::from_slice(&bytes)
            .map_err(|error| other(format!("{url} did not return valid JSON: {error}")))
    }

    /// Like [`send_checked`](Self::send_checked), but returns `None` if the resource does not exist
    /// or is not accessible.
    pub fn ask_for(&self, path: &str) -> Result<Option<Value>, String> {
        match self.send_checked(path) {
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

/// Returns whether a site is on this machine or in the local network. Only such sites may receive a
/// key unencrypted.
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
