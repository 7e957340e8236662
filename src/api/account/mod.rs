//! The account API, `/client/v4`: a client asks whether its key is valid, and looks up the webhooks of
//! realtime applications. It only reads; any account id means this site, which has one account.
//!
//! Errors have the form that clients of the operation expect. Errors about a token stand in an envelope,
//! each with a code and a pointer. Errors of `realtime` are an object with a `message`.

mod envelope;
mod tokens;
mod webhooks;

use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde_json::json;
use warp::http::header::{ALLOW, WWW_AUTHENTICATE};
use warp::http::{Method, StatusCode};

use crate::server::access::CHALLENGE;
use crate::server::http::{self, Request, Response, private_json, set};
use crate::server::{Api, App};
use envelope::{EnvelopeMessage, envelope};

/// Where the API lies.
pub const BASE: &str = "/client/v4";

/// Where it is described, for people.
const DOCUMENTATION: &str = "/client/v4/";

/// The longest account id, in characters.
const MAX_ACCOUNT_ID: usize = 32;

/// The API as the server reaches it.
pub struct AccountApi;

impl Api for AccountApi {
    fn owns(&self, path: &str) -> bool {
        path == BASE || below(path).is_some()
    }

    fn answer(self: Arc<Self>, app: Arc<App>, request: Request) -> BoxFuture<'static, Response> {
        Box::pin(answer(app, request))
    }

    fn refusal(&self, app: &App, request: &Request, status: StatusCode, message: &str) -> Response {
        error(app, &request.path, status, message)
    }
}

/// What a path asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operation<'a> {
    Describe,
    Verify { account_id: &'a str },
    Webhook { account_id: &'a str, app_id: &'a str, webhook_id: &'a str },
}

impl<'a> Operation<'a> {
    /// The operation of a path, percent-decoded. Published clients end none with a slash.
    fn of(path: &'a str) -> Option<Self> {
        if path == BASE || path == DOCUMENTATION {
            return Some(Self::Describe);
        }
        let parts: Vec<&str> = below(path)?.split('/').collect();
        if parts.contains(&"") {
            return None;
        }
        match parts[..] {
            ["accounts", account_id, "tokens", "verify"] => Some(Self::Verify { account_id }),
            ["accounts", account_id, "realtime", "kit", app_id, "webhooks", webhook_id] => {
                Some(Self::Webhook { account_id, app_id, webhook_id })
            }
            _ => None,
        }
    }
}

/// The part of a path below [`BASE`], without the slash.
fn below(path: &str) -> Option<&str> {
    path.strip_prefix(BASE)?.strip_prefix('/')
}

async fn answer(app: Arc<App>, request: Request) -> Response {
    let (state, path) = (Arc::clone(&app), request.path.clone());
    tokio::task::spawn_blocking(move || respond(&app, &request)).await.unwrap_or_else(|_| {
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        error(&state, &path, status, "the server failed")
    })
}

fn respond(app: &App, request: &Request) -> Response {
    let path = request.decoded_path();
    let Some(operation) = path.as_deref().and_then(Operation::of) else {
        let words = "there is no such path in the account API";
        return error(app, &request.path, StatusCode::NOT_FOUND, words);
    };
    if !matches!(request.method, Method::GET | Method::HEAD) {
        let words = "this path is read with GET";
        let status = StatusCode::METHOD_NOT_ALLOWED;
        let mut response = error(app, &request.path, status, words);
        set(&mut response, ALLOW, "GET, HEAD");
        return response;
    }
    match operation {
        Operation::Describe => {
            http::bytes(StatusCode::OK, "text/html; charset=utf-8", include_str!("page.html"))
        }
        Operation::Verify { account_id } => tokens::verify(app, request, account_id),
        Operation::Webhook { account_id, app_id, webhook_id } => {
            match webhooks::find(app, request, account_id, app_id, webhook_id) {
                Ok(webhook) => {
                    private_json(StatusCode::OK, &json!({ "success": true, "data": webhook }))
                }
                Err(fault) => message(fault.status, &fault.message),
            }
        }
    }
}

/// An error in the form of the operation that a path belongs to.
fn error(app: &App, path: &str, status: StatusCode, words: &str) -> Response {
    let mut parts = below(path).unwrap_or_default().split('/');
    match (parts.next(), parts.nth(1)) {
        (Some("accounts"), Some("realtime")) => message(status, words),
        _ => envelope(app, status, &EnvelopeMessage::of_status(status, words), &json!(null)),
    }
}

/// An error of `realtime`.
fn message(status: StatusCode, words: &str) -> Response {
    challenged(private_json(status, &json!({ "message": words })))
}

/// Adds the challenge to a 401 (RFC 9110, section 11.6.1).
fn challenged(mut response: Response) -> Response {
    if response.status() == StatusCode::UNAUTHORIZED {
        set(&mut response, WWW_AUTHENTICATE, CHALLENGE);
    }
    response
}

/// What is wrong with an account id, if anything.
fn check_account(account_id: &str) -> Result<(), String> {
    match account_id.chars().count() {
        0..=MAX_ACCOUNT_ID => Ok(()),
        length => {
            Err(format!("account_id: it has {length} characters, and may have {MAX_ACCOUNT_ID}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_means_one_operation_or_none() {
        assert_eq!(
            Operation::of("/client/v4/accounts/a/tokens/verify"),
            Some(Operation::Verify { account_id: "a" })
        );
        assert_eq!(
            Operation::of("/client/v4/accounts/a/realtime/kit/b/webhooks/c"),
            Some(Operation::Webhook { account_id: "a", app_id: "b", webhook_id: "c" })
        );
        for path in ["/client/v4", "/client/v4/"] {
            assert_eq!(Operation::of(path), Some(Operation::Describe), "{path}");
        }
        for path in [
            "/client",
            "/client/v4//",
            "/client/v4/accounts//tokens/verify",
            "/client/v4/accounts/a/tokens/verify/",
            "/client/v4/accounts/a/tokens",
            "/client/v4/accounts/a/realtime/kit/b/webhooks",
            "/client/v4/accounts/a/realtime/kit//webhooks/c",
            "/client/v4/accounts/a/realtime/kit/b/webhooks/c/d",
            "/client/v5/accounts/a/tokens/verify",
            "/client/v4accounts/a/tokens/verify",
            "/accounts/a/tokens/verify",
        ] {
            assert_eq!(Operation::of(path), None, "{path}");
        }
    }
}
