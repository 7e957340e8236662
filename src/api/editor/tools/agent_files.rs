//! The limits for all agents. An agent can access only items and pages, cannot include the content
//! of other files, and cannot write content that makes a build fail.

use super::super::kind::FileKind;
use super::super::on_disk::{load_text, version};
use super::super::preview::Published;
use super::super::text::problems;
use api_shared::ApiError;
use model::{ContentFolder, Diagnostic, Item, ItemId, Page, Severity, SitePath, Source, Status};
use server::App;
use site::{ItemEntry, PageEntry};
use source::schema::Kind;
use source::unsaved::{referenced_files, unsaved};

/// An item or a page that agents may access.
#[derive(Debug)]
pub struct File {
    pub path: SitePath,
    pub kind: FileKind,
    pub text: String,
}

impl File {
    /// Finds a file by its path, or by the id or slug of its item or page.
    pub fn named(app: &App, name: &str) -> Result<Self, ApiError> {
        let path = match SitePath::parse(name).filter(|path| path.on_disk(app.live.root()).exists()) {
            Some(path) => path,
            None => find_path(app, name).ok_or_else(|| {
                ApiError::not_found(format!(
                    "file: item or page {name:?} not found: pass its file, id or slug; `search` returns them"
                ))
            })?,
        };
        let (path, kind) = FileKind::at(path.as_str())
            .ok()
            .filter(|(path, _)| is_content_file(app, path))
            .ok_or_else(|| {
                ApiError::bad(format!(
                    "file: {path} is not an item or a page; agents can access only items and pages"
                ))
            })?;
        let text = load_text(app, &path)?
            .ok_or_else(|| ApiError::not_found(format!("file: {path} no longer exists")))?;
        Ok(Self { path, kind, text })
    }

    /// Finds a file, and checks that the agent has read its current version.
    pub fn seen(app: &App, name: &str, seen: &str) -> Result<Self, ApiError> {
        let file = Self::named(app, name)?;
        if version(&file.text) != seen {
            return Err(ApiError::conflict(format!(
                "version: {} has changed since you read it; nothing was written: read it again",
                file.path
            )));
        }
        Ok(file)
    }

    /// Returns the same file with different text.
    pub fn with(&self, text: String) -> Self {
        let (path, kind) = (self.path.clone(), self.kind);
        Self { path, kind, text }
    }

    /// Returns the status and the id in the file's text. Returns None if the text cannot be parsed.
    pub fn status_and_id(&self, app: &App) -> Option<(Status, ItemId)> {
        let moment = app.live.now();
        let config = &moment.site.snapshot.config;
        let (root, source) = (app.live.root(), self.source());
        match self.kind {
            FileKind::Content(Kind::Page) => {
                unsaved::<Page>(root, config, source).map(|(page, _)| (page.status, page.id))
            }
            _ => unsaved::<Item>(root, config, source).map(|(item, _)| (item.status, item.id)),
        }
    }

    /// Returns whether the file is visible only to its author.
    pub fn is_draft(&self, app: &App) -> bool {
        matches!(self.status_and_id(app), Some((Status::Unpublished, _)))
    }

    pub fn source(&self) -> Source<'_> {
        Source { path: &self.path, text: &self.text }
    }

    /// Rejects the file's text if publishing it would make a build fail.
    pub fn check(&self, app: &App) -> Result<(), ApiError> {
        self.check_named_files(app)?;
        let own = problems(app, &self.path, self.kind, &self.text);
        if let Some(fault) = own.into_iter().find(|fault| fault.severity == Severity::Error) {
            return Err(fault.into());
        }
        let published = Published::of(app, &self.path, self.kind, &self.text, false)?;
        let known = app.live.now();
        let is_known =
            |fault: &Diagnostic| known.faults.iter().any(|one| one.message == fault.message);
        let mut faults = published.faults.sorted().into_iter();
        let new = faults.find(|fault| fault.severity == Severity::Error && !is_known(fault));
        new.map_or(Ok(()), |fault| Err(fault.into()))
    }

    /// Rejects text that refers to hidden files or to files outside `content/`, because the site
    /// would show or publish their content. Allows references that the current text already
    /// contains.
    pub fn check_named_files(&self, app: &App) -> Result<(), ApiError> {
        let mut named = self.forbidden_files(app);
        if named.is_empty() {
            return Ok(());
        }
        if let Some(there) = load_text(app, &self.path)? {
            let own = self.with(there).forbidden_files(app);
            named.retain(|path| !own.contains(path));
        }
        named.first().map_or(Ok(()), |named| {
            Err(ApiError::bad(format!(
                "{}: the text refers to {named}, which is hidden or outside content/; remove the reference, because agents cannot use such files",
                self.path
            )))
        })
    }

    /// Returns the files that the text refers to and that agents must not refer to.
    fn forbidden_files(&self, app: &App) -> Vec<SitePath> {
        let moment = app.live.now();
        let config = &moment.site.snapshot.config;
        let root = app.live.root();
        let mut named = match self.kind {
            FileKind::Content(Kind::Page) => referenced_files::<Page>(root, config, self.source()),
            _ => referenced_files::<Item>(root, config, self.source()),
        };
        named.retain(|path| {
            let is_there = path.on_disk(root).exists();
            !is_in_content(path)
                || is_there
                    && !resolved_path(app, path)
                        .is_some_and(|resolved_path| is_in_content(&resolved_path))
        });
        named
    }
}

fn is_in_content(path: &SitePath) -> bool {
    ContentFolder::split(path.as_str()).is_some() && !path.as_str().contains("/.")
}

/// Returns the file of the item or page with this id or slug.
fn find_path(app: &App, name: &str) -> Option<SitePath> {
    let moment = app.live.newest();
    let snapshot = &moment.site.snapshot;
    let is_named = |entry: &&PageEntry| {
        let page = &entry.page;
        page.id.as_str() == name || page.slug.as_str() == name
    };
    let item =
        snapshot.find(name).map(|entry: &std::sync::Arc<ItemEntry>| entry.item.source.clone());
    let mut pages = snapshot.all_pages();
    item.or_else(|| pages.find(is_named)?.page.source.clone())
}

/// Returns whether a file is an item or a page after all symlinks in its path are followed.
pub fn is_content_file(app: &App, path: &SitePath) -> bool {
    let own = resolved_path(app, path).filter(is_in_content);
    own.is_some_and(|own| {
        matches!(FileKind::of(&own), Some(FileKind::Content(Kind::Item | Kind::Page)))
    })
}

/// Returns the path of a file after all symlinks are followed. Returns None if it is outside the
/// site.
fn resolved_path(app: &App, path: &SitePath) -> Option<SitePath> {
    let root = app.live.root().canonicalize().ok()?;
    let resolved_path = path.on_disk(&root).canonicalize().ok()?;
    SitePath::below(&root, &resolved_path)
}
