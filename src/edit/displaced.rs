//! Files that were replaced while a program may have had them open. What it writes there later is in a file
//! that has no name any more; it is the author's save all the same, and gets the name back.

use std::fs::{self, File};
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use jiff::Timestamp;

use super::replace::{Replaced, Replacement, replace_if};
use super::trash;
use crate::model::SitePath;

/// How long a replaced file is watched.
const WATCHED: Duration = Duration::from_secs(3);
/// How often it is looked at.
const LOOK: Duration = Duration::from_millis(25);
/// How long nothing more must come until what came is a save.
const QUIET: Duration = Duration::from_millis(100);
/// How many are watched at a time: each takes a file that is open.
const MOST: usize = 64;

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
    if watching.len() >= MOST {
        watching.remove(0);
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
    if watching.len() == 1 {
        thread::spawn(watch);
    }
}

/// Runs as long as there is something to watch.
fn watch() {
    loop {
        thread::sleep(LOOK);
        let mut all = watching();
        all.iter_mut().for_each(Displaced::look);
        let ended: Vec<Displaced> = all.extract_if(.., |one| one.has_ended()).collect();
        let is_last = all.is_empty();
        drop(all);
        for saved in ended.into_iter().filter(|one| one.was_written) {
            // Where even that fails, nobody is there to be told.
            let _ = saved.give_back();
        }
        if is_last {
            return;
        }
    }
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

    /// Whether there is nothing more to wait for.
    fn has_ended(&self) -> bool {
        let age = self.since.elapsed();
        // Who saves in place empties a file first.
        let is_saved = self.was_written && self.look.0 > 0 && age > QUIET;
        is_saved || age > WATCHED
    }

    /// Puts what the author saved in the place of what was written over it, which goes to the trash. Where
    /// something else is there by now, what the author saved goes there.
    fn give_back(mut self) -> io::Result<()> {
        let mut saved = Vec::new();
        self.file.rewind()?;
        self.file.read_to_end(&mut saved)?;
        let place = self.path.on_disk(&self.root);
        let now = Timestamp::now();
        if saved.is_empty() || fs::read(&place).is_ok_and(|held| held == saved) {
            return Ok(());
        }
        if fs::read(&place).is_ok_and(|held| held == self.new) {
            trash::keep_in_trash(&self.root, &self.path, now)?;
            if replace_if(&place, &self.new, &saved)? == Replaced::Done {
                return Ok(());
            }
        }
        trash::write_to_trash(&self.root, &self.path, &saved, now)
    }
}
