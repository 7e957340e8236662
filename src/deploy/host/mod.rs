//! Hosts with an API of their own, which take a site as a whole: all of it is shown at once, or none.
//!
//! They keep files by their digests, and say themselves which they lack: nothing is noted, here or there.

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

/// A host that takes a site as a whole.
pub trait Host {
    /// Looks at what is there, and says what differs. Refuses what the host would not take.
    fn look<'a>(&mut self, here: &'a [LocalFile]) -> Result<Plan<'a>, Fault>;

    /// Publishes the files that were looked at. After an error or a kill, what was there is there.
    fn publish(
        &mut self,
        here: &[LocalFile],
        plan: &Plan<'_>,
        progress: &dyn Progress,
    ) -> Result<Deployed, Fault>;
}

/// How many requests are under way at once.
const AT_ONCE: usize = 4;

/// Larger files are sent one at a time, in bytes: each is held in memory.
const LARGE: u64 = 16 * 1024 * 1024;

/// The digest of each file, as the host counts it.
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

/// The bytes of a file, if they are still those that were looked at.
fn read(file: &LocalFile) -> Result<Vec<u8>, Fault> {
    let bytes =
        fs::read(&file.on_disk).map_err(|error| Fault::unread(file.on_disk.display(), &error))?;
    match file.is_unchanged() {
        true => Ok(bytes),
        false => Err(Fault::changed(&file.path)),
    }
}

/// Does something for each, a few at a time. After a fault, no more is begun.
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

/// What a file is told that a host does not take.
fn too_large(file: &LocalFile, host: &str, most: u64) -> Fault {
    let mib = |bytes: u64| bytes as f64 / (1024.0 * 1024.0);
    let help = match file.path.starts_with("media/") {
        true => {
            "give media a place of their own: [deploy.media] in site.toml, with [media] base_url"
        }
        false => "make the file smaller, or deploy elsewhere",
    };
    let message = format!(
        "{} has {:.1} MiB, and {host} takes files of up to {:.0} MiB",
        file.path,
        mib(file.length),
        mib(most)
    );
    Fault::lasting(message, help)
}
