//! The references in a body: links to content, to media, to public paths and to other sites.

use std::cell::{Cell, RefCell};
use std::hash::{Hash, Hasher};

use xxhash_rust::xxh3::Xxh3Default;

use super::channel_file::is_channel;
use super::fields::Reader;
use super::html::Role;
use super::reference::Reference;
use model::content_folder::{CALENDARS, ITEMS, PAGES};
use model::{ContentFolder, ContentLink, LinkTarget, Rule, SitePath, Slug, url};

/// Resolver that turns the references of one file into absolute URLs.
pub struct Linker<'r, 'a> {
    pub reader: &'r Reader<'a>,
    links: RefCell<Vec<ContentLink>>,
    /// The hash of all results so far.
    fingerprint: Cell<u64>,
    has_formula: Cell<bool>,
}

impl<'r, 'a> Linker<'r, 'a> {
    pub fn new(reader: &'r Reader<'a>) -> Self {
        Self {
            reader,
            links: RefCell::default(),
            fingerprint: Cell::default(),
            has_formula: Cell::default(),
        }
    }

    /// Records that the body has a formula.
    pub fn note_formula(&self) {
        self.has_formula.set(true);
    }

    /// Returns whether a formula was found.
    pub fn has_formula(&self) -> bool {
        self.has_formula.get()
    }

    /// Returns the links into the site that were found.
    pub fn into_links(self) -> Vec<ContentLink> {
        self.links.into_inner()
    }

