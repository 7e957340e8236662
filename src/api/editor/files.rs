//! Lists, opens and writes the site's files for the editor.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use super::forms::{self, Form};
use super::kind::FileKind;
use super::on_disk::{begin, changed, load_text, replace_step, version};
use super::text::{text_json, with_field_keys_in};
use super::{Answer, EDITOR, site_files};
use api_shared::{ApiError, Step, Writing};
use model::{Category, Diagnostic, EpisodeNumber, ItemId, Severity, SitePath, Slug, Status};
use server::App;
use site::paths;
use source::schema::Kind;

#[derive(Debug, Deserialize)]
pub struct FileRequest {
    pub path: String,
    /// The version that the browser has loaded. If it is current, the answer omits the text.
    #[serde(default)]
    version: Option<String>,
}

/// A request to save a document.
#[derive(Debug, Deserialize)]
pub struct SaveRequest {
    path: String,
    text: String,
    /// The version that the browser has loaded. None for a new file.
    version: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct NewDraft {
    kind: String,
    title: String,
    /// Whether the draft of an item gets a separate folder, for its media.
    #[serde(default)]
    folder: bool,
    /// Whether the draft continues the numbers of the last episode.
    #[serde(default)]
    numbered: bool,
    /// Whether the title is only the name of a file. The draft then gets its slug when it is
    /// published.
    #[serde(default)]
    provisional: bool,
}

/// Returns all editable files, newest first, and the problems of the site.
pub fn site(app: &App) -> Answer {
    let moment = app.live.newest();
    let snapshot = &moment.site.snapshot;
    let subject = Form::of_site(snapshot);
    let items = snapshot.entries.iter().map(|entry| {
        let item = &entry.item;
        json!({
            "kind": "item",
            "path": item.source,
            "id": item.id,
            "title": item.title,
            "status": status(item.status, item.date_published, snapshot.now),
            "date": item.date_published,
            "tags": item.tags,
            "url": paths::item(&entry.segment),
            "form": Form::in_site(item, subject).name(),
            "image": forms::picture(item, &snapshot.config).map(|file| &file.path),
            "duration": item.attachment.as_ref().and_then(|file| file.duration_in_seconds),
            "season": item.season(),
            "episode": item.episode(),
        })
    });
    let pages = snapshot.pages.iter().chain([&snapshot.not_found]);
    let pages = pages.filter_map(|entry| {
        let page = &entry.page;
        Some(json!({
            "kind": "page",
            "path": page.source.as_ref()?,
            "id": page.id,
            "title": page.title,
            "status": status(page.status, page.date_published, snapshot.now),
            "date": page.date_published,
            "url": paths::page(page.slug.as_str()),
        }))
    });
    let mut files: Vec<Value> = items.chain(pages).collect();
    files.extend(unreadable(&files, &moment.faults));
    files.extend(site_files::list(app, snapshot));
    Ok(json!({
        "title": snapshot.channel.title,
        "subject": subject.name(),
        "next": forms::next_number(snapshot)
            .map(|next| json!({ "season": next.season, "episode": next.episode })),
        "has_downloads": cfg!(feature = "warehouse"),
        "has_calendar": !snapshot.calendars.all.is_empty(),
        "media": media(),
        "base": snapshot.config.base_path(),
        "time_zone": snapshot.config.timezone.iana_name().unwrap_or("UTC"),
        "channel": channel_file(app),
        "files": files,
        "proposals": app.state.count_proposals()?,
        "check": check_report(app),
        "errors": errors(&app.live.faults().borrow()),
    }))
}

/// Returns only the problems of the site.
pub fn faults(app: &App) -> Answer {
    Ok(check_report(app))
}

/// Returns all problems that `check` reports, and the reported files that this editor cannot edit.
fn check_report(app: &App) -> Value {
    let faults = app.live.check_results();
    let files = faults.iter().filter_map(|fault| fault.file.as_deref());
    let elsewhere: BTreeSet<&str> = files.filter(|file| FileKind::at(file).is_err()).collect();
    json!({ "faults": *faults, "elsewhere": elsewhere })
}

/// Returns the number of errors that prevent a build.
fn errors(faults: &[Diagnostic]) -> usize {
    let errors = faults.iter();
    errors.filter(|fault| fault.severity == Severity::Error).count()
}

/// Returns the extensions of media that the editor can show or play, with their categories.
fn media() -> Value {
    let kinds = media_facts::media_types()
        .map(|(extension, media_type)| (extension, Category::of_media_type(media_type)));
    let shown = kinds
        .filter(|(_, kind)| matches!(kind, Category::Image | Category::Audio | Category::Video));
    shown.map(|(extension, kind)| (extension.to_owned(), json!(kind.as_str()))).collect()
}

/// Returns the items and pages that could not be parsed because of errors. The list of files
/// includes them so that the author can fix them.
fn unreadable(files: &[Value], faults: &[Diagnostic]) -> Vec<Value> {
    let errors = faults.iter().filter(|fault| fault.severity == Severity::Error);
    let mut paths: Vec<&str> = errors.filter_map(|fault| fault.file.as_deref()).collect();
    paths.sort_unstable();
    paths.dedup();
    let is_listed = |path: &str| files.iter().any(|file| file["path"] == path);
    let unreadable = paths.into_iter().filter_map(|path| {
        let (_, kind) = FileKind::at(path).ok()?;
        let kind = matches!(kind, FileKind::Content(Kind::Item | Kind::Page)).then_some(kind)?;
        (!is_listed(path)).then(
            || json!({ "kind": kind.name(), "path": path, "title": path, "status": "unreadable" }),
        )
    });
    unreadable.collect()
}

pub fn status(own: Status, date: Option<Timestamp>, now: Timestamp) -> &'static str {
    match own {
        Status::Unpublished => "draft",
        _ if date.is_some_and(|date| date > now) => "scheduled",
        Status::Unlisted => "unlisted",
        Status::Published => "published",
    }
}

