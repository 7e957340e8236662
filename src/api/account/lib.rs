//! The account API, `/client/v4`. Clients use it to check whether their key is valid, and to read
//! the webhooks of realtime applications. The API is read-only. Every account id refers to this
//! site, because a site has only one account.
//!
//! Errors have the format that clients of the operation expect. Errors of token operations are in
//! an envelope with a code and a pointer. Errors of `realtime` operations are objects with a
//! `message`.

mod envelope;
mod tokens;
mod webhooks;

use std::sync::Arc;

use serde_json::json;
use warp::http::header::{ALLOW, WWW_AUTHENTICATE};
use warp::http::{Method, StatusCode};

use api_shared::{ApiError, FAILED, PathNames, blocking, find};
use envelope::{EnvelopeMessage, envelope};
use server::http::{self, Request, Response, private_json, set};
use server::{Api, ApiAnswer, App};

/// The path prefix of the API.
pub const BASE: &str = "/client/v4";

/// The path of the human-readable documentation.
const DOCUMENTATION: &str = "/client/v4/";

/// Maximum length of an account id, in characters.
const MAX_ACCOUNT_ID: usize = 32;

/// The account API as an [`Api`] of the server.
pub struct AccountApi;

impl Api for AccountApi {
    fn owns(&self, path: &str) -> bool {
        path == BASE || strip_base(path).is_some()
    }

    fn answer(self: Arc<Self>, app: Arc<App>, request: Request) -> ApiAnswer {
        Box::pin(async move { blocking(FAILED, move || respond(&app, &request)).await? })
    }

    /// Formats an error in the format of the operation at this path.
    fn error(&self, app: &App, path: &str, error: &ApiError) -> Response {
        let mut parts = strip_base(path).unwrap_or_default().split('/');
        if let (Some("accounts"), Some("realtime")) = (parts.next(), parts.nth(1)) {
            return error.response(&json!({ "message": error.message }), &[WWW_AUTHENTICATE]);
        }
        let note = EnvelopeMessage::from_status(error.status, &error.message);
        let mut response = envelope(app, error.status, &note, &json!(null));
        if let Some(allow) = &error.allow {
            set(&mut response, ALLOW, allow);
        }
        response
    }
}

const WEBHOOK: &str =
    "/client/v4/accounts/{account_id}/realtime/kit/{app_id}/webhooks/{webhook_id}";

type Run = fn(&App, &Request, &PathNames) -> Result<Response, ApiError>;

/// The operations with their paths. All are GET requests. Existing clients send paths without a
/// trailing slash.
const OPERATIONS: [(&str, Run); 4] = [
    (BASE, describe),
    (DOCUMENTATION, describe),
    ("/client/v4/accounts/{account_id}/tokens/verify", |app, request, names| {
        Ok(tokens::verify(app, request, names.get("account_id")))
    }),
    (WEBHOOK, |app, request, names| {
        let webhook = webhooks::find(app, request, names)?;
        Ok(private_json(StatusCode::OK, &json!({ "success": true, "data": webhook })))
    }),
];

/// Returns the part of a path below [`BASE`], without the leading slash.
fn strip_base(path: &str) -> Option<&str> {
    path.strip_prefix(BASE)?.strip_prefix('/')
}

fn respond(app: &App, request: &Request) -> Result<Response, ApiError> {
    let (run, names) = operation(&request.method, &request.decoded_path().unwrap_or_default())?;
    run(app, request, &names)
}

/// Returns the operation for a percent-decoded path, and the path parameters.
fn operation(method: &Method, path: &str) -> Result<(Run, PathNames), ApiError> {
    let table = OPERATIONS.into_iter().map(|(path, run)| ("GET", path, run));
    find(table, method, path).map_err(|allow| match allow {
        Some(allow) => ApiError {
            message: "this path supports only GET".to_owned(),
            ..ApiError::method_not_allowed(allow)
        },
        None => ApiError::not_found("path not found in the account API"),
    })
}

fn describe(_: &App, _: &Request, _: &PathNames) -> Result<Response, ApiError> {
    Ok(http::bytes(StatusCode::OK, "text/html; charset=utf-8", include_str!("page.html")))
}

/// Validates the length of an account id. The error is a message for the client.
fn check_account(account_id: &str) -> Result<(), String> {
    match account_id.chars().count() {
        0..=MAX_ACCOUNT_ID => Ok(()),
        length => {
            Err(format!("account_id: has {length} characters; the maximum is {MAX_ACCOUNT_ID}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_means_one_operation_or_none() {
        let names = |path| {
            let found = operation(&Method::GET, path);
            found.map(|(_, names)| names.0).map_err(|error| error.status)
        };
        assert_eq!(
            names("/client/v4/accounts/a/tokens/verify"),
            Ok(vec![("account_id", "a".to_owned())])
        );
        let webhook = [("account_id", "a"), ("app_id", "b"), ("webhook_id", "c")];
        assert_eq!(
            names("/client/v4/accounts/a/realtime/kit/b/webhooks/c"),
            Ok(webhook.map(|(place, name)| (place, name.to_owned())).to_vec())
        );
        for path in ["/client/v4", "/client/v4/"] {
            assert_eq!(names(path), Ok(Vec::new()), "{path}");
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
            assert_eq!(names(path), Err(StatusCode::NOT_FOUND), "{path}");
        }
    }
}
