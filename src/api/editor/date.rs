//! Sets the date of an item or a page when it is published: the current time, unless the text has a
//! date.

use front_matter::Change;

use super::kind::FileKind;
use api_shared::{ApiError, cannot_edit};
use model::{Item, Page, SitePath, Source, Status};
use server::App;
use source::schema::Kind;
use source::unsaved::unsaved;

/// The keys of the date, the preferred key first.
const KEYS: [&str; 2] = ["date_published", "date"];

/// Returns the text `after` with the current time as its date, if `after` publishes the unpublished
/// text `before` and has no date.
pub fn add_publication_date(
    app: &App,
    path: &SitePath,
    kind: FileKind,
    before: &str,
    after: String,
) -> Result<String, ApiError> {
    let facts = |text: &str| facts(app, path, kind, text);
    match (facts(before), facts(&after)) {
        (Some((old, _)), Some((new, false))) if old.is_published_by(new) => {
            let now = edit::current_time(&app.live.now().site.snapshot.config.timezone);
            with_date(path, &after, edit::written(&now))
        }
        _ => Ok(after),
    }
}

/// Returns the text with this date, under the key that the file uses.
pub fn with_date(path: &SitePath, text: &str, date: String) -> Result<String, ApiError> {
    let source = Source { path, text };
    let front = source.front_matter().map_err(cannot_edit)?;
    let used = KEYS.into_iter().find(|key| front.table.get(key).is_some());
    let change = Change::set(&[used.unwrap_or(KEYS[0])], date);
    edit::apply(source, &[change], None).map_err(cannot_edit)
}

/// Returns the status of a text, and whether it has a date. Returns None if the text cannot be
/// read, or if its kind has no drafts.
fn facts(app: &App, path: &SitePath, kind: FileKind, text: &str) -> Option<(Status, bool)> {
    let moment = app.live.now();
    let config = &moment.site.snapshot.config;
    let (root, source) = (app.live.root(), Source { path, text });
    match kind {
        FileKind::Content(Kind::Item) => {
            let (item, _) = unsaved::<Item>(root, config, source)?;
            Some((item.status, item.date_published.is_some()))
        }
        FileKind::Content(Kind::Page) => {
            let (page, _) = unsaved::<Page>(root, config, source)?;
            // No list is sorted by the dates of pages, so an unlisted page that is published needs
            // no date.
            let is_shown = page.status != Status::Unpublished;
            let status = if is_shown { Status::Published } else { page.status };
            Some((status, page.date_published.is_some()))
        }
        _ => None,
    }
}
