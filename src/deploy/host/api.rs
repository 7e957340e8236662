//! Sends JSON requests to the API of a host.

use std::env;
use std::time::Duration;

use fetch::{Client, Options, Reach, Request};
use serde_json::Value;

use super::MAX_PARALLEL;
use crate::Fault;
use model::HostedSite;

/// Maximum size of a response in bytes. The largest response is a list of files.
const MAX_RESPONSE: u64 = 256 * 1024 * 1024;

/// Maximum number of pages of a list.
const MAX_PAGES: usize = 1000;

/// The API of a host.
pub struct Api {
    client: Client,
    /// The name of the host.
    pub host: &'static str,
    base: String,
    /// The name of the environment variable that contains the token.
    token_env: String,
    token: String,
}

pub struct Reply {
    pub status: u16,
    /// The JSON body, or null if the body is not valid JSON.
    pub body: Value,
    /// The address of the next page, if the response is a page of a list.
    next: Option<String>,
}

/// A request body: its media type and its bytes.
pub type Body<'a> = (&'a str, &'a [u8]);

/// The media type of JSON.
pub const JSON: &str = "application/json";

impl Api {
    /// Creates a client for the host's API. Sends no request.
    pub fn new(host: &'static str, base: &str, site: &HostedSite) -> Result<Self, Fault> {
        let options = Options {
            user_agent: concat!("feedwright/", env!("CARGO_PKG_VERSION")).to_owned(),
            // An endpoint that the author specified may be local.
            reach: match &site.endpoint {
                Some(endpoint) => Reach::named(endpoint),
                None => Reach::Internet,
            },
            max_per_host: MAX_PARALLEL,
            timeout: Duration::from_mins(1),
            retries: 4,
            ..Options::default()
        };
        Ok(Self {
            client: Client::new(options),
            host,
            base: site.endpoint.clone().unwrap_or_else(|| base.to_owned()),
            token: variable(host, &site.token_env)?,
            token_env: site.token_env.clone(),
        })
    }

    /// Sends a request with the token from the environment. Retries the request after a temporary
    /// failure.
    pub fn send_request(
        &self,
        method: &str,
        path: &str,
        body: Option<Body<'_>>,
    ) -> Result<Reply, Fault> {
        self.request_with_token(&self.token, method, path, body)
    }

    /// Sends a request with a specific token.
    pub fn request_with_token(
        &self,
        token: &str,
        method: &str,
        path: &str,
        body: Option<Body<'_>>,
    ) -> Result<Reply, Fault> {
        let bearer = format!("Bearer {token}");
        let mut headers = vec![("authorization", bearer.as_str())];
        if let Some((media_type, _)) = body {
            headers.push(("content-type", media_type));
        }
        let temporary = |fault: fetch::Fault| {
            Fault::permanent(
                fault.message,
                "check the network connection, and deploy again; the previous version is still published",
            )
        };
        let answer = self.client.send_unchecked(&Request {
            method,
            url: &format!("{}{path}", self.base),
            headers: &headers,
            body: body.map_or(&[], |(_, bytes)| bytes),
        });
        let answer = answer.map_err(temporary)?;
        let next = answer.header("link").and_then(next_page);
        let next = next.and_then(|url| Some(url.strip_prefix(&self.base)?.to_owned()));
        let status = answer.status;
        let body = answer.bytes(MAX_RESPONSE).map_err(temporary)?;
        Ok(Reply { status, body: serde_json::from_slice(&body).unwrap_or_default(), next })
    }

    /// Returns all pages of a list, or `None` if the list does not exist.
    pub fn list(&self, path: &str) -> Result<Option<Vec<Value>>, Fault> {
        let (mut all, mut seen) = (Vec::new(), vec![path.to_owned()]);
        loop {
            let reply = self.send_request("GET", &seen[seen.len() - 1], None)?;
            if reply.status == 404 {
                return Ok(None);
            }
            match self.success(reply)? {
                (Value::Array(part), next) => {
                    all.extend(part);
                    match next {
                        None => return Ok(Some(all)),
                        Some(next) if seen.contains(&next) || seen.len() == MAX_PAGES => {
                            return Err(
                                self.refused(None, "its list repeats a page or has too many pages")
                            );
                        }
                        Some(next) => seen.push(next),
                    }
                }
                _ => return Err(self.refused(None, "its response is not a list")),
            }
        }
    }

    /// Returns the body of a successful response and the address of the next page. Any other
    /// response is an error.
    fn success(&self, reply: Reply) -> Result<(Value, Option<String>), Fault> {
        match reply.status {
            200..=299 if !reply.body.is_null() => Ok((reply.body, reply.next)),
            200..=299 => Err(self.refused(None, "its response cannot be read")),
            status => Err(self.refused(Some(status), &error_message(&reply.body))),
        }
    }

    /// Sends a request, and returns the body of the response. An unsuccessful response is an error.
    pub fn get(&self, method: &str, path: &str, body: Option<Body<'_>>) -> Result<Value, Fault> {
        let reply = self.send_request(method, path, body)?;
        self.success(reply).map(|(body, _)| body)
    }

    /// Returns the fault for a failed request, with its remedy.
    pub fn refused(&self, status: Option<u16>, error_message: &str) -> Fault {
        let (host, variable) = (self.host, &self.token_env);
        let error_message = match (error_message, status) {
            ("", Some(status)) => format!(": status {status}"),
            ("", None) => String::new(),
            (error_message, _) => format!(": {error_message}"),
        };
        match status {
            Some(401 | 403) => Fault::permanent(
                format!("{host} rejected the token{error_message}"),
                format!(
                    "check that the token in {variable} has not expired and has permission to publish this site"
                ),
            ),
            Some(429) => Fault::permanent(
                format!("{host} rejected the request because of its rate limit{error_message}"),
                "deploy again in a few minutes; files already sent are not sent again",
            ),
            _ => Fault::permanent(
                format!("the request to {host} failed{error_message}"),
                "deploy again; the previous version is still published",
            ),
        }
    }
}

/// Returns the value of an environment variable that a host requires.
pub fn variable(host: &str, name: &str) -> Result<String, Fault> {
    let value = env::var(name).ok().map(|value| value.trim().to_owned());
    value.filter(|value| !value.is_empty()).ok_or_else(|| {
        let help = match name.ends_with("_ID") {
            true => format!("set {name} to the id of your account at {host}"),
            false => {
                format!(
                    "create a token at {host} with permission to publish the site, and set {name} to it"
                )
            }
        };
        Fault::permanent(format!("the environment variable {name} is not set"), help)
    })
}

/// Returns the error message in a failed response: the first of `errors`, or else `message` or
/// `error_message`.
pub fn error_message(body: &Value) -> String {
    let error_message = [&body["errors"][0]["message"], &body["message"], &body["error_message"]];
    let error_message = error_message.into_iter().find_map(Value::as_str).unwrap_or_default();
    error_message.trim().trim_end_matches('.').to_owned()
}

/// Returns the address in a `Link` header whose relation is `next` (RFC 8288).
fn next_page(links: &str) -> Option<String> {
    links.split(',').find_map(|link| {
        let (url, about) = link.trim().strip_prefix('<')?.split_once('>')?;
        let is_next = about.split(';').any(|one| matches!(one.trim(), "rel=\"next\"" | "rel=next"));
        is_next.then(|| url.to_owned())
    })
}
