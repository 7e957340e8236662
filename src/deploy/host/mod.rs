//! Hosts with their own API that publish a whole site at once, or not at all.
//!
//! These hosts identify files by digest, and report which digests they lack. Therefore a deploy
//! needs no deploy record.

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
    /// Compares the local site with the published site, and returns the differences. Returns an
    /// error if the host does not accept a file.
    fn make_plan<'a>(&mut self, output_files: &'a [LocalFile]) -> Result<Plan<'a>, Fault>;

    /// Publishes the files that [`make_plan`](Self::make_plan) compared. If this fails or is
    /// interrupted, the previous site stays public.
    fn publish(
        &mut self,
        output_files: &[LocalFile],
        plan: &Plan<'_>,
        progress: &dyn Progress,
    ) -> Result<Deployed, Fault>;
}

/// Maximum number of parallel requests.
const MAX_PARALLEL: usize = 4;

/// Files larger than this many bytes are processed one at a time, because a file is completely read
/// into memory.
const MAX_PARALLEL_SIZE: u64 = 16 * 1024 * 1024;

/// Returns the digest of each file. `digest` computes it from the file's bytes.
fn digests(
    output_files: &[LocalFile],
    digest: impl Fn(&LocalFile, &[u8]) -> String + Sync,
) -> Result<Vec<String>, Fault> {
    let large = Mutex::new(());
    output_files
        .par_iter()
        .map(|file| {
            let _alone = (file.length > MAX_PARALLEL_SIZE).then(|| large.lock());
            read(file).map(|bytes| digest(file, &bytes))
        })
        .collect()
}

/// Reads a file. Returns an error if the file has changed since it was listed.
fn read(file: &LocalFile) -> Result<Vec<u8>, Fault> {
    let bytes = fs::read(&file.on_disk)
        .map_err(|error| Fault::cannot_read(file.on_disk.display(), &error))?;
    match file.is_unchanged() {
        true => Ok(bytes),
        false => Err(Fault::changed(&file.path)),
    }
}

/// Calls `action` for each element, with several calls in parallel. After a fault, no new calls are
/// started.
fn each<T: Sync>(
    all: &[T],
    action: impl Fn(&T) -> Result<(), Fault> + Send + Sync,
) -> Result<(), Fault> {
    let pool = ThreadPoolBuilder::new().num_threads(MAX_PARALLEL).build();
    match pool {
        Ok(pool) => pool.install(|| all.par_iter().try_for_each(action)),
        Err(_) => all.iter().try_for_each(action),
    }
}

/// Returns the fault for a file that exceeds the host's size limit.
fn too_large(file: &LocalFile, host: &str, max: u64) -> Fault {
    let mib = |bytes: u64| bytes as f64 / (1024.0 * 1024.0);
    let help = match file.path.starts_with("media/") {
        true => {
            "use a separate destination for media: set [deploy.media] and [media] base_url in site.toml"
        }
        false => "make the file smaller, or choose another destination",
    };
    let message = format!(
        "{} is too large: it has {:.1} MiB, and {host} allows at most {:.0} MiB per file",
        file.path,
        mib(file.length),
        mib(max)
    );
    Fault::permanent(message, help)
}
