//! Watches the site's files and brings what changed into the next moment.
//!
//! The system tells of each change as it happens, and it is noted at once, so that a request that
//! comes then is answered with it. What no request asked for is read after a short quiet. Where the
//! system cannot tell, the files are looked at every second.

mod files;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{ErrorKind, Event, EventKind, RecommendedWatcher, Watcher};

use super::live::Live;
use super::news::News;
use crate::model::SitePath;
use crate::source::disk::SAVING;
use files::{Places, is_top, site_path};

/// How long it has to be quiet before files are read: a save is several events.
const QUIET: Duration = Duration::from_millis(10);
/// How long a storm of events can keep files from being read.
const PATIENCE: Duration = Duration::from_millis(50);
/// How often it is checked that what is watched is still what there is.
const TICK: Duration = Duration::from_secs(1);
/// When a new folder is looked at again: files that were made in it before it was watched were told
/// by nobody.
const SECOND_LOOK: Duration = Duration::from_millis(200);

/// How changes are noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Means {
    /// The system tells.
    Events,
    /// The files are looked at every second.
    Polling,
}

/// Watches until it is dropped.
#[derive(Debug)]
pub struct Watch {
    signals: Sender<Signal>,
}

impl Watch {
    /// Starts to watch a site.
    pub fn start(live: Arc<Live>, means: Means) -> Self {
        let (signals, received) = channel();
        let eyes = Watching {
            live,
            signals: signals.clone(),
            received,
            eyes: Eyes::Closed,
            again: None,
        };
        thread::spawn(move || eyes.run(means));
        Self { signals }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // The thread may have ended by itself.
        let _ = self.signals.send(Signal::Stop);
    }
}

/// What the watching thread is told.
#[derive(Debug)]
enum Signal {
    /// Something was noted.
    Touched,
    /// A folder came.
    Folder(SitePath),
    /// A folder that is watched by itself came or went.
    Replaced,
    /// The system cannot tell of changes any more.
    Blind(String),
    Stop,
}

enum Eyes {
    Closed,
    /// The system tells of these places, as long as the watcher lives.
    Open {
        places: Places,
        _watcher: RecommendedWatcher,
    },
    /// How the files looked.
    Polling(u64),
}

struct Watching {
    live: Arc<Live>,
    signals: Sender<Signal>,
    received: Receiver<Signal>,
    eyes: Eyes,
    /// Files and folders to look at again, and when.
    again: Option<(Instant, Vec<SitePath>)>,
}

