//! Computes the maximum number of connections from the process's limit on open files.

use edit::transaction::{limit, max_watched};

/// Maximum number of files that the server opens to read the site, to write to it, and for its
/// databases. Files that are open at startup and files that a write keeps open are counted
/// separately.
const SERVER_FILES: u64 = 16;

/// Maximum number of open files for each connection: the socket, and a file to upload or download.
const FILES_PER_CONNECTION: u64 = 2;

/// Minimum number of connections. A browser opens up to six connections to load a page.
const MIN_CONNECTIONS: u64 = 8;

/// Maximum number of connections, even if the process could open more files.
const MAX_CONNECTIONS: u64 = 1024;

/// Returns the maximum number of connections of this process.
pub fn room() -> usize {
    let room = limit().map_or(MAX_CONNECTIONS, |limit| connections(limit, open()));
    usize::try_from(room).unwrap_or(usize::MAX)
}

fn connections(limit: u64, open: u64) -> u64 {
    let left = limit.saturating_sub(open + SERVER_FILES + max_watched(Some(limit)));
    (left / FILES_PER_CONNECTION).clamp(MIN_CONNECTIONS, MAX_CONNECTIONS)
}

/// Returns the number of files that the process has open.
fn open() -> u64 {
    std::fs::read_dir("/proc/self/fd").map_or(SERVER_FILES, |all| all.count() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_reserves_files_for_itself() {
        assert_eq!(connections(1024, 24), 460);
        assert_eq!(connections(64, 20), 12);
        assert_eq!(connections(20, 20), MIN_CONNECTIONS);
        assert_eq!(connections(1 << 20, 20), MAX_CONNECTIONS);
    }
}