fn channel_file(app: &App) -> &'static str {
    let html = "content/channel.html";
    match app.live.root().join(html).is_file() {
        true => html,
        false => "content/channel.md",
    }
}

/// Returns a file from the disk, with its version and its problems.
pub fn open(app: &App, request: &FileRequest) -> Answer {
    let (path, kind) = FileKind::at(&request.path)?;
    if kind == FileKind::SiteFile {
        return site_files::open(app, &path, request.version.as_deref());
    }
    let text = load_text(app, &path)?;
    let current_file = text.as_deref().map(version);
    let mut text_json = match current_file.is_some() && current_file == request.version {
        true => json!({}),
        false => text_json(app, &path, kind, text.as_deref().unwrap_or_default()),
    };
    text_json["version"] = json!(current_file);
    let faults = file_faults(app, &path);
    text_json["faults"] =
        json!(with_field_keys_in(&path, text.as_deref().unwrap_or_default(), faults));
    Ok(text_json)
}

/// Returns the problems that `check` reports for a file on the disk. Some problems can be found
/// only by checking the whole site.
fn file_faults(app: &App, path: &SitePath) -> Vec<Diagnostic> {
    let all = app.live.check_results();
    let own = all.iter().filter(|fault| fault.file.as_deref() == Some(path.as_str()));
    own.cloned().collect()
}

/// Returns the current file from the disk, for a browser that has loaded an older version.
pub fn current_file(app: &App, request: &FileRequest) -> Answer {
    let (path, kind) = FileKind::at(&request.path)?;
    match kind {
        FileKind::SiteFile => site_files::open(app, &path, None),
        kind => Ok(shown(app, &path, kind, load_text(app, &path)?.as_deref())),
    }
}

fn shown(app: &App, path: &SitePath, kind: FileKind, text: Option<&str>) -> Value {
    let mut shown = text_json(app, path, kind, text.unwrap_or_default());
    shown["version"] = json!(text.map(version));
    shown
}

/// Saves a document, if the browser has loaded the file's current version.
pub fn save(app: &App, request: &SaveRequest) -> Answer {
    let (path, kind) = FileKind::at(&request.path)?;
    if kind == FileKind::SiteFile {
        return site_files::save(app, &path, &request.text, request.version.as_deref());
    }
    let current_file = load_text(app, &path)?;
    if current_file.as_deref().map(version) != request.version {
        return Err(changed());
    }
    let (operation, step) = match &current_file {
        None => ("createFile", Step::create(&path, &request.text, kind.check())),
        Some(seen) => ("saveFile", replace_step(&path, kind.check(), seen, &request.text)),
    };
    begin(app, operation, EDITOR).write(path.as_str(), Some(&path), &[step])?;
    Ok(shown(app, &path, kind, Some(&request.text)))
}

