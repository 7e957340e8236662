//! Replaces a file only if it still holds what was read, and never loses what another program writes at the
//! same time.

#[cfg(unix)]
use std::collections::VecDeque;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::open_files;
use super::succession::{self, Succession};
use super::write::{Temporary, exchange, folder_of, sync_folder};
use source::disk::is_written_within;

/// A file that was last written longer ago than this is taken as completely written.
const WRITTEN: Duration = Duration::from_secs(2);

/// The result of a change that happens only if nobody else has written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replaced {
    Done,
    /// Another program wrote or removed the file first; it is as that program left it.
    Changed,
    /// Another program is still writing the file; it is as that program left it.
    Open,
}

/// Replaces a file that holds `old`. Where the system can exchange two files in
/// one step, what another program writes at the same time is put back and never lost; elsewhere the
/// file is compared right before it is replaced.
pub fn replace_if(path: &Path, old: &[u8], new: &[u8]) -> io::Result<Replaced> {
    match Replacement::prepare(path, old, new)? {
        Some(mut replacement) => Ok(replacement.put()?.0),
        None => Ok(Replaced::Changed),
    }
}

/// A replacement with everything done that needs room on the disk.
#[derive(Debug)]
pub(super) struct Replacement {
    pub(super) path: PathBuf,
    pub(super) old: Vec<u8>,
    pub(super) new: Vec<u8>,
    pub(super) temporary: Temporary,
}

impl Replacement {
    /// Writes the new file beside the old one. None if the old one does not hold `old`.
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

    /// Puts the new file in the old one's place. If that is done, answers the texts that the new one is the last of.
    pub fn put(&mut self) -> io::Result<(Replaced, Option<Succession>)> {
        let _one = one_at_a_time();
        self.put_alone()
    }

    pub(super) fn put_alone(&mut self) -> io::Result<(Replaced, Option<Succession>)> {
        let _other_processes = lock(folder_of(&self.path));
        if !holds(&self.path, &self.old)? {
            return Ok((Replaced::Changed, None));
        }
        remember_own(&self.temporary.path);
        if is_being_written(&self.path)? {
            return Ok((Replaced::Open, None));
        }
        let replaced = self.exchange()?;
        let is_done = replaced == Replaced::Done;
        let succession = is_done.then(|| succession::follow(&self.path, &self.old, &self.new));
        Ok((replaced, succession))
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
        // A program that opened the file just before the exchange may write only now.
        let replaced = exchanged.replaced;
        exchanged.settle()?;
        if exchanged.replaced != replaced {
            sync_folder(&temporary.folder)?;
        }
        Ok(exchanged.replaced)
    }
}

/// Two files that were exchanged, and what they held then.
struct Exchanged<'a> {
    out: &'a Path,
    path: &'a Path,
    held_out: Vec<u8>,
    held_at: Vec<u8>,
    replaced: Replaced,
}

impl Exchanged<'_> {
    /// If another program wrote to the file that was taken out, puts it back, and repeats that for what was
    /// written meanwhile.
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

/// Whether another program has a file open for writing, even if it has written nothing yet. Only files that
/// were just written or are empty are checked: programs that save in place empty the file first.
///
/// # Errors
///
/// The file's facts cannot be read. A missing file is not an error: it is not being written.
pub fn is_being_written(path: &Path) -> io::Result<bool> {
    let facts = match path.metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        facts => facts?,
    };
    let is_asked = facts.is_file() && (facts.len() == 0 || is_written_within(&facts, WRITTEN));
    Ok(is_asked && !is_own(&facts) && open_files::has_writer(&facts))
}

/// The files that this program wrote last, as they were then: no other program had them open.
#[cfg(unix)]
static OWN: Mutex<VecDeque<WriteMark>> = Mutex::new(VecDeque::new());

/// How many files are remembered.
#[cfg(unix)]
const OWN_LAST: usize = 64;

/// Device, number, and when it was written.
#[cfg(unix)]
type WriteMark = (u64, u64, i64, i64);

#[cfg(unix)]
fn mark(facts: &Metadata) -> WriteMark {
    use std::os::unix::fs::MetadataExt;
    (facts.dev(), facts.ino(), facts.mtime(), facts.mtime_nsec())
}

#[cfg(unix)]
fn is_own(facts: &Metadata) -> bool {
    let own = OWN.lock().unwrap_or_else(PoisonError::into_inner);
    own.contains(&mark(facts))
}

#[cfg(not(unix))]
fn is_own(_: &Metadata) -> bool {
    false
}

/// Remembers that this program wrote a file, and not an editor.
pub(super) fn remember_own(path: &Path) {
    #[cfg(unix)]
    if let Ok(facts) = path.metadata() {
        let mut own = OWN.lock().unwrap_or_else(PoisonError::into_inner);
        own.truncate(OWN_LAST - 1);
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

/// An exchange that is undone is visible for a moment. This lock keeps other edits of this process from reading it.
pub(super) fn one_at_a_time() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps other processes from replacing files in a folder while the returned file is open. None on file
/// systems without locks.
pub(super) fn lock(folder: &Path) -> Option<File> {
    let folder = File::open(folder).ok()?;
    folder.lock().ok()?;
    Some(folder)
}
