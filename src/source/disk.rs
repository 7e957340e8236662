//! The files of a site, as seen by the reader of one content file. Every path that is looked up is
//! recorded with its stamp, so that a later run can check whether the content file must be read
//! again.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File, Metadata};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use media_facts::{MediaError, MediaFacts};
use sha2::{Digest, Sha384};

use super::clips;
use super::media_cache::MediaCache;
use super::stamp::{FileFacts, Lookup, Stamp};
use super::stored_media::{self, StoredMedia};
use highlight::code_cache::CodeCache;
use model::podcast::Soundbite;
use model::{SitePath, folded, url};

/// Maximum time for which a file may be empty, or lack its front matter, while a program saves it.
pub const MAX_SAVE_DURATION: Duration = Duration::from_secs(1);

/// Returns whether a file was written so recently that it may still be incomplete.
pub fn is_saving(facts: &Metadata) -> bool {
    is_written_within(facts, MAX_SAVE_DURATION)
}

/// Returns whether the time since a file was written is less than `age`.
pub fn is_written_within(facts: &Metadata, age: Duration) -> bool {
    let written = facts.modified().ok();
    written.is_some_and(|written| written.elapsed().is_ok_and(|elapsed| elapsed < age))
}

/// Maximum size of a text file that is read, in bytes. The documents generated from a text file
/// need many times as much memory.
pub const MAX_TEXT: u64 = 16 * 1024 * 1024;

/// Reads the bytes of a file of at most `max` bytes.
///
/// # Errors
///
/// Returns an error if the file cannot be read, or if it is larger
/// ([`io::ErrorKind::FileTooLarge`]). The size is checked before the file is read.
pub fn read_within(path: &Path, max: u64) -> io::Result<Vec<u8>> {
    let too_large = || io::Error::from(io::ErrorKind::FileTooLarge);
    let file = open_file(path)?;
    let length = file.metadata()?.len();
    if length > max {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
    // The file may grow while it is read.
    file.take(max + 1).read_to_end(&mut bytes)?;
    if !u64::try_from(bytes.len()).is_ok_and(|read| read <= max) {
        return Err(too_large());
    }
    Ok(bytes)
}

/// Opens a regular file. Opening a named pipe would wait for a writer, perhaps forever.
///
/// # Errors
///
/// Returns an error if the file cannot be opened, or if it is not a regular file
/// ([`io::ErrorKind::InvalidInput`]).
pub fn open_file(path: &Path) -> io::Result<File> {
    if is_special(&fs::metadata(path)?) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, SPECIAL_FILE_MESSAGE));
    }
    File::open(path)
}

/// The error message for a named pipe, a socket or a device.
pub const SPECIAL_FILE_MESSAGE: &str = "it is a named pipe, a socket or a device, not a file";

/// Returns whether a path is something other than a file, a folder or a symbolic link. Reading a
/// named pipe or a device may never end.
pub fn is_special(facts: &Metadata) -> bool {
    !(facts.is_file() || facts.is_dir() || facts.is_symlink())
}

/// Returns whether two files contain the same bytes.
///
/// # Errors
///
/// Returns an error if one of the files cannot be read.
pub fn same_bytes(one: &Path, other: &Path) -> io::Result<bool> {
    let (one, other) = (File::open(one)?, File::open(other)?);
    if one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    same_content(one, other)
}

/// Returns whether two readers return the same bytes.
///
/// # Errors
///
/// Returns an error if one of them cannot be read.
pub fn same_content(one: impl Read, other: impl Read) -> io::Result<bool> {
    let (mut one, mut other) = (BufReader::new(one), BufReader::new(other));
    loop {
        let (a, b) = (one.fill_buf()?, other.fill_buf()?);
        let length = a.len().min(b.len());
        if a[..length] != b[..length] {
            return Ok(false);
        }
        if length == 0 {
            return Ok(a.len() == b.len());
        }
        one.consume(length);
        other.consume(length);
    }
}

