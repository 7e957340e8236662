//! Permanent redirects (301), and files at former paths for hosts without redirects.

use std::collections::HashMap;

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::public::{Document, Public};
use crate::hosting;
use model::{Access, ByHash, Diagnostic, Redirect, Report, Rule, Status};
use site::paths;
use source::redirects::FILE;

/// Returns all redirects: from aliases and former paths, from the paths in
/// `content/redirects.toml`, and from ids of items. Redirects from ids come last, so that a host
/// with a limit reads the redirects that authors wrote.
pub fn redirects(public: &Public<'_>, report: &mut Report) -> Vec<Redirect> {
    let snapshot = public.snapshot;
    if snapshot.config.access != Access::Public {
        return Vec::new();
    }
    let public_items = || snapshot.entries.iter().filter(|entry| entry.is_public());
    // An item whose segment equals its id needs no redirect, because its page already has that
    // path.
    let has_id_beside = public_items().filter(|entry| entry.segment != entry.item.id.as_str());
    let ids = has_id_beside.map(|entry| Redirect {
        from: paths::item(entry.item.id.as_str()),
        to: paths::item(&entry.segment),
    });
    let aliases = public_items().flat_map(|entry| {
        let aliases = entry.item.aliases.iter();
        aliases.map(|alias| Redirect {
            from: paths::item(alias.as_str()),
            to: paths::item(&entry.segment),
        })
    });
    let mut former = former(public, report);
    former.extend(aliases);
    former.sort();
    let mut ids: Vec<Redirect> = ids.collect();
    ids.par_sort_unstable();
    let mut redirects = former;
    redirects.extend(listed_redirects(public, report));
    redirects.append(&mut ids);
    let mut known: ByHash<()> = ByHash::default();
    known.reserve(redirects.len());
    redirects.retain(|Redirect { from, to }| {
        from != to && known.insert(xxh3_64(from.as_bytes()), ()).is_none()
    });
    redirects.push(Redirect { from: "/json/".into(), to: paths::json_feed(1) });
    if snapshot.config.feed.rss {
        redirects.push(Redirect { from: "/rss/".into(), to: paths::rss(1) });
    }
    redirects
}

/// Returns the redirects from former paths of items and from aliases of pages, sorted.
pub fn former(public: &Public<'_>, report: &mut Report) -> Vec<Redirect> {
    let snapshot = public.snapshot;
    let mut former = Vec::new();
    for entry in snapshot.entries.iter().filter(|entry| entry.is_public()) {
        for text in &entry.item.former_paths {
            let found = Redirect::path(text);
            if let Some(from) = found.as_ref().filter(|from| !has_document(public, from)) {
                former.push(Redirect { from: from.clone(), to: paths::item(&entry.segment) });
                continue;
            }
            let what = match found {
                Some(_) => "is now a path of this site",
                None => "is invalid",
            };
            report.push(
                Diagnostic::warning(Rule::FormerPath, format!("the former path {text} {what}"))
                    .file(entry.item.source.to_string())
                    .help("remove it from `aliases`, `redirect_from`, `permalink` or `url` in the front matter"),
            );
        }
    }
    for entry in snapshot.pages.iter().filter(|entry| entry.status != Status::Unpublished) {
        for alias in &entry.page.aliases {
            former.push(Redirect {
                from: paths::page(alias.as_str()),
                to: paths::page(entry.page.slug.as_str()),
            });
        }
    }
    former.sort();
    former
}

/// Returns the redirects of `content/redirects.toml`. Leaves out redirects from paths that the site
/// now uses, and warns about them.
pub fn listed_redirects(public: &Public<'_>, report: &mut Report) -> Vec<Redirect> {
    let mut listed_redirects = Vec::new();
    for redirect in public.snapshot.redirects.iter() {
        if has_document(public, &redirect.from) || is_item_path(public, &redirect.from) {
            let from = &redirect.from;
            report.push(
                Diagnostic::warning(
                    Rule::FormerPath,
                    format!("redirect ignored: {from} is now a path of this site"),
                )
                .file(FILE)
                .help(format!("remove the line that begins with {from:?}")),
            );
        } else {
            listed_redirects.push(redirect.clone());
        }
    }
    listed_redirects.sort();
    listed_redirects
}

/// Returns whether a path belongs to a public item, by any of its names.
fn is_item_path(public: &Public<'_>, path: &str) -> bool {
    let key = path.strip_prefix("/i/").map(|key| key.trim_end_matches('/'));
    let entry = key.and_then(|key| public.snapshot.find(key));
    entry.is_some_and(|entry| entry.is_public())
}

