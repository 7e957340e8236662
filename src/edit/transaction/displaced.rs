//! Watches replaced files that another program, such as an editor, may still have open. Later
//! writes by that program go to a file that no longer has a name. Such a write is still a save by
//! the author, so the saved text is put back at the file's path.

use std::collections::HashSet;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use jiff::Timestamp;

use super::super::open_files::{FileId, mark, open_file_ids};
use super::super::replace::{Replaced, Replacement, process_lock};
use super::super::revision_chain::{self, RevisionChain};
use super::super::trash::put_in_trash;
use super::super::write::write_new;
use super::limit;
use model::SitePath;

/// How long a replaced file is watched after its last change. The file then stays watched only
/// while a program has it open for writing, which is checked again each time this period has
/// passed.
const WATCH_TIME: Duration = Duration::from_secs(3);
/// How often the size and the modification time are checked.
const CHECK_INTERVAL: Duration = Duration::from_millis(25);
/// How long a file must be unchanged for the written data to count as a save.
const QUIET_TIME: Duration = Duration::from_millis(100);
/// The same as [`QUIET_TIME`], for a file that a program still has open and may write again.
const OPEN_QUIET_TIME: Duration = Duration::from_secs(1);
/// Maximum number of watched files. Each takes an open file descriptor.
const MAX_WATCHED: u64 = 64;
/// The process's limit of open files is divided by this number to get the maximum number of watched
/// files.
const LIMIT_DIVISOR: u64 = 16;

/// Returns the maximum number of replaced files to hold open, given the process's limit of open
/// files.
pub fn max_watched(limit: Option<u64>) -> u64 {
    limit.map_or(MAX_WATCHED, |limit| MAX_WATCHED.min(limit / LIMIT_DIVISOR))
}

/// A replaced file.
struct Displaced {
    root: PathBuf,
    path: SitePath,
    file: File,
    /// The chain of the revisions that replaced this file.
    successors: RevisionChain,
    /// The file's size and modification time at the last check.
    look: (u64, SystemTime),
    /// The time when `look` last changed.
    since: Instant,
    was_written: bool,
}

static WATCHING: Mutex<Vec<Displaced>> = Mutex::new(Vec::new());
/// Whether a thread watches the files. Changed only while `WATCHING` is locked.
static IS_WATCHED: AtomicBool = AtomicBool::new(false);

fn watching() -> MutexGuard<'static, Vec<Displaced>> {
    WATCHING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts to watch a replaced file.
pub fn watch_for_saves(
    root: &Path,
    path: &SitePath,
    replacement: &Replacement,
    successors: RevisionChain,
) {
    let Ok(file) = replacement.displaced() else {
        return;
    };
    let Ok(look) = size_and_time(&file) else {
        return;
    };
    let is_as_read = replacement
        .displaced()
        .and_then(|mut file| {
            let mut held = Vec::new();
            file.read_to_end(&mut held)?;
            Ok(held == replacement.old)
        })
        .unwrap_or(true);
    let mut watching = watching();
    while watching.len() as u64 >= max_watched(limit()).max(1) {
        // Files that no program wrote to are dropped first.
        let least = watching.iter().position(|one| !one.was_written);
        watching.remove(least.unwrap_or(0));
    }
    watching.push(Displaced {
        root: root.to_owned(),
        path: path.clone(),
        file,
        successors,
        look,
        since: Instant::now(),
        was_written: !is_as_read,
    });
    if !IS_WATCHED.swap(true, Ordering::AcqRel) {
        thread::spawn(watch);
    }
}

/// Runs until no file is watched any more.
fn watch() {
    loop {
        thread::sleep(CHECK_INTERVAL);
        let mut all = watching();
        all.iter_mut().for_each(Displaced::look);
        let quiet: Vec<Displaced> = all.extract_if(.., |one| one.is_quiet()).collect();
        drop(all);
        let (mut open, mut ended) = split_by_writer(quiet);
        let still = open.iter_mut().filter(|one| one.since.elapsed() > OPEN_QUIET_TIME);
        for saved in still.chain(&mut ended) {
            // The error is ignored, because no caller waits for the result.
            let _ = saved.restore_save();
        }
        let mut all = watching();
        all.extend(open);
        if all.is_empty() {
            IS_WATCHED.store(false, Ordering::Release);
            return;
        }
    }
}

