//! Ensures that only one process serves a site, because two processes would not see each other's
//! writes.

use std::fmt;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use local::local_folder;

/// Maximum time to wait until another process, which has just claimed the site, has written its
/// address.
const ADDRESS_TIMEOUT: Duration = Duration::from_secs(1);

/// The right to serve a site and to write to it: a lock on a file, which only one process can hold.
/// The operating system releases the lock when the process ends, even after a crash.
pub struct Claim {
    /// `None` if the disk does not support locks.
    lock: Option<File>,
    address_file: PathBuf,
}

/// The process that has claimed a site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherServer {
    /// The id of the process, if known.
    pub process: Option<u32>,
    /// The address that the process listens on, if known.
    pub address: Option<String>,
}

impl Claim {
    /// Claims the site at `root`. Returns an error if another process has claimed the site.
    pub fn acquire(root: &Path) -> Result<Self, OtherServer> {
        let Ok(folder) = local_folder(root) else {
            return Ok(Self::without_lock(root));
        };
        let address_file = folder.join("serving");
        let options = File::options().create(true).append(true).clone();
        let Ok(lock) = options.open(folder.join("serving.lock")) else {
            return Ok(Self::without_lock(root));
        };
        let start = Instant::now();
        loop {
            match lock.try_lock() {
                Ok(()) => {
                    let claim = Self { lock: Some(lock), address_file };
                    claim.record_address("");
                    return Ok(claim);
                }
                Err(TryLockError::Error(_)) => return Ok(Self::without_lock(root)),
                Err(TryLockError::WouldBlock) => {}
            }
            let taken = OtherServer::read(&address_file);
            if taken.address.is_some() || start.elapsed() > ADDRESS_TIMEOUT {
                return Err(taken);
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Records the address at which the site is served.
    pub fn record_address(&self, address: &str) {
        // If the file cannot be written, the error message of another process lacks the address.
        let _ = fs::write(&self.address_file, format!("{}\n{address}\n", std::process::id()));
    }

    fn without_lock(root: &Path) -> Self {
        Self { lock: None, address_file: root.join(".feedwright/serving") }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // Remove the file before releasing the lock. Otherwise, the file could already belong to
        // the next process.
        if self.lock.is_some() {
            let _ = fs::remove_file(&self.address_file);
        }
    }
}

impl OtherServer {
    /// Returns the process that serves the site at `root`, or `None` if there is none.
    pub fn of(root: &Path) -> Option<Self> {
        let folder = root.join(".feedwright");
        let lock = File::open(folder.join("serving.lock")).ok()?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => Some(Self::read(&folder.join("serving"))),
            _ => None,
        }
    }

    fn read(address_file: &Path) -> Self {
        let text = fs::read_to_string(address_file).unwrap_or_default();
        let mut lines = text.lines();
        Self {
            process: lines.next().and_then(|line| line.parse().ok()),
            address: lines.next().filter(|line| !line.is_empty()).map(str::to_owned),
        }
    }
}

impl fmt::Display for OtherServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.process {
            Some(process) => write!(f, "process {process} already serves this site")?,
            None => f.write_str("another process already serves this site")?,
        }
        match &self.address {
            Some(address) => write!(f, ", at {address}/"),
            None => Ok(()),
        }
    }
}
