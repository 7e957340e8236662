//! Finds the document of a single public path for the server, without building the route table.

use std::sync::OnceLock;

use super::public::{Document, Public};
use super::redirects::{FormerPaths, is_own};
use model::{Access, folded};
use site::{ItemEntry, Snapshot, paths};
use theme::Theme;

/// The answer to a request for a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathAnswer {
    Document(Document),
    /// The path was permanently moved (301) to this public path, which is not percent-encoded.
    Redirect(String),
}

impl PathAnswer {
    pub fn document(&self) -> Option<&Document> {
        match self {
            Self::Document(document) => Some(document),
            Self::Redirect(_) => None,
        }
    }
}

/// Looks up public paths of a snapshot. The answers match the responses of a static host that
/// serves the built site.
#[derive(Clone, Copy)]
pub struct Lookup<'a> {
    public: Public<'a>,
    former: &'a OnceLock<FormerPaths>,
}

impl<'a> Lookup<'a> {
    /// Creates a lookup. The redirects are collected into `former` when they are first needed.
    pub fn new(
        snapshot: &'a Snapshot,
        theme: &'a Theme,
        former: &'a OnceLock<FormerPaths>,
    ) -> Self {
        Self { public: Public { snapshot, theme }, former }
    }

    /// Returns the answer to a request for a path. The path must be percent-decoded and have no
    /// query. If only the same path with a trailing slash exists, the answer is a redirect to that
    /// path.
    pub fn find(&self, path: &str) -> Option<PathAnswer> {
        if let Some(found) = self.find_exactly(path) {
            return Some(found);
        }
        if path.ends_with('/') {
            return None;
        }
        let folder = format!("{path}/");
        self.find_exactly(&folder).map(|found| match found {
            PathAnswer::Document(_) => PathAnswer::Redirect(folder),
            redirect => redirect,
        })
    }

    fn find_exactly(&self, path: &str) -> Option<PathAnswer> {
        let document = self.public.find(path).or_else(|| self.alternative_feed(path));
        document
            .map(PathAnswer::Document)
            .or_else(|| self.in_edition(path))
            .or_else(|| self.item(path).map(PathAnswer::Redirect))
            .or_else(|| self.former_copy(path).map(PathAnswer::Document))
            .or_else(|| self.former(path).map(PathAnswer::Redirect))
    }

    /// Returns the answer to a request for another path of a document of an edition.
    fn in_edition(&self, path: &str) -> Option<PathAnswer> {
        let (at, inner) = self.public.edition_at(path)?;
        let edition = Self { public: self.public.edition(at), former: self.former };
        let document = edition.alternative_feed(inner);
        let document = document.map(|own| PathAnswer::Document(Document::In(at, Box::new(own))));
        document.or_else(|| {
            let mount = &edition.public.snapshot.config.mount;
            edition.item(inner).map(|path| PathAnswer::Redirect([mount, &*path].concat()))
        })
    }

    /// Returns the feed at an alternative path: `/json/` or `/rss/`, or for an item `/i/<id>/json/`
    /// or `/i/<id>/rss/`.
    fn alternative_feed(&self, path: &str) -> Option<Document> {
        let file = match path {
            "/json/" => paths::json_feed(1),
            "/rss/" => paths::rss(1),
            _ => {
                let inner = path.strip_prefix("/i/")?.strip_suffix('/')?;
                match inner.split_once('/')? {
                    (id, "json") => format!("/i/{id}/item.json"),
                    (id, "rss") => format!("/i/{id}/item.rss"),
                    _ => return None,
                }
            }
        };
        self.public.find(&file)
    }

    /// Returns the path to redirect to if the path uses an item's id or alias, or an item's name or
    /// path in another case or Unicode form.
    fn item(&self, path: &str) -> Option<String> {
        let snapshot = self.public.snapshot;
        let find = |key| snapshot.find(key).filter(|entry| is_own(entry));
        let page = |entry: &ItemEntry| {
            (snapshot.config.access == Access::Public).then(|| entry.path.clone())
        };
        if let Some(entry) = find(path) {
            return page(entry);
        }
        let (key, document) = path.strip_prefix("/i/")?.split_once('/')?;
        let entry = find(key)?;
        if document.is_empty() {
            return page(entry);
        }
        let own = entry.names().find(|own| folded(own) == folded(key))?;
        let rights = [&*own, &*entry.segment].map(|name| format!("/i/{name}/{document}"));
        rights.into_iter().find(|right| {
            let is_there = || self.public.find(right).or_else(|| self.alternative_feed(right));
            right != path && is_there().is_some()
        })
    }

    /// Returns the document that is copied to a former path.
    fn former_copy(&self, path: &str) -> Option<Document> {
        self.former_paths().copies.get(path).cloned()
    }

    /// Returns the target of a former path, ignoring a missing or additional trailing slash.
    /// Returns None if a copy of the target is at the same path with a trailing slash.
    fn former(&self, path: &str) -> Option<String> {
        let former = self.former_paths();
        let other = path.strip_suffix('/').map_or_else(|| format!("{path}/"), str::to_owned);
        if former.copies.contains_key(&other) && other.ends_with('/') {
            return None;
        }
        let to = former.redirect_targets.get(path).or_else(|| former.redirect_targets.get(&other));
        to.cloned()
    }

    fn former_paths(&self) -> &'a FormerPaths {
        self.former.get_or_init(|| FormerPaths::of(&self.public))
    }
}
