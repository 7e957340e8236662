//! The route table: every public path of a snapshot, with its output file.

use std::collections::HashSet;
use std::collections::hash_map::Entry;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::public::{Document, Public};
use super::redirects::{self, FormerFiles};
use crate::hosting;
use model::{Access, ByHash, ContentFolder, Diagnostic, Redirect, Report, Rule, SitePath, Status};
use site::{Snapshot, paths};
use source::show::file_of_addresses;
use theme::Theme;

/// A public path and its document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// The public path, not percent-encoded.
    pub path: String,
    /// The output file, relative to the output folder.
    pub file: String,
    pub document: Document,
    /// Whether this is a former path, which any other document may replace.
    pub is_former: bool,
}

/// Every public path of a snapshot.
#[derive(Debug, Clone, Default)]
pub struct Routes {
    /// Paths with a document, in a fixed order.
    pub routes: Vec<Route>,
    /// Paths that redirect to other paths.
    pub redirects: Vec<Redirect>,
}

/// Number of routes that a thread creates at a time.
const ROUTES_PER_THREAD: usize = 1024;

/// Lists every public path, and reports paths that clash or cannot be rendered.
pub fn routes(snapshot: &Snapshot, theme: &Theme) -> (Routes, Report) {
    let public = Public { snapshot, theme };
    let mut report = Report::default();
    let redirects = || {
        // An offline site has no host, so it needs no redirects and no host configuration.
        let has_host = snapshot.config.access != Access::Offline;
        has_host.then(|| redirects::redirects(&public, &mut report))
    };
    let (routes, redirects) = rayon::join(|| document_routes(&public), redirects);
    let mut table = Table { public, snapshot, routes: Routes { routes, redirects: Vec::new() } };
    if let Some(redirects) = redirects {
        table.routes.redirects = redirects;
        table.hosting();
    }
    check_pages(snapshot, theme, &mut report);
    table.check_paths(&mut report);
    (table.routes, report)
}

/// Returns the routes of all documents except redirects and files for hosts.
fn document_routes(public: &Public<'_>) -> Vec<Route> {
    let documents: Vec<Document> = public.candidates().collect();
    let parts = documents.par_chunks(ROUTES_PER_THREAD).map(|documents| {
        let mut routes = Vec::with_capacity(documents.len());
        for document in documents.iter().filter(|document| public.has(document)) {
            public.for_each_path(document, |path| {
                routes.push(Route::of(path, document.clone()));
            });
        }
        routes
    });
    let parts: Vec<Vec<Route>> = parts.collect();
    let mut routes = Vec::with_capacity(parts.iter().map(Vec::len).sum());
    parts.into_iter().for_each(|part| routes.extend(part));
    routes
}

impl Route {
    fn of(path: String, document: Document) -> Self {
        Self { file: paths::file_of(&path), path, document, is_former: false }
    }
}

struct Table<'a> {
    public: Public<'a>,
    snapshot: &'a Snapshot,
    routes: Routes,
}

