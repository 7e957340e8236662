//! Reader of bodies that are no longer in memory. It keeps as many bodies in memory as the limit
//! allows. During a build, it stores the others in a temporary file.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use xxhash_rust::xxh3::xxh3_64;

use super::body::body_of;
use super::disk::Disk;
use super::fields::Reader;
use super::media_cache::MediaCache;
use super::text::read_text;
use highlight::code_cache::CodeCache;
use local::scratch::Scratch;
use model::{Bodies, Body, BodyLocation, Config, SitePath, Source, StoredBody};

/// Reader of the bodies of one site, with one configuration.
#[derive(Debug)]
pub struct BodyReader {
    root: PathBuf,
    config: Config,
    /// Maximum number of bytes of unused bodies to keep in memory.
    room: usize,
    reserved_bytes: AtomicUsize,
    /// Temporary file for bodies that do not fit in memory.
    scratch: Option<Scratch>,
    media: MediaCache,
    code: CodeCache,
    /// The first file that had changed when its body was read again.
    changed: OnceLock<SitePath>,
}

impl BodyReader {
    /// Creates a reader that has not read anything. The reader keeps at most `room` bytes of unused
    /// bodies in memory, and the others in `scratch`, if it is given.
    pub fn new(root: &Path, config: &Config, room: usize, scratch: Option<Scratch>) -> Arc<Self> {
        Arc::new(Self {
            root: root.to_path_buf(),
            config: config.clone(),
            room,
            reserved_bytes: AtomicUsize::new(0),
            scratch,
            media: MediaCache::of(config),
            code: CodeCache::of(root),
            changed: OnceLock::new(),
        })
    }

    /// Returns the cached facts about the site's media.
    pub fn media(&self) -> &MediaCache {
        &self.media
    }

    /// Returns the cache of highlighted code.
    pub fn code(&self) -> &CodeCache {
        &self.code
    }

    /// Returns a file that changed or disappeared between its first reading and the rereading of
    /// its body, if there is one. Output that was produced since then is invalid.
    pub fn changed(&self) -> Option<&SitePath> {
        self.changed.get()
    }

    fn stored(&self, at: StoredBody) -> Option<Body> {
        borsh::from_slice(&self.scratch.as_ref()?.read(at.offset, at.length)?).ok()
    }
}

impl Bodies for BodyReader {
    fn read(&self, place: &BodyLocation) -> Body {
        if let Some(body) = place.stored.and_then(|at| self.stored(at)) {
            return body;
        }
        let text = read_text(&self.root, &place.file).unwrap_or_default();
        let source = Source { path: &place.file, text: &text };
        let mut start = place.start;
        if xxh3_64(text.as_bytes()) != place.file_hash {
            let _ = self.changed.set(place.file.clone());
            start = start_of_body(source);
        }
        let disk = Disk::new(&self.root).with_caches(&self.media, &self.code);
        body_of(&Reader::on(disk, source, &self.config), start, &place.scope).0
    }

    fn can_keep(&self, bytes: usize) -> bool {
        self.reserved_bytes.load(Ordering::Relaxed) + bytes <= self.room
            || self.scratch.as_ref().is_some_and(Scratch::is_usable)
    }

    fn store(&self, body: &Body) -> Option<StoredBody> {
        let scratch = self.scratch.as_ref()?;
        let bytes = borsh::to_vec(body).ok()?;
        Some(StoredBody { offset: scratch.store(&bytes)?, length: bytes.len() })
    }

    fn hold(&self, bytes: usize) -> bool {
        let add = |reserved_bytes: usize| {
            reserved_bytes.checked_add(bytes).filter(|reserved_bytes| *reserved_bytes <= self.room)
        };
        let taken = self.reserved_bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
        taken.is_ok()
    }

