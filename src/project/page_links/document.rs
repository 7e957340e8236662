//! Finds the addresses in one published document.

use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use super::site_file::file_addresses;
use super::target::Target;
use crate::Site;
use render::{Body, Document, Origin, PathAnswer, Route, TracedPiece};
use source::css::css_addresses;
use source::html::{Address, PageAddresses, page_addresses};

/// An address in a document, and its origin.
#[derive(Debug, Clone)]
pub struct Link {
    /// The address as written in the document.
    pub address: String,
    pub target: Target,
    pub address_origin: AddressOrigin,
}

/// The origin of an address.
#[derive(Debug, Clone)]
pub enum AddressOrigin {
    /// A template: its file in the theme's package, or `None` for a site file, and the byte offset
    /// in the file. The [`Origin`] is the text of the template or a value from the page's data.
    Template(Option<Arc<str>>, usize, Origin),
    /// The body of the document's item, page or channel.
    Content,
}

/// The ids and links of a rendered document.
#[derive(Debug, Default)]
pub struct CheckedDocument {
    /// Sorted hashes of the ids in the document. `None` if the document is not a page.
    pub ids: Option<Vec<u64>>,
    /// Links to paths that the site does not have.
    pub broken: Vec<Link>,
    /// Links with fragments, which can be checked once all pages are rendered.
    pub anchors: Vec<Link>,
}

/// Renders a document and checks its addresses. Returns `None` if its addresses need no check, or
/// if it fails to render.
pub fn check_document(site: &Site, route: &Route) -> Option<CheckedDocument> {
    let is_page = route.file.ends_with(".html");
    let is_other = matches!(
        route.document.inner(),
        Document::SiteFile(_) | Document::RssStylesheet | Document::RssStyles
    );
    if route.is_former || !(is_page || is_other) {
        return None;
    }
    // Rendering errors are reported elsewhere.
    let (body, pieces) = site.renderer().render_traced(&route.document).ok()?;
    let Body::Bytes(bytes) = body else {
        return None;
    };
    let text = String::from_utf8_lossy(&bytes);
    let found = addresses(site, &route.document, &text);
    let mut examined =
        CheckedDocument { ids: is_page.then(|| hashes(&found.ids)), ..CheckedDocument::default() };
    for address in found.addresses {
        let Some(address_origin) = address_origin(&pieces, address.at) else {
            continue;
        };
        let config = &site.snapshot.config;
        let base = found.base.as_deref();
        let Some(target) = Target::of(config, &route.path, base, &address.text) else {
            continue;
        };
        let link = Link { address: address.text, target, address_origin };
        let is_there = link.target.path == route.path || site.find(&link.target.path).is_some();
        if !is_there {
            examined.broken.push(link);
        } else if link.target.anchor.is_some() {
            examined.anchors.push(link);
        }
    }
    Some(examined)
}

fn addresses(site: &Site, document: &Document, text: &str) -> PageAddresses {
    let of = |addresses| PageAddresses { addresses, ..PageAddresses::default() };
    let (snapshot, document) = document.in_snapshot(&site.snapshot);
    match document {
        Document::SiteFile(at) => {
            let kind = snapshot.site_files[*at].content_type;
            of(file_addresses(&site.snapshot.config, kind, text))
        }
        Document::RssStyles => {
            let found = css_addresses(text).into_iter();
            let found = found.map(|(at, text)| (at, text.to_owned()));
            of(found.map(|(at, text)| Address { at, text }).collect())
        }
        Document::RssStylesheet => {
            let mut found = page_addresses(text).addresses;
            // XSL replaces text in braces. Relative addresses are skipped, because they depend on
            // the address of each feed.
            found.retain(|one| !one.text.contains('{') && one.text.starts_with(['/', 'h']));
            of(found)
        }
        _ => page_addresses(text),
    }
}

fn hashes(ids: &[String]) -> Vec<u64> {
    let mut hashes: Vec<u64> = ids.iter().map(|id| xxh3_64(id.as_bytes())).collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

/// Returns the origin of the byte at an offset of a document, or `None` if no template wrote the
/// byte.
fn address_origin(pieces: &[TracedPiece], at: usize) -> Option<AddressOrigin> {
    let after = pieces.partition_point(|piece| piece.range.start <= at);
    let piece = pieces[..after].last().filter(|piece| piece.range.end > at)?;
    Some(match piece.origin {
        Origin::Content => AddressOrigin::Content,
        Origin::Text => AddressOrigin::Template(
            piece.file.clone(),
            piece.at + at - piece.range.start,
            Origin::Text,
        ),
        Origin::Value => AddressOrigin::Template(piece.file.clone(), piece.at, Origin::Value),
    })
}

/// Returns the public path of the document at a path, and follows a redirect.
pub fn page_at(site: &Site, path: &str) -> Option<String> {
    match site.find(path)? {
        PathAnswer::Document(_) => Some(path.to_owned()),
        PathAnswer::Redirect(to) => match site.find(&to)? {
            PathAnswer::Document(_) => Some(to),
            PathAnswer::Redirect(_) => None,
        },
    }
}

/// Returns the broken links in the HTML of content that has no page, such as an event. Relative
/// links are resolved against `path`.
pub fn broken_in_text(site: &Site, path: &str, html: &str) -> Vec<Link> {
    let config = &site.snapshot.config;
    let addresses = page_addresses(html).addresses.into_iter();
    let links = addresses.filter_map(|address| {
        let target = Target::of(config, path, None, &address.text)?;
        site.find(&target.path).is_none().then_some(Link {
            address: address.text,
            target,
            address_origin: AddressOrigin::Content,
        })
    });
    links.collect()
}
