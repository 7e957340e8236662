//! Fonts as they were cut, by the file they were cut from: `.feedwright/fonts/`. A font takes a tenth of a second.

use std::fs;
use std::path::{Path, PathBuf};

use borsh::BorshDeserialize;
use fonts::Font;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128};

use crate::model::{PROGRAM, SitePath};
use crate::source::local::make_folders;

/// The parts of a font of the site.
///
/// # Errors
///
/// What the file is instead of a font.
pub fn read(root: &Path, path: &SitePath, bytes: &[u8]) -> Result<Font, &'static str> {
    let name = format!("{:016x}", xxh3_64(path.as_str().as_bytes()));
    let kept = root.join(".feedwright/fonts").join(name);
    let own = xxh3_128(bytes).to_le_bytes();
    if let Some(font) = load(&kept, own) {
        return Ok(font);
    }
    let font = fonts::read(bytes)?;
    // Where it cannot be kept, the next run cuts it again.
    let _ = save(&kept, own, &font);
    Ok(font)
}

/// The program, the font it was cut from, and a checksum, which stand before the parts.
fn head(own: [u8; 16], parts: &[u8]) -> Vec<u8> {
    let sum = xxh3_64(parts).to_le_bytes();
    [PROGRAM.to_le_bytes().as_slice(), &own, &sum].concat()
}

fn load(kept: &Path, own: [u8; 16]) -> Option<Font> {
    let bytes = fs::read(kept).ok()?;
    let (written, parts) = bytes.split_at_checked(32)?;
    if written != head(own, parts) {
        return None;
    }
    Font::try_from_slice(parts).ok()
}

fn save(kept: &Path, own: [u8; 16], font: &Font) -> std::io::Result<()> {
    let parts = borsh::to_vec(font)?;
    let folder: PathBuf = kept.parent().map(Path::to_owned).unwrap_or_default();
    make_folders(&folder)?;
    // Two runs may write at the same time: each its own file, and the last one stays.
    let temporary = kept.with_extension(format!("{}.new", std::process::id()));
    let written = fs::write(&temporary, [head(own, &parts), parts].concat());
    let written = written.and_then(|()| fs::rename(&temporary, kept));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}
