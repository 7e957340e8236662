//! The route table: every public path of a snapshot, in one place.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use super::redirects::{self, Redirect};
use super::{hosting, sitemap};
use crate::model::{Access, Diagnostic, GeneratedKind, Report, Status};
use crate::site::{Snapshot, paths};
use crate::theme::Theme;

/// What stands behind a public path. A number is a place in the snapshot's lists, or a page from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Document {
    /// A page of the home page.
    Home(usize),
    /// An item's page.
    Item(usize),
    /// An item's JSON Feed.
    ItemJson(usize),
    /// An item's RSS.
    ItemRss(usize),
    /// An item's chapters.
    Chapters(usize),
    /// A Page.
    Page(usize),
    /// The 404 Page.
    NotFound,
    /// A document of the JSON Feed.
    JsonFeed(usize),
    /// A document of the RSS feed.
    Rss(usize),
    /// The theme's RSS stylesheet.
    RssStylesheet,
    /// A page of a tag.
    Tag(usize, usize),
    /// The search page.
    Search,
    /// The script of search.
    SearchScript,
    /// An author's Site File.
    SiteFile(usize),
    /// A generated Site File.
    Generated(GeneratedKind),
    /// A part of a split sitemap.
    SitemapPart(usize),
    /// An HTML page that leads elsewhere, for hosts without redirects.
    RedirectPage(String),
    /// An asset of the theme.
    Asset(usize),
    /// A medium.
    Media(usize),
    /// What a static host reads; its place in [`hosting::files`].
    Hosting(&'static str),
}

/// A public path and what stands behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// The public path, not percent-encoded.
    pub path: String,
    /// The output file, from the output folder.
    pub file: String,
    /// What stands there.
    pub document: Document,
}

/// Every public path of a snapshot.
#[derive(Debug, Clone, Default)]
pub struct Routes {
    /// Paths with a document, in a fixed order.
    pub routes: Vec<Route>,
    /// Paths that lead to others.
    pub redirects: Vec<Redirect>,
}

/// How many documents a list of `items` needs.
fn pages_of(items: usize, per_page: usize) -> usize {
    items.div_ceil(per_page).max(1)
}

/// Whether a site has a search page.
pub fn has_search(snapshot: &Snapshot, theme: &Theme) -> bool {
    snapshot.config.access == Access::Public && snapshot.config.output.search && theme.has_pages()
}

/// Lists every public path, and finds what is wrong with them.
pub fn routes(snapshot: &Snapshot, theme: &Theme) -> (Routes, Report) {
    let mut table = Table {
        snapshot,
        theme,
        routes: Routes::default(),
    };
    match snapshot.config.access {
        Access::Offline => table.generated(&[GeneratedKind::Robots]),
        Access::Headless => {
            table.feeds();
            table.site_files(&[GeneratedKind::Robots, GeneratedKind::Llms]);
            table.media();
        }
        Access::Public => {
            table.html();
            table.feeds();
            table.site_files(&GeneratedKind::ALL);
            table.media();
        }
    }
    let mut report = Report::default();
    // An offline site has no path that a host could redirect or describe.
    if snapshot.config.access != Access::Offline {
        table.routes.redirects =
            redirects::redirects(snapshot, || table.taken_paths(), &mut report);
        table.hosting();
    }
    check_pages(snapshot, theme, &mut report);
    table.check_paths(&mut report);
    (table.routes, report)
}

