//! Bodies: the content of an item, page or other file below its front matter. [`Content`] keeps
//! metadata of a body in memory. The body itself is read again when a document needs it.

use borsh::{BorshDeserialize, BorshSerialize};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::SitePath;
use super::content_link::{ContentLink, LinkUrl, resolve_links};
use super::excerpt::{excerpt, excerpt_of_lines};
use super::markdown_links::resolve_markdown_links;

/// A body, as HTML and as plain text.
#[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default, PartialEq, Eq)]
pub struct Body {
    /// HTML with absolute URLs.
    pub html: String,
    /// Text without markup.
    pub text: String,
    /// Markdown with absolute URLs, or the HTML of an HTML file. Empty unless the site publishes
    /// Markdown (`[output] markdown`).
    pub markdown: String,
    /// First paragraphs, separated by blank lines, for excerpts: slightly more than
    /// [`Content::MAX_LEAD`] characters, or all paragraphs.
    pub lead: String,
}

impl Body {
    /// Returns the size of the body's strings in memory, in bytes.
    pub fn size(&self) -> usize {
        self.html.len() + self.text.len() + self.markdown.len() + self.lead.len()
    }
}

/// The location of a body, with everything that is needed to read the body again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BodyLocation {
    pub file: SitePath,
    /// Byte offset in the file at which the body starts.
    pub start: usize,
    /// String that distinguishes the ids of the body's footnotes from the ids in other bodies.
    pub scope: String,
    /// Hash of all bytes of the file.
    pub file_hash: u64,
    /// The converted body in a temporary file, if it was stored.
    pub stored: Option<StoredBody>,
}

/// The location of a converted body in a temporary file. Its links are not resolved yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredBody {
    pub offset: u64,
    pub length: usize,
}

/// Stores bodies and reads them again, and tracks the memory that the cached bodies use.
pub trait Bodies: fmt::Debug + Send + Sync {
    /// Returns the stored body, or else reads the body's file. If that file has changed, the
    /// implementation records the change and returns the best body it can read.
    fn read(&self, place: &BodyLocation) -> Body;

    /// Returns whether a body of `bytes` bytes can be kept, in memory or in a temporary file.
    fn can_keep(&self, bytes: usize) -> bool;

    /// Stores a body in the temporary file. Returns `None` if the file is missing or cannot be
    /// written.
    fn store(&self, body: &Body) -> Option<StoredBody>;

    /// Reserves memory for `bytes` more bytes. Returns false, and reserves nothing, if there is no
    /// room.
    fn hold(&self, bytes: usize) -> bool;

    /// Releases `bytes` bytes of reserved memory.
    fn release(&self, bytes: usize);
}

/// Metadata of a body, which is available without reading the body again.
#[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default)]
pub struct Content {
    /// Links to pages and files of this site. They are resolved or checked after all files have
    /// been read.
    pub links: Vec<ContentLink>,
    /// First words of the text, joined by single spaces: [`Content::MAX_NAME`] characters or
    /// slightly more, or the whole text if it is shorter.
    pub beginning: String,
    /// First paragraphs, as in [`Body::lead`].
    pub lead: String,
    /// Hash of the first [`Content::IDENTIFYING_BYTES`] bytes of the text, which identifies the
    /// file even if it is renamed. The hash of empty text is 0.
    pub text_hash: u64,
    /// Hash of the body or of its inputs. Bodies with the same fingerprint and the same links are
    /// interchangeable.
    pub fingerprint: u64,
    /// Byte offset in the file at which the body starts.
    pub start: usize,
    /// Whether the HTML contains a formula (MathML).
    pub has_formula: bool,
    #[borsh(skip)]
    source: BodySource,
}

#[derive(Debug, Clone)]
enum BodySource {
    Held(Arc<Body>),
    File(Arc<BodyInFile>),
}

impl Default for BodySource {
    fn default() -> Self {
        Self::Held(Arc::default())
    }
}

impl PartialEq for Content {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint && self.links == other.links
    }
}

impl Content {
    /// Maximum length of a name from [`beginning`](Self::beginning), in characters.
    pub const MAX_NAME: usize = 60;

    /// Maximum length of an excerpt from [`lead`](Self::lead), in characters.
    pub const MAX_LEAD: usize = 500;

    /// Number of bytes at the start of a body's text that identify a renamed file.
    pub const IDENTIFYING_BYTES: usize = 1024;

