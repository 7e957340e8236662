//! Standalone pages.

mod changes;
mod input;
mod list;
mod operations;
mod output;
mod page_paths;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use warp::http::StatusCode;

pub use operations::OPERATIONS;
pub use output::{PageOutput, value};

use input::{PageCreateInput, PageInput};
use page_paths::NewPath;

use super::body::{Body, SentBody};
use super::changes::FileChanges;
use super::input::Patch;
use super::items::NOT_IN_UPDATES;
use super::languages::{language_after, language_of};
use super::output::{Empty, Validated};
use super::{Answer, ContentCall, redirects};
use api_shared::{ApiError, Step, Writing, cannot_edit, times};
use model::{Config, ItemId, Page, PageSlug, SitePath, Source, Status, Untranslated};
use server::Moment;
use site::{PageEntry, Snapshot, paths};
use source::fields::Reader;
use source::page;

/// Returns the folder for new pages.
fn folder(config: &Config) -> String {
    config.content.join("pages")
}

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
    let moment = call.moment()?;
    let entry = find(&moment.site.snapshot, call.id())?;
    Answer::ok(&value(call.app.live.root(), &moment, entry))
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
    let writing = call.only_look()?;
    let draft = NewPage::of(&writing, &input)?;
    writing.check(&draft.path, None, &draft.text, check)?;
    Answer::ok(&Validated::valid_answer())
}

