//! The files of a site, as the reader of one content file sees them. Every path that is asked about is noted
//! with what was there, so that a later run can tell whether the answer would still be the same.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File, Metadata};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use media_facts::{MediaError, MediaFacts};

use super::media_cache::MediaCache;
use super::stamp::{Asked, Stamp};
use super::stored_media::{self, StoredMedia};
use highlight::code_cache::CodeCache;
use model::{SitePath, folded, url};

/// How long a file may be empty, or without its head, while a program saves it in place.
pub const SAVING: Duration = Duration::from_secs(1);

/// Whether a file was written so recently that the rest of it may still come.
pub fn is_saving(facts: &Metadata) -> bool {
    is_written_within(facts, SAVING)
}

/// Whether a file was written less long ago than this.
pub fn is_written_within(facts: &Metadata, age: Duration) -> bool {
    let written = facts.modified().ok();
    written.is_some_and(|written| written.elapsed().is_ok_and(|elapsed| elapsed < age))
}

/// Largest text that is read, in bytes: its documents take many times as much memory.
pub const MAX_TEXT: u64 = 16 * 1024 * 1024;

/// A file's bytes, at most `most` of them.
///
/// # Errors
///
/// It cannot be read, or it is larger ([`io::ErrorKind::FileTooLarge`]); the size is checked before reading.
pub fn read_within(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let too_large = || io::Error::from(io::ErrorKind::FileTooLarge);
    let file = open_file(path)?;
    let length = file.metadata()?.len();
    if length > most {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
    // It may grow while it is read.
    file.take(most + 1).read_to_end(&mut bytes)?;
    if !u64::try_from(bytes.len()).is_ok_and(|read| read <= most) {
        return Err(too_large());
    }
    Ok(bytes)
}

/// Opens a file. Opening a named pipe would wait for a writer, perhaps for ever.
///
/// # Errors
///
/// It cannot be opened, or is not a regular file ([`io::ErrorKind::InvalidInput`]).
pub fn open_file(path: &Path) -> io::Result<File> {
    if is_special(&fs::metadata(path)?) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, SPECIAL));
    }
    File::open(path)
}

/// The error for a named pipe, a socket or a device.
pub const SPECIAL: &str = "it is a named pipe, a socket or a device, not a file";

/// Whether a path is neither a file nor a folder nor a link. Reading such a path may never end.
pub fn is_special(facts: &Metadata) -> bool {
    !(facts.is_file() || facts.is_dir() || facts.is_symlink())
}

/// Whether two files hold the same bytes.
///
/// # Errors
///
/// When one of them cannot be read.
pub fn same_bytes(one: &Path, other: &Path) -> io::Result<bool> {
    let (one, other) = (File::open(one)?, File::open(other)?);
    if one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
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

/// A site's files, and what was asked about them.
#[derive(Debug)]
pub struct Disk<'a> {
    root: &'a Path,
    media: Option<&'a MediaCache>,
    code: Option<&'a CodeCache>,
    real_root: OnceCell<Option<PathBuf>>,
    asked: RefCell<BTreeMap<SitePath, Stamp>>,
    /// A cache of paths with all links resolved.
    real: RefCell<HashMap<SitePath, Option<SitePath>>>,
    /// The names in folders where a file was missing, by their folded spelling.
    names: RefCell<HashMap<PathBuf, HashMap<String, String>>>,
}

impl<'a> Disk<'a> {
    /// The files below a site's root.
    pub fn new(root: &'a Path) -> Self {
        Self {
            root,
            media: None,
            code: None,
            real_root: OnceCell::new(),
            asked: RefCell::default(),
            real: RefCell::default(),
            names: RefCell::default(),
        }
    }

    /// The same files; what is known already of media and of code is not found out again.
    #[must_use]
    pub fn remembering(self, media: &'a MediaCache, code: &'a CodeCache) -> Self {
        Self { media: Some(media), code: Some(code), ..self }
    }

