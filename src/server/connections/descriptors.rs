//! Computes the maximum number of connections from the process's limit of open files.

use edit::transaction::{limit, most_held};

/// Maximum number of files that the server itself opens: for a read of the site, a write and the
/// databases. Files that are open from the start, and files that writes hold open, are counted
/// separately.
const OWN: u64 = 16;

/// Number of files per connection: the socket, and an upload or download.
const OF_A_CONNECTION: u64 = 2;

/// Minimum number of connections. A browser opens six to show a page.
const FEWEST: u64 = 8;

/// Maximum number of connections, whatever the limit of open files.
const MOST: u64 = 1024;

/// Returns the maximum number of connections of this process.
pub fn room() -> usize {
    let room = limit().map_or(MOST, |limit| connections(limit, open()));
    usize::try_from(room).unwrap_or(usize::MAX)
}

fn connections(limit: u64, open: u64) -> u64 {
    let left = limit.saturating_sub(open + OWN + most_held(Some(limit)));
    (left / OF_A_CONNECTION).clamp(FEWEST, MOST)
}

/// Returns the number of files that the process has open.
fn open() -> u64 {
    std::fs::read_dir("/proc/self/fd").map_or(OWN, |all| all.count() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_left_for_the_server_itself() {
        assert_eq!(connections(1024, 24), 460);
        assert_eq!(connections(64, 20), 12);
        assert_eq!(connections(20, 20), FEWEST);
        assert_eq!(connections(1 << 20, 20), MOST);
    }
}
