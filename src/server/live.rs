//! The holder of the newest state of a site: the one place of the server that changes.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::moment::Moment;
use super::news::News;
use super::reading::{Read, Reading};
use crate::build::{Options, Renderings};
use crate::model::{Diagnostic, Report, SitePath};
use crate::site::Snapshot;

/// Holds the newest moment, and makes the next.
pub struct Live {
    options: Options,
    /// Whether nothing is written, neither for the site nor beside it.
    is_read_only: bool,
    now: RwLock<Arc<Moment>>,
    /// Held while files are read into the next moment, and while the API writes them.
    reading: Mutex<Reading>,
    touched: Mutex<Touched>,
    /// Files that are being saved, to be looked at again.
    half_written: Mutex<Vec<SitePath>>,
    /// How many touches the newest moment has, of [`Touched::count`].
    shown: AtomicU64,
    changed: watch::Sender<u64>,
    faults: watch::Sender<Arc<Vec<Diagnostic>>>,
    tell: OnceLock<Box<dyn Fn(News) + Send + Sync>>,
}

/// What was touched on disk and is not in the newest moment yet.
#[derive(Debug, Default)]
pub struct Touched {
    /// Files and folders; a folder stands for everything below it.
    pub paths: BTreeSet<SitePath>,
    /// Whether anything may have been touched.
    pub everything: bool,
    /// How many touches there were since the start.
    count: u64,
}

impl Touched {
    /// Whether nothing was touched.
    pub fn is_nothing(&self) -> bool {
        self.paths.is_empty() && !self.everything
    }

    /// What was touched until now; from now on nothing was.
    fn take(&mut self) -> Self {
        Self {
            paths: std::mem::take(&mut self.paths),
            everything: std::mem::take(&mut self.everything),
            count: self.count,
        }
    }
}

impl Live {
    /// Reads a site. Err only when not even the theme that is always there can be read: what else is
    /// wrong with the site is in the moment.
    pub fn read(options: Options) -> Result<Self, Report> {
        let (reading, read) = Reading::start(options.clone())?;
        Ok(Self {
            now: RwLock::new(Arc::new(Moment::new(0, read))),
            reading: Mutex::new(reading),
            touched: Mutex::default(),
            half_written: Mutex::default(),
            shown: AtomicU64::new(0),
            changed: watch::Sender::new(0),
            faults: watch::Sender::new(Arc::default()),
            tell: OnceLock::new(),
            options,
            is_read_only: false,
        })
    }

    /// Writes nothing from now on, neither for the site nor beside it.
    #[must_use]
    pub fn read_only(mut self) -> Self {
        self.is_read_only = true;
        self
    }

    /// Whether nothing is written.
    pub fn is_read_only(&self) -> bool {
        self.is_read_only
    }

