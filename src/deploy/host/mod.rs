//! Hosts with a custom API that publish a whole site at once, or not at all.
//!
//! They store files by digest and report which digests they lack, so no deploy record is needed on
//! either side.

mod api;
mod cloudflare;
mod netlify;

use std::fs;
use std::sync::Mutex;

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use super::{Deployed, Fault, LocalFile, Plan};
use builder::Progress;

pub use cloudflare::CloudflarePages;
pub use netlify::Netlify;

/// A host that publishes a whole site at once.
pub trait Host {
    /// Compares the site with the published one and returns the differences. Returns an error for
    /// files that the host does not accept.
    fn look<'a>(&mut self, here: &'a [LocalFile]) -> Result<Plan<'a>, Fault>;

    /// Publishes the files that [`look`](Self::look) compared. After an error or a kill, the
    /// previous site stays public.
    fn publish(
        &mut self,
        here: &[LocalFile],
        plan: &Plan<'_>,
        progress: &dyn Progress,
    ) -> Result<Deployed, Fault>;
}

/// Maximum number of parallel requests.
const AT_ONCE: usize = 4;

/// Files larger than this many bytes are processed one at a time, because each is held in memory.
const LARGE: u64 = 16 * 1024 * 1024;

/// Returns the digest of each file, computed by the host's method.
fn digests(
    here: &[LocalFile],
    digest: impl Fn(&LocalFile, &[u8]) -> String + Sync,
) -> Result<Vec<String>, Fault> {
    let large = Mutex::new(());
    here.par_iter()
        .map(|file| {
            let _alone = (file.length > LARGE).then(|| large.lock());
            read(file).map(|bytes| digest(file, &bytes))
        })
        .collect()
}

/// Reads a file, and returns an error if it changed since it was listed.
fn read(file: &LocalFile) -> Result<Vec<u8>, Fault> {
    let bytes =
        fs::read(&file.on_disk).map_err(|error| Fault::unread(file.on_disk.display(), &error))?;
    match file.is_unchanged() {
        true => Ok(bytes),
        false => Err(Fault::changed(&file.path)),
    }
}

/// Calls `deed` for each element, a few in parallel. Starts no more calls after a fault.
fn each<T: Sync>(
    all: &[T],
    deed: impl Fn(&T) -> Result<(), Fault> + Send + Sync,
) -> Result<(), Fault> {
    let pool = ThreadPoolBuilder::new().num_threads(AT_ONCE).build();
    match pool {
        Ok(pool) => pool.install(|| all.par_iter().try_for_each(deed)),
        Err(_) => all.iter().try_for_each(deed),
    }
}

/// Returns the fault for a file that exceeds the host's size limit.
fn too_large(file: &LocalFile, host: &str, most: u64) -> Fault {
    let mib = |bytes: u64| bytes as f64 / (1024.0 * 1024.0);
    let help = match file.path.starts_with("media/") {
        true => {
            "give media a separate destination: set [deploy.media] and [media] base_url in site.toml"
        }
        false => "make the file smaller, or choose another destination",
    };
    let message = format!(
        "{} is too large: it has {:.1} MiB, and {host} allows at most {:.0} MiB per file",
        file.path,
        mib(file.length),
        mib(most)
    );
    Fault::lasting(message, help)
}
