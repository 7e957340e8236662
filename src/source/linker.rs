//! The references in a body: links to content, to media, to public paths and elsewhere.

use std::cell::{Cell, RefCell};
use std::hash::{Hash, Hasher};

use percent_encoding::percent_decode_str;
use xxhash_rust::xxh3::Xxh3Default;

use super::fields::Reader;
use super::html::Role;
use super::reference::Reference;
use crate::model::{ContentLink, LinkTarget, url};

/// Turns the references of one file into absolute URLs.
pub struct Linker<'r, 'a> {
    pub reader: &'r Reader<'a>,
    links: RefCell<Vec<ContentLink>>,
    /// The hash of all that was answered.
    fingerprint: Cell<u64>,
}

impl<'r, 'a> Linker<'r, 'a> {
    /// Starts on a file.
    pub fn new(reader: &'r Reader<'a>) -> Self {
        Self {
            reader,
            links: RefCell::default(),
            fingerprint: Cell::default(),
        }
    }

    /// The links into the site that were found.
    pub fn into_links(self) -> Vec<ContentLink> {
        self.links.into_inner()
    }

    /// The hash of what the references were resolved to, and of what else is [remembered](Self::remember): with the
    /// text that holds them, all that the HTML is made of.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint.get()
    }

    /// Notes a fact that the HTML shows.
    pub fn remember(&self, fact: &impl Hash) {
        let mut hash = Xxh3Default::new();
        (self.fingerprint.get(), fact).hash(&mut hash);
        self.fingerprint.set(hash.finish());
    }

    /// The URL to write instead of a reference. None if it stays as it is.
    pub fn resolve(&self, role: Role, reference: &str, offset: usize) -> Option<String> {
        if reference.is_empty() || url::is_absolute(reference) {
            return None;
        }
        let resolved = self.resolve_relative(role, reference, offset);
        self.remember(&resolved);
        resolved
    }

    fn resolve_relative(&self, role: Role, reference: &str, offset: usize) -> Option<String> {
        let (path, suffix) = url::split_suffix(reference);
        if path.is_empty() {
            if role == Role::Link && suffix.starts_with('#') {
                self.note(LinkTarget::Here, suffix, offset);
            }
            return None;
        }
        if path.starts_with('/') && !(role != Role::Link && path.starts_with("/media/")) {
            return Some(self.public_path(path, suffix, offset));
        }
        match role {
            Role::Embed => self
                .reader
                .reference(path, &(offset..offset))
                .map(|found| found.url().to_owned()),
            Role::Picture => self
                .picture(reference, offset)
                .map(|found| found.url().to_owned()),
            Role::Link => self.file(path, suffix, offset),
        }
    }

    fn public_path(&self, path: &str, suffix: &str, offset: usize) -> String {
        let decoded = percent_decode_str(path).decode_utf8_lossy().into_owned();
        self.note(LinkTarget::Path(decoded), suffix, offset);
        let config = self.reader.config;
        let base = match (&config.media_base_url, path.strip_prefix("/media/")) {
            (Some(media), Some(rest)) => {
                return format!("{media}/{}{suffix}", url::encode_reference(rest));
            }
            _ => &config.base_url,
        };
        format!("{base}{}{suffix}", url::encode_reference(path))
    }

    /// The picture that is shown in place.
    pub fn picture(&self, reference: &str, offset: usize) -> Option<Reference> {
        let path = url::split_suffix(reference).0;
        let found = self.reader.shown(path, &(offset..offset));
        if let Some(Reference::Local(local)) = &found {
            self.remember(&local.file.still);
        }
        found
    }

    /// A link to a file: to the page of a content file, or to the medium itself.
    fn file(&self, path: &str, suffix: &str, offset: usize) -> Option<String> {
        match self.reader.locate(path) {
            Ok(file) if is_content(file.as_str()) && !self.reader.is_beside_index(&file) => {
                let url = format!(
                    "{}{}{suffix}",
                    LinkTarget::SCHEME,
                    url::encode_path(file.as_str())
                );
                self.note(LinkTarget::File(file), suffix, offset);
                Some(url)
            }
            Ok(_) => self
                .reader
                .reference(path, &(offset..offset))
                .map(|found| format!("{}{suffix}", found.url())),
            Err(problem) if has_extension(path) => {
                self.reader
                    .error(&(offset..offset), problem.message, problem.help);
                None
            }
            Err(_) => {
                self.reader.warning(
                    &(offset..offset),
                    format!("{path:?} is neither a file nor a path of this site"),
                    "link to the content file (../other/index.md), to a public path (/about/) or to a whole address",
                );
                None
            }
        }
    }

    fn note(&self, target: LinkTarget, suffix: &str, offset: usize) {
        let link = ContentLink {
            anchor: anchor(suffix),
            target,
            offset,
        };
        if link.anchor.is_some() || link.target != LinkTarget::Here {
            self.links.borrow_mut().push(link);
        }
    }
}

/// The anchor named after a path. None for the top of a page, which every page has, and for fragments that
/// scripts and browsers read: times (`t=30`), routes, and text fragments (`:~:text=`).
fn anchor(suffix: &str) -> Option<String> {
    let (_, anchor) = suffix.split_once('#')?;
    let is_read = anchor.is_empty() || anchor.contains(['=', ':', '/', '!']);
    let anchor = percent_decode_str(anchor).decode_utf8_lossy();
    (!is_read && !anchor.eq_ignore_ascii_case("top")).then(|| anchor.into_owned())
}

fn is_content(path: &str) -> bool {
    let inside = path.starts_with("content/items/") || path.starts_with("content/pages/");
    inside && (path.ends_with(".md") || path.ends_with(".html"))
}

fn has_extension(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.')
        .is_some_and(|(stem, extension)| !stem.is_empty() && (1..=5).contains(&extension.len()))
}
