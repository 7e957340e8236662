//! The files of the site as the editor lists, opens and writes them.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};
use warp::http::StatusCode;
use xxhash_rust::xxh3::xxh3_64;

use super::kind::FileKind;
use super::text::described;
use super::{Answer, EDITOR};
use crate::api::shared::{ApiError, Step, Writer, Writing};
use crate::edit;
use crate::model::{Severity, SitePath, Slug, Status};
use crate::server::App;
use crate::server::http::{Response, private_json};
use crate::site::paths;
use crate::source::disk::Disk;
use crate::source::schema::Kind;
use crate::source::text::read_text;

/// A file.
#[derive(Debug, Deserialize)]
pub struct Named {
    pub path: String,
    /// The version that the page has: one that is still there is not read again.
    #[serde(default)]
    version: Option<String>,
}

/// A text to be saved over the version that the page has seen.
#[derive(Debug, Deserialize)]
pub struct Saved {
    path: String,
    text: String,
    /// None if it has seen none: the file is to be new.
    version: Option<String>,
}

/// A new file.
#[derive(Debug, Deserialize)]
pub struct New {
    kind: String,
    title: String,
}

/// All that can be edited, the newest first, and what is wrong with the site.
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
    let faults = app.live.faults();
    let faults = faults.borrow().clone();
    Ok(json!({
        "title": snapshot.channel.title,
        "base": snapshot.config.base_path(),
        "channel": channel_file(app),
        "files": files,
        "proposals": app.state.count_proposals()?,
        "faults": *faults,
    }))
}

/// Files that were never read because something is wrong with them: they are to be seen, too.
fn unread(files: &[Value], faults: &[crate::model::Diagnostic]) -> Vec<Value> {
    let errors = faults
        .iter()
        .filter(|fault| fault.severity == Severity::Error);
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

fn status(own: Status, date: Option<Timestamp>, now: Timestamp) -> &'static str {
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

/// The text of a file as it lies on the disk.
pub fn open(app: &App, asked: &Named) -> Answer {
    let (path, kind) = FileKind::at(&asked.path)?;
    let text = text_of(app, &path)?;
    let there = text.as_deref().map(version);
    if there.is_some() && there == asked.version {
        return Ok(json!({ "version": there }));
    }
    let mut described = described(app, &path, kind, text.as_deref().unwrap_or_default());
    described["version"] = json!(there);
    Ok(described)
}

/// The text of a file. None if there is none.
pub fn text_of(app: &App, path: &SitePath) -> Result<Option<String>, ApiError> {
    let root = app.live.root();
    if !path.on_disk(root).exists() {
        return Ok(None);
    }
    if !Disk::new(root).is_inside(path) {
        return Err(ApiError::bad("path: this file lies outside the site"));
    }
    read_text(root, path)
        .map(Some)
        .map_err(|fault| ApiError::bad(fault.message))
}

/// Tells the text of a file from others.
pub fn version(text: &str) -> String {
    format!("{:016x}", xxh3_64(text.as_bytes()))
}

/// Writes a text over the version that the page has seen. Where another one is there by now, nothing is written, and
/// the answer (409) holds it.
pub fn save(app: &App, asked: &Saved) -> Result<Response, ApiError> {
    let (path, kind) = FileKind::at(&asked.path)?;
    let there = text_of(app, &path)?;
    let is_seen = |text: Option<&str>| text.map(version) == asked.version;
    if !is_seen(there.as_deref()) {
        return Ok(conflict(app, &path, kind, there.as_deref()));
    }
    let written = match there {
        None => {
            let step = Step::create(&path, &asked.text, kind.check());
            let writing = begin(app, "createFile", EDITOR);
            writing
                .write(path.as_str(), Some(&path), &[step])
                .map(|_| ())
        }
        Some(seen) => write_over(
            &begin(app, "saveFile", EDITOR),
            (&path, kind),
            &seen,
            &asked.text,
        ),
    };
    match written {
        Ok(()) => {}
        Err(fault) if fault.status == StatusCode::CONFLICT => {
            let there = text_of(app, &path)?;
            return Ok(conflict(app, &path, kind, there.as_deref()));
        }
        Err(fault) => return Err(fault),
    }
    let mut described = described(app, &path, kind, &asked.text);
    described["version"] = json!(version(&asked.text));
    Ok(private_json(StatusCode::OK, &described))
}

/// Writes a text over one that was seen. Err (409) if another one is there by now.
pub fn write_over(
    writing: &Writing<'_>,
    (path, kind): (&SitePath, FileKind),
    seen: &str,
    text: &str,
) -> Result<(), ApiError> {
    let step = Step::change(path, kind.check(), |there| match there == seen {
        true => Ok(text.to_owned()),
        false => Err(ApiError::conflict(
            "this file was saved by someone else just now",
        )),
    });
    writing.write(path.as_str(), Some(path), &[step])?;
    Ok(())
}

fn conflict(app: &App, path: &SitePath, kind: FileKind, there: Option<&str>) -> Response {
    let mut answer = described(app, path, kind, there.unwrap_or_default());
    answer["version"] = json!(there.map(version));
    answer["error"] = json!("the file is another one by now; nothing was written");
    private_json(StatusCode::CONFLICT, &answer)
}

/// Begins to write. `by` is who the journal says has written.
pub fn begin<'a>(app: &'a App, operation: &str, by: &str) -> Writing<'a> {
    let by = Writer {
        operation: operation.to_owned(),
        key_id: by.to_owned(),
        causation: None,
        correlation: None,
    };
    Writing::begin(app, by)
}

/// Makes a draft with a title.
pub fn create(app: &App, asked: &New) -> Answer {
    let kind = match asked.kind.as_str() {
        "item" => FileKind::Content(Kind::Item),
        "page" => FileKind::Content(Kind::Page),
        _ => return Err(ApiError::bad("kind: this is item or page")),
    };
    let writing = begin(app, "createFile", EDITOR);
    let (path, text) = new_draft(&writing, kind, &asked.title)?;
    let step = Step::create(&path, &text, kind.check());
    writing.write(path.as_str(), Some(&path), &[step])?;
    Ok(json!({ "path": path }))
}

/// The path and text of a new draft.
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
    let slug = Slug::from_title(title).ok_or_else(|| ApiError::bad("title: write a title"))?;
    let path = writing.free_name(folder, slug.as_str(), "md")?;
    // The file's own name: a second walk is at `walk-2`.
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

/// Moves a file to the trash, from which its author can take it back.
pub fn remove(app: &App, asked: &Named) -> Answer {
    let (path, kind) = FileKind::at(&asked.path)?;
    if kind == FileKind::Content(Kind::Channel) {
        return Err(ApiError::bad("path: a site has a channel"));
    }
    if text_of(app, &path)?.is_none() {
        return Err(ApiError::not_found("path: there is no such file"));
    }
    begin(app, "removeFile", EDITOR).write(path.as_str(), Some(&path), &[Step::remove(&path)])?;
    Ok(json!({}))
}
