//! Answers the public paths with documents rendered from the newest moment.

use std::sync::Arc;

use warp::http::header::{ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, LOCATION};
use warp::http::{Method, StatusCode};

use super::app::App;
use super::http::{self, Request, Response, set};
use super::moment::Moment;
use super::public_answer::{PublicAnswer, public_answer};
use super::{reload, sending, theme_views};
use render::{POLICY, is_active};

/// Answers a request for a public path, or for one of the preview's own paths.
pub async fn answer(app: Arc<App>, request: Request) -> Response {
    if !matches!(request.method, Method::GET | Method::HEAD) {
        let words = "public paths support only GET and HEAD";
        let mut response = http::text(StatusCode::METHOD_NOT_ALLOWED, words);
        set(&mut response, ALLOW, "GET, HEAD");
        return response;
    }
    if request.path == reload::EVENTS && request.method == Method::GET {
        return reload::events(app, &request);
    }
    tokio::task::spawn_blocking(move || respond(&app, &request)).await.unwrap_or_else(|_| {
        let words = "this page could not be rendered";
        http::text(StatusCode::INTERNAL_SERVER_ERROR, words)
    })
}

fn respond(app: &App, request: &Request) -> Response {
    let moment = app.live.newest();
    let mut response = if request.path == theme_views::THEME_VIEWS_PATH {
        let page = theme_views::page(&moment);
        sending::bytes(request, page.status, &page.media_type, page.bytes)
    } else if request.path == reload::SCRIPT {
        let (media_type, script) = reload::script();
        sending::bytes(request, StatusCode::OK, media_type, script)
    } else {
        show(app, &moment, request)
    };
    // Browsers must revalidate their copy for each request. Redirects are not stored at all,
    // because browsers would keep a 301 response forever.
    let caching = match response.status() {
        StatusCode::MOVED_PERMANENTLY | StatusCode::FOUND => "no-store",
        _ => "no-cache",
    };
    set(&mut response, CACHE_CONTROL, caching);
    response
}

fn show(app: &App, moment: &Moment, request: &Request) -> Response {
    let path = request.decoded_path();
    let answer = public_answer(&app.live, moment, path.as_deref());
    let state = answer.state(&app.live, moment);
    match answer {
        PublicAnswer::Document(page) => {
            let is_html = page.is_html();
            let bytes = if is_html {
                reload::attach(page.bytes, moment, &request.path, state)
            } else {
                page.bytes
            };
            sending::bytes(request, page.status, &page.media_type, bytes)
        }
        PublicAnswer::File { file, media_type } => {
            let mut response = sending::file(request, app.live.root(), &file, &media_type);
            if is_active(&media_type) {
                set(&mut response, CONTENT_SECURITY_POLICY, POLICY);
            }
            response
        }
        PublicAnswer::Recording { recording, media_type } => {
            sending::recording(request, app.live.root(), *recording, &media_type)
        }
        PublicAnswer::Moved { to, for_good } => redirect_response(moment, request, &to, for_good),
    }
}

fn redirect_response(moment: &Moment, request: &Request, to: &str, for_good: bool) -> Response {
    let (status, words) = if for_good {
        (StatusCode::MOVED_PERMANENTLY, "this page has moved")
    } else {
        (StatusCode::FOUND, "this page has moved temporarily")
    };
    let mut response = http::text(status, words);
    let location = request.with_query(moment.site.snapshot.config.root_path(to));
    set(&mut response, LOCATION, &location);
    response
}