impl Table<'_> {
    fn add(&mut self, path: String, document: Document) {
        self.routes.routes.push(Route::of(path, document));
    }

    fn hosting(&mut self) {
        let config = &self.snapshot.config;
        let files = FormerFiles::of(&self.public, &self.routes.redirects);
        let former: Vec<(String, Document)> =
            files.needed().into_par_iter().map(|redirect| files.file(redirect)).collect();
        if !former.is_empty() {
            let routes = self.routes.routes.par_iter();
            let taken: Vec<(u64, ())> = routes.map(|route| (hash_of(&route.file), ())).collect();
            let taken: ByHash<()> = taken.into_iter().collect();
            for (from, document) in former {
                if !taken.contains_key(&hash_of(&paths::file_of(&from))) {
                    self.add_former(from, document);
                }
            }
        }
        // A headless site gets no copies of its feeds. Their alternative paths work only on hosts
        // with redirects.
        if config.access == Access::Public && hosting::copies_item_feeds(&config.hosting) {
            self.item_feed_copies();
        }
        for name in hosting::files(config) {
            self.add(format!("/{name}"), Document::Hosting(name));
        }
    }

    fn add_former(&mut self, path: String, document: Document) {
        self.routes.routes.push(Route { is_former: true, ..Route::of(path, document) });
    }

    /// Adds copies of each item's feeds at their alternative paths.
    fn item_feed_copies(&mut self) {
        let feeds: Vec<(String, Document)> = self
            .routes
            .routes
            .iter()
            .filter(|route| {
                matches!(route.document.inner(), Document::ItemJson(_) | Document::ItemRss(_))
            })
            .filter_map(|route| {
                let (folder, name) = route.path.rsplit_once('/')?;
                let (_, kind) = name.split_once('.')?;
                Some((format!("{folder}/{kind}/"), route.document.clone()))
            })
            .collect();
        for (from, document) in feeds {
            self.add_former(from, document);
        }
    }

    /// Checks that no two documents have the same file, that no file is also a folder, and that no
    /// path leaves the output folder.
    fn check_paths(&mut self, report: &mut Report) {
        let mut taken: ByHash<usize> = ByHash::default();
        taken.reserve(self.routes.routes.len());
        let mut dropped = Vec::new();
        let routes = &self.routes.routes;
        let hash = |route: &Route| {
            let is_valid = SitePath::is_valid(&route.file);
            is_valid.then(|| hash_of(&route.file))
        };
        let hashes: Vec<Option<u64>> = routes.par_iter().map(hash).collect();
        for ((at, route), hash) in routes.iter().enumerate().zip(hashes) {
            let Some(hash) = hash else {
                report.push(
                    Diagnostic::warning(Rule::FormerPath, format!(
                        "the former path {} is invalid",
                        route.path
                    ))
                    .help("remove it from `aliases`, `redirect_from`, `permalink` or `url` in the front matter"),
                );
                dropped.push(at);
                continue;
            };
            match taken.entry(hash) {
                Entry::Vacant(free) => {
                    free.insert(at);
                }
                // Drop a former path that is now the path of another document.
                Entry::Occupied(_) if route.is_former => dropped.push(at),
                Entry::Occupied(mut other) => {
                    let first = *other.get();
                    if routes[first].is_former {
                        dropped.push(first);
                        other.insert(at);
                    } else {
                        report.extend(self.taken(route, &routes[first]));
                    }
                }
            }
        }
        for (at, first) in folder_clashes(routes, &taken) {
            let route = &routes[at];
            let mut in_its_way = first.into_iter().filter(|first| !dropped.contains(first));
            let Some(first) = in_its_way.next() else {
                continue;
            };
            if route.is_former {
                dropped.push(at);
            } else if routes[first].is_former {
                dropped.push(first);
            } else {
                report.extend(self.taken(route, &routes[first]));
            }
        }
        if !dropped.is_empty() {
            let dropped: HashSet<usize> = dropped.into_iter().collect();
            let mut at = 0..;
            self.routes.routes.retain(|_| at.next().is_some_and(|at| !dropped.contains(&at)));
        }
    }

    /// Returns the error for a route whose file is also the file or a folder of another route.
    /// Returns None for clashes that were already reported when the snapshot was gathered: of two
    /// items, of two pages, and of a page with a reserved path or a site file.
    fn taken(&self, route: &Route, first: &Route) -> Option<Diagnostic> {
        let both = [route, first];
        let is_item = |route: &&Route| {
            matches!(
                route.document.inner(),
                Document::Item(_)
                    | Document::ItemMarkdown(_)
                    | Document::ItemJson(_)
                    | Document::ItemRss(_)
                    | Document::Chapters(_)
            )
        };
        let is_page = |route: &&Route| {
            matches!(route.document.inner(), Document::Page(_) | Document::PageMarkdown(_))
        };
        let is_of_facet = |route: &&Route| {
            matches!(
                route.document.inner(),
                Document::Facet(..) | Document::FacetJson(..) | Document::FacetRss(..)
            )
        };
        let items = both.iter().filter(|route| is_item(route)).count();
        let has_page = both.iter().any(is_page) && !both.iter().any(is_of_facet);
        if items == 2 || (items == 0 && has_page) {
            return None;
        }
        let (route, first) = if is_item(&first) { (first, route) } else { (route, first) };
        let (file, other) = match self.file_of(&route.document) {
            Some(file) => (file, first),
            None => (self.file_of(&first.document)?, route),
        };
        let whose = match self.file_of(&other.document) {
            Some(source) => format!("is already used by {source}"),
            None if route.path == first.path => "is reserved".to_owned(),
            None => format!("conflicts with {}", other.path),
        };
        let diagnostic = Diagnostic::error(format!("the path {} {whose}", route.path));
        let help = match items {
            0 => "rename the file".to_owned(),
            _ => {
                let folder = ContentFolder::of(&file);
                let settings = file_of_addresses(&self.snapshot.root, &folder);
                format!(
                    "change the `slug` of the item, or the pattern of its address in `[addresses]` in {settings}"
                )
            }
        };
        Some(diagnostic.file(file).help(help))
    }

    fn file_of(&self, document: &Document) -> Option<String> {
        let (snapshot, document) = document.in_snapshot(self.snapshot);
        match document {
            Document::SiteFile(at) => Some(snapshot.site_files[*at].source.to_string()),
            Document::Item(at) => Some(snapshot.entries[*at].item.source.to_string()),
            Document::Page(at) => snapshot.pages[*at].page.source.as_ref().map(ToString::to_string),
            Document::Media(at) => Some(snapshot.media[*at].source.to_string()),
            _ => None,
        }
    }
}

/// Finds routes whose output file would be inside the file of another route, such as `a/b` inside
/// the file `a`. Returns the index of each such route, with the indices of the other routes.
/// `taken` maps the hash of each file to the index of its route.
fn folder_clashes(routes: &[Route], taken: &ByHash<usize>) -> Vec<(usize, Vec<usize>)> {
    let files_of = |(at, route): (usize, &Route)| {
        let ends = route.file.match_indices('/').map(|(end, _)| end);
        let folders = ends.map(|end| &route.file[..end]);
        let files: Vec<usize> = folders
            .filter_map(|folder| {
                let first = *taken.get(&hash_of(folder))?;
                (routes[first].file == folder).then_some(first)
            })
            .collect();
        (!files.is_empty()).then_some((at, files))
    };
    let routes = routes.par_iter().enumerate();
    routes.filter_map(files_of).collect()
}

fn hash_of(file: &str) -> u64 {
    xxh3_64(file.as_bytes())
}

/// Reports pages if the theme has format 1, which cannot render them.
fn check_pages(snapshot: &Snapshot, theme: &Theme, report: &mut Report) {
    if theme.has_pages() || snapshot.config.access != Access::Public {
        return;
    }
    for entry in snapshot.pages.iter().filter(|entry| entry.status != Status::Unpublished) {
        if let Some(source) = &entry.page.source {
            report.push(
                Diagnostic::error(format!(
                    "the theme {} has format 1, which does not support pages",
                    theme.manifest.name
                ))
                .file(source.as_str())
                .help("set `status` to `unpublished`, or use a theme of format 2"),
            );
        }
    }
}
