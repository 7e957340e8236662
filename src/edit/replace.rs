//! Replaces a file only if its content is unchanged since it was read. Never loses data that
//! another program writes at the same time.

#[cfg(unix)]
use std::collections::VecDeque;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::open_files;
use super::revision_chain::{self, RevisionChain};
use super::write::{Temporary, exchange, folder_of, sync_folder};
use source::disk::is_written_within;

/// A file whose last write is older than this duration is considered completely written.
const SETTLED_AGE: Duration = Duration::from_secs(2);

/// The result of a change that is made only if no other program has written to the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replaced {
    Done,
    /// Another program wrote or removed the file first. That program's version was kept.
    Changed,
    /// Another program is still writing the file. That program's version was kept.
    Open,
}

/// Replaces a file whose content is `old`. If the system can exchange two files in one step, data
/// that another program writes at the same time is put back and never lost. On other systems, the
/// file is compared right before it is replaced.
pub fn replace_if(path: &Path, old: &[u8], new: &[u8]) -> io::Result<Replaced> {
    match Replacement::prepare(path, old, new)? {
        Some(mut replacement) => Ok(replacement.put()?.0),
        None => Ok(Replaced::Changed),
    }
}

/// A prepared replacement: every step that needs disk space is done.
#[derive(Debug)]
pub(super) struct Replacement {
    pub(super) path: PathBuf,
    pub(super) old: Vec<u8>,
    pub(super) new: Vec<u8>,
    pub(super) temporary: Temporary,
}

impl Replacement {
    /// Writes the new file next to the old one. Returns `None` if the content of the old file is
    /// not `old`.
    pub fn prepare(path: &Path, old: &[u8], new: &[u8]) -> io::Result<Option<Self>> {
        let path = match fs::canonicalize(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            path => path?,
        };
        if !holds(&path, old)? {
            return Ok(None);
        }
        Ok(Some(Self {
            temporary: Temporary::write(&path, new)?,
            path,
            old: old.to_vec(),
            new: new.to_vec(),
        }))
    }

    /// Puts the new file in place of the old one. On success, also returns the revision chain that
    /// the new text belongs to.
    pub fn put(&mut self) -> io::Result<(Replaced, Option<RevisionChain>)> {
        let _one = process_lock();
        self.put_without_exchange()
    }

    pub(super) fn put_without_exchange(&mut self) -> io::Result<(Replaced, Option<RevisionChain>)> {
        let _other_processes = lock(folder_of(&self.path));
        if !holds(&self.path, &self.old)? {
            return Ok((Replaced::Changed, None));
        }
        remember_own_write(&self.temporary.path);
        if is_being_written(&self.path)? {
            return Ok((Replaced::Open, None));
        }
        let replaced = self.exchange()?;
        let is_done = replaced == Replaced::Done;
        let revision_chain =
            is_done.then(|| revision_chain::follow(&self.path, &self.old, &self.new));
        Ok((replaced, revision_chain))
    }

    fn exchange(&mut self) -> io::Result<Replaced> {
        let (temporary, path) = (&self.temporary, &self.path);
        match exchange(&temporary.path, path) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Replaced::Changed),
            Err(_) if fs::read(path)? != self.old => return Ok(Replaced::Changed),
            Err(_) => {
                fs::rename(&temporary.path, path)?;
                sync_folder(&temporary.folder)?;
                return Ok(Replaced::Done);
            }
        }
        let mut exchanged = Exchanged {
            out: &temporary.path,
            path,
            held_out: self.old.clone(),
            held_at: self.new.clone(),
            replaced: Replaced::Done,
        };
        exchanged.settle()?;
        sync_folder(&temporary.folder)?;
        // A program that opened the file just before the exchange may not have written until now,
        // so check again.
        let replaced = exchanged.replaced;
        exchanged.settle()?;
        if exchanged.replaced != replaced {
            sync_folder(&temporary.folder)?;
        }
        Ok(exchanged.replaced)
    }
}

/// Two exchanged files, and their contents right after the exchange.
struct Exchanged<'a> {
    out: &'a Path,
    path: &'a Path,
    held_out: Vec<u8>,
    held_at: Vec<u8>,
    replaced: Replaced,
}

impl Exchanged<'_> {
    /// If another program wrote to the displaced file, puts that file back. Repeats this for
    /// anything written in the meantime.
    fn settle(&mut self) -> io::Result<()> {
        loop {
            let came = fs::read(self.out)?;
            if came == self.held_out {
                return Ok(());
            }
            self.replaced = Replaced::Changed;
            match exchange(self.out, self.path) {
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
                exchanged => exchanged?,
            }
            self.held_out = std::mem::replace(&mut self.held_at, came);
        }
    }
}

/// Returns whether another program has a file open for writing, even if that program has written
/// nothing yet. Checks only files that are empty or were just written, because programs that save
/// in place empty the file first.
///
/// # Errors
///
/// Returns an error if the file's metadata cannot be read. A missing file is not an error:
/// `Ok(false)` is returned.
pub fn is_being_written(path: &Path) -> io::Result<bool> {
    let facts = match path.metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        facts => facts?,
    };
    let is_asked = facts.is_file() && (facts.len() == 0 || is_written_within(&facts, SETTLED_AGE));
    Ok(is_asked && !is_own_write(&facts) && open_files::has_writer(&facts))
}

/// The files that this process wrote last, with their state right after the write, when no other
/// program had the files open.
#[cfg(unix)]
static OWN_WRITES: Mutex<VecDeque<WriteMark>> = Mutex::new(VecDeque::new());

/// Maximum number of files to remember.
#[cfg(unix)]
const MAX_OWN_WRITES: usize = 64;

/// Device, inode number and modification time of a file.
#[cfg(unix)]
type WriteMark = (u64, u64, i64, i64);

#[cfg(unix)]
fn mark(facts: &Metadata) -> WriteMark {
    use std::os::unix::fs::MetadataExt;
    (facts.dev(), facts.ino(), facts.mtime(), facts.mtime_nsec())
}

#[cfg(unix)]
fn is_own_write(facts: &Metadata) -> bool {
    let own = OWN_WRITES.lock().unwrap_or_else(PoisonError::into_inner);
    own.contains(&mark(facts))
}

#[cfg(not(unix))]
fn is_own_write(_: &Metadata) -> bool {
    false
}

/// Remembers that this process, and not an editor, wrote a file.
pub(super) fn remember_own_write(path: &Path) {
    #[cfg(unix)]
    if let Ok(facts) = path.metadata() {
        let mut own = OWN_WRITES.lock().unwrap_or_else(PoisonError::into_inner);
        own.truncate(MAX_OWN_WRITES - 1);
        own.push_front(mark(&facts));
    }
    #[cfg(not(unix))]
    let _ = path;
}

pub(super) fn holds(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    match fs::read(path) {
        Ok(held) => Ok(held == bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// A reverted exchange is visible for a moment. This lock keeps other edits of this process from
/// reading that state.
pub(super) fn process_lock() -> MutexGuard<'static, ()> {
    static PROCESS_LOCK: Mutex<()> = Mutex::new(());
    PROCESS_LOCK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps other processes from replacing files in a folder while the returned file is open. Returns
/// `None` on file systems without locks.
pub(super) fn lock(folder: &Path) -> Option<File> {
    let folder = File::open(folder).ok()?;
    folder.lock().ok()?;
    Some(folder)
}