    fn release(&self, bytes: usize) {
        self.reserved_bytes.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// Returns the offset of the body in a file whose front matter may be invalid. The body can still
/// be shown while the author edits the front matter.
fn start_of_body(source: Source<'_>) -> usize {
    if let Ok(front) = source.front_matter() {
        return front.body;
    }
    let mut lines = source.text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    let fence = first.trim_start_matches('\u{feff}').trim_end();
    if !["+++", "---"].contains(&fence) {
        return 0;
    }
    let mut at = first.len();
    for line in lines {
        at += line.len();
        if line.trim_end() == fence {
            break;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::Content;

    #[test]
    fn a_body_read_with_its_file_survives_the_release_of_reread_bodies() {
        let folder = tempfile::tempdir().unwrap();
        let (root, file) = (folder.path(), SitePath::parse("content/items/a.md").unwrap());
        std::fs::create_dir_all(root.join("content/items")).unwrap();
        std::fs::write(root.join(file.as_str()), "One").unwrap();
        let bodies: Arc<dyn Bodies> = BodyReader::new(root, &Config::default(), 1 << 20, None);
        let content = |body, whole| {
            let (scope, file_hash) = ("a".to_owned(), xxh3_64(b"One"));
            let place =
                BodyLocation { file: file.clone(), start: 0, scope, file_hash, stored: None };
            Content::in_file(body, whole, Vec::new(), 0, (&bodies, place))
        };
        let first = content(Body { text: "One".to_owned(), ..Body::default() }, true);
        let reread = content(Body::default(), false);
        assert_eq!(reread.body().text, "One");
        std::fs::write(root.join(file.as_str()), "Two").unwrap();
        first.release_reread_body();
        reread.release_reread_body();
        assert_eq!((&*first.body().text, &*reread.body().text), ("One", "Two"));
    }

    #[test]
    fn a_body_that_cannot_be_read_from_the_temporary_file_is_read_from_its_own_file() {
        let folder = tempfile::tempdir().unwrap();
        let (root, file) = (folder.path(), SitePath::parse("content/items/a.md").unwrap());
        std::fs::create_dir_all(root.join("content/items")).unwrap();
        std::fs::create_dir(root.join(local::FOLDER)).unwrap();
        std::fs::write(root.join(file.as_str()), "One").unwrap();
        let bodies = BodyReader::new(root, &Config::default(), 0, Some(Scratch::of(root)));
        let body = Body { text: "Stored".to_owned(), ..Body::default() };
        let stored = bodies.store(&body);
        assert_eq!(stored.is_some(), cfg!(unix));
        let damaged = stored.map(|at| StoredBody { offset: at.offset + 1, ..at });
        let missing = Some(StoredBody { offset: 1 << 40, length: 9 });
        let file_hash = xxh3_64(b"One");
        let place = BodyLocation { file, start: 0, scope: "a".to_owned(), file_hash, stored };
        if cfg!(unix) {
            assert_eq!(bodies.read(&place), body);
        }
        for stored in [damaged, missing, None] {
            let read = bodies.read(&BodyLocation { stored, ..place.clone() });
            assert_eq!((&*read.text, bodies.changed()), ("One", None));
        }
    }

    #[test]
    fn a_body_starts_after_its_front_matter_with_any_line_ending() {
        let path = SitePath::parse("content/items/a.md").unwrap();
        for (text, body) in [
            ("Text.\n", "Text.\n"),
            ("+++\ntitle = 1\n+++\nText.\n", "Text.\n"),
            ("+++\r\ntitle = 1\r\n+++\r\nText.\r\n", "Text.\r\n"),
            ("---\r\ntitle: a\r\n---\r\n", ""),
            ("{\"title\": 1}\r\nText.\r\n", "Text.\r\n"),
            // Front matter with invalid fields.
            ("+++\ntitle = \n+++\nText.\n", "Text.\n"),
            ("+++\r\ntitle = \r\n+++\r\nText.\r\n", "Text.\r\n"),
            ("\u{feff}---\r\ntitle: [\r\n--- \r\n---\r\n", "---\r\n"),
            ("+++\r\ntitle = \r\n+++", ""),
            // Front matter without an end.
            ("+++\r\ntitle = 1\r\nText.\r\n", ""),
            ("++++\nText.\n", "++++\nText.\n"),
        ] {
            let source = Source { path: &path, text };
            assert_eq!(&text[start_of_body(source)..], body, "{text:?}");
        }
    }
}
