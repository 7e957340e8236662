//! Replaces a file that holds what was read of it, and takes nothing from who writes it at the same time.

#[cfg(unix)]
use std::collections::VecDeque;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::open_files;
use super::write::{Temporary, exchange, folder_of, sync_folder};
use crate::source::disk::is_written_within;

/// How long ago a file was last written that nobody is still about to write more into.
const WRITTEN: Duration = Duration::from_secs(2);

/// What became of a change that was to happen only if nobody else had written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replaced {
    /// It happened.
    Done,
    /// Somebody else wrote the file, or removed it, first; it is as they left it.
    Changed,
    /// Somebody else is writing the file, and has not ended; it is as they left it.
    Open,
}

/// Replaces a file that holds `old`. Where the system can exchange two files in
/// one step, what another program writes at the same time is put back and never lost; elsewhere the
/// file is compared right before it is replaced.
pub fn replace_if(path: &Path, old: &[u8], new: &[u8]) -> io::Result<Replaced> {
    match Replacement::prepare(path, old, new)? {
        Some(mut replacement) => replacement.put(),
        None => Ok(Replaced::Changed),
    }
}

/// A replacement of which everything is done that needs room on the disk.
#[derive(Debug)]
pub(super) struct Replacement {
    path: PathBuf,
    old: Vec<u8>,
    new: Vec<u8>,
    temporary: Temporary,
}

impl Replacement {
    /// Writes the new file beside the old one. None where that does not hold `old`.
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

    /// Puts the new file in the old one's place.
    pub fn put(&mut self) -> io::Result<Replaced> {
        let _one = one_at_a_time();
        let _other_processes = lock(folder_of(&self.path));
        if !holds(&self.path, &self.old)? {
            return Ok(Replaced::Changed);
        }
        remember_own(&self.temporary.path);
        if is_being_written(&self.path)? {
            return Ok(Replaced::Open);
        }
        self.exchange()
    }

    /// Puts the old file back, unless another is there by now. It needs no room on the disk.
    pub fn undo(&mut self) -> io::Result<()> {
        let _one = one_at_a_time();
        let _other_processes = lock(folder_of(&self.path));
        if !holds(&self.path, &self.new)? {
            return Err(ErrorKind::Other.into());
        }
        match exchange(&self.temporary.path, &self.path) {
            Err(error) if error.kind() == ErrorKind::Unsupported => {
                super::replace(&self.path, &self.old)
            }
            exchanged => exchanged.and_then(|()| sync_folder(&self.temporary.folder)),
        }
    }

    /// The file that was replaced, as long as this is not dropped, where the system keeps it.
    pub fn displaced(&self) -> io::Result<File> {
        File::open(&self.temporary.path)
    }

    /// What the file has to hold.
    pub fn old_bytes(&self) -> &[u8] {
        &self.old
    }

    /// What the file is to hold.
    pub fn new_bytes(&self) -> &[u8] {
        &self.new
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
        // One that had opened the file just before the exchange may write only now.
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
    /// Whatever else was written into the file that is out goes back, and so does what was written
    /// while that happened.
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

/// Whether somebody has a file open to write into it, be it that nothing came of it yet. Only one that
/// was written a moment ago, or that is empty, is asked about: who saves in place empties a file first.
///
/// # Errors
///
/// The file cannot be looked at; one that is not there is not being written.
pub fn is_being_written(path: &Path) -> io::Result<bool> {
    let facts = match path.metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        facts => facts?,
    };
    let is_asked = facts.is_file() && (facts.len() == 0 || is_written_within(&facts, WRITTEN));
    Ok(is_asked && !is_own(&facts) && open_files::has_writer(&facts))
}

/// The files that were written here last, as they were then: nobody else had them open.
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

/// Remembers that a file was written here, and not by an editor.
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

fn holds(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    match fs::read(path) {
        Ok(held) => Ok(held == bytes),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// An exchange that is undone can be seen for a moment; nobody who edits through here may build on it.
fn one_at_a_time() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps other processes from replacing in a folder as long as the file is open. File systems that know no
/// locks do without.
fn lock(folder: &Path) -> Option<File> {
    let folder = File::open(folder).ok()?;
    folder.lock().ok()?;
    Some(folder)
}
