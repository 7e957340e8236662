//! `GET /accounts/{account_id}/tokens/verify`: reports whether the request's key is valid, and the
//! reason if the key is invalid.
//!
//! A key can verify itself whatever its scopes are. An invalid key gets an error status, because
//! clients interpret status 200 as a valid key. If the key is known, the `result` describes the key
//! even if it is invalid.

use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};
use warp::http::StatusCode;

use super::envelope::{EnvelopeMessage, envelope};
use server::App;
use server::access::bearer;
use server::http::{Request, Response};
use state::{Key, KeyStatus};

/// The properties of a known key.
#[derive(Serialize)]
struct Token<'a> {
    id: &'a str,
    /// `active`, `expired` or `disabled`.
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    expires_on: Option<Timestamp>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_before: Option<Timestamp>,
}

/// Returns the verification result for the key of a request.
pub fn verify(app: &App, request: &Request, account_id: &str) -> Response {
    let found = match bearer(request) {
        Some(secret) => app.state.find_key(secret),
        None => Ok(None),
    };
    let (status, note, result) = match found {
        Ok(Some(key)) => key_answer(&key, account_id),
        Ok(None) => {
            if bearer(request).is_some() {
                app.count_failure(request);
            }
            (StatusCode::UNAUTHORIZED, unknown_key_message(request), Value::Null)
        }
        Err(error) => {
            let status = StatusCode::INTERNAL_SERVER_ERROR;
            let note = EnvelopeMessage::from_status(status, &error.to_string());
            (status, note, Value::Null)
        }
    };
    envelope(app, status, &note, &result)
}

/// Returns the message for a request with an unknown key or without a key.
fn unknown_key_message(request: &Request) -> EnvelopeMessage {
    let is_malformed = bearer(request).is_none() && request.headers.contains_key("authorization");
    let (code, message) = if is_malformed {
        (6003, "Authorization: must be Bearer <key>")
    } else {
        (1000, "Invalid API Token")
    };
    EnvelopeMessage { code, message: message.into(), pointer: "/headers/authorization" }
}

/// Returns the answer for a known key.
fn key_answer(key: &Key, account_id: &str) -> (StatusCode, EnvelopeMessage, Value) {
    let status = key.status(Timestamp::now());
    if status == KeyStatus::Active
        && let Err(message) = super::check_account(account_id)
    {
        let note = EnvelopeMessage { code: 7003, message, pointer: "/path/account_id" };
        return (StatusCode::BAD_REQUEST, note, Value::Null);
    }
    let token = Token {
        id: &key.id,
        status: match status {
            KeyStatus::Active => "active",
            KeyStatus::Expired => "expired",
            // Clients accept only three values of `status`. The field `not_before` distinguishes a
            // key that is not valid yet from a revoked key.
            KeyStatus::NotYetValid | KeyStatus::Revoked => "disabled",
        },
        expires_on: key.window.expires,
        not_before: key.window.not_before,
    };
    let (status, note) = explain_status(key, status);
    (status, note, json!(token))
}

/// Returns the HTTP status for a key's status, and a message that explains it.
fn explain_status(key: &Key, status: KeyStatus) -> (StatusCode, EnvelopeMessage) {
    let when = |time: Option<Timestamp>| time.map_or_else(String::new, |time| time.to_string());
    let (why, pointer) = match status {
        KeyStatus::Active => {
            let note = EnvelopeMessage {
                code: 10_000,
                message: "This API Token is valid and active".into(),
                pointer: "/result/status",
            };
            return (StatusCode::OK, note);
        }
        KeyStatus::Expired => {
            (format!("it expired at {}", when(key.window.expires)), "/result/expires_on")
        }
        KeyStatus::NotYetValid => (
            format!("it is not valid before {}", when(key.window.not_before)),
            "/result/not_before",
        ),
        KeyStatus::Revoked => {
            (format!("it was revoked at {}", when(key.revoked)), "/result/status")
        }
    };
    let note =
        EnvelopeMessage { code: 1000, message: format!("Invalid API Token: {why}"), pointer };
    (StatusCode::UNAUTHORIZED, note)
}