fn create(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let PageCreateInput(input) = call.input()?;
    let writing = call.begin_writing()?;
    if let Patch::Value(slug) = &input.slug {
        page_paths::check_not_reserved(&writing.before.site.snapshot, slug)?;
    }
    let draft = NewPage::of(&writing, &input)?;
    writing.check(&draft.path, None, &draft.text, check)?;
    check_theme_has_pages(&writing.before)?;
    let language = language_of(&input.language);
    let path = NewPath { slug: &draft.slug, language, file: &draft.path, page: None };
    page_paths::check_path_free(&writing.before, &path)?;
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
        let path = new_path(writing, input, slug.as_str(), extension)?;
        let language = language_of(&input.language);
        let of_file = own.config.languages.of_file(&path).and_then(|(language, _)| language);
        let status = status(input)?;
        let shown = input.show_in_navigation.value() == Some(&true) && status != Status::Unlisted;
        changes::check_label(shown, input.navigation_label.value().map(String::as_str))?;
        let is_named = page::slug_of_file(own.config, &path).as_ref() == Some(&slug);
        let now = times::now()?.to_string();
        let text = |field: &Patch<String>| field.value().filter(|text| !text.is_empty()).cloned();
        let fields = [
            ("id", json!(id)),
            ("title", json!(input.title.value())),
            ("slug", json!(Some(&slug).filter(|_| !is_named))),
            ("language", json!(language.filter(|_| language != of_file))),
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

/// Returns the path of a new page's file.
fn new_path(
    writing: &Writing<'_>,
    input: &PageInput,
    slug: &str,
    extension: &str,
) -> Result<SitePath, ApiError> {
    let language = language_of(&input.language);
    let Some(original) = language_of(&input.translation_of) else {
        return writing.free_text_name(&folder(writing.own().config), language, (slug, extension));
    };
    let original = find(&writing.before.site.snapshot, original)
        .map_err(|error| error.in_field("translation_of"))?;
    let source = original.page.source.as_ref();
    let source = source.ok_or_else(|| ApiError::bad("translation_of: this Page has no file"))?;
    writing.translation_path(source, language.unwrap_or_default(), extension)
}

fn sent(input: &PageInput) -> SentBody<'_> {
    SentBody { html: &input.content_html, markdown: &input.content_markdown }
}

fn parse_slug(slug: &Patch<String>) -> Result<PageSlug, ApiError> {
    let text = slug.value().map_or("", String::as_str);
    // The mirrored service has no nested pages.
    let text = if text.contains('/') { "" } else { text };
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
    let writing = call.begin_writing()?;
    let snapshot = &writing.before.site.snapshot;
    let entry = find(snapshot, call.id())?;
    let page = &entry.page;
    if language_of(&input.translation_of).is_some() {
        return Err(ApiError::conflict(NOT_IN_UPDATES).in_field("translation_of"));
    }
    let own = writing.own();
    let current = page.language.as_deref();
    let language = match &page.source {
        Some(file) => language_after(&own, file, current, &input.language),
        None => language_of(&input.language).or(current),
    };
    match &page.source {
        Some(file) if !page.is_not_found_page() => {
            check_new_path(&writing, (entry, file), language, &input)?;
        }
        _ => {
            let languages = &own.config.languages;
            let has_moved = languages.index(language) != languages.index(current);
            changes::check_not_found_page((page, has_moved), &input)?;
        }
    }
    check_theme_has_pages(&writing.before)?;
    let shown = value(call.app.live.root(), &writing.before, entry);
    let (steps, path) = match &page.source {
        Some(file) => {
            let (step, path) = rewrite(&writing, entry, file, &input, &shown)?;
            let redirects = redirects_to_language(&writing, entry, language, &input)?;
            (redirects.into_iter().chain([step]).collect(), Some(path))
        }
        None => match write_not_found(&writing, page, &input, &shown)? {
            Some((step, path)) => (vec![step], Some(path)),
            None => (Vec::new(), None),
        },
    };
    let moment = writing.write(page.id.as_str(), path.as_ref(), &steps)?;
    match moment.site.snapshot.page(page.id.as_str()) {
        Some(entry) => Answer::ok(&value(call.app.live.root(), &moment, entry)),
        // The page was written, but the author has removed it since.
        None => Answer::ok(&shown),
    }
}

/// Checks the path of a page after an update. `language` is its language after the update.
fn check_new_path(
    writing: &Writing<'_>,
    (entry, file): (&PageEntry, &SitePath),
    language: Option<&str>,
    input: &PageInput,
) -> Result<(), ApiError> {
    let (snapshot, page) = (&writing.before.site.snapshot, &entry.page);
    let languages = &snapshot.config.languages;
    let has_moved = languages.mount(languages.index(language)) != entry.mount;
    let sent = input.slug.value().map(String::as_str);
    let is_renamed = input.slug.is_sent() && sent != Some(page.slug.as_str());
    if has_moved {
        writing.check_language_free(file, language)?;
    }
    let slug = match is_renamed {
        true => {
            page_paths::check_not_reserved(snapshot, sent.unwrap_or_default())?;
            parse_slug(&input.slug)?
        }
        false => page.slug.clone(),
    };
    match is_renamed || has_moved {
        true => {
            let path = NewPath { slug: &slug, language, file, page: Some(entry) };
            page_paths::check_path_free(&writing.before, &path)
        }
        false => Ok(()),
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
    page: &Page,
    input: &PageInput,
    shown: &Value,
) -> Result<Option<(Step<'static>, SitePath)>, ApiError> {
    let folder = folder(&writing.before.site.snapshot.config);
    let name = page.language.as_ref().map_or("404".into(), |language| format!("404.{language}"));
    let built_in = SitePath::parse(&format!("{folder}/{name}.md"));
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
    let path = writing.free_name(&folder, &name, body.extension)?;
    Ok(Some((Step::create(&path, &text, check), path)))
}

fn delete(call: &ContentCall<'_>) -> Result<Answer, ApiError> {
    let writing = call.begin_writing()?;
    let entry = find(&writing.before.site.snapshot, call.id())?;
    let page = &entry.page;
    let path = match &page.source {
        Some(path) if !page.is_not_found_page() => path,
        _ => return Err(ApiError::bad("the 404 Page cannot be deleted")),
    };
    // The redirects are written first. If the server stops before the page is removed, the page
    // still exists at its paths.
    let home = [&*entry.mount, &*paths::home(1)].concat();
    let redirects = own_paths(entry, &entry.mount).into_iter().map(|from| (from, home.clone()));
    let redirects = redirects::step(&writing, redirects, &[])?;
    let steps: Vec<Step<'_>> = redirects.into_iter().chain([Step::remove(path)]).collect();
    writing.write(page.id.as_str(), Some(path), &steps)?;
    Answer::ok(&Empty {})
}

/// Returns the current and former paths of a page below the path of a language.
fn own_paths(entry: &PageEntry, mount: &str) -> Vec<String> {
    let slugs = [&entry.page.slug].into_iter().chain(&entry.page.aliases);
    slugs.map(|slug| [mount, &*paths::page(slug.as_str())].concat()).collect()
}

/// Returns the step that redirects the paths of a page whose language changes to `language`.
fn redirects_to_language<'s>(
    writing: &Writing<'_>,
    entry: &PageEntry,
    language: Option<&str>,
    input: &PageInput,
) -> Result<Option<Step<'s>>, ApiError> {
    let page = &entry.page;
    let languages = &writing.before.site.snapshot.config.languages;
    let mount = languages.mount(languages.index(language));
    if mount == entry.mount {
        return Ok(None);
    }
    let slug = input.slug.value().map_or(page.slug.as_str(), String::as_str);
    let to = [&*mount, &*paths::page(slug)].concat();
    // A language that shows untranslated texts still has a page of the default language.
    let is_shown = languages.untranslated == Untranslated::Show && mount.is_empty();
    let is_known = page.status != Status::Unpublished && !is_shown;
    let former = own_paths(entry, &entry.mount).into_iter().filter(|_| is_known);
    let used = [own_paths(entry, &mount), vec![to.clone()]].concat();
    redirects::step(writing, former.map(|from| (from, to.clone())), &used)
}
