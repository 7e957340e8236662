//! A body: what is known of it, and the body itself, which is read again when a document needs it.

use borsh::{BorshDeserialize, BorshSerialize};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use percent_encoding::percent_decode_str;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use super::excerpt::{excerpt, excerpt_of_lines};
use super::{SitePath, url};

/// A body, as HTML and as plain text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Body {
    /// HTML with absolute URLs.
    pub html: String,
    /// The text alone.
    pub text: String,
    /// Its first paragraphs, with a blank line between them, for excerpts: a little more than [`Content::LEAD`]
    /// characters, or all paragraphs.
    pub lead: String,
}

impl Body {
    /// The memory it takes, in bytes.
    pub fn size(&self) -> usize {
        self.html.len() + self.text.len() + self.lead.len()
    }
}

/// A link of a body that leads into the site.
#[derive(BorshDeserialize, BorshSerialize, Debug, Clone, PartialEq, Eq, Hash)]
pub struct ContentLink {
    pub target: LinkTarget,
    /// The anchor of that page that it names, percent-decoded.
    pub anchor: Option<String>,
    /// The byte of its file where it stands.
    pub offset: usize,
}

impl ContentLink {
    /// A link to a public path, as written: with a query or an anchor.
    pub fn to_path(reference: &str, offset: usize) -> Self {
        let (path, suffix) = url::split_suffix(reference);
        Self {
            target: LinkTarget::Path(percent_decode_str(path).decode_utf8_lossy().into_owned()),
            anchor: Self::anchor(suffix),
            offset,
        }
    }

    /// The anchor named after a path. None for the top of a page, which every page has, and for fragments that
    /// scripts and browsers read: times (`t=30`), routes, and text fragments (`:~:text=`).
    pub fn anchor(suffix: &str) -> Option<String> {
        let (_, anchor) = suffix.split_once('#')?;
        let is_read = anchor.is_empty() || anchor.contains(['=', ':', '/', '!']);
        let anchor = percent_decode_str(anchor).decode_utf8_lossy();
        (!is_read && !anchor.eq_ignore_ascii_case("top")).then(|| anchor.into_owned())
    }
}

/// Where a link into the site leads.
#[derive(BorshDeserialize, BorshSerialize, Debug, Clone, PartialEq, Eq, Hash)]
pub enum LinkTarget {
    /// A content file; the HTML holds [`LinkTarget::SCHEME`] and a [placeholder](LinkTarget::placeholder) until the site
    /// resolves it.
    File(SitePath),
    /// What has this name: a title, the name of a file, a segment, an id or an alias. The HTML holds a placeholder too.
    Name(String),
    /// A public path, percent-decoded.
    Path(String),
    /// The page itself: an anchor alone.
    Here,
    /// No page, but a word by its key: the HTML holds a placeholder until the site knows the language.
    Word(String),
}

impl LinkTarget {
    /// What stands before the placeholder of a target in HTML that is not resolved.
    pub const SCHEME: &str = "feedwright-content:";

    /// What stands for the target in HTML until the site resolves it; nothing where there is nothing to resolve.
    pub fn placeholder(&self) -> String {
        match self {
            Self::File(file) => url::encode_path(file.as_str()),
            // No file of a site lies there.
            Self::Name(name) => format!("name/{}", url::encode_path(name)),
            Self::Word(key) => format!("word:{key}"),
            Self::Path(_) | Self::Here => String::new(),
        }
    }
}

/// The [placeholder](LinkTarget::placeholder) of a link, and the URL to write for it: none where it leads nowhere.
pub type LinkUrl = (String, Option<String>);

/// Where a body stands: enough to read it again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BodyPlace {
    pub file: SitePath,
    /// The byte of the file where the body starts.
    pub start: usize,
    /// What tells the ids of its footnotes from those of other bodies.
    pub scope: String,
    /// The hash of the whole file's bytes.
    pub file_hash: u64,
}

/// Reads bodies again, and counts the memory of those that are held.
pub trait Bodies: fmt::Debug + Send + Sync {
    /// Reads a body. One whose file is not what it was is noted, and the best that is left is answered.
    fn read(&self, place: &BodyPlace) -> Body;

    /// Whether a body of so many bytes could be held.
    fn has_room(&self, bytes: usize) -> bool;

    /// Whether there is room to hold so many more bytes; if so, they count from now on.
    fn hold(&self, bytes: usize) -> bool;

    /// So many bytes are held no longer.
    fn release(&self, bytes: usize);
}

