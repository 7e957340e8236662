//! How many connections there may be at once, given how many files the process may have open.

use edit::transaction::{limit, most_held};

/// Files that the server itself opens at most: for a read of the site, a write, the databases. Files
/// that are open from the start, and those that writes hold open, are counted apart.
const OWN: u64 = 16;

/// A connection is one file, and may upload or download another.
const OF_A_CONNECTION: u64 = 2;

/// Enough for a browser to show a page: it opens six.
const FEWEST: u64 = 8;

/// Most connections in any case.
const MOST: u64 = 1024;

/// How many connections this process has room for.
pub fn room() -> usize {
    let room = limit().map_or(MOST, |limit| connections(limit, open()));
    usize::try_from(room).unwrap_or(usize::MAX)
}

fn connections(limit: u64, open: u64) -> u64 {
    let left = limit.saturating_sub(open + OWN + most_held(Some(limit)));
    (left / OF_A_CONNECTION).clamp(FEWEST, MOST)
}

/// How many files the process has open.
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
