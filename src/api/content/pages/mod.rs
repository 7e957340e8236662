//! Standalone pages.

mod changes;
mod input;
mod list;
mod operations;
mod output;
mod page_paths;

use front_matter::Change;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use warp::http::StatusCode;

pub use operations::OPERATIONS;
pub use output::{PageOutput, value};

use input::{PageCreateInput, PageInput};

use super::body::{Body, SentBody};
use super::changes::FileChanges;
use super::input::Patch;
use super::output::{Empty, Validated};
use super::{Answer, ContentCall};
use api_shared::{ApiError, Step, Writing, apply_toml, cannot_edit, times};
use model::{ItemId, PageSlug, SitePath, Source, Status};
use server::Moment;
use site::{PageEntry, Snapshot, paths};
use source::fields::Reader;
use source::{page, redirects};

/// The folder for new pages.
const FOLDER: &str = "content/pages";

/// Answer to a creation.
#[derive(Debug, Serialize, JsonSchema)]
pub struct PageCreated {
    /// Id of the new Page.
    id: String,
}

fn find<'s>(snapshot: &'s Snapshot, id: &str) -> Result<&'s PageEntry, ApiError> {
    snapshot.page(id).ok_or_else(|| ApiError::not_found(format!("Page not found: {id:?}")))
}

fn read(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let moment = call.moment();
    let snapshot = &moment.site.snapshot;
    let entry = find(snapshot, call.id())?;
    Answer::ok(&value(call.app.live.root(), snapshot, entry))
}

fn check(reader: &Reader<'_>) {
    let _ = page::read(reader);
}

/// Returns an error if the theme has format 1, which has no template for pages.
fn check_theme_has_pages(moment: &Moment) -> Result<(), ApiError> {
    if moment.site.theme.has_pages() {
        Ok(())
    } else {
        Err(ApiError::new(
            StatusCode::UNPROCESSABLE_ENTITY,
            "the active theme does not support Pages: its formatVersion is 1, and Pages require 2",
        ))
    }
}

fn validate(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let PageCreateInput(input) = call.input()?;
    let writing = call.only_look();
    let draft = NewPage::of(&writing, &input)?;
    writing.check(&draft.path, None, &draft.text, check)?;
    Answer::ok(&Validated::valid_answer())
}

fn create(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let PageCreateInput(input) = call.input()?;
    let writing = call.begin_writing();
    if let Patch::Value(slug) = &input.slug {
        page_paths::check_not_reserved(&writing.before.site.snapshot, slug)?;
    }
    let draft = NewPage::of(&writing, &input)?;
    writing.check(&draft.path, None, &draft.text, check)?;
    check_theme_has_pages(&writing.before)?;
    page_paths::check_path_free(&writing.before, &draft.slug, None)?;
    let id = draft.id.to_string();
    let step = Step::create(&draft.path, &draft.text, check);
    writing.write(&id, Some(&draft.path), &[step])?;
    Answer::created(&PageCreated { id })
}

struct NewPage {
    id: ItemId,
    slug: PageSlug,
    path: SitePath,
    text: String,
}

impl NewPage {
    fn of(writing: &Writing<'_>, input: &PageInput) -> Result<Self, ApiError> {
        let id = edit::new_id();
        let own = writing.own();
        let slug = parse_slug(&input.slug)?;
        let body = sent(input).body(&own)?;
        let extension = body.as_ref().map_or("md", |body| body.extension);
        let path = writing.free_name(FOLDER, slug.as_str(), extension)?;
        let status = status(input)?;
        let shown = input.show_in_navigation.value() == Some(&true) && status != Status::Unlisted;
        changes::check_label(shown, input.navigation_label.value().map(String::as_str))?;
        let is_named = page::slug_of_file(&path).as_ref() == Some(&slug);
        let now = times::now()?.to_string();
        let text = |field: &Patch<String>| field.value().filter(|text| !text.is_empty()).cloned();
        let fields = [
            ("id", json!(id)),
            ("title", json!(input.title.value())),
            ("slug", json!(Some(&slug).filter(|_| !is_named))),
            ("status", json!(Some(status).filter(|status| *status != Status::Published))),
            ("show_in_navigation", json!(Some(true).filter(|_| shown))),
            ("navigation_label", json!(text(&input.navigation_label))),
            ("meta_description", json!(text(&input.meta_description))),
            ("date_published", json!(Some(&now).filter(|_| status != Status::Unpublished))),
            ("date_created", json!(now)),
        ];
        let body = body.map_or_else(String::new, |body| body.text);
        Ok(Self { text: front_matter::compose(&fields, &body), id, slug, path })
    }
}

fn sent(input: &PageInput) -> SentBody<'_> {
    SentBody { html: &input.content_html, markdown: &input.content_markdown }
}

fn parse_slug(slug: &Patch<String>) -> Result<PageSlug, ApiError> {
    let text = slug.value().map_or("", String::as_str);
    PageSlug::parse(text).map_err(|error| ApiError::bad(format!("slug: {error}")))
}

fn status(input: &PageInput) -> Result<Status, ApiError> {
    match &input.status {
        Patch::Omitted => Ok(Status::Published),
        Patch::Value(status) => Ok(status.0),
        Patch::Null => Err(ApiError::bad("status: must be published, unlisted or unpublished")),
    }
}

