//! Temporary file with the bodies of a build. A build reads all files before it writes the first
//! page, and a large site's bodies need too much memory to wait there.

use std::fs::{self, File};
use std::io;
#[cfg(unix)]
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use local::FOLDER;
use local::store::temporary;
use model::{Body, StoredBody};

/// A file in `.feedwright/` that is created when it is first needed. It has no name, so it
/// disappears when the process ends.
///
/// Without `.feedwright/`, or if the disk is full, no bodies are stored.
#[derive(Debug)]
pub struct BodyFile {
    path: PathBuf,
    file: OnceLock<Option<File>>,
    end: AtomicU64,
    has_failed: AtomicBool,
}

impl BodyFile {
    /// Returns the file of the site at `root`.
    pub fn of(root: &Path) -> Self {
        Self {
            path: temporary(&root.join(FOLDER).join("bodies")),
            file: OnceLock::new(),
            end: AtomicU64::new(0),
            has_failed: AtomicBool::new(false),
        }
    }

    /// Returns whether bodies can be stored.
    pub fn is_usable(&self) -> bool {
        self.file().is_some() && !self.has_failed.load(Ordering::SeqCst)
    }

    /// Stores a body. If this fails, the stored bodies are discarded too, so that the site's pages
    /// get their space on the disk.
    pub fn store(&self, body: &Body) -> Option<StoredBody> {
        let file = self.file().filter(|_| self.is_usable())?;
        let parts = [&body.html, &body.text, &body.markdown, &body.lead];
        let lengths = parts.map(String::len);
        let bytes = parts.map(|part| part.as_bytes()).concat();
        let offset = self.end.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        if file.write_all_at(&bytes, offset).is_err() {
            self.has_failed.store(true, Ordering::SeqCst);
            let _ = file.set_len(0);
            return None;
        }
        Some(StoredBody { offset, lengths })
    }

    /// Returns a stored body, or `None` if it was discarded.
    pub fn read(&self, at: StoredBody) -> Option<Body> {
        let mut bytes = vec![0; at.lengths.iter().sum()];
        self.file()?.read_exact_at(&mut bytes, at.offset).ok()?;
        // If another thread discarded the bodies during the read, the bytes are wrong.
        if !self.is_usable() {
            return None;
        }
        let [html, text, markdown, _] = at.lengths;
        let mut html_and_rest = String::from_utf8(bytes).ok()?;
        let mut text_and_rest = html_and_rest.split_off(html);
        let mut markdown_and_lead = text_and_rest.split_off(text);
        let lead = markdown_and_lead.split_off(markdown);
        Some(Body { html: html_and_rest, text: text_and_rest, markdown: markdown_and_lead, lead })
    }

    fn file(&self) -> Option<&File> {
        self.file.get_or_init(|| without_name(&self.path).ok()).as_ref()
    }
}

/// Creates a file and removes its name. Fails on systems that cannot remove an open file.
fn without_name(path: &Path) -> io::Result<File> {
    if cfg!(not(unix)) {
        return Err(io::ErrorKind::Unsupported.into());
    }
    let file = File::options().read(true).write(true).create_new(true).open(path)?;
    fs::remove_file(path)?;
    Ok(file)
}

/// Reads and writes at offsets, which is never reached here: there is no file.
#[cfg(not(unix))]
trait FileExt {
    fn write_all_at(&self, _: &[u8], _: u64) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn read_exact_at(&self, _: &mut [u8], _: u64) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[cfg(not(unix))]
impl FileExt for File {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn body(number: usize) -> Body {
        let text = |name| format!("{name} ä {number} ").repeat(number);
        Body { html: text("html"), text: text("text"), markdown: text("md"), lead: text("lead") }
    }

    fn is_empty(folder: &Path) -> bool {
        fs::read_dir(folder).is_ok_and(|mut files| files.next().is_none())
    }

    #[test]
    fn stored_bodies_are_read_in_any_order() {
        let site = tempfile::tempdir().unwrap();
        let folder = site.path().join(FOLDER);
        let bodies = BodyFile::of(site.path());
        assert!(!folder.exists() && !bodies.is_usable(), "reading a site creates no folder");
        assert!(bodies.store(&body(1)).is_none());

        fs::create_dir(&folder).unwrap();
        let bodies = BodyFile::of(site.path());
        let stored: Vec<StoredBody> =
            (0..9).map(|number| bodies.store(&body(number)).unwrap()).collect();
        for (number, at) in stored.iter().enumerate().rev() {
            assert_eq!(bodies.read(*at), Some(body(number)));
        }
        assert!(is_empty(&folder), "a killed build leaves nothing behind");
    }

    #[test]
    fn a_full_disk_discards_all_stored_bodies() {
        let site = tempfile::tempdir().unwrap();
        fs::create_dir(site.path().join(FOLDER)).unwrap();
        let bodies = BodyFile::of(site.path());
        let stored = bodies.store(&body(5)).unwrap();
        assert_eq!(bodies.read(stored), Some(body(5)));
        // No file can be this large.
        bodies.end.store(i64::MAX as u64 - 9, Ordering::Relaxed);
        assert!(bodies.store(&body(5)).is_none() && !bodies.is_usable());
        assert_eq!(bodies.read(stored), None);
        assert_eq!(bodies.file().unwrap().metadata().unwrap().len(), 0);
    }
}
