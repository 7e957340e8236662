//! Who may edit: someone who opened the link that `serve` printed.
//!
//! The link has a code that is good once. The page gives it up for a cookie, which scripts cannot read and which is sent
//! to no other site, and for a token, which the page keeps and sends in a header of its own. A form or a page of another
//! site has neither, another server of this machine gets the cookie at most, and both are needed.

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

/// The header that the token is sent in.
const TOKEN: &str = "feedwright-token";

/// What is read of a request to know who sends it.
#[derive(Debug, Clone)]
pub struct Head {
    cookie: Option<String>,
    token: Option<String>,
    /// The name of this server's cookie: a browser keeps those of all servers of a machine together.
    name: String,
}

/// The code of a link.
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

    /// The field that sets the cookie, or takes it away.
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

/// Err if the sender is not signed in.
pub fn check(app: &App, head: &Head) -> Result<(), ApiError> {
    let is_known = match (&head.cookie, &head.token) {
        (Some(cookie), Some(token)) => app.state.is_signed_in(cookie, token, Timestamp::now())?,
        _ => false,
    };
    if is_known { Ok(()) } else { Err(nobody()) }
}

/// Err if the reader of a medium is not signed in. A page's pictures and sounds are asked for with the cookie alone.
pub fn check_cookie(app: &App, head: &Head) -> Result<(), ApiError> {
    let is_known = match &head.cookie {
        Some(cookie) => app.state.has_session(cookie, Timestamp::now())?,
        None => false,
    };
    if is_known { Ok(()) } else { Err(nobody()) }
}

fn nobody() -> ApiError {
    ApiError::new(
        StatusCode::UNAUTHORIZED,
        "nobody is signed in here: open the link that `feedwright edit` prints",
    )
}

/// Gives a code up for a cookie and a token.
pub fn sign_in(app: &App, head: &Head, code: &Code) -> Result<Response, ApiError> {
    let session = app.state.sign_in(&code.code, Timestamp::now())?;
    let Some(session) = session else {
        return Err(ApiError::new(
            StatusCode::UNAUTHORIZED,
            "this link was used before, or is older than 15 minutes: `feedwright edit` prints another",
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
