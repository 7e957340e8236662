//! The output folder as earlier builds left it.

use std::path::{Path, PathBuf};

use super::manifest::Manifest;

/// The manifest of an output folder. [`verify`](Self::verify) compares it with the files on the
/// disk.
pub struct KnownOutput {
    pub out: PathBuf,
    pub manifest: Manifest,
    is_looked_at: bool,
}

impl KnownOutput {
    pub fn of(root: &Path, out: PathBuf) -> Self {
        Self { manifest: Manifest::load(root, &out), out, is_looked_at: false }
    }

    /// Compares every file in the manifest with the disk. Later calls do nothing.
    pub fn verify(&mut self) {
        if !self.is_looked_at {
            self.manifest.verify(&self.out);
            self.is_looked_at = true;
        }
    }
}
