//! Lists, opens and writes the site's files for the editor.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use super::kind::FileKind;
use super::on_disk::{begin, changed, over, text_of, version};
use super::text::{described, placed_in};
use super::{Answer, EDITOR, site_files};
use api_shared::{ApiError, Step, Writing};
use model::{Category, Diagnostic, Severity, SitePath, Slug, Status};
use server::App;
use site::paths;
use source::schema::Kind;

#[derive(Debug, Deserialize)]
pub struct Named {
    pub path: String,
    /// The version that the page has. If it is current, the text is not sent again.
    #[serde(default)]
    version: Option<String>,
}

/// A text to save over the version that the page has seen.
#[derive(Debug, Deserialize)]
pub struct Saved {
    path: String,
    text: String,
    /// None for a new file.
    version: Option<String>,
}

#[derive(Debug, Deserialize)]
pub struct New {
    kind: String,
    title: String,
}

/// Returns all editable files, newest first, and the problems of the site.
pub fn site(app: &App) -> Answer {
    let moment = app.live.newest();
    let snapshot = &moment.site.snapshot;
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
    files.extend(unread(&files, &moment.faults));
    files.extend(site_files::list(app, snapshot));
    Ok(json!({
        "title": snapshot.channel.title,
        "media": media(),
        "base": snapshot.config.base_path(),
        "channel": channel_file(app),
        "files": files,
        "proposals": app.state.count_proposals()?,
        "check": said_by_check(app),
        "errors": errors(&app.live.faults().borrow()),
    }))
}

/// Returns only the problems of the site.
pub fn faults(app: &App) -> Answer {
    Ok(said_by_check(app))
}

/// Returns everything that `check` reports, and which of the reported files this editor cannot
/// edit.
fn said_by_check(app: &App) -> Value {
    let faults = app.live.says_check();
    let files = faults.iter().filter_map(|fault| fault.file.as_deref());
    let elsewhere: BTreeSet<&str> = files.filter(|file| FileKind::at(file).is_err()).collect();
    json!({ "faults": *faults, "elsewhere": elsewhere })
}

/// Returns the number of errors that prevent a build.
fn errors(faults: &[Diagnostic]) -> usize {
    let errors = faults.iter();
    errors.filter(|fault| fault.severity == Severity::Error).count()
}

/// Returns the extensions of media that the page can show or play, with their categories.
fn media() -> Value {
    let kinds = media_facts::media_types()
        .map(|(extension, media_type)| (extension, Category::of_media_type(media_type)));
    let shown = kinds
        .filter(|(_, kind)| matches!(kind, Category::Image | Category::Audio | Category::Video));
    shown.map(|(extension, kind)| (extension.to_owned(), json!(kind.as_str()))).collect()
}

