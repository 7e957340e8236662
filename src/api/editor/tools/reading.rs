//! The read-only tools.

use search::{Filter, Hit, Query, Segment};
use serde_json::{Value, json};

use super::super::on_disk::version;
use super::super::preview::Published;
use super::super::text::text_json;
use super::agent_files::{File, is_content_file};
use super::arguments::{self, ContentKind, Format, StatusName};
use super::{Call, CallResult};
use api_shared::{ApiError, in_language};
use model::{Diagnostic, SitePath, Status};
use render::text::excerpt;
use server::{App, file_faults};
use site::{ItemEntry, PageEntry, Snapshot};
use source::html;

/// Default number of search results.
const DEFAULT_RESULTS: usize = 20;

/// Maximum number of problems to return.
const MAX_PROBLEMS: usize = 200;

/// Length of the excerpt in a search result, in characters.
const EXCERPT_LENGTH: usize = 200;

pub fn search(call: &Call<'_>, sent: &arguments::Search) -> Result<CallResult, ApiError> {
    let limit = sent.limit.unwrap_or(DEFAULT_RESULTS);
    if !(1..=100).contains(&limit) {
        return Err(ApiError::bad("arguments.limit: must be 1 to 100"));
    }
    let moment = call.app.live.newest();
    let snapshot = &moment.site.snapshot;
    let words = sent.words.as_deref().unwrap_or_default().trim();
    if words.is_empty() {
        let wanted = |stated: Option<&str>| {
            sent.language.as_deref().is_none_or(|own| snapshot.is_in_language(stated, own))
        };
        let items = snapshot.entries.iter().filter(|one| wanted(one.item.language.as_deref()));
        let items = items.map(|entry| item_summary(snapshot, entry));
        let pages = snapshot.pages.iter().filter(|one| wanted(one.page.language.as_deref()));
        let pages = pages.filter_map(|entry| page_summary(snapshot, entry));
        let mut all =
            items.chain(pages).filter(|one| is_selected(sent, one) && is_accessible(call.app, one));
        let results: Vec<Value> = all.by_ref().take(limit).collect();
        let answer = json!({ "results": results, "more": all.next().is_some() });
        return CallResult::read("", answer);
    }
    let mut query =
        Query { types: vec![search::Kind::Item, search::Kind::Page], limit, ..Query::new(words) };
    if let Some(kind) = sent.kind {
        query.types = vec![match kind {
            ContentKind::Item => search::Kind::Item,
            ContentKind::Page => search::Kind::Page,
        }];
    }
    if let Some(status) = sent.status {
        query.statuses = vec![match status {
            StatusName::Published => search::Status::Published,
            StatusName::Unlisted => search::Status::Unlisted,
            StatusName::Unpublished => search::Status::Unpublished,
        }];
    }
    let accepts = sent.language.as_deref().map(|name| (name, in_language(snapshot, name)));
    query.filter = accepts.as_ref().map(|(name, accepts)| Filter { name, accepts });
    let found = call.finder.search(&moment, &query);
    let found = found.map_err(|error| match error {
        search::SearchError::Query(error) => {
            ApiError::bad(format!("arguments.words: {}", error.message))
        }
        error => ApiError::failed(error),
    })?;
    let results = found.hits.iter().filter_map(|hit| {
        let mut one = match hit.kind {
            search::Kind::Item => item_summary(snapshot, snapshot.find(&hit.id)?),
            search::Kind::Page => page_summary(snapshot, snapshot.page(&hit.id)?)?,
        };
        one["excerpt"] = json!(hit_excerpt(hit));
        is_accessible(call.app, &one).then_some(one)
    });
    let results: Vec<Value> = results.collect();
    let answer = json!({ "results": results, "more": found.next_cursor.is_some() });
    // In the journal, the quotation marks distinguish a search query from a file path.
    CallResult::read(format!("{words:?}"), answer)
}

fn is_selected(sent: &arguments::Search, one: &Value) -> bool {
    let kind = sent.kind.map(|kind| match kind {
        ContentKind::Item => "item",
        ContentKind::Page => "page",
    });
    let status = sent.status.map(|status| match status {
        StatusName::Published => "published",
        StatusName::Unlisted => "unlisted",
        StatusName::Unpublished => "unpublished",
    });
    kind.is_none_or(|kind| one["kind"] == kind)
        && status.is_none_or(|status| one["status"] == status)
}

/// Returns whether agents may access the file of a search result. The file can be a symlink to
/// another file.
fn is_accessible(app: &App, one: &Value) -> bool {
    let path = one["file"].as_str().and_then(SitePath::parse);
    path.is_some_and(|path| is_content_file(app, &path))
}

fn hit_excerpt(hit: &Hit) -> String {
    let text: String = hit.content_text.iter().map(|Segment { text, .. }| text.as_str()).collect();
    excerpt(&text, EXCERPT_LENGTH)
}

