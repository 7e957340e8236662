//! The page in the browser: HTML, style sheets and scripts. All of them are built into feedwright.

use warp::http::StatusCode;
use warp::http::header::LOCATION;

use super::{BASE, page};
use api_shared::ApiError;
use server::App;
use server::http::{self, Response, set};

/// The page, its style sheet and its script: each name, and the text that `build.rs` makes.
static FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The content security policy of the editor's page. The page may send requests only to this
/// server, and shows previews in a sandboxed frame.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
media-src 'self' blob:; connect-src 'self'; frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/// Returns a file of the editor's page. The page itself has no name.
pub fn file(name: &str) -> Result<Response, ApiError> {
    let name = if name.is_empty() { "index.html" } else { name };
    let found = FILES.iter().find(|(own, _)| *own == name);
    let (_, text) =
        found.ok_or_else(|| ApiError::not_found("the editor has no file at this address"))?;
    let media_type = match name.rsplit_once('.') {
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        _ => "text/html; charset=utf-8",
    };
    Ok(page(media_type, text.as_bytes().to_vec(), PAGE_POLICY))
}

/// Redirects to the editor's page at `origin`. An empty `origin` means the origin of the request.
pub fn redirect_to(app: &App, origin: &str) -> Response {
    let moment = app.live.now();
    let base = moment.site.snapshot.config.base_path();
    let mut response =
        http::text(StatusCode::FOUND, "the editor is at another address: follow the redirect");
    set(&mut response, LOCATION, &format!("{origin}{base}{BASE}"));
    response
}
