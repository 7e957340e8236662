//! Holds the newest state of a site. Other modules of the server keep no mutable site state.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::moment::{Moment, ReadSite};
use super::search_files::SearchFiles;
use super::serve_event::ServeEvent;
use super::site_reader::{Refreshed, SiteReader};
use super::touched::Touched;
use model::{Diagnostic, Report, SitePath};
use project::{Options, Renderings};
use render::SearchFile;
use site::Snapshot;
use source::disk::is_saving;

/// How long to wait for a missing file. Some editors delete the old file before they write the new
/// one.
const MISSING_FILE_WAIT: Duration = Duration::from_millis(50);

/// The server waits for missing files only if at most this many files were touched. An editor's
/// save touches only a few files.
const MAX_AWAITED_FILES: usize = 16;

/// Holds the newest [`Moment`], and creates the next one.
pub struct Live {
    options: Options,
    /// Whether all writes are disabled.
    is_read_only: bool,
    now: RwLock<Arc<Moment>>,
    /// Held by a writer from its first read of the site to the end of its write. Readers do not
    /// need this lock.
    write_lock: Mutex<()>,
    /// Held while files are read into the next moment, and while all files of one write are
    /// replaced, so that no moment contains half of a write. A thread must not wait for another
    /// lock or an event while it holds this lock.
    reader: Mutex<SiteReader>,
    touched: Mutex<Touched>,
    /// Files that an editor was still saving when they were read. They must be read again.
    half_written: Mutex<Vec<SitePath>>,
    /// The [`Touched::count`] at the time when the newest [`Moment`] was read.
    shown: AtomicU64,
    changed: watch::Sender<u64>,
    faults: watch::Sender<Arc<Vec<Diagnostic>>>,
    checked: RwLock<Arc<Vec<Diagnostic>>>,
    announce: OnceLock<Box<dyn Fn(ServeEvent) + Send + Sync>>,
    search: SearchFiles,
}

impl Live {
    /// Reads a site. Errors in the site are part of the first [`Moment`]. Returns an error only if
    /// not even the built-in theme can be read.
    pub fn read(options: Options) -> Result<Self, Report> {
        let (reader, read) = SiteReader::start(options.clone())?;
        Ok(Self {
            now: RwLock::new(Arc::new(Moment::new(0, read))),
            write_lock: Mutex::default(),
            reader: Mutex::new(reader),
            touched: Mutex::default(),
            half_written: Mutex::default(),
            shown: AtomicU64::new(0),
            changed: watch::Sender::new(0),
            faults: watch::Sender::new(Arc::default()),
            checked: RwLock::default(),
            announce: OnceLock::new(),
            search: SearchFiles::default(),
            options,
            is_read_only: false,
        })
    }

    /// Disables all later writes, both in the site and in `.feedwright/`.
    #[must_use]
    pub fn read_only(mut self) -> Self {
        self.is_read_only = true;
        self
    }

    /// Whether all writes are disabled.
    pub fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    /// Returns a file of a search index. Returns `None` for an unknown shard.
    pub(super) fn search_file(&self, moment: &Moment, file: &SearchFile) -> Option<Arc<[u8]>> {
        self.search.get(&self.options.root, moment, file)
    }

    /// Returns the last good renderings of the site files of a snapshot.
    pub fn renderings(&self, snapshot: &Snapshot) -> Renderings {
        let renderings = Renderings::of(&self.options, snapshot);
        if self.is_read_only { renderings.without_cache_writes() } else { renderings }
    }

    /// Returns the newest moment.
    pub fn now(&self) -> Arc<Moment> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the newest moment, after reading all files that have been touched on disk.
    pub fn newest(&self) -> Arc<Moment> {
        // Compares counts, not paths: while touched files are being read, the list of paths is
        // empty although the moment is still old.
        let is_shown = lock_recovering(&self.touched).count == self.shown.load(Ordering::Acquire);
        if is_shown { self.now() } else { self.catch_up() }
    }