    /// What is kept of the Site Files of a snapshot.
    pub fn renderings<'a>(&self, snapshot: &'a Snapshot) -> Renderings<'a> {
        let renderings = Renderings::of(&self.options, snapshot);
        match self.is_read_only {
            true => renderings.unchanged(),
            false => renderings,
        }
    }

    /// The newest moment.
    pub fn now(&self) -> Arc<Moment> {
        Arc::clone(&self.now.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The newest moment, with all that was touched on disk until now. Not to be called by who holds
    /// the pen.
    pub fn newest(&self) -> Arc<Moment> {
        // While what was touched is being read, nothing is left to read, and nothing of it shown.
        let is_shown = held(&self.touched).count == self.shown.load(Ordering::Acquire);
        match is_shown {
            true => self.now(),
            false => self.pen().catch_up(),
        }
    }

    /// The serial of the newest moment, whenever there is a new one.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Everything that is wrong with the site and doubtful, whenever that is another. It comes a
    /// little after the moment it is about: some of it takes longer to find than a page to render.
    pub fn faults(&self) -> watch::Receiver<Arc<Vec<Diagnostic>>> {
        self.faults.subscribe()
    }

    /// The pen: whoever holds it is the only one that writes files or makes moments.
    pub fn pen(&self) -> Pen<'_> {
        Pen {
            live: self,
            reading: RefCell::new(held(&self.reading)),
        }
    }

    /// The site's root.
    pub fn root(&self) -> &Path {
        &self.options.root
    }

    /// How the site is read.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Notes that a file or folder was touched on disk.
    pub fn touch(&self, path: SitePath) {
        let mut touched = held(&self.touched);
        touched.paths.insert(path);
        touched.count += 1;
    }

    /// Notes that anything may have been touched on disk.
    pub fn touch_everything(&self) {
        let mut touched = held(&self.touched);
        touched.everything = true;
        touched.count += 1;
    }

    /// The files that were left out of the newest moment because they are being saved. Who asks has
    /// to [`touch`](Self::touch) them again, a little later.
    pub fn half_written(&self) -> Vec<SitePath> {
        std::mem::take(&mut held(&self.half_written))
    }

    /// Whom to tell what happens, from any thread. The first one stays.
    pub fn on_news(&self, tell: impl Fn(News) + Send + Sync + 'static) {
        let _ = self.tell.set(Box::new(tell));
    }

    /// Tells what happened.
    pub fn tell(&self, news: News) {
        if let Some(tell) = self.tell.get() {
            tell(news);
        }
    }

    /// Publishes everything that is wrong with the site.
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

/// How long a file may be empty while it is saved.
pub const SAVING: Duration = Duration::from_millis(150);

fn is_being_saved(file: &Path) -> bool {
    let emptied = file
        .metadata()
        .ok()
        .filter(|facts| facts.is_file() && facts.len() == 0)
        .and_then(|facts| facts.modified().ok());
    emptied.is_some_and(|time| time.elapsed().is_ok_and(|age| age < SAVING))
}

/// A thread that panicked while it held a lock left nothing half done that the next look at the
/// files would not mend.
fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The right to write.
pub struct Pen<'a> {
    live: &'a Live,
    reading: RefCell<MutexGuard<'a, Reading>>,
}

impl Pen<'_> {
    /// The newest moment, with all that was touched on disk until now.
    pub fn catch_up(&self) -> Arc<Moment> {
        let touched = self.without_half_written(held(&self.live.touched).take());
        match touched.is_nothing() {
            true => {
                self.live.shown.store(touched.count, Ordering::Release);
                self.live.now()
            }
            false => self.read(&touched),
        }
    }

    /// Reads these files, which were written, made or removed just now, into the newest moment.
    pub fn wrote(&self, paths: &[SitePath]) -> Arc<Moment> {
        let touched = held(&self.live.touched).take();
        let mut touched = self.without_half_written(touched);
        touched.paths.extend(paths.iter().cloned());
        self.read(&touched)
    }

    /// The same files at another time of day: what was dated later than the last moment is out now.
    pub fn pass_time(&self) -> Arc<Moment> {
        let read = self.reading.borrow().again(&self.live.now());
        self.publish(read, || ())
    }

    fn read(&self, touched: &Touched) -> Arc<Moment> {
        let start = Instant::now();
        let read = self.reading.borrow_mut().refresh(touched, &self.live.now());
        let moment = read.map(|read| {
            self.publish(read, || {
                self.live.tell(News::Changed {
                    paths: touched.paths.iter().cloned().collect(),
                    everything: touched.everything,
                    took: start.elapsed(),
                });
            })
        });
        self.live.shown.store(touched.count, Ordering::Release);
        moment.unwrap_or_else(|| self.live.now())
    }

    /// What was touched, but for files that an editor has emptied just now, to write them anew in
    /// place: what they held is what they will most likely hold.
    fn without_half_written(&self, touched: Touched) -> Touched {
        let root = self.live.root();
        let (later, paths) = touched
            .paths
            .into_iter()
            .partition::<BTreeSet<_>, _>(|path| is_being_saved(&path.on_disk(root)));
        held(&self.live.half_written).extend(later);
        Touched { paths, ..touched }
    }

    /// Shows what was read, `tell`s it, and only then lets others look for what is wrong with it.
    fn publish(&self, read: Read, tell: impl FnOnce()) -> Arc<Moment> {
        let serial = self.live.now().serial + 1;
        let moment = Arc::new(Moment::new(serial, read));
        let mut now = self
            .live
            .now
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        *now = Arc::clone(&moment);
        drop(now);
        tell();
        self.live.changed.send_replace(serial);
        moment
    }
}
