//! Sets the publication date when an item or a page is published. The date is the current time,
//! unless the document already has a date.

use front_matter::Change;

use super::kind::FileKind;
use api_shared::{ApiError, cannot_edit};
use model::{Item, Page, SitePath, Source, Status};
use server::App;
use source::schema::Kind;
use source::unsaved::unsaved;

/// The keys for the date. The first key is preferred.
const KEYS: [&str; 2] = ["date_published", "date"];

/// Returns `after` with the current time as its date, if the change from `before` to `after`
/// publishes a document without a date. Otherwise returns `after` unchanged.
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

/// Returns the document with this date, under the key that the document already uses.
pub fn with_date(path: &SitePath, text: &str, date: String) -> Result<String, ApiError> {
    let source = Source { path, text };
    let front = source.front_matter().map_err(cannot_edit)?;
    let used = KEYS.into_iter().find(|key| front.table.get(key).is_some());
    let change = Change::set(&[used.unwrap_or(KEYS[0])], date);
    edit::apply(source, &[change], None).map_err(cannot_edit)
}

/// Returns the status of a document, and whether it has a date. Returns None if the document cannot
/// be parsed, or if it is not an item or a page.
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
            // An unlisted page counts as published here. No list is sorted by the dates of pages,
            // so publishing an unlisted page requires no date.
            let is_shown = page.status != Status::Unpublished;
            let status = if is_shown { Status::Published } else { page.status };
            Some((status, page.date_published.is_some()))
        }
        _ => None,
    }
}
