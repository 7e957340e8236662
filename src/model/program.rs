//! The identity of the running program.

use std::sync::OnceLock;

static SOURCES: OnceLock<u64> = OnceLock::new();

/// Sets the hash of the program's sources. The program calls this once, before it reads any file.
pub fn set_sources_hash(sources: u64) {
    let _ = SOURCES.set(sources);
}

/// Returns the hash of the program's sources. Another version of the program may interpret caches
/// differently. The hash is 0 in tests, which call the library without the program.
pub fn program() -> u64 {
    SOURCES.get().copied().unwrap_or_default()
}