/// Returns whether a document exists at a path, with or without a trailing slash.
fn has_document(public: &Public<'_>, path: &str) -> bool {
    let path = path.trim_end_matches('/');
    matches!(path, "/json" | "/rss")
        || public.find(path).is_some()
        || public.find(&format!("{path}/")).is_some()
}

/// Maximum number of redirects to follow.
const HOPS: usize = 20;

/// Returns the former paths that need files because one of the site's hosts does not support
/// redirects, with the document for each path. The document is an HTML page that redirects. If
/// programs read the target, the document is a copy of the target, because programs do not follow
/// an HTML page.
pub fn former_path_documents(
    public: &Public<'_>,
    redirects: &[Redirect],
) -> Vec<(String, Document)> {
    let config = &public.snapshot.config;
    let redirect_targets: HashMap<&str, &str> =
        redirects.iter().map(|redirect| (redirect.from.as_str(), redirect.to.as_str())).collect();
    let needed = hosting::redirects_in_files(config.base_path(), &config.hosting, redirects);
    let files = needed.into_iter().map(|redirect| {
        let (from, to) = (&redirect.from, &redirect.to);
        match document_at(public, &redirect_targets, to).filter(is_read_by_programs) {
            Some(document) => (copy_path(from, &document), document),
            None if from.ends_with('/') || from.ends_with(".html") => {
                (from.clone(), Document::RedirectPage(to.clone()))
            }
            None => (format!("{from}/"), Document::RedirectPage(to.clone())),
        }
    });
    files.collect()
}

/// Returns the document at a path, after following redirects.
fn document_at(
    public: &Public<'_>,
    redirect_targets: &HashMap<&str, &str>,
    path: &str,
) -> Option<Document> {
    let mut path = path;
    for _ in 0..HOPS {
        if let Some(document) = public.find(path) {
            return Some(document);
        }
        path = redirect_targets.get(path)?;
    }
    None
}

/// Returns whether a document is read by programs, such as feed readers and players, instead of by
/// browsers.
fn is_read_by_programs(document: &Document) -> bool {
    matches!(
        document,
        Document::ItemMarkdown(_)
            | Document::PageMarkdown(_)
            | Document::ItemJson(_)
            | Document::ItemRss(_)
            | Document::Chapters(_)
            | Document::JsonFeed(_)
            | Document::Rss(_)
            | Document::Calendars
            | Document::Calendar(_)
            | Document::FacetJson(..)
            | Document::FacetRss(..)
            | Document::OEmbed(_)
            | Document::SiteFile(_)
            | Document::Generated(_)
            | Document::SitemapPart(_)
            | Document::Media(_)
            | Document::PictureSize(..)
    )
}

/// Returns the path of a copy. A path without an extension gets a trailing slash, so that hosts
/// serve the copy as HTML (`index.html`). Feed readers search HTML for a feed, but reject a file of
/// unknown type. A media file keeps its path, since players recognize media by their bytes.
fn copy_path(from: &str, document: &Document) -> String {
    let name = from.rsplit('/').next().unwrap_or_default();
    let is_medium = matches!(document, Document::Media(_) | Document::PictureSize(..));
    if name.is_empty() || name.contains('.') || is_medium {
        return from.to_owned();
    }
    format!("{from}/")
}

/// The former paths of a site with their targets, and the copies at such paths.
#[derive(Debug, Default)]
pub struct FormerPaths {
    pub redirect_targets: HashMap<String, String>,
    pub copies: HashMap<String, Document>,
}

impl FormerPaths {
    /// Collects the former paths of items and pages, and the paths in `content/redirects.toml`. Ids
    /// and aliases of items are not collected, because the snapshot has a lookup for them.
    pub fn of(public: &Public<'_>) -> Self {
        if public.snapshot.config.access != Access::Public {
            return Self::default();
        }
        let mut report = Report::default();
        let mut all = former(public, &mut report);
        all.extend(listed_redirects(public, &mut report));
        let copies = match hosting::has_limits(&public.snapshot.config.hosting) {
            // A host with a limit reads only the first redirects of the list.
            true => former_path_documents(public, &redirects(public, &mut report)),
            false => former_path_documents(public, &all),
        };
        let copies = copies.into_iter();
        let copies = copies.filter(|(_, document)| !matches!(document, Document::RedirectPage(_)));
        let copies = copies.collect();
        let mut redirect_targets = HashMap::new();
        for Redirect { from, to } in all {
            redirect_targets.entry(from).or_insert(to);
        }
        Self { redirect_targets, copies }
    }
}
