//! The output folder, as earlier builds left it.

use std::path::{Path, PathBuf};

use super::manifest::Manifest;

/// What earlier builds wrote into an output folder, and whether it is still there.
pub struct KnownOutput {
    pub out: PathBuf,
    pub manifest: Manifest,
    is_looked_at: bool,
}

impl KnownOutput {
    pub fn of(root: &Path, out: PathBuf) -> Self {
        Self { manifest: Manifest::load(root, &out), out, is_looked_at: false }
    }

    /// Looks at every file, once.
    pub fn look(&mut self) {
        if !self.is_looked_at {
            self.manifest.look(&self.out);
            self.is_looked_at = true;
        }
    }
}
