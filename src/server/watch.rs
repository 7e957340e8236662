//! Watches the site's files and reads changes into the next [`Moment`](super::Moment).
//!
//! The system reports each change as it happens. The change is recorded immediately, so that the
//! next request sees it. Without a request, the files are read after a short pause. If the system
//! cannot report changes, all files are checked every second.

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
use super::serve_event::ServeEvent;
use files::{WatchedFolders, is_top, site_path};
use model::SitePath;
use source::disk::MAX_SAVE_DURATION;

/// The pause after the last event before files are read. One save causes several events.
const DEBOUNCE: Duration = Duration::from_millis(10);
/// Maximum time that a stream of events can delay reading the files.
const MAX_DELAY: Duration = Duration::from_millis(50);
/// Interval at which the list of watched folders is checked.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);
/// The delay after which a new folder is read again. Files created in it before it was watched
/// caused no event.
const REREAD_DELAY: Duration = Duration::from_millis(200);

/// The method for detecting changed files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WatchMethod {
    Events,
    /// All files are checked every second.
    Polling,
}

/// A watch on a site's files that lasts until it is dropped.
#[derive(Debug)]
pub struct Watch {
    signals: Sender<Signal>,
}

impl Watch {
    /// Starts watching a site.
    pub fn start(live: Arc<Live>, method: WatchMethod) -> Self {
        let (signals, received) = channel();
        let thread = WatchThread {
            live,
            signals: signals.clone(),
            received,
            watched: Watched::Nothing,
            reread_later: None,
        };
        thread::spawn(move || thread.run(method));
        Self { signals }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        // The thread may have ended already.
        let _ = self.signals.send(Signal::Stop);
    }
}

/// A message to the watching thread.
#[derive(Debug)]
enum Signal {
    Touched,
    Folder(SitePath),
    /// A folder in the site's root appeared or disappeared.
    Replaced,
    /// The system can no longer report changes, for this reason.
    Failed(String),
    Stop,
}

enum Watched {
    /// Watching has not started yet.
    Nothing,
    /// The system reports changes in these folders until the watcher is dropped.
    Events { folders: WatchedFolders, _watcher: RecommendedWatcher },
    /// The fingerprint of all files at the last check.
    Polling(u64),
}

struct WatchThread {
    live: Arc<Live>,
    signals: Sender<Signal>,
    received: Receiver<Signal>,
    watched: Watched,
    /// Files and folders to read again, and the time when they are due.
    reread_later: Option<(Instant, Vec<SitePath>)>,
}

