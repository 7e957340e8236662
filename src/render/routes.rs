//! The route table: every public path of a snapshot, with its output file.

use std::collections::HashSet;
use std::collections::hash_map::Entry;

use xxhash_rust::xxh3::xxh3_64;

use super::hosting;
use super::public::{Document, Public};
use super::redirects;
use crate::model::{Access, ByHash, Diagnostic, Redirect, Report, SitePath, Status};
use crate::site::{Snapshot, paths};
use crate::theme::Theme;

/// A public path and its document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// The public path, not percent-encoded.
    pub path: String,
    /// The output file, from the output folder.
    pub file: String,
    /// What is rendered there.
    pub document: Document,
}

/// Every public path of a snapshot.
#[derive(Debug, Clone, Default)]
pub struct Routes {
    /// Paths with a document, in a fixed order.
    pub routes: Vec<Route>,
    /// Paths that are redirected to others.
    pub redirects: Vec<Redirect>,
}

/// Lists every public path, and reports those that clash or cannot be rendered.
pub fn routes(snapshot: &Snapshot, theme: &Theme) -> (Routes, Report) {
    let public = Public { snapshot, theme };
    let mut table = Table {
        snapshot,
        routes: Routes::default(),
    };
    for document in public.documents() {
        public.each_path(&document, |path| table.add(path, document.clone()));
    }
    let mut report = Report::default();
    // An offline site has no path that a host could redirect or describe.
    if snapshot.config.access != Access::Offline {
        table.routes.redirects = redirects::redirects(&public, &mut report);
        table.hosting();
    }
    check_pages(snapshot, theme, &mut report);
    table.check_paths(&mut report);
    (table.routes, report)
}

struct Table<'a> {
    snapshot: &'a Snapshot,
    routes: Routes,
}