/// What is known of a body without reading it.
#[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Default)]
pub struct Content {
    /// Links into the site, to be resolved or checked once the whole site is known.
    pub links: Vec<ContentLink>,
    /// The first words of its text, joined by single spaces: [`Content::BEGINNING`] characters or a little
    /// more, or the whole text if it is shorter.
    pub beginning: String,
    /// As in [`Body::lead`].
    pub lead: String,
    /// The hash of the first [`Content::RECOGNIZED`] bytes of its text, by which a renamed file is known; 0
    /// for an empty text.
    pub text_hash: u64,
    /// The hash of what the body is, or is made of. Of two bodies with the same hash and the same links one stands for
    /// both.
    pub fingerprint: u64,
    /// The byte of its file where the body starts.
    pub start: usize,
    /// Whether the HTML has a formula (MathML).
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
    pub const BEGINNING: usize = 60;

    /// Maximum length of an excerpt from [`lead`](Self::lead), in characters.
    pub const LEAD: usize = 500;

    /// So many bytes of a text tell whether it is that of a file that was renamed.
    pub const RECOGNIZED: usize = 1024;

    /// The content of a body that stays in memory.
    pub fn held(body: Body, links: Vec<ContentLink>) -> Self {
        let html_hash = xxh3_64(body.html.as_bytes());
        Self {
            links,
            beginning: beginning(&body.text),
            lead: body.lead.clone(),
            text_hash: text_hash(&body.text),
            fingerprint: xxh3_64_with_seed(body.text.as_bytes(), html_hash),
            start: 0,
            has_formula: holds_formula(&body.html),
            source: BodySource::Held(Arc::new(body)),
        }
    }

