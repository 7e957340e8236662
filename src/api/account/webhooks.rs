//! `GET /accounts/{account_id}/realtime/kit/{app_id}/webhooks/{webhook_id}`: returns a webhook as
//! configured in the newest `site.toml`.

use warp::http::StatusCode;

use super::check_account;
use api_shared::{ApiError, PathNames};
use model::{Webhook, WebhookId};
use server::App;
use server::access::AuthFailure;
use server::http::Request;
use state::Scope;

/// Returns the webhook with the ids in the path.
pub fn find(app: &App, request: &Request, names: &PathNames) -> Result<Webhook, ApiError> {
    check_key(app, request)?;
    let (app_id, webhook_id) = (names.get("app_id"), names.get("webhook_id"));
    check_account(names.get("account_id")).map_err(ApiError::bad)?;
    let id = WebhookId::parse(webhook_id)
        .ok_or_else(|| ApiError::bad(format!("webhook_id: {webhook_id:?} is not a UUID")))?;
    let moment = app.live.newest();
    let apps = &moment.site.snapshot.config.realtime;
    let realtime = apps
        .iter()
        .find(|realtime| realtime.id.as_str() == app_id)
        .ok_or_else(|| ApiError::not_found(format!("app_id: app not found: {app_id:?}")))?;
    let webhook = realtime.webhook(id).cloned();
    webhook.ok_or_else(|| {
        ApiError::not_found(format!("webhook_id: webhook not found in this app: {id}"))
    })
}

/// Checks that the request has a valid key that may read webhooks. The error is the same for a
/// missing key, an invalid key, and a key without the required scope.
fn check_key(app: &App, request: &Request) -> Result<(), ApiError> {
    let unauthorized = || ApiError::new(StatusCode::UNAUTHORIZED, "Unauthorized");
    let key = app.key_of(request).map_err(|refused| match refused {
        AuthFailure::NoKey | AuthFailure::NotValid => unauthorized(),
        refused => refused.into(),
    })?;
    let scopes = [Scope::REALTIME, Scope::REALTIME_ADMIN];
    if scopes.into_iter().any(|scope| key.allows(scope)) { Ok(()) } else { Err(unauthorized()) }
}
