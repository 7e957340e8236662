//! Stamps of paths. A comparison of two stamps of the same path shows whether the file may have
//! changed in between, without reading the file.

use std::fs::{self, Metadata};
use std::hash::Hash;
use std::path::Path;
use std::time::{Duration, SystemTime};

use borsh::{BorshDeserialize, BorshSerialize};
use xxhash_rust::xxh3::Xxh3Default;

use model::SitePath;

/// Minimum time since a file was last touched for its stamp to be reliable. A more recent file
/// could change again within the same tick of the disk's clock, and keep the same times.
const MIN_RELIABLE_AGE: Duration = Duration::from_millis(100);

/// The state of a path when it was checked.
#[derive(BorshDeserialize, BorshSerialize, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stamp {
    /// The path does not exist, or cannot be checked.
    Missing,
    /// A folder, or something else that is not a file.
    NotAFile,
    /// A file that was touched so recently that a later version may have the same times.
    Young,
    File {
        /// Length in bytes.
        length: u64,
        /// Time when the file's content was written, in nanoseconds since 1970.
        modified: u128,
        /// Time of its last change, see [`touched`].
        touched: i128,
        /// The inode number, or 0 if the system has no inode numbers.
        inode: u64,
    },
}

/// The facts about a path from the file system.
#[derive(Debug, Clone, Copy)]
pub struct FileFacts {
    pub is_file: bool,
    /// Length in bytes.
    pub length: u64,
    modified: u128,
    touched: i128,
    inode: u64,
}

impl FileFacts {
    pub fn of(facts: &Metadata) -> Self {
        Self {
            is_file: facts.is_file(),
            length: facts.len(),
            modified: facts.modified().map_or(0, since_1970),
            touched: touched(facts),
            inode: inode(facts),
        }
    }

    /// Converts the result of the Linux system call.
    #[cfg(target_os = "linux")]
    pub(super) fn of_system(facts: &rustix::fs::Stat) -> Self {
        let nanoseconds = |seconds, part| i128::from(seconds) * 1_000_000_000 + i128::from(part);
        let modified = nanoseconds(facts.st_mtime, facts.st_mtime_nsec);
        Self {
            is_file: rustix::fs::FileType::from_raw_mode(facts.st_mode).is_file(),
            length: u64::try_from(facts.st_size).unwrap_or_default(),
            modified: u128::try_from(modified).unwrap_or_default(),
            touched: nanoseconds(facts.st_ctime, facts.st_ctime_nsec),
            inode: facts.st_ino,
        }
    }

    pub fn stamp(self) -> Stamp {
        if !self.is_file {
            return Stamp::NotAFile;
        }
        let Self { length, modified, touched, inode, .. } = self;
        let newest = u128::try_from(touched).map_or(0, |at| if at == 0 { modified } else { at });
        if newest + MIN_RELIABLE_AGE.as_nanos() > since_1970(SystemTime::now()) {
            return Stamp::Young;
        }
        Stamp::File { length, modified, touched, inode }
    }

    /// Returns a hash that distinguishes this version of the file from other versions, unless both
    /// were made within one tick of the disk's clock. The hash is never 0.
    pub fn version(self) -> u64 {
        let mut version = Xxh3Default::new();
        (self.length, self.modified, self.touched, self.inode).hash(&mut version);
        version.digest().max(1)
    }
}

fn since_1970(time: SystemTime) -> u128 {
    let since = time.duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap_or_default().as_nanos()
}

impl Stamp {
    /// Returns the stamp of a path. Links are followed.
    pub fn of(path: &Path) -> Self {
        fs::metadata(path).map_or(Self::Missing, |facts| FileFacts::of(&facts).stamp())
    }

    /// Returns whether the path certainly still has the same content.
    pub fn holds(self, path: &Path) -> bool {
        self != Self::Young && self == Self::of(path)
    }
}

/// Returns the time when a file's bytes, name or attributes last changed, in nanoseconds since
/// 1970. Returns 0 if the system does not record this time. No program can set this time back. The
/// modification time is less reliable, because `cp -p`, `rsync -t` and `touch -d` set it to an old
/// time.
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

/// A path that was looked up, and its stamp.
pub type Lookup = (SitePath, Stamp);
