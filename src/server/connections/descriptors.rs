//! How many connections there may be at once, of the files that the process may have open.

use crate::edit::{most_held, most_open};

/// Files that the server itself has open at most, besides those that it has from the start and those that
/// writes hold open: a read of the site, a write, the databases.
const OWN: u64 = 16;

/// A connection is one, and may be sent a file or have one sent.
const OF_A_CONNECTION: u64 = 2;

/// As few as let a browser show a page: it asks over six at once.
const FEWEST: u64 = 8;

/// As many as there ever are.
const MOST: u64 = 1024;

/// How many connections this process has room for.
pub fn room() -> usize {
    let room = most_open().map_or(MOST, |limit| connections(limit, open()));
    usize::try_from(room).unwrap_or(usize::MAX)
}

fn connections(limit: u64, open: u64) -> u64 {
    let left = limit.saturating_sub(open + OWN + most_held(Some(limit)));
    (left / OF_A_CONNECTION).clamp(FEWEST, MOST)
}

/// How many it has open.
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