/// Splits the files into files that a program has open for writing, and files that can no longer
/// change.
fn split_by_writer(quiet: Vec<Displaced>) -> (Vec<Displaced>, Vec<Displaced>) {
    if quiet.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let facts: io::Result<Vec<_>> = quiet.iter().map(|one| one.file.metadata()).collect();
    let are_open = facts.map(|facts| have_writers(&facts)).unwrap_or_default();
    let mut are_open = are_open.into_iter();
    quiet.into_iter().partition(|_| are_open.next().unwrap_or_default())
}

fn size_and_time(file: &File) -> io::Result<(u64, SystemTime)> {
    let facts = file.metadata()?;
    Ok((facts.len(), facts.modified()?))
}

impl Displaced {
    /// Records the file's current size and modification time.
    fn look(&mut self) {
        if let Ok(look) = size_and_time(&self.file)
            && look != self.look
        {
            self.look = look;
            self.since = Instant::now();
            self.was_written = true;
        }
    }

    /// Returns whether the file has been unchanged for long enough. More writes can follow only if
    /// a program still has the file open.
    fn is_quiet(&self) -> bool {
        let age = self.since.elapsed();
        // Programs that save in place empty the file first.
        let is_saved = self.was_written && self.look.0 > 0 && age > QUIET_TIME;
        is_saved || age > WATCH_TIME
    }

    /// Restores the author's save at the file's path, and moves the file that replaced it to the
    /// trash. If another program wrote that file, the author's save goes to the trash instead.
    /// Anything written later counts as another save.
    fn restore_save(&mut self) -> io::Result<()> {
        self.since = Instant::now();
        if !std::mem::take(&mut self.was_written) {
            return Ok(());
        }
        let mut saved = Vec::new();
        self.file.rewind()?;
        self.file.read_to_end(&mut saved)?;
        let place = self.path.on_disk(&self.root);
        if saved.is_empty() || fs::read(&place).is_ok_and(|held| held == saved) {
            return Ok(());
        }
        let to_trash = |text: &[u8]| write_to_trash(&self.root, &self.path, text, Timestamp::now());
        match replace_newest(&place, self.successors, &saved, to_trash) {
            Ok(Replaced::Done) => Ok(()),
            _ => to_trash(&saved),
        }
    }
}

/// Checks for each of these files whether a program has it open for writing.
fn have_writers(files: &[Metadata]) -> Vec<bool> {
    let open: HashSet<FileId> = open_file_ids().collect();
    let is_open = |file| mark(file).is_some_and(|mark| open.contains(&mark));
    files.iter().map(is_open).collect()
}

/// Replaces the newest revision of a chain with `text`. First passes the content of that revision
/// to `keep`.
fn replace_newest(
    path: &Path,
    revision_chain: RevisionChain,
    text: &[u8],
    keep: impl FnOnce(&[u8]) -> io::Result<()>,
) -> io::Result<Replaced> {
    let path = match fs::canonicalize(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Replaced::Changed),
        path => path?,
    };
    let _one = process_lock();
    let newest = fs::read(&path)?;
    if !revision_chain::is_newest(&path, revision_chain, &newest) {
        return Ok(Replaced::Changed);
    }
    let Some(mut replacement) = Replacement::prepare(&path, &newest, text)? else {
        return Ok(Replaced::Changed);
    };
    keep(&newest)?;
    Ok(replacement.put_without_exchange()?.0)
}

/// Writes a file to the trash. `bytes` are a save that could not be restored, or the revision that
/// a save replaces.
fn write_to_trash(root: &Path, path: &SitePath, bytes: &[u8], now: Timestamp) -> io::Result<()> {
    put_in_trash(root, path, now, |_, target| write_new(target, bytes)).map(|_| ())
}