    /// Returns a channel with the serial number of each new [`Moment`].
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Returns a channel with all errors and warnings that a build would report. The channel is
    /// updated whenever they change. The update comes a little later than the new [`Moment`],
    /// because finding some faults takes longer than rendering a page.
    pub fn faults(&self) -> watch::Receiver<Arc<Vec<Diagnostic>>> {
        self.faults.subscribe()
    }

    /// Waits for the write lock. Only its holder writes files.
    pub fn lock_writes(&self) -> WriteLock<'_> {
        WriteLock { live: self, _held: lock_recovering(&self.write_lock) }
    }

    /// Creates a moment from the same files at the current time. Content scheduled for an earlier
    /// time becomes public.
    pub fn advance_time(&self) -> Arc<Moment> {
        let reader = lock_recovering(&self.reader);
        let read = reader.at_current_time(&self.now());
        self.publish(read, || ())
    }

    /// Caches newly parsed files in `.feedwright/`, so that the next start has fewer files to
    /// parse.
    pub fn save_readings(&self) {
        let unsaved = {
            let mut reader = lock_recovering(&self.reader);
            reader.save_code_cache();
            reader.unsaved()
        };
        for unsaved in unsaved {
            // If the files cannot be cached, the next start parses more files.
            let _ = unsaved.save();
        }
    }

    pub fn root(&self) -> &Path {
        &self.options.root
    }

    /// Returns the options with which the site is read.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Records that a file or folder was touched on disk.
    pub fn touch(&self, path: SitePath) {
        let mut touched = lock_recovering(&self.touched);
        touched.paths.insert(path);
        touched.count += 1;
    }

    /// Records that any file may have been touched on disk.
    pub fn touch_all(&self) {
        let mut touched = lock_recovering(&self.touched);
        touched.everything = true;
        touched.count += 1;
    }

    /// Returns the files that were left out of the newest moment because an editor was saving them,
    /// and empties the list. The caller must [`touch`](Self::touch) these files again a little
    /// later.
    pub fn half_written(&self) -> Vec<SitePath> {
        std::mem::take(&mut lock_recovering(&self.half_written))
    }

    /// Calls `announce`, from any thread, for every event. Only the first call has an effect.
    pub fn on_event(&self, announce: impl Fn(ServeEvent) + Send + Sync + 'static) {
        let _ = self.announce.set(Box::new(announce));
    }

    pub fn announce(&self, event: ServeEvent) {
        if let Some(announce) = self.announce.get() {
            announce(event);
        }
    }

    /// Returns the latest results of `check` for the site.
    pub fn check_results(&self) -> Arc<Vec<Diagnostic>> {
        let said = self.checked.read();
        Arc::clone(&said.unwrap_or_else(PoisonError::into_inner))
    }

    /// Publishes the results of `check` for the site.
    pub(super) fn checked(&self, all: Vec<Diagnostic>) {
        let mut said = self.checked.write().unwrap_or_else(PoisonError::into_inner);
        *said = Arc::new(all);
    }

    /// Publishes all errors and warnings that a build would report.
    pub fn found(&self, faults: Vec<Diagnostic>) {
        self.faults.send_if_modified(|known| {
            let differs = **known != faults;
            if differs {
                *known = Arc::new(faults);
            }
            differs
        });
    }
}

fn is_being_saved(file: &Path) -> bool {
    let facts = file.metadata().ok();
    let emptied = facts.filter(|facts| facts.is_file() && facts.len() == 0);
    emptied.is_some_and(|facts| is_saving(&facts))
}

/// Locks a mutex even if a thread panicked while it held the lock. The next read of the files
/// repairs any incomplete state.
fn lock_recovering<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

pub struct WriteLock<'a> {
    live: &'a Live,
    _held: MutexGuard<'a, ()>,
}