impl WatchThread {
    fn run(mut self, method: WatchMethod) {
        match method {
            WatchMethod::Events => self.follow_events(),
            WatchMethod::Polling => self.start_polling(),
        }
        loop {
            match self.received.recv_timeout(self.receive_timeout()) {
                Ok(Signal::Stop) | Err(RecvTimeoutError::Disconnected) => return,
                Ok(signal) => {
                    if self.handle(signal, Instant::now() + MAX_DELAY) {
                        return;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            self.check_watched();
            self.touch_due();
            // The terminal shows the panic. The next save may fix its cause.
            let _ = catch_unwind(AssertUnwindSafe(|| self.catch_up()));
        }
    }

    fn receive_timeout(&self) -> Duration {
        let reread_later = self.reread_later.as_ref();
        let reread_later = reread_later.map(|(at, _)| at.saturating_duration_since(Instant::now()));
        let next = self.live.now().next.map(|date| {
            let left = date.duration_since(Timestamp::now());
            Duration::try_from(left).unwrap_or_default()
        });
        [reread_later, next].into_iter().flatten().fold(CHECK_INTERVAL, Duration::min)
    }

    /// Handles a signal and all signals that follow immediately. Returns whether to stop.
    fn handle(&mut self, first: Signal, latest: Instant) -> bool {
        let mut signal = first;
        let mut replaced = false;
        loop {
            match signal {
                Signal::Stop => return true,
                Signal::Touched => {}
                Signal::Folder(path) => {
                    let at = Instant::now() + REREAD_DELAY;
                    let (reread_later, folders) = self.reread_later.get_or_insert((at, Vec::new()));
                    *reread_later = at;
                    folders.push(path);
                }
                Signal::Replaced => replaced = true,
                Signal::Failed(failure_reason) => self.fall_back_to_polling(failure_reason),
            }
            let left = latest.saturating_duration_since(Instant::now());
            match self.received.recv_timeout(DEBOUNCE.min(left)) {
                Ok(next) => signal = next,
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => return true,
            }
        }
        if replaced && matches!(self.watched, Watched::Events { .. }) {
            self.follow_events();
        }
        false
    }

    fn catch_up(&mut self) {
        let moment = self.live.newest();
        let half_written = self.live.half_written();
        if !half_written.is_empty() {
            let (_, files) =
                self.reread_later.get_or_insert((Instant::now() + MAX_SAVE_DURATION, Vec::new()));
            files.extend(half_written);
        }
        if moment.next.is_some_and(|date| date <= Timestamp::now()) {
            self.live.advance_time();
        }
    }

    /// If the system reports changes, checks whether the list of folders to watch has changed. If
    /// the files are polled, checks whether any file has changed.
    fn check_watched(&mut self) {
        match &self.watched {
            Watched::Nothing => {}
            Watched::Events { folders, .. } => {
                if *folders != WatchedFolders::of(&self.live) {
                    self.follow_events();
                }
            }
            Watched::Polling(before) => {
                let fingerprint = files::fingerprint(&self.live);
                if fingerprint != *before {
                    self.watched = Watched::Polling(fingerprint);
                    self.live.touch_all();
                }
            }
        }
    }

    fn touch_due(&mut self) {
        let due = |(at, _): &mut (Instant, Vec<SitePath>)| *at <= Instant::now();
        for folder in self.reread_later.take_if(due).map_or(Vec::new(), |(_, folders)| folders) {
            self.live.touch(folder);
        }
    }

    /// Watches the folders that exist now. Marks all files as touched, because earlier changes were
    /// not reported.
    fn follow_events(&mut self) {
        let mut folders = WatchedFolders::of(&self.live);
        match self.watcher(&mut folders) {
            Ok(_watcher) => self.watched = Watched::Events { folders, _watcher },
            Err(error) => self.fall_back_to_polling(failure_reason(&error)),
        }
        self.live.touch_all();
    }

    /// Creates a watcher for these folders. Removes folders that no longer exist from the list.
    fn watcher(&self, folders: &mut WatchedFolders) -> notify::Result<RecommendedWatcher> {
        let live = Arc::clone(&self.live);
        let signals = self.signals.clone();
        let roots = files::roots(live.root());
        let announce = move |event| note_event(&live, &roots, &signals, event);
        let mut watcher = notify::recommended_watcher(announce)?;
        let mut failed = Ok(());
        folders.retain(|folder, mode| match watcher.watch(folder, mode) {
            Ok(()) => true,
            // This folder or a folder in it was just removed. It is dropped from the list, so the
            // next check will add it again if it exists.
            Err(error) if matches!(error.kind, ErrorKind::PathNotFound) => false,
            Err(error) => {
                failed = Err(error);
                true
            }
        });
        failed?;
        Ok(watcher)
    }

    fn fall_back_to_polling(&mut self, failure_reason: String) {
        if matches!(self.watched, Watched::Polling(_)) {
            return;
        }
        self.start_polling();
        self.live.announce(ServeEvent::Polling(failure_reason));
    }

    /// Starts polling the files, and marks all files as touched to include earlier changes.
    fn start_polling(&mut self) {
        self.watched = Watched::Polling(files::fingerprint(&self.live));
        self.live.touch_all();
    }
}

/// Records an event that the system reports.
fn note_event(
    live: &Live,
    roots: &[PathBuf],
    signals: &Sender<Signal>,
    event: notify::Result<Event>,
) {
    // If the thread has ended, the signal is not needed.
    let announce = |signal| drop(signals.send(signal));
    let event = match event {
        Ok(event) => event,
        Err(error) => return announce(Signal::Failed(failure_reason(&error))),
    };
    if event.need_rescan() {
        live.touch_all();
        announce(Signal::Touched);
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
            announce(Signal::Replaced);
        } else if comes_or_goes && is_folder(path) {
            announce(Signal::Folder(known.clone()));
        }
        live.touch(known);
        announce(Signal::Touched);
    }
}

fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|facts| facts.is_dir())
}

/// Returns the reason why the system cannot report changes.
fn failure_reason(error: &notify::Error) -> String {
    match error.kind {
        ErrorKind::MaxFilesWatch => {
            "the system limit for watched folders was reached (fs.inotify.max_user_watches)".into()
        }
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests;
