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
    ("shell.css", CSS, include_str!("app/shell.css")),
    ("writing.css", CSS, include_str!("app/writing.css")),
    ("calendar.css", CSS, include_str!("app/calendar.css")),
    ("fields.css", CSS, include_str!("app/fields.css")),
    ("recording.css", CSS, include_str!("app/recording.css")),
    ("main.js", SCRIPT, include_str!("app/main.js")),
    ("page.js", SCRIPT, include_str!("app/page.js")),
    ("server.js", SCRIPT, include_str!("app/server.js")),
    ("kept.js", SCRIPT, include_str!("app/kept.js")),
    ("list.js", SCRIPT, include_str!("app/list.js")),
    ("home.js", SCRIPT, include_str!("app/home.js")),
    ("navigation.js", SCRIPT, include_str!("app/navigation.js")),
    ("palette.js", SCRIPT, include_str!("app/palette.js")),
    ("begun.js", SCRIPT, include_str!("app/begun.js")),
    ("photos.js", SCRIPT, include_str!("app/photos.js")),
    ("people.js", SCRIPT, include_str!("app/people.js")),
    ("new_item.js", SCRIPT, include_str!("app/new_item.js")),
    ("preview.js", SCRIPT, include_str!("app/preview.js")),
    ("document.js", SCRIPT, include_str!("app/document.js")),
    ("file_view.js", SCRIPT, include_str!("app/file_view.js")),
    ("completion.js", SCRIPT, include_str!("app/completion.js")),
    ("calendar.js", SCRIPT, include_str!("app/calendar.js")),
    ("event.js", SCRIPT, include_str!("app/event.js")),
    ("when.js", SCRIPT, include_str!("app/when.js")),
    ("visibility.js", SCRIPT, include_str!("app/visibility.js")),
    ("moment.js", SCRIPT, include_str!("app/moment.js")),
    ("given.js", SCRIPT, include_str!("app/given.js")),
    ("wrong.js", SCRIPT, include_str!("app/wrong.js")),
    ("two_texts.js", SCRIPT, include_str!("app/two_texts.js")),
    ("form.js", SCRIPT, include_str!("app/form.js")),
    ("sections.js", SCRIPT, include_str!("app/sections.js")),
    ("schema.js", SCRIPT, include_str!("app/schema.js")),
    ("labels.js", SCRIPT, include_str!("app/labels.js")),
    ("controls.js", SCRIPT, include_str!("app/controls.js")),
    ("agents.js", SCRIPT, include_str!("app/agents.js")),
    ("writing.js", SCRIPT, include_str!("app/writing.js")),
    ("sheet.js", SCRIPT, include_str!("app/sheet.js")),
    ("find.js", SCRIPT, include_str!("app/find.js")),
    ("marks.js", SCRIPT, include_str!("app/marks.js")),
    ("lines.js", SCRIPT, include_str!("app/lines.js")),
    ("commands.js", SCRIPT, include_str!("app/commands.js")),
    ("toolbar.js", SCRIPT, include_str!("app/toolbar.js")),
    ("block_menu.js", SCRIPT, include_str!("app/block_menu.js")),
    ("rich_text.js", SCRIPT, include_str!("app/rich_text.js")),
    ("word_count.js", SCRIPT, include_str!("app/word_count.js")),
    ("alternative.js", SCRIPT, include_str!("app/alternative.js")),
    ("publish.js", SCRIPT, include_str!("app/publish.js")),
    ("publish_setup.js", SCRIPT, include_str!("app/publish_setup.js")),
    ("publish_steps.js", SCRIPT, include_str!("app/publish_steps.js")),
    ("publish_summary.js", SCRIPT, include_str!("app/publish_summary.js")),
    ("publish_words.js", SCRIPT, include_str!("app/publish_words.js")),
    ("records.js", SCRIPT, include_str!("app/records.js")),
    ("rows.js", SCRIPT, include_str!("app/rows.js")),
    ("media.js", SCRIPT, include_str!("app/media.js")),
    ("sound.js", SCRIPT, include_str!("app/sound.js")),
    ("recording.js", SCRIPT, include_str!("app/recording.js")),
    ("waveform.js", SCRIPT, include_str!("app/waveform.js")),
    ("chapter_marks.js", SCRIPT, include_str!("app/chapter_marks.js")),
    ("chapter_rows.js", SCRIPT, include_str!("app/chapter_rows.js")),
    ("clock.js", SCRIPT, include_str!("app/clock.js")),
    ("cues.js", SCRIPT, include_str!("app/cues.js")),
    ("cue_list.js", SCRIPT, include_str!("app/cue_list.js")),
    ("imports.js", SCRIPT, include_str!("app/imports.js")),
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