/// A site's files, and the paths that were looked up.
#[derive(Debug)]
pub struct Disk<'a> {
    root: &'a Path,
    media: Option<&'a MediaCache>,
    code: Option<&'a CodeCache>,
    real_root: OnceCell<Option<PathBuf>>,
    looked_up: RefCell<BTreeMap<SitePath, Stamp>>,
    /// Cache of paths with all symbolic links resolved.
    real: RefCell<HashMap<SitePath, Option<SitePath>>>,
    /// The file names in each folder where a file was missing, by case-folded and normalized name.
    names: RefCell<HashMap<PathBuf, HashMap<String, String>>>,
}

impl<'a> Disk<'a> {
    pub fn root(&self) -> &'a Path {
        self.root
    }

    /// Creates a view of the files below a site's root.
    pub fn new(root: &'a Path) -> Self {
        Self {
            root,
            media: None,
            code: None,
            real_root: OnceCell::new(),
            looked_up: RefCell::default(),
            real: RefCell::default(),
            names: RefCell::default(),
        }
    }

    /// Sets the caches of media facts and of highlighted code, so that known results are not
    /// computed again.
    #[must_use]
    pub fn with_caches(self, media: &'a MediaCache, code: &'a CodeCache) -> Self {
        Self { media: Some(media), code: Some(code), ..self }
    }

    /// Returns the cache of highlighted code.
    pub fn code(&self) -> Option<&'a CodeCache> {
        self.code
    }

    /// Returns the entries of a folder. Returns no entries if the folder does not exist.
    pub fn entries(&self, folder: &SitePath) -> Vec<SitePath> {
        let entries = fs::read_dir(folder.on_disk(self.root));
        let names = entries.into_iter().flatten().flatten();
        names
            .filter_map(|entry| {
                SitePath::parse(&format!("{folder}/{}", entry.file_name().to_str()?))
            })
            .collect()
    }

    /// Returns the path of a file on the disk.
    pub fn path(&self, path: &SitePath) -> PathBuf {
        path.on_disk(self.root)
    }

    /// Returns whether a file exists. Symbolic links are followed.
    pub fn is_file(&self, path: &SitePath) -> bool {
        matches!(self.look_up(path), Stamp::File { .. } | Stamp::Young)
    }

    /// Returns whether an HTML file is in the folder of an item's or page's `index` file. Such a
    /// file is published like other media, and is not content.
    pub fn is_next_to_index(&self, file: &SitePath) -> bool {
        if file.extension() != "html" || file.file_name() == "index.html" {
            return false;
        }
        let mut folder = file.parent();
        while let Some(path) = folder.filter(|path| !matches!(*path, "content" | "shows")) {
            let index = ["md", "html"]
                .map(|extension| SitePath::parse(&format!("{path}/index.{extension}")));
            if index.iter().flatten().any(|index| self.is_file(index)) {
                return true;
            }
            folder = path.rsplit_once('/').map(|(parent, _)| parent);
        }
        false
    }

    /// Returns whether a folder exists. Symbolic links are followed.
    pub fn is_dir(&self, path: &SitePath) -> bool {
        self.look_up(path) == Stamp::NotAFile && path.on_disk(self.root).is_dir()
    }

    /// Returns whether a file is inside the site after all symbolic links in its path are resolved.
    pub fn is_inside(&self, path: &SitePath) -> bool {
        self.real(path).is_some()
    }

    /// Returns the path of a file with all symbolic links resolved, or `None` if the file is
    /// outside the site.
    pub fn real(&self, path: &SitePath) -> Option<SitePath> {
        if let Some(known) = self.real.borrow().get(path) {
            return known.clone();
        }
        self.look_up(path);
        let real_root = self.real_root.get_or_init(|| self.root.canonicalize().ok());
        let real = path.on_disk(self.root).canonicalize().ok();
        let own =
            real_root.as_ref().zip(real).and_then(|(root, real)| SitePath::below(root, &real));
        // A linked file changes under its real path, so the real path is recorded too.
        if let Some(own) = own.as_ref().filter(|own| *own != path) {
            self.look_up(own);
        }
        self.real.borrow_mut().insert(path.clone(), own.clone());
        own
    }

    /// Returns the file whose path differs from a missing file's path only in case or Unicode form.
    /// Some file systems treat both paths as the same file, and others do not.
    pub fn find_respelled(&self, path: &SitePath) -> Option<SitePath> {
        let mut found = String::new();
        for part in path.as_str().split('/') {
            let folder = self.root.join(&found);
            if !found.is_empty() {
                found.push('/');
            }
            match folder.join(part).symlink_metadata() {
                Ok(_) => found.push_str(part),
                Err(_) => found.push_str(&self.similar_name(folder, part)?),
            }
        }
        SitePath::parse(&found).filter(|found| found != path)
    }

    fn similar_name(&self, folder: PathBuf, name: &str) -> Option<String> {
        let mut names = self.names.borrow_mut();
        let names = names.entry(folder).or_insert_with_key(|folder| {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
            names.map(|name| (folded(&name).into_owned(), name)).collect()
        });
        names.get(&*folded(name)).cloned()
    }

    /// Returns the spelling of a file's path on disk, if `path` finds the file only because the
    /// file system ignores case or Unicode form.
    pub fn real_spelling(&self, path: &SitePath) -> Option<SitePath> {
        if !cfg!(any(target_os = "macos", windows)) {
            return None;
        }
        let real = path.on_disk(self.root).canonicalize().ok()?;
        let own = SitePath::below(&self.root.canonicalize().ok()?, &real)?;
        (own != *path && folded(own.as_str()) == folded(path.as_str())).then_some(own)
    }

    /// Reads the bytes of a text file of at most [`MAX_TEXT`] bytes.
    ///
    /// # Errors
    ///
    /// Returns an error in the same cases as [`read_within`].
    pub fn read(&self, path: &SitePath) -> io::Result<Vec<u8>> {
        self.look_up(path);
        read_within(&path.on_disk(self.root), MAX_TEXT)
    }

    /// Returns the time when a file was last written, to the second. Returns the Unix epoch if the
    /// time is unknown.
    pub fn written(&self, path: &SitePath) -> Timestamp {
        let facts = fs::metadata(path.on_disk(self.root));
        let time = facts.and_then(|facts| facts.modified()).ok();
        let since = time.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
        let seconds = since.and_then(|since| i64::try_from(since.as_secs()).ok());
        seconds
            .and_then(|seconds| Timestamp::from_second(seconds).ok())
            .unwrap_or(Timestamp::UNIX_EPOCH)
    }

    /// Returns the [version](FileFacts::version) of a file.
    pub fn version(&self, path: &SitePath) -> Option<u64> {
        self.look_up(path);
        Some(FileFacts::of(&fs::metadata(path.on_disk(self.root)).ok()?).version())
    }

    /// Returns the facts about a media file. Harmful addresses in the file's chapters
    /// (`javascript:` and similar) are removed.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be opened.
    pub fn media(&self, path: &SitePath) -> Result<Arc<MediaFacts>, MediaError> {
        let stamp = self.look_up(path);
        if let Some(known) = self.media.and_then(|media| media.get(path, stamp)) {
            return Ok(known);
        }
        let mut facts = media_facts::read(&path.on_disk(self.root))?;
        remove_refused_addresses(&mut facts);
        if self.media.is_some_and(|media| media.reads_shots) {
            facts.shot = media_facts::shot(&path.on_disk(self.root));
        }
        if self.media.is_some_and(|media| media.reads_waveforms) {
            facts.waveform = waveform(&path.on_disk(self.root), &facts);
        }
        let facts = Arc::new(facts);
        if let Some(media) = self.media {
            media.put(path, stamp, Arc::clone(&facts));
        }
        Ok(facts)
    }

    /// Returns the facts about a recording like [`media`](Self::media), with the hash that proves
    /// its integrity. Without a cache, the hash is left out, because it requires reading the file.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be opened.
    pub fn media_with_integrity(&self, path: &SitePath) -> Result<Arc<MediaFacts>, MediaError> {
        let facts = self.media(path)?;
        let is_recording =
            facts.media_type.starts_with("audio/") || facts.media_type.starts_with("video/");
        let Some(media) = self.media.filter(|_| is_recording && facts.integrity.is_none()) else {
            return Ok(facts);
        };
        let integrity = integrity(&path.on_disk(self.root));
        let facts = Arc::new(MediaFacts { integrity: integrity.ok(), ..(*facts).clone() });
        media.put(path, self.look_up(path), Arc::clone(&facts));
        Ok(facts)
    }

    /// Returns whether a soundbite can be cut out of a recording.
    pub fn can_cut(&self, recording: &SitePath, soundbite: &Soundbite) -> bool {
        self.look_up(recording);
        clips::cut(open_file(&recording.on_disk(self.root)), recording, soundbite).is_ok()
    }

    /// Returns the facts about the media file with this public path, if `content/media.json` lists
    /// the file.
    pub fn stored(&self, path: &str) -> Option<Arc<MediaFacts>> {
        let mut facts = self.stored_media()?.facts(path)?;
        remove_refused_addresses(&mut facts);
        Some(Arc::new(facts))
    }

    /// Returns the list of media in `content/media.json`, if the file exists.
    pub fn stored_media(&self) -> Option<Arc<StoredMedia>> {
        let list = SitePath::parse(stored_media::FILE)?;
        let stamp = self.look_up(&list);
        if stamp == Stamp::Missing {
            return None;
        }
        let read = || {
            let bytes = self.read(&list).unwrap_or_default();
            // Errors in `content/media.json` are reported where the site is read.
            StoredMedia::parse(&bytes).unwrap_or_default()
        };
        Some(match self.media {
            Some(media) => media.stored(stamp, read),
            None => Arc::new(read()),
        })
    }

    /// Takes the lookups so far: each path once, with the stamp of its first lookup.
    pub fn take_lookups(&self) -> Vec<Lookup> {
        self.looked_up.take().into_iter().collect()
    }

    fn look_up(&self, path: &SitePath) -> Stamp {
        let mut looked_up = self.looked_up.borrow_mut();
        if let Some(stamp) = looked_up.get(path) {
            return *stamp;
        }
        // The stamp is taken before reading, so that the next run detects a change of the file
        // while it was read.
        let stamp = Stamp::of(&path.on_disk(self.root));
        looked_up.insert(path.clone(), stamp);
        stamp
    }
}