struct Table<'a> {
    snapshot: &'a Snapshot,
    theme: &'a Theme,
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

    fn html(&mut self) {
        let (snapshot, config) = (self.snapshot, &self.snapshot.config);
        let per_page = config.feed.items_per_page;
        for n in 1..=pages_of(snapshot.published.len(), per_page) {
            self.add(paths::home(n), Document::Home(n));
        }
        for (at, entry) in snapshot
            .entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| entry.is_public())
        {
            self.add(paths::item(&entry.segment), Document::Item(at));
        }
        if self.theme.has_pages() {
            for (at, entry) in snapshot
                .pages
                .iter()
                .enumerate()
                .filter(|(_, entry)| entry.status != Status::Unpublished)
            {
                self.add(paths::page(entry.page.slug.as_str()), Document::Page(at));
            }
        }
        self.add("/404.html".into(), Document::NotFound);
        self.add("/404/".into(), Document::NotFound);
        if config.output.tags {
            for (at, tag) in snapshot.tags.iter().enumerate() {
                for n in 1..=pages_of(tag.entries.len(), per_page) {
                    self.add(paths::tag(&tag.slug, n), Document::Tag(at, n));
                }
            }
        }
        if has_search(snapshot, self.theme) {
            self.add(paths::SEARCH.into(), Document::Search);
            self.add(paths::SEARCH_SCRIPT.into(), Document::SearchScript);
        }
        for (at, asset) in self.theme.assets.iter().enumerate() {
            self.add(
                format!(
                    "{}/{}",
                    super::html::context::asset_base(self.theme),
                    asset.path
                ),
                Document::Asset(at),
            );
        }
    }

    fn feeds(&mut self) {
        let (snapshot, config) = (self.snapshot, &self.snapshot.config);
        let documents = pages_of(snapshot.published.len(), config.feed.limit);
        for n in 1..=documents {
            self.add(paths::json_feed(n), Document::JsonFeed(n));
        }
        if config.feed.rss {
            for n in 1..=documents {
                self.add(paths::rss(n), Document::Rss(n));
            }
            if config.access == Access::Public {
                self.add(paths::RSS_STYLESHEET.into(), Document::RssStylesheet);
            }
        }
        for (at, entry) in snapshot
            .entries
            .iter()
            .enumerate()
            .filter(|(_, entry)| entry.is_public())
        {
            let id = entry.item.id.as_str();
            if config.output.item_json {
                self.add(paths::item_json(id), Document::ItemJson(at));
            }
            if config.output.item_rss && config.feed.rss {
                self.add(paths::item_rss(id), Document::ItemRss(at));
            }
            if entry.has_chapters() && config.feed.rss {
                let mut keys = vec![id, entry.segment.as_str()];
                keys.extend(entry.item.aliases.iter().map(|alias| alias.as_str()));
                keys.sort_unstable();
                keys.dedup();
                for key in keys {
                    self.add(paths::chapters(key), Document::Chapters(at));
                }
            }
        }
    }

    fn site_files(&mut self, generated: &[GeneratedKind]) {
        let headless = self.snapshot.config.access == Access::Headless;
        for (at, file) in self.snapshot.site_files.iter().enumerate() {
            // Its pages do not exist, whoever lists them.
            if headless && file.filename == GeneratedKind::Sitemap.filename() {
                continue;
            }
            self.add(format!("/{}", file.filename), Document::SiteFile(at));
        }
        let overridden = |kind: &GeneratedKind| {
            self.snapshot
                .site_files
                .iter()
                .any(|file| file.filename == kind.filename())
        };
        let missing: Vec<GeneratedKind> = generated
            .iter()
            .copied()
            .filter(|kind| !overridden(kind))
            .collect();
        self.generated(&missing);
    }

    fn generated(&mut self, kinds: &[GeneratedKind]) {
        for kind in kinds {
            self.add(format!("/{}", kind.filename()), Document::Generated(*kind));
            if *kind == GeneratedKind::Sitemap {
                for n in 1..=sitemap::parts(self.snapshot) {
                    self.add(sitemap::part_path(n), Document::SitemapPart(n));
                }
            }
        }
    }

    fn media(&mut self) {
        for (at, file) in self.snapshot.media.iter().enumerate() {
            self.routes.routes.push(Route {
                path: file.path.clone(),
                file: file.path.trim_start_matches('/').to_owned(),
                document: Document::Media(at),
            });
        }
    }

    /// Every path with a document, without its last slash.
    fn taken_paths(&self) -> HashSet<String> {
        let spellings = ["/json", "/rss"].into_iter().map(str::to_owned);
        let documents = self.routes.routes.iter();
        documents
            .map(|route| route.path.trim_end_matches('/').to_owned())
            .chain(spellings)
            .collect()
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
        // A headless site has no HTML: there, only hosts that redirect know the feeds' other spellings.
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

    /// Two documents cannot have one file; a file cannot be another's folder; no path leaves the output.
    fn check_paths(&mut self, report: &mut Report) {
        let mut taken: HashMap<&str, usize> = HashMap::with_capacity(self.routes.routes.len());
        let mut dropped = Vec::new();
        let routes = &self.routes.routes;
        for (at, route) in routes.iter().enumerate() {
            if crate::model::SitePath::parse(&route.file).is_none() {
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
            match taken.entry(&route.file) {
                Entry::Vacant(free) => {
                    free.insert(at);
                }
                // A former path that something else has taken since leads nowhere.
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
                let Some(first) = taken.get(file).filter(|first| !dropped.contains(*first)) else {
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

    /// The error of a route whose file another one has, or needs as a folder. None for items and
    /// Pages, whose names were found to clash when the snapshot was gathered.
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

/// A format 1 theme cannot render Pages.
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
