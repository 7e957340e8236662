//! The cache of fonts that were split into parts, in `.feedwright/fonts/`. Splitting a font takes a
//! tenth of a second.

use std::path::Path;

use borsh::BorshDeserialize;
use fonts::Font;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

use local::store::Cache;
use model::{SitePath, program};

const CACHE: Cache = Cache::new("fonts", 1, 256 << 20);

/// Returns the parts of a font of the site.
///
/// # Errors
///
/// Returns the reason if the file is not a usable font. The reason is the end of a sentence that
/// begins with the file's path.
pub fn read(root: &Path, path: &SitePath, bytes: &[u8]) -> Result<Font, &'static str> {
    let name = format!("{:016x}", xxh3_64(path.as_str().as_bytes()));
    let kept = CACHE.path(root).join(name);
    let own = xxh3_64_with_seed(bytes, program());
    let parts = CACHE.load(&kept, own);
    if let Some(font) = parts.and_then(|parts| Font::try_from_slice(&parts).ok()) {
        return Ok(font);
    }
    let font = fonts::read(bytes)?;
    // If the cache cannot be written, the next run splits the font again.
    let _ = borsh::to_vec(&font).and_then(|parts| CACHE.save(&kept, own, &parts));
    Ok(font)
}