    /// Returns the hash of the resolved references and of the facts from
    /// [`hash_fact`](Self::hash_fact). The HTML depends only on the inputs of this hash and on the
    /// body's text.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint.get()
    }

    /// Adds a fact that affects the HTML to the hash.
    pub fn hash_fact(&self, fact: &impl Hash) {
        let mut hash = Xxh3Default::new();
        (self.fingerprint.get(), fact).hash(&mut hash);
        self.fingerprint.set(hash.finish());
    }

    /// Returns the URL that replaces a reference, or `None` if the reference is unchanged.
    pub fn resolve(&self, role: Role, reference: &str, offset: usize) -> Option<String> {
        if reference.is_empty() || url::is_absolute(reference) {
            return None;
        }
        let resolved = self.resolve_relative(role, reference, offset);
        self.hash_fact(&resolved);
        resolved
    }

    fn resolve_relative(&self, role: Role, reference: &str, offset: usize) -> Option<String> {
        let (path, suffix) = url::split_suffix(reference);
        if path.is_empty() {
            if role == Role::Link && suffix.starts_with('#') {
                self.add_link(LinkTarget::Here, suffix, offset);
            }
            return None;
        }
        if path.starts_with('/') && !(role != Role::Link && path.starts_with("/media/")) {
            return Some(self.public_path(path, suffix, offset));
        }
        match role {
            Role::Embed => {
                self.reader.linked(path, &(offset..offset)).map(|found| found.url().to_owned())
            }
            Role::Picture => self.picture(reference, offset).map(|found| found.url().to_owned()),
            Role::Link => self.file(path, suffix, offset),
        }
    }

    fn public_path(&self, path: &str, suffix: &str, offset: usize) -> String {
        let config = self.reader.config;
        // A show with its own address has its own paths.
        if config.own_url.is_some() && !path.starts_with("/media/") {
            return self.path_of_show(path, suffix, offset);
        }
        let link = ContentLink::to_path(&format!("{path}{suffix}"), offset);
        self.links.borrow_mut().push(link);
        let base = match (&config.media_base_url, path.strip_prefix("/media/")) {
            (Some(media), Some(rest)) => {
                return format!("{media}/{}{suffix}", url::encode_reference(rest));
            }
            _ => &config.base_url,
        };
        format!("{base}{}{suffix}", url::encode_reference(path))
    }

    fn path_of_show(&self, path: &str, suffix: &str, offset: usize) -> String {
        let config = self.reader.config;
        // The build of the show checks its paths.
        if !config.is_elsewhere() {
            let link = ContentLink::to_path(&format!("{}{path}{suffix}", config.mount), offset);
            self.links.borrow_mut().push(link);
        }
        format!("{}{}{suffix}", config.url(""), url::encode_reference(path))
    }

    /// Returns the embedded picture, audio or video file.
    pub fn picture(&self, reference: &str, offset: usize) -> Option<Reference> {
        let path = url::split_suffix(reference).0;
        let found = self.reader.shown(path, &(offset..offset));
        if let Some(Reference::Local(local)) = &found {
            self.hash_fact(&local.file.still);
        }
        found
    }

    /// Returns a placeholder for a link by name, with an optional heading of its target. The name
    /// is resolved when the whole site has been read.
    pub fn named(&self, name: &str, part: Option<&Slug>, offset: usize) -> String {
        let part = part.map(|part| format!("#{}", url::encode_path(part.as_str())));
        let part = part.unwrap_or_default();
        if name.is_empty() {
            return part;
        }
        let url = self.placeholder(LinkTarget::Name(name.to_owned()), &part, offset);
        self.hash_fact(&url);
        url
    }

    /// Returns the path of a file with this name, such as `pier.jpg`. The file may be next to this
    /// file, in the folder `attachments` there, or in `content/media/`. Returns `None` if there is
    /// no such file.
    pub fn file_named(&self, name: &str) -> Option<String> {
        if !has_extension(name) {
            return None;
        }
        let path = url::encode_path(name);
        let beside = [path.clone(), format!("attachments/{path}")];
        let beside = beside.into_iter().find(|path| self.reader.locate(path).is_ok());
        beside.or_else(|| self.reader.is_published(&path).then(|| format!("/media/{path}")))
    }

    /// Returns a link to a file: to the page of a content file, or to the medium itself.
    fn file(&self, path: &str, suffix: &str, offset: usize) -> Option<String> {
        match self.reader.locate(path).or_else(|problem| self.index(path).ok_or(problem)) {
            Ok(file) if is_content(file.as_str()) && !self.reader.is_next_to_index(&file) => {
                Some(self.placeholder(LinkTarget::File(file), suffix, offset))
            }
            Ok(file) if ContentFolder::inner(CALENDARS, file.as_str()).is_some() => {
                self.reader.warning(
                    Rule::DeadLink,
                    &(offset..offset),
                    format!("{file} has no page: it is part of a calendar"),
                    "link to the address of the calendar, or to a page about the event",
                );
                None
            }
            Ok(_) => self
                .reader
                .linked(path, &(offset..offset))
                .map(|found| format!("{}{suffix}", found.url())),
            Err(problem) if has_extension(path) => {
                let stored = self.reader.stored(path);
                if stored.is_none() {
                    self.reader.refuse(path, &(offset..offset), problem);
                }
                stored.map(|url| format!("{url}{suffix}"))
            }
            Err(_) => {
                self.reader.warning(Rule::DeadLink,
                    &(offset..offset),
                    format!("{path:?} is neither a file nor a path of this site"),
                    "link to the content file (../other/index.md), to a public path (/about/) or to a full URL",
                );
                None
            }
        }
    }

    /// Returns the `index` file of an item or page, given the path of its folder.
    fn index(&self, path: &str) -> Option<SitePath> {
        let folder = path.trim_end_matches('/');
        let files = ["md", "html"].map(|ending| format!("{folder}/index.{ending}"));
        files.iter().find_map(|file| self.reader.locate(file).ok())
    }

    /// Returns a placeholder for a word of the site's interface. The page's language is known only
    /// when the whole site has been read.
    pub fn word(&self, key: &str, offset: usize) -> String {
        self.placeholder(LinkTarget::Word(key.to_owned()), "", offset)
    }

    /// Returns a placeholder for a value that is known only when the whole site has been read.
    fn placeholder(&self, target: LinkTarget, suffix: &str, offset: usize) -> String {
        let url = format!("{}{}{suffix}", LinkTarget::SCHEME, target.placeholder());
        self.add_link(target, suffix, offset);
        url
    }

    fn add_link(&self, target: LinkTarget, suffix: &str, offset: usize) {
        let link = ContentLink { anchor: ContentLink::anchor(suffix), target, offset };
        if link.anchor.is_some() || link.target != LinkTarget::Here {
            self.links.borrow_mut().push(link);
        }
    }
}

fn is_content(path: &str) -> bool {
    let inside = [ITEMS, PAGES].iter().any(|name| ContentFolder::inner(name, path).is_some());
    (inside && (path.ends_with(".md") || path.ends_with(".html"))) || is_channel(path)
}

fn has_extension(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.')
        .is_some_and(|(stem, extension)| !stem.is_empty() && (1..=5).contains(&extension.len()))
}
