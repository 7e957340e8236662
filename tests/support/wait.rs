//! Waits for conditions, with a deadline. No other file of the tests sleeps: `tests/architecture` checks it.

use std::fs::Metadata;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

/// Maximum time to wait for what has to happen, on a busy machine too.
pub const MAX_WAIT: Duration = Duration::from_secs(30);

/// The time between two looks.
const POLL: Duration = Duration::from_millis(5);

/// The age at which a build trusts the times of a file: a little more than `SETTLED` in `src/source/stamp.rs`.
const SETTLED: Duration = Duration::from_millis(120);

/// Waits until a condition holds.
#[track_caller]
pub fn until(holds: impl FnMut() -> bool) {
    assert!(within(MAX_WAIT, holds), "it did not happen in {MAX_WAIT:?}");
}

/// Whether a condition comes to hold within a time.
pub fn within(time: Duration, mut holds: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    loop {
        if holds() {
            return true;
        }
        if start.elapsed() > time {
            return false;
        }
        thread::sleep(POLL);
    }
}

/// Waits until there is a value.
#[track_caller]
pub fn some<T>(mut find: impl FnMut() -> Option<T>) -> T {
    let mut found = None;
    until(|| {
        found = find();
        found.is_some()
    });
    found.unwrap()
}

/// Waits until all files below a folder are old enough for a build to trust their times.
#[track_caller]
pub fn settled(folder: &Path) {
    until(|| {
        walkdir::WalkDir::new(folder)
            .into_iter()
            .filter_map(|entry| entry.ok()?.metadata().ok())
            .filter_map(|facts| SystemTime::now().duration_since(touched(&facts)).ok())
            .all(|age| age > SETTLED)
    });
}

#[cfg(unix)]
fn touched(facts: &Metadata) -> SystemTime {
    use std::os::unix::fs::MetadataExt;
    let seconds = Duration::from_secs(facts.ctime().unsigned_abs());
    SystemTime::UNIX_EPOCH + seconds + Duration::from_nanos(facts.ctime_nsec().unsigned_abs())
}

#[cfg(not(unix))]
fn touched(facts: &Metadata) -> SystemTime {
    facts.modified().unwrap()
}

/// Lets time pass where time itself is the input: a client or an author who is slow, a kill at an arbitrary instant.
/// Never use it to wait for a result. The files that may call it are listed in `tests/architecture/test_files.rs`.
pub fn pause(time: Duration) {
    thread::sleep(time);
}
