//! Files that were replaced while a program may have had them open. What it writes there later is in a file
//! that has no name any more; it is the author's save all the same, and gets the name back.

use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use jiff::Timestamp;

use super::open_files::{self, have_writers};
use super::replace::{Replaced, Replacement, replace_if};
use super::trash;
use crate::model::SitePath;

/// How long a replaced file is watched, and how often it is asked then whether someone has it open to write
/// into it: as long as that is so, it is.
const WATCHED: Duration = Duration::from_secs(3);
/// How often it is looked at.
const LOOK: Duration = Duration::from_millis(25);
/// How long nothing more must come until what came is a save.
const QUIET: Duration = Duration::from_millis(100);
/// The same while someone has the file open, and may have more to write.
const STILL: Duration = Duration::from_secs(1);
/// How many are watched at a time: each takes a file that is open.
const MOST: u64 = 64;
/// Which part of all files that this process may have open.
const PART: u64 = 16;

/// How many replaced files are held open at most, where the process may have so many files open.
pub fn most_held(limit: Option<u64>) -> u64 {
    limit.map_or(MOST, |limit| MOST.min(limit / PART))
}

/// A file that was replaced.
struct Displaced {
    root: PathBuf,
    path: SitePath,
    file: File,
    /// What is in its place.
    new: Vec<u8>,
    /// How it looked when it was last looked at.
    look: (u64, SystemTime),
    /// When it began to look like this.
    since: Instant,
    was_written: bool,
}

static WATCHING: Mutex<Vec<Displaced>> = Mutex::new(Vec::new());
/// Whether a thread looks at them. Changed only by who holds them.
static IS_WATCHED: AtomicBool = AtomicBool::new(false);

fn watching() -> MutexGuard<'static, Vec<Displaced>> {
    WATCHING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Watches over a file that was replaced.
pub fn watch_over(root: &Path, path: &SitePath, replacement: &Replacement) {
    let Ok(file) = replacement.displaced() else {
        return;
    };
    let Ok(look) = look_at(&file) else {
        return;
    };
    let is_as_read = replacement
        .displaced()
        .and_then(|mut file| {
            let mut held = Vec::new();
            file.read_to_end(&mut held)?;
            Ok(held == replacement.old_bytes())
        })
        .unwrap_or(true);
    let mut watching = watching();
    // What was written over is written over again: the author's save is as much a later one.
    for one in watching.iter_mut() {
        if one.path == *path && one.root == root && one.new == replacement.old_bytes() {
            one.new = replacement.new_bytes().to_vec();
        }
    }
    while watching.len() as u64 >= most_held(open_files::limit()).max(1) {
        // What its author saved is not dropped before what nobody wrote into.
        let least = watching.iter().position(|one| !one.was_written);
        watching.remove(least.unwrap_or(0));
    }
    watching.push(Displaced {
        root: root.to_owned(),
        path: path.clone(),
        file,
        new: replacement.new_bytes().to_vec(),
        look,
        since: Instant::now(),
        was_written: !is_as_read,
    });
    if !IS_WATCHED.swap(true, Ordering::AcqRel) {
        thread::spawn(watch);
    }
}

/// Runs as long as there is something to watch.
fn watch() {
    loop {
        thread::sleep(LOOK);
        let mut all = watching();
        all.iter_mut().for_each(Displaced::look);
        let quiet: Vec<Displaced> = all.extract_if(.., |one| one.is_quiet()).collect();
        drop(all);
        let (mut open, mut ended) = still_open(quiet);
        let still = open.iter_mut().filter(|one| one.since.elapsed() > STILL);
        for saved in still.chain(&mut ended) {
            // Where even that fails, nobody is there to be told.
            let _ = saved.give_back();
        }
        let mut all = watching();
        all.extend(open);
        if all.is_empty() {
            IS_WATCHED.store(false, Ordering::Release);
            return;
        }
    }
}

/// Parts those that someone has open to write into from those that no more can come into.
fn still_open(quiet: Vec<Displaced>) -> (Vec<Displaced>, Vec<Displaced>) {
    if quiet.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let facts: io::Result<Vec<_>> = quiet.iter().map(|one| one.file.metadata()).collect();
    let are_open = facts.map(|facts| have_writers(&facts)).unwrap_or_default();
    let mut are_open = are_open.into_iter();
    quiet
        .into_iter()
        .partition(|_| are_open.next().unwrap_or_default())
}

fn look_at(file: &File) -> io::Result<(u64, SystemTime)> {
    let facts = file.metadata()?;
    Ok((facts.len(), facts.modified()?))
}

impl Displaced {
    /// Notes how the file looks.
    fn look(&mut self) {
        if let Ok(look) = look_at(&self.file)
            && look != self.look
        {
            self.look = look;
            self.since = Instant::now();
            self.was_written = true;
        }
    }

    /// Whether nothing came for so long that nothing more will, unless someone has it open still.
    fn is_quiet(&self) -> bool {
        let age = self.since.elapsed();
        // Who saves in place empties a file first.
        let is_saved = self.was_written && self.look.0 > 0 && age > QUIET;
        is_saved || age > WATCHED
    }

    /// Puts what the author saved in the place of what was written over it, which goes to the trash. Where
    /// something else is there by now, what the author saved goes there. What comes later is another save.
    fn give_back(&mut self) -> io::Result<()> {
        self.since = Instant::now();
        if !std::mem::take(&mut self.was_written) {
            return Ok(());
        }
        let mut saved = Vec::new();
        self.file.rewind()?;
        self.file.read_to_end(&mut saved)?;
        let place = self.path.on_disk(&self.root);
        let now = Timestamp::now();
        let held = fs::read(&place).ok();
        if saved.is_empty() || held.as_ref() == Some(&saved) {
            return Ok(());
        }
        if held.as_ref() == Some(&self.new) {
            trash::keep_in_trash(&self.root, &self.path, now)?;
            if replace_if(&place, &self.new, &saved)? == Replaced::Done {
                self.new = saved;
                return Ok(());
            }
        }
        trash::write_to_trash(&self.root, &self.path, &saved, now)
    }
}