/// Returns the files that could not be read because of errors, so that the list shows them, too.
fn unread(files: &[Value], faults: &[Diagnostic]) -> Vec<Value> {
    let errors = faults.iter().filter(|fault| fault.severity == Severity::Error);
    let mut paths: Vec<&str> = errors.filter_map(|fault| fault.file.as_deref()).collect();
    paths.sort_unstable();
    paths.dedup();
    let is_listed = |path: &str| files.iter().any(|file| file["path"] == path);
    let unread = paths.into_iter().filter_map(|path| {
        let (_, kind) = FileKind::at(path).ok()?;
        let kind = matches!(kind, FileKind::Content(Kind::Item | Kind::Page)).then_some(kind)?;
        (!is_listed(path)).then(
            || json!({ "kind": kind.name(), "path": path, "title": path, "status": "unreadable" }),
        )
    });
    unread.collect()
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

/// Returns the text of a file from the disk.
pub fn open(app: &App, asked: &Named) -> Answer {
    let (path, kind) = FileKind::at(&asked.path)?;
    if kind == FileKind::SiteFile {
        return site_files::open(app, &path, asked.version.as_deref());
    }
    let text = text_of(app, &path)?;
    let there = text.as_deref().map(version);
    let mut described = match there.is_some() && there == asked.version {
        true => json!({}),
        false => described(app, &path, kind, text.as_deref().unwrap_or_default()),
    };
    described["version"] = json!(there);
    let faults = faults_of(app, &path);
    described["faults"] = json!(placed_in(&path, text.as_deref().unwrap_or_default(), faults));
    Ok(described)
}

/// Returns what `check` reports about a file on the disk. Some of these problems can only be found
/// in the whole site.
fn faults_of(app: &App, path: &SitePath) -> Vec<Diagnostic> {
    let all = app.live.says_check();
    let own = all.iter().filter(|fault| fault.file.as_deref() == Some(path.as_str()));
    own.cloned().collect()
}

/// Returns a file from the disk, for a page that has seen another version.
pub fn there(app: &App, asked: &Named) -> Answer {
    let (path, kind) = FileKind::at(&asked.path)?;
    match kind {
        FileKind::SiteFile => site_files::open(app, &path, None),
        kind => Ok(shown(app, &path, kind, text_of(app, &path)?.as_deref())),
    }
}

fn shown(app: &App, path: &SitePath, kind: FileKind, text: Option<&str>) -> Value {
    let mut shown = described(app, path, kind, text.unwrap_or_default());
    shown["version"] = json!(text.map(version));
    shown
}

/// Saves a text over the version that the page has seen.
pub fn save(app: &App, asked: &Saved) -> Answer {
    let (path, kind) = FileKind::at(&asked.path)?;
    if kind == FileKind::SiteFile {
        return site_files::save(app, &path, &asked.text, asked.version.as_deref());
    }
    let there = text_of(app, &path)?;
    if there.as_deref().map(version) != asked.version {
        return Err(changed());
    }
    let (operation, step) = match &there {
        None => ("createFile", Step::create(&path, &asked.text, kind.check())),
        Some(seen) => ("saveFile", over(&path, kind.check(), seen, &asked.text)),
    };
    begin(app, operation, EDITOR).write(path.as_str(), Some(&path), &[step])?;
    Ok(shown(app, &path, kind, Some(&asked.text)))
}

/// Creates a draft with a title.
pub fn create(app: &App, asked: &New) -> Answer {
    let kind = match asked.kind.as_str() {
        "item" => FileKind::Content(Kind::Item),
        "page" => FileKind::Content(Kind::Page),
        "site-file" => return site_files::create(app, asked.title.trim()),
        _ => return Err(ApiError::bad("kind: must be item, page or site-file")),
    };
    let writing = begin(app, "createFile", EDITOR);
    let (path, text) = new_draft(&writing, kind, &asked.title)?;
    let step = Step::create(&path, &text, kind.check());
    writing.write(path.as_str(), Some(&path), &[step])?;
    Ok(json!({ "path": path }))
}

/// Returns the path and the text of a new draft.
pub fn new_draft(
    writing: &Writing<'_>,
    kind: FileKind,
    title: &str,
) -> Result<(SitePath, String), ApiError> {
    let folder = match kind {
        FileKind::Content(Kind::Page) => "content/pages",
        _ => "content/items",
    };
    let title = title.trim();
    let slug = Slug::from_title(title)
        .ok_or_else(|| ApiError::bad("title: must contain a letter or digit"))?;
    let path = writing.free_name(folder, slug.as_str(), "md")?;
    // The slug is the file's name. If `walk` is taken, the new draft gets `walk-2`.
    let slug = path.stem();
    let title = Value::from(title);
    let own = match kind {
        FileKind::Content(Kind::Item) => {
            format!("id = \"{}\"\nslug = \"{slug}\"\n", edit::new_id())
        }
        _ => String::new(),
    };
    let text = format!("+++\n{own}title = {title}\nstatus = \"unpublished\"\n+++\n\n");
    Ok((path, text))
}

/// Moves a file to the trash, from which the author can restore it.
pub fn remove(app: &App, asked: &Named) -> Answer {
    let (path, kind) = FileKind::at(&asked.path)?;
    if kind == FileKind::SiteFile {
        return site_files::remove(app, &path, asked.version.as_deref());
    }
    if kind == FileKind::Content(Kind::Channel) {
        return Err(ApiError::bad("path: the channel cannot be deleted"));
    }
    let writing = begin(app, "removeFile", EDITOR);
    let text = text_of(app, &path)?;
    let text = text.ok_or_else(|| ApiError::not_found("path: file not found"))?;
    if asked.version.as_ref().is_some_and(|seen| *seen != version(&text)) {
        return Err(changed());
    }
    writing.write(path.as_str(), Some(&path), &[Step::remove(&path)])?;
    Ok(json!({}))
}
