//! What no agent may: leave the items and Pages, take in another file's content, or make a site that cannot be built.

use serde_json::Value;

use super::super::files::{text_of, version};
use super::super::kind::FileKind;
use super::super::preview::Published;
use super::super::text::problems;
use crate::api::shared::{ApiError, as_held};
use crate::model::{Diagnostic, Item, ItemId, Page, Severity, SitePath, Source, Status};
use crate::server::App;
use crate::site::{ItemEntry, PageEntry};
use crate::source::reading::unsaved;
use crate::source::schema::Kind;

/// An item or a Page that agents may see.
#[derive(Debug)]
pub struct File {
    pub path: SitePath,
    pub kind: FileKind,
    pub text: String,
}

impl File {
    /// The file that an agent names by its path, id or slug.
    pub fn named(app: &App, name: &str) -> Result<Self, ApiError> {
        let path = match SitePath::parse(name).filter(|path| path.on_disk(app.live.root()).exists()) {
            Some(path) => path,
            None => of_name(app, name).ok_or_else(|| {
                ApiError::not_found(format!(
                    "file: there is no item and no Page {name:?}: give its file, id or slug; `search` finds them"
                ))
            })?,
        };
        let (path, kind) = FileKind::at(path.as_str())
            .ok()
            .filter(|(path, _)| is_own(app, path))
            .ok_or_else(|| {
                ApiError::bad(format!(
                    "file: {path} is none of the items and Pages, and agents see nothing else"
                ))
            })?;
        let text = text_of(app, &path)?
            .ok_or_else(|| ApiError::not_found(format!("file: {path} is gone")))?;
        Ok(Self { path, kind, text })
    }

    /// The same, if it still is what the agent has read.
    pub fn seen(app: &App, name: &str, seen: &str) -> Result<Self, ApiError> {
        let file = Self::named(app, name)?;
        if version(&file.text) != seen {
            return Err(ApiError::conflict(format!(
                "version: {} was saved by someone else since; nothing was written: read it again",
                file.path
            )));
        }
        Ok(file)
    }

    /// The same with another text.
    pub fn with(&self, text: String) -> Self {
        let (path, kind) = (self.path.clone(), self.kind);
        Self { path, kind, text }
    }

    /// Its status and id. None if it cannot be read.
    pub fn standing(&self, app: &App) -> Option<(Status, ItemId)> {
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

    /// Whether only its author sees it.
    pub fn is_draft(&self, app: &App) -> bool {
        matches!(self.standing(app), Some((Status::Unpublished, _)))
    }

    pub fn source(&self) -> Source<'_> {
        Source {
            path: &self.path,
            text: &self.text,
        }
    }

    /// Refuses a text of an agent that the site could not be built with, were it published.
    pub fn check(&self, app: &App) -> Result<(), ApiError> {
        self.check_reach(app)?;
        let own = problems(app, &self.path, self.kind, &self.text);
        if let Some(fault) = own
            .into_iter()
            .find(|fault| fault.severity == Severity::Error)
        {
            return Err(fault.into());
        }
        let published = Published::of(app, &self.path, self.kind, &self.text)?;
        let known = app.live.now();
        let is_known =
            |fault: &Diagnostic| known.faults.iter().any(|one| one.message == fault.message);
        let mut faults = published.faults.sorted().into_iter();
        let new = faults.find(|fault| fault.severity == Severity::Error && !is_known(fault));
        new.map_or(Ok(()), |fault| Err(fault.into()))
    }

    /// Refuses a text whose fields name files outside `content/`: it would show what is in them.
    pub fn check_reach(&self, app: &App) -> Result<(), ApiError> {
        let Ok(front) = self.source().front_matter() else {
            return Ok(());
        };
        let root = app.live.root();
        let leads_out = |text: &str| {
            let named = self.path.resolve(text);
            named.filter(|named| {
                !named.as_str().starts_with("content/") && named.on_disk(root).exists()
            })
        };
        for entry in &front.table.entries {
            if let Some(named) = find(&as_held(&entry.node), &leads_out) {
                return Err(ApiError::bad(format!(
                    "{}: {named} lies outside content/, and agents name no such file",
                    entry.key
                )));
            }
        }
        Ok(())
    }
}

/// What a look finds in the first text of a value for which it finds anything.
fn find<T>(value: &Value, look: &impl Fn(&str) -> Option<T>) -> Option<T> {
    match value {
        Value::String(text) => {
            let decoded = percent_encoding::percent_decode_str(text).decode_utf8_lossy();
            look(text).or_else(|| look(&decoded))
        }
        Value::Array(values) => values.iter().find_map(|value| find(value, look)),
        Value::Object(values) => values.values().find_map(|value| find(value, look)),
        _ => None,
    }
}

/// The file of an id or a slug.
fn of_name(app: &App, name: &str) -> Option<SitePath> {
    let moment = app.live.newest();
    let snapshot = &moment.site.snapshot;
    let is_named = |entry: &&PageEntry| {
        let page = &entry.page;
        page.id.as_str() == name || page.slug.as_str() == name
    };
    let item = snapshot
        .find(name)
        .map(|entry: &std::sync::Arc<ItemEntry>| entry.item.source.clone());
    let mut pages = snapshot.pages.iter().chain([&snapshot.not_found]);
    item.or_else(|| pages.find(is_named)?.page.source.clone())
}

/// Whether a file, with every link on its way followed, is an item or a Page.
pub fn is_own(app: &App, path: &SitePath) -> bool {
    let root = app.live.root();
    let real = root
        .canonicalize()
        .and_then(|root| Ok((path.on_disk(&root).canonicalize()?, root)));
    let Ok((real, root)) = real else { return false };
    let own = SitePath::below(&root, &real).filter(|own| !own.as_str().contains("/."));
    own.is_some_and(|own| {
        matches!(
            FileKind::of(&own),
            Some(FileKind::Content(Kind::Item | Kind::Page))
        )
    })
}