    /// Creates the content for a body that stays in memory.
    pub fn in_memory(body: Body, links: Vec<ContentLink>) -> Self {
        let html_hash = xxh3_64_with_seed(body.markdown.as_bytes(), xxh3_64(body.html.as_bytes()));
        Self {
            links,
            beginning: beginning(&body.text),
            lead: body.lead.clone(),
            text_hash: text_hash(&body.text),
            fingerprint: xxh3_64_with_seed(body.text.as_bytes(), html_hash),
            start: 0,
            has_formula: contains_formula(&body.html),
            source: BodySource::Held(Arc::new(body)),
        }
    }

    /// Creates the content for a body that can be read again from its file. If `whole` is true, the
    /// body is kept in memory or in the temporary file, if possible. If it is false, `body` contains
    /// only a [sufficient start](Self::is_sufficient_start) of the text. `fingerprint` is the hash of
    /// the body's inputs.
    pub fn in_file(
        body: Body,
        whole: bool,
        links: Vec<ContentLink>,
        fingerprint: u64,
        (bodies, place): (&Arc<dyn Bodies>, BodyLocation),
    ) -> Self {
        let mut file = BodyInFile::new(bodies, place);
        let (beginning, text_hash) = (beginning(&body.text), text_hash(&body.text));
        let lead = body.lead.clone();
        if whole {
            file.keep(body);
        }
        Self {
            links,
            beginning,
            lead,
            text_hash,
            fingerprint,
            start: file.place.start,
            has_formula: false,
            source: BodySource::File(Arc::new(file)),
        }
    }

    /// Returns whether the start of a body is long enough to compute the metadata of the whole
    /// body.
    pub fn is_sufficient_start(text: &str) -> bool {
        // The last word may be incomplete.
        let (words, _) = text.rsplit_once(char::is_whitespace).unwrap_or_default();
        text.len() >= Self::IDENTIFYING_BYTES && beginning(words).chars().count() > Self::MAX_NAME
    }

    /// Sets the location of the body after the content was loaded from a cache.
    pub fn recall(
        &mut self,
        bodies: &Arc<dyn Bodies>,
        file: &SitePath,
        scope: &str,
        file_hash: u64,
    ) {
        let place = BodyLocation {
            file: file.clone(),
            start: self.start,
            scope: scope.to_owned(),
            file_hash,
            stored: None,
        };
        self.source = BodySource::File(Arc::new(BodyInFile::new(bodies, place)));
    }

    /// Returns the body. While a caller keeps it, further calls return the same body without
    /// reading the file again.
    pub fn body(&self) -> Arc<Body> {
        match &self.source {
            BodySource::Held(body) => Arc::clone(body),
            BodySource::File(file) => file.body(),
        }
    }

    /// Returns an [excerpt](super::excerpt) of the text, at most `max` characters. `max` cannot
    /// exceed [`MAX_LEAD`](Self::MAX_LEAD).
    pub fn excerpt(&self, max: usize) -> String {
        debug_assert!((1..=Self::MAX_LEAD).contains(&max));
        excerpt_of_lines(&self.lead, max)
    }

    /// Returns a name for an item without a title: the excerpt of its body, or the first words of
    /// its body if the body has no paragraphs. The name has at most `max` characters. `max` cannot
    /// exceed [`MAX_NAME`](Self::MAX_NAME).
    pub fn name(&self, max: usize) -> String {
        debug_assert!((1..=Self::MAX_NAME).contains(&max));
        match excerpt_of_lines(&self.lead, max) {
            name if name.is_empty() => excerpt(&self.beginning, max),
            name => name,
        }
    }

    /// Returns the location of the body, or None if the body stays in memory.
    pub fn place(&self) -> Option<&BodyLocation> {
        match &self.source {
            BodySource::Held(_) => None,
            BodySource::File(file) => Some(&file.place),
        }
    }

    /// Releases the memory of the body. The body is read again when it is needed.
    pub fn release_body(&self) {
        if let BodySource::File(file) = &self.source {
            file.release_body();
        }
    }

    /// Releases the memory of a body that was read again. A body that was kept when its file was
    /// first read stays in memory: if the file has changed since, only that body matches the rest
    /// of the content.
    pub fn release_reread_body(&self) {
        if let BodySource::File(file) = &self.source
            && file.slot().is_reread
        {
            file.release_body();
        }
    }