impl WriteLock<'_> {
    /// Returns the newest moment, after reading all files that have been touched on disk.
    pub fn catch_up(&self) -> Arc<Moment> {
        self.live.catch_up()
    }

    /// Calls `put`, which writes the files, and then reads the files at `paths` into a new moment.
    /// Other threads create no moment in between.
    pub fn write<T, E>(
        &self,
        paths: &[SitePath],
        put: impl FnOnce() -> Result<T, E>,
    ) -> Result<(T, Arc<Moment>), E> {
        let mut reader = lock_recovering(&self.live.reader);
        let done = put()?;
        let touched = lock_recovering(&self.live.touched).take();
        let mut touched = self.live.without_half_written(touched);
        touched.paths.extend(paths.iter().cloned());
        Ok((done, self.live.read_into(&mut reader, &touched)))
    }
}

impl Live {
    fn catch_up(&self) -> Arc<Moment> {
        self.wait_for_missing();
        let mut reader = lock_recovering(&self.reader);
        let touched = self.without_half_written(lock_recovering(&self.touched).take());
        if touched.is_untouched() {
            self.shown.store(touched.count, Ordering::Release);
            self.now()
        } else {
            self.read_into(&mut reader, &touched)
        }
    }

    /// Waits briefly for missing content files. Holds no lock while waiting.
    fn wait_for_missing(&self) {
        let latest = Instant::now() + MISSING_FILE_WAIT;
        while self.has_missing_content() && Instant::now() < latest {
            thread::sleep(MISSING_FILE_WAIT / 10);
        }
    }

    /// Whether a content file of the newest [`Moment`] was touched and is now missing.
    fn has_missing_content(&self) -> bool {
        let touched: Vec<SitePath> = match &*lock_recovering(&self.touched) {
            touched if touched.paths.len() > MAX_AWAITED_FILES => return false,
            touched => touched.paths.iter().cloned().collect(),
        };
        let is_gone = |path: &SitePath| !path.on_disk(self.root()).exists();
        let gone: Vec<SitePath> = touched.into_iter().filter(is_gone).collect();
        if gone.is_empty() {
            return false;
        }
        let now = self.now();
        let all = || [&now.sources].into_iter().chain(now.show_sources.values());
        gone.iter().any(|path| all().any(|sources| sources.has_content(path)))
    }

    fn read_into(&self, reader: &mut SiteReader, touched: &Touched) -> Arc<Moment> {
        let start = Instant::now();
        let read = reader.refresh(touched, &self.now());
        lock_recovering(&self.half_written).extend(reader.incomplete_files());
        let moment = match read {
            Refreshed::Same => self.now(),
            Refreshed::Changed(read) => self.publish(*read, || {
                self.announce(ServeEvent::Changed {
                    paths: touched.paths.iter().cloned().collect(),
                    everything: touched.everything,
                    took: start.elapsed(),
                });
            }),
            Refreshed::Gone => {
                self.touch_all();
                return self.now();
            }
        };
        self.shown.store(touched.count, Ordering::Release);
        moment
    }

    /// Removes files that an editor has just emptied in order to rewrite them. The server keeps the
    /// old content of such a file until the editor has rewritten it.
    fn without_half_written(&self, touched: Touched) -> Touched {
        let root = self.root();
        let (later, paths) = touched
            .paths
            .into_iter()
            .partition::<BTreeSet<_>, _>(|path| is_being_saved(&path.on_disk(root)));
        lock_recovering(&self.half_written).extend(later);
        Touched { paths, ..touched }
    }

    /// Makes a newly read site the newest moment, then calls `announce`. The search for faults
    /// starts after that.
    fn publish(&self, read: ReadSite, announce: impl FnOnce()) -> Arc<Moment> {
        let serial = self.now().serial + 1;
        let moment = Arc::new(Moment::new(serial, read));
        let mut now = self.now.write().unwrap_or_else(PoisonError::into_inner);
        let before = std::mem::replace(&mut *now, Arc::clone(&moment));
        drop(now);
        // Dropping a large moment takes time, so another thread drops the old moment.
        rayon::spawn(move || drop(before));
        announce();
        self.changed.send_replace(serial);
        moment
    }
}
