//! Writes of the APIs. Each write is prepared before any file changes, can be undone, and is marked
//! while it runs.

mod displaced;
mod incoming;
mod prepared;
mod replacement;
mod under_way;

pub use displaced::most_held;
pub use incoming::Incoming;
pub use prepared::{Prepared, TrashScope};
pub use under_way::UnderWay;

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
