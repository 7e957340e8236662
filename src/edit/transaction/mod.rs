//! Writes that the APIs make to the author's files. Each write is prepared before any file changes,
//! can be undone, and has a marker file while it runs.

mod displaced;
mod incoming;
mod prepared;
mod replacement;
mod write_marker;

pub use displaced::max_watched;
pub use incoming::IncomingFile;
pub use prepared::{Prepared, TrashScope};
pub use write_marker::WriteMarker;

/// Returns the maximum number of open files of this process. Returns `None` if the system sets no
/// limit or does not report it.
#[cfg(target_os = "linux")]
pub fn limit() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Nofile).current
}

#[cfg(not(target_os = "linux"))]
pub fn limit() -> Option<u64> {
    None
}