fn update(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let input: PageInput = call.input()?;
    let writing = call.begin_writing();
    let snapshot = &writing.before.site.snapshot;
    let entry = find(snapshot, call.id())?;
    let page = &entry.page;
    if page.is_not_found_page() {
        changes::check_not_found_page(page, &input)?;
    } else if input.slug.value().map(String::as_str) != Some(page.slug.as_str())
        && input.slug.is_sent()
    {
        if let Patch::Value(slug) = &input.slug {
            page_paths::check_not_reserved(snapshot, slug)?;
        }
        let slug = parse_slug(&input.slug)?;
        page_paths::check_path_free(&writing.before, &slug, Some(page))?;
    }
    check_theme_has_pages(&writing.before)?;
    let shown = value(call.app.live.root(), snapshot, entry);
    let (steps, path) = match &page.source {
        Some(path) => {
            let (step, path) = rewrite(&writing, entry, path, &input, &shown)?;
            (vec![step], Some(path))
        }
        None => match write_not_found(&writing, &input, &shown)? {
            Some((step, path)) => (vec![step], Some(path)),
            None => (Vec::new(), None),
        },
    };
    let moment = writing.write(page.id.as_str(), path.as_ref(), &steps)?;
    let snapshot = &moment.site.snapshot;
    match snapshot.page(page.id.as_str()) {
        Some(entry) => Answer::ok(&value(call.app.live.root(), snapshot, entry)),
        // The page was written, but the author has removed it since.
        None => Answer::ok(&shown),
    }
}

/// Returns the step that changes a page's file, and the path of the file after the change.
fn rewrite<'s>(
    writing: &'s Writing<'_>,
    entry: &'s PageEntry,
    path: &'s SitePath,
    input: &'s PageInput,
    shown: &'s Value,
) -> Result<(Step<'s>, SitePath), ApiError> {
    let own = writing.own();
    let body = sent(input).new_body(&own, || shown.clone(), path)?;
    let extension = body.as_ref().map(|body| body.extension);
    let edit = move |text: &str| {
        let source = Source { path, text };
        let front = source.front_matter().map_err(cannot_edit)?;
        let changes = FileChanges::new(&own, path, &front.table, shown);
        let changes = changes::collect(changes, &entry.page, input)?;
        let body = body.as_ref().map(|body| body.text.as_str());
        edit::apply(source, &changes, body).map_err(cannot_edit)
    };
    writing.rewrite(path, extension, check, edit)
}

/// Returns the step that creates a file for the built-in 404 page, and the file's path. Returns
/// None if the sent values are the same as in the built-in page.
fn write_not_found(
    writing: &Writing<'_>,
    input: &PageInput,
    shown: &Value,
) -> Result<Option<(Step<'static>, SitePath)>, ApiError> {
    let built_in = SitePath::parse(&format!("{FOLDER}/404.md"));
    let built_in = built_in.ok_or_else(|| ApiError::failed("invalid path: content/pages"))?;
    let body = sent(input).new_body(&writing.own(), || shown.clone(), &built_in)?;
    let title = match &input.title {
        Patch::Omitted => &shown["title"],
        Patch::Null => &Value::Null,
        Patch::Value(title) => &json!(title),
    };
    let description = input.meta_description.value().filter(|text| !text.is_empty());
    if body.is_none() && *title == shown["title"] && description.is_none() {
        return Ok(None);
    }
    let kept = || Body {
        text: shown["content_text"].as_str().unwrap_or_default().to_owned(),
        extension: "md",
    };
    let body = body.unwrap_or_else(kept);
    let fields = [("title", title.clone()), ("meta_description", json!(description))];
    let text = front_matter::compose(&fields, &body.text);
    let path = writing.free_name(FOLDER, "404", body.extension)?;
    Ok(Some((Step::create(&path, &text, check), path)))
}

fn delete(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let writing = call.begin_writing();
    let entry = find(&writing.before.site.snapshot, call.id())?;
    let page = &entry.page;
    let path = match &page.source {
        Some(path) if !page.is_not_found_page() => path,
        _ => return Err(ApiError::bad("the 404 Page cannot be deleted")),
    };
    // The redirects are written first. If the server stops before the page is removed, the page
    // still exists at its paths.
    let steps = [redirect_to_home(&writing, entry)?, Step::remove(path)];
    writing.write(page.id.as_str(), Some(path), &steps)?;
    Answer::ok(&Empty {})
}

/// Returns the step that permanently redirects the paths of a deleted page to the home page.
fn redirect_to_home(writing: &Writing<'_>, entry: &PageEntry) -> Result<Step<'static>, ApiError> {
    let file = SitePath::parse(redirects::FILE)
        .ok_or_else(|| ApiError::failed("invalid path: content/redirects.toml"))?;
    let snapshot = &writing.before.site.snapshot;
    let slugs = [&entry.page.slug].into_iter().chain(&entry.page.aliases);
    let changes: Vec<Change> = slugs
        .map(|slug| paths::page(slug.as_str()))
        .filter(|path| !snapshot.redirects.iter().any(|known| known.from == *path))
        .map(|path| Change::set(&[&path], paths::home(1)))
        .collect();
    let check = |reader: &Reader<'_>| {
        let _ = redirects::read(reader);
    };
    if file.on_disk(writing.app.live.root()).exists() {
        Ok(Step::change_toml(&file, check, changes))
    } else {
        let source = Source { path: &file, text: "# Redirects from former paths.\n" };
        let text = apply_toml(source, &changes).map_err(cannot_edit)?;
        Ok(Step::create(&file, &text, check))
    }
}
