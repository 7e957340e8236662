//! The editor's sessions. A person can edit after opening the link that `serve` printed.
//!
//! The link contains a code that works once. The page exchanges the code for a cookie and a token.
//! Scripts cannot read the cookie, and browsers do not send it with requests from other sites. The
//! page keeps the token and sends it in a custom header. A form or a page of another site has
//! neither the cookie nor the token. Another server on this machine can receive the cookie, but not
//! the token, and requests need both.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::json;
use warp::http::StatusCode;
use warp::http::header::SET_COOKIE;

use api_shared::ApiError;
use model::url::is_https;
use server::App;
use server::http::{Request, Response, private_json, set};
use state::SESSION;

/// The header that contains the token.
const TOKEN: &str = "feedwright-token";

/// The parts of a request that identify its sender.
#[derive(Debug, Clone)]
pub struct Head {
    cookie: Option<String>,
    token: Option<String>,
    /// The name of this server's cookie. The name contains the port, because a browser sends the
    /// cookies of all servers on a machine to each of them.
    name: String,
}

/// The code from a link.
#[derive(Debug, Deserialize)]
pub struct Code {
    code: String,
}

impl Head {
    pub fn of(request: &Request) -> Self {
        let host = request.header("host").unwrap_or_default();
        let port = host.rsplit_once(':').map_or("", |(_, port)| port);
        let port: String = port.chars().filter(char::is_ascii_digit).collect();
        let name = format!("feedwright-edit-{port}");
        let cookies = request.headers.get_all("cookie").iter();
        let mut cookies = cookies
            .filter_map(|cookies| cookies.to_str().ok())
            .flat_map(|cookies| cookies.split(';'));
        let cookie = cookies.find_map(|cookie| {
            let (own, value) = cookie.trim().split_once('=')?;
            (own == name).then(|| value.to_owned())
        });
        Self { cookie, token: request.header(TOKEN).map(str::to_owned), name }
    }

    /// Returns the value of the `Set-Cookie` header that sets or removes the cookie.
    fn set_cookie(&self, app: &App, value: Option<&str>) -> String {
        let moment = app.live.now();
        let config = &moment.site.snapshot.config;
        let seconds = value.map_or(0, |_| SESSION.as_secs());
        let secure = if is_https(&config.base_url) { "; Secure" } else { "" };
        format!(
            "{}={}; Max-Age={seconds}; Path={}{}; HttpOnly; SameSite=Strict{secure}",
            self.name,
            value.unwrap_or_default(),
            config.base_path(),
            super::BASE,
        )
    }
}

/// Returns an error if the sender is not signed in.
pub fn check(app: &App, head: &Head) -> Result<(), ApiError> {
    let is_known = match (&head.cookie, &head.token) {
        (Some(cookie), Some(token)) => app.state.is_signed_in(cookie, token, Timestamp::now())?,
        _ => false,
    };
    if is_known { Ok(()) } else { Err(not_signed_in()) }
}

/// Returns an error if the sender of a request for a media file is not signed in. Checks only the
/// cookie, because the browser requests a page's pictures and audio without the token.
pub fn check_cookie(app: &App, head: &Head) -> Result<(), ApiError> {
    let is_known = match &head.cookie {
        Some(cookie) => app.state.has_session(cookie, Timestamp::now())?,
        None => false,
    };
    if is_known { Ok(()) } else { Err(not_signed_in()) }
}

fn not_signed_in() -> ApiError {
    ApiError::new(
        StatusCode::UNAUTHORIZED,
        "you are not signed in: open the link that `feedwright edit` prints",
    )
}

/// Exchanges a code for a cookie and a token.
pub fn sign_in(app: &App, head: &Head, code: &Code) -> Result<Response, ApiError> {
    let session = app.state.sign_in(&code.code, Timestamp::now())?;
    let Some(session) = session else {
        return Err(ApiError::new(
            StatusCode::UNAUTHORIZED,
            "this link was already used or is older than 15 minutes: run `feedwright edit` for a new one",
        ));
    };
    let token = json!({ "token": session.token.expose() });
    let mut response = private_json(StatusCode::OK, &token);
    let cookie = head.set_cookie(app, Some(session.cookie.expose()));
    set(&mut response, SET_COOKIE, &cookie);
    Ok(response)
}

pub fn sign_out(app: &App, head: &Head) -> Result<Response, ApiError> {
    if let Some(cookie) = &head.cookie {
        app.state.sign_out(cookie)?;
    }
    let mut response = private_json(StatusCode::OK, &json!({}));
    set(&mut response, SET_COOKIE, &head.set_cookie(app, None));
    Ok(response)
}