    /// Resolves the body's links to content files, see [`resolve_links`].
    pub fn link(&mut self, targets: Vec<LinkUrl>) {
        self.source = match &self.source {
            BodySource::Held(body) => BodySource::Held(Arc::new(Body {
                html: resolve_links(&body.html, &targets),
                markdown: resolve_markdown_links(&body.markdown, &targets),
                text: body.text.clone(),
                lead: body.lead.clone(),
            })),
            BodySource::File(file) => BodySource::File(Arc::new(BodyInFile {
                bodies: Arc::clone(&file.bodies),
                place: file.place.clone(),
                unlinked: Arc::downgrade(file),
                targets,
                slot: Mutex::default(),
            })),
        };
    }
}

/// A body that is read from its file on demand.
#[derive(Debug)]
struct BodyInFile {
    bodies: Arc<dyn Bodies>,
    place: BodyLocation,
    /// The same body before its links were resolved. If that body is in memory, it is used instead
    /// of a file.
    unlinked: Weak<BodyInFile>,
    targets: Vec<LinkUrl>,
    slot: Mutex<Slot>,
}

/// The body, if it is in memory.
#[derive(Debug, Default)]
struct Slot {
    /// Weak reference to the body, valid while a caller holds the body.
    shared: Weak<Body>,
    /// Reference that keeps the body in memory, if there was room.
    in_memory: Option<Arc<Body>>,
    /// Whether `in_memory` was read again after the metadata in [`Content`] was computed.
    is_reread: bool,
}

impl BodyInFile {
    fn new(bodies: &Arc<dyn Bodies>, place: BodyLocation) -> Self {
        Self {
            bodies: Arc::clone(bodies),
            place,
            unlinked: Weak::new(),
            targets: Vec::new(),
            slot: Mutex::default(),
        }
    }

    /// Keeps a newly read body in memory, or stores it in the temporary file.
    fn keep(&mut self, body: Body) {
        if self.bodies.hold(body.size()) {
            let body = Arc::new(body);
            let shared = Arc::downgrade(&body);
            *self.slot() = Slot { shared, in_memory: Some(body), is_reread: false };
        } else {
            self.place.stored = self.bodies.store(&body);
        }
    }

    fn body(&self) -> Arc<Body> {
        if let Some(body) = self.slot().shared.upgrade() {
            return body;
        }
        let unlinked = self.unlinked.upgrade();
        let unlinked = unlinked.and_then(|file| file.slot().shared.upgrade());
        let mut read = match unlinked {
            Some(body) => Body::clone(&body),
            None => self.bodies.read(&self.place),
        };
        if !self.targets.is_empty() {
            read.html = resolve_links(&read.html, &self.targets);
            read.markdown = resolve_markdown_links(&read.markdown, &self.targets);
        }
        let body = Arc::new(read);
        let mut slot = self.slot();
        slot.shared = Arc::downgrade(&body);
        if slot.in_memory.is_none() && self.bodies.hold(body.size()) {
            slot.in_memory = Some(Arc::clone(&body));
            slot.is_reread = true;
        }
        drop(slot);
        body
    }

    fn release_body(&self) {
        if let Some(body) = self.slot().in_memory.take() {
            self.bodies.release(body.size());
        }
    }

    fn slot(&self) -> std::sync::MutexGuard<'_, Slot> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for BodyInFile {
    fn drop(&mut self) {
        self.release_body();
    }
}

/// Returns whether HTML, or Markdown that contains HTML, contains a formula.
pub fn contains_formula(html: &str) -> bool {
    html.contains("<math")
}

/// Computes [`Content::text_hash`].
fn text_hash(text: &str) -> u64 {
    let text = text.as_bytes();
    match text.get(..Content::IDENTIFYING_BYTES).unwrap_or(text) {
        [] => 0,
        bytes => xxh3_64(bytes),
    }
}

fn beginning(text: &str) -> String {
    const ROOM: usize = Content::MAX_NAME + 1;
    let mut out = String::with_capacity(text.len().min(ROOM + 32));
    let mut count = 0;
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        let length = word.chars().count();
        out.push_str(if length > ROOM { first(word, ROOM) } else { word });
        count += length + 1;
        if count > ROOM {
            break;
        }
    }
    out
}

/// Returns the first `count` characters of a string, or the whole string if it is shorter.
fn first(text: &str, count: usize) -> &str {
    let mut rest = text.chars();
    // `nth` skips many characters at a time.
    if count > 0 {
        let _ = rest.nth(count - 1);
    }
    &text[..text.len() - rest.as_str().len()]
}