    /// The content of a body that can be read again from its file. It is remembered if it is `whole`; else only the
    /// [beginning](Self::is_beginning) of its text is there. `fingerprint` is the hash of what it is made of.
    pub fn in_file(
        body: Body,
        whole: bool,
        links: Vec<ContentLink>,
        fingerprint: u64,
        (bodies, place): (&Arc<dyn Bodies>, BodyPlace),
    ) -> Self {
        let file = BodyInFile::new(bodies, place);
        let (beginning, text_hash) = (beginning(&body.text), text_hash(&body.text));
        let lead = body.lead.clone();
        if whole {
            file.remember(&Arc::new(body), false);
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

    /// Whether everything that is known of a text is known of this part that it starts with.
    pub fn is_beginning(text: &str) -> bool {
        // The last word may go on.
        let (words, _) = text.rsplit_once(char::is_whitespace).unwrap_or_default();
        text.len() >= Self::RECOGNIZED && beginning(words).chars().count() > Self::BEGINNING
    }

    /// Says where the body stands of content that was itself read from local state.
    pub fn recall(
        &mut self,
        bodies: &Arc<dyn Bodies>,
        file: &SitePath,
        scope: &str,
        file_hash: u64,
    ) {
        let place =
            BodyPlace { file: file.clone(), start: self.start, scope: scope.to_owned(), file_hash };
        self.source = BodySource::File(Arc::new(BodyInFile::new(bodies, place)));
    }

    /// The body. While somebody holds it, it is not read again.
    pub fn body(&self) -> Arc<Body> {
        match &self.source {
            BodySource::Held(body) => Arc::clone(body),
            BodySource::File(file) => file.body(),
        }
    }

    /// An [excerpt](super::excerpt) of the text, at most `max` characters. `max` is no more than [`LEAD`](Self::LEAD).
    pub fn excerpt(&self, max: usize) -> String {
        debug_assert!((1..=Self::LEAD).contains(&max));
        excerpt_of_lines(&self.lead, max)
    }

    /// The name of a text without a title: its excerpt, or the first words of a text without paragraphs. `max` is no
    /// more than [`BEGINNING`](Self::BEGINNING).
    pub fn name(&self, max: usize) -> String {
        debug_assert!((1..=Self::BEGINNING).contains(&max));
        match excerpt_of_lines(&self.lead, max) {
            name if name.is_empty() => excerpt(&self.beginning, max),
            name => name,
        }
    }

    /// Where the body stands, unless it stays in memory.
    pub fn place(&self) -> Option<&BodyPlace> {
        match &self.source {
            BodySource::Held(_) => None,
            BodySource::File(file) => Some(&file.place),
        }
    }

    /// Lets go of the body's memory. It is read again when it is asked for once more.
    pub fn let_go(&self) {
        if let BodySource::File(file) = &self.source {
            file.let_go();
        }
    }

    /// Releases the memory of a body that was read again. A body that has been held since its file was read is still
    /// held: the file may have changed, and then only this body belongs to the rest of the content.
    pub fn release_reread(&self) {
        if let BodySource::File(file) = &self.source
            && file.slot().is_reread
        {
            file.let_go();
        }
    }

    /// Resolves its links to content files, see [`linked`].
    pub fn link(&mut self, targets: Vec<LinkUrl>) {
        self.source = match &self.source {
            BodySource::Held(body) => BodySource::Held(Arc::new(Body {
                html: linked(&body.html, &targets),
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

/// A body that is read from its file when it is asked for.
#[derive(Debug)]
struct BodyInFile {
    bodies: Arc<dyn Bodies>,
    place: BodyPlace,
    /// The one whose links were resolved to make this one. What it has in memory stands in for a file that is broken
    /// by now.
    unlinked: Weak<BodyInFile>,
    targets: Vec<LinkUrl>,
    slot: Mutex<Slot>,
}

/// The body, while it is in memory.
#[derive(Debug, Default)]
struct Slot {
    /// Of whoever holds it.
    shared: Weak<Body>,
    /// Our own, where there was room.
    held: Option<Arc<Body>>,
    /// Whether `held` was read after the rest of the content.
    is_reread: bool,
}

impl BodyInFile {
    fn new(bodies: &Arc<dyn Bodies>, place: BodyPlace) -> Self {
        Self {
            bodies: Arc::clone(bodies),
            place,
            unlinked: Weak::new(),
            targets: Vec::new(),
            slot: Mutex::default(),
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
            read.html = linked(&read.html, &self.targets);
        }
        let body = Arc::new(read);
        self.remember(&body, true);
        body
    }

    fn remember(&self, body: &Arc<Body>, is_reread: bool) {
        let mut slot = self.slot();
        slot.shared = Arc::downgrade(body);
        if slot.held.is_none() && self.bodies.hold(body.size()) {
            slot.held = Some(Arc::clone(body));
            slot.is_reread = is_reread;
        }
    }

    fn let_go(&self) {
        if let Some(body) = self.slot().held.take() {
            self.bodies.release(body.size());
        }
    }

    fn slot(&self) -> std::sync::MutexGuard<'_, Slot> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for BodyInFile {
    fn drop(&mut self) {
        self.let_go();
    }
}

/// Whether HTML, or a text that becomes HTML, has a formula in it.
pub fn holds_formula(html: &str) -> bool {
    html.contains("<math")
}

/// See [`Content::text_hash`].
fn text_hash(text: &str) -> u64 {
    let text = text.as_bytes();
    match text.get(..Content::RECOGNIZED).unwrap_or(text) {
        [] => 0,
        bytes => xxh3_64(bytes),
    }
}

fn beginning(text: &str) -> String {
    const ROOM: usize = Content::BEGINNING + 1;
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

/// The first `count` characters of a text, or all of it.
fn first(text: &str, count: usize) -> &str {
    let mut rest = text.chars();
    // Skips many at a time.
    if count > 0 {
        let _ = rest.nth(count - 1);
    }
    &text[..text.len() - rest.as_str().len()]
}

/// HTML with links to content files resolved, by `targets`, which are sorted. Of a link that leads nowhere its text
/// stays.
///
/// Goes through the HTML once: a page that lists a thousand others has a thousand placeholders.
pub fn linked(html: &str, targets: &[LinkUrl]) -> String {
    const START: &str = "<a href=\"";
    let find = |written: &str| {
        let found = targets.binary_search_by(|(path, _)| path.as_str().cmp(written));
        found.ok().map(|at| targets[at].1.as_deref())
    };
    let mut out = String::with_capacity(html.len() + 32 * targets.len());
    let mut rest = html;
    while let Some(at) = rest.find(LinkTarget::SCHEME) {
        let (before, found) = rest.split_at(at);
        out.push_str(before);
        let path = &found[LinkTarget::SCHEME.len()..];
        // Characters that end a path in a reference or an attribute are encoded within a path.
        let end = path.find(['"', '?', '#', '<', '>', ' ']).unwrap_or(path.len());
        let written = path[..end].replace("&amp;", "&").replace("&#x27;", "'");
        rest = match find(&written) {
            Some(Some(target)) => {
                out.push_str(target);
                &path[end..]
            }
            Some(None)
                if out.ends_with(START)
                    && let Some((text, after)) = text_of_link(path) =>
            {
                out.truncate(out.len() - START.len());
                out.push_str(text);
                after
            }
            _ => {
                out.push_str(LinkTarget::SCHEME);
                path
            }
        };
    }
    out.push_str(rest);
    out
}

/// The text of a link whose start tag goes on here, and what follows the link.
fn text_of_link(html: &str) -> Option<(&str, &str)> {
    let (_, inner) = html.split_once('>')?;
    inner.split_once("</a>")
}
