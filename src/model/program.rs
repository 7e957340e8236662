//! Which program this is.

use std::sync::OnceLock;

static SOURCES: OnceLock<u64> = OnceLock::new();

/// Names this program by a hash of its sources, once, before anything is read.
pub fn is_made_of(sources: u64) {
    let _ = SOURCES.set(sources);
}

/// The hash of the program's sources: local state of another program may have another meaning. It is 0 in tests,
/// which call the rooms without the program.
pub fn program() -> u64 {
    SOURCES.get().copied().unwrap_or_default()
}