impl Watching {
    fn run(mut self, means: Means) {
        match means {
            Means::Events => self.open(),
            Means::Polling => self.close(),
        }
        loop {
            match self.received.recv_timeout(self.patience()) {
                Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Ok(signal) => {
                    if self.take(signal, Instant::now() + PATIENCE) {
                        return;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.look_around();
            self.look_again();
            // A panic was said on the terminal; what caused it may be mended by the next save.
            let _ = catch_unwind(AssertUnwindSafe(|| self.catch_up()));
        }
    }

    fn patience(&self) -> Duration {
        let again = self.again.as_ref();
        let again = again.map(|(at, _)| at.saturating_duration_since(Instant::now()));
        let next = self.live.now().next.map(|date| {
            let left = date.duration_since(Timestamp::now());
            Duration::try_from(left).unwrap_or_default()
        });
        [again, next]
            .into_iter()
            .flatten()
            .fold(TICK, Duration::min)
    }

    /// Takes a signal and those that come with it. Answers whether it is time to stop.
    fn take(&mut self, first: Signal, latest: Instant) -> bool {
        let mut signal = first;
        let mut replaced = false;
        loop {
            match signal {
                Signal::Stop => return true,
                Signal::Touched => {}
                Signal::Folder(path) => {
                    let at = Instant::now() + SECOND_LOOK;
                    let (again, folders) = self.again.get_or_insert((at, Vec::new()));
                    *again = at;
                    folders.push(path);
                }
                Signal::Replaced => replaced = true,
                Signal::Blind(why) => self.poll(why),
            }
            let left = latest.saturating_duration_since(Instant::now());
            match self.received.recv_timeout(QUIET.min(left)) {
                Ok(next) => signal = next,
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return true,
            }
        }
        if replaced && matches!(self.eyes, Eyes::Open { .. }) {
            self.open();
        }
        false
    }

    fn catch_up(&mut self) {
        let moment = self.live.newest();
        let half_written = self.live.half_written();
        if !half_written.is_empty() {
            let (_, files) = self
                .again
                .get_or_insert((Instant::now() + SAVING, Vec::new()));
            files.extend(half_written);
        }
        if moment.next.is_some_and(|date| date <= Timestamp::now()) {
            self.live.pass_time();
        }
    }

    /// Checks that what is watched is what there is.
    fn look_around(&mut self) {
        match &self.eyes {
            Eyes::Closed => {}
            Eyes::Open { places, .. } => {
                if *places != Places::of(&self.live) {
                    self.open();
                }
            }
            Eyes::Polling(before) => {
                let looks = files::looks(&self.live);
                if looks != *before {
                    self.eyes = Eyes::Polling(looks);
                    self.live.touch_everything();
                }
            }
        }
    }

    fn look_again(&mut self) {
        let due = |(at, _): &mut (Instant, Vec<SitePath>)| *at <= Instant::now();
        for folder in self
            .again
            .take_if(due)
            .map_or(Vec::new(), |(_, folders)| folders)
        {
            self.live.touch(folder);
        }
    }

    /// Watches what there is now, and looks at everything: what happened before was told by nobody.
    fn open(&mut self) {
        let mut places = Places::of(&self.live);
        match self.watcher(&mut places) {
            Ok(_watcher) => self.eyes = Eyes::Open { places, _watcher },
            Err(error) => self.poll(why(&error)),
        }
        self.live.touch_everything();
    }

    /// Watches these places, less those that went away meanwhile.
    fn watcher(&self, places: &mut Places) -> notify::Result<RecommendedWatcher> {
        let live = Arc::clone(&self.live);
        let signals = self.signals.clone();
        let roots = files::roots(live.root());
        let tell = move |event| note(&live, &roots, &signals, event);
        let mut watcher = notify::recommended_watcher(tell)?;
        let mut failed = Ok(());
        places.retain(|folder, mode| match watcher.watch(folder, mode) {
            Ok(()) => true,
            // It, or a folder in it, went away just now. Forgotten, it is looked for again.
            Err(error) if matches!(error.kind, ErrorKind::PathNotFound) => false,
            Err(error) => {
                failed = Err(error);
                true
            }
        });
        failed?;
        Ok(watcher)
    }

    fn poll(&mut self, why: String) {
        if matches!(self.eyes, Eyes::Polling(_)) {
            return;
        }
        self.close();
        self.live.tell(News::Polling(why));
    }

    /// Looks at the files from now on, first for what happened before.
    fn close(&mut self) {
        self.eyes = Eyes::Polling(files::looks(&self.live));
        self.live.touch_everything();
    }
}

/// Notes an event of the system.
fn note(live: &Live, roots: &[PathBuf], signals: &Sender<Signal>, event: notify::Result<Event>) {
    // Where nobody receives any more, nobody needs to know.
    let tell = |signal| drop(signals.send(signal));
    let event = match event {
        Ok(event) => event,
        Err(error) => return tell(Signal::Blind(why(&error))),
    };
    if event.need_rescan() {
        live.touch_everything();
        tell(Signal::Touched);
    }
    let written = EventKind::Access(AccessKind::Close(AccessMode::Write));
    if event.kind.is_access() && event.kind != written {
        return;
    }
    let comes_or_goes = matches!(
        event.kind,
        EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_))
    );
    for path in &event.paths {
        let Some(known) = site_path(roots, path) else {
            continue;
        };
        if comes_or_goes && is_top(&known) {
            tell(Signal::Replaced);
        } else if comes_or_goes && is_folder(path) {
            tell(Signal::Folder(known.clone()));
        }
        live.touch(known);
        tell(Signal::Touched);
    }
}

fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|facts| facts.is_dir())
}

/// Why the system cannot tell.
fn why(error: &notify::Error) -> String {
    match error.kind {
        ErrorKind::MaxFilesWatch => {
            "the system watches as many folders as it may (fs.inotify.max_user_watches)".into()
        }
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests;
