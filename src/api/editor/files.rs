//! Lists, opens and writes the site's files for the editor.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use super::forms::{self, Form};
use super::kind::FileKind;
use super::on_disk::{begin, changed, load_text, replace_step, version};
use super::shows::{self, Chosen};
use super::text::{text_json, with_field_keys_in};
use super::{Answer, EDITOR, site_files};
use api_shared::{ApiError, Step, Writing, cannot_edit};
use model::content_folder::{ITEMS, PAGES};
use model::{
    Category, ContentFolder, Diagnostic, EpisodeNumber, ItemId, Rule, Severity, SitePath, Slug,
    Source, Status,
};
use render::transcript_files;
use server::App;
use site::{Edition, Snapshot};
use source::channel_file::channel_file;
use source::schema::Kind;
use transcripts::Format;
use words::native_name;

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
    /// The language of the draft, in a site with several languages.
    language: Option<String>,
    /// The show of the draft.
    #[serde(flatten)]
    chosen: Chosen,
}

/// A request to translate an item or a page into another language of the site.
#[derive(Debug, Deserialize)]
pub struct NewTranslation {
    path: String,
    language: String,
}

/// Returns the editable files of the chosen show, newest first, and the problems of the site.
pub fn site(app: &App, chosen: &Chosen) -> Answer {
    let moment = app.live.newest();
    let snapshot = &moment.site.snapshot;
    let parts = chosen.parts(snapshot);
    let own = parts.first().copied().unwrap_or(snapshot);
    let subject = Form::of_site(own);
    // The lists show languages only if the site has several.
    let language = |stated: Option<&str>| snapshot.edition_of(stated).and_then(Edition::language);
    let items = snapshot.entries.iter().filter(|entry| chosen.has(entry.item.source.as_str()));
    let items = items.map(|entry| {
        let item = &entry.item;
        json!({
            "kind": "item",
            "path": item.source,
            "id": item.id,
            "title": item.title,
            "status": status(item.status, item.date_published, snapshot.now),
            "date": item.date_published,
            "tags": item.tags,
            "language": language(item.language.as_deref()),
            "text": item.text_path,
            "url": entry.path.clone(),
            "form": Form::in_site(item, subject).name(),
            "image": forms::picture(item, &snapshot.config).map(|file| &file.path),
            "duration": item.attachment.as_ref().and_then(|file| file.duration_in_seconds),
            "season": item.season(),
            "episode": item.episode(),
        })
    });
    let pages =
        parts.iter().flat_map(|part| part.all_pages().map(|entry| (&part.config.mount, entry)));
    let pages = pages.filter_map(|(mount, entry)| {
        let page = &entry.page;
        Some(json!({
            "kind": "page",
            "path": page.source.as_ref()?,
            "id": page.id,
            "title": page.title,
            "status": status(page.status, page.date_published, snapshot.now),
            "date": page.date_published,
            "language": language(page.language.as_deref()),
            "text": page.text_path,
            "url": format!("{mount}{}", entry.path()),
        }))
    });
    let mut files: Vec<Value> = items.chain(pages).collect();
    files.extend(unreadable(&files, &moment.faults, chosen));
    files.extend(site_files::list(app, snapshot));
    let mut answer = json!({
        "title": own.channel.title,
        "subject": subject.name(),
        "next": forms::next_number(own)
            .map(|next| json!({ "season": next.season, "episode": next.episode })),
        "has_downloads": cfg!(feature = "warehouse"),
        "has_calendar": parts.iter().any(|part| !part.calendars.all.is_empty()),
        "media": media(),
        "base": snapshot.config.base_path(),
        "time_zone": snapshot.config.timezone.iana_name().unwrap_or("UTC"),
        "channel": channel_path(app, &own.config.content),
        "languages": languages(app, snapshot),
        "files": files,
        "proposals": app.state.count_proposals()?,
        "check": check_report(app),
        "errors": errors(&app.live.faults().borrow()),
    });
    if let Some(folders) = shows::folders(snapshot) {
        answer["shows"] = json!(folders);
    }
    Ok(answer)
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
fn unreadable(files: &[Value], faults: &[Diagnostic], chosen: &Chosen) -> Vec<Value> {
    let errors = faults.iter().filter(|fault| fault.severity == Severity::Error);
    let paths = errors.filter_map(|fault| fault.file.as_deref());
    let mut paths: Vec<&str> = paths.filter(|path| chosen.has(path)).collect();
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

/// Returns the path of the channel's file, which may be missing.
fn channel_path(app: &App, content: &ContentFolder) -> String {
    let file = channel_file(app.live.root(), content);
    file.map_or_else(|| content.join("channel.md"), |file| file.to_string())
}

/// Returns the languages of a site with several, each with the file of its channel.
fn languages(app: &App, snapshot: &Snapshot) -> Vec<Value> {
    let own = channel_path(app, &snapshot.config.content);
    let editions = snapshot.editions.iter().zip(0..);
    let languages = editions.filter_map(|(edition, at)| {
        let tag = edition.language()?;
        let (start, end) = own.rsplit_once('.').unwrap_or((&own, "md"));
        let channel = match at {
            0 => own.clone(),
            _ => format!("{start}.{tag}.{end}"),
        };
        Some(json!({ "tag": tag, "name": native_name(tag), "channel": channel }))
    });
    languages.collect()
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
    let mut faults = file_faults(app, &path);
    faults.extend(unreviewed_transcripts(app, &path));
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

/// Returns a warning for each machine-made, unreviewed transcript of an item.
fn unreviewed_transcripts(app: &App, item: &SitePath) -> Vec<Diagnostic> {
    let snapshot = &app.live.newest().site.snapshot;
    let entry = snapshot.entries.iter().find(|entry| entry.item.source == *item);
    let all = entry.into_iter().flat_map(|entry| transcript_files(&snapshot.config, &entry.item));
    let is_unreviewed = |file: &SitePath| {
        let text = load_text(app, file).ok().flatten();
        text.is_some_and(|text| transcripts::machine_made(text.as_bytes()).is_some())
    };
    let unreviewed = all.filter(|own| own.format == Format::Vtt && is_unreviewed(own.file));
    let warnings = unreviewed.map(|own| {
        let name = own.file.file_name();
        let problem = format!("the transcript {name} is machine-made and unreviewed");
        let help = "play it, correct words and names, then mark it as reviewed";
        Diagnostic::warning(Rule::UnreviewedTranscript, problem).file(own.file.as_str()).help(help)
    });
    warnings.collect()
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
    let writing = begin(app, "createFile", EDITOR).in_show(request.chosen.show())?;
    let (path, text) = match kind {
        FileKind::Content(Kind::Item) if request.folder => {
            let last = || forms::next_number(&writing.before.site.snapshot);
            new_folder(&writing, request, request.numbered.then(last).flatten())?
        }
        _ => new_draft(&writing, kind, &request.title, request.language.as_deref())?,
    };
    let step = Step::create(&path, &text, kind.check());
    writing.write(path.as_str(), Some(&path), &[step])?;
    Ok(json!({ "path": path }))
}

/// Creates a translation of an item or a page. It is a draft, and starts as a copy of the original.
pub fn translate(app: &App, request: &NewTranslation) -> Answer {
    let (original, kind) = FileKind::at(&request.path)?;
    let writing = begin(app, "createFile", EDITOR);
    let text = load_text(app, &original)?;
    let text = text.ok_or_else(|| ApiError::not_found("path: file not found"))?;
    let source = Source { path: &original, text: &text };
    let (path, text) = new_translation(&writing, source, &request.language, None)?;
    let step = Step::create(&path, &text, kind.check());
    writing.write(path.as_str(), Some(&path), &[step])?;
    Ok(json!({ "path": path }))
}

/// Returns the path and the content of a new translation.
pub fn new_translation(
    writing: &Writing<'_>,
    original: Source<'_>,
    language: &str,
    title: Option<&str>,
) -> Result<(SitePath, String), ApiError> {
    let path = writing.translation_path(original.path, language, &original.path.extension())?;
    let language = unstated(writing, &path, Some(language));
    let text = edit::translation_text(original, &edit::new_id(), title, language);
    Ok((path, text.map_err(cannot_edit)?))
}

/// Returns the language of a new file, unless its path states it.
fn unstated<'l>(
    writing: &Writing<'_>,
    path: &SitePath,
    language: Option<&'l str>,
) -> Option<&'l str> {
    edit::unstated_language(&writing.before.site.snapshot.config.languages, path, language)
}

/// Returns the path and the content of a new draft.
pub fn new_draft(
    writing: &Writing<'_>,
    kind: FileKind,
    title: &str,
    language: Option<&str>,
) -> Result<(SitePath, String), ApiError> {
    let content = &writing.before.site.snapshot.config.content;
    let folder = match kind {
        FileKind::Content(Kind::Page) => content.join(PAGES),
        _ => content.join(ITEMS),
    };
    let path = writing.free_text_name(&folder, language, (slug_of(title)?.as_str(), "md"))?;
    // The slug is the same as the file's name. If `walk` is taken, the new draft gets `walk-2`.
    let slug = matches!(kind, FileKind::Content(Kind::Item)).then(|| name_of(writing, &path));
    let id = slug.as_ref().map(|_| edit::new_id());
    let own =
        [id.as_ref().map(ItemId::as_str), slug.as_deref(), unstated(writing, &path, language)];
    let text = draft_text(own, title, "");
    Ok((path, text))
}

/// Returns the name of a content file without its language.
fn name_of(writing: &Writing<'_>, path: &SitePath) -> String {
    let text = writing.before.site.snapshot.config.languages.of_file(path);
    let text = text.and_then(|(_, text)| Some(text.rsplit('/').next()?.to_owned()));
    text.unwrap_or_else(|| path.stem().to_owned())
}

/// Returns the path and the content of a new draft in a separate folder.
fn new_folder(
    writing: &Writing<'_>,
    request: &NewDraft,
    number: Option<EpisodeNumber>,
) -> Result<(SitePath, String), ApiError> {
    // The slug is the name of the folder. Items without a separate folder have slugs, too.
    let mut name = slug_of(&request.title)?.to_string();
    let language = request.language.as_deref();
    let items = writing.before.site.snapshot.config.content.join(ITEMS);
    let (folder, end) = loop {
        let file = writing.free_text_name(&items, language, (&name, "md"))?;
        let free = name_of(writing, &file);
        let folder = writing.free_name(file.parent().unwrap_or_default(), &free, "")?;
        if folder.file_name() == free {
            break (folder, file.file_name()[free.len()..].to_owned());
        }
        folder.file_name().clone_into(&mut name);
    };
    let path = SitePath::parse(&format!("{folder}/index{end}"));
    let path = path.ok_or_else(|| ApiError::failed("the path of the draft is invalid"))?;
    let numbers = number.map(forms::numbers_toml).unwrap_or_default();
    let slug = Some(folder.file_name()).filter(|_| !request.provisional);
    let id = edit::new_id();
    let own = [Some(id.as_str()), slug, unstated(writing, &path, language)];
    let text = draft_text(own, &request.title, &numbers);
    Ok((path, text))
}

fn slug_of(title: &str) -> Result<Slug, ApiError> {
    Slug::from_title(title.trim())
        .ok_or_else(|| ApiError::bad("title: must contain a letter or digit"))
}

/// Returns the content of a draft with an id, a slug and a language. `tables` is the end of the front
/// matter.
fn draft_text(own: [Option<&str>; 3], title: &str, tables: &str) -> String {
    let lines = ["id", "slug", "language"].into_iter().zip(own);
    let own: String =
        lines.filter_map(|(key, value)| Some(format!("{key} = \"{}\"\n", value?))).collect();
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