/// Creates a draft with a title.
pub fn create(app: &App, request: &NewDraft) -> Answer {
    let kind = match request.kind.as_str() {
        "item" => FileKind::Content(Kind::Item),
        "page" => FileKind::Content(Kind::Page),
        "site-file" => return site_files::create(app, request.title.trim()),
        _ => return Err(ApiError::bad("kind: must be item, page or site-file")),
    };
    let writing = begin(app, "createFile", EDITOR);
    let (path, text) = match kind {
        FileKind::Content(Kind::Item) if request.folder => {
            let last = || forms::next_number(&app.live.newest().site.snapshot);
            new_folder(&writing, request, request.numbered.then(last).flatten())?
        }
        _ => new_draft(&writing, kind, &request.title)?,
    };
    let step = Step::create(&path, &text, kind.check());
    writing.write(path.as_str(), Some(&path), &[step])?;
    Ok(json!({ "path": path }))
}

/// Returns the path and the content of a new draft.
pub fn new_draft(
    writing: &Writing<'_>,
    kind: FileKind,
    title: &str,
) -> Result<(SitePath, String), ApiError> {
    let folder = match kind {
        FileKind::Content(Kind::Page) => "content/pages",
        _ => "content/items",
    };
    let path = writing.free_name(folder, slug_of(title)?.as_str(), "md")?;
    // The slug is the same as the file's name. If `walk` is taken, the new draft gets `walk-2`.
    let slug = matches!(kind, FileKind::Content(Kind::Item)).then(|| path.stem());
    let id = slug.map(|_| edit::new_id());
    let text = draft_text(id.as_ref(), slug, title, "");
    Ok((path, text))
}

/// Returns the path and the content of a new draft in a separate folder.
fn new_folder(
    writing: &Writing<'_>,
    request: &NewDraft,
    number: Option<EpisodeNumber>,
) -> Result<(SitePath, String), ApiError> {
    // The slug is the name of the folder. Items without a separate folder have slugs, too.
    let mut name = slug_of(&request.title)?.to_string();
    let folder = loop {
        let file = writing.free_name("content/items", &name, "md")?;
        let folder = writing.free_name("content/items", file.stem(), "")?;
        if folder.file_name() == file.stem() {
            break folder;
        }
        folder.file_name().clone_into(&mut name);
    };
    let path = SitePath::parse(&format!("{folder}/index.md"));
    let path = path.ok_or_else(|| ApiError::failed("the path of the draft is invalid"))?;
    let numbers = number.map(forms::numbers_toml).unwrap_or_default();
    let slug = Some(folder.file_name()).filter(|_| !request.provisional);
    let text = draft_text(Some(&edit::new_id()), slug, &request.title, &numbers);
    Ok((path, text))
}

fn slug_of(title: &str) -> Result<Slug, ApiError> {
    Slug::from_title(title.trim())
        .ok_or_else(|| ApiError::bad("title: must contain a letter or digit"))
}

/// Returns the content of a draft. `tables` is the end of the front matter.
fn draft_text(id: Option<&ItemId>, slug: Option<&str>, title: &str, tables: &str) -> String {
    let line = |key, value: Option<&str>| value.map(|value| format!("{key} = \"{value}\"\n"));
    let own = [line("id", id.map(ItemId::as_str)), line("slug", slug)]
        .into_iter()
        .flatten()
        .collect::<String>();
    let title = Value::from(title.trim());
    format!("+++\n{own}title = {title}\nstatus = \"unpublished\"\n{tables}+++\n\n")
}

/// Moves a file to the trash, from which the author can restore it.
pub fn remove(app: &App, request: &FileRequest) -> Answer {
    let (path, kind) = FileKind::at(&request.path)?;
    if kind == FileKind::SiteFile {
        return site_files::remove(app, &path, request.version.as_deref());
    }
    if kind == FileKind::Content(Kind::Channel) {
        return Err(ApiError::bad("path: the channel cannot be deleted"));
    }
    let writing = begin(app, "removeFile", EDITOR);
    let text = load_text(app, &path)?;
    let text = text.ok_or_else(|| ApiError::not_found("path: file not found"))?;
    if request.version.as_ref().is_some_and(|seen| *seen != version(&text)) {
        return Err(changed());
    }
    writing.write(path.as_str(), Some(&path), &[Step::remove(&path)])?;
    Ok(json!({}))
}
