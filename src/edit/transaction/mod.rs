//! Writes that the APIs promise: each is prepared before anything changes, can be undone, and is marked while it runs.

mod displaced;
mod incoming;
mod prepared;
mod replacement;
mod under_way;

pub use displaced::most_held;
pub use incoming::Incoming;
pub use prepared::{Prepared, TrashScope};
pub use under_way::UnderWay;

/// How many files this process may have open. None if the system sets no limit or does not tell.
#[cfg(target_os = "linux")]
pub fn limit() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Nofile).current
}

#[cfg(not(target_os = "linux"))]
pub fn limit() -> Option<u64> {
    None
}
