//! Finds broken links in published documents: in pages (from templates or content), in site files
//! and in style sheets.
//!
//! This check renders all pages, while a build renders only changed pages. Therefore only `check`
//! and `theme test` run it.

mod document;
mod report;
mod site_file;
mod style_sheets;
mod target;
mod theme_location;

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use self::document::{AddressOrigin, Link};
use self::document::{CheckedDocument, check_document, page_at};
pub(super) use self::report::{page_links, template_links};
use super::Site;
use render::Route;

/// Why a link is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fault {
    /// The site has no such path.
    Path,
    /// The page at the path has no such id.
    Anchor,
}

/// A broken link in a document.
pub struct Broken<'s> {
    pub document: &'s Route,
    pub link: Link,
    pub fault: Fault,
}

/// Returns the broken links of all documents of a site, in the order of its routes.
pub fn find_broken(site: &Site) -> Vec<Broken<'_>> {
    let routes = &site.routes().routes;
    let all = routes.par_iter().filter_map(|route| {
        let examined = check_document(site, route)?;
        // Release the body if it was read again for this page.
        if let Some(content) = site.renderer().content(&route.document) {
            content.release_reread_body();
        }
        Some((route, examined))
    });
    let all: Vec<(&Route, CheckedDocument)> = all.collect();
    let ids = Ids::of(site, &all);
    let mut found = Vec::new();
    for (document, examined) in all {
        let broken = examined.broken.into_iter().map(|link| (link, Fault::Path));
        let lost = examined.anchors.into_iter().filter(|link| {
            let anchor = link.target.anchor.as_deref().unwrap_or_default();
            !ids.contains_id(&link.target.path, anchor)
        });
        let lost = lost.map(|link| (link, Fault::Anchor));
        found.extend(broken.chain(lost).map(|(link, fault)| Broken { document, link, fault }));
    }
    found
}

/// The ids in pages that are targets of links with fragments.
struct Ids {
    of_pages: HashMap<String, Vec<u64>>,
    /// The path of the page for each target of a link with a fragment.
    pages: HashMap<String, String>,
}

impl Ids {
    fn of(site: &Site, all: &[(&Route, CheckedDocument)]) -> Self {
        let anchors = all.iter().flat_map(|(_, one)| &one.anchors);
        let paths: HashSet<&str> = anchors.map(|link| link.target.path.as_str()).collect();
        let pages = paths.into_iter();
        let pages = pages.filter_map(|path| Some((path.to_owned(), page_at(site, path)?)));
        let pages: HashMap<String, String> = pages.collect();
        let named: HashSet<&str> = pages.values().map(String::as_str).collect();
        let of_pages = all.iter().filter(|(route, _)| named.contains(&*route.path));
        let of_pages =
            of_pages.filter_map(|(route, one)| Some((route.path.clone(), one.ids.clone()?)));
        Self { of_pages: of_pages.collect(), pages }
    }

    /// Returns whether the page at a path has this id. Returns true if the document is not a page,
    /// because its ids are unknown.
    fn contains_id(&self, path: &str, anchor: &str) -> bool {
        let page = self.pages.get(path);
        let ids = page.and_then(|page| self.of_pages.get(page));
        ids.is_none_or(|ids| ids.binary_search(&xxh3_64(anchor.as_bytes())).is_ok())
    }
}