fn item_summary(snapshot: &Snapshot, entry: &ItemEntry) -> Value {
    let item = &entry.item;
    let is_due = item.date_published.is_none_or(|date| date <= snapshot.now);
    json!({
        "file": item.source,
        "kind": "item",
        "id": item.id,
        "title": item.title,
        "status": item.status,
        "language": snapshot.language_of(item.language.as_deref()),
        "date_published": item.date_published,
        "is_public": item.status != Status::Unpublished && is_due,
        "address": entry.path.clone(),
    })
}

fn page_summary(snapshot: &Snapshot, entry: &PageEntry) -> Option<Value> {
    let page = &entry.page;
    let is_due = page.date_published.is_none_or(|date| date <= snapshot.now);
    Some(json!({
        "file": page.source.as_ref()?,
        "kind": "page",
        "id": page.id,
        "title": page.title,
        "status": page.status,
        "language": snapshot.language_of(page.language.as_deref()),
        "date_published": page.date_published,
        "is_public": page.status != Status::Unpublished && is_due,
        "address": entry.path(),
    }))
}

pub fn read(call: &Call<'_>, sent: &arguments::Read) -> Result<CallResult, ApiError> {
    let file = File::named(call.app, &sent.file)?;
    let moment = call.app.live.newest();
    let snapshot = &moment.site.snapshot;
    let own = |source: Option<&SitePath>| source == Some(&file.path);
    let item = snapshot.entries.iter().find(|entry| own(Some(&entry.item.source)));
    let mut pages = snapshot.all_pages();
    let known = match item {
        Some(entry) => Some(item_summary(snapshot, entry)),
        None => pages
            .find(|entry| own(entry.page.source.as_ref()))
            .and_then(|entry| page_summary(snapshot, entry)),
    };
    // A file that could not be parsed because of errors has no entry in the snapshot.
    let mut answer =
        known.unwrap_or_else(|| json!({ "file": file.path, "kind": file.kind.name() }));
    let text_json = text_json(call.app, &file.path, file.kind, &file.text);
    answer["version"] = json!(version(&file.text));
    answer["text"] = json!(file.text);
    answer["fields"] = text_json["values"].clone();
    answer["problems"] = text_json["problems"].clone();
    CallResult::read(file.path.as_str(), answer)
}

pub fn validate(call: &Call<'_>, sent: &arguments::Validate) -> Result<CallResult, ApiError> {
    let Some(name) = &sent.file else {
        if sent.text.is_some() {
            return Err(ApiError::bad("arguments.file: is required if `text` is set"));
        }
        return faults(call, None);
    };
    let file = File::named(call.app, name)?;
    let Some(text) = &sent.text else {
        return faults(call, Some(&file.path));
    };
    let file = file.with(text.clone());
    file.check_named_files(call.app)?;
    let found = text_json(call.app, &file.path, file.kind, &file.text)["problems"].take();
    CallResult::read(file.path.as_str(), json!({ "problems": found, "more": 0 }))
}

/// Returns the problems that `check` reports for a file, or for the whole site.
fn faults(call: &Call<'_>, of: Option<&SitePath>) -> Result<CallResult, ApiError> {
    let moment = call.app.live.newest();
    let mut found = file_faults(&call.app.live, &moment);
    found.retain(|fault| of.is_none_or(|path| fault.file.as_deref() == Some(path.as_str())));
    let more = found.len().saturating_sub(MAX_PROBLEMS);
    found.truncate(MAX_PROBLEMS);
    for fault in &mut found {
        hide_foreign_line(call.app, fault);
    }
    let about = of.map_or("the whole site", SitePath::as_str);
    CallResult::read(about, json!({ "problems": found, "more": more }))
}

/// Removes the quoted line from a diagnostic, unless its file is an item or a page. Agents must not
/// read other files.
fn hide_foreign_line(app: &App, fault: &mut Diagnostic) {
    let path = fault.file.as_deref().and_then(SitePath::parse);
    if !path.is_some_and(|path| is_content_file(app, &path)) {
        fault.source_line = None;
        fault.source_start = None;
    }
}

pub fn preview(call: &Call<'_>, sent: &arguments::Preview) -> Result<CallResult, ApiError> {
    let mut file = File::named(call.app, &sent.file)?;
    if let Some(text) = &sent.text {
        file = file.with(text.clone());
        file.check_named_files(call.app)?;
    }
    let published = Published::of(call.app, &file.path, file.kind, &file.text, false)?;
    let page = String::from_utf8_lossy(&published.page()?).into_owned();
    let mut answer = json!({ "file": file.path, "address": published.address });
    match sent.format.unwrap_or(Format::Text) {
        Format::Html => answer["html"] = json!(page),
        Format::Text => answer["text"] = json!(html::text(main_part(&page))),
    }
    CallResult::read(file.path.as_str(), answer)
}

/// Returns the main part of a page, without its header and footer.
fn main_part(page: &str) -> &str {
    let start = page.find("<main").unwrap_or_default();
    let end = page.rfind("</main>").unwrap_or(page.len());
    page.get(start..end).unwrap_or(page)
}
