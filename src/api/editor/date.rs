//! Sets the publication date and the slug when an item or a page is published for the first time.

use front_matter::Change;

use super::kind::FileKind;
use api_shared::{ApiError, cannot_edit};
use model::content_folder::ITEMS;
use model::{ContentFolder, Item, Page, SitePath, Slug, Source, Status};
use server::App;
use source::schema::Kind;
use source::unsaved::unsaved;

/// The keys for the date. The first key is preferred.
const KEYS: [&str; 2] = ["date_published", "date"];

/// If the change from `before` to `after` publishes a document, returns `after` with the current
/// time as its date, unless it has a date. An item with an own folder also gets a slug. Otherwise
/// returns `after` unchanged.
pub fn complete_publication(
    app: &App,
    path: &SitePath,
    kind: FileKind,
    before: &str,
    after: String,
) -> Result<String, ApiError> {
    let facts = |text: &str| facts(app, path, kind, text);
    match (facts(before), facts(&after)) {
        (Some((old, _)), Some((new, has_date))) if old.is_published_by(new) => {
            let now = edit::current_time(&app.live.now().site.snapshot.config.timezone);
            let dated = match has_date {
                true => after,
                false => with_date(path, &after, edit::written(&now))?,
            };
            with_slug(app, path, dated)
        }
        _ => Ok(after),
    }
}

/// Returns an item in its own folder with a slug made of its title, if it has an id but no slug.
fn with_slug(app: &App, path: &SitePath, text: String) -> Result<String, ApiError> {
    let is_folder = ContentFolder::inner(ITEMS, path.as_str()).is_some() && path.stem() == "index";
    let source = Source { path, text: &text };
    let front = source.front_matter().map_err(cannot_edit)?;
    let has = |key| front.table.get(key).is_some();
    let moment = app.live.now();
    let snapshot = &moment.site.snapshot;
    let item = unsaved::<Item>(app.live.root(), &snapshot.config, source);
    let title = item.filter(|_| is_folder && has("id") && !has("slug"));
    let Some(slug) = title.and_then(|(item, _)| Slug::from_title(&item.title)) else {
        return Ok(text);
    };
    let is_free =
        |name: &String| !snapshot.entries.iter().any(|entry| entry.names().any(|own| own == *name));
    let others = (2..).map(|number| format!("{slug}-{number}"));
    let free = std::iter::once(slug.to_string()).chain(others).find(is_free);
    let change = Change::set(&["slug"], free.unwrap_or_default());
    edit::apply(source, &[change], None).map_err(cannot_edit)
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