impl Table<'_> {
    fn add(&mut self, path: String, document: Document) {
        let file = paths::file_of(&path);
        self.routes.routes.push(Route {
            path,
            file,
            document,
        });
    }

    fn hosting(&mut self) {
        let config = &self.snapshot.config;
        let pages: Vec<Redirect> =
            hosting::redirect_pages(config.base_path(), &config.hosting, &self.routes.redirects)
                .into_iter()
                .cloned()
                .collect();
        if !pages.is_empty() {
            let taken: HashSet<String> = self
                .routes
                .routes
                .iter()
                .map(|route| route.file.clone())
                .collect();
            for redirect in pages {
                let from = if redirect.from.ends_with('/') || redirect.from.ends_with(".html") {
                    redirect.from
                } else {
                    format!("{}/", redirect.from)
                };
                if !taken.contains(&paths::file_of(&from)) {
                    self.add(from, Document::RedirectPage(redirect.to));
                }
            }
        }
        // A headless site has no HTML: only hosts that redirect answer the feeds' other spellings.
        if config.access == Access::Public && hosting::item_feed_pages(&config.hosting) {
            self.item_feed_pages();
        }
        for name in hosting::files(&config.hosting) {
            self.add(format!("/{name}"), Document::Hosting(name));
        }
    }

    /// Pages for the other spellings of each item's feeds.
    fn item_feed_pages(&mut self) {
        let feeds: Vec<(String, String)> = self
            .routes
            .routes
            .iter()
            .filter(|route| matches!(route.document, Document::ItemJson(_) | Document::ItemRss(_)))
            .filter_map(|route| {
                let (folder, name) = route.path.rsplit_once('/')?;
                let (_, kind) = name.split_once('.')?;
                Some((format!("{folder}/{kind}/"), route.path.clone()))
            })
            .collect();
        for (from, to) in feeds {
            self.add(from, Document::RedirectPage(to));
        }
    }

    /// Checks that no two documents have the same file, that no file is also a folder, and that no path
    /// leaves the output folder.
    fn check_paths(&mut self, report: &mut Report) {
        let mut taken: ByHash<usize> = ByHash::default();
        taken.reserve(self.routes.routes.len());
        let mut dropped = Vec::new();
        let routes = &self.routes.routes;
        for (at, route) in routes.iter().enumerate() {
            if !SitePath::is_valid(&route.file) {
                report.push(
                    Diagnostic::warning(format!(
                        "the former path {} cannot be published",
                        route.path
                    ))
                    .help("remove it from the front matter: it stands in `aliases`, `redirect_from`, `permalink` or `url`"),
                );
                dropped.push(at);
                continue;
            }
            match taken.entry(xxh3_64(route.file.as_bytes())) {
                Entry::Vacant(free) => {
                    free.insert(at);
                }
                // A former path that another document has now gets no redirect.
                Entry::Occupied(_) if is_redirect(route) => dropped.push(at),
                Entry::Occupied(mut other) => {
                    let first = *other.get();
                    if is_redirect(&routes[first]) {
                        dropped.push(first);
                        other.insert(at);
                    } else {
                        report.extend(self.taken(route, &routes[first]));
                    }
                }
            }
        }
        for (at, route) in routes.iter().enumerate() {
            let folders = route
                .file
                .match_indices('/')
                .map(|(end, _)| &route.file[..end]);
            for file in folders {
                let first = taken.get(&xxh3_64(file.as_bytes()));
                let is_there =
                    |first: &&usize| routes[**first].file == file && !dropped.contains(*first);
                let Some(first) = first.filter(is_there) else {
                    continue;
                };
                if is_redirect(route) {
                    dropped.push(at);
                } else if is_redirect(&routes[*first]) {
                    dropped.push(*first);
                } else {
                    report.extend(self.taken(route, &routes[*first]));
                }
                break;
            }
        }
        if !dropped.is_empty() {
            let dropped: HashSet<usize> = dropped.into_iter().collect();
            let mut at = 0..;
            self.routes
                .routes
                .retain(|_| at.next().is_some_and(|at| !dropped.contains(&at)));
        }
    }

    /// The error of a route whose file another one has, or needs as a folder. None for items and Pages:
    /// their clashes were reported when the snapshot was gathered.
    fn taken(&self, route: &Route, first: &Route) -> Option<Diagnostic> {
        let is_named = |route: &Route| {
            matches!(
                route.document,
                Document::Item(_)
                    | Document::ItemJson(_)
                    | Document::ItemRss(_)
                    | Document::Chapters(_)
                    | Document::Page(_)
            )
        };
        if is_named(route) || is_named(first) {
            return None;
        }
        let (file, other) = match self.file_of(&route.document) {
            Some(file) => (file, first),
            None => (self.file_of(&first.document)?, route),
        };
        let whose = match self.file_of(&other.document) {
            Some(source) => format!("is already that of {source}"),
            None if route.path == first.path => "is one that every site has".to_owned(),
            None => format!("is in the way of {}", other.path),
        };
        let diagnostic = Diagnostic::error(format!("the path {} {whose}", route.path));
        Some(diagnostic.file(file).help("give the file another name"))
    }

    fn file_of(&self, document: &Document) -> Option<String> {
        let snapshot = self.snapshot;
        match document {
            Document::SiteFile(at) => Some(snapshot.site_files[*at].source.to_string()),
            Document::Item(at) => Some(snapshot.entries[*at].item.source.to_string()),
            Document::Page(at) => snapshot.pages[*at]
                .page
                .source
                .as_ref()
                .map(ToString::to_string),
            Document::Media(at) => Some(snapshot.media[*at].source.to_string()),
            _ => None,
        }
    }
}

fn is_redirect(route: &Route) -> bool {
    matches!(route.document, Document::RedirectPage(_))
}

/// Reports Pages if the theme has format 1, which cannot render them.
fn check_pages(snapshot: &Snapshot, theme: &Theme, report: &mut Report) {
    if theme.has_pages() || snapshot.config.access != Access::Public {
        return;
    }
    for entry in snapshot
        .pages
        .iter()
        .filter(|entry| entry.status != Status::Unpublished)
    {
        if let Some(source) = &entry.page.source {
            report.push(
                Diagnostic::error(format!(
                    "the theme {} is of format 1, which has no Pages",
                    theme.manifest.name
                ))
                .file(source.as_str())
                .help("set `status = \"unpublished\"`, or use a theme of format 2"),
            );
        }
    }
}
