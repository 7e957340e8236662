//! The page in the browser: HTML, style sheets and scripts. All of them are built into feedwright.

use warp::http::StatusCode;
use warp::http::header::LOCATION;

use super::{BASE, page};
use api_shared::ApiError;
use server::App;
use server::http::{self, Response, set};

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The files of the editor's page. The fields are the name below [`BASE`], the media type and the
/// content.
static FILES: &[(&str, &str, &str)] = &[
    ("", HTML, include_str!("app/index.html")),
    ("editor.css", CSS, include_str!("app/editor.css")),
    ("calendar.css", CSS, include_str!("app/calendar.css")),
    ("main.js", SCRIPT, include_str!("app/main.js")),
    ("page.js", SCRIPT, include_str!("app/page.js")),
    ("server.js", SCRIPT, include_str!("app/server.js")),
    ("kept.js", SCRIPT, include_str!("app/kept.js")),
    ("list.js", SCRIPT, include_str!("app/list.js")),
    ("document.js", SCRIPT, include_str!("app/document.js")),
    ("calendar.js", SCRIPT, include_str!("app/calendar.js")),
    ("event.js", SCRIPT, include_str!("app/event.js")),
    ("when.js", SCRIPT, include_str!("app/when.js")),
    ("given.js", SCRIPT, include_str!("app/given.js")),
    ("wrong.js", SCRIPT, include_str!("app/wrong.js")),
    ("two_texts.js", SCRIPT, include_str!("app/two_texts.js")),
    ("form.js", SCRIPT, include_str!("app/form.js")),
    ("agents.js", SCRIPT, include_str!("app/agents.js")),
    ("writing.js", SCRIPT, include_str!("app/writing.js")),
    ("publish.js", SCRIPT, include_str!("app/publish.js")),
    ("records.js", SCRIPT, include_str!("app/records.js")),
    ("rows.js", SCRIPT, include_str!("app/rows.js")),
    ("media.js", SCRIPT, include_str!("app/media.js")),
    ("sound.js", SCRIPT, include_str!("app/sound.js")),
    ("site_file.js", SCRIPT, include_str!("app/site_file.js")),
    ("cover.js", SCRIPT, include_str!("app/cover.js")),
    ("difference.js", SCRIPT, include_str!("app/difference.js")),
];

/// The content security policy of the editor's page. The page may send requests only to this
/// server, and shows previews in a sandboxed frame.
const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
media-src 'self' blob:; connect-src 'self'; frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/// Returns a file of the editor's page.
pub fn file(name: &str) -> Result<Response, ApiError> {
    let found = FILES.iter().find(|(own, ..)| *own == name);
    let (_, media_type, text) =
        found.ok_or_else(|| ApiError::not_found("the editor has no file at this address"))?;
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