/// Returns the hash of a file for `podcast:integrity` (W3C Subresource Integrity).
///
/// # Errors
///
/// Returns an error if the file cannot be read.
pub fn integrity(file: &Path) -> io::Result<String> {
    let mut hash = Sha384::new();
    let mut file = BufReader::with_capacity(1 << 16, open_file(file)?);
    loop {
        let bytes = file.fill_buf()?;
        if bytes.is_empty() {
            return Ok(format!("sha384-{}", STANDARD.encode(hash.finalize())));
        }
        hash.update(bytes);
        let length = bytes.len();
        file.consume(length);
    }
}

/// Number of digits in a waveform.
pub const WAVEFORM_PARTS: u32 = 80;

/// Returns the waveform of an audio file. Returns None for other files, and for recordings that
/// cannot be decoded.
pub fn waveform(file: &Path, facts: &MediaFacts) -> Option<String> {
    let duration = facts.duration.filter(|_| facts.media_type.starts_with("audio/"))?;
    let extension = file.extension().unwrap_or_default().to_string_lossy();
    sound::waveform(open_file(file).ok()?, &extension, duration, WAVEFORM_PARTS).ok()?
}

/// Removes addresses that could harm a reader from a file's chapters.
fn remove_refused_addresses(facts: &mut MediaFacts) {
    let is_refused = |url: &mut String| url::refused_scheme(url).is_some();
    for chapter in &mut facts.chapters {
        if let Some(url) = chapter.url.take_if(is_refused) {
            let problem = format!("chapters: {url:?} is not an allowed address");
            facts.problems.push(problem);
        }
    }
}
