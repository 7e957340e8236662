//! Files that pages load.

/// A file of a theme that pages load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    /// Its path in the package.
    pub path: String,
    pub bytes: Vec<u8>,
}
