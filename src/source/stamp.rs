//! What was at a path when it was looked at: tells later, without reading it, whether a file may be another.

use std::fs::{self, Metadata};
use std::path::Path;
use std::time::{Duration, SystemTime};

use borsh::{BorshDeserialize, BorshSerialize};

use crate::model::SitePath;

/// A file must have been touched longer ago than this for its times to differ from those of a later version:
/// it could change again within the same tick of the disk's clock.
const SETTLED: Duration = Duration::from_millis(100);

/// What was at a path when it was looked at.
#[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stamp {
    /// Nothing, or nothing that can be looked at.
    Missing,
    /// A folder, or something else that is not a file.
    NoFile,
    /// A file that was touched so recently that a later version may have the same times.
    Young,
    File {
        /// In bytes.
        length: u64,
        /// When its bytes were written, in nanoseconds since 1970.
        modified: u128,
        /// See [`touched`].
        touched: i128,
        /// Its number on the disk; 0 where files have none.
        inode: u64,
    },
}

impl Stamp {
    /// Looks at a path. Links are followed.
    pub fn of(path: &Path) -> Self {
        let Ok(facts) = fs::metadata(path) else {
            return Self::Missing;
        };
        if !facts.is_file() {
            return Self::NoFile;
        }
        let since_1970 = |time: SystemTime| {
            let since = time.duration_since(SystemTime::UNIX_EPOCH);
            since.unwrap_or_default().as_nanos()
        };
        let modified = facts.modified().map_or(0, since_1970);
        let touched = touched(&facts);
        let newest = u128::try_from(touched).map_or(0, |at| if at == 0 { modified } else { at });
        if newest + SETTLED.as_nanos() > since_1970(SystemTime::now()) {
            return Self::Young;
        }
        Self::File {
            length: facts.len(),
            modified,
            touched,
            inode: inode(&facts),
        }
    }

    /// Whether the path certainly still holds the same.
    pub fn holds(self, path: &Path) -> bool {
        self != Self::Young && self == Self::of(path)
    }
}

/// When a file's bytes, name or attributes last changed, in nanoseconds since 1970; 0 if the system does not
/// keep it. No program can set this time back, while `cp -p`, `rsync -t` and `touch -d` set an old time of
/// modification.
pub fn touched(facts: &Metadata) -> i128 {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        i128::from(facts.ctime()) * 1_000_000_000 + i128::from(facts.ctime_nsec())
    }
    #[cfg(not(unix))]
    {
        let _ = facts;
        0
    }
}

fn inode(facts: &Metadata) -> u64 {
    #[cfg(unix)]
    {
        std::os::unix::fs::MetadataExt::ino(facts)
    }
    #[cfg(not(unix))]
    {
        let _ = facts;
        0
    }
}

/// A path that was asked about, and what was there.
pub type Asked = (SitePath, Stamp);