    /// What is known of code.
    pub fn code(&self) -> Option<&'a CodeCache> {
        self.code
    }

    /// What is in a folder: none where there is no such folder.
    pub fn entries(&self, folder: &SitePath) -> Vec<SitePath> {
        let entries = fs::read_dir(folder.on_disk(self.root));
        let names = entries.into_iter().flatten().flatten();
        names
            .filter_map(|entry| {
                SitePath::parse(&format!("{folder}/{}", entry.file_name().to_str()?))
            })
            .collect()
    }

    /// Whether a file is there, also through a link.
    pub fn is_file(&self, path: &SitePath) -> bool {
        matches!(self.ask(path), Stamp::File { .. } | Stamp::Young)
    }

    /// Whether an HTML file lies in the folder of an item's or a Page's `index` file: then it is a medium.
    pub fn is_beside_index(&self, file: &SitePath) -> bool {
        if file.extension() != "html" || file.file_name() == "index.html" {
            return false;
        }
        let mut folder = file.parent();
        while let Some(path) = folder.filter(|path| *path != "content") {
            let index = ["md", "html"]
                .map(|extension| SitePath::parse(&format!("{path}/index.{extension}")));
            if index.iter().flatten().any(|index| self.is_file(index)) {
                return true;
            }
            folder = path.rsplit_once('/').map(|(parent, _)| parent);
        }
        false
    }

    /// Whether a folder is there, also through a link.
    pub fn is_dir(&self, path: &SitePath) -> bool {
        self.ask(path) == Stamp::NoFile && path.on_disk(self.root).is_dir()
    }

    /// Whether a file, with every link on its way followed, lies inside the site.
    pub fn is_inside(&self, path: &SitePath) -> bool {
        self.real(path).is_some()
    }

    /// The path of a file with all links resolved. None outside the site.
    pub fn real(&self, path: &SitePath) -> Option<SitePath> {
        if let Some(known) = self.real.borrow().get(path) {
            return known.clone();
        }
        self.ask(path);
        let real_root = self.real_root.get_or_init(|| self.root.canonicalize().ok());
        let real = path.on_disk(self.root).canonicalize().ok();
        let own =
            real_root.as_ref().zip(real).and_then(|(root, real)| SitePath::below(root, &real));
        // A linked file changes under its real name, so that is noted too.
        if let Some(own) = own.as_ref().filter(|own| *own != path) {
            self.ask(own);
        }
        self.real.borrow_mut().insert(path.clone(), own.clone());
        own
    }

    /// For a missing file, the file whose path differs only in case or Unicode form: some systems take both
    /// for the same, and others do not.
    pub fn respelled(&self, path: &SitePath) -> Option<SitePath> {
        let mut found = String::new();
        for part in path.as_str().split('/') {
            let folder = self.root.join(&found);
            if !found.is_empty() {
                found.push('/');
            }
            match folder.join(part).symlink_metadata() {
                Ok(_) => found.push_str(part),
                Err(_) => found.push_str(&self.name_like(folder, part)?),
            }
        }
        SitePath::parse(&found).filter(|found| found != path)
    }

    fn name_like(&self, folder: PathBuf, name: &str) -> Option<String> {
        let mut names = self.names.borrow_mut();
        let names = names.entry(folder).or_insert_with_key(|folder| {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
            names.map(|name| (folded(&name).into_owned(), name)).collect()
        });
        names.get(&*folded(name)).cloned()
    }

    /// The real spelling of a file that the system found under another one.
    pub fn own_spelling(&self, path: &SitePath) -> Option<SitePath> {
        if !cfg!(any(target_os = "macos", windows)) {
            return None;
        }
        let real = path.on_disk(self.root).canonicalize().ok()?;
        let own = SitePath::below(&self.root.canonicalize().ok()?, &real)?;
        (own != *path && folded(own.as_str()) == folded(path.as_str())).then_some(own)
    }

    /// The bytes of a text, [`MAX_TEXT`] at most.
    ///
    /// # Errors
    ///
    /// As [`read_within`].
    pub fn read(&self, path: &SitePath) -> io::Result<Vec<u8>> {
        self.ask(path);
        read_within(&path.on_disk(self.root), MAX_TEXT)
    }

    /// When a file was last written, to the second; 1970 if the system does not tell.
    pub fn written(&self, path: &SitePath) -> Timestamp {
        let facts = fs::metadata(path.on_disk(self.root));
        let time = facts.and_then(|facts| facts.modified()).ok();
        let since = time.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
        let seconds = since.and_then(|since| i64::try_from(since.as_secs()).ok());
        seconds
            .and_then(|seconds| Timestamp::from_second(seconds).ok())
            .unwrap_or(Timestamp::UNIX_EPOCH)
    }

    /// The facts of a media file. Addresses in its chapters that could harm a reader (`javascript:` and the
    /// like) are left out.
    ///
    /// # Errors
    ///
    /// When it cannot be opened.
    pub fn media(&self, path: &SitePath) -> Result<Arc<MediaFacts>, MediaError> {
        let stamp = self.ask(path);
        if let Some(known) = self.media.and_then(|media| media.get(path, stamp)) {
            return Ok(known);
        }
        let mut facts = media_facts::read(&path.on_disk(self.root))?;
        leave_out_refused(&mut facts);
        let facts = Arc::new(facts);
        if let Some(media) = self.media {
            media.put(path, stamp, Arc::clone(&facts));
        }
        Ok(facts)
    }

    /// What is known of a file of the site that is not here and lies elsewhere, by its public path.
    pub fn stored(&self, path: &str) -> Option<Arc<MediaFacts>> {
        let list = SitePath::parse(stored_media::FILE)?;
        let stamp = self.ask(&list);
        if stamp == Stamp::Missing {
            return None;
        }
        let read = || {
            let bytes = self.read(&list).unwrap_or_default();
            // What is wrong with it is told where the site is read.
            StoredMedia::parse(&bytes).unwrap_or_default()
        };
        let mut facts = match self.media {
            Some(media) => media.stored(stamp, read).facts(path),
            None => read().facts(path),
        }?;
        leave_out_refused(&mut facts);
        Some(Arc::new(facts))
    }

    /// Every path that was asked about so far, once, with its first stamp.
    pub fn take_asked(&self) -> Vec<Asked> {
        self.asked.take().into_iter().collect()
    }

    fn ask(&self, path: &SitePath) -> Stamp {
        let mut asked = self.asked.borrow_mut();
        if let Some(stamp) = asked.get(path) {
            return *stamp;
        }
        // The stamp is taken before reading, so that a change during the reading is seen next time.
        let stamp = Stamp::of(&path.on_disk(self.root));
        asked.insert(path.clone(), stamp);
        stamp
    }
}

/// Removes addresses from a file's chapters that could harm a reader.
fn leave_out_refused(facts: &mut MediaFacts) {
    let is_refused = |url: &mut String| url::refused_scheme(url).is_some();
    for chapter in &mut facts.chapters {
        if let Some(url) = chapter.url.take_if(is_refused) {
            let problem = format!("chapters: {url:?} is no address that is taken");
            facts.problems.push(problem);
        }
    }
}
